#!/bin/sh
# gpu_ncu.sh [LOOP...]: what limits a loop: NVIDIA's Nsight Compute measures the kernels of the gpu_bench_ programs that
# lie beside this script. A LOOP is PROGRAM:SIZE:LOOP:VARIANT, as in hydra:70:accu:accu_owner_staged; without one, the
# fastest variants of 2026-11-22. Times are longer than the benchmark's: the profiler holds the clocks at their base.
#
#   us      duration                             dp      double precision pipe, % of its peak
#   regs    registers of a thread                lsu     load and store unit: requests to the first cache and to shared
#   warps   warps that are resident, % of most           memory, % of its peak
#   dram    memory's bandwidth, % of its peak    shared  share of shared memory in those requests, %
#   l2      second cache, % of its peak          long, short, barrier, mio, wait, math: warps that wait per instruction
#                                                        issued: for memory, for shared memory, at a barrier, for the
#                                                        queue to shared memory, for a result, for the pipe
set -u
here=$(cd "$(dirname "$0")" && pwd)
case ${1:-} in
--help)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
-*)
    echo "gpu_ncu.sh: '$1' is not an option; try --help" >&2
    exit 2
    ;;
esac
command -v ncu >/dev/null 2>&1 || {
    echo "gpu_ncu.sh: ncu (Nsight Compute) is not in the PATH" >&2
    exit 2
}
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
CLEAVE_TUNE=${CLEAVE_TUNE:-off} # forms are compared as they are
CLEAVE_FUSE=${CLEAVE_FUSE:-off} # no loop waits for others, and a plain copy is one that copies
export LD_LIBRARY_PATH CLEAVE_TUNE CLEAVE_FUSE
[ $# -gt 0 ] || set -- hydra:70:edgecon:edgecon_owner_staged_items_r128 hydra:70:iflux:iflux_split_gather_c2_r64 \
    hydra:70:vflux:vflux_split_gather_c2_r72 hydra:70:vflux:vflux_split_gather_bulk_c2_r72 \
    hydra:70:accu:accu_owner_staged \
    airfoil:400,600:save_soln:save_soln_direct airfoil:400,600:adt_calc:adt_calc_direct \
    airfoil:400,600:res_calc:res_calc_split_transpose_merge airfoil:400,600:update:update_direct \
    airfoil_float:400,600:res_calc:res_calc_split_transpose \
    lulesh:100:integrate_stress:integrate_stress_split_gather_direct_c4_r80 \
    lulesh:100:hourglass:hourglass_split_transpose
stall=smsp__average_warps_issue_stalled
metrics=gpu__time_duration.sum,launch__registers_per_thread,sm__warps_active.avg.pct_of_peak_sustained_active
metrics=$metrics,dram__throughput.avg.pct_of_peak_sustained_elapsed,lts__t_sectors.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
for reason in long_scoreboard short_scoreboard barrier mio_throttle wait math_pipe_throttle; do
    metrics=$metrics,${stall}_${reason}_per_issue_active.ratio
done

# The last kernel of a list in Nsight's CSV: a line for each metric.
table() {
    awk -v name="$1" -F '","' '
        NF > 10 && !column["Metric Name"] {
            for (i = 1; i <= NF; i++) { word = $i; gsub(/"/, "", word); column[word] = i }
            next
        }
        NF > 10 {
            key = $column["Metric Name"]
            number = $column["Metric Value"]
            gsub(/[",]/, "", number)
            value[key] = number + 0
            if (key == "gpu__time_duration.sum" && $column["Metric Unit"] ~ /^(ns|nsecond)$/) value[key] /= 1000
        }
        function of(part,  key) {
            for (key in value) if (index(key, part)) return value[key]
            return 0
        }
        END {
            all = of("lsu_wavefronts.sum")
            share = 100 * of("mem_shared") / (all == 0 ? 1 : all)
            printf "%-46s %7.1f %5d %6.0f %5.0f %4.0f %4.0f %4.0f %7.0f %5.1f %6.1f %8.1f %4.1f %5.1f %5.1f\n", name,
                of("time_duration"), of("registers"), of("warps_active"), of("dram__"), of("lts__"), of("fp64"),
                of("lsu_wavefronts.avg"), share, of("long_scoreboard"),
                of("short_scoreboard"), of("stalled_barrier"), of("mio_throttle"), of("stalled_wait"), of("math_pipe")
        }'
}

printf '%-46s %7s %5s %6s %5s %4s %4s %4s %7s %5s %6s %8s %4s %5s %5s\n' variant us regs warps dram l2 dp lsu \
    shared long short barrier mio wait math
status=0
csv=$(mktemp) || exit 1
for wish in "$@"; do
    program=${wish%%:*} rest=${wish#*:}
    size=${rest%%:*} rest=${rest#*:}
    loop=${rest%%:*} variant=${rest#*:}
    ncu --csv --metrics "$metrics" -k "regex:$loop" -c 4 "$here/gpu_bench_$program" --size "$size" --calls 1 \
        --only "$program/*/*/$loop" --variants "$variant" >"$csv" 2>&1
    if grep -q 'gpu__time_duration' "$csv"; then
        table "$variant" <"$csv"
    else
        echo "$variant: nothing was measured: $(tail -n 1 "$csv")"
        status=1
    fi
done
rm -f "$csv"
exit $status
