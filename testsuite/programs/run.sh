# run.sh PROGRAM ARGUMENTS [MORE SOURCES]: a program of this folder builds, runs on every backend, prints what
# its sequential run prints, and CLEAVE_VERIFY finds nothing and says of no loop that it runs sequentially.
#
# Numbers are compared relative to their size: 1e-9 is far above what another order of sums changes in a few
# steps, and far below what a wrong loop does.
set -e
here=$SRC/testsuite/programs
program=$1 arguments=$2
shift 2
if grep -q '"op_hdf5.h"' "$here/$program" && [ ! -e "$BUILD/lib/libcleave_hdf5.a" ]; then
    echo "$program: cleave was built without HDF5"
    exit 77
fi
case $program in
*.cpp) compiler=$CLEAVECXX ;;
*) compiler=$CLEAVECC ;;
esac
more=
for source in "$@"; do
    more="$more $SRC/$source"
done
# shellcheck disable=SC2086 # a list of files
"$compiler" -O1 -Wall -Werror --cleave-arch=emu --cleave-emit=fused "$here/$program" $more -o program -lm 2>notes
if grep 'runs sequentially' notes; then
    echo "$program: a loop was not compiled" >&2
    exit 1
fi

# agree REFERENCE RESULT: the words are equal, or numbers that differ by 1e-9 of their size at most.
agree() {
    awk '
        function far(a, b) { return a != b && !((a - b) ^ 2 <= 1e-18 * (a ^ 2 + b ^ 2)) }
        NR == FNR { line[FNR] = $0; lines = FNR; next }
        {
            count = split(line[FNR], word)
            bad = count != NF
            for (i = 1; i <= NF && !bad; i++) {
                bad = $i ~ /^[-+]?[0-9]/ ? far(word[i] + 0, $i + 0) : word[i] != $i
            }
            if (bad) { print "differs: " $0 " from " line[FNR]; wrong = 1 }
        }
        END { exit wrong || FNR != lines || lines == 0 }' "$1" "$2"
}

# shellcheck disable=SC2086 # a list of arguments
for backend in seq openmp cuda; do
    echo "$program: $backend"
    CLEAVE_BACKEND=$backend ./program $arguments >$backend
    agree seq $backend
done
for backend in openmp cuda; do
    echo "$program: $backend, verified"
    # shellcheck disable=SC2086
    CLEAVE_BACKEND=$backend CLEAVE_VERIFY=1 ./program $arguments >verified 2>said
    agree seq verified
    grep -q 'calls of compiled loops agree' said
    if grep -E 'differ|sequentially' said; then
        exit 1
    fi
done
# shellcheck source=testsuite/lanes.sh
. "$SRC/testsuite/lanes.sh"
# shellcheck disable=SC2086
lanes_agree ./program $arguments
# The comparison itself: a wrong number must be seen.
awk 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^[-+]?[0-9]/) { $i = $i * 1.001 + 1e-6; break } } { print }' seq >wrong
if agree seq wrong >/dev/null; then
    echo "a wrong result passes" >&2
    exit 1
fi
