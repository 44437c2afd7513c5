#!/bin/sh
# predictions.sh [--all] REPORT.json...: compares the times that the runtime's model predicts with measured ones. The reports are
# those of CLEAVE_REPORT=NAME.json, of one program in one folder: of runs with CLEAVE_TUNE=full, which measure every candidate, or
# of runs that each have another CLEAVE_VARIANT or CLEAVE_BLOCK_SIZE (with CLEAVE_TUNE=off and CLEAVE_TIMING=1).
#
# Prints a line for each loop: candidates, the fastest one and its time, the one that the model expects to be fastest, with its time
# relative to the fastest, and the mean and the worst error of its predictions (1.2: 20 % too long or too short), for candidates
# that take at most twice as long as the fastest; then mean and worst over all loops. --all: every candidate, too. Loops that take
# less than 4 microseconds are left out: a launch takes that long.
set -eu
all=0
if [ "${1:-}" = --all ]; then
    all=1
    shift
fi
[ $# -gt 0 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
for report in "$@"; do
    [ -r "$report" ] || { echo "predictions.sh: cannot read '$report'" >&2; exit 2; }
done
LC_ALL=C awk -v all=$all '
function text(line, name) { # the text or number of a member, "" if it is null or not there
    if (!match(line, "\"" name "\": (\"[^\"]*\"|[-+.0-9eE]+)")) return ""
    line = substr(line, RSTART + length(name) + 4, RLENGTH - length(name) - 4)
    gsub(/"/, "", line)
    return line
}
function add(loop, variant, block, seconds, predicted,    key) {
    key = loop SUBSEP variant SUBSEP block
    if (seconds <= 0 || predicted <= 0 || key in seen) return
    seen[key] = 1
    if (!(loop in count)) order[++loops] = loop
    n = ++count[loop]
    name[loop, n] = variant "@" block
    time[loop, n] = seconds
    guess[loop, n] = predicted
}
function off(a, b) { return a > b ? a / b : b / a }
FNR == 1 { folder = FILENAME; if (!sub(/\/[^\/]*$/, "", folder)) folder = "." ; sub(/.*\//, "", folder) }
/^\{"loop": / && /"candidates": \[/ {
    loop = folder " " text($0, "loop") " " text($0, "elements")
    parts = split($0, part, /\{"variant": /)
    for (p = 2; p <= parts; p++) {
        candidate = "\"variant\": " part[p]
        add(loop, text(candidate, "variant"), text(candidate, "block_size"), text(candidate, "seconds") + 0,
            text(candidate, "predicted_seconds") + 0)
    }
    next
}
/^\{"loop": / {
    seconds = text($0, "median_seconds")
    if (seconds != "" && text($0, "target") != "seq")
        add(folder " " text($0, "loop"), text($0, "variant"), text($0, "block_size"), seconds + 0, text($0, "predicted_seconds") + 0)
}
END {
    for (l = 1; l <= loops; l++) {
        loop = order[l]
        best = first = 1
        for (n = 2; n <= count[loop]; n++) {
            if (time[loop, n] < time[loop, best]) best = n
            if (guess[loop, n] < guess[loop, first]) first = n
        }
        if (time[loop, best] < 4e-6) continue
        sum = worst = near = 0
        for (n = 1; n <= count[loop]; n++) {
            error = off(time[loop, n], guess[loop, n])
            if (all) printf "  %-60s %10.2f us, predicted %10.2f us: %5.2f\n", name[loop, n], 1e6 * time[loop, n], 1e6 * guess[loop, n], error
            if (time[loop, n] > 2 * time[loop, best]) continue
            near++
            sum += error
            if (error > worst) worst = error
        }
        ratio = time[loop, first] / time[loop, best]
        printf "%-40s %3d  best %s %.2f us  first %s %.2f  error %.2f, at worst %.2f\n", loop, count[loop], name[loop, best],
            1e6 * time[loop, best], name[loop, first], ratio, sum / near, worst
        errors += sum
        nears += near
        if (worst > worst_error) worst_error = worst
        if (count[loop] > 1) {
            ratios += ratio
            judged++
            if (ratio > worst_ratio) worst_ratio = ratio
        }
    }
    if (nears == 0) {
        print "predictions.sh: no loop has both a measured time and a predicted one" > "/dev/stderr"
        exit 1
    }
    if (judged > 0) printf "first choice: %.3f of the best time on average, %.3f at worst, %d loops\n", ratios / judged, worst_ratio, judged
    printf "predictions: off by %.2f on average, %.2f at worst, %d times\n", errors / nears, worst_error, nears
}' "$@"
