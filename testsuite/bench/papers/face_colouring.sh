#!/bin/sh
# face_colouring.sh [options]: the experiment of "Optimizations of graph coloring method for unstructured finite volume
# computational fluid dynamics on GPU" (Zhang et al.): flux summation and local maximum pressure over the faces of a
# tetrahedral mesh, with one launch for each colour; then with data staged in shared memory, with renumbered volumes and faces,
# and with face data in the order of the colours; in double and single precision. Beside them atomic updates, and what cleave
# chooses. The script stands beside the program `onera`, which testsuite/gpu/bundle.sh compiles with --cleave-emit=all.
#
#   --sizes "N..."     of the mesh: cubes in each direction, 6 N^3 volumes; the default "43 54 70 88 118" has about as many
#                      volumes as the five meshes of the paper, 0.46 to 9.76 million
#   --types "WORD..."  double, float or both (default "double float")
#   --variables N      fluxes through a face: 1 (default), as in the paper, whose flux summation takes as long as its
#                      local maximum; or 5
#   --calls K          calls of each loop; the table has their median (default 200; the paper: 1000)
#   --out DIR          for results.txt, log.txt and table.txt (default: papers/face_colouring, in this folder)
#
# Exit code 1 when a result was wrong or a form did not run, 2 for bad options.
set -u
here=$(cd "$(dirname "$0")" && pwd)
sizes='43 54 70 88 118' types='double float' variables=1 calls=200 out=$here/papers/face_colouring

refuse() {
    echo "face_colouring.sh: $*; try --help" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    --sizes | --types | --variables | --calls | --out) [ $# -ge 2 ] || refuse "a value is missing after $1" ;;
    *) refuse "'$1' is not an option" ;;
    esac
    case $1 in
    --sizes) sizes=$2 ;;
    --types) types=$2 ;;
    --variables) variables=$2 ;;
    --calls) calls=$2 ;;
    --out) out=$2 ;;
    esac
    shift 2
done
for number in $sizes $variables $calls; do
    case $number in *[!0-9]* | 0) refuse "'$number' is not a number from 1 on" ;; esac
done
[ -x "$here/onera" ] || refuse "the program 'onera' is not beside this script"
mkdir -p "$out" || exit 2
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
CLEAVE_PLAN_CACHE=${CLEAVE_PLAN_CACHE:-off}
CLEAVE_TIMING=1
CLEAVE_REPORT=$out/report.json
CLEAVE_TUNE=${CLEAVE_TUNE:-off} # forms are compared as they are
export LD_LIBRARY_PATH CLEAVE_PLAN_CACHE CLEAVE_TIMING CLEAVE_REPORT CLEAVE_TUNE
: >"$out/results.txt"
: >"$out/log.txt"
failed=0

# measure FORM OPTIONS [VARIABLE=value...]: one run; a line "SIZE TYPE FORM LOOP VARIANT MICROSECONDS COLOURS" for each of
# the two loops. COLOURS is 0 where the form has none, or none for the whole mesh.
measure() {
    form=$1 options=$2
    shift 2
    rm -f "$out/report.json"
    # shellcheck disable=SC2086 # words
    env "$@" "$here/onera" --n="$size" --type="$type" --variables="$variables" --iterations="$calls" --verbose $options \
        >"$out/run.txt" 2>&1 || {
        echo "$size $type $form: the program failed" >>"$out/log.txt"
        cat "$out/run.txt" >>"$out/log.txt"
        failed=1
        return
    }
    awk -v known="$out/known.txt" -f "$here/face_colouring_check.awk" "$out/run.txt" >>"$out/log.txt" || {
        echo "$size $type $form: wrong results" >>"$out/log.txt"
        failed=1
    }
    awk -v begin="$size $type $form" -v report=1 -f "$here/face_colouring.awk" "$out/report.json" >>"$out/results.txt"
}

for type in $types; do
    for size in $sizes; do
        rm -f "$out/known.txt"
        measure colours '' CLEAVE_RENUMBER=off CLEAVE_SCHEDULE=fused CLEAVE_RACES=global
        measure shared '' CLEAVE_RENUMBER=off CLEAVE_SCHEDULE=fused CLEAVE_RACES=colour
        measure renumbered --renumber CLEAVE_RENUMBER=off CLEAVE_SCHEDULE=fused CLEAVE_RACES=global
        measure reordered --reorder CLEAVE_RENUMBER=off CLEAVE_SCHEDULE=fused CLEAVE_RACES=global
        measure atomic '' CLEAVE_RENUMBER=off CLEAVE_SCHEDULE=fused CLEAVE_RACES=atomic
        measure default ''
    done
done
awk -v variables="$variables" -f "$here/face_colouring.awk" "$out/results.txt" >"$out/table.txt" || failed=1
cat "$out/table.txt"
[ $failed -eq 0 ] || tail -n 20 "$out/log.txt" >&2
rm -f "$out/run.txt" "$out/known.txt" "$out/report.json"
exit $failed
