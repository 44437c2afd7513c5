#!/bin/sh
# copies.sh: copies of what elements have of their own, in the order in which blocks of points read it, do not
# show: results have the same bits with and without, whatever changes the dats between two calls; copies are
# made again when that happens, and only then; loops for which it happens too often go on without.
set -eu
here=$SRC/testsuite/endtoend
export CLEAVE_BACKEND=cuda CLEAVE_CHECK_PLAN=1 CLEAVE_SCHEDULE=owner CLEAVE_READS=staged

fail() {
    echo "copies.sh: $*" >&2
    exit 1
}

$CLEAVECC $OPTIMISE -Wall -Wextra --cleave-arch=emu --cleave-emit=owner,split,comparisons "$here/copies.c" -o copies -lm 2>notes ||
    fail "$(cat notes)"
! grep -E 'warning|error' notes || fail "the compiler says something"

# run POINTS MODE STEPS VARIABLE=value...: what it prints is in `out`, and the number of copies in $copies
run() {
    what=$*
    args="$1 $2 $3"
    shift 3
    # shellcheck disable=SC2086 # three arguments
    env "$@" ./copies $args >all 2>err || fail "$what: $(cat err)"
    ! grep -E 'warning|error' err || fail "$what: says something"
    grep '^= ' all >out
    copies=$(sed -n 's/^copies: dats were copied \([0-9]*\) times .*/\1/p' all)
    copies=${copies:-0}
}

runs_as() { # runs_as LOOP HOW: as LOOP_owner_stagedHOW
    grep -q "^${1%_*} .* ${1}_owner_staged$2 (cuda)" all ||
        fail "$what: $1 does not run so: $(grep "^${1%_*} " all)"
}

for mode in still once always host temp renumber layout; do
    run 400 $mode 8 'CLEAVE_VARIANT=*_owner_staged_r128'
    [ "$copies" -eq 0 ] || fail "$what: $copies copies were made"
    runs_as flux _r128
    mv out expected
    for size in 32 ${FULL:+100} 128; do
        for order in ascending ${FULL:+descending} random:3; do
            run 400 $mode 8 'CLEAVE_VARIANT=*_items_r128' CLEAVE_BLOCK_SIZE=$size CLEAVE_EMU_ORDER=$order
            for loop in flux other chain both_2; do
                runs_as $loop _items_r128
            done
            cmp expected out || fail "$what: differs"
        done
    done
    # Unasked, also where some calls go on without copies.
    for deterministic in 0 1; do
        run 400 $mode 8 CLEAVE_DETERMINISTIC=$deterministic
        cmp expected out || fail "$what: differs"
    done
    run 37 $mode 8 CLEAVE_VERIFY=1 CLEAVE_RENUMBER=on
    grep -q 'compiled loops agree' err || fail "$what: nothing is verified"
done

# flux reads four dats, other and both two, of which both needs one twice, chain one.
count() { # count MODE STEPS COPIES
    run 400 "$1" "$2"
    [ "$copies" -eq "$3" ] || fail "$what: $copies copies were made, not $3"
}
count still 1 9
count still 40 9
runs_as flux _items_r128
count once 40 14
count host 40 13
count renumber 40 18
runs_as other _items_r128
# Five times too often, then no more.
count always 40 34
for loop in flux other both_2; do
    runs_as $loop _r128
done
runs_as chain _items_r128
grep -q "^loop 'flux': reads its dats without copies from now on" all || fail "$what: says nothing"
count temp 40 14
runs_as other _r128
runs_as flux _items_r128
count layout 40 14
runs_as chain _r128
# Who names them gets them.
run 400 always 40 'CLEAVE_VARIANT=flux_owner_staged_items*'
runs_as flux _items_r128
runs_as both_2 _r128

# Records that several dats of a point are packed into, of each of two types.
packed() { # packed VARIANT OTHER: results are those of OTHER, in the same order of threads
    for mode in still host renumber layout; do
        for size in ${FULL:+32} 100; do
            for order in ${FULL:+ascending} descending; do
                run 400 $mode 8 "CLEAVE_VARIANT=many_$2" CLEAVE_BLOCK_SIZE=$size CLEAVE_EMU_ORDER=$order
                mv out expected
                others=$copies
                run 400 $mode 8 "CLEAVE_VARIANT=many_$1" CLEAVE_BLOCK_SIZE=$size CLEAVE_EMU_ORDER=$order
                grep -q "^many .* many_$1 (cuda)" all || fail "$what: does not run"
                cmp expected out || fail "$what: differs"
                case $mode in
                renumber) more=4 ;;
                layout) more=9 ;;
                *) more=2 ;;
                esac
                [ $((copies - others)) -eq $more ] || fail "$what: $((copies - others)) copies, not $more"
            done
        done
    done
    run 37 layout 4 "CLEAVE_VARIANT=many_$1" CLEAVE_VERIFY=1 CLEAVE_RENUMBER=on
}
packed split_gather_packed_c2_r64 split_gather_c2_r64
packed split_gather_bulk_c2_r64 split_gather_c2_r64
packed owner_staged_packed_r128 owner_staged_r128
run 400 still 8
runs_as many _r128

# Copies take no memory that anything else needs: with less of it fewer loops have them, and all is the same.
run 400 once 8 'CLEAVE_VARIANT=*_owner_staged_r128'
mv out expected
fewer=0
for kilobytes in 160 240 320 480 640 960 1280; do
    export CLEAVE_EMU_MEMORY=${kilobytes}000
    status=0
    ./copies 400 once 8 >all 2>err || status=$?
    if [ $status -ne 0 ]; then
        grep -q 'out of device memory .* are needed for' err || fail "$kilobytes KB: $(cat err)"
        continue
    fi
    grep '^= ' all | cmp expected - || fail "$kilobytes KB: differs"
    if grep -q 'without copies from now on: there is not enough memory' all; then
        fewer=$((fewer + 1))
    fi
    # A variant that is named cannot be left.
    if ! CLEAVE_VARIANT='*_items_r128' ./copies 400 once 8 >all 2>err; then
        grep -q "out of device memory .* a copy of dat '[a-z]*' .* name another variant" err ||
            fail "$kilobytes KB, named: $(cat err)"
    fi
done
[ $fewer -gt 0 ] || fail "no amount of memory leaves some loops without copies"
