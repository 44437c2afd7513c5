#!/bin/sh
# CLEAVE_DETERMINISTIC=1: the same bits in every run, whatever the size of blocks, the number of threads and
# the order in which threads of the GPU run; and without it not, or nothing is tested.
set -eu
here=$SRC/testsuite/endtoend
export CLEAVE_CHECK_PLAN=1

fail() {
    echo "deterministic.sh: $*" >&2
    exit 1
}

# compile OUT SOURCE FLAG...
compile() {
    out=$1 source=$2
    shift 2
    $CLEAVECC --cleave-arch=emu "-I$here" "$@" "$source" -lm -o "$out" 2>compile.err ||
        fail "$source: $(cat compile.err)"
}

# bits WORDS...: what a command, as env takes it, prints, also in `out`; what it says is in `err`
bits() {
    env "$@" >out 2>err || fail "$*: $(cat err)"
    cat out
}

# same_on_gpu WORDS...: a command prints the same with blocks of all sizes, in other orders of the threads
same_on_gpu() {
    bits CLEAVE_DETERMINISTIC=1 CLEAVE_BACKEND=cuda "$@" >expected
    for size in 64 ${FULL:+128 256} 512; do
        for order in ${FULL:+ascending descending} random:1; do
            bits CLEAVE_DETERMINISTIC=1 CLEAVE_BACKEND=cuda CLEAVE_BLOCK_SIZE=$size \
                CLEAVE_EMU_ORDER=$order "$@" >got
            cmp expected got || fail "$*: blocks of $size, $order: $(diff expected got)"
        done
    done
    # Sums of points have the same bits in blocks with staged neighbours and without.
    # Among loops of updates, direct reads choose the form with global colours, another order of sums.
    case $* in *=loops*) return ;; esac
    for reads in staged direct; do
        bits CLEAVE_DETERMINISTIC=1 CLEAVE_BACKEND=cuda CLEAVE_READS=$reads "$@" >got
        cmp expected got || fail "$*: reads $reads: $(diff expected got)"
    done
}

# same_on_cpu WORDS...: the same on the CPU, with other numbers of threads
same_on_cpu() {
    bits CLEAVE_DETERMINISTIC=1 CLEAVE_BACKEND=openmp "$@" >expected
    for size in 64 ${FULL:+128 256} 512; do
        for threads in 1 ${FULL:+2} 3 ${FULL:+4} 7; do
            bits CLEAVE_DETERMINISTIC=1 CLEAVE_BACKEND=openmp CLEAVE_BLOCK_SIZE=$size \
                OMP_NUM_THREADS=$threads "$@" >got
            cmp expected got || fail "$*: blocks of $size, $threads threads: $(diff expected got)"
        done
    done
}

# shellcheck source=testsuite/lanes.sh
. "$SRC/testsuite/lanes.sh"

# differ NAME FIRST SECOND COMMAND...: without the mode a setting shows in what the program prints
differ() {
    first=$1 second=$2
    shift 2
    bits "$first" "$@" >one
    bits "$second" "$@" >other
    ! cmp -s one other || fail "$*: $first and $second give the same bits: nothing is tested"
}

# runs LOOP VARIANT: in the table of the last output
runs() {
    grep -q "^$1 .*  $2 " out || fail "$1 does not run as $2: $(cat out)"
}

# `auto` compiles owner for cheap loops, which each point recomputes, and ordered for others.
compile loops "$here/deterministic.c" $OPTIMISE
bits CLEAVE_DETERMINISTIC=1 CLEAVE_BACKEND=cuda ./loops 40 2 table >/dev/null
runs flux flux_owner
runs heavy heavy_split_ordered_c2_r72
runs whole whole_split_ordered_c2
runs single single_owner_staged_items_r128
runs in_place in_place_fused_global_colour
runs norms norms_direct
runs boundary boundary_fused_colour
runs spread spread_fused_colour
grep -q 'CLEAVE_DETERMINISTIC=1' out || fail "the table does not say that the mode is on"
bits CLEAVE_DETERMINISTIC=0 CLEAVE_BACKEND=cuda ./loops 40 2 table >/dev/null
runs heavy 'heavy_split_[tg][a-z0-9_]*'
! grep -q 'CLEAVE_DETERMINISTIC' out || fail "the table says that the mode is on"

for renumber in off on; do
    same_on_gpu CLEAVE_RENUMBER=$renumber ./loops 40 2
    same_on_cpu CLEAVE_RENUMBER=$renumber ./loops 40 2
    differ CLEAVE_BLOCK_SIZE=64 CLEAVE_BLOCK_SIZE=512 CLEAVE_BACKEND=openmp \
        CLEAVE_RENUMBER=$renumber ./loops 40 2
    differ CLEAVE_BLOCK_SIZE=64 CLEAVE_BLOCK_SIZE=512 CLEAVE_BACKEND=cuda \
        CLEAVE_RENUMBER=$renumber ./loops 40 2
    differ CLEAVE_EMU_ORDER=ascending CLEAVE_EMU_ORDER=random:1 CLEAVE_BACKEND=cuda \
        CLEAVE_RENUMBER=$renumber ./loops 40 2
done

# A mesh large enough to be renumbered by default, in parallel; the numbering from the cache is the same.
same_on_cpu ./loops 100 1
for run in 1 2; do
    bits CLEAVE_DETERMINISTIC=1 CLEAVE_BACKEND=openmp CLEAVE_PLAN_CACHE="$PWD/cache" ./loops 100 1 >got
    cmp expected got || fail "run $run with a cache: $(diff expected got)"
done

# Each of the schedules that may run, by itself.
compile all "$here/deterministic.c" -O0 --cleave-emit=fused,split,loops,twopass,owner,comparisons
for schedule in fused split loops twopass owner; do
    same_on_gpu CLEAVE_SCHEDULE=$schedule CLEAVE_RENUMBER=on ./all 20 1
    same_on_cpu CLEAVE_SCHEDULE=$schedule CLEAVE_RENUMBER=on ./all 20 1
done

# Global colours depend on the order of the elements alone, for loops in place too.
bits CLEAVE_DETERMINISTIC=1 CLEAVE_BACKEND=cuda CLEAVE_RACES=global CLEAVE_SCHEDULE=fused ./all 20 1 table >/dev/null
for loop in flux heavy single in_place boundary; do
    runs $loop ${loop}_fused_global_colour
done
for schedule in fused loops; do
    same_on_gpu CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=global CLEAVE_RENUMBER=on ./all 20 1
done

# Loops of applications; airfoil goes from step to step, so that any difference grows.
for program in ${FULL:+hydra} scatter; do
    compile $program "$SRC/testsuite/kernels/$program.c" -O0
    same_on_gpu ./$program
    same_on_cpu ./$program
    differ CLEAVE_BLOCK_SIZE=64 CLEAVE_BLOCK_SIZE=512 CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=split ./$program
done
airfoil=$SRC/examples/airfoil
compile airfoil "$airfoil/airfoil.c" -O0 "$airfoil/mesh.c" "$airfoil/mesh_file.c" \
    "$airfoil/setup.c" "$SRC"/examples/common/*.c
for size in 64 512; do
    for order in ascending random:1; do
        bits CLEAVE_DETERMINISTIC=1 CLEAVE_BACKEND=cuda CLEAVE_BLOCK_SIZE=$size CLEAVE_EMU_ORDER=$order \
            ./airfoil --cells=20,30 --iterations=100 --verbose >/dev/null
        grep ' after ' out >got || fail "airfoil prints no norm: $(cat out)"
        [ -f airfoil.bits ] || cp got airfoil.bits
        cmp airfoil.bits got || fail "airfoil: blocks of $size, $order: $(cat airfoil.bits got)"
    done
done

# A loop in which elements see what others do, which its user accepts, runs one element after the other.
compile accepted "$here/deterministic.c" -O0 --cleave-emit=fused --cleave-alias=accept
bits CLEAVE_BACKEND=seq ./accepted 40 1 | grep trace >expected
bits CLEAVE_BACKEND=cuda CLEAVE_DETERMINISTIC=1 ./accepted 40 1 | grep trace >got
cmp expected got || fail "seen: $(cat expected got)"
grep -q "note: loop 'seen' .* runs sequentially: .* CLEAVE_DETERMINISTIC=1" err || fail "seen: $(cat err)"

# A variant that is asked for and left out.
bits CLEAVE_BACKEND=cuda CLEAVE_DETERMINISTIC=1 CLEAVE_VARIANT='single_*_atomic' ./loops 40 1 >/dev/null
[ "$(grep -c "warning: loop 'single' .* runs as 'single_owner_staged_items_r128'" err)" = 1 ] || fail "no warning: $(cat err)"
