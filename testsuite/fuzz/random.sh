#!/bin/sh
# Fixed random kernels on every backend, schedule and race resolution, in C and in C++. They
# see that nothing is plainly broken; hundreds of others, as testsuite/README.md says, find what is rare.
case $FULL:$SANITIZED in
yes:) count=99 ;;
yes:yes) count=36 ;;
:) count=45 ;;
:yes) count=12 ;;
esac
sh "$SRC/testsuite/fuzz/run" --build "$BUILD" --seed 1 --count $count --batch $((count / 3))
# Lanes, with loops of unknown trip counts and subscripts of the run, of which other kernels have few.
sh "$SRC/testsuite/fuzz/run" --build "$BUILD" --lanes --seed 1 --count $count --batch $((count / 3)) \
    --backends openmp --schedules fused --flags -O1
# Accesses of vectors, and undefined behaviour around them, are seen in programs that are
# sanitized themselves: these have lanes of 16 bytes.
[ -z "$SANITIZED" ] || sh "$SRC/testsuite/fuzz/run" --build "$BUILD" --seed 1 --count $((count / 2)) \
    --batch $((count / 2)) --lanes --language c --backends openmp --schedules fused \
    --flags "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"
