#!/bin/sh
# Sums of blocks, added up in their order: deterministic runs take them where points had better not compute
# again, for elements of two, four and eight points; they give the same bits for blocks of all sizes and in
# all orders of the GPU's threads, and are right; CLEAVE_RACES=ordered has them without that mode, too.
# ordered.sh REAL: double or float
set -eu
real=$1
here=$SRC/testsuite/endtoend

fail() {
    echo "ordered.sh: $*" >&2
    exit 1
}

# compile OUT FLAG...
compile() {
    out=$1
    shift
    $CLEAVECC --cleave-arch=emu "-I$here" $OPTIMISE "-DREAL=$real" "-DREAL_NAME=\"$real\"" "$@" \
        "$here/ordered.c" -lm -o "$out" 2>compile.err || fail "$(cat compile.err)"
}

# bits WORDS...: what a command, as env takes it, prints, also in `out`; what it says is in `err`
bits() {
    env CLEAVE_BACKEND=cuda "$@" >out 2>err || fail "$*: $(cat out err)"
    cat out
}

all_ordered() { # all_ordered WHAT: in the table of the last output
    for loop in edge cell patch both whole; do
        grep -q "^$loop .*  ${loop}_split_ordered_c[0-9r_]* " out ||
            fail "$1: $loop does not run as ${loop}_split_ordered: $(cat out)"
    done
}

compile sums
bits CLEAVE_DETERMINISTIC=1 ./sums 30 2 table >/dev/null
all_ordered CLEAVE_DETERMINISTIC=1
for renumber in off on; do
    bits CLEAVE_DETERMINISTIC=1 CLEAVE_RENUMBER=$renumber CLEAVE_CHECK_PLAN=1 ./sums 30 2 >expected
    for size in 64 ${FULL:+96 128 256} 512; do
        for order in ascending ${FULL:+descending} random:1; do
            bits CLEAVE_DETERMINISTIC=1 CLEAVE_RENUMBER=$renumber CLEAVE_BLOCK_SIZE=$size \
                CLEAVE_EMU_ORDER=$order OMP_NUM_THREADS=3 ./sums 30 2 >got
            cmp expected got || fail "blocks of $size, $order: $(diff expected got)"
        done
    done
    # Without the mode the size of blocks shows, and so does the order of the threads in atomic sums.
    bits CLEAVE_RACES=ordered CLEAVE_RENUMBER=$renumber CLEAVE_BLOCK_SIZE=64 ./sums 30 2 >got
    ! cmp -s expected got || fail "blocks of 64 and 128 give the same bits: nothing is tested"
    bits CLEAVE_RACES=gather CLEAVE_RENUMBER=$renumber CLEAVE_EMU_ORDER=ascending ./sums 30 2 >one
    bits CLEAVE_RACES=gather CLEAVE_RENUMBER=$renumber CLEAVE_EMU_ORDER=random:1 ./sums 30 2 >got
    ! cmp -s one got || fail "atomic sums have the same bits in all orders: nothing is tested"
done

# They are right, in all layouts, with all parameters, and where a block is the whole mesh.
bits CLEAVE_DETERMINISTIC=1 CLEAVE_VERIFY=1 ./sums 12 3 >/dev/null
grep -q '15 calls of compiled loops agree' err || fail "verified: $(cat err)"
bits CLEAVE_RACES=ordered CLEAVE_VERIFY=1 CLEAVE_BLOCK_SIZE=1024 ./sums 12 3 table >/dev/null
grep -q '15 calls of compiled loops agree' err || fail "large blocks: $(cat err)"
all_ordered CLEAVE_RACES=ordered
bits CLEAVE_DETERMINISTIC=1 ./sums 30 2 >expected
compile layouts --cleave-soa=all
bits CLEAVE_DETERMINISTIC=1 CLEAVE_VERIFY=1 ./layouts 30 2 table >/dev/null
all_ordered --cleave-soa=all
grep -q '10 calls of compiled loops agree' err || fail "structures of arrays: $(cat err)"
bits CLEAVE_DETERMINISTIC=1 ./layouts 30 2 >got
cmp expected got || fail "another layout: $(diff expected got)"

# Memory for the sums that cannot be had, after all else was: the first size of memory that is enough for
# the rest says so.
said=
for kilobytes in $(seq 100 20 1000); do
    status=0
    env CLEAVE_BACKEND=cuda CLEAVE_DETERMINISTIC=1 CLEAVE_EMU_MEMORY=${kilobytes}000 ./sums 30 1 >out 2>err ||
        status=$?
    [ $status -ne 0 ] || break
    [ $status -lt 128 ] || fail "$kilobytes kB: exit code $status: $(cat err)"
    grep -q 'out of device memory' err || fail "$kilobytes kB: $(cat err)"
    ! grep -Eq "[0-9]+ bytes are needed for the sums of blocks of loop '[a-z]+'" err || said=yes
done
[ "$said" = yes ] || fail "no size of memory lacks that of the sums"
