# run.sh PROGRAM TOLERANCE: every schedule of every loop of a kernel program, on OpenMP and on the emulated
# GPU, gives what the sequential reference gives.
#
# Sums are compared relative to the sum of magnitudes. Variants add the same increments in another order:
# with k increments per value that changes it by at most (k - 1) times half a unit in the last place of
# the partial sums; k is at most some 50 here, partial sums some tens of the values, so 1e-13 for double
# would do; TOLERANCE leaves a factor of ten.
#
# Optimised, lest what compilers may assume of the text goes untested; not where cleave is sanitized, which
# the text is not.
set -e
program=$1 tolerance=$2
[ -n "$SANITIZED" ] && optimise=-O0 || optimise=-O1
# The viscous flux of hydra.c is what bodies in several parts are for.
[ "$program" != hydra.c ] || EMIT=all SCHEDULES="fused split split2 split3 split4 loops twopass owner"
"$CLEAVECC" --cleave-emit="$EMIT" --cleave-arch=emu $optimise "-I$SRC/testsuite/kernels" \
    "$SRC/testsuite/kernels/$program" -o program 2>notes
if grep -E 'runs sequentially|is not analysed|is not split' notes; then
    echo "$program: a loop is not taken apart" >&2
    exit 1
fi
export CLEAVE_CHECK_PLAN=1
CLEAVE_BACKEND=seq ./program >reference

for backend in openmp cuda; do
    for schedule in $SCHEDULES; do
        races='colour atomic'
        case $backend:$schedule in
        openmp:fused) races='colour range' ;;
        openmp:*) races=colour ;;
        cuda:fused | cuda:loops) races='colour atomic global' ;;
        cuda:split) races='colour atomic ordered' ;;
        esac
        for races in $races; do
            echo "$program: $backend $schedule $races"
            CLEAVE_BACKEND=$backend CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=$races \
                CLEAVE_BLOCK_SIZE=32 ./program >result
            sh "$SRC/testsuite/kernels/same.sh" reference result "$tolerance"
        done
    done
done
# shellcheck source=testsuite/lanes.sh
. "$SRC/testsuite/lanes.sh"
echo "$program: lanes"
[ -n "$SANITIZED" ] || CLEAVE_VARIANT=list ./program | grep -q '_lanes$' || {
    echo "$program: no loop has lanes" >&2
    exit 1
}
lanes_agree ./program
CLEAVE_BLOCK_SIZE=32 lanes_agree ./program
# Loops of many components in slices, where there are any.
if CLEAVE_VARIANT=list ./program | grep -q _slices2_; then
    echo "$program: slices"
    CLEAVE_BACKEND=cuda CLEAVE_VARIANT='*_slices2_*' CLEAVE_BLOCK_SIZE=32 ./program >result
    sh "$SRC/testsuite/kernels/same.sh" reference result "$tolerance"
fi
[ "$program" != hydra.c ] || . "$SRC/testsuite/kernels/forced.sh"
# The comparison itself: a wrong value must be seen.
sed '1s/ [-0-9.e+]* / 1.5e+99 /' reference >wrong
if sh "$SRC/testsuite/kernels/same.sh" reference wrong "$tolerance" >/dev/null; then
    echo "a wrong result passes" >&2
    exit 1
fi
