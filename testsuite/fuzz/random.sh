#!/bin/sh
# The same random kernels every time, on every backend, schedule and race resolution, in C and in C++. They
# see that nothing is plainly broken; hundreds of others, as CONTRIBUTING.md says, find what is rare.
[ -n "$SANITIZED" ] && count=36 || count=99
exec sh "$SRC/testsuite/fuzz/run" --build "$BUILD" --seed 1 --count $count --batch $((count / 3))
