# sizes.awk: prints functions of more than `most_lines` lines and files of more than `most_file` lines, as
# "FILE:LINE: NAME has N lines". A function goes from the brace in the first column that opens it to the one that
# closes it; the text follows .clang-format.

function finish() {
    if (file != "" && lines > most_file) {
        print file ": has " lines " lines, more than " most_file
    }
}

FNR == 1 {
    finish()
    file = substr(FILENAME, length(top) + 2)
    opened = 0
    head = ""
}

{
    lines = FNR
}

/^{/ {
    opened = FNR
    name = head
}

/^}/ && opened > 0 {
    if (FNR - opened - 1 > most_lines) {
        print file ":" opened ": " name " has " FNR - opened - 1 " lines, more than " most_lines
    }
    opened = 0
}

/^[A-Za-z_].*\(/ {
    head = $0
    sub(/\(.*/, "", head)
    sub(/.*[ *]/, "", head)
}

END {
    finish()
}
