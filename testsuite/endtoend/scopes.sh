#!/bin/sh
# Two constants of one source file that differ in their namespace only: never a wrong value. And constants that are
# initialised by calls.
set -eu
$CLEAVECXX --cleave-arch=none "$SRC/testsuite/endtoend/scopes.cpp" -o scopes
CLEAVE_BACKEND=openmp ./scopes | grep -qx '= 3'
CLEAVE_BACKEND=seq ./scopes both | grep -qx '= 3'
if CLEAVE_BACKEND=openmp ./scopes both >out 2>&1; then
    cat out
    exit 1
fi
grep -q "kernel 'apply' uses 'gain', and op_decl_const declares both 'one::gain' and 'two::gain'" out ||
    { cat out; exit 1; }

# Constants that C++ initialises before main have the program's own values, to the bit.
for arch in none emu; do
    backend=openmp
    [ $arch = none ] || backend=cuda
    $CLEAVECXX --cleave-arch=$arch --cleave-emit=fused -O1 -c "$SRC/testsuite/endtoend/early.cpp" -o early.o 2>notes ||
        { cat notes; exit 1; }
    $CLEAVECXX --cleave-arch=$arch early.o -o early
    CLEAVE_BACKEND=seq ./early | grep '^[-0]' >expected
    CLEAVE_BACKEND=$backend ./early >out
    grep '^[-0]' out | diff expected - || { echo "$backend: other values"; exit 1; }
    for loop in certain uncertain; do
        grep "^$loop " out | grep -q "($backend)" || { cat notes out; exit 1; }
    done
    [ ! -s notes ] || { cat notes; exit 1; }
    # Nothing of it is left for other objects to meet.
    nm early.o | grep -q ' [bBdDrR] _ZL10known_late$'
    ! nm early.o | grep ' [A-Z] _ZL10known_late$\| [bdr] _ZN6limits4mostE$' || exit 1
done
