#!/bin/sh
# few_bench.sh: airfoil on small meshes, sequentially and with OpenMP, with default settings: OpenMP must
# not be slower by more than a tenth.
#
#   few_bench.sh BUILD [--busy=N] [--runs=N] [--steps=N]
#
# BUILD: cleave's build folder. --busy: how many other processes keep a processor busy meanwhile (0).
# Prints for each mesh the median wall time of --runs runs (9) of --steps steps (200) of both, taken in
# turns, in seconds of the program's own clock, plans and orders included, and the ratio.
set -eu
build=$1
shift
busy=0 runs=9 steps=200
for option; do
    case $option in
    --busy=*) busy=${option#*=} ;;
    --runs=*) runs=${option#*=} ;;
    --steps=*) steps=${option#*=} ;;
    *) echo "few_bench.sh: unknown option $option" >&2; exit 2 ;;
    esac
done
top=$(cd "$(dirname -- "$0")/../.." && pwd)
work=$(mktemp -d)
others=
stop() {
    for other in $others; do kill "$other" 2>/dev/null || true; done
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM
(cd "$top/examples/airfoil" && "$build/bin/cleavecc" --cleave-arch=none -O3 ./*.c ../common/*.c \
    -o "$work/airfoil" -lm)
unset OMP_WAIT_POLICY OMP_NUM_THREADS
CLEAVE_PLAN_CACHE=off
export CLEAVE_PLAN_CACHE
for i in $(seq 1 "$busy"); do
    (while :; do :; done) &
    others="$others $!"
done

once() { # once BACKEND: the seconds of one run, added to its file
    CLEAVE_BACKEND=$1 "$work/airfoil" --cells="$side,$side" --iterations="$steps" |
        sed -n 's/^Max total runtime = \([0-9.]*\) seconds/\1/p' >>"$work/$1"
}
median() {
    sort -n "$1" | awk '{ t[NR] = $1 } END { print (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2 }'
}

echo "processors $(nproc), busy processes $busy, $runs runs of $steps steps"
printf '%8s %12s %12s %8s\n' cells 'seq [s]' 'openmp [s]' ratio
for side in 6 10 18 32 58; do
    rm -f "$work/seq" "$work/openmp"
    for run in $(seq 1 "$runs"); do
        once seq
        once openmp
    done
    seq=$(median "$work/seq") openmp=$(median "$work/openmp")
    awk -v n=$((3 * side * side)) -v s="$seq" -v o="$openmp" \
        'BEGIN { printf "%8d %12.5f %12.5f %8.2f\n", n, s, o, o / s }'
done
