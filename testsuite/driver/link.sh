#!/bin/sh
# Programs of several sources, libraries of both kinds, response files: linked and run.
set -eu
. "$SRC/testsuite/driver/common.sh"

build() { # build NAME COMMAND...: runs it, without a word
    name=$1
    shift
    "$@" >out 2>err || fail "$name" out err
    cat out err | grep -q . && fail "$name: says something" out err
    return 0
}

build "one command" "$CLEAVECC" -O1 -DWITH_SECOND ring.c second.c -o both -lm
check_ring ./both
grep -qx 'second 135' run.out || fail "equal names of kernels are mixed up" run.out
[ ! -e ring.o ] && [ ! -e second.o ] || fail "objects are left"

build "objects" "$CLEAVECC" -g -c -DWITH_SECOND ring.c second.c
build "link" "$CLEAVECC" ring.o second.o -o objects
check_ring ./objects

build "C++" "$CLEAVECXX" -O1 -DWITH_SECOND ring.c -x c++ second.c -x none -o twin
check_ring ./twin

build "static library" "$CLEAVECC" -c second.c -o second.o
ar rc libsecond.a second.o
build "with static library" "$CLEAVECC" -DWITH_SECOND ring.c -L. -lsecond -o static
check_ring ./static

build "shared library" "$CLEAVECC" -shared -fPIC second.c -o libshared.so
build "with shared library" "$CLEAVECC" -DWITH_SECOND ring.c -L. -lshared -o shared
check_ring ./shared LD_LIBRARY_PATH=.
grep -qx 'second 135' run.out || fail "the loop of the shared library" run.out

mkdir "a folder"
cp ring.c "a folder/ring with spaces.c"
printf '%s\n' '-O1 -I .' '"a folder/ring with spaces.c" -o' "'a folder/program'" >words.rsp
build "response file" "$CLEAVECC" @words.rsp
check_ring "./a folder/program"
# More words than a command line of the system can hold.
ar rc libnothing.a
awk 'BEGIN {
    for (i = 0; i < 400; i++) path = path "./"
    for (i = 0; i < 3000; i++) print path "libnothing.a"
}' >long.rsp
"$CLEAVECC" -c ring.c -o ring.o
build "a long response file" "$CLEAVECC" ring.o @long.rsp -o long
check_ring ./long
build "no-pie" "$CLEAVECC" -no-pie -fno-pie ring.c -o nopie
check_ring ./nopie
build "sanitizer" "$CLEAVECC" -fsanitize=undefined -fno-sanitize-recover ring.c -o sane
check_ring ./sane
# Kernels of a folder that the build system calls a system folder, as CMake does with imported targets.
mkdir elsewhere
cp ring.h elsewhere/ring_of_a_library.h
sed 's/"ring.h"/<ring_of_a_library.h>/' ring.c >imported.c
for flag in "-isystem elsewhere" -isystemelsewhere; do
    # shellcheck disable=SC2086 # one word or two
    build "$flag" "$CLEAVECC" $flag imported.c -o imported
    check_ring ./imported
done
# Every way to define a macro reaches the kernels of all back ends.
echo '#define RING_FACTOR 2.0' >factor.h
for flag in -DRING_FACTOR=2.0 -Wp,-DRING_FACTOR=2.0 "-Xpreprocessor -DRING_FACTOR=2.0" \
    "--define-macro RING_FACTOR=2.0" "-include factor.h" --include=factor.h -Wp,-include,factor.h; do
    # shellcheck disable=SC2086 # one word or two
    build "$flag" "$CLEAVECC" $flag ring.c -o factor
    for backend in seq openmp; do
        CLEAVE_BACKEND=$backend ./factor | grep -qx 'sum 135' || fail "$flag is lost on $backend"
    done
done
build "no loops" "$CLEAVECC" plain.c -o plain
./plain | grep -qx 'plain plain.c' || fail "the plain program"
"$CLEAVECC" -O2 -flto ring.c plain.c -c 2>err || fail "-flto" err
[ "$(grep -c 'note.*-flto' err)" -eq 1 ] || fail "not one note about -flto" err
"$CLEAVECC" -O2 -flto ring.c -o lto 2>err || fail "-flto link" err
check_ring ./lto
left_over
