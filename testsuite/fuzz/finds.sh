#!/bin/sh
# `run` finds mistakes: when cleave compiles something else than the program says, it fails, names the seed,
# and prints a kernel that is not much more than what is compiled wrongly. And the other way
# round: the same kernels pass when nothing is wrong, so it was that which it found.
set -eu
run="$SRC/testsuite/fuzz/run"

common() { # common [option...]
    sh "$run" --build "$BUILD" --seed 3 --count 40 --batch 10 --language c --schedules fused \
        --backends openmp "$@"
}

expect() { # expect PATTERN: a line of out
    grep -q "$1" out || { cat out; echo "no line matches '$1'"; exit 1; }
}

find_fault() { # find_fault WORD WHAT CULPRIT
    if common --break "$1" >out 2>err; then
        cat out err
        echo "--break $1 was not noticed"
        exit 1
    fi
    expect "^fuzz: seed [0-9]*, c: $2"
    expect '^fuzz: reduced:'
    expect "$3"
    lines=$(sed -n '/^static inline void kernel_/,/^}/p' out | wc -l)
    [ "$lines" -le 20 ] || { cat out; echo "$lines lines are left of the kernel"; exit 1; }
    seed=$(sed -n 's/^fuzz: seed \([0-9]*\), c:.*/\1/p' out)
    if common --break "$1" --seed "$seed" --count 1 >out 2>err; then
        echo "kernel $seed alone does not fail with --break $1"
        exit 1
    fi
    echo "$1: found with seed $seed, $lines lines of it are left"
}

# A mistyped number checks nothing, and must not pass.
for wrong in "--seed x" "--count 0" "--count -5" "--jobs ''"; do
    eval "set -- $wrong"
    status=0
    common "$@" >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q "^fuzz: $1 takes a number above 0, not '$2'" err || {
        cat out err
        echo "$wrong: exit code $status"
        exit 1
    }
done
common
find_fault minus 'differs from the sequential result with CLEAVE_BACKEND=openmp' FUZZ_MINUS
[ -n "$FULL" ] || exit 0 # the others take the same way through cleave and through the script
find_fault return 'differs from the sequential result with CLEAVE_BACKEND=openmp' FUZZ_RETURN
find_fault compile 'cleavecc does not compile it' FUZZ_RETURN
