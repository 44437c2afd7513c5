# times.awk: compares the tables of loops of two runs: awk -v copy=GB/S -f times.awk DEFAULT FUSED. Both ran with
# CLEAVE_TIMING=1. Times are means over all calls: a loop may run on meshes of several sizes, of which the median call knows one.
# A loop that ran several variants is known by the one that took most time.

FNR == 1 {
    run++
    table = 0
}

/^loop  .* variant$/ {
    table = 1
    next
}

/^times: / {
    table = 0
}

# loop, count, seconds, GB/s, seconds of planning, median in microseconds, kernel, variant, (target)
table && NF == 9 && $1 != "total" {
    total[run] += $3
    seconds[run, $1] += $3
    calls[run, $1] += $2
    bytes[run, $1] += $4 * 1e9 * $3
    if ($3 > most[run, $1]) {
        most[run, $1] = $3
        variant[run, $1] = $8 " " $9
    }
    if (run == 1 && !seen[$1]++) {
        name[++loops] = $1
    }
}

function microseconds(run, loop) {
    return calls[run, loop] > 0 ? 1e6 * seconds[run, loop] / calls[run, loop] : 0
}

# Useful bytes by the time, in per cent of a copy.
function percent(run, loop) {
    return seconds[run, loop] > 0 ? 100 * bytes[run, loop] / seconds[run, loop] / (copy * 1e9) : 0
}

function ratio(loop) {
    return microseconds(1, loop) > 0 ? microseconds(2, loop) / microseconds(1, loop) : 0
}

END {
    if (loops == 0) {
        print "no table of loops with medians"
        exit 1
    }
    printf "%-24s %6s %8s %10s %7s %12s %7s %6s  %s\n", "loop", "share", "calls", "us", "% copy", "fused_atomic", "% copy", "ratio", "variant"
    for (l = 1; l <= loops; l++) {
        loop = name[l]
        share = seconds[1, loop] / total[1]
        if (share >= 0.05) {
            printf "%-24s %5.1f%% %8d %10.2f %7.1f %12.2f %7.1f %6.2f  %s\n", loop, 100 * share, calls[1, loop],
                microseconds(1, loop), percent(1, loop), microseconds(2, loop), percent(2, loop), ratio(loop), variant[1, loop]
        }
    }
    printf "all loops: %.6g s, fused_atomic %.6g s\n", total[1], total[2]
}
