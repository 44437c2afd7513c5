#!/bin/sh
# gpu_bench.sh [options]: times the loops of the gpu_bench_ programs that lie beside it, in every
# compiled variant, and checks what they give. Needs nothing but the programs, so that it runs on any
# machine.
#
#   --minutes M         begin nothing new after M minutes (default: no limit)
#   --quick             small meshes, seconds, instead of the full ones
#   --only PATTERN      of PROGRAM/SIZE/ORDER/LOOP, as in 'hydra/70/*/accu' (default: all)
#   --variants PATTERN  of names of variants, as in '*_owner'; may be repeated (default: all)
#   --settings WORDS    environment of the programs, as in 'CLEAVE_BLOCK_SIZE=256
#                       CLEAVE_RENUMBER=off'; may be repeated: all is run with each (default: none)
#   --calls K           timed calls of each variant (default: 11)
#   --out DIR           for results.json (one object per line) and log.txt (default: results, beside
#                       this script)
#
# `copy`, when it lies here too, measures the bandwidth that per cents are of. Exit code 1 when a
# check failed or nothing was measured, 2 for bad options.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=$here/results minutes='' only='*' calls=11 size=full
settings='' variants='' # one per line

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$here/$(basename "$0")"
}

refuse() {
    echo "gpu_bench.sh: $*; try --help" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --help)
        usage
        exit 0
        ;;
    --quick) size=quick ;;
    --minutes | --only | --variants | --settings | --calls | --out)
        [ $# -ge 2 ] || refuse "a value is missing after $1"
        case $1 in
        --minutes) minutes=$2 ;;
        --only) only=$2 ;;
        --variants) variants="$variants$2
" ;;
        --settings) settings="$settings$2
" ;;
        --calls) calls=$2 ;;
        --out) out=$2 ;;
        esac
        shift
        ;;
    *) refuse "'$1' is not an option" ;;
    esac
    shift
done
case $minutes in *[!0-9]*) refuse "--minutes: '$minutes' is not a whole number" ;; esac
case $calls in '' | *[!0-9]*) refuse "--calls: '$calls' is not a number" ;; esac
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
: >"$out/results.json"
: >"$out/log.txt"
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
CLEAVE_PLAN_CACHE=${CLEAVE_PLAN_CACHE:-$out/plans} # a mesh that comes again is not ordered again
CLEAVE_TUNE=${CLEAVE_TUNE:-off} # forms are compared as they are
export LD_LIBRARY_PATH CLEAVE_PLAN_CACHE CLEAVE_TUNE
begin=$(date +%s)
failed=0

say() {
    echo "$*" | tee -a "$out/log.txt"
}

# The cases to run, most important first: program, size, order.
cases() {
    if [ $size = quick ]; then
        for order in natural shuffled; do
            echo "hydra 8 $order"
            echo "hydra 16 $order"
            echo "airfoil 20,30 $order"
            echo "airfoil_float 20,30 $order"
            echo "lulesh 10 $order"
        done
        return
    fi
    for order in natural shuffled; do
        for case in 'hydra 70' 'airfoil 400,600' 'airfoil_float 400,600' 'lulesh 100' 'hydra 112' \
            'airfoil 800,2400' 'airfoil_float 800,2400' 'lulesh 200'; do
            echo "$case $order"
        done
    done
}

# Seconds that are left, at least 1; 0: no limit. Fails when the time is up.
time_left() {
    [ -n "$minutes" ] || {
        echo 0
        return 0
    }
    left=$((begin + 60 * minutes - $(date +%s)))
    [ $left -gt 0 ] && echo $left
}

# run_case PROGRAM SIZE ORDER [VARIABLE=value...]
run_case() {
    name=$1 of=$2 order=$3
    shift 3
    environment="$*"
    left=$(time_left) || {
        say "left out for lack of time: $name $of $order $environment"
        return 0
    }
    set -- --size "$of" --order "$order" --calls "$calls" --only "$only" --json "$out/results.json" \
        --list "$out/variants.$name"
    [ "$left" = 0 ] || set -- "$@" --seconds "$left"
    [ -z "$copy" ] || set -- "$@" --copy "$copy"
    while read -r pattern; do
        [ -z "$pattern" ] || set -- "$@" --variants "$pattern"
    done <<LIST
$variants
LIST
    : >"$out/done.txt"
    begun=-1
    # A variant that ends the program is named, and the others are run without it.
    while [ "$(wc -l <"$out/done.txt")" -gt "$begun" ]; do
        begun=$(wc -l <"$out/done.txt")
        # shellcheck disable=SC2086 # words
        env $environment "$here/gpu_bench_$name" "$@" --done "$out/done.txt" >"$out/case.txt" 2>&1
        status=$?
        grep -q -- '--only leaves nothing to measure' "$out/case.txt" && return 0
        say "== $name $of $order $environment"
        tee -a "$out/log.txt" <"$out/case.txt"
        [ $status -eq 0 ] || failed=1
        grep -q ' measured, .* left out ' "$out/case.txt" && return 0
        say "FAILED: ended with exit code $status in: $(tail -n 1 "$out/done.txt")"
    done
}

# run_cases [VARIABLE=value...]
run_cases() {
    cases >"$out/cases.txt"
    while read -r program size_of numbering; do
        [ ! -x "$here/gpu_bench_$program" ] || run_case "$program" "$size_of" "$numbering" "$@" </dev/null
    done <"$out/cases.txt"
}

# The fastest variant of each loop, mesh, numbering and setting, of those whose results are right.
best() {
    awk '
        function field(name,  rest) {
            if (!match($0, "\"" name "\": \"?[^\",}]*")) return "-"
            rest = substr($0, RSTART, RLENGTH)
            sub(/^"[^"]*": "?/, "", rest)
            return rest
        }
        function settings(  rest, all, word) {
            rest = $0
            while (match(rest, /"CLEAVE_[A-Z_]*": "[^"]*"/)) {
                word = substr(rest, RSTART, RLENGTH)
                rest = substr(rest, RSTART + RLENGTH)
                gsub(/"/, "", word)
                sub(/: /, "=", word)
                all = all " " word
            }
            return all
        }
        !/"passed": true/ { next }
        {
            size = $0 # holds commas
            sub(/.*"size": "/, "", size)
            sub(/".*/, "", size)
            key = sprintf("%-13s %-9s %-8s %-16s", field("program"), size, field("order"), field("loop"))
            key = key settings()
            if (/"deterministic": true/) {
                ordered[key] = sprintf("; deterministic %s times, %s", field("of_fastest"),
                                       field("variant"))
                next
            }
            us = field("us") + 0
            if (!(key in least)) keys[++count] = key
            if (!(key in least) || us < least[key]) {
                least[key] = us
                what[key] = sprintf("%10.1f us %6s %%  %s", us, field("percent_of_copy"),
                                    field("variant"))
            }
        }
        END { for (k = 1; k <= count; k++) print keys[k], what[keys[k]] ordered[keys[k]] }' "$out/results.json"
}

copy=
if [ -x "$here/copy" ]; then
    bandwidth=$("$here/copy" 2>&1) || say "no bandwidth to compare with: $bandwidth"
    copy=$(echo "$bandwidth" | sed -n 's/^copy of .*: \([0-9.]*\) GB.*/\1/p')
    [ -z "$copy" ] || say "$bandwidth"
fi
for program in "$here"/gpu_bench_*; do
    name=${program##*/gpu_bench_}
    [ ! -x "$program" ] || CLEAVE_VARIANT=list "$program" >"$out/variants.$name" ||
        refuse "$program does not run"
done

if [ -z "$settings" ]; then
    run_cases
fi
while read -r environment; do
    # shellcheck disable=SC2086 # words
    [ -z "$environment" ] || run_cases $environment
done <<LIST
$settings
LIST
rm -f "$out/case.txt" "$out/cases.txt" "$out/done.txt"
[ -s "$out/results.json" ] || {
    say "nothing was measured"
    exit 1
}
say "fastest variants"
best | tee -a "$out/log.txt"
[ $failed -eq 0 ] && say "all checks passed" || say "some checks FAILED"
exit $failed
