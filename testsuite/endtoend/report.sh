# report.sh: CLEAVE_REPORT as a table and as JSON, on every backend; what it refuses; a program whose output it leaves
# alone.
fail() {
    echo "report.sh: $*" >&2
    cat out err >&2
    exit 1
}

"$CLEAVECC" -O0 --cleave-access=warn --cleave-arch=emu --cleave-emit=fused "$SRC/testsuite/endtoend/report.c" -o program \
    2>notes || {
    cat notes >&2
    exit 1
}

# run [VARIABLE=value...]
run() {
    env "$@" ./program >out 2>err || fail "$*: exit code not 0"
    [ ! -s out ] || fail "$*: something on stdout"
}

for backend in seq openmp cuda; do
    run CLEAVE_BACKEND=$backend CLEAVE_REPORT=1
    grep -Eq '^report of [0-9.]+ s on .*: loops [0-9.]+ s, order of the mesh and plans [0-9.]+ s$' err || fail "$backend: no head"
    grep -Eq "^move \"it\" +6 +[0-9.]+ +[0-9.]+ .*\($backend\)" err || fail "$backend: no row of 'move'"
    grep -Eq '^scale +1 .* sequential \(seq\)$' err || fail "$backend: 'scale' is not sequential"
    run CLEAVE_BACKEND=$backend CLEAVE_REPORT=report.json
    ! grep -q '^report' err || fail "$backend: a table besides the file"
    command -v python3 >/dev/null || continue
    BACKEND=$backend python3 - <<'END' >out 2>&1 || fail "$backend: the file"
import json, os
backend = os.environ["BACKEND"]
with open("report.json") as file:
    report = json.load(file)
loops = {l["loop"]: l for l in report["loops"]}
assert sorted(loops) == ['add', 'move "it"', 'scale'], loops
times = [l["seconds"] for l in report["loops"]]
assert times == sorted(times, reverse=True), times
assert abs(sum(l["share"] for l in report["loops"]) - 1) < 1e-9
assert abs(sum(times) - report["loop_seconds"]) < 1e-12
move = loops['move "it"']
assert move["calls"] == 6 and move["target"] == backend, move
assert move["bytes_per_call"] == 5000 * (8 + 16 + 8), move  # a, b twice, two entries of the map
rate = move["bytes_per_call"] / move["seconds_per_call"] * 1e-9
assert abs(rate / move["gb_per_second"] - 1) < 1e-9, move
assert abs(move["gb_per_second"] / report["copy_gb_per_second"] / move["of_copy"] - 1) < 1e-9, move
assert (move["kernel_resources"] is not None) == (backend == "cuda"), move
reasons = [(r["loop"], r["line"] > 0, "access errors" in r["reason"]) for r in report["sequential"]]
assert reasons == ([] if backend == "seq" else [("scale", True, True)]), report["sequential"]
assert len(report["plans"]) == (backend == "openmp"), report["plans"]
END
done
run CLEAVE_BACKEND=openmp CLEAVE_REPORT=1
grep -q "^sequential: loop 'scale' (.*report.c:[0-9]*): its access errors" err || fail "the reason is missing"
run CLEAVE_REPORT=0
! grep -q '^report' err || fail "a report though it is off"

# refuses MESSAGE VALUE
refuses() {
    CLEAVE_REPORT=$2 ./program >out 2>err && fail "CLEAVE_REPORT=$2 is accepted"
    grep -q -F -- "$1" err || fail "CLEAVE_REPORT=$2: no '$1'"
}
refuses "CLEAVE_REPORT=yes is not known; known are: 0, 1, and the name of a file that ends in .json" yes
refuses "CLEAVE_REPORT=.json is not known" .json
refuses "CLEAVE_REPORT: cannot write 'nowhere/report.json': No such file" nowhere/report.json
