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

# OP2's own libraries, as makefiles name them, are left out; its objects are named.
mkdir op2
cat >op2.c <<'EOF'
#include <stdio.h>
void op_init(int a, char **b, int c) { (void)a, (void)b, (void)c, puts("OP2's own"); }
void *op_decl_set(int a, const char *b) { return (void)a, (void)b, (void *)0; }
void op_exit(void) {}
EOF
"$HOST_CC" -c -fPIC op2.c -o op2/core.o
ar rc op2/libop2_seq.a op2/core.o
"$HOST_CC" -shared op2/core.o -o op2/libop2_hdf5.so
"$CLEAVECC" -c ring.c -o ring.o
for flags in "-Lop2 -lop2_seq" "-Lop2 -l op2_seq -lop2_hdf5" op2/libop2_seq.a "-Lop2 -l:libop2_seq.a"; do
    for input in ring.o ring.c; do
        # shellcheck disable=SC2086 # several words
        "$CLEAVECC" $input $flags -o beside 2>err || fail "$flags" err
        grep -q "warning: '.*op2_seq.*' is left out of the link: .*\[-Wcleave-op2-library\]" err || fail "$flags" err
        grep -v 'is left out of the link' err && fail "$flags: says something else" err
        check_ring ./beside
    done
done
"$CLEAVECC" ring.o op2/core.o -o beside 2>err && fail "OP2's own object is linked"
[ "$(cat err)" = "cleavecc: error: 'op2/core.o' defines OP2's 'op_init', which cleave's library replaces; link without it" ] ||
    fail "not one message about OP2's object" err
mkdir mine
echo 'int mine_function(void) { return 1; }' | "$HOST_CC" -xc - -c -o mine/mine.o
ar rc mine/libop2_seqs.a mine/mine.o
build "a library of another name" "$CLEAVECC" ring.o -Lmine -lop2_seqs -o beside
left_over
