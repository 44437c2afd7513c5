#!/bin/sh
# soa.sh: structures of arrays do not show: loops that want a dat in either layout, in turn, give what the
# sequential reference gives, and so do all files that the program writes.
set -eu
here=$SRC/testsuite/endtoend

fail() {
    echo "soa.sh: $*" >&2
    exit 1
}

build() { # build NAME FLAG...
    name=$1
    shift
    $CLEAVECC $OPTIMISE -ffp-contract=off -Wall -Wextra --cleave-arch=emu "$@" "$here/soa.c" -o "$name" \
        -lm 2>notes || fail "$(cat notes)"
    ! grep -E 'warning|error' notes || fail "$name: says something"
}

reference() { # reference SIZE MODE
    size=$1 mode=$2
    rm -rf expected && mkdir expected
    (cd expected && CLEAVE_BACKEND=seq ../declared "$size" "$mode" | grep '^= ' >out) || fail reference
}

# run PROGRAM VARIABLE=value...: all is as in the reference; `layouts`: how many dats were copied
run() {
    program=$1
    shift
    rm -rf got && mkdir got
    (cd got && env "$@" "../$program" "$size" "$mode" >all 2>err) || fail "$* $program: $(cat got/err)"
    ! grep -E 'warning|error|sequentially' got/err || fail "$* $program: says something"
    layouts=$(sed -n 's/^layouts: dats were copied \([0-9]*\) times .*/\1/p' got/all)
    grep '^= ' got/all >got/out
    for file in out r.txt old.bin; do
        cmp "expected/$file" "got/$file" || fail "$* $program: $file differs"
    done
}

build declared --cleave-emit="$EMIT" --cleave-keep=kept
build other --cleave-emit=split '-DFIRST="double"'
build all --cleave-emit=split,owner --cleave-soa=all
build auto --cleave-emit=split,owner --cleave-soa=auto '-DFIRST="double"'
reference 300 never
for schedule in $SCHEDULES; do
    for races in colour atomic gather; do
        run declared CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=$races
        [ "${layouts:-0}" -gt 20 ] || fail "dats changed their layout ${layouts:-0} times only"
    done
done
run declared CLEAVE_BACKEND=openmp
grep -q 'note: op_init_soa: .* build with --cleave-soa=all' got/err || fail "op_init_soa says nothing"
[ -z "$layouts" ] || fail "dats change their layout on the host"
for program in other all auto; do
    run $program CLEAVE_BACKEND=cuda
    [ $program != auto ] || [ "${layouts:-0}" -lt "$before" ] || fail "auto copies $layouts dats, not below $before"
    before=${layouts:-0}
    run $program CLEAVE_BACKEND=cuda CLEAVE_BLOCK_SIZE=40 CLEAVE_EMU_ORDER=random:2
done
for variant in '*_transpose' '*_transpose_merge' '*_gather_direct_*' '*_ordered_*' '*_owner_staged_*'; do
    run declared CLEAVE_BACKEND=cuda "CLEAVE_VARIANT=$variant"
done
run declared CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=on
run declared CLEAVE_BACKEND=cuda CLEAVE_VERIFY=1
run declared CLEAVE_BACKEND=cuda CLEAVE_DETERMINISTIC=1
reference 301 renumber
run declared CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=on
run all CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=on CLEAVE_BLOCK_SIZE=37
reference 7 never
run declared CLEAVE_BACKEND=cuda

# Tests which arguments are structures of arrays: not optional ones, nor one record under two names of
# which a pointer is passed on; the table is per argument.
layout() { # layout LOOP FLAGS
    grep -qF "unsigned char ${1}_soa[] = {$2};" kept/soa.cleave.cu || fail "the layout of $1 is not $2"
}
layout flux '1, 1, 1, 1, 1, 1, 1'
layout handed_on '1, 1, 0, 0'
layout extremes '0, 0, 1, 1'
layout whole '1, 1, 1'
layout perhaps '1, 0, 0'
layout single '0, 1, 0'
layout place_handed_on 1
layout two_places '1, 1'
layout update '1, 1, 1, 0'
layout same_twice '1, 1, 0'
