# statements.awk: generated text with each statement, head of a block and row of a table on one line, however it
# was wrapped: patterns need not follow the width of the page.
function finish() {
    if (held != "") {
        print held
    }
    held = ""
    depth = 0
}

/^ *(\/\/|#)/ || /^ *$/ {
    finish()
    print
    next
}

{
    line = $0
    if (held != "") {
        sub(/^ */, held ~ /\($/ ? "" : " ", line)
    }
    held = held line
    depth += gsub(/\(/, "(", line) - gsub(/\)/, ")", line)
}

(depth <= 0 && (/[;{}]( *\/\/.*)?$/ || held ~ /^ *\{.*\},( *\/\/.*)?$/)) || /^ *(case .*|default|[a-z_0-9]+):( *\/\/.*)?$/ || /^ *template <.*>$/ {
    finish()
}

END {
    finish()
}
