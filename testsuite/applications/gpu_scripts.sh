#!/bin/sh
# gpu_scripts.sh: the scripts that run the applications of a bundle on a GPU, on programs that stand in for applications.
set -eu
here=$SRC/testsuite/applications
fail() {
    echo "gpu_scripts.sh: $*" >&2
    exit 1
}
cp "$here"/*.awk "$here/matrix.sh" "$here/gpu_matrix.sh" "$here/gpu_times.sh" "$here/gpu_profile.sh" .
cat >applications.txt <<'TEXT'
# name | folder | small | emulated | checks | tolerance | full
heat   | heat   | --n=4 | = | --n=8 | 1e-10 | --n=99
heat:cold | heat | --n=5 | = | --n=9 | 1e-10 | -
rain   | rain   | --n=6 | = | --n=8 | 1e-10 | -
TEXT

# Times: with fused_atomic flux takes twice as long, with CLEAVE_TIMING=1 there are medians. flux runs on two meshes, by another
# variant on the second: means count all calls.
cat >heat <<'TEXT'
#!/bin/sh
if [ "${CLEAVE_VARIANT:-}" = list ]; then
    echo "cuda flux flux_owner"
    exit
fi
energy=3
[ "$CLEAVE_BACKEND:${FAULT:-}" != cuda:value ] || energy=2
[ "${FAULT:-}" != crash ] || { echo "no GPU" >&2 && exit 1; }
echo "energy = $energy"
us=15.000 time=0.000950 rate=1000.0 variant=flux_owner step=0.5
[ "${CLEAVE_RACES:-}" != atomic ] || us=25.000 time=0.001950 rate=500.0 variant=flux_fused_atomic step=0.75
echo "loop          count      time [s]        GB/s  plan time [s]  ${CLEAVE_TIMING:+median [us]}  kernel  variant"
echo "flux        8      $time      $rate       0.000000  ${CLEAVE_TIMING:+$us} flux  $variant (cuda)"
echo "flux        2      0.000050      $rate       0.000000  ${CLEAVE_TIMING:+25.000} flux  flux_other (cuda)"
echo "step       10      0.000500      1500.0       0.000000  ${CLEAVE_TIMING:+50.000} step  step_direct (cuda)"
echo "rare       10      0.000010      1500.0       0.000000  ${CLEAVE_TIMING:+1.000} rare  rare_direct (cuda)"
echo "total                    0.001510       6.319       0.000124"
echo "times: on the device"
echo "10 steps in 1 s: $step ms each, the first 20 ms"
TEXT
chmod +x heat
ln -s heat heat_auto
ln -s heat heat_soa

# runs STATUS COMMAND...: its output is in `out` and `err`.
runs() {
    expected=$1 code=0
    shift
    "$@" >out 2>err || code=$?
    [ $code -eq "$expected" ] || fail "$*: exit code $code: $(cat out err)"
}

runs 1 sh gpu_matrix.sh
grep -qx 'heat: 15 ok, 0 failed, 2 not possible (-), 0 not run for lack of time' out || fail "matrix: $(cat out)"
grep -q '^heat:cold: 15 ok, 0 failed' out || fail "matrix of the second line: $(cat out)"
grep -q '^  FAIL: - - - -, program: it is not in the bundle' out || fail "a missing program: $(cat out)"
awk -f table.awk results/heat.records | grep -q '^cuda  *owner .* ok$\|^cuda  *owner .* -$' || fail "records: $(cat results/heat.records)"
runs 0 sh gpu_matrix.sh --part=1/3 --jobs=2
grep -qx heat out && ! grep -q 'rain\|cold' out || fail "--part: $(cat out)"
FAULT=value runs 1 sh gpu_matrix.sh --only=heat --results=others
grep -q 'cuda default - -, natural: energy = 2, sequentially 3' out || fail "a wrong result: $(cat out)"
runs 2 sh gpu_matrix.sh --only=snow
grep -q "there is no application 'snow', but heat heat:cold rain" err || fail "$(cat err)"
for word in --part=4/3 --part=0/3 --jobs=0 --limit=x --all; do
    runs 2 sh gpu_matrix.sh $word
done

runs 0 sh gpu_times.sh --copy=2000 --rounds=2
cat >expected <<'TEXT'
copy on the device: 2000 GB/s read and written; 2 rounds

heat --n=99
step: 0.5 ms, fused_atomic 0.75 ms: 1.50 times as fast
loop                      share    calls         us  % copy fused_atomic  % copy  ratio  variant
flux                      66.2%       10     100.00    50.0       200.00    25.0   2.00  flux_owner (cuda)
step                      33.1%       10      50.00    75.0        50.00    75.0   1.00  step_direct (cuda)
all loops: 0.00151 s, fused_atomic 0.00251 s

TEXT
grep -v ', *[0-9.]*$' out | diff expected - || fail "times: another table"
FAULT=crash runs 1 sh gpu_times.sh --copy=2000
grep -q '^FAILED: .*heat_auto --n=99: exit code 1: no GPU' out || fail "a run that fails: $(cat out)"
runs 2 sh gpu_times.sh
grep -q 'the bandwidth of a copy is not known' err || fail "$(cat err)"
runs 2 sh gpu_times.sh --copy=2000 --only=rain
for word in --rounds=0 --rounds=x --all; do
    runs 2 sh gpu_times.sh --copy=1 $word
done

# Profiles: ncu prints what the real one does, a line for each metric, after the program's own lines.
runs 2 sh gpu_profile.sh heat/flux
grep -q 'ncu (NVIDIA Nsight Compute) is not in the PATH' err || fail "no ncu: $(cat err)"
mkdir bin
cat >bin/ncu <<'TEXT'
#!/bin/sh
[ "${CLEAVE_TUNE:-}${CLEAVE_GRAPH:-}" = offoff ] || exit 1
case " $* " in
*' regex:^rare_'*) echo "==ERROR== no kernels were profiled" && exit 1 ;;
*' -k regex:^flux_(direct|fused|split|loops|twopass|owner) --launch-skip 5 --launch-count 1 '*'/heat_auto --n=99 '*) ;;
*) exit 1 ;;
esac
name=flux_owner_1 us=12,345.0
[ "${CLEAVE_RACES:-}" != atomic ] || name=flux_fused_atomic us=25,000.0
kernel="void <unnamed>::$name<2, 64>(cleave_block_plan<1>, const double *)"
echo "a line of the program"
echo '"ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"'
line() { printf '"0","%s","Command line profiler metrics","%s","%s","%s"\n' "$kernel" "$1" "$2" "$3"; }
line gpu__time_duration.sum ns "$us"
line launch__registers_per_thread register/thread 64
line sm__warps_active.avg.pct_of_peak_sustained_active % 41.10
line dram__throughput.avg.pct_of_peak_sustained_elapsed % 32.41
line lts__throughput.avg.pct_of_peak_sustained_elapsed % "${CLEAVE_BLOCK_SIZE:-61.26}"
line l1tex__throughput.avg.pct_of_peak_sustained_elapsed % 65.79
line l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed % 43.09
line sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active % 19.56
line lts__t_sectors_op_red.sum sector 24,690
line lts__t_sectors_op_atom.sum sector 12,345
line smsp__average_warps_issue_stalled_drain_per_issue_active.ratio inst 0.06
line smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio inst 8.35
TEXT
chmod +x bin/ncu
PATH=$PWD/bin:$PATH
export PATH
runs 0 sh ./gpu_profile.sh --skip=5 --set=CLEAVE_BLOCK_SIZE=50 heat/flux
cat >expected <<'TEXT'
kernel                                              us  regs  warps  dram    l2    l1  shared  fp64  red/ns  stall
heat --n=99
flux_owner_1<2, 64>                               12.3    64   41.1  32.4  50.0  65.8    43.1  19.6    3.00  8.3 long_scoreboard
flux_fused_atomic<2, 64>                          25.0    64   41.1  32.4  50.0  65.8    43.1  19.6    1.48  8.3 long_scoreboard
TEXT
diff expected out || fail "profile: another table"
runs 1 sh ./gpu_profile.sh heat/rare
grep -qx 'rare: nothing was measured: ==ERROR== no kernels were profiled' out || fail "profile of nothing: $(cat out)"
for word in '' heat --skip=x heat:cold/flux snow/flux --all; do
    # shellcheck disable=SC2086 # no word is none
    runs 2 sh ./gpu_profile.sh $word
done
