#!/bin/sh
# tuner_bench.sh: whole programs on a GPU as the tuner leaves them: steps by the rule's choices (CLEAVE_TUNE=off) beside a first, a second
# and a third run by default, and for each large loop the rule's choice and what longer runs settle on beside the fastest of all
# candidates (CLEAVE_TUNE=full).
set -eu
here=$(cd "$(dirname "$0")" && pwd)

usage() {
    cat <<'TEXT'
usage: tuner_bench.sh [--only=ROW,...] [--rounds=N] [--seconds=N] [--full=no] FOLDER
FOLDER has the programs of examples/, compiled by cleavecc for this machine's GPU; rows whose program is missing are left out.
Each row begins with an empty store; two runs put the order of the mesh and plans into it. A round then forgets what was tuned, and
runs off, auto (1st), off, auto (2nd), off, auto (3rd), off. auto is the default: CLEAVE_TUNE is unset. Prints milliseconds of a step
without the first (medians of the rounds), the ratio of each auto to the mean of off before and after it, how many calls each auto run
measured, and the share of the loops' time that trials of the first one cost.
Then everything tuned is forgotten again: two long runs by default, whose first has the time to settle all loops, and a long one that
measures all candidates. Prints how many calls the long runs measured, and a line for each loop above 5 % of the program: the fastest
candidate with the distance of the quartiles of its calls, the times of the rule's choice and of the settled one by its time, and whether the settled one is within 5 %.
  --only=ROW,...   these rows (all; a wrong name lists them)
  --rounds=N       (3)
  --seconds=N      begins no further row or round after so many seconds (no limit)
  --full=no        without the long runs, and the lines of loops
  --keep=FOLDER    keeps the reports of each row's last round there
TEXT
}

fail() {
    echo "tuner_bench.sh: $*" >&2
    exit 2
}

# name, program, options, options of the long runs (the last one counts). lulesh ends by itself: 27,000 elements after 0.1 s.
rows='airfoil|airfoil|--cells=400,600 --iterations=1000|--iterations=10000
airfoil_shuffled|airfoil|--cells=400,600 --iterations=1000 --shuffle=7|--iterations=10000
airfoil_large|airfoil|--cells=1600,1200 --iterations=200|--iterations=2000
aero|aero|--cells=200,300 --iterations=10|--iterations=300
aero_shuffled|aero|--cells=200,300 --iterations=10 --shuffle=7|--iterations=300
lulesh_small|lulesh|--size=30 --cycles=1500|--cycles=1500
lulesh|lulesh|--size=100 --cycles=200|--cycles=2000
lulesh_shuffled|lulesh|--size=100 --cycles=200 --shuffle=7|--cycles=2000
lulesh_loops|lulesh_loops|--size=30 --cycles=1500|--cycles=1500
mgcfd|mgcfd|--n=52 --levels=4 --cycles=100|--cycles=4000
hydra|hydra|--n=70 --iterations=300|--iterations=2500
hydra_shuffled|hydra|--n=70 --iterations=300 --shuffle=7|--iterations=2500
jac|jac|--size=2000 --steps=500|--steps=8000'

only='' rounds=3 seconds=1000000 full=yes keep='' folder=''
for word; do
    case $word in
    --help) usage && exit 0 ;;
    --only=?*) only=${word#*=} ;;
    --rounds=[1-9]*) rounds=${word#*=} ;;
    --seconds=[1-9]*) seconds=${word#*=} ;;
    --full=no) full=no ;;
    --keep=?*) keep=${word#*=} ;;
    -*) usage >&2 && fail "'$word' is not understood" ;;
    *) folder=$word ;;
    esac
done
case $rounds$seconds in *[!0-9]*) fail "--rounds and --seconds are whole numbers" ;; esac
[ -d "$folder" ] || { usage >&2 && fail "'$folder' is no folder of programs"; }
folder=$(cd "$folder" && pwd)
[ -z "$keep" ] || mkdir -p "$keep"
for row in $(echo "$only" | tr ',' ' '); do
    echo "$rows" | grep -q "^$row|" || fail "there is no row '$row'; rows are $(echo "$rows" | cut -d '|' -f 1 | tr '\n' ' ')"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CLEAVE_BACKEND=cuda CLEAVE_PLAN_CACHE="$work/store"
begin=$(date +%s)
failed=0

is_time_left() {
    [ $(($(date +%s) - begin)) -lt "$seconds" ]
}

# one KIND TUNE [OPTION...]: a run, with CLEAVE_TUNE unset where TUNE is auto; its report in KIND.json, the milliseconds of a step
# appended to KIND.steps.
one() {
    one_kind=$1 one_tune=$2
    shift 2
    [ "$one_tune" != auto ] || one_tune=
    # shellcheck disable=SC2086 # options are words
    env CLEAVE_TUNE="$one_tune" CLEAVE_REPORT="$work/$one_kind.json" "$program" $options "$@" >"$work/out" 2>"$work/err" || {
        echo "FAILED: CLEAVE_TUNE=$one_tune $program $options $*: exit code $?: $(tail -n 2 "$work/err")"
        failed=1
        return 1
    }
    sed -nE 's/^[0-9]+ steps in .*: ([0-9.]+ (s|ms|us)) each.*/\1/p' "$work/out" |
        awk '{ print $1 * ($2 == "s" ? 1000 : $2 == "ms" ? 1 : 1e-3) }' >>"$work/$one_kind.steps"
}

measured() {
    awk '{ while (match($0, /"measured_calls": [0-9]+/)) { sum += substr($0, RSTART + 18, RLENGTH - 18); $0 = substr($0, RSTART + RLENGTH) } }
        END { printf "%d", sum }' "$work/$1.json"
}

# What trials of a run cost, in % of the time of its loops.
lost() {
    awk 'function number(name) { return match($0, "\"" name "\": [0-9.e+-]+") ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4) + 0 : 0 }
        /^\{"loop": / && /"share": / { total += number("seconds") }
        /^\{"loop": / && /"candidates": \[/ { lost += number("lost_seconds"); setup += number("setup_seconds") }
        END { if (total > 0) printf "%.2f %% in loops, %.2f %% on the host", 100 * lost / total, 100 * setup / total; else printf "?" }' "$work/$1.json"
}

round_of() {
    rm -rf "$CLEAVE_PLAN_CACHE"/tuned-*
    one off1 off && one auto1 auto && one off2 off && one auto2 auto && one off3 off && one auto3 auto && one off4 off
}

# A machine may become faster or slower during a round: ratios are to the runs without tuning on either side.
steps() {
    (cd "$work" && paste off1.steps auto1.steps off2.steps auto2.steps off3.steps auto3.steps off4.steps) | awk '
        function median(list, n,    i, j, x) {
            for (i = 2; i <= n; i++) for (j = i; j > 1 && list[j] < list[j - 1]; j--) { x = list[j]; list[j] = list[j - 1]; list[j - 1] = x }
            return (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2
        }
        NF == 7 {
            n++
            for (k = 1; k <= 3; k++) { t[k, n] = $(2 * k); r[k, n] = 2 * $(2 * k) / ($(2 * k - 1) + $(2 * k + 1)) }
            for (k = 1; k <= 7; k += 2) o[++m] = $k
            noise[n] = 2 * $5 / ($3 + $7)
        }
        END {
            if (n == 0) { print "  the program prints no line \"N steps in ...\""; exit }
            printf "  off %.4g ms (third to its neighbours %.3f)", median(o, m), median(noise, n)
            for (k = 1; k <= 3; k++) {
                for (i = 1; i <= n; i++) { a[i] = t[k, i]; b[i] = r[k, i] }
                printf "; auto%d %.4g ms = %.3f", k, median(a, n), median(b, n)
            }
            print ""
        }'
}

row_of() {
    echo "$name: ${program##*/} $options"
    rm -rf "$CLEAVE_PLAN_CACHE" "$work"/*.steps
    mkdir -p "$CLEAVE_PLAN_CACHE"
    one warm off && one warm off || return 0
    round=0
    while [ "$round" -lt "$rounds" ] && { [ "$round" -eq 0 ] || is_time_left; }; do
        round=$((round + 1))
        round_of || return 0
    done
    steps
    [ -z "$keep" ] || for kind in off1 off3 auto1 auto2 auto3; do cp "$work/$kind.json" "$keep/${name}_$kind.json"; done
    echo "  calls measured in auto1 $(measured auto1), auto2 $(measured auto2), auto3 $(measured auto3); trials of auto1 took $(lost auto1)"
    [ "$full" = yes ] && is_time_left || return 0
    rm -rf "$CLEAVE_PLAN_CACHE"/tuned-*
    # shellcheck disable=SC2086 # options are words
    one long1 auto $long && one long2 auto $long || return 0
    echo "  long runs ($long): calls measured $(measured long1), then $(measured long2); trials took $(lost long1), then $(lost long2)"
    rm -rf "$CLEAVE_PLAN_CACHE"/tuned-*
    # shellcheck disable=SC2086
    one full full $long || return 0
    [ -z "$keep" ] || for kind in long1 long2 full; do cp "$work/$kind.json" "$keep/${name}_$kind.json"; done
    LC_ALL=C awk -f "$here/tuner_bench.awk" "$work/off1.json" "$work/long2.json" "$work/full.json"
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || true
echo "$rows" >"$work/rows"
while IFS='|' read -r name program options long <&3; do
    program=$folder/$program
    case ",${only:-$name}," in
    *",$name,"*) [ ! -x "$program" ] || ! is_time_left || row_of ;;
    esac
done 3<"$work/rows"
exit $failed
