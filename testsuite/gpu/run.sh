#!/bin/sh
# run.sh [quick]: checks and times the programs of the bundle on this machine's GPU. Prints a table;
# with RESULTS set to a folder, keeps logs there. Exit code not 0 when any check failed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
results=${RESULTS:-$here/results}
mkdir -p "$results"
mode=${1:-full}
export CLEAVE_PLAN_CACHE=off
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
failed=0
schedules="fused split split2 split3 split4 loops twopass owner"
note() { echo "$*" | tee -a "$results/summary.txt"; }
check() { # check NAME COMMAND...: passes when the command does
    name=$1
    shift
    if "$@" >"$results/$name.log" 2>&1; then
        note "ok      $name"
    else
        note "FAILED  $name"
        tail -n 5 "$results/$name.log" | tee -a "$results/summary.txt"
        failed=1
    fi
}
: >"$results/summary.txt"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | tee -a "$results/summary.txt"

# Correctness on the small mesh: the program itself compares with the reference to 1e-10.
for emit in fused split; do
    for races in colour atomic; do
        for iterations in 100 1000; do
            check "small-$emit-$races-$iterations" env CLEAVE_BACKEND=cuda CLEAVE_RACES=$races \
                "$here/airfoil_$emit" --cells=20,30 --iterations=$iterations --check
        done
    done
done
for program in primitives joins warps copies staged transposed rows; do
    for path in "$here/${program}"_*; do
        check "$(basename "$path")" "$path"
    done
done
check small-ptx env CLEAVE_BACKEND=cuda "$here/airfoil_ptx" --cells=20,30 --iterations=100 --check
check small-verify env CLEAVE_BACKEND=cuda CLEAVE_VERIFY=1 "$here/airfoil_all" --cells=20,30 --iterations=20

# Every feature of the API, and loops that want other layouts, against the sequential reference of the same
# program. They may write files.
for program in features soa; do
    (cd "$results" && CLEAVE_BACKEND=seq "$here/$program" 2>/dev/null) | grep '^= ' >"$results/$program.seq"
    for schedule in $schedules; do
        for races in colour atomic; do
            (cd "$results" && CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=$races \
                "$here/$program" 2>"$program.err") | grep '^= ' >"$results/$program.cuda"
            check "$program-$schedule-$races" diff "$results/$program.seq" "$results/$program.cuda"
        done
    done
done

# Extrema with what goes along with them: that of the element which the sequential run takes.
CLEAVE_BACKEND=seq "$here/argmax" >"$results/argmax.seq" 2>"$results/argmax.err"
for schedule in fused split owner; do
    for renumber in on off; do
        for size in 32 256; do
            CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RENUMBER=$renumber CLEAVE_BLOCK_SIZE=$size \
                CLEAVE_VERIFY=1 "$here/argmax" >"$results/argmax.cuda" 2>"$results/argmax.err"
            check "argmax-$schedule-$renumber-$size" diff "$results/argmax.seq" "$results/argmax.cuda"
        done
    done
done

# Minima and maxima of terms that are no numbers.
CLEAVE_BACKEND=seq "$here/nan" >"$results/nan.seq" 2>"$results/nan.err"
for schedule in fused split owner; do
    for races in colour atomic gather transpose; do
        CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=$races CLEAVE_VERIFY=1 "$here/nan" \
            >"$results/nan.cuda" 2>"$results/nan.err"
        check "nan-$schedule-$races" diff "$results/nan.seq" "$results/nan.cuda"
    done
done

# Scratch of each element, and dat->data used between loops without asking. The values are exact.
CLEAVE_BACKEND=seq "$here/work" 2>/dev/null | grep '^sum ' >"$results/work.seq"
for schedule in fused split owner; do
    for renumber in on off; do
        CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RENUMBER=$renumber "$here/work" 2>"$results/work.err" |
            grep '^sum ' >"$results/work.cuda"
        check "work-$schedule-$renumber" diff "$results/work.seq" "$results/work.cuda"
    done
done

# Sums of blocks in their order, in loops of all kinds: the same bits in two runs, and in blocks of any size.
for program in features soa; do
    (cd "$results" && CLEAVE_BACKEND=cuda CLEAVE_RACES=ordered "$here/$program" 2>"$program.err") |
        grep '^= ' >"$results/$program.cuda"
    check "$program-ordered" diff "$results/$program.seq" "$results/$program.cuda"
done
for size in 64 128 512; do
    CLEAVE_BACKEND=cuda CLEAVE_DETERMINISTIC=1 CLEAVE_RACES=ordered CLEAVE_BLOCK_SIZE=$size \
        "$here/kernels_hydra" >"$results/result.$size" 2>"$results/kernels.err"
    check "hydra-same-bits-$size" cmp "$results/result.64" "$results/result.$size"
    for coordinates in grouped separate; do
        CLEAVE_BACKEND=cuda CLEAVE_DETERMINISTIC=1 CLEAVE_BLOCK_SIZE=$size "$here/lulesh_INC" --size=8 --cycles=20 \
            --verbose --coordinates=$coordinates 2>"$results/lulesh.err" | grep ' = ' >"$results/$coordinates.$size"
        check "lulesh-$coordinates-same-bits-$size" cmp "$results/$coordinates.64" "$results/$coordinates.$size"
    done
done

# Copies for blocks to read: the same bits with and without.
copies() { # copies MODE [VARIABLE=value]
    mesh="20000 $1 20"
    shift
    # shellcheck disable=SC2086 # three arguments
    env CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=owner CLEAVE_READS=staged "$@" "$here/copies" $mesh \
        2>"$results/copies.err" | grep '^= '
}
for change in still once always host temp renumber layout; do
    copies $change 'CLEAVE_VARIANT=*_owner_staged_r128' >"$results/copies.without"
    for how in items packed; do
        copies $change "CLEAVE_VARIANT=*_${how}_r128" >"$results/copies.with"
        check "copies-$change-$how" cmp "$results/copies.without" "$results/copies.with"
    done
    copies $change >"$results/copies.with"
    check "copies-$change" cmp "$results/copies.without" "$results/copies.with"
done

# The application kernels, sums against the sequential run's.
for program in arrays hydra mgcfd scatter volna; do
    tolerance=1e-12
    [ $program != volna ] || tolerance=1e-5
    CLEAVE_BACKEND=seq "$here/kernels_$program" >"$results/reference" 2>"$results/kernels.err"
    for schedule in $schedules; do
        for races in colour atomic; do
            CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=$races CLEAVE_BLOCK_SIZE=64 \
                "$here/kernels_$program" >"$results/result" 2>"$results/kernels.err"
            check "$program-$schedule-$races" sh "$here/same.sh" "$results/reference" \
                "$results/result" $tolerance
        done
    done
done

# Two forms of airfoil, timed in turn: work arrays that are declared and freed in every iteration, at most 1.3
# times as slow as arrays that stay; the cell of the largest change, which costs next to nothing.
ratio() { # ratio PROGRAM MOST
    CLEAVE_BACKEND=cuda "$here/$1" 400 600 500 5 >"$results/$1.out" || return 1
    cat "$results/$1.out"
    awk -v most="$2" '/ratio/ { found = 1; slow = $NF > most } END { exit !found || slow }' "$results/$1.out"
}
for pair in 'airfoil_temporary 1.3' 'airfoil_argmax 1.1'; do
    # shellcheck disable=SC2086 # two words
    check "${pair% *}" ratio $pair
    tee -a "$results/summary.txt" <"$results/${pair% *}.log"
done

# LULESH's blast wave: its published energy, forces declared OP_RW as fast as OP_INC.
for forces in RW INC; do
    for coordinates in grouped separate; do
        check "lulesh-$coordinates-$forces" env CLEAVE_BACKEND=cuda "$here/lulesh_$forces" --size=30 --check \
            --coordinates=$coordinates
        grep 'steps in' "$results/lulesh-$coordinates-$forces.log" | sed "s/^/lulesh, $coordinates, OP_$forces: /" |
            tee -a "$results/summary.txt"
    done
done
for program in inplace regions multigrid; do
    check "$program-verify" env CLEAVE_BACKEND=cuda CLEAVE_VERIFY=1 "$here/$program"
    grep agree "$results/$program-verify.log" | tee -a "$results/summary.txt"
done

if [ "$mode" != quick ]; then
    "$here/copy" | tee -a "$results/summary.txt"
    check direct "$here/direct"
    tee -a "$results/summary.txt" <"$results/direct.log"
    check launch "$here/gpu_launch"
    tee -a "$results/summary.txt" <"$results/launch.log"
    # Force loops over 27,000 hexahedra that declare OP_RW and only add: at most 1.1 times those with OP_INC.
    for access in inc rw; do
        check promoted-$access env CLEAVE_BACKEND=cuda CLEAVE_TIMING=1 "$here/promoted_$access" 30 1000
        grep '(cuda)$' "$results/promoted-$access.log" | tee -a "$results/summary.txt"
    done
    # shellcheck disable=SC2016 # awk's own fields
    check promoted-ratio awk '$1 == "seconds" { s[FNR != NR] = $2 } END { print s[1] / s[0]; exit s[1] > 1.1 * s[0] }' \
        "$results/promoted-inc.log" "$results/promoted-rw.log"
    for schedule in $schedules; do
        for races in colour atomic; do
            partitions="chunks default"
            case $schedule in fused | split) partitions="chunks default metis" ;; esac # METIS takes seconds
            for partition in $partitions; do
                name=time-$schedule-$races-$partition
                check "$name" env CLEAVE_BACKEND=cuda CLEAVE_TIMING=1 CLEAVE_SCHEDULE=$schedule \
                    CLEAVE_RACES=$races CLEAVE_PARTITION=$partition CLEAVE_METIS="$here/lib/libmetis.so.5" \
                    "$here/airfoil_all" --iterations=1000 --check
                grep '(cuda)$' "$results/$name.log" | tee -a "$results/summary.txt"
            done
        done
    done
    for schedule in fused split; do
        for races in colour atomic; do
            name=large-$schedule-$races
            check "$name" env CLEAVE_BACKEND=cuda CLEAVE_TIMING=1 CLEAVE_SCHEDULE=$schedule \
                CLEAVE_RACES=$races CLEAVE_PARTITION=chunks \
                "$here/airfoil_all" --cells=800,2400 --iterations=100
            grep '(cuda)$' "$results/$name.log" | tee -a "$results/summary.txt"
        done
    done
    # A mesh in no order, as files have it: renumbered, the loops take what they take on an ordered one.
    for schedule in split twopass owner; do
        for renumber in on off; do
            name=shuffled-$schedule-$renumber
            check "$name" env CLEAVE_BACKEND=cuda CLEAVE_TIMING=1 CLEAVE_SCHEDULE=$schedule \
                CLEAVE_RENUMBER=$renumber "$here/airfoil_all" --shuffle=7 --iterations=1000 --check
            grep '(cuda)$' "$results/$name.log" | tee -a "$results/summary.txt"
        done
    done
    # Without waiting after each loop: what a user's run takes.
    check run-720000 env CLEAVE_BACKEND=cuda CLEAVE_PARTITION=chunks "$here/airfoil_all" --check
    grep -E 'total' "$results/run-720000.log" | tee -a "$results/summary.txt"
fi
if command -v compute-sanitizer >/dev/null 2>&1; then
    for tool in memcheck racecheck; do
        for schedule in $schedules; do
            for races in colour atomic; do
                check "$tool-$schedule-$races" env CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule \
                    CLEAVE_RACES=$races compute-sanitizer --tool $tool --error-exitcode 1 \
                    "$here/airfoil_all" --cells=20,30 --iterations=2
            done
            check "$tool-hydra-$schedule" env CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule \
                compute-sanitizer --tool $tool --error-exitcode 1 "$here/kernels_hydra"
            check "$tool-features-$schedule" env CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule \
                compute-sanitizer --tool $tool --error-exitcode 1 "$here/features"
        done
    done
fi

[ $failed -eq 0 ] && note "all passed" || note "some failed"
exit $failed
