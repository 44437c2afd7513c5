#!/bin/sh
# locality.sh [options]: the experiment of "Improving Locality of Unstructured Mesh Algorithms on GPUs" (Sulyok et al.): one
# loop with increments of each of five applications, with a launch for each colour (global), and staged in shared memory with
# colours of blocks and threads (hierarchical); on the mesh as it is, in the order of Gibbs, Poole and Stockmeyer, and in
# blocks by METIS; with arrays of structures and structures of arrays. Beside them the way of the original programs, and what
# cleave chooses. The script stands in a folder that testsuite/gpu/bundle.sh has made, beside the folder `applications`.
#
#   --only NAME,...   these applications (default: airfoil,volna,bookleaf,lulesh,miniaero)
#   --small           small meshes: to try the script
#   --out DIR         for results.txt, log.txt and table.txt (default: papers/locality, in this folder); results of
#                     applications that are not run again stay
#
# Times are medians over the calls of a run. Without METIS or Scotch (for GPS) on the machine these columns are empty. Exit
# code 1 when a result was wrong or a form did not run, 2 for bad options.
set -u
here=$(cd "$(dirname "$0")" && pwd)
all=airfoil,volna,bookleaf,lulesh,miniaero
only=$all size=full out=$here/papers/locality

refuse() {
    echo "locality.sh: $*; try --help" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    --small) size=small ;;
    --only | --out) [ $# -ge 2 ] || refuse "a value is missing after $1" ;;
    *) refuse "'$1' is not an option" ;;
    esac
    case $1 in
    --only) only=$2 && shift ;;
    --out) out=$2 && shift ;;
    esac
    shift
done

# The options of an application: half a million to a million elements, above the L2 cache of an H200. The paper takes up to four
# million, of which METIS would make blocks for minutes.
options_of() {
    case $1:$size in
    airfoil:full) echo --cells=800,300 --iterations=20 ;;
    airfoil:small) echo --cells=20,30 --iterations=3 ;;
    volna:full) echo --cells=800,400 --steps=4 ;;
    volna:small) echo --cells=24,12 --steps=2 ;;
    bookleaf:full) echo --cells=1000,500 --steps=20 ;;
    bookleaf:small) echo --problem=sedov --cells=12,12 --steps=2 ;;
    lulesh:full) echo --size=80 --cycles=20 ;;
    lulesh:small) echo --size=6 --cycles=3 ;;
    miniaero:full) echo --problem=ramp --cells=512,256,4 --dt=5e-7 --order=2 --flow=viscous --steps=5 ;;
    miniaero:small) echo --problem=ramp --cells=8,4,2 --dt=5e-7 --order=2 --flow=viscous --steps=1 ;;
    *) refuse "'$1' is not one of $all" ;;
    esac
}

loop_of() {
    case $1 in
    airfoil) echo res_calc ;;
    volna) echo space_discretization ;;
    bookleaf) echo getacc_scatter ;;
    lulesh) echo integrate_stress ;;
    miniaero) echo flux_second_viscous ;;
    esac
}

programs=$here/applications
names=$(echo "$only" | tr ',' ' ')
for name in $names; do
    options_of "$name" >/dev/null
    [ -x "$programs/$name" ] && [ -x "$programs/${name}_soa" ] || refuse "$programs has no '$name' and '${name}_soa'"
done
mkdir -p "$out" || exit 2
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
CLEAVE_PLAN_CACHE=${CLEAVE_PLAN_CACHE:-$out/plans} # each order is made once for all forms
CLEAVE_TIMING=1
CLEAVE_REPORT=$out/report.json
CLEAVE_TUNE=${CLEAVE_TUNE:-off} # forms are compared as they are
export LD_LIBRARY_PATH CLEAVE_PLAN_CACHE CLEAVE_TIMING CLEAVE_REPORT CLEAVE_TUNE
: >"$out/log.txt"
failed=0

wrong() {
    echo "$*" | tee -a "$out/log.txt" >&2
    failed=1
}

# measure FORM LAYOUT ORDER [VARIABLE=value...]: one run of application $name; a line in results.txt.
measure() {
    form=$1 layout=$2 order=$3 program=$programs/$name
    shift 3
    [ "$layout" = aos ] || program=${program}_soa
    case $order in
    none) set -- CLEAVE_RENUMBER=off CLEAVE_PARTITION=none "$@" ;;
    gps | metis) set -- CLEAVE_RENUMBER=on CLEAVE_PARTITION=$order "$@" ;;
    esac
    rm -f "$out/report.json"
    # shellcheck disable=SC2046 # words
    env "$@" "$program" $(options_of "$name") --verbose >"$out/run.txt" 2>"$out/run.err" || {
        wrong "$name $form $layout $order: the program failed: $(tail -n 1 "$out/run.err")"
        return
    }
    grep '^[^=]* = [^ ]*$' "$out/run.txt" >"$out/values.txt"
    [ -e "$out/known.txt" ] || cp "$out/values.txt" "$out/known.txt"
    said=$(awk -v tolerance="$tolerance" -f "$programs/compare.awk" "$out/known.txt" "$out/values.txt") ||
        wrong "$name $form $layout $order: wrong results: $said"
    awk -v begin="$name $form $layout $order" -v wanted="$(loop_of "$name")" -f "$here/locality.awk" "$out/report.json" \
        >>"$out/results.txt" || wrong "$name $form $layout $order: the loop $(loop_of "$name") is not in the report"
}

for name in $names; do
    rm -f "$out/known.txt"
    tolerance=$(awk -F '|' -v name="$name" '{ key = $1; gsub(/ /, "", key) } key == name { gsub(/^ +| +$/, "", $6); print $6 }' \
        "$programs/applications.txt")
    [ ! -e "$out/results.txt" ] || grep -v "^$name " "$out/results.txt" >"$out/others.txt"
    mv -f "$out/others.txt" "$out/results.txt" 2>/dev/null
    for layout in aos soa; do
        for order in none gps metis; do
            measure global $layout $order CLEAVE_SCHEDULE=fused CLEAVE_RACES=global
            measure hierarchical $layout $order CLEAVE_SCHEDULE=fused CLEAVE_RACES=colour
        done
    done
    case $name in
    lulesh) measure twopass aos none CLEAVE_SCHEDULE=twopass ;;
    miniaero) measure atomic aos none CLEAVE_SCHEDULE=fused CLEAVE_RACES=atomic ;;
    esac
    measure chosen aos own
done
awk -f "$here/locality_table.awk" "$out/results.txt" >"$out/table.txt" || failed=1
cat "$out/table.txt"
rm -f "$out/run.txt" "$out/run.err" "$out/values.txt" "$out/known.txt" "$out/report.json" "$out/others.txt"
exit $failed
