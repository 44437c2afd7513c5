#!/bin/sh
# Files without loops, and questions to the host compiler, give its output to the last byte.
set -eu
. "$SRC/testsuite/driver/common.sh"

for flags in "" "-O2 -g" "-O2 -flto -frandom-seed=1" "-g3 -fPIC -pthread" "-std=c11 -Wall -Wextra -Werror -pedantic"; do
    # shellcheck disable=SC2086
    "$HOST_CC" -I "$INCLUDE" $flags -c plain.c -o host.o
    # shellcheck disable=SC2086
    "$CLEAVECC" $flags -c plain.c -o ours.o >out 2>err || fail "plain.c does not compile" err
    cat out err | grep -q . && fail "a message without a reason" out err
    same "the object of plain.c ($flags)" host.o ours.o
done
"$HOST_CXX" -I "$INCLUDE" -c plain.c -o host.o
"$CLEAVECXX" -c plain.c -o ours.o
same "the C++ object of plain.c" host.o ours.o
rm -f plain.o
"$CLEAVECC" -c plain.c && [ -f plain.o ] || fail "no default output"

for mode in -S "-E -dM" -M -MM "-x c++ -S"; do
    # shellcheck disable=SC2086
    "$HOST_CC" -I "$INCLUDE" $mode ring.c -o host.out
    # shellcheck disable=SC2086
    "$CLEAVECC" $mode ring.c -o ours.out 2>err
    same "the output of $mode" host.out ours.out
    said=$(grep -c "warning: 'ring.c' has loops, and -S compiles it by the host .*\[-Wcleave-assembly\]" err || true)
    case $mode in *-S*) expected=1 ;; *) expected=0 ;; esac
    [ "$said" = $expected ] || fail "$mode: $said warnings of lost loops" err
done
"$CLEAVECC" -S plain.c -o ours.out 2>err && ! grep . err || fail "-S: a warning of a file without loops" err
"$CLEAVECC" -S -Werror=cleave-assembly ring.c -o none.s 2>err && fail "-Werror=cleave-assembly is no error"
[ ! -f none.s ] || fail "an error leaves an output"
"$HOST_CC" -I "$INCLUDE" -E plain.c -o host.out
"$CLEAVECC" -E plain.c -o ours.out
same "the output of -E" host.out ours.out
# With OP2's header, one declaration is for compiler caches.
text() { # text FILE: without places and empty lines
    grep -v -e '^#' -e '^$' -e '^extern const char cleave_settings\[' "$1"
}
"$HOST_CC" -I "$INCLUDE" -E ring.c -o host.out
"$CLEAVECC" -E ring.c -o ours.out
text host.out >host.text
text ours.out >ours.text
same "the text of -E" host.text ours.text
for query in --version -dumpmachine -dumpversion -print-search-dirs -v; do
    "$HOST_CC" $query >host.out 2>&1
    "$CLEAVECC" $query >ours.out 2>&1 || fail "$query: another exit code" ours.out
    same "the answer to $query" host.out ours.out
done
"$HOST_CC" --help >host.out
"$CLEAVECC" --help >ours.out
grep -q 'cleave-help lists' ours.out || fail "--help does not name --cleave-help" ours.out
head -n "$(wc -l <host.out)" ours.out | cmp - host.out || fail "--help lacks the host compiler's"
"$CLEAVECC" -fsyntax-only ring.c && [ ! -f ring.o ] || fail "-fsyntax-only"
echo '#include "op_seq.h"' | "$CLEAVECC" -E -x c - | grep -q op_decl_set || fail "-E from stdin"
echo 'int f(void) { return 1; }' | "$CLEAVECC" -c -x c - -o stdin.o && [ -f stdin.o ] || fail "stdin"
"$CLEAVECC" >ours.out 2>&1 && fail "no arguments: success"
"$HOST_CC" >host.out 2>&1 || true
same "the answer to nothing" host.out ours.out

# A file that clang cannot read, but the host compiler can, is nothing to cleavecc without loops.
if "$HOST_CC" --version | grep -qi 'gcc\|free software'; then
    echo 'int f(int a) { int g(int b) { return a + b; } return g(1); }' >nested.c
    "$CLEAVECC" -c nested.c 2>err || fail "a nested function of gcc's" err
    grep -q . err && fail "a message about a nested function" err
fi
left_over
