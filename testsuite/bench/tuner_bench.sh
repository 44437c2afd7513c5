#!/bin/sh
# tuner_bench.sh: whole programs on a GPU as the tuner leaves them: steps by the rule's choices (CLEAVE_TUNE=off) beside a first, a second
# and a third run with CLEAVE_TUNE=auto, and for each large loop the rule's choice and the settled one beside the fastest of all
# candidates (CLEAVE_TUNE=full).
set -eu
here=$(cd "$(dirname "$0")" && pwd)

usage() {
    cat <<'TEXT'
usage: tuner_bench.sh [--only=ROW,...] [--rounds=N] [--seconds=N] [--full=no] FOLDER
FOLDER has the programs of examples/, compiled by cleavecc for this machine's GPU; rows whose program is missing are left out.
Each row begins with an empty store; two runs put the order of the mesh and plans into it. A round then forgets what was tuned, and
runs off, auto (1st), off, auto (2nd), off, auto (3rd), off. Prints milliseconds of a step without the first (medians of the rounds),
the ratio of each auto to the mean of off before and after it, and how many calls each auto run measured; then a line for each loop
above 5 % of the program: the fastest candidate, and the times of the rule's choice and of the settled one by its time.
  --only=ROW,...   these rows (all; a wrong name lists them)
  --rounds=N       (3)
  --seconds=N      begins no further row or round after so many seconds (no limit)
  --full=no        without the search of all candidates, and the lines of loops
  --keep=FOLDER    keeps the reports of each row's last round there
TEXT
}

fail() {
    echo "tuner_bench.sh: $*" >&2
    exit 2
}

rows='airfoil|airfoil|--cells=400,600 --iterations=1000
airfoil_shuffled|airfoil|--cells=400,600 --iterations=1000 --shuffle=7
airfoil_large|airfoil|--cells=1600,1200 --iterations=200
aero|aero|--cells=200,300 --iterations=10
aero_shuffled|aero|--cells=200,300 --iterations=10 --shuffle=7
lulesh_small|lulesh|--size=30 --cycles=1500
lulesh|lulesh|--size=100 --cycles=200
lulesh_shuffled|lulesh|--size=100 --cycles=200 --shuffle=7
lulesh_loops|lulesh_loops|--size=30 --cycles=1500
mgcfd|mgcfd|--n=52 --levels=4 --cycles=100
hydra|hydra|--n=70 --iterations=300
hydra_shuffled|hydra|--n=70 --iterations=300 --shuffle=7
jac|jac|--size=2000 --steps=500'

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

# one KIND TUNE: a run; its report in KIND.json, the milliseconds of a step appended to KIND.steps.
one() {
    # shellcheck disable=SC2086 # options are words
    env CLEAVE_TUNE="$2" CLEAVE_REPORT="$work/$1.json" "$program" $options >"$work/out" 2>"$work/err" || {
        echo "FAILED: CLEAVE_TUNE=$2 $program $options: exit code $?: $(tail -n 2 "$work/err")"
        failed=1
        return 1
    }
    sed -nE 's/^[0-9]+ steps in .*: ([0-9.]+ (s|ms|us)) each.*/\1/p' "$work/out" |
        awk '{ print $1 * ($2 == "s" ? 1000 : $2 == "ms" ? 1 : 1e-3) }' >>"$work/$1.steps"
}

measured() {
    awk '{ while (match($0, /"measured_calls": [0-9]+/)) { sum += substr($0, RSTART + 18, RLENGTH - 18); $0 = substr($0, RSTART + RLENGTH) } }
        END { printf "%d", sum }' "$work/$1.json"
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
    echo "  calls measured in auto1 $(measured auto1), auto2 $(measured auto2), auto3 $(measured auto3)"
    [ "$full" = yes ] && is_time_left || return 0
    rm -rf "$CLEAVE_PLAN_CACHE"/tuned-*
    one full full || return 0
    LC_ALL=C awk -f "$here/tuner_bench.awk" "$work/off1.json" "$work/auto3.json" "$work/full.json"
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || true
echo "$rows" >"$work/rows"
while IFS='|' read -r name program options <&3; do
    program=$folder/$program
    case ",${only:-$name}," in
    *",$name,"*) [ ! -x "$program" ] || ! is_time_left || row_of ;;
    esac
done 3<"$work/rows"
exit $failed
