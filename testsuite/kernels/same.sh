# same.sh REFERENCE RESULT TOLERANCE: two outputs of a kernel program agree: sums are compared relative to
# the sum of magnitudes.
awk -v tolerance="$3" '
    NR == FNR { known++; sum[$1] = $2; weighted[$1] = $3; bound[$1] = tolerance * ($4 + 1e-300); next }
    function far(a, b, bound) { return !(a - b <= bound && b - a <= bound) }
    !($1 in sum) || far($2, sum[$1], bound[$1]) || far($3, weighted[$1], 2 * bound[$1]) {
        print "differs: " $0 " from " sum[$1] " " weighted[$1]
        bad = 1
    }
    { seen++ }
    END { exit bad || known == 0 || seen != known }' "$1" "$2"
