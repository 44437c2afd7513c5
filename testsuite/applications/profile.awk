# profile.awk: a line for each kernel that Nsight Compute measured, from its CSV with a line for each metric: gpu_profile.sh says
# what the columns are. Exit code 1 when there is none. Numbers have commas between thousands.

# Splits a line of CSV whose fields are all quoted: `,` inside of quotes does not count.
function fields(line,    count) {
    sub(/^"/, "", line)
    sub(/"[^"]*$/, "", line)
    count = split(line, field, "\",\"")
    return count
}

/^"ID",/ {
    count = fields($0)
    for (i = 1; i <= count; i++) {
        column[field[i]] = i
    }
    next
}

/^"[0-9]+",/ && ("Metric Name" in column) {
    fields($0)
    id = field[column["ID"]]
    if (!(id in kernel)) {
        order[++kernels] = id
        kernel[id] = field[column["Kernel Name"]]
    }
    metric = field[column["Metric Name"]]
    number = field[column["Metric Value"]]
    gsub(/,/, "", number)
    value[id, metric] = number + 0
    unit[id, metric] = field[column["Metric Unit"]]
}

# Time in nanoseconds.
function duration(id,    name, of) {
    name = "gpu__time_duration.sum"
    of = unit[id, name]
    return value[id, name] * (of ~ /^(ns|nsecond)$/ ? 1 : of ~ /^(us|usecond)$/ ? 1e3 : of ~ /^(ms|msecond)$/ ? 1e6 : 1e9)
}

# "9.3 long_scoreboard": the reason for which most warps wait.
function stall(id,    key, part, reason, most) {
    most = -1
    for (key in value) {
        split(key, part, SUBSEP)
        if (part[1] == id && part[2] ~ /issue_stalled_/ && value[key] > most) {
            most = value[key]
            reason = part[2]
        }
    }
    sub(/^.*issue_stalled_/, "", reason)
    sub(/_per_issue_active.*$/, "", reason)
    return sprintf("%.1f %s", most, reason)
}

END {
    for (k = 1; k <= kernels; k++) {
        id = order[k]
        name = kernel[id]
        sub(/^void /, "", name)
        gsub(/<unnamed>::|\(anonymous namespace\)::/, "", name)
        sub(/\(.*$/, "", name)
        time = duration(id)
        added = value[id, "lts__t_sectors_op_red.sum"] + value[id, "lts__t_sectors_op_atom.sum"]
        rate = (time > 0) ? added / time : 0
        printf "%-44s %9.1f %5d %6.1f %5.1f %5.1f %5.1f %7.1f %5.1f %7.2f  %s\n", name, time / 1e3,
            value[id, "launch__registers_per_thread"], value[id, "sm__warps_active.avg.pct_of_peak_sustained_active"],
            value[id, "dram__throughput.avg.pct_of_peak_sustained_elapsed"],
            value[id, "lts__throughput.avg.pct_of_peak_sustained_elapsed"],
            value[id, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"],
            value[id, "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"],
            value[id, "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"], rate, stall(id)
    }
    exit kernels == 0
}
