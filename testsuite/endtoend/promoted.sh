#!/bin/sh
# A force loop over hexahedra that declares OP_RW and only adds gets the variants of the same loop with OP_INC,
# takes part in CLEAVE_VERIFY and CLEAVE_DETERMINISTIC as that does, and gives its bits; and an OP_WRITE that is
# read before it is written keeps what was there.
set -eu
here=$SRC/testsuite/endtoend

fail() {
    echo "promoted.sh: $*" >&2
    exit 1
}

build() { # build OUT ACCESS READS
    $CLEAVECC --cleave-arch=emu --cleave-emit=fused -O1 "-DACCESS=$2" "-DREADS=$3" "$here/promoted.c" -lm \
        -o "$1" 2>"$1.said" || fail "$(cat "$1.said")"
}

# ran PROGRAM VARIABLE=VALUE...: its sum, in `sum`; its table, in `out`; its messages, in `err`
ran() {
    program=$1
    shift
    env OMP_NUM_THREADS=2 "$@" "./$program" 4 3 >out 2>err || fail "$program, $*: $(cat out err)"
    head -n 1 out >sum
}

build rw OP_RW OP_RW
build inc OP_INC OP_READ
[ "$(grep -c 'note: .* OP_RW; it is treated as OP_INC' rw.said)" = 2 ] || fail "said: $(cat rw.said)"
[ "$(grep -c 'note: .* OP_RW; it is treated as OP_READ' rw.said)" = 2 ] || fail "said: $(cat rw.said)"
! grep -q 'treated as OP_INC' inc.said || fail "said: $(cat inc.said)"

for program in rw inc; do
    CLEAVE_VARIANT=list ./$program >$program.list
    ran $program CLEAVE_BACKEND=seq
    mv sum seq.$program
    for backend in openmp cuda; do
        ran $program CLEAVE_BACKEND=$backend CLEAVE_VERIFY=1
        grep -q '9 calls of compiled loops agree' err || fail "$backend: $(cat err)"
        ran $program CLEAVE_BACKEND=$backend CLEAVE_DETERMINISTIC=1
        mv sum $backend.$program
    done
    # Only what is added may be added by atomic operations.
    ran $program CLEAVE_BACKEND=cuda CLEAVE_RACES=atomic
    [ "$(grep -c '_fused_atomic ' out)" = 2 ] || fail "$program: $(cat out)"
done
cmp rw.list inc.list || fail "other variants: $(diff rw.list inc.list)"
for backend in seq openmp cuda; do
    cmp $backend.rw $backend.inc || fail "$backend: other bits"
done
