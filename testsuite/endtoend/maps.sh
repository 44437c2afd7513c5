#!/bin/sh
# Maps and dats in arrays, members, containers and functions: arguments that name one by one expression share
# it, and their loops run compiled. Where the guess is wrong, a warning says so, and the results are right.
set -eu
fail() {
    echo "maps.sh: $*" >&2
    exit 1
}

$CLEAVECXX --cleave-arch=none --cleave-emit=fused "$SRC/testsuite/endtoend/maps.cpp" -o maps || fail "not compiled"
CLEAVE_BACKEND=seq ./maps >out
head -n 1 out >expected
CLEAVE_BACKEND=openmp CLEAVE_VERIFY=1 OMP_NUM_THREADS=2 ./maps >out 2>err || fail "$(cat err)"
head -n 1 out | cmp expected - || fail "another result: $(cat out)"
for loop in minus arrow star call method container at pointer choice nested; do
    grep -q "^$loop .*  flux.*(openmp)" out || fail "'$loop' does not run compiled: $(cat out err)"
done
for loop in aliases next; do
    grep -q "^$loop .* sequential (seq)" out || fail "'$loop' runs compiled: $(cat out)"
    grep -q "warning: loop '$loop' (.*maps.cpp:[0-9]*) runs sequentially: argument [0-9] was compiled as" err ||
        fail "nothing is said about '$loop': $(cat err)"
done
