#!/bin/sh
# damage.sh: meshes that no planner likes give the results of the sequential reference, in every
# schedule and with every kind of blocks, or a clear error. All plans are validated.
set -eu
$CLEAVECC --cleave-arch=emu --cleave-emit="$EMIT" -O1 "$SRC/testsuite/endtoend/damage.c" \
    -o damage 2>notes
[ ! -s notes ] || { cat notes; exit 1; }
export CLEAVE_CHECK_PLAN=1

run() { # run MESH [VARIABLE=value...]
    mesh=$1
    shift
    rm -f sum.txt
    env "$@" ./damage "$mesh" >out 2>err || { echo "$mesh $*: fails"; cat err; exit 1; }
    [ ! -s err ] || { echo "$mesh $*: says something"; cat err; exit 1; }
}

same() { # same MESH [VARIABLE=value...]
    run "$@"
    cmp "reference.$1" sum.txt || { echo "$*: differs"; exit 1; }
}

numberings="on off"
[ -z "$SANITIZED" ] || [ -n "$FULL" ] || numberings=on
for mesh in hub hubs apart one empty nothing; do
    run $mesh CLEAVE_BACKEND=seq
    mv sum.txt reference.$mesh
    for renumber in $numberings; do
        for schedule in $SCHEDULES; do
            same $mesh CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE=$schedule CLEAVE_BLOCK_SIZE=1024 \
                CLEAVE_RENUMBER=$renumber
        done
        for schedule in split owner; do
            for races in colour atomic; do
                same $mesh CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=$races \
                    CLEAVE_RENUMBER=$renumber
            done
        done
        same $mesh CLEAVE_BACKEND=cuda CLEAVE_RACES=ordered CLEAVE_RENUMBER=$renumber
    done
    for renumber in $numberings; do
        for schedule in fused ${FULL:+loops}; do
            same $mesh CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=global \
                CLEAVE_RENUMBER=$renumber
        done
    done
    for method in hard none+refine rcm chunks+refine grow; do
        same $mesh CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_BLOCK_SIZE=512 \
            CLEAVE_PARTITION=$method
    done
done

# A mesh that needs as many colours as there are blocks, and as there are threads in a block.
run hub CLEAVE_BACKEND=openmp CLEAVE_RACES=colour CLEAVE_BLOCK_SIZE=64 DAMAGE_DIAGNOSTICS=1
grep -q 'blocks \(1[56][0-9][0-9]\) (.*), block colours \1, thread colours per block 6[234]' out ||
    { cat out; exit 1; }
same hubs CLEAVE_BACKEND=openmp CLEAVE_BLOCK_SIZE=1 CLEAVE_RENUMBER=off
same apart CLEAVE_BACKEND=openmp CLEAVE_BLOCK_SIZE=1
same hub CLEAVE_BACKEND=openmp CLEAVE_BLOCK_SIZE=64 CLEAVE_RENUMBER=off

status=0
CLEAVE_BACKEND=openmp ./damage outside >out 2>err || status=$?
[ $status -eq 1 ] || { echo "a map out of range: exit code $status"; exit 1; }
grep -q "map 'both' row 38 column 1 = 50, but set 'nodes' has 50 elements" err ||
    { cat err; exit 1; }
