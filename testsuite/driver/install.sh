#!/bin/sh
# An installed cleavecc, moved to another prefix, finds its files; the emulator stays in the build tree.
set -eu
. "$SRC/testsuite/driver/common.sh"

cmake --install "$BUILD" --prefix "$PWD/first" >install.out 2>&1 || fail "cmake --install" install.out
mv first "a prefix"
prefix="$PWD/a prefix"
for compiler in cleavecc cleavec++; do
    "$prefix/bin/$compiler" -O1 ring.c -o app 2>err || fail "$compiler" err
    check_ring ./app
done
"$prefix/bin/cleavecc" --cleave-version >out
grep -qx "headers: $prefix/include/cleave" out || fail "headers elsewhere" out
ln -s "a prefix/bin/cleavecc" linked
./linked -O1 ring.c -o app 2>err || fail "through a link" err
status=0
./linked --cleave-arch=emu -c ring.c 2>err || status=$?
[ $status -eq 1 ] && grep -q "only from cleave's build tree" err || fail "the emulator, installed" err
rm -r "$prefix/include"
./linked -c ring.c 2>err && fail "no headers: success"
grep -q 'its headers are not in' err || fail "no headers: not said" err
left_over
