#!/bin/sh
# A call that cleavecc compiled and that finds no variant, here because two of its arguments are the
# same dat at run time only, runs sequentially and right, with one warning that says why. Optional
# arguments that are switched off may have no dat: their loop stays compiled, without a warning. A loop whose
# kernel uses a pointer runs sequentially, with a warning, until op_decl_const declares what it points to.
set -eu
program=$SRC/testsuite/endtoend/fallback.c
fail() { echo "$1"; shift; cat "$@"; exit 1; }

for arch in none emu; do
    backend=openmp
    [ $arch = none ] || backend=cuda
    $CLEAVECC --cleave-arch=$arch -O1 "$program" -o app.$arch
    CLEAVE_BACKEND=seq ./app.$arch >seq.out 2>seq.err
    [ ! -s seq.err ] || fail "the sequential back end warns" seq.err
    CLEAVE_BACKEND=$backend CLEAVE_CHECK_PLAN=1 ./app.$arch >run.out 2>run.err ||
        fail "$backend failed" run.err
    grep '^= ' seq.out >expected
    grep '^= ' run.out | diff expected - || fail "$backend differs" run.err
    [ "$(grep -c 'warning' run.err)" -eq 2 ] || fail "not two warnings" run.err
    grep -q "loop 'stretch' (.*) runs sequentially: its kernel uses the pointer 'scale', which no op_decl_const" \
        run.err || fail "the pointer is not named" run.err
    grep '^stretch ' run.out | grep -q "($backend)" || fail "'stretch' ran sequentially" run.out
    grep -q "loop 'mix' (.*fallback.c:28) runs sequentially: argument 2 was compiled as (indirect, map of argument 1, index 0, dat of argument 2, 1 double, OP_READ), called as (indirect, map of argument 1, index 0, dat of argument 1, 1 double, OP_READ)" \
        run.err || fail "the reason is not said" run.err
    grep '^extra ' run.out | grep -q "($backend)" || fail "'extra' ran sequentially" run.out
done
# A mistyped variable does not pass unnoticed.
CLEAVE_BACKND=seq CLEAVE_BACKEND=seq ./app.none >out 2>err
grep -qx "cleave: warning: environment variable 'CLEAVE_BACKND' is not known to cleave and has no effect; did you mean CLEAVE_BACKEND" err ||
    fail "a mistyped variable passes" err
