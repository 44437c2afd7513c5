#!/bin/sh
# Libraries whose sources have one relative path, one kernel name and one text of the call, under
# -ffile-prefix-map: each runs its own kernels with its own constants, however they are linked.
set -eu
. "$SRC/testsuite/endtoend/libraries_common.sh"

check() { # check NAME ENV... PROGRAM: no loop runs as the other library's, nor sequentially
    name=$1
    shift
    env "$@" >out 2>err || fail "$name ends with an error" out err
    grep '^= ' out | diff expected - || fail "$name: wrong" out err
    if grep 'sequential' out err; then fail "$name: ran sequentially"; fi
}

library a run_one 'scale * 50'
library b run_two 'scale * 0.5'
printf '= %s\n' 'one 100' 'two 11' 'one 100' 'one 200' 'two 12' 'one 200' >expected
cp "$here/libraries.c" .
$CLEAVECC --cleave-arch=none -c libraries.c

for arch in none emu; do
    backend=openmp
    [ $arch = none ] || backend=cuda
    for folder in a b; do
        compile $folder -fPIC --cleave-arch=$arch -o $arch.o
        ar rc lib$folder.$arch.a $folder/$arch.o
        $CLEAVECC -shared --cleave-arch=$arch $folder/$arch.o -o lib$folder.$arch.so
    done
    $CLEAVECC --cleave-arch=$arch libraries.o liba.$arch.a libb.$arch.a -o static
    check "static, $arch" CLEAVE_BACKEND=$backend ./static
    $CLEAVECC --cleave-arch=$arch libraries.o ./liba.$arch.so ./libb.$arch.so -o shared
    check "shared, $arch" CLEAVE_BACKEND=$backend ./shared
done

# One source twice in one program: the objects are equal but for the function's name.
cp a/none.o one.o
objcopy --redefine-sym run_one=run_two a/none.o two.o
$CLEAVECC --cleave-arch=none libraries.o one.o two.o -o twice
printf '= %s\n' 'one 100' 'two 1100' 'one 100' 'one 200' 'two 1200' 'one 200' >expected
check "one source twice" CLEAVE_BACKEND=openmp ./twice

# The id is made of the content and the flags, not of paths: equal sources give equal objects.
library c run_one 'scale * 50'
compile c -fPIC --cleave-arch=none -o none.o
cmp a/none.o c/none.o || fail "the folder shows in the object"
for flag in -DNOTHING '-D NOTHING' -O1; do
    # shellcheck disable=SC2086 # one word or two
    compile c -fPIC --cleave-arch=none $flag -o other.o
    ! cmp -s c/none.o c/other.o || fail "$flag makes no other id"
done
nm a/none.o | grep ' [A-Z] cleave_unit' && fail "a symbol of the registration is visible outside"
exit 0
