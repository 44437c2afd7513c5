#!/bin/sh
# jobs.sh: how many compilers of one file run at a time: as many as the user asked make or cleavecc for, with
# make's jobserver as a named pipe or as descriptors, whose tokens are given back; and what a terminal shows
# meanwhile.
set -eu
. "$SRC/testsuite/driver/common.sh"
[ -f "$BUILD/lib/libcleave_emulator.a" ] || exit 77
CLEAVE_ARCH=emu

# Stands for all compilers: takes its time, and makes an empty object.
cat >slow <<'EOF'
#!/bin/sh
echo + >>log
sleep "${DELAY:-0.15}"
while [ "$1" != -o ]; do shift; done
cc -x c -c /dev/null -o "$2"
echo - >>log
exit "${CODE:-0}"
EOF
chmod +x slow
unset MAKEFLAGS MFLAGS MAKELEVEL
export CLEAVE_CC="$PWD/slow" CLEAVE_CXX="$PWD/slow"

depth() { # the most that ran at a time
    awk '{ n += $1 == "+" ? 1 : -1; most = n > most ? n : most } END { print most }' log
}
runs() { # runs DEPTH WORD...: with the words as env takes them, so many compilers at a time
    wanted=$1
    shift
    : >log
    env "$@" "$CLEAVECC" $flags -c ring.c -o ring.o 2>err && fail "an empty object passes"
    [ "$(grep -c + log)" -ge 3 ] || fail "$*: not three compilers" log err
    [ "$(depth)" -eq "$wanted" ] || fail "$* $flags: $(depth) at a time, not $wanted" log
}

flags=
runs 1 CLEAVE_JOBS=1
runs 2 CLEAVE_JOBS=2
runs 3 CLEAVE_JOBS=3
flags=--cleave-jobs=2 runs 2 CLEAVE_JOBS=3
flags=
runs 1 MAKEFLAGS=' -j1 -- CC=cc' CLEAVE_JOBS=3
for wrong in 0 -1 x '' 1025; do
    "$CLEAVECC" --cleave-jobs="$wrong" -c ring.c 2>err && fail "--cleave-jobs=$wrong is accepted"
done

# A named pipe with tokens for so many more.
mkfifo tokens
exec 3<>tokens
for letters in '' a ab abcd; do
    more=${#letters}
    printf %s "$letters" >&3
    runs $((more < 2 ? more + 1 : 3)) MAKEFLAGS="-j9 --jobserver-auth=fifo:$PWD/tokens" CLEAVE_JOBS=3
    [ $more -eq 0 ] || [ "$(dd bs=$more count=1 <&3 2>dd.err | fold -w 1 | sort | tr -d '\n')" = "$letters" ] ||
        fail "tokens are lost or others"
done
runs 1 MAKEFLAGS="--jobserver-auth=fifo:$PWD/nothing" CLEAVE_JOBS=3
runs 1 MAKEFLAGS="-j --jobserver-auth=90,91" CLEAVE_JOBS=3

# make's own: all of its jobs together.
printf 'all: one.o two.o\n%%.o: ring.c\n\t+-@$(CC) -c ring.c -o $@ 2>$@.err\n' >Makefile
for jobs in 1 2 4; do
    : >log
    make -j$jobs CC="$CLEAVECC" >make.out 2>&1 || fail make make.out
    [ "$(depth)" -le $jobs ] || fail "make -j$jobs: $(depth) compilers at a time" log
    [ $jobs -eq 1 ] || [ "$(depth)" -ge 2 ] || fail "make -j$jobs: one compiler at a time" log
done

# The user's mistakes come first: nothing else begins after them.
: >log
CODE=1 CLEAVE_JOBS=1 "$CLEAVECC" -c ring.c -o ring.o 2>err && fail "a failing compiler passes"
[ "$(grep -c + log)" -eq 1 ] || fail "compilers run after one that failed" log

# A terminal is told of what takes long, and left as it was; a log is not.
CLEAVE_JOBS=1 DELAY=0.01 "$CLEAVECC" -c ring.c -o ring.o 2>err || true
cp err silent
sed 's/^sleep .*/case "$*" in *.cu*) sleep 2.6 ;; esac/' slow >slower
chmod +x slower
export CLEAVE_CC="$PWD/slower" CLEAVE_CXX="$PWD/slower"
"$CLEAVECC" -c ring.c -o ring.o 2>err || true
sed 's/slower/slow/' err | cmp - silent || fail "another message without a terminal" err
if command -v script >/dev/null; then
    TERM=xterm script -qec "$CLEAVECC -c ring.c -o ring.o" /dev/null >typed </dev/null || true
    grep -q 'cleavecc: ring.c: CUDA compiler, 2 s' typed || fail "no progress on a terminal" typed
    grep -q "$(printf '2 s\r\033\\[K')" typed || fail "progress is not erased" typed
    TERM=dumb script -qec "$CLEAVECC -c ring.c -o ring.o" /dev/null >typed </dev/null || true
    grep -q 'CUDA compiler, ' typed && fail "progress on a dumb terminal" typed
fi
left_over
