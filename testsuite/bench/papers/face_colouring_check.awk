# face_colouring_check.awk -v known=FILE run.txt: results of onera (lines NAME = VALUE) agree with those in FILE: sums of
# integers to the last digit, others to 1e-6. The first run makes FILE.
BEGIN {
    FS = " = "
    while ((getline line < known) > 0) {
        split(line, part, " = ")
        value[part[1]] = part[2]
        there = 1
    }
    close(known)
}

NF == 2 && $1 ~ /^(sum|squares|volumes)/ {
    seen++
    if (!there) {
        print > known
    } else if (!($1 in value) || (($2 - value[$1]) ^ 2 > ($1 ~ /pmax/ ? 1e-12 * value[$1] ^ 2 : 0))) {
        print "differs: " $0 ", known: " value[$1]
        wrong = 1
    }
}

END {
    exit wrong || seen < 4
}
