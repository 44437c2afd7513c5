#!/bin/sh
# loop_splitting.sh [options]: the experiment of "Effective Resource-Driven Loop Splitting for Large Unstructured
# Mesh Applications on GPUs" (Tohid et al.): four loops of a Navier-Stokes solver on tetrahedra, unsplit and split, all of
# them staged in shared memory with hierarchical colouring, with a fixed block size and with the best of several; and
# the same forms with atomic additions instead of colours. The script stands beside gpu_bench_hydra, which testsuite/gpu/bundle.sh --bench compiles with CLEAVE_BENCH_EMIT=all.
#
#   --sizes "N..."    of the mesh: cubes in each direction (default "70 112": 2.4 and 9.9 million edges)
#   --blocks "N..."   block sizes, the first of which is the fixed one (default "128 64 192 256 384 512")
#   --calls K         timed calls of each variant (default 11)
#                     (`copy`, where it lies here too, measures the bandwidth that per cents are of)
#   --out DIR         for results.json, log.txt and table.txt (default: papers/loop_splitting, in this folder)
#
# Exit code 1 when a result was wrong or a form was not measured, 2 for bad options.
set -u
here=$(cd "$(dirname "$0")" && pwd)
sizes='70 112' blocks='128 64 192 256 384 512' calls=11 out=$here/papers/loop_splitting

refuse() {
    echo "loop_splitting.sh: $*; try --help" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    --sizes | --blocks | --calls | --out) [ $# -ge 2 ] || refuse "a value is missing after $1" ;;
    *) refuse "'$1' is not an option" ;;
    esac
    case $1 in
    --sizes) sizes=$2 ;;
    --blocks) blocks=$2 ;;
    --calls) calls=$2 ;;
    --out) out=$2 ;;
    esac
    shift 2
done
for number in $sizes $blocks $calls; do
    case $number in *[!0-9]* | 0) refuse "'$number' is not a number from 1 on" ;; esac
done
bench=$here/gpu_bench_hydra
[ -x "$bench" ] || refuse "gpu_bench_hydra is not beside this script"
mkdir -p "$out" || exit 2
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
CLEAVE_PLAN_CACHE=${CLEAVE_PLAN_CACHE:-$out/plans} # the mesh is ordered once for all runs
CLEAVE_TUNE=${CLEAVE_TUNE:-off} # forms are compared as they are
export LD_LIBRARY_PATH CLEAVE_PLAN_CACHE CLEAVE_TUNE
copy=
if [ -x "$here/copy" ]; then
    copy=$("$here/copy" 2>&1 | sed -n 's/^copy of .*: \([0-9.]*\) GB.*/\1/p')
fi
: >"$out/results.json"
: >"$out/log.txt"
failed=0

# measure ARGUMENT...: one run of the benchmark, whose objects go to results.json with `"form": "default"` where
# the program chooses by itself.
measure() {
    form=$1
    shift
    rm -f "$out/run.json"
    # shellcheck disable=SC2086 # two words or none
    "$bench" --size "$size" --calls "$calls" ${copy:+--copy $copy} --json "$out/run.json" "$@" >>"$out/log.txt" 2>&1 || failed=1
    [ ! -e "$out/run.json" ] || sed "s/^{/{\"form\": \"$form\", \"asked\": \"$block\", /" "$out/run.json" >>"$out/results.json"
}

CLEAVE_VARIANT=list "$bench" >"$out/variants" || refuse "gpu_bench_hydra does not run"
for size in $sizes; do
    block=default
    measure default
    for block in $blocks; do
        CLEAVE_BLOCK_SIZE=$block
        export CLEAVE_BLOCK_SIZE
        set --
        for races in colour atomic; do
            set -- "$@" --variants "*_fused_$races" --variants "*_loops_$races" --variants "*_split_$races" \
                --variants "*_split[234]_$races"
        done
        measure forms --list "$out/variants" "$@"
        unset CLEAVE_BLOCK_SIZE
    done
done
awk -v fixed="${blocks%% *}" -f "$here/loop_splitting.awk" "$out/results.json" >"$out/table.txt" || failed=1
cat "$out/table.txt"
rm -f "$out/run.json" "$out/variants"
exit $failed
