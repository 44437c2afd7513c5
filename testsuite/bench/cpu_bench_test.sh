# cpu_bench_test.sh: cpu_bench.sh computes medians, ratios and shares as it says, from programs that
# print known times; real programs, compiled by cleavecc, in plain C and by hand, agree; and what is
# wrong fails.
set -e
bench=$SRC/testsuite/bench/cpu_bench.sh
here=$PWD

fail() {
    echo "cpu_bench_test.sh: $1" >&2
    shift
    [ $# -eq 0 ] || cat "$@" >&2
    exit 1
}

# refuses CODE TEXT WORD...: cpu_bench.sh ends with CODE and says TEXT.
refuses() {
    code=$1 text=$2 status=0
    shift 2
    sh "$bench" "$@" >out 2>&1 || status=$?
    [ $status -eq "$code" ] || fail "$*: exit code $status, not $code" out
    grep -q -- "$text" out || fail "$*: does not say '$text'" out
}

# has TEXT: results.json has it.
has() {
    grep -qF -- "$1" known/results.json || fail "results.json has no: $1" known/results.json
}

# A compiler of programs that print the next of these times in each run, and triads of 10 GB/s.
cat >compiler <<'END'
#!/bin/sh
while [ $# -gt 1 ] && [ "$1" != -o ]; do shift; done
[ "${1-}" = -o ] || exit 0
cat >"$2" <<'PROGRAM'
#!/bin/sh
[ "$1" != triad ] || { echo 'triad 10.0'; exit; }
case $0 in
*.first) set 10 30 20 ;;
*.second) set 5 10 4 ;;
*.plain) set 40 40 40 ;;
*) exit 0 ;;
esac
echo >>"$0.runs"
runs=$(wc -l <"$0.runs")
[ "$runs" -lt 2 ] || shift
[ "$runs" -lt 3 ] || shift
echo "setup 1000"
echo "loop res_calc $((100 + $1)) $1 20000000"
echo "iteration $((200 + $1)) $1 20000000"
echo "value rms ${WRONG:-1.5}"
PROGRAM
chmod +x "$2"
END
chmod +x compiler
known() { # known ENVIRONMENT ROUNDS [WORD]
    CC=$here/compiler sh "$bench" --build "first=$here/compiler" --build "second=$here/compiler$1" \
        --only airfoil/natural/2 --threads 2 --out known --rounds "$2" $3 >out 2>&1
}
known '' 2 || fail 'two rounds' out
known '' 1 --more || fail 'one more round' out
# Medians 20 and 5; ratios 2, 3 and 5. 20 MB take the triad 2 ms: shares 2/5, 2/10 and 2/4.
has '"loop": "res_calc", "who": "first", "rounds": 3, "ms": 20.000000, "ms_least": 10.000000, "ms_most": 30.000000, "ms_first": 120.000000, "bytes": 20000000, "of_triad": 0.1000, "reference": "first", "times": 1.0000'
has '"loop": "res_calc", "who": "second", "rounds": 3, "ms": 5.000000, "ms_least": 4.000000, "ms_most": 10.000000, "ms_first": 105.000000, "bytes": 20000000, "of_triad": 0.4000, "reference": "first", "times": 3.0000, "times_least": 2.0000, "times_most": 5.0000}'
has '"loop": "planning", "who": "second", "rounds": 3, "ms": 1200.000000'
has '"loop": "iteration", "who": "plain", "rounds": 3, "ms": 40.000000'
grep -q '^airfoil/natural/2 .* res_calc .* second .* 3.00 (2.00..5.00)$' out || fail 'no table' out
mv known/results.json once.json
sh "$bench" --report --out known >/dev/null || fail '--report'
cmp -s once.json known/results.json || fail '--report: other results' known/results.json
! known ,WRONG=1.6 1 || fail 'programs do not agree' out
grep -q 'rms of second is 1.6, not 1.5' out || fail 'nobody says that programs do not agree' out

# Real programs.
sh "$bench" --build "now=$CLEAVECC" --quick --rounds 1 --iterations 2 --flags -O0 --threads 2 \
    --only hydra/natural/2 --out real >out 2>&1 || fail 'real programs' out
for row in edgecon,now iflux,now vflux,now accu,now iteration,now edgecon,plain accu,plain; do
    grep -q "\"loop\": \"${row%,*}\", \"who\": \"${row#*,}\", .*\"ms\": [0-9.]*[1-9]" real/results.json ||
        fail "$row" real/results.json
done
grep -q "\"loop\": \"planning\", \"who\": \"now\"" real/results.json || fail "no planning" real/results.json
for loop in edgecon iflux; do
    grep -q "\"loop\": \"$loop\", \"who\": \"hand_ranges\"" real/results.json || fail "$loop by hand" out
done
# Loops of unknown trip counts are the case "scalar".
sh "$bench" --build "now=$CLEAVECC" --quick --rounds 1 --iterations 2 --flags -O0 --threads 2 \
    --only scalar/natural/2 --without hand --out real --more >out 2>&1 || fail 'loops of unknown trip counts' out
for loop in star anomaly; do
    grep -q "\"loop\": \"$loop\", \"who\": \"now\"" real/results.json || fail "$loop" out
done
"$CLEAVECC" --cleave-arch=none --cleave-explain -O1 -I"$SRC" -I"$SRC/testsuite" -I"$SRC/testsuite/bench" \
    -c "$SRC/testsuite/bench/cpu_bench_scalar_op2.c" -o scalar.o >explained 2>&1
[ "$(grep -c 'CPU: 2 elements at once' explained)" = 2 ] || fail 'loops of unknown trip counts have no lanes' explained
OMP_NUM_THREADS=1 real/programs/hand airfoil --iterations=1 >out 2>&1 || fail 'res_calc by hand' out
grep -q '^hand scalar res_calc [0-9.]* [0-9]*$' out || fail 'no time of res_calc' out

refuses 2 "'--fast' is not an option" --fast
refuses 2 'a value is missing' --rounds
refuses 2 "'0' is not a number" --rounds 0
refuses 2 "'cleavecc' is not NAME=CLEAVECC" --build cleavecc
refuses 2 "'x' is not plain or hand" --without x
refuses 2 'leaves no case' --only nothing
refuses 2 'need --out' --report
refuses 1 'hydra.none cannot be compiled' --build none=/no/such/cleavecc --quick \
    --only 'hydra/natural/2' --without 'plain hand' --out real --more
refuses 0 'how fast programs are' --help
