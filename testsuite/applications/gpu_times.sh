#!/bin/sh
# gpu_times.sh: times the applications of a bundle (testsuite/gpu/bundle.sh) at full size on this machine's GPU, by default and with
# fused_atomic, and prints a table for each.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

usage() {
    cat <<'TEXT'
usage: gpu_times.sh [--only=NAME,...] [--rounds=N] [--copy=GB/S] [--plans=FOLDER]
Runs each application at full size in turns as it is by default, and with CLEAVE_SCHEDULE=fused CLEAVE_RACES=atomic (the form that
OP2 generates). Prints the time of a step (medians over the rounds), and for each loop above 5 % of the default run the mean of its
calls on the device (CLEAVE_TIMING=1), the bytes that it needs by that time in per cent of a copy's bandwidth, and the ratio.
  --only=NAME,...   these applications (all that have a full size)
  --rounds=N        runs of each kind for the time of a step (3)
  --copy=GB/S       bandwidth of a copy on the device, read and written (measured by ./copy, where it lies here)
  --plans=FOLDER    keeps numberings of meshes from run to run (plans)
TEXT
}

fail() {
    echo "gpu_times.sh: $*" >&2
    exit 2
}

only='' rounds=3 copy='' plans=plans
for word; do
    case $word in
    --help) usage && exit 0 ;;
    --only=?*) only=${word#*=} ;;
    --rounds=?*) rounds=${word#*=} ;;
    --copy=?*) copy=${word#*=} ;;
    --plans=?*) plans=${word#*=} ;;
    *) usage >&2 && fail "'$word' is not understood" ;;
    esac
done
case $rounds in
*[!0-9]* | 0) fail "--rounds=$rounds: a whole number from 1 on is needed" ;;
esac
mkdir -p "$plans"
CLEAVE_PLAN_CACHE=$(cd "$plans" && pwd)
LD_LIBRARY_PATH=$here/lib:$here/../lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
CLEAVE_BACKEND=cuda
CLEAVE_TUNE=${CLEAVE_TUNE:-off} # forms are compared as they are
export CLEAVE_PLAN_CACHE LD_LIBRARY_PATH CLEAVE_BACKEND CLEAVE_TUNE
if [ -z "$copy" ] && [ -x "$here/../copy" ]; then
    copy=$("$here/../copy" | sed -n 's/^copy of .*: \([0-9.]*\) GB.*/\1/p')
fi
[ -n "$copy" ] || fail "the bandwidth of a copy is not known: give --copy=GB/S, or put the program 'copy' of the bundle here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# one KIND PROGRAM OPTIONS [VARIABLE=value...]: a run; its output in KIND.out.
one() {
    kind=$1 program=$2 options=$3
    shift 3
    # shellcheck disable=SC2086 # options are words
    env "$@" "$program" $options >"$work/$kind.out" 2>"$work/$kind.err" || {
        echo "FAILED: $* $program $options: exit code $?: $(tail -n 2 "$work/$kind.err")"
        failed=1
        return 1
    }
}

# The seconds of a step, from "1000 steps in 0.27 s: 0.266 ms each, ...": appended to KIND.steps.
keep_step() {
    sed -nE 's/^[0-9]+ steps in .*: ([0-9.]+ (s|ms|us)) each.*/\1/p' "$work/$1.out" |
        awk '{ print $1 * ($2 == "s" ? 1 : $2 == "ms" ? 1e-3 : 1e-6) }' >>"$work/$1.steps"
}

times_of() {
    name=$1 options=$2
    program=$here/${name%%:*}_auto
    [ -x "$program" ] || fail "'$program' is missing: is it in the bundle?"
    echo "$name $options"
    rm -f "$work"/*.steps
    one default "$program" "$options" CLEAVE_TIMING=1 || return 0
    one fused "$program" "$options" CLEAVE_TIMING=1 CLEAVE_SCHEDULE=fused CLEAVE_RACES=atomic || return 0
    awk -v copy="$copy" -f "$here/times.awk" "$work/default.out" "$work/fused.out" >"$work/loops"
    round=0
    while [ $round -lt "$rounds" ]; do
        round=$((round + 1))
        one default "$program" "$options" && keep_step default || return 0
        one fused "$program" "$options" CLEAVE_SCHEDULE=fused CLEAVE_RACES=atomic && keep_step fused || return 0
    done
    for kind in default fused; do
        sort -g "$work/$kind.steps" | awk '{ s[NR] = $1 } END { print NR ? (s[int((NR + 1) / 2)] + s[int(NR / 2) + 1]) / 2 : "" }'
    done | awk '{ t[NR] = $1 } END { if (t[1] > 0 && t[2] > 0)
        printf "step: %.4g ms, fused_atomic %.4g ms: %.2f times as fast\n", 1e3 * t[1], 1e3 * t[2], t[2] / t[1]
        else print "step: the program prints no line \"N steps in ...\"" }'
    cat "$work/loops"
    echo
}

failed=0
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || true
echo "copy on the device: $copy GB/s read and written; $rounds rounds"
echo
awk -F '|' '/^[a-z]/ { for (i = 1; i <= NF; i++) gsub(/^ +| +$/, "", $i); if ($7 != "-") print $1 "|" $7 }' \
    "$here/applications.txt" >"$work/all"
for name in $(echo "$only" | tr ',' ' '); do
    grep -q "^$name|" "$work/all" || fail "there is no application '$name' with a full size"
done
while IFS='|' read -r name options <&3; do
    case ",${only:-$name}," in
    *",$name,"*) times_of "$name" "$options" ;;
    esac
done 3<"$work/all"
exit $failed
