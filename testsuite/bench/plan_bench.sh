# plan_bench: every method on every mesh, checked in full, gives the same plan with 1 and 3 threads.
bench=$BUILD/bin/plan_bench
CLEAVE_PLAN_CACHE=off
export CLEAVE_PLAN_CACHE

"$bench" --mesh all --elements 20000 --check --threads 1,3 --json results.json --phases \
    --methods default,default/graph,hard,none,rcm,hilbert,rcb,grow,chunks,metis \
    >table.txt 2>notes.txt || { cat table.txt notes.txt; exit 1; }
[ "$(grep -c '"plan_hash"' results.json)" -eq 140 ]
if command -v python3 >/dev/null; then
    python3 - <<'END'
import json
results = json.load(open("results.json"))
assert len(results) == 7 * 10 * 2
for r in results:
    assert r["reuse"] >= 1 and 0 < r["fill"] <= 1 and r["max_points"] >= r["points"], r
    assert 0 <= r["ranges"] <= 128 and 0 <= r["ranges_border"] <= 1 and r["ranges_segment"] >= 1, r
    assert r["ranges_border"] <= 0.5 or r["ranges"] == 0, r
    assert r["done"] and len(r["plan_hash"]) == 16 and r["phases"], r
hashes = {}
for r in results:
    hashes.setdefault((r["mesh"], r["method"]), set()).add((r["plan_hash"], r["ranges_hash"]))
assert all(len(h) == 1 for h in hashes.values())
best = {(r["mesh"], r["method"]): r["reuse"] for r in results}
for mesh in ("tet", "quad", "hex", "graded", "graded-quad", "annulus", "pipe"):
    assert best[mesh, "default"] > 2 * best[mesh, "none"], mesh
END
fi

"$bench" --mesh stencil,chain,star,quad-nodes --arity 16 --elements 3000 --check --threads 1,2 \
    --methods default,hard,grow --order natural --block 100 --repeat 2 >table.txt 2>&1 ||
    { cat table.txt; exit 1; }

# elements ordered for the banks of shared memory
"$bench" --mesh tet,quad-nodes,hex --elements 20000 --block 128 --check --threads 1,3 --methods default \
    --json sorted.json >table.txt
"$bench" --mesh tet,quad-nodes,hex --elements 20000 --block 128 --check --threads 1,3 --methods default \
    --json banks.json --banks --phases >table.txt || { cat table.txt; exit 1; }
grep -q ' banks  ' table.txt
if command -v python3 >/dev/null; then
    python3 - <<'END'
import json
for r, s in zip(json.load(open("banks.json")), json.load(open("sorted.json"))):
    assert 1 <= r["wavefronts"] < 0.95 * s["wavefronts"], (r, s)
    assert r["numbering_hash"] != s["numbering_hash"] and r["points"] == s["points"], (r, s)
END
fi

# bad options: a message that names them, exit code 2
refused() {
    status=0
    "$bench" "$@" >out.txt 2>err.txt || status=$?
    [ "$status" -eq 2 ] && grep -q -- "$word" err.txt && grep -q 'plan_bench --help' err.txt ||
        { echo "plan_bench $*: $status"; cat err.txt; exit 1; }
}
word="mesh 'cube'" refused --mesh cube
word="method 'fast'" refused --methods default,fast
word="''" refused --methods default,,none
word="'0'" refused --block 0
word="'1025'" refused --block 1025
word="'3x'" refused --elements 3x
word="'0'" refused --threads 1,0
word="'17'" refused --arity 17
word="'sorted'" refused --order sorted
word="unrecognized option" refused --fast
word="'tet' is not an option" refused tet
status=0
"$bench" --json /nowhere/at/all 2>err.txt >out.txt || status=$?
[ "$status" -eq 2 ] && grep -q /nowhere/at/all err.txt
"$bench" --help | grep -q -- --accept

# no goal can be judged: not a success
status=0
"$bench" --mesh chain --elements 100 --methods none --accept >out.txt || status=$?
[ "$status" -eq 1 ] && grep -q 'nothing could be judged' out.txt
