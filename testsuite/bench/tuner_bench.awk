# tuner_bench.awk: off.json auto.json full.json: compares the choices of loops with the fastest candidate. The reports are of one
# program without tuning (shares of its loops), tuned, and with all candidates measured.
function text(line, name) { # the text or number of a member, "" if it is null or not there
    if (!match(line, "\"" name "\": (\"[^\"]*\"|[-+.0-9eE]+|true|false)")) return ""
    line = substr(line, RSTART + length(name) + 4, RLENGTH - length(name) - 4)
    gsub(/"/, "", line)
    return line
}
FNR == 1 { file++ }
/^\{"loop": / && /"candidates": \[/ {
    loop = text($0, "loop") " " text($0, "elements")
    parts = split($0, part, /\{"variant": /)
    for (p = 2; p <= parts; p++) {
        candidate = "\"variant\": " part[p]
        name = text(candidate, "variant") "@" text(candidate, "block_size")
        if (file == 2 && text(candidate, "in_use") == "true") settled[loop] = name
        seconds = text(candidate, "seconds") + 0
        if (file != 3 || seconds <= 0) continue
        if (!(loop in best)) { order[++loops] = loop; name_of[loop] = text($0, "loop") }
        count[loop]++
        time[loop, name] = seconds
        spread[loop, name] = text(candidate, "spread_seconds") + 0
        if (!(loop in best) || seconds < time[loop, best[loop]]) best[loop] = name
        if (text(candidate, "by_rule") == "true") rule[loop] = name
    }
    next
}
file == 1 && /^\{"loop": / { share[text($0, "loop")] += text($0, "share") }
function ratio(loop, name) {
    return (loop, name) in time ? time[loop, name] / time[loop, best[loop]] : 0
}
END {
    for (l = 1; l <= loops; l++) {
        loop = order[l]
        if (share[name_of[loop]] < 0.05 || count[loop] < 2) continue
        first = ratio(loop, rule[loop])
        last = loop in settled ? ratio(loop, settled[loop]) : first
        said = last == 0 ? "was not among them" : sprintf("%.3f", last)
        if (last > 1.05) said = said " (" settled[loop] ")"
        noise = spread[loop, best[loop]] > 0 ? sprintf(" (spread %.2f)", 1e6 * spread[loop, best[loop]]) : ""
        printf "  %-34s %5.1f %%  %2d candidates, best %s %.2f us%s; rule %.3f; settled %s: %s\n", loop, 100 * share[name_of[loop]], count[loop],
            best[loop], 1e6 * time[loop, best[loop]], noise, first, said, last == 0 ? "unknown" : last <= 1.05 ? "within 5 %" : "NOT within 5 %"
        if (last == 0) continue
        n++
        within += last <= 1.05
        firsts += first
        lasts += last
        if (first > worst_first) worst_first = first
        if (last > worst_last) worst_last = last
    }
    if (n > 0) printf "  %d loops: rule %.3f on average, %.3f at worst; settled %.3f, %.3f; %d within 5 %%\n", n, firsts / n, worst_first, lasts / n, worst_last, within
    else print "  no loop above 5 % has several candidates that were measured"
}
