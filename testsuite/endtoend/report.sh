# report.sh: CLEAVE_REPORT as a table, as JSON that fits its schema, and as a page that shows the JSON, on every backend;
# what it refuses; files that cannot be written; a program whose output it leaves alone.
fail() {
    echo "report.sh: $*" >&2
    cat out err >&2
    exit 1
}

"$CLEAVECC" -O0 --cleave-access=warn --cleave-arch=emu --cleave-emit=fused --cleave-fuse=set "$SRC/testsuite/endtoend/report.c" -o program \
    2>notes || {
    cat notes >&2
    exit 1
}

# run [VARIABLE=value...]
run() {
    env "$@" ./program >out 2>err || fail "$*: exit code not 0"
    [ ! -s out ] || fail "$*: something on stdout"
}

# check_files NAME: the page shows the JSON, which fits its schema.
check_files() {
    ! command -v python3 >/dev/null ||
        python3 "$SRC/testsuite/endtoend/report_page.py" "$1.html" "$1.json" "$SRC/runtime/report/report.schema.json"
}

for backend in seq openmp cuda; do
    run CLEAVE_BACKEND=$backend CLEAVE_REPORT=1
    grep -Eq '^report of [0-9.]+ s on .*: loops [0-9.]+ s, order of the mesh and plans [0-9.]+ s$' err || fail "$backend: no head"
    grep -Eq "^move \"it\" +6 +[0-9.]+ +[0-9.]+ .*\($backend\)" err || fail "$backend: no row of 'move'"
    grep -Eq '^scale +1 .* sequential \(seq\)$' err || fail "$backend: 'scale' is not sequential"
    run CLEAVE_BACKEND=$backend CLEAVE_REPORT=report.json,report.html
    ! grep -q '^report' err || fail "$backend: a table besides the files"
    command -v python3 >/dev/null || continue
    check_files report >out 2>&1 || fail "$backend: the page"
    BACKEND=$backend python3 - <<'END' >out 2>&1 || fail "$backend: the file"
import json, os
backend = os.environ["BACKEND"]
with open("report.json") as file:
    report = json.load(file)
host = sum(report["host"].values())
assert abs(host - report["seconds"]) < 1e-9, (host, report["seconds"])
device = backend == "cuda"
transfers = report["transfers"]
# `a`, `b` and the sum's dat are fetched or written by the sequential loop; both entries of the map go to the device.
assert (transfers["to_device"]["bytes"] >= 5000 * 8) == device, transfers
assert (transfers["from_device"]["count"] > 0) == device, transfers
assert (report["waits"]["count"] > 0) == device, report["waits"]
started = {(s["what"], s["about"]): s for s in report["start"]}
assert ("op_decl_dat", "a") in started and all(0 <= s["begin_seconds"] < report["seconds"] for s in started.values()), started
assert [s["begin_seconds"] for s in report["start"]] == sorted(s["begin_seconds"] for s in report["start"]), report["start"]
for part in ("wait for the start of the device", ""), ("upload", "end"), ("launch", 'move "it"'), ("choice of a variant", "add"):
    assert (part in started) == (device or backend == "openmp" and part[0] == "choice of a variant"), (part, started)
if device:  # sets and maps need none
    end = started["op_decl_map", "end"]
    assert started["wait for the start of the device", ""]["begin_seconds"] >= end["begin_seconds"] + end["seconds"], started
beside = {s["what"] for s in report["start"] if s["beside"]}
assert ({"start of the device"} if device else set()) <= beside <= ({"start of the device", "buffers for transfers", "code of kernels"} if device else set()), beside
assert report["graphs"]["loops"] >= 2 * report["graphs"]["count"] >= 0, report["graphs"]
assert report["further_variants"]["wanted"] == 0, report["further_variants"]
assert (report["host"]["kernel_seconds"] > 0) and (report["device_properties"] is not None) == device, report["host"]
loops = {l["loop"]: l for l in report["loops"]}
staged = loops['move "it"']["stages"]
assert all(s["staged"] == "nothing" or s["staged_bytes_per_point"] > 0 for s in staged), staged
assert (len(staged) > 0) == (device and "colour" in loops['move "it"']["variant"]), loops
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

# Variants with blocks stage records, on a mesh that the runtime orders: the report names both.
run CLEAVE_BACKEND=cuda CLEAVE_RACES=colour CLEAVE_RENUMBER=on CLEAVE_REPORT=1,staged.json,staged.html
check_files staged >out 2>&1 || fail "the page of an ordered mesh"
grep -q '^"order": {"primary": "edges"' staged.json || fail "no order"
grep -q '^report' err || fail "no table besides the file"
grep -q '"stages": \[{"name": "whole body", "staged_bytes_per_point": 16, "staged": "a\[0\] +b\[0\]"}\]' staged.json ||
    fail "no stages: $(grep '"move' staged.json)"

# Files appear whole, or stay as they were: several programs at once, and disks that are full.
for program in 1 2 3 4; do
    CLEAVE_REPORT=at_once.json ./program >out 2>err &
done
wait
[ "$(tail -c 2 at_once.json)" = "}" ] || fail "a part of at_once.json"
ln -s /dev/full full.json
run CLEAVE_REPORT=full.json
grep -q "^cleave: warning: CLEAVE_REPORT: cannot write 'full.json': No space left on device" err || fail "a full disk"
cp report.html before.html
(
    trap '' XFSZ
    ulimit -f 4
    exec env CLEAVE_REPORT=report.html ./program
) >out 2>err || fail "a file that may not grow: exit code not 0"
grep -q "^cleave: warning: CLEAVE_REPORT: cannot write 'report.html': File too large" err || fail "a file that may not grow"
cmp report.html before.html || fail "report.html has changed"
[ -z "$(find . -name '.*.json.*' -o -name '.*.html.*')" ] || fail "temporary files: $(ls -A)"

# An older report that stays is not taken for that of a program without op_exit.
run WITHOUT_OP_EXIT=1 CLEAVE_REPORT=report.html
grep -q "^cleave: warning: CLEAVE_REPORT: the program ends without op_exit, so there is no report of this run" err || fail "without op_exit"
run WITHOUT_OP_EXIT=1
! grep -q op_exit err || fail "a warning without a report"

# refuses MESSAGE VALUE
refuses() {
    CLEAVE_REPORT=$2 ./program >out 2>err && fail "CLEAVE_REPORT=$2 is accepted"
    grep -q -F -- "$1" err || fail "CLEAVE_REPORT=$2: no '$1'"
}
refuses "CLEAVE_REPORT=yes is not known; known are: 0, or a list of 1 and of names of files that end in .json or .html, with commas and no blanks between them" yes
refuses "CLEAVE_REPORT=1,report.htm is not known" 1,report.htm
refuses "CLEAVE_REPORT=0,1 is not known" 0,1
refuses "CLEAVE_REPORT=report.json, is not known" report.json,
refuses "CLEAVE_REPORT=.json is not known" .json
refuses "CLEAVE_REPORT=1, report.json is not known" '1, report.json'
refuses "CLEAVE_REPORT: cannot write 'nowhere/report.json': No such file" nowhere/report.json
mkdir folder.html
refuses "CLEAVE_REPORT: cannot write 'folder.html': Is a directory" 1,folder.html
