#!/bin/sh
# Fixed random kernels on every backend, schedule and race resolution, in C and in C++. They
# see that nothing is plainly broken; hundreds of others, as testsuite/README.md says, find what is rare.
case $FULL:$SANITIZED in
yes:) count=99 ;;
yes:yes) count=36 ;;
:) count=45 ;;
:yes) count=12 ;;
esac
exec sh "$SRC/testsuite/fuzz/run" --build "$BUILD" --seed 1 --count $count --batch $((count / 3))
