#!/bin/sh
# Every feature of the API, in C and in C++, on each backend, schedule and race resolution, against the
# sequential reference: the printed results must be equal to the last bit.
set -eu
here=$SRC/testsuite/endtoend

run() { # run NAME ENV... -- PROGRAM: keeps the lines of results
    name=$1
    shift
    env "$@" >"$name.out" 2>"$name.err" || { echo "$name: failed"; cat "$name.err"; exit 1; }
    grep '^= ' "$name.out" >"$name.results" || true
    if grep -q 'warning' "$name.err"; then
        echo "$name: unexpected warning"
        cat "$name.err"
        exit 1
    fi
    if [ -f reference.results ] && ! diff reference.results "$name.results"; then
        echo "$name: differs from the sequential reference"
        exit 1
    fi
    echo "$name: $(wc -l <"$name.results") results equal"
}

# Programs for the CPU alone have the OpenMP variants that those for the emulator have, too: one is enough.
languages="c c++"
[ -z "$SANITIZED" ] || [ -n "$FULL" ] || languages=c
host=emu
[ -z "$FULL" ] || host=none
for language in $languages; do
    if [ $language = c ]; then compiler=$CLEAVECC; else compiler="$CLEAVECXX -x c++"; fi
    for arch in ${FULL:+none} emu; do
        # shellcheck disable=SC2086
        $compiler $OPTIMISE -ffp-contract=off --cleave-arch=$arch "$here/features.c" \
            "$here/features_constants.c" -x none -o features.$language.$arch 2>compile.err ||
            { cat compile.err; exit 1; }
    done
done

run reference CLEAVE_BACKEND=seq ./features.c.$host
cp reference.results keep && mv keep reference.results
[ "$(wc -l <reference.results)" -eq 21 ] || { cat reference.out; echo "too few results"; exit 1; }
for language in $languages; do
    run seq-$language CLEAVE_BACKEND=seq ./features.$language.$host
    for schedule in fused split; do
        run openmp-$language-$schedule CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE=$schedule \
            CLEAVE_CHECK_PLAN=1 ./features.$language.$host
        for races in colour atomic gather ordered; do
            run emu-$language-$schedule-$races CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule \
                CLEAVE_RACES=$races CLEAVE_CHECK_PLAN=1 ./features.$language.emu
        done
        run emu-$language-$schedule-direct CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule \
            CLEAVE_RACES=gather CLEAVE_READS=direct CLEAVE_CHECK_PLAN=1 ./features.$language.emu
    done
done
for order in descending random:1 random:2; do
    run emu-order-$order CLEAVE_BACKEND=cuda CLEAVE_EMU_ORDER=$order CLEAVE_BLOCK_SIZE=64 ./features.c.emu
done
run verify-openmp CLEAVE_BACKEND=openmp CLEAVE_VERIFY=1 ./features.c.$host
run verify-emu CLEAVE_BACKEND=cuda CLEAVE_VERIFY=1 ./features.c.emu
run chunks CLEAVE_BACKEND=openmp CLEAVE_PARTITION=chunks CLEAVE_BLOCK_SIZE=32 ./features.c.$host
run metis CLEAVE_BACKEND=openmp CLEAVE_PARTITION=metis CLEAVE_BLOCK_SIZE=64 ./features.c.$host
run metis-emu CLEAVE_BACKEND=cuda CLEAVE_PARTITION=metis CLEAVE_BLOCK_SIZE=64 ./features.c.emu
