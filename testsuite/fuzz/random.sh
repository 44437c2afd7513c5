#!/bin/sh
# The same 300 random kernels every time, on every backend, schedule and race resolution.
exec sh "$SRC/testsuite/fuzz/run" --build "$BUILD" --seed 1 --count 300
