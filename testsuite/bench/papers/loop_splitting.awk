# loop_splitting.awk -v fixed=BLOCK results.json: the tables of loop_splitting.sh. A form's gain is the part of the unsplit
# loop's time that it saves: 1 - split / unsplit.
function field(name,  rest) {
    if (!match($0, "\"" name "\": \"?[^\",}]*")) return ""
    rest = substr($0, RSTART, RLENGTH)
    sub(/^"[^"]*": "?/, "", rest)
    return rest
}

# The part of a variant's name behind the loop's: fused_colour, loops_colour, split2_atomic, ...
function form_of(variant, loop) {
    return substr(variant, length(loop) + 2)
}

/"deterministic": true/ { next }
!/"passed": true/ { next }
{
    size = field("size")
    loop = field("loop")
    us = field("us") + 0
    if (!((size, loop) in known)) {
        known[size, loop] = 1
        sizes[++count] = size
        loops[count] = loop
    }
    if (field("form") == "default") {
        chosen[size, loop] = us
        name[size, loop] = field("variant")
        copy[size, loop] = field("percent_of_copy")
        next
    }
    # The runtime takes a smaller block if one does not fit a multiprocessor: `block_size`.
    form = form_of(field("variant"), loop)
    if (field("asked") == fixed) {
        untuned[size, loop, form] = us
        whole[size, loop, form] = field("block_size")
    }
    if (!((size, loop, form) in tuned) || us < tuned[size, loop, form]) {
        tuned[size, loop, form] = us
        block[size, loop, form] = field("block_size")
    }
}

function cell(value, base) {
    return value == "" ? "-" : sprintf("%.0f%s", value, base == "" ? "" : sprintf(" (%+.1f)", 100 * (1 - value / base)))
}

function table(title, races, time, sizes_of,  k, f, form, row, size, loop, best, least) {
    print title
    printf "%-6s %-8s", "n", "loop"
    for (f = 1; f <= forms; f++) printf " %16s", head[f]
    printf " %12s\n", "largest gain"
    for (k = 1; k <= count; k++) {
        size = sizes[k]
        loop = loops[k]
        printf "%-6s %-8s", size, loop
        best = ""
        for (f = 1; f <= forms; f++) {
            form = names[f] races
            row = cell(time[size, loop, form], f == 1 ? "" : time[size, loop, names[1] races])
            if (row != "-") row = row " @" sizes_of[size, loop, form]
            printf " %16s", row
            if (f > 1 && time[size, loop, form] != "" && (best == "" || time[size, loop, form] < best))
                best = time[size, loop, form]
        }
        least = time[size, loop, names[1] races]
        if (best == "" || least == "") {
            printf " %12s\n", "-"
            if (races == "_colour") incomplete = 1
        } else
            printf " %10.1f %%\n", 100 * (1 - best / least)
    }
    print ""
}

END {
    forms = split("fused loops split split2 split3 split4", names, " ")
    split("unsplit|3 loops (fig 4)|1 kernel (fig 5)|2 parts (fig 6)|3 parts (fig 6)|4 parts (fig 6)", head, "|")
    print "Microseconds of a call; in brackets the gain over the unsplit loop in per cent; behind @ the block size.\n"
    table("Staged in shared memory, hierarchical colours, block size " fixed " or what fits (the paper: gains up to 34.5 %)",
          "_colour", untuned, whole)
    table("The same with each form's best block size (the paper: gains up to 22.5 %)", "_colour", tuned, block)
    table("Atomic additions instead of colours, each form's best block size (not in the paper)", "_atomic", tuned, block)
    print "cleave's default choice"
    printf "%-6s %-8s %10s %12s %14s  %s\n", "n", "loop", "us", "% of copy", "unsplit / it", "variant"
    for (k = 1; k <= count; k++) {
        size = sizes[k]
        loop = loops[k]
        if (chosen[size, loop] == "") {
            incomplete = 1
            continue
        }
        printf "%-6s %-8s %10.0f %12s %14.2f  %s\n", size, loop, chosen[size, loop], copy[size, loop] == "" ? "-" : copy[size, loop],
            tuned[size, loop, "fused_colour"] / chosen[size, loop], name[size, loop]
    }
    exit count == 0 || incomplete
}
