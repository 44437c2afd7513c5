#!/bin/sh
# cpu_bench.sh [options]: how fast programs are on this machine's processors as cleavecc compiles
# them, in turns with the same programs in plain C and with loops written by hand. Airfoil in double
# and single precision, four loops of a Navier-Stokes solver (hydra), two of LULESH, two of unknown
# trip counts (scalar); meshes numbered naturally and at random.
#
#   --build NAME=CLEAVECC[,VARIABLE=value...]  a compiler, and the environment that its programs run
#                       in; may be repeated. The first is what ratios refer to (default: none, so
#                       that only plain C and loops by hand are measured)
#   --rounds N          every program runs once a round, with 1 + --iterations iterations (default: 7)
#   --iterations K      (default: 20)
#   --threads LIST      (default: '1 2')
#   --only PATTERN      cases to run, as 'airfoil/natural/*' (default: all). Case:
#                       PROGRAM/ORDER/THREADS; demo/THREADS, which is run only when it is named here:
#                       examples/airfoil with 1000 iterations, planning included, from two shorter runs
#   --without WORDS     of 'plain', 'hand': what is left out (default: nothing)
#   --quick             small meshes: a few seconds
#   --flags WORDS       for cleavecc and for plain C (default: -O3)
#   --out DIR           for programs, samples, results.json and table.txt (default: a new folder that
#                       is removed; the table goes to stdout in any case)
#   --more              adds rounds to the samples in DIR; programs that are there are not compiled again
#   --report            measures nothing: results of the samples in DIR
#
# Results have, for each loop, `iteration` (all loops) and `planning` (declarations, op_partition and
# the first iteration less a later one): medians over rounds, and medians of the ratios within each
# round. Useful bytes per triad: the time that STREAM's triad of the same round would take to move the
# bytes that a loop needs at least, by the loop's time. Exit code 1 when programs do not agree in what
# they compute, 2 for bad options.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
builds='' rounds=7 iterations=20 threads='1 2' only='*' without='' size=full flags=-O3
out='' more=no report=no

refuse() {
    echo "cpu_bench.sh: $*; try --help" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$here/$(basename "$0")" | sed '/^set/d'
        exit 0
        ;;
    --quick) size=quick ;;
    --more) more=yes ;;
    --report) report=yes ;;
    --build | --rounds | --iterations | --threads | --only | --without | --flags | --out)
        [ $# -ge 2 ] || refuse "a value is missing after $1"
        case $1 in
        --build)
            case $2 in
            [A-Za-z]*=/*) builds="$builds$2
" ;;
            *) refuse "--build: '$2' is not NAME=CLEAVECC, with an absolute path" ;;
            esac
            ;;
        --rounds) rounds=$2 ;;
        --iterations) iterations=$2 ;;
        --threads) threads=$2 ;;
        --only) only=$2 ;;
        --without) without=$2 ;;
        --flags) flags=$2 ;;
        --out) out=$2 ;;
        esac
        shift
        ;;
    *) refuse "'$1' is not an option" ;;
    esac
    shift
done
for number in $rounds $iterations $threads; do
    case $number in '' | *[!0-9]* | 0*) refuse "'$number' is not a number above 0" ;; esac
done
for word in $without; do
    case $word in plain | hand) ;; *) refuse "--without: '$word' is not plain or hand" ;; esac
done
if [ -z "$out" ]; then
    [ $more$report = nono ] || refuse '--more and --report need --out'
    out=$(mktemp -d)
    trap 'rm -rf "$out"' EXIT
    trap 'exit 1' INT TERM
fi
mkdir -p "$out/programs"
out=$(cd "$out" && pwd)
programs=$out/programs
CLEAVE_PLAN_CACHE=off
CLEAVE_TUNE=${CLEAVE_TUNE:-off} # forms are compared as they are
export CLEAVE_PLAN_CACHE CLEAVE_TUNE

# ---- compiling -------------------------------------------------------------------------------------

include="-I$top -I$top/testsuite -I$here"

# compile NAME WORD...: a program, unless it is there and --more is given.
compile() {
    name=$1
    shift
    [ $more = no ] || [ ! -x "$programs/$name" ] || return 0
    "$@" -o "$programs/$name" >"$out/compile.txt" 2>&1 || {
        echo "cpu_bench.sh: $name cannot be compiled:" >&2
        cat "$out/compile.txt" >&2
        exit 1
    }
}

# Meshes and the clock, which all programs share.
compile_common() {
    [ $more = no ] || [ ! -d "$programs/common" ] || return 0
    mkdir -p "$programs/common"
    # shellcheck disable=SC2086 # words
    (cd "$programs/common" && ${CC:-gcc} -O2 $include -c "$here/cpu_bench.c" "$top/examples/airfoil/mesh.c" \
        "$top/examples/common/c_grid.c" "$top/examples/common/permute.c" \
        "$top"/examples/common/tet_box*.c "$top/examples/hydra/fields.c" "$here/gpu_bench_numbers.c" \
        "$here/gpu_bench_hydra_host.c" \
        "$here/gpu_bench_lulesh_host.c" "$top"/testsuite/meshes/*.c -I"$top/runtime" -I"$top/runtime/api")
}

# sources PROGRAM KIND: flags and files of airfoil, airfoil_float, hydra, lulesh or scalar; KIND op2 or plain.
sources() {
    [ "$1" != airfoil_float ] || printf '%s ' -DCPU_BENCH_FLOAT
    echo "$here/cpu_bench_${1%_float}.c $here/cpu_bench_${1%_float}_$2.c"
}

# compile_program PROGRAM: with every compiler.
# shellcheck disable=SC2086,SC2046 # words
compile_program() {
    if [ "$1" = demo ]; then
        each_build compile_demo
        return
    fi
    each_build compile_build "$1"
    case $without in *plain*) ;; *)
        compile "$1.plain" ${CC:-gcc} $flags $include $(sources "$1" plain) "$programs"/common/*.o -lm
        ;;
    esac
}

# compile_build NAME CLEAVECC ENVIRONMENT PROGRAM
# shellcheck disable=SC2086,SC2046 # words
compile_build() {
    compile "$4.$1" "$2" --cleave-arch=none $flags $include $(sources "$4" op2) "$programs"/common/*.o -lm
}

# shellcheck disable=SC2086 # words
compile_demo() {
    airfoil=$top/examples/airfoil
    compile "demo.$1" "$2" --cleave-arch=none $flags "$airfoil/airfoil.c" "$airfoil/mesh.c" \
        "$airfoil/mesh_file.c" "$airfoil/setup.c" "$top"/examples/common/*.c -lm
}

# each_build COMMAND WORD...: COMMAND NAME CLEAVECC ENVIRONMENT WORD... for every --build.
each_build() {
    command=$1
    shift
    while IFS= read -r build; do
        [ -n "$build" ] || continue
        rest=${build#*=}
        environment=
        case $rest in *,*) environment=$(echo "${rest#*,}" | tr , ' ') ;; esac
        "$command" "${build%%=*}" "${rest%%,*}" "$environment" "$@" </dev/null
    done <<LIST
$builds
LIST
}

# shellcheck disable=SC2086 # words
compile_hand() {
    compile hand ${CC:-gcc} -O3 -fopenmp -ffp-contract=off -fno-math-errno $include "$here/cpu_hand.c" \
        "$here/cpu_hand_plan.c" "$here/cpu_hand_kernels.c" "$programs"/common/*.o -lm
}

# ---- measuring -------------------------------------------------------------------------------------

# The cases: name, size of the mesh.
cases() {
    while read -r program full quick orders; do
        for order in $orders; do
            for count in $threads; do
                case $program in
                demo) name=demo/$count ;;
                *) name=$program/$order/$count ;;
                esac
                # shellcheck disable=SC2254 # patterns
                case $name in
                $only) [ "$only" = '*' ] && [ "$program" = demo ] ||
                    echo "$name $([ $size = full ] && echo "$full" || echo "$quick")" ;;
                esac
            done
        done
    done <<LIST
airfoil 400,600 20,30 natural shuffled
airfoil_float 400,600 20,30 natural shuffled
hydra 44 8 natural shuffled
lulesh 60 8 natural shuffled
scalar 400,600 20,30 natural
demo 400,600 20,30 natural
LIST
}

# Words of one run: lines of facts to `samples` and `values`, with the round, the case and who ran.
# record WHO COMMAND...
record() {
    who=$1
    shift
    env "$@" >"$out/run.txt" 2>"$out/run.err" || {
        echo "cpu_bench.sh: $who, $case_name: exit code $?" >&2
        cat "$out/run.err" "$out/run.txt" >&2
        exit 1
    }
    awk -v OFS='\t' -v round="$round" -v name="$case_name" -v who="$who" -v values="$out/values" '
        $1 == "setup" { setup = $2 }
        $1 == "loop" { print round, name, who, $2, $3, $4, $5 }
        $1 == "iteration" {
            print round, name, who, "iteration", $2, $3, $4
            if (who != "plain") print round, name, who, "planning", setup + $2, setup + $2 - $3, 0
        }
        $1 == "hand" { print round, name, "hand_" $2, $3, $4, $4, $5 }
        $1 == "triad" { print round, "triad/" who, "-", "triad", $2, $2, 0 }
        $1 == "value" { print round, name, who, $2, $3 >> values }' "$out/run.txt" >>"$out/samples"
}

# run_build NAME CLEAVECC ENVIRONMENT PROGRAM OPTION...: `environment` and the options are words.
# shellcheck disable=SC2086 # words
run_build() {
    name=$1 environment=$3 program=$4
    shift 4
    record "$name" OMP_NUM_THREADS=$count $environment "$programs/$program.$name" "$@"
}

# Seconds of examples/airfoil with so many iterations.
# seconds NAME ENVIRONMENT SIZE ITERATIONS
# shellcheck disable=SC2086 # words
seconds() {
    begin=$(date +%s.%N)
    env OMP_NUM_THREADS=$count $2 "$programs/demo.$1" --cells="$3" --iterations="$4" >/dev/null 2>"$out/run.err" || {
        cat "$out/run.err" >&2
        exit 1
    }
    echo "$begin $(date +%s.%N)" | awk '{ printf "%.6f", $2 - $1 }'
}

# run_demo NAME CLEAVECC ENVIRONMENT SIZE: a run of 1000 iterations from one of 20 and one of 60.
run_demo() {
    short=$(seconds "$1" "$3" "$4" 20)
    long=$(seconds "$1" "$3" "$4" 60)
    awk -v OFS='\t' -v round="$round" -v name="$case_name" -v who="$1" -v s="$short" -v l="$long" 'BEGIN {
        step = (l - s) / 40
        print round, name, who, "whole_run", 1e3 * s, 1e3 * (l + 940 * step), 0
        print round, name, who, "start", 1e3 * s, 1e3 * (s - 20 * step), 0 }' >>"$out/samples"
}

# run_case NAME SIZE: one round of it.
run_case() {
    case_name=$1
    program=${1%%/*} count=${1##*/}
    if [ "$program" = demo ]; then
        each_build run_demo "$2"
        return
    fi
    set -- --size="$2" --iterations="$iterations"
    case $case_name in */shuffled/*) set -- "$@" --shuffled ;; esac
    each_build run_build "$program" "$@"
    case $without in *plain*) ;; *) record plain "$programs/$program.plain" "$@" ;; esac
    case $without in *hand*) return ;; esac
    case $case_name in
    airfoil/natural/* | hydra/natural/*)
        record hand OMP_NUM_THREADS="$count" "$programs/hand" "$program" "$@"
        ;;
    esac
}

measure() {
    cases >"$out/cases"
    [ -s "$out/cases" ] || refuse "--only '$only' leaves no case"
    compile_common
    compile_hand
    for program in $(sed 's|/.*||' "$out/cases" | sort -u); do
        compile_program "$program"
    done
    first=1
    if [ $more = yes ] && [ -s "$out/samples" ]; then
        first=$(awk -F '\t' '$1 >= n { n = $1 + 1 } END { print n }' "$out/samples")
    else
        : >"$out/samples"
        : >"$out/values"
    fi
    triad=$([ $size = full ] && echo 16 || echo 1)
    for round in $(seq "$first" $((first + rounds - 1))); do
        for count in $threads; do
            case_name=triad
            record "$count" OMP_NUM_THREADS="$count" "$programs/hand" triad --size="$triad"
        done
        while read -r name of; do
            run_case "$name" "$of" </dev/null
        done <"$out/cases"
    done
}

# ---- results ---------------------------------------------------------------------------------------

[ $report = yes ] || measure
[ -s "$out/samples" ] || refuse "--report: no samples in $out"
: >"$out/results.json"
status=0
awk -F '\t' -v json="$out/results.json" -v values="$out/values" -f "$here/cpu_bench_report.awk" \
    "$out/samples" >"$out/table.txt" || status=1
cat "$out/table.txt"
exit $status
