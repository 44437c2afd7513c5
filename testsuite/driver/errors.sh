#!/bin/sh
# Wrong flags, wrong files, wrong code: who says what, with which exit code, and what is left.
set -eu
. "$SRC/testsuite/driver/common.sh"

refused() { # refused CODE TEXT FLAGS...: exits with the code and says the text
    code=$1
    text=$2
    shift 2
    status=0
    "$CLEAVECC" "$@" >out 2>err || status=$?
    [ "$status" -eq "$code" ] || fail "$*: exit code $status, not $code" err
    grep -q -e "$text" err || fail "$*: does not say '$text'" err
    grep -q . out && fail "$*: writes to stdout" out
    return 0
}

refused 2 '--cleave-emit takes auto|fast|.*|fused|split|split2' --cleave-emit=both -c ring.c
refused 2 "unknown flag '--cleave-emits=all'; did you mean --cleave-emit$" --cleave-emits=all -c ring.c
refused 2 "unknown flag '--cleave-tune'; the flags are --cleave-emit, --cleave-arch" --cleave-tune -c ring.c
# A variable that is nearly one of ours; what may be someone else's is left alone.
CLEAVE_EMITT=all CLEAVE_ROOT=/opt "$CLEAVECC" --showme:version 2>err >out
grep -qx "cleavecc: warning: environment variable 'CLEAVE_EMITT' is not known to cleave and has no effect; did you mean CLEAVE_EMIT" err ||
    fail "no warning of CLEAVE_EMITT" err
! grep -q CLEAVE_ROOT err || fail "a warning of CLEAVE_ROOT" err
refused 2 'sm_NN' --cleave-arch=gfx90a -c ring.c
refused 2 'sm_NN' --cleave-arch=native,none -c ring.c
CLEAVE_ARCH=sm90 refused 2 'CLEAVE_ARCH=sm90' -c ring.c
CLEAVE_ACCESS=maybe refused 2 'error|warn' -c ring.c
refused 127 "cannot run 'no-such-compiler'" --cleave-host=no-such-compiler -c plain.c
refused 1 'is cleavecc itself' --cleave-host="$CLEAVECC" -c plain.c
[ ! -e ring.o ] || fail "an output after wrong flags"

refused 1 'no-such-file.c' -c no-such-file.c
refused 1 'multiple files\|multiple output' -c ring.c plain.c -o x.o
printf '#include "op_seq.h"\nint f(void) { return nothing; }\n' >bad.c
refused 1 "bad.c:2:.*nothing" -c bad.c
[ ! -e bad.o ] || fail "an output of wrong code"

# Wrong code in a file with loops: the host compiler's words, and no others.
sed 's/double sum = 0;/double sum = nothing;/' ring.c >wrong.c
touch wrong.o
refused 1 "wrong.c:.*nothing" -c wrong.c
"$HOST_CC" -I "$INCLUDE" -fsyntax-only wrong.c 2>host.err && fail "the host compiles wrong.c"
same "the message" host.err err
[ ! -e wrong.o ] || fail "an output of wrong code with loops"

# Code that the host compiler accepts and clang does not gets clang's errors, since there are loops.
if "$HOST_CC" --version | grep -qi 'gcc\|free software'; then
    printf 'int nest(int a) { int g(int b) { return a + b; } return g(1); }\n' | cat ring.c - >nested.c
    refused 1 'nested.c:.*error' -c nested.c
    [ ! -e nested.o ] || fail "an output of a file that clang cannot read"
fi

# An access error is ours.
sed 's/left += RING_FACTOR/left = RING_FACTOR/' ring.h >temporary && mv temporary ring.h
refused 1 "error: 'share' assigns 'left', whose argument is declared OP_INC" -c ring.c
[ ! -e ring.o ] || fail "an output after an access error"
"$CLEAVECC" --cleave-access=warn -c ring.c 2>err || fail "--cleave-access=warn does not compile" err
grep -q "warning: 'share' assigns 'left'" err || fail "no warning" err
cp "$here/ring.h" .

# Code that only the host compiler refuses: -Werror applies to the user's part, not to generated code.
printf 'static int unused;\n' | cat - ring.c >unused.c
refused 1 'unused' -Wall -Werror -c unused.c
[ ! -e unused.o ] || fail "an output after -Werror"
"$CLEAVECC" -Wall -Wextra -Werror -pedantic -std=c11 -c ring.c 2>err || fail "-Werror" err

# A flag that lacks its value at the end.
rm -f ring.o
for flag in -o -I -x; do
    refused 1 "missing" -c ring.c $flag
    [ ! -e ring.o ] || fail "an output although $flag has no value"
done

# An output that is an input, by whatever name, is refused, and the input stays.
ln -s ring.c link.o
for output in ring.c ./ring.c link.o; do
    refused 1 'same as output file' -c ring.c -o $output
    refused 1 'same as output file' -r -nostdlib ring.c second.c -o $output
    same "an input that is an output" "$here/ring.c" ring.c
done
cp ring.c ring.o
refused 1 "the object of 'ring.o' would overwrite an input" -x c -c ring.o
same "an input that is an output" "$here/ring.c" ring.o
rm ring.o
"$CLEAVECC" -c ring.c ring.c 2>err || fail "a source that stands twice" err

# A linker that loses the registration is found out.
cat >lossy <<'EOF'
#!/bin/sh
for word; do case $word in -r) lossy=1 ;; esac; done
if [ -n "${lossy:-}" ]; then
    while [ "$1" != -o ]; do shift; done
    cp "$3" "$2"
else
    exec cc "$@"
fi
EOF
chmod +x lossy
CLEAVE_CC=./lossy refused 1 "it lacks 'cleave_unit_openmp'" -c ring.c
[ ! -e ring.o ] || fail "an output without registration"
left_over
