# predictions_test.sh: predictions.sh finds the fastest variant, the one that the model puts first, and the errors, in reports with
# trials and in reports of single variants; it says when there is nothing to compare.
set -e
here=$SRC/testsuite/bench

fail() {
    echo "predictions_test.sh: $1" >&2
    [ ! -f out ] || cat out >&2
    exit 1
}

mkdir -p trials single
cat >trials/r.json <<'END'
{"loop": "flux", "kernel": "flux", "target": "cuda", "elements": 1000, "settled": true, "candidates": [{"variant": "flux_a", "block_size": 128, "samples": 7, "seconds": 0.0001, "predicted_seconds": 0.00012, "state": "chosen", "why": null}, {"variant": "flux_b", "block_size": 64, "samples": 7, "seconds": 0.00015, "predicted_seconds": 0.0001, "state": "dropped", "why": "not faster"}, {"variant": "flux_c", "block_size": 64, "samples": 0, "seconds": null, "predicted_seconds": 0.00001, "state": "untried", "why": null}]}
{"loop": "tiny", "kernel": "tiny", "target": "cuda", "elements": 10, "settled": true, "candidates": [{"variant": "tiny_a", "block_size": 128, "samples": 7, "seconds": 3e-06, "predicted_seconds": 9e-06, "state": "chosen", "why": null}]}
END
sh "$here/predictions.sh" trials/r.json >out
grep -q '^trials flux 1000  *2  best flux_a@128 100.00 us  first flux_b@64 1.50  error 1.35, at worst 1.50$' out || fail "trials"
grep -q '^first choice: 1.500 of the best time on average, 1.500 at worst, 1 loops$' out || fail "the first choice"
grep -q '^predictions: off by 1.35 on average, 1.50 at worst, 2 times$' out || fail "the errors"
! grep -q tiny out || fail "a loop as short as a launch counts"

line() { # line VARIANT BLOCK MEDIAN PREDICTED
    printf '{"loop": "flux", "variant": "%s", "target": "cuda", "median_seconds": %s, "predicted_seconds": %s, "block_size": %s}\n' \
        "$1" "$3" "$4" "$2"
}
line flux_a 128 1e-4 9e-5 >single/a.json
line flux_b 128 2e-4 1e-4 >single/b.json
line flux_c 128 null 1e-5 >single/c.json
sh "$here/predictions.sh" --all single/?.json >out
grep -q '^single flux  *2  best flux_a@128 100.00 us  first flux_a@128 1.00  error 1.56, at worst 2.00$' out || fail "reports of variants"
grep -q '^  flux_b@128 .*2.00$' out || fail "--all"

if sh "$here/predictions.sh" single/c.json >out 2>&1; then
    fail "nothing to compare is no error"
fi
grep -q 'no loop has both' out || fail "nothing to compare"
