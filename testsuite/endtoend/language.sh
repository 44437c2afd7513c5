#!/bin/sh
# Kernels full of the language: those that are called whole and those that run on the host alone
# are the ones listed, and every schedule agrees with the reference.
set -eu
here=$SRC/testsuite/endtoend

check() { # PROGRAM WHOLE SEQUENTIAL: the loops called whole, and those that stay on the host
    source=$here/$1
    case $1 in
    *.cpp) compiler="$CLEAVECXX -std=c++17" flag=-std=c++17 ;;
    *) compiler=$CLEAVECC flag=-std=gnu11 ;;
    esac
    "$BUILD/bin/split_dump" "$source" --graph $flag >graph 2>notes
    whole=$(awk '/^graph/{ name = $2 } /the kernel is called whole/{ printf "%s ", name }' graph)
    sequential=$(sed -n "s/.*note: loop '\([a-z_]*\)' runs sequentially.*/\1/p" notes | tr '\n' ' ')
    test "$whole" = "$2" || { echo "$1: whole are: $whole"; exit 1; }
    test "$sequential" = "$3" || { echo "$1: sequential are: $sequential"; exit 1; }
    $compiler --cleave-emit="$EMIT" --cleave-arch=emu $OPTIMISE "$source" -o program 2>notes ||
        { cat notes; exit 1; }
    for backend in openmp cuda; do
        for schedule in $SCHEDULES; do
            CLEAVE_BACKEND=$backend CLEAVE_SCHEDULE=$schedule CLEAVE_VERIFY=1 CLEAVE_CHECK_PLAN=1 \
                CLEAVE_BLOCK_SIZE=32 ./program >out 2>err ||
                { echo "$1: $backend $schedule"; cat err; exit 1; }
            loops=$(($(grep -c '^= ' out) - $(echo "$3" | wc -w)))
            grep -q "$loops calls of compiled loops agree with the reference" err ||
                { echo "$1: $backend $schedule: not $loops loops"; cat err; exit 1; }
        done
    done
}

check language.c 'rows_of_pointers walk inc ' ''
check language.cpp 'default_arguments library ' 'bound_to_library '
