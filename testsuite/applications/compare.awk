# compare.awk: compares the lines NAME = VALUE of two outputs: awk -v tolerance='1e-10; NAME: ABSOLUTE' -f compare.awk
# REFERENCE RESULT. Prints the first difference of each name; the exit code is not 0 when there is one, when a value is
# no number, or when the outputs have no values or not as many.

function is_number(text) {
    return text ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/
}

function size(value) {
    return value < 0 ? -value : value
}

# How far a result of this name may be from its reference.
function allowed(name, reference,    i) {
    for (i = 2; i <= exceptions; i++) {
        if (index(name, exception_name[i]) == 1) {
            return exception_value[i]
        }
    }
    return exception_value[1] * size(reference)
}

function wrong(text) {
    print text
    bad = 1
}

BEGIN {
    exceptions = split(tolerance, part, / *; */)
    exception_value[1] = part[1] + 0
    if (!is_number(part[1])) {
        wrong("tolerance '" part[1] "' is not a number")
    }
    for (i = 2; i <= exceptions; i++) {
        place = match(part[i], /: *[^:]*$/)
        exception_name[i] = substr(part[i], 1, place - 1)
        exception_value[i] = substr(part[i], place + 1) + 0
        if (place < 2 || !is_number(substr(part[i], place + 2))) {
            wrong("exception '" part[i] "' is not of the form NAME: ABSOLUTE")
        }
    }
    FS = " = "
}

# Other lines with " = " may say more than a value: how long the run took.
NF != 2 || $2 ~ / / {
    next
}

# A result that a program prints several times is known by its place, too.
{
    times[FNR == NR, $1]++
    key = $1 SUBSEP times[FNR == NR, $1]
}

FNR == NR {
    known[key] = $2
    references++
    next
}

{
    results++
    if (!(key in known)) {
        wrong($1 " = " $2 ", which the sequential run does not have")
    } else if (!is_number($2) || !is_number(known[key])) {
        wrong($1 " = " $2 ", sequentially " known[key] ": no numbers to compare")
    } else if (size($2 - known[key]) > allowed($1, known[key])) {
        wrong($1 " = " $2 ", sequentially " known[key] ": differs by " size($2 - known[key]) ", allowed are " \
            allowed($1, known[key]))
    }
}

END {
    if (references == 0 || results != references) {
        wrong(results + 0 " results, sequentially " references + 0)
    }
    exit bad
}
