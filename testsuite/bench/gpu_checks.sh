#!/bin/sh
# gpu_checks.sh [options]: what must hold of the programs that lie beside this script on a machine with a GPU:
# NVIDIA's compute-sanitizer finds nothing in any compiled variant of the gpu_bench_ programs at small sizes, and
# with CLEAVE_DETERMINISTIC=1 results are the same, bit for bit, in 20 runs and for blocks of 64 to 512.
#
#   --tools WORDS    compute-sanitizer's tools (default: 'memcheck initcheck synccheck racecheck')
#   --programs WORDS of gpu_bench_ (default: 'airfoil airfoil_float hydra lulesh')
#   --variants PATTERN  of names of variants, as in '*_ordered_*' (default: all)
#   --only PART      sanitizer or deterministic (default: both)
#
# Prints a table; exit code 1 when something was found or did not run, 2 for bad options.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tools='memcheck initcheck synccheck racecheck' programs='airfoil airfoil_float hydra lulesh' variants='*' only=
while [ $# -gt 0 ]; do
    case $1 in
    --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    --tools | --programs | --variants | --only)
        [ $# -ge 2 ] || { echo "gpu_checks.sh: a value is missing after $1; try --help" >&2; exit 2; }
        case $1 in
        --tools) tools=$2 ;;
        --programs) programs=$2 ;;
        --variants) variants=$2 ;;
        --only) only=$2 ;;
        esac
        shift
        ;;
    *) echo "gpu_checks.sh: '$1' is not an option; try --help" >&2; exit 2 ;;
    esac
    shift
done
case $only in '' | sanitizer | deterministic) ;; *)
    echo "gpu_checks.sh: --only takes sanitizer or deterministic, not '$only'" >&2
    exit 2
    ;;
esac
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
CLEAVE_PLAN_CACHE=off
CLEAVE_BACKEND=cuda
CLEAVE_TUNE=${CLEAVE_TUNE:-off} # forms are compared as they are
export LD_LIBRARY_PATH CLEAVE_PLAN_CACHE CLEAVE_BACKEND CLEAVE_TUNE
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# A small size of a program, which has full and partial blocks.
size_of() {
    case $1 in
    airfoil*) echo 6,9 ;;
    *) echo 4 ;;
    esac
}

# found: the last line in which the tool sums up, without what stands before
found() {
    grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$work/out" | tail -n 1 | sed 's/.*SUMMARY: //'
}

sanitize() { # sanitize TOOL PROGRAM
    program=$here/gpu_bench_$2
    CLEAVE_VARIANT=list "$program" >"$work/list" 2>"$work/out" || { cat "$work/out"; failed=1; return; }
    count=$(wc -l <"$work/list")
    status=0
    CLEAVE_RENUMBER=on compute-sanitizer --tool "$1" --error-exitcode 9 "$program" --size "$(size_of "$2")" \
        --order shuffled --calls 1 --list "$work/list" --variants "$variants" >"$work/out" 2>&1 || status=$?
    measured=$(sed -n 's/^\([0-9]*\) measured, .*/\1/p' "$work/out")
    printf '%-10s %-14s %5s of %5s variants  %s\n' "$1" "$2" "${measured:-0}" "$count" "$(found)"
    if [ $status -ne 0 ] || [ "${measured:-0}" -eq 0 ]; then
        grep -v '^  *Host Frame' "$work/out" | head -n 40
        echo "FAILED: exit code $status"
        failed=1
    fi
}

# same WHAT COMMAND...: its output, which is kept in $work/expected the first time, is always that
same() {
    what=$1
    shift
    if ! env CLEAVE_DETERMINISTIC=1 "$@" >"$work/got" 2>"$work/err"; then
        echo "FAILED: $what: $(tail -n 1 "$work/err")"
        failed=1
    elif [ ! -f "$work/expected" ]; then
        mv "$work/got" "$work/expected"
    elif ! cmp -s "$work/expected" "$work/got"; then
        echo "FAILED: $what: other bits"
        failed=1
    else
        compared=$((compared + 1))
    fi
}

# deterministic NAME COMMAND...: the words of env
deterministic() {
    name=$1 compared=0
    shift
    rm -f "$work/expected"
    for run in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        same "$name, run $run" "$@"
    done
    for size in 64 96 128 192 256 512; do
        same "$name, blocks of $size" CLEAVE_BLOCK_SIZE=$size "$@"
    done
    printf '%-40s the same bits %2d times of 25\n' "$name" "$compared"
}

if [ "$only" != deterministic ]; then
    command -v compute-sanitizer >/dev/null 2>&1 ||
        { echo "gpu_checks.sh: compute-sanitizer is not in the PATH" >&2; exit 1; }
    for tool in $tools; do
        for program in $programs; do
            sanitize "$tool" "$program"
        done
    done
fi
if [ "$only" != sanitizer ]; then
    deterministic deterministic "$here/deterministic" 60 3
    deterministic airfoil sh -c "'$here/airfoil_auto' --cells=20,30 --iterations=100 --verbose | grep ' after '"
fi
[ $failed -eq 0 ] && echo "all checks passed" || echo "some checks FAILED"
exit $failed
