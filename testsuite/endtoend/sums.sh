#!/bin/sh
# CLEAVE_VERIFY raises no false alarm over sums that differ from the reference by rounding alone, and one over terms that are
# wrong by a hundred-trillionth of the largest. Rounding includes that of products which are far larger than data and sums.
set -eu
$CLEAVECC --cleave-arch=none $OPTIMISE "$SRC/testsuite/endtoend/sums.c" -o sums
$CLEAVECC --cleave-arch=emu $OPTIMISE "$SRC/testsuite/endtoend/sums.c" -o sums_emu

check() { # check ENV... PROGRAM [argument]
    env CLEAVE_VERIFY=1 "$@" >out 2>err || { cat err; exit 1; }
    grep -q '8 calls of compiled loops agree' err || { cat err; exit 1; }
}
CLEAVE_BACKEND=seq ./sums >seq.out
CLEAVE_BACKEND=openmp ./sums >openmp.out
if cmp -s seq.out openmp.out; then echo "no sum differs: nothing is tested"; exit 1; fi
for schedule in fused split; do
    check CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE=$schedule ./sums
    check CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule ./sums_emu
    check CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE=$schedule ./sums near
    check CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule ./sums_emu near
    ! grep 'has changed' out || exit 1
    for backend in openmp:sums cuda:sums_emu; do
        if CLEAVE_VERIFY=1 CLEAVE_BACKEND=${backend%:*} CLEAVE_SCHEDULE=$schedule "./${backend#*:}" wrong 2>err; then
            echo "a wrong term passes: $backend $schedule"
            exit 1
        fi
        grep -q "CLEAVE_VERIFY: loop 'cancel' .*dat 'one' element 0 component 0 is" err || { cat err; exit 1; }
        if CLEAVE_VERIFY=1 CLEAVE_BACKEND=${backend%:*} CLEAVE_SCHEDULE=$schedule "./${backend#*:}" far 2>err; then
            echo "a wrong product passes: $backend $schedule"
            exit 1
        fi
        grep -q "CLEAVE_VERIFY: loop 'amplify' .*dat 'difference' element 0 component 0 is" err || { cat err; exit 1; }
    done
done
