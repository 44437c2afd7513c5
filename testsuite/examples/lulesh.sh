#!/bin/sh
# lulesh.sh PART: LULESH's blast wave, both forms of its coordinates.
#   make     with the Makefile, nothing said: the known results, sequentially and on the processors, shuffled too;
#            mistakes on the command line
#   forces   forces declared OP_RW, though they are only added to, as in LULESH's port to OP2: every backend, verified
#            and with any number of lanes, gives what the sequential run gives
set -eu
example=$SRC/examples/lulesh

fail() {
    echo "lulesh.sh: $*" >&2
    exit 1
}

# ends CODE MESSAGE ARGUMENT...: the program ends with that exit code and says so.
ends() {
    code=$1 message=$2 status=0
    shift 2
    ./lulesh "$@" >out 2>err || status=$?
    [ $status -eq "$code" ] || fail "$*: exit code $status"
    grep -q -e "$message" out err || fail "$*: no '$message': $(cat out err)"
}

with_make() {
    mkdir -p examples/lulesh
    cp -r "$SRC/examples/common" examples/
    cp "$example"/*.c "$example"/*.h "$example/Makefile" examples/lulesh/
    (cd examples/lulesh && CLEAVE_ARCH=none CLEAVE_EMIT=fused make CC="$CLEAVECC" CFLAGS='-O1 -Wall -Wextra') >log 2>&1 ||
        fail "make: $(cat log)"
    ! grep -E 'warning|note|error' log || fail "make says something"
    cp examples/lulesh/lulesh .
    for coordinates in grouped separate; do
        for options in '' --shuffle=7; do
            for backend in seq openmp; do
                # shellcheck disable=SC2086 # one word or none
                CLEAVE_BACKEND=$backend ends 0 'CHECK PASSED: 3 of 3' --size=5 --check --coordinates=$coordinates $options
            done
        done
    done
    CLEAVE_BACKEND=openmp ends 0 'CHECK PASSED: 4 of 4' --size=10 --check
    ends 0 'cycles = 3' --size=4 --cycles=3 --output=field.vtu
    grep -q 'Name="pressure"' field.vtu || fail "field.vtu has no pressure"
    ends 1 'no value is known' --size=4 --check
    ends 2 'a box has at most' --size=2000
    ends 2 'needs one of these words' --coordinates=polar
    ends 1 'cannot write' --size=2 --cycles=1 --output=nowhere/field.vtu
    small_loops
}

# The benchmark of small loops takes the place of elements.c, and has 42 loops in a step; in the first also the masses.
small_loops() {
    CLEAVE_ARCH=none CLEAVE_EMIT=fused "$CLEAVECC" -O1 -Wall -Wextra -c "$SRC/testsuite/bench/lulesh_loops.c" \
        -o examples/lulesh/elements.o 2>&1 | grep . && fail "lulesh_loops.c"
    (cd examples/lulesh && CLEAVE_ARCH=none make CC="$CLEAVECC") >log 2>&1 || fail "make: $(cat log)"
    cp examples/lulesh/lulesh .
    for backend in seq openmp; do
        CLEAVE_BACKEND=$backend ends 0 'CHECK PASSED: 3 of 3' --size=5 --check
    done
    CLEAVE_BACKEND=seq ends 0 'cycles = 2' --size=2 --cycles=2 --verbose
    loops=$(awk '$2 ~ /^[0-9]+$/ && $3 ~ /^[0-9.]+$/ { sum += $2 } END { print sum }' out)
    [ "$loops" = 85 ] || fail "$loops calls in two steps: $(cat out)"
}

# run NAME [VARIABLE=value...]: the results of a few steps of both forms into NAME.
run() {
    name=$1
    shift
    for coordinates in grouped separate; do
        # shellcheck disable=SC2086 # words
        env "$@" ./lulesh $options --coordinates=$coordinates
    done >out 2>said || fail "$*: $(cat out said)"
    grep ' = ' out >"$name"
}

# agree REFERENCE RESULT: to 1e-11, for another order of sums.
agree() {
    awk -F ' = ' '
        function far(a, b) { return !((a - b) ^ 2 <= 1e-22 * (a ^ 2 + b ^ 2)) }
        NR == FNR { value[FNR] = $2; name[FNR] = $1; lines = FNR; next }
        name[FNR] != $1 || value[FNR] != $2 && far(value[FNR], $2) { print "differs: " $0 " from " value[FNR]; wrong = 1 }
        END { exit wrong || FNR != lines || lines == 0 }' "$1" "$2"
}

forces() {
    options="--size=3 --cycles=12 --verbose"
    "$CLEAVECC" "$OPTIMISE" --cleave-arch=emu --cleave-emit=fused -DFORCES=OP_RW "$example"/*.c \
        "$SRC"/examples/common/*.c -o lulesh -lm 2>notes
    [ "$(grep -c 'only adds to .* whose argument is declared OP_RW; it is treated as OP_INC' notes)" -ge 4 ] ||
        fail "nothing is said about forces that are OP_RW: $(cat notes)"
    ! grep 'sequentially' notes || fail "a loop was not compiled"
    run seq CLEAVE_BACKEND=seq
    for backend in openmp cuda; do
        run $backend CLEAVE_BACKEND=$backend
        agree seq $backend || fail "$backend"
        run verified CLEAVE_BACKEND=$backend CLEAVE_VERIFY=1
        agree seq verified || fail "$backend, verified"
        grep -q 'calls of compiled loops agree' said || fail "$backend: nothing was verified"
        ! grep -E 'differ|sequentially' said || fail "$backend, verified"
    done
    # Launches as graphs have the same bits as one by one, though times that loops read change.
    run graphs CLEAVE_BACKEND=cuda
    [ "$(grep -c '^graphs: [0-9]* calls of loops' out)" = 2 ] || fail "no launches became graphs: $(cat out)"
    run plain CLEAVE_BACKEND=cuda CLEAVE_GRAPH=off
    ! grep '^graphs' out || fail "CLEAVE_GRAPH=off: there are graphs"
    cmp graphs plain || fail "graphs change results"
    # shellcheck source=testsuite/lanes.sh
    . "$SRC/testsuite/lanes.sh"
    for coordinates in grouped separate; do
        lanes_agree sh -c "./lulesh $options --coordinates=$coordinates | grep ' = '"
    done
    # The comparison itself: a wrong number must be seen.
    sed '2s/= ./= 7/' seq >wrong
    ! agree seq wrong >/dev/null || fail "a wrong result passes"
}

case $1 in
make) with_make ;;
forces) forces ;;
*) fail "unknown part '$1'" ;;
esac
