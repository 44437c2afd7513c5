#!/bin/sh
# A crash of what reads the sources costs the file that causes it its parallel loops, with a warning, and
# nothing else: neither its object, nor those of other files, nor temporary files.
set -eu
. "$SRC/testsuite/driver/common.sh"

{ # libclang's own pragma for this; the host compiler overlooks it
    echo '#ifdef CLEAVE_PARSE'
    echo '#pragma clang __debug parser_crash'
    echo '#endif'
    cat ring.c
} >broken.c
"$CLEAVECC" -c broken.c -o broken.o 2>err || fail "a crash loses the object" err
grep -q "^cleavecc: warning: broken.c: cleavecc .* loops: they run sequentially" err ||
    fail "a crash is not said" err
left_over
"$CLEAVECC" -DWITH_SECOND broken.c second.c -o app 2>err || fail "a crash loses the link" err
left_over
"$CLEAVECC" -DWITH_SECOND ring.c second.c -o whole 2>err || fail "no program to compare with" err
./whole >expected 2>run.err || fail "cannot run" run.err
./app >out 2>run.err || fail "cannot run" run.err
same "the result after a crash" expected out
