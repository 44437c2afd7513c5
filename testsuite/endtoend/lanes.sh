#!/bin/sh
# Vectors of every width compute the bits of scalars, in C and in C++, and trap no more than these do.
set -eu
here=$SRC/testsuite/endtoend
. "$SRC/testsuite/lanes.sh"

fail() {
    echo "lanes.sh: $*" >&2
    exit 1
}

clang=$(command -v clang || command -v /usr/lib/llvm-*/bin/clang || :)
for compiler in "$CLEAVECC" "$CLEAVECXX" ${clang:+"env CLEAVE_CC=$clang $CLEAVECC"}; do
    case $compiler in
    *++) source=lanes.cpp && cp "$here/lanes.c" $source ;;
    *) source=$here/lanes.c ;;
    esac
    $compiler --cleave-arch=none --cleave-emit=comparisons -O2 -Wall -Werror "-I$here" "$source" -o lanes -lm 2>notes ||
        fail "$(cat notes)"
    CLEAVE_VARIANT=list ./lanes >list
    for loop in extremes guarded selected mixed floats corners iterated picked tallied scattered; do
        grep -q " ${loop}_.*_lanes\$" list || fail "$loop runs without vectors: $(cat list)"
    done
    # In place, `auto` has vectors only if most elements modify different points.
    LANES_TIMES=1 CLEAVE_BACKEND=openmp ./lanes >times
    grep -q ' tallied_fused_range (' times || fail "tallied: $(cat times)"
    grep -q ' scattered_fused_range_lanes (' times || fail "scattered: $(cat times)"
    LANES_TRAPS=1 lanes_agree env ./lanes
    LANES_NANS=1 lanes_agree env ./lanes
    CLEAVE_BACKEND=openmp CLEAVE_VERIFY=1 ./lanes >/dev/null 2>said
    grep -q 'agree' said || fail "$(cat said)"
    CLEAVE_BACKEND=openmp CLEAVE_LANES=16 ./lanes >/dev/null 2>said || fail "$(cat said)"
done
