# tuner_bench_test.sh: tuner_bench.sh compares runs and choices, with programs that only pretend: a script that prints steps and writes
# reports as CLEAVE_TUNE asks for them. The second run of a program forgets nothing, since the store stays between runs of a round.
set -e
here=$SRC/testsuite/bench

fail() {
    echo "tuner_bench_test.sh: $1" >&2
    [ ! -f out ] || cat out >&2
    exit 1
}

mkdir -p programs
cat >programs/airfoil <<'END'
#!/bin/sh
trial() { # trial LOOP MEASURED CANDIDATE...
    printf '{"loop": "%s", "elements": 1000, "settled": true, "measured_calls": %s, "lost_seconds": 0.002, "setup_seconds": 0.001, "candidates": [%s]},\n' "$1" "$2" "$3"
}
candidate() { # candidate NAME SECONDS BY_RULE IN_USE
    printf '{"variant": "%s", "block_size": 64, "samples": 7, "seconds": %s, "spread_seconds": 5e-7, "state": "candidate", "why": null, "by_rule": %s, "in_use": %s}' "$@"
}
known=$CLEAVE_PLAN_CACHE/tuned-1
measured=40 step=210
case "$CLEAVE_TUNE" in off | full | "") ;; *) exit 1 ;; esac # auto is the default
if [ "$CLEAVE_TUNE" = off ]; then
    step=200
elif [ -d "$known" ]; then
    measured=0 step=190
fi
mkdir -p "$CLEAVE_PLAN_CACHE/plans"
[ "$CLEAVE_TUNE" = off ] || mkdir -p "$known"
echo "1000 steps in 200 ms: $step us each, the first 3 ms"
{
    if [ "$CLEAVE_TUNE" = off ]; then
        echo '{"loop": "flux", "share": 0.6},'
        echo '{"loop": "flux", "share": 0.1},'
        echo '{"loop": "small", "share": 0.01},'
    else
        echo '{"loop": "flux", "calls": 10, "seconds": 0.5, "share": 0.7},'
        trial flux $measured "$(candidate a 1e-4 true false), $(candidate b 8e-5 false "$([ "$CLEAVE_TUNE" = full ] && echo false || echo true)"), $(candidate c null false false)"
        trial small 0 "$(candidate a 1e-4 true true), $(candidate b 8e-5 false false)"
    fi
} >"$CLEAVE_REPORT"
END
chmod +x programs/airfoil
sh "$here/tuner_bench.sh" --only=airfoil,jac --rounds=2 programs >out || fail "it ends with $?"
grep -qF '  off 0.2 ms (third to its neighbours 1.000); auto1 0.21 ms = 1.050; auto2 0.19 ms = 0.950; auto3 0.19 ms = 0.950' out || fail "steps"
grep -qF '  calls measured in auto1 40, auto2 0, auto3 0; trials of auto1 took 0.80 % in loops, 0.40 % on the host' out || fail "what was measured"
grep -qF '  long runs (--iterations=10000): calls measured 40, then 0; trials took' out || fail "long runs"
grep -qE '^  flux 1000 +70.0 %   2 candidates, best b@64 80.00 us \(spread 0.50\); rule 1.250; settled 1.000: within 5 %$' out || fail "a loop"
! grep -q small out || fail "a loop with a small share counts"
grep -qF '  1 loops: rule 1.250 on average, 1.250 at worst; settled 1.000, 1.000; 1 within 5 %' out || fail "the mean"
! grep -q jac out || fail "a program that is missing runs"

echo 'exit 1' >programs/airfoil
if sh "$here/tuner_bench.sh" --only=airfoil --rounds=1 programs >out 2>&1; then
    fail "a program that fails is no error"
fi
grep -q '^FAILED: CLEAVE_TUNE=off .*airfoil.*exit code 1' out || fail "a program that fails"
if sh "$here/tuner_bench.sh" --only=airfoils programs >out 2>&1; then
    fail "a wrong row is no error"
fi
grep -q "there is no row 'airfoils'; rows are airfoil airfoil_shuffled" out || fail "a wrong row"
