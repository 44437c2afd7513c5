#!/bin/sh
# Under make: a three-line Makefile, dependencies, parallel builds, folders that cannot be written.
set -eu
. "$SRC/testsuite/driver/common.sh"
command -v make >/dev/null || exit 77

printf 'CFLAGS = -O1 -MMD -MF $*.dep -DWITH_SECOND\napp: ring.o second.o ; $(CC) $^ -o $@\n-include ring.dep second.dep\n' >Makefile
make CC="$CLEAVECC" CXX="$CLEAVECXX" >make.out 2>&1 || fail "make" make.out
check_ring ./app
make CC="$CLEAVECC" -q app 2>make.out || fail "make wants to build again" make.out
sleep 1
touch second.c
make CC="$CLEAVECC" app >make.out 2>&1 || fail "make" make.out
grep -q 'second.o' make.out || fail "second.c was not compiled again" make.out
grep -q 'ring.c' make.out && fail "ring.c was compiled again" make.out
sleep 1
touch ring.h
make CC="$CLEAVECC" app >make.out 2>&1 || fail "make" make.out
grep -q 'ring.c' make.out && grep -q 'second.c' make.out || fail "ring.h: its users are not rebuilt" make.out

# The names of dependency files and their targets are the host compiler's, in one command too.
mkdir host ours
for flags in "-MD -c ring.c" "-MMD -c ring.c -o x.o" "-MD ring.c -o x" "-MD ring.c" "-MMD -MT me ring.c -o x.y"; do
    rm -rf host ours
    for side in host ours; do
        mkdir $side
        cp ring.c ring.h $side
    done
    # shellcheck disable=SC2086
    (cd host && "$HOST_CC" -I "$INCLUDE" $flags -Wl,--unresolved-symbols=ignore-all 2>/dev/null) ||
        fail "host: $flags"
    # shellcheck disable=SC2086
    (cd ours && "$CLEAVECC" $flags 2>err) || fail "$flags" ours/err
    (cd host && ls *.d && cat *.d) >host.names
    (cd ours && ls *.d && cat *.d) >ours.names
    same "the dependencies of $flags" host.names ours.names
done

# One source into two objects at the same time, from a folder that cannot be written.
mkdir source
cp ring.c ring.h source
chmod a-w source
pids=
for i in 1 2 3 4; do
    "$CLEAVECC" -DN=$((i % 2)) -c source/ring.c -o part$i.o 2>part$i.err &
    pids="$pids $!"
done
for pid in $pids; do
    wait "$pid" || fail "a parallel build" part*.err
done
chmod u+w source
[ "$(ls source)" = "$(printf 'ring.c\nring.h')" ] || fail "files beside the source"
for i in 1 2 3 4; do
    "$CLEAVECC" part$i.o -o part$i
    check_ring ./part$i
done

# Equal compilations at the same time, and after one that was killed.
pids=
for i in 1 2 3 4; do
    "$CLEAVECC" -c ring.c -o same.o 2>same$i.err &
    pids="$pids $!"
done
for pid in $pids; do
    wait "$pid" || fail "the same object at the same time" same*.err
done
"$CLEAVECC" same.o -o same
check_ring ./same
cp same.o before.o
folder=$("$CLEAVECC" "-###" -c ring.c -o same.o 2>&1 | sed -n 's,.*\(cleave-[0-9a-f]*\)/.*,\1,p' | head -n 1)
folder=$TMPDIR/cleave-$(id -u)-${folder#cleave-}
mkdir -m 700 "$folder"
mkdir "$folder/${folder##*-}"
: >"$folder/left"
"$CLEAVECC" -c ring.c -o same.o 2>same.err || fail "after a compilation that was killed" same.err
cmp same.o before.o || fail "what was left changes the object"
left_over
