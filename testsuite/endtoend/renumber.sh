#!/bin/sh
# The runtime's own numbering of the mesh does not show: what renumber.c writes in its own numbering is
# equal, bit for bit, to that of the sequential reference, however the mesh is numbered and partitioned.
set -eu
here=$SRC/testsuite/endtoend

fail() {
    echo "renumber.sh: $*" >&2
    exit 1
}

cxx_emit=split # the languages share what runs: one has all schedules
[ -z "$FULL" ] || cxx_emit=$EMIT
for language in c c++; do
    case $language in
    c) compiler=$CLEAVECC emit=$EMIT ;;
    c++) compiler="$CLEAVECXX -x c++" emit=$cxx_emit ;;
    esac
    # shellcheck disable=SC2086 # words
    $compiler $OPTIMISE --cleave-arch=emu --cleave-emit="$emit" "-I$here" "$here/renumber.c" -x none \
        -o renumber.$language 2>compile.err || fail "$language: $(cat compile.err)"
    [ ! -s compile.err ] || fail "$language: $(cat compile.err)"
done

# reference SIDE [VARIABLE=value...]
reference() {
    side=$1
    shift
    rm -rf expected && mkdir expected
    (cd expected && env CLEAVE_BACKEND=seq "$@" ../renumber.c never "$side" >out 2>err) ||
        fail "reference: $(cat expected/err)"
    [ "$(find expected -name '*.dat' | wc -l)" -eq 13 ] || fail "the reference writes too few files"
}

# run LANGUAGE MODE [VARIABLE=value...]: all files are those of the reference
run() {
    language=$1 mode=$2
    shift 2
    rm -rf got && mkdir got
    (cd got && env CLEAVE_CHECK_PLAN=1 "$@" "../renumber.$language" "$mode" "$side" >out 2>err) ||
        fail "$language $mode $*: exit code not 0: $(cat got/err)"
    ! grep -E 'warning|error' got/err || fail "$language $mode $*: says something"
    rm got/err
    for file in expected/*; do
        case $file in */err) continue ;; esac
        cmp "$file" "got/${file#expected/}" || fail "$language $mode $*: $file differs"
    done
}

# renumbered SETS LANGUAGE MODE...: as many sets have an order of their own, as the diagnostics say
renumbered() {
    sets=$1
    shift
    mkdir -p shown
    (cd shown && env RENUMBER_DIAGNOSTICS=1 CLEAVE_BACKEND=openmp "$2" "../renumber.c" "$1" "$side" >out) ||
        fail "diagnostics $*"
    found=$(grep -c ', renumbered$' shown/out || true)
    [ "$found" -eq "$sets" ] || fail "$*: $found sets are renumbered, not $sets: $(cat shown/out)"
}

reference 30
for mode in never early late often null; do
    for backend in openmp cuda; do
        run c $mode CLEAVE_BACKEND=$backend CLEAVE_RENUMBER=on
    done
done
late=c
[ -z "$FULL" ] || late=c++
for schedule in split ${FULL:+split3 loops} twopass owner; do
    for races in colour atomic; do
        run $late late CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=on CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=$races
    done
    run $late late CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_SCHEDULE=$schedule
done
for method in default hard none chunks rcb hilbert grow rcm+refine metis; do
    run c never CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_PARTITION=$method CLEAVE_COORDINATES=x
    run c never CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=off CLEAVE_PARTITION=$method
done
for threads in 1 2 3 8; do
    run c early CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on OMP_NUM_THREADS=$threads CLEAVE_BLOCK_SIZE=64
done
run c early CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_ORDER=reverse
run c often CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=on CLEAVE_BLOCK_SIZE=37 CLEAVE_EMU_ORDER=random:3


# Elements in the order for the banks of shared memory, which is the GPU's default for blocks, need fewer wavefronts.
run c early CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=on CLEAVE_SCHEDULE=split CLEAVE_RACES=gather CLEAVE_PARTITION=hard \
    CLEAVE_PLAN_JSON=../banks.json
run c early CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=on CLEAVE_SCHEDULE=split CLEAVE_RACES=gather CLEAVE_PARTITION=hard \
    CLEAVE_BANK_ORDER=off CLEAVE_PLAN_JSON=../sorted.json
run c early CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_BANK_ORDER=on CLEAVE_CHECK_PLAN=1
run c never CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=off CLEAVE_PARTITION=grow+refine CLEAVE_CHECK_PLAN=1
wavefronts() {
    sed -n '/"loop": "flux"/s/.*"wavefronts": \([0-9.]*\),.*/\1/p' "$1"
}
awk "BEGIN { exit !($(wavefronts banks.json) < 0.8 * $(wavefronts sorted.json)) }" ||
    fail "wavefronts: $(wavefronts banks.json), without order for the banks $(wavefronts sorted.json)"

# Verified: the reference works on the user's order, the variant on the runtime's.
run c late CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_VERIFY=1
run c++ often CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=on CLEAVE_VERIFY=1

# A numbering from the cache is the same as one that was made.
run c early CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_PLAN_CACHE="$PWD/cache" CLEAVE_PLAN_JSON=../made.json
run c early CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_PLAN_CACHE="$PWD/cache" CLEAVE_PLAN_JSON=../kept.json
grep -q '"from_cache": false' made.json || fail "the first run: $(cat made.json)"
grep -q '"from_cache": true' kept.json || fail "the second run: $(cat kept.json)"

# Small meshes keep the user's order unless the user asks; larger ones do not.
renumbered 0 never CLEAVE_RENUMBER=
renumbered 0 early CLEAVE_RENUMBER=off
renumbered 5 early CLEAVE_RENUMBER=on
reference 70 CLEAVE_BLOCK_SIZE=64
renumbered 5 never CLEAVE_RENUMBER=
renumbered 0 never CLEAVE_PARTITION=chunks
renumbered 0 never CLEAVE_PARTITION=none
renumbered 5 never CLEAVE_PARTITION=none+refine
run c late CLEAVE_BACKEND=openmp
run c never CLEAVE_BACKEND=cuda

# In the background: loops run in the user's order, and between two of them data on the device take the other.
for mode in never late often; do
    run c $mode CLEAVE_BACKEND=cuda RENUMBER_PAUSE=1 CLEAVE_PLAN_CACHE=off CLEAVE_PLAN_JSON=../cold.json
    [ $mode = never ] || continue # op_partition between loops may be ready before the next one, or the last to be called
    grep -q '"background": {"order": "adopted", "calls": [1-9]' cold.json || fail "not in the background: $(cat cold.json)"
    grep -q '"moved_bytes": [1-9]' cold.json || fail "nothing moved: $(cat cold.json)"
done
run c never CLEAVE_BACKEND=cuda CLEAVE_PLAN=wait CLEAVE_PLAN_JSON=../cold.json
grep -q '"background": {"order": "none"' cold.json || fail "not waited for: $(cat cold.json)"
