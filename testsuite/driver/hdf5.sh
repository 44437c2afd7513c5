#!/bin/sh
# Programs that include op_hdf5.h: linked with HDF5 where it is, and told where it is not.
set -eu
. "$SRC/testsuite/driver/common.sh"

# If cleave was built without HDF5, the header says so.
"$HOST_CC" -I "$SRC/runtime/hdf5/missing" -I "$INCLUDE" -fsyntax-only stored.c 2>err &&
    fail "the header of a cleave without HDF5 compiles"
grep -q 'error.*built without HDF5: install it' err || fail "the header does not say what is missing" err
if [ ! -e "$BUILD/lib/libcleave_hdf5.a" ]; then
    "$CLEAVECC" -c stored.c 2>err && fail "op_hdf5.h without HDF5: success"
    grep -q 'built without HDF5' err || fail "op_hdf5.h without HDF5: not said" err
    exit 0
fi

cp stored.c twin.cpp
"$CLEAVECC" --cleave-emit=fused -O1 -c stored.c
"$CLEAVECC" stored.o -o stored 2>err || fail "the link" err
"$CLEAVECXX" --cleave-emit=fused -O1 twin.cpp -o twin 2>err || fail "C++" err
for program in ./stored ./twin; do
    for backend in seq openmp; do
        CLEAVE_BACKEND=$backend $program make ring.h5 >out 2>&1 || fail "$program make, $backend" out
        CLEAVE_BACKEND=$backend CLEAVE_RENUMBER=on $program run ring.h5 >out 2>&1 ||
            fail "$program run, $backend" out
        echo 'right 3' | cmp - out || fail "$program, $backend" out
    done
done

# No program without HDF5 needs the library, and a link without it names the object.
"$CLEAVECC" plain.c -o plain && ! ldd plain | grep hdf5 || fail "a plain program needs HDF5"
CLEAVE_HDF5=/no/libhdf5.so "$CLEAVECC" plain.c -o plain 2>err || fail "a plain program without HDF5" err
cannot() { # cannot TEXT FLAGS...
    text=$1
    shift
    "$CLEAVECC" stored.o -o none "$@" 2>err && fail "a link without HDF5: success"
    grep -q "error: 'stored.o' calls op_.*_hdf5.*, but $text" err || fail "not said: $text" err
}
export CLEAVE_HDF5=/no/libhdf5.so
cannot "'/no/libhdf5.so' is not there: install HDF5"
# Also where an archive holds the object; of one whose other members are linked alone it is said, too.
echo 'int other(void) { return 0; }' >other.c
"$CLEAVECC" -c other.c && ar rc libstored.a other.o stored.o
echo 'int main(void) { return MAIN; }' >main.c
"$CLEAVECC" -DMAIN='other()' main.c ./libstored.a -o none 2>err || fail "a member without HDF5" err
grep -q "note: 'libstored.a' calls op_.*_hdf5.*, but '/no/libhdf5.so' is not there" err ||
    fail "the archive is not named" err
"$CLEAVECC" ./libstored.a -o none 2>err && fail "a link without HDF5: success"
grep -q "note: 'libstored.a' calls op_.*_hdf5" err || fail "the archive is not named" err
unset CLEAVE_HDF5
! ldd stored | grep -q hdf5 || cannot "HDF5 is a shared library" -static

# A file that may not be written stays, also where the folder may be.
[ "$(id -u)" -ne 0 ] || as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ -z "${as_nobody:-}" ] || command -v setpriv >/dev/null; then
    mkdir open && cp ring.h5 open && chmod 777 . open && chmod 444 open/ring.h5
    sum=$(cksum <open/ring.h5)
    ${as_nobody:-} ./stored make open/ring.h5 2>err && fail "a read-only file is written"
    grep -q "error: op_dump_to_hdf5 in 'open/ring.h5': cannot write the file: Permission denied" err ||
        fail "read-only: not said" err
    [ "$(cksum <open/ring.h5)" = "$sum" ] && [ "$(ls open)" = ring.h5 ] || fail "a read-only file changed"
fi
left_over
