#!/bin/sh
# Two constants of one source file that differ in their namespace only: never a wrong value.
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
