#!/bin/sh
# tiled.sh: loops in tiles give the bits of the same loops one after the other, on any number of threads and where two
# meshes come in turns; CLEAVE_VERIFY=1 agrees; calls behind which the program looks at a dat are in no sequence.
set -eu
fail() {
    echo "tiled.sh: $*" >&2
    exit 1
}
$CLEAVECC -O1 --cleave-arch=none --cleave-dump=groups "$SRC/testsuite/endtoend/tiled.c" -o tiled \
    2>said || fail "$(cat said)"
sed -n 's/^  call \([a-z_0-9]*\) at .*/\1/p; s/^tiled [0-9]*/-/p' said | tr '\n' ' ' >sequences
[ "$(cat sequences)" = '- keep speed flux wall step - speed flux wall step ' ] || fail "sequences: $(cat sequences)"
# run ARGUMENT SETTINGS [SETTING]: the values are those of the loops one after the other, with the last setting.
run() {
    env ${3:-} CLEAVE_FUSE=off ./tiled $1 2>err | grep '^turn\|^seen\|: ' | grep -v '^times' >expected
    [ "$(grep -c '^turn' expected)" -eq 12 ] || fail "$1: few values: $(cat err)"
    env CLEAVE_FUSE=on $2 ./tiled $1 >got 2>err || fail "$1 $2: $(cat err)"
    grep '^turn\|^seen\|: ' got | grep -v '^times\|^tiles' | cmp -s - expected || fail "$1 $2: other values"
}
for threads in 1 2 3; do
    run "" "OMP_NUM_THREADS=$threads CLEAVE_CHECK_PLAN=1"
    grep -q '^tiles: 99 calls of loops ran in 22 runs, could not 0' got || fail "$threads threads: $(cat got)"
done
run again CLEAVE_DETERMINISTIC=1 CLEAVE_DETERMINISTIC=1
grep -q '^tiles: 90 calls of loops ran in 20 runs, could not 0' got || fail "again: $(cat got)"
run "" CLEAVE_VERIFY=1
grep -q 'CLEAVE_VERIFY: 24 sequences of loops in tiles give the bits' err || fail "$(cat err)"
run "" CLEAVE_SCHEDULE=fused
run "" CLEAVE_FUSE=off
grep -q '^tiles' got && fail "CLEAVE_FUSE=off: $(cat got)"
CLEAVE_FUSE=on ./tiled inside >got 2>err && fail "a global inside of a dat is not found"
grep -q "loop 'step' (.*tiled.c:[0-9]*), argument 5: the global lies in the array of dat 'old'" err || fail "$(cat err)"
