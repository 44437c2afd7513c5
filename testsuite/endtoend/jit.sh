# jit.sh: variants that a program compiles while it runs (CLEAVE_JIT), on the emulator: it takes them over between two
# calls, keeps them for the next run, compiles again what is damaged, and goes on without them where the compiler
# fails, is missing or takes too long. The compiler is a script that the variable HOW tells what to do.
set -eu
fail() {
    echo "jit.sh: $*" >&2
    cat out err >&2
    exit 1
}

cxx=$(command -v "${CXX:-c++}")
printf '#!/bin/sh\necho >>"%s/calls"\ncase ${HOW:-} in\n' "$PWD" >compiler
cat >>compiler <<'END'
fail) echo "further.cu:7:1: error: made to fail" >&2; exit 1 ;;
slow) sleep 100 ;;
esac
END
echo "exec $cxx \"\$@\"" >>compiler
chmod +x compiler
CLEAVE_CXX=$PWD/compiler "$CLEAVECXX" -O0 --cleave-arch=emu "$SRC/testsuite/endtoend/jit.cpp" -o program 2>err || fail "compiling"

mkdir temporary
export TMPDIR="$PWD/temporary" CLEAVE_PLAN_CACHE="$PWD/kept" CLEAVE_BACKEND=cuda DIAGS=1
named=spread_split_gather_c4_r72
# run ANSWER SECONDS [VARIABLE=value...]: `compiled` becomes the number of compilers that were started.
run() {
    answer=$1 seconds=$2
    shift 2
    : >calls
    env CLEAVE_VARIANT=$named "$@" ./program $named "$seconds" >out 2>err || fail "$*: exit code not 0"
    [ "$(cat out)" = "$answer $named" ] || fail "$*: not '$answer'"
    compiled=$(wc -l <calls)
}
# No folder is left; the one of a compiler that was ended goes in a moment.
clean() {
    patience=100
    while [ -n "$(ls temporary)" ] && [ $patience -gt 0 ]; do
        sleep 0.2
        patience=$((patience - 1))
    done
    [ $patience -gt 0 ] && return 0
    fail "temporary folders are left: $(ls temporary)"
}

run ran 60
[ "$compiled" -eq 1 ] || fail "$compiled compilers for one loop"
grep -Eq "note: [0-9]+ further variants of 'spread' \(.*jit.cpp:[0-9]+\) were compiled in [0-9.]+ s beside" err || fail "no note"
clean
run ran 60 CLEAVE_REPORT=1
[ "$compiled" -eq 0 ] || fail "the second run compiles"
grep -q "^further variants were asked for by 1 loop: 0 compiled .*, 1 taken from the store, 0 not ready at the end, 0 not compiled$" err || fail "the report"
grep -q "further variants of 'spread' (.*) are taken from $CLEAVE_PLAN_CACHE" err || fail "not taken from the store"

# One byte of the shared object changes.
entry=$(echo kept/kernels-1/*)
printf '?' | dd of="$entry" bs=1 seek=20000 conv=notrunc 2>/dev/null
run ran 60
[ "$compiled" -eq 1 ] || fail "a damaged entry is not replaced"
grep -q "kept file .*/kernels-1/.* is damaged (checksum)" err || fail "a damaged entry is not noted"
clean

run "never ran" 0.2 CLEAVE_JIT=off CLEAVE_VARIANT="*transpose_merge"
run "never ran" 0.2 CLEAVE_DETERMINISTIC=1 CLEAVE_VARIANT="*owner*"
[ "$compiled" -eq 0 ] || fail "compiles in deterministic mode"
if env CLEAVE_VARIANT=$named CLEAVE_JIT=off ./program $named 1 >out 2>err; then fail "CLEAVE_JIT=off: found"; fi
grep -q "names none of the compiled variants" err || fail "CLEAVE_JIT=off: no reason"

# The list marks what would be compiled.
CLEAVE_VARIANT=list ./program >list
grep -qx "cuda spread $named (compiled when asked for)" list || fail "not in the list"
grep -qx "cuda spread spread_split_transpose_merge" list || fail "a compiled variant is not in the list"
CLEAVE_VARIANT=list CLEAVE_JIT=off ./program >list
! grep -q asked list || fail "listed with CLEAVE_JIT=off"

# The tuner asks for them, tries them when they are there, and keeps what it finds.
rm -rf kept
run ran 60 CLEAVE_VARIANT= CLEAVE_TUNE=full CLEAVE_REPORT=1
[ "$compiled" -eq 1 ] || fail "the tuner starts $compiled compilers"
run ran 60 CLEAVE_VARIANT= CLEAVE_TUNE=full CLEAVE_REPORT=1
[ "$compiled" -eq 0 ] || fail "the tuner compiles in the second run"
run "never ran" 0.5 CLEAVE_VARIANT= CLEAVE_TUNE=full CLEAVE_JIT=off
run "never ran" 0.5 CLEAVE_VARIANT= CLEAVE_TUNE=auto

export CLEAVE_PLAN_CACHE=off
run "never ran" 1 HOW=fail PATH=/nowhere
[ "$compiled" -eq 1 ] || fail "a compiler that fails is started $compiled times"
grep -q "warning: CLEAVE_VARIANT names a variant of 'spread' (.*) that is not compiled: '.*compiler' failed: further.cu:7:1: error: made to fail" err ||
    fail "no reason of the compiler"
clean
# The program ends, or is killed, while the compiler runs.
run "never ran" 0.3 HOW=slow
clean
: >calls
CLEAVE_VARIANT=$named HOW=slow ./program $named 60 >out 2>err &
while [ ! -s calls ]; do
    kill -0 $! || fail "ended before the compiler began"
    sleep 0.1
done
kill -KILL $!
wait $! 2>/dev/null && fail "not killed"
clean
mv compiler gone
run "never ran" 0.5
grep -q "the compiler '.*compiler' is not there, nor one of its name in PATH" err || fail "a missing compiler"
clean
