#!/bin/sh
# owners.sh: points that compute what their elements add, in blocks and one by one, agree with the
# sequential run on meshes of several kinds and for several block sizes; where a neighbourhood is too
# large for the shared memory of a block of any size, the form without blocks runs.
set -eu
$CLEAVECC --cleave-arch=emu --cleave-emit=owner $OPTIMISE "$SRC/testsuite/endtoend/owners.c" -o owners -lm \
    --cleave-dump=stages 2>stages
# weigh, blend, and pull and weigh as one kernel compute values of one point once for each point.
test "$(grep -c 'where records are staged' stages)" -eq 3 || { cat stages; exit 1; }

run() { # run POINTS HUB KERNEL: that variant of flux runs, and all agrees
    ./owners "$1" "$2" >out 2>err || { cat err; exit 1; }
    grep '^= ' out | diff expected - || { echo "$1 points, hub of $2, $settings: differs"; exit 1; }
    grep -q " flux .* $3 (cuda)" out || { echo "$settings: $3 did not run"; cat out; exit 1; }
}

for mesh in '7 0' '40 10' '3000 0' '3000 900'; do
    # shellcheck disable=SC2086 # two arguments
    CLEAVE_BACKEND=seq ./owners $mesh | grep '^= ' >expected
    test "$(wc -l <expected)" -eq 6
    for size in 32 ${FULL:+64} 100 ${FULL:+128} 256; do
        for order in ascending random:5; do
            export CLEAVE_BACKEND=cuda CLEAVE_BLOCK_SIZE=$size CLEAVE_EMU_ORDER=$order
            export CLEAVE_CHECK_PLAN=1 CLEAVE_SCHEDULE=owner CLEAVE_READS=staged
            settings="blocks of $size, $order"
            # shellcheck disable=SC2086
            run $mesh flux_owner_staged_items_r128
        done
    done
    # Loops that only add data of their elements do so in blocks unasked.
    # shellcheck disable=SC2086
    CLEAVE_READS=direct run $mesh flux_owner
    # shellcheck disable=SC2086
    CLEAVE_READS='' run $mesh flux_owner_staged_items_r128
done
unset CLEAVE_BACKEND CLEAVE_SCHEDULE CLEAVE_READS
CLEAVE_BACKEND=seq ./owners 20000 15000 | grep '^= ' >expected
export CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=owner
export CLEAVE_READS=staged
run 20000 15000 flux_owner
