#!/bin/sh
# Libraries with loops that a program without any opens and closes: their loops run in parallel in the
# program's runtime, and nothing of a closed one is needed any more. A second runtime is refused.
set -eu
. "$SRC/testsuite/endtoend/libraries_common.sh"

library a run_one 'scale * 50'
library b run_two 'scale * 0.5'
printf '= %s\n' 'run_one 100' 'run_two 11' 'run_one 200' 'run_two 12' >expected
cp "$here/opened.c" .
check() { # check NAME TARGET ENV... PROGRAM
    name=$1 target=$2
    shift 2
    env "$@" >out 2>err || fail "$name ends with an error" out err
    grep '^= ' out | diff expected - || fail "$name: wrong" out err
    grep "fill.*($target)" out >/dev/null || fail "$name: not on $target" out
    if grep 'sequential' out err; then fail "$name: ran sequentially"; fi
    grep -qE "^fill,fill,fill_direct(_lanes)?,$target,4," times.csv || [ $target = cuda ] ||
        fail "$name: the times of closed libraries" times.csv
}

build() { # build ARCH
    for folder in a b; do
        compile $folder -fPIC --cleave-arch=$1 -o $1.o
        $CLEAVECC -shared --cleave-arch=$1 $folder/$1.o -o lib$folder.so
    done
    $CLEAVECC --cleave-arch=$1 opened.c -o opened
}

refused() { # refused TEXT ENV... PROGRAM
    text=$1
    shift
    env "$@" >out 2>err && fail "not refused: $text" out
    grep -q "$text" err || fail "no message: $text" err
}

build none
check local openmp CLEAVE_BACKEND=openmp ./opened local
check global openmp CLEAVE_BACKEND=openmp ./opened global
# A program that hides its copy of the runtime.
$CLEAVECC --cleave-arch=none -Wl,--exclude-libs,ALL opened.c -o hiding
refused "liba.so and the program each contain a copy of cleave's runtime" CLEAVE_BACKEND=openmp ./hiding local

# With code for a device: the first library stays in memory, because it serves the others too.
build emu
check emu cuda CLEAVE_BACKEND=cuda STAYS=yes ./opened global
refused "liba.so and ./libb.so each contain a copy of cleave's device code" CLEAVE_BACKEND=cuda \
    STAYS=yes ./opened local

# If no library brings code for the backend either, the first loop says so.
printf '#include "op_seq.h"\nint main(void) { op_init(0, 0, 0); op_exit(); return 0; }\n' >empty.c
$CLEAVECC --cleave-arch=none empty.c -o empty
CLEAVE_BACKEND=openmp ./empty || fail "a program without loops"
