#!/bin/sh
# unusual.sh: programs that are right but unusual: those loops run sequentially that are listed, and
# every schedule gives what the sequential run gives.
set -eu
here=$SRC/testsuite/endtoend

check() { # PROGRAM SEQUENTIAL: the loops that stay on the host
    case $1 in
    *.cpp) compiler="$CLEAVECXX -std=c++17" ;;
    *) compiler=$CLEAVECC ;;
    esac
    $compiler --cleave-arch=emu --cleave-emit="$EMIT" -O0 -I"$here" -I"$SRC/testsuite/codegen/programs" \
        "$here/$1" -o program -lm 2>notes || { cat notes; exit 1; }
    sequential=$(sed -n "s/.*note: loop '\([a-z_]*\)' runs sequentially.*/\1/p" notes | tr '\n' ' ')
    test "$sequential" = "$2" || { echo "$1: sequential are: $sequential"; cat notes; exit 1; }
    CLEAVE_BACKEND=seq ./program >expected
    for schedule in $SCHEDULES; do
        for backend in openmp cuda; do
            CLEAVE_BACKEND=$backend CLEAVE_SCHEDULE=$schedule CLEAVE_BLOCK_SIZE=7 ./program >out 2>err ||
                { cat err; exit 1; }
            diff expected out || { echo "$1: $schedule on $backend differs"; exit 1; }
        done
    done
}

check unusual.cpp 'algorithm '
check unusual.c 'in_variables column variadic host_call moved truth_text '
grep -q "loop 'host_call' runs sequentially: it calls 'exit', which only sequential loops may call" notes
grep -q "warning: loop 'one_global' .* runs sequentially: arguments 2 and 3 are the same global" err
