#!/bin/sh
# Two units whose static kernels, helpers, constants and calls are equal in name and text do not mix,
# whether their objects are linked directly or out of a static library.
set -eu
here=$SRC/testsuite/endtoend

run() { # run NAME ENV... -- PROGRAM: its results are those of the sequential reference
    name=$1
    shift
    env "$@" >"$name.out" 2>"$name.err" || { echo "$name: failed"; cat "$name.err"; exit 1; }
    grep '^= ' "$name.out" >"$name.results"
    if ! diff reference.results "$name.results"; then echo "$name: differs"; exit 1; fi
    if grep 'sequential' "$name.out" "$name.err"; then echo "$name: ran sequentially"; exit 1; fi
}

for arch in none emu; do
    backend=openmp
    [ $arch = none ] || backend=cuda
    for unit in units units_left units_right; do
        $CLEAVECC --cleave-arch=$arch $OPTIMISE -c "$here/$unit.c" -o $unit.$arch.o
    done
    ar rcs libunits.$arch.a units_left.$arch.o units_right.$arch.o
    $CLEAVECC --cleave-arch=$arch units.$arch.o units_left.$arch.o units_right.$arch.o -o direct.$arch
    $CLEAVECC --cleave-arch=$arch units.$arch.o -L. -lunits.$arch -o library.$arch
    $CLEAVECXX --cleave-arch=$arch -x c++ "$here/units.c" "$here/units_left.c" \
        "$here/units_right.c" -x none -o cxx.$arch
    CLEAVE_BACKEND=seq ./direct.$arch | grep '^= ' >reference.results
    [ "$(wc -l <reference.results)" -eq 2 ]
    for program in direct library cxx; do
        run $program-$arch CLEAVE_BACKEND=$backend ./$program.$arch
        run $program-$arch-verify CLEAVE_BACKEND=$backend CLEAVE_VERIFY=1 ./$program.$arch
    done
done
