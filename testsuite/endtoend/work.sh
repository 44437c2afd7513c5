#!/bin/sh
# work.sh: OP_WORK is scratch of each element, in every back end and schedule: a global becomes a local
# array of the kernel, a dat on the loop's set stays. What cannot be taken so runs sequentially, with a note. The
# program also uses dat->data between loops, which cleavecc notes once.
set -eu
fail() {
    echo "work.sh: $*" >&2
    exit 1
}
"$CLEAVECC" --cleave-arch=emu --cleave-emit=fused,split,owner -O1 "$SRC/testsuite/endtoend/work.c" -o work -lm 2>said ||
    fail "$(cat said)"
for kernel in moved chosen taken; do
    [ "$(grep -c "note: loop '$kernel' runs sequentially: .*OP_WORK" said)" = 1 ] || fail "$kernel: $(cat said)"
done
! grep -q "note: loop '\(flux\|sorted\)'" said || fail "$(cat said)"
[ "$(grep -c "note: '.*->data' is used without op_get_data" said)" = 1 ] || fail "$(cat said)"
CLEAVE_BACKEND=seq ./work >expected 2>/dev/null
grep -q '^sum [0-9.]*$' expected || fail "$(cat expected)"
sum=$(head -1 expected)
for run in openmp: cuda: cuda:owner cuda:fused openmp:split; do
    CLEAVE_BACKEND=${run%:*} CLEAVE_SCHEDULE=${run#*:} ./work >got 2>/dev/null
    grep -qxF "$sum" got || fail "$run: $(head -1 got), not $sum"
    ! grep -E '^(flux|sorted) ' got | grep -q sequential || fail "$run: $(cat got)"
done
CLEAVE_VERIFY=1 ./work >got 2>said
grep -q 'CLEAVE_VERIFY: 3 calls of compiled loops agree' said || fail "$(cat said)"
