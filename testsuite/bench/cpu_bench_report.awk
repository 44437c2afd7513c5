# cpu_bench_report.awk: from the samples of cpu_bench.sh a table on stdout, and one JSON object per
# line in the file `json`. Samples: round, case, who, loop, milliseconds of the first call, of later
# ones, bytes. The file `values` has results: round, case, who, name, number. Exit code 1 when who ran
# a case do not agree in them.

# Sorts list[1..count].
function sort(list, count,    i, k, value) {
    for (i = 2; i <= count; i++) {
        value = list[i]
        for (k = i - 1; k > 0 && list[k] > value; k--) list[k + 1] = list[k]
        list[k + 1] = value
    }
}

# Median, least and most of list[1..count], which it sorts: in middle, least and most.
function summarise(list, count) {
    sort(list, count)
    least = list[1]
    most = list[count]
    middle = (list[int((count + 1) / 2)] + list[int(count / 2) + 1]) / 2
}

# Ratios within each round: the reference's time by this one's; 0 in middle without a common round.
function ratios(name, loop, who, reference,    list, count, r, mine, other) {
    count = 0
    for (r = 1; r <= rounds; r++) {
        mine = later[name, loop, who, r]
        other = later[name, loop, reference, r]
        if (mine > 0 && other > 0) list[++count] = other / mine
    }
    middle = least = most = 0
    if (count > 0) summarise(list, count)
}

# The part of its time that the loop would take at the triad's speed in the same rounds.
function of_triad(name, loop, who,    list, count, r, threads, mine) {
    threads = name
    sub(/.*\//, "", threads)
    if (who == "plain") threads = 1
    count = 0
    for (r = 1; r <= rounds; r++) {
        mine = later[name, loop, who, r]
        if (mine > 0 && bytes[name, loop] > 0 && triad[threads, r] > 0) {
            list[++count] = bytes[name, loop] / (triad[threads, r] * 1e6) / mine
        }
    }
    middle = 0
    if (count > 0) summarise(list, count)
    return middle
}

function times_of(from, name, loop, who,    list, count, r) {
    count = 0
    for (r = 1; r <= rounds; r++) {
        if ((name, loop, who, r) in from) list[++count] = from[name, loop, who, r]
    }
    summarise(list, count)
    return count
}

function row(name, loop, who, reference,    count, first_ms, ms, low, high, share, shown, ratio) {
    times_of(first, name, loop, who)
    first_ms = middle
    count = times_of(later, name, loop, who)
    ms = middle
    low = least
    high = most
    share = of_triad(name, loop, who)
    shown = share > 0 ? sprintf("%.2f", share) : ""
    ratios(name, loop, who, reference)
    ratio = middle > 0 ? sprintf("%7.2f (%.2f..%.2f)", middle, least, most) : ""
    printf "%-26s %-18s %-24s %9.3f (%.3f..%.3f) %9.3f %6s %s\n", name, loop, who, ms, low, high,
        first_ms, shown, ratio
    printf "{\"case\": \"%s\", \"loop\": \"%s\", \"who\": \"%s\", \"rounds\": %d, \"ms\": %.6f, ", name,
        loop, who, count, ms >> json
    printf "\"ms_least\": %.6f, \"ms_most\": %.6f, \"ms_first\": %.6f, \"bytes\": %.0f, ", low, high,
        first_ms, bytes[name, loop] >> json
    printf "\"of_triad\": %.4f, \"reference\": \"%s\", \"times\": %.4f, ", share, reference,
        middle >> json
    printf "\"times_least\": %.4f, \"times_most\": %.4f}\n", least, most >> json
}

# Results of a case agree to 1e-9, in single precision to 1e-3, with those of who came first.
function agree(    line, field, key, name, bound, wrong) {
    while ((getline line < values) > 0) {
        split(line, field, "\t")
        name = field[2] SUBSEP field[4]
        bound = field[2] ~ /float/ ? 1e-3 : 1e-9
        if (!(name in known)) known[name] = field[5]
        if (!(sqrt((field[5] - known[name]) ^ 2) <= bound * sqrt(known[name] ^ 2))) {
            printf "%s: %s of %s is %s, not %s\n", field[2], field[4], field[3], field[5],
                known[name] > "/dev/stderr"
            wrong = 1
        }
    }
    return wrong
}

$4 == "triad" {
    sub(/^triad\//, "", $2)
    triad[$2, $1] = $5
    if ($1 > rounds) rounds = $1
    if (!($2 in triads)) threads_of[++thread_counts] = $2
    triads[$2]
    next
}

{
    if ($1 > rounds) rounds = $1
    first[$2, $4, $3, $1] = $5
    later[$2, $4, $3, $1] = $6
    bytes[$2, $4] = $7
    if (!(($2, $4) in loops)) loop_list[++loop_count] = $2 SUBSEP $4
    if (!(($2, $4, $3) in seen)) who_list[$2, $4, ++loops[$2, $4]] = $3
    seen[$2, $4, $3]
}

END {
    for (t = 1; t <= thread_counts; t++) {
        count = 0
        for (r = 1; r <= rounds; r++) if ((threads_of[t], r) in triad) list[++count] = triad[threads_of[t], r]
        summarise(list, count)
        printf "triad, %d threads: %.1f GB/s (%.1f..%.1f)\n", threads_of[t], middle, least, most
        printf "{\"case\": \"triad/%s\", \"loop\": \"triad\", \"rounds\": %d, \"gb_s\": %.3f}\n",
            threads_of[t], count, middle >> json
        delete list
    }
    printf "%-26s %-18s %-24s %s\n", "case", "loop", "who",
        "ms (least..most)  first call  useful bytes at triad / time  times as fast as the first (least..most)"
    for (l = 1; l <= loop_count; l++) {
        split(loop_list[l], part, SUBSEP)
        for (w = 1; w <= loops[part[1], part[2]]; w++) {
            row(part[1], part[2], who_list[part[1], part[2], w], who_list[part[1], part[2], 1])
        }
    }
    exit agree()
}
