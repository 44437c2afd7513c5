#!/bin/sh
# extrema.sh: minima and maxima in every form that is right: nothing is said against them, the loops
# are compiled, and every schedule agrees with the reference.
set -eu
$CLEAVECC --cleave-arch=emu --cleave-emit="$EMIT" -O0 -I"$SRC/testsuite/codegen/programs" \
    "$SRC/testsuite/endtoend/extrema.c" -o extrema -lm 2>notes
if grep -E 'error|warning|sequentially' notes; then
    echo "a right form is not accepted"
    exit 1
fi
CLEAVE_BACKEND=seq ./extrema >expected
test "$(grep -c '^= ' expected)" -ge 9

for schedule in $SCHEDULES; do
    for target in openmp:colour openmp:range cuda:colour cuda:atomic cuda:global cuda:ordered; do
        case $target:$schedule in
        openmp:range:fused) ;;
        openmp:range:*) continue ;;
        cuda:global:fused | cuda:global:loops | cuda:ordered:split) ;;
        cuda:global:* | cuda:ordered:*) continue ;;
        esac
        export CLEAVE_BACKEND="${target%:*}" CLEAVE_RACES="${target#*:}" CLEAVE_SCHEDULE=$schedule
        CLEAVE_BLOCK_SIZE=7 ./extrema >out 2>err
        diff expected out || { echo "$schedule on $target: differs"; exit 1; }
        CLEAVE_BLOCK_SIZE=32 CLEAVE_VERIFY=1 ./extrema >out 2>err
        grep -q '3 calls of compiled loops agree with the reference' err || { cat err; exit 1; }
    done
done
