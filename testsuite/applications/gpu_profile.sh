#!/bin/sh
# gpu_profile.sh: says what limits loops of the applications of a bundle (testsuite/gpu/bundle.sh) on this machine's GPU: NVIDIA's
# Nsight Compute (ncu) measures one call of each by default and with fused_atomic, and a table shows both.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

usage() {
    cat <<'TEXT'
usage: gpu_profile.sh [--skip=N] [--plans=FOLDER] [--set=VARIABLE=VALUE]... NAME/LOOP...
Profiles LOOP of the application NAME (as in miniaero/limit, jac:float/res_float) at full size, by default and with
CLEAVE_SCHEDULE=fused CLEAVE_RACES=atomic, and prints a line for each kernel:
  us      time, at the clocks that the GPU has at the moment
  regs    registers of a thread
  warps   warps that are resident, % of most
  dram    bandwidth of memory, % of its peak
  l2      second cache, % of its peak
  l1      first cache and shared memory, % of their peak
  shared  wavefronts of shared memory, % of the peak
  fp64    pipe of double precision, % of its peak
  red/ns  sectors of 32 bytes with atomic operations in the second cache, per nanosecond
  stall   what warps wait for most, and how many wait for it per instruction issued
  --skip=N          calls of the loop before the one that is measured (2)
  --plans=FOLDER    keeps numberings of meshes from run to run (plans)
  --set=...         sets a variable in both runs, as in --set=CLEAVE_BLOCK_SIZE=256; may be repeated
TEXT
}

fail() {
    echo "gpu_profile.sh: $*" >&2
    exit 2
}

skip=2 plans=plans wishes='' settings=''
for word; do
    case $word in
    --help) usage && exit 0 ;;
    --skip=?*) skip=${word#*=} ;;
    --plans=?*) plans=${word#*=} ;;
    --set=?*=*) settings="$settings ${word#--set=}" ;;
    -*) usage >&2 && fail "'$word' is not understood" ;;
    ?*/?*) wishes="$wishes $word" ;;
    *) fail "'$word' is no NAME/LOOP" ;;
    esac
done
case $skip in
*[!0-9]*) fail "--skip=$skip: a whole number is needed" ;;
esac
[ -n "$wishes" ] || { usage >&2 && fail "no loop is given"; }
command -v ncu >/dev/null 2>&1 || fail "ncu (NVIDIA Nsight Compute) is not in the PATH: it comes with the CUDA toolkit"
mkdir -p "$plans"
CLEAVE_PLAN_CACHE=$(cd "$plans" && pwd)
LD_LIBRARY_PATH=$here/lib:$here/../lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# What runs is the rule's choice, as one launch after the other.
export CLEAVE_PLAN_CACHE LD_LIBRARY_PATH CLEAVE_BACKEND=cuda CLEAVE_TUNE=off CLEAVE_GRAPH=off CLEAVE_PLAN=wait
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

stall=smsp__average_warps_issue_stalled
metrics=gpu__time_duration.sum,launch__registers_per_thread,sm__warps_active.avg.pct_of_peak_sustained_active
metrics=$metrics,dram__throughput.avg.pct_of_peak_sustained_elapsed,lts__throughput.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,l1tex__throughput.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active
metrics=$metrics,lts__t_sectors_op_red.sum,lts__t_sectors_op_atom.sum
for reason in long_scoreboard short_scoreboard barrier lg_throttle mio_throttle math_pipe_throttle drain wait; do
    metrics=$metrics,${stall}_${reason}_per_issue_active.ratio
done

# one PROGRAM OPTIONS LOOP VARIABLE=value...: profiles the kernels of one call; 1: nothing was measured.
one() {
    program=$1 options=$2 loop=$3
    shift 3
    # shellcheck disable=SC2086 # options and settings are words
    env "$@" $settings ncu --csv --clock-control none --kill yes --metrics "$metrics" \
        -k "regex:^${loop}_(direct|fused|split|loops|twopass|owner)" --launch-skip "$skip" --launch-count 1 \
        "$program" $options >"$work/csv" 2>&1 || true
    awk -f "$here/profile.awk" "$work/csv" || {
        echo "$loop: nothing was measured: $(grep -v '^==PROF==' "$work/csv" | tail -n 1)"
        return 1
    }
}

status=0
printf '%-44s %9s %5s %6s %5s %5s %5s %7s %5s %7s  %s\n' kernel us regs warps dram l2 l1 shared fp64 red/ns stall
for wish in $wishes; do
    name=${wish%/*} loop=${wish##*/}
    program=$here/${name%%:*}_auto
    options=$(awk -F '|' -v name="$name" '/^[a-z]/ { for (i = 1; i <= NF; i++) gsub(/^ +| +$/, "", $i)
        if ($1 == name) print $7 }' "$here/applications.txt")
    case $options in
    '' | -) fail "there is no application '$name' with a full size" ;;
    esac
    [ -x "$program" ] || fail "'$program' is missing: is it in the bundle?"
    echo "$name $options"
    one "$program" "$options" "$loop" || status=1
    one "$program" "$options" "$loop" CLEAVE_SCHEDULE=fused CLEAVE_RACES=atomic || status=1
done
exit $status
