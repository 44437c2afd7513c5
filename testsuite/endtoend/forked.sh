#!/bin/sh
# A child of fork() goes on with its loops: on one thread and the host, with a note; it never waits for
# threads that only the parent has.
set -eu
here=$SRC/testsuite/endtoend
cp "$here/forked.c" .
OMP_NUM_THREADS=2
export OMP_NUM_THREADS

fail() { # fail MESSAGE
    echo "failed: $1"
    cat out err
    exit 1
}

check() { # check NAME NOTE PROGRAM...: both have the sequential result; NOTE: what is said, or ""
    name=$1 note=$2
    shift 2
    timeout 60 "$@" >out 2>err || fail "$name ends badly"
    sed -n 's/^= [a-z]* //p' out | sort -u >results
    [ "$(grep -c '^= ' out)" -eq 2 ] && cmp -s results expected || fail "$name: wrong"
    if [ -n "$note" ]; then
        [ "$(grep -c "$note" err)" -eq 1 ] || fail "$name: not one note"
    elif grep . err; then
        fail "$name: says something"
    fi
}

$CLEAVECC -fopenmp --cleave-arch=none forked.c -o forked
CLEAVE_BACKEND=seq ./forked | sed -n 's/^= parent //p' >expected
check openmp "note: this is a child process, .* one thread;" env CLEAVE_BACKEND=openmp ./forked
check verified "note: this is a child process" env CLEAVE_BACKEND=openmp CLEAVE_VERIFY=1 ./forked
check early "" env CLEAVE_BACKEND=openmp ./forked early

$CLEAVECC -fopenmp --cleave-arch=emu --cleave-emit=fused forked.c -o forked
check device "note: this is a child process, .* and not on the device" ./forked
CLEAVE_BACKEND=cuda ./forked >out 2>err && fail "a child that must have the device is not refused"
grep -q "error: CLEAVE_BACKEND=cuda, but this is a child process of one" err || fail "the refusal"
grep -q '^= parent' out || fail "the parent does not go on"

# The device starts beside: programs end, fork and go on before anybody has waited for that.
$CLEAVECC --cleave-arch=emu --cleave-emit=fused "$here/begun.c" -o begun
for what in exits ends forks again goes_on; do
    status=0
    timeout 60 ./begun $what >out 2>err || status=$?
    # The leak sanitizer misses in a child the thread that only the parent has.
    grep -v '^==[0-9]*==Running thread [0-9]* was not suspended' err >said || true
    [ $status -eq 3 ] && [ ! -s said ] || fail "begun $what: exit code $status"
done
CLEAVE_EMU_DEVICES=0 CLEAVE_BACKEND=cuda ./begun goes_on >out 2>err && fail "a device that is missing"
grep -q 'error: CLEAVE_BACKEND=cuda, but no device is usable: no CUDA device' err || fail "the message"
exit 0
