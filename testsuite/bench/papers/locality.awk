# locality.awk -v begin="NAME FORM LAYOUT ORDER" -v wanted=LOOP report.json: a line for locality_table.awk: `begin`, then the
# variant, microseconds, GB/s, the method that ordered the mesh, colours (of the mesh, or of blocks), colours of threads, and how
# often a block uses a point that it stages; "-" for what the form has not.
function field(name,  rest) {
    if (!match($0, "\"" name "\": \"?[^\",}]*")) {
        return "-"
    }
    rest = substr($0, RSTART, RLENGTH)
    sub(/^"[^"]*": "?/, "", rest)
    return rest
}

/^"order": \{/ {
    method = field("method")
}

/^\{"loop": / && /"variant"/ && field("loop") == wanted {
    variant = field("variant")
    us = 1e6 * field("median_seconds")
    speed = us > 0 ? 1e-3 * field("bytes_per_call") / us : 0
}

# Loops share plans, and a plan bears the name of the first: that of the loop is the one with most elements.
/^\{"loop": / && /"plan_bytes"/ && field("elements") + 0 > most {
    most = field("elements") + 0
    colours = field("global_colours") != "-" ? field("global_colours") : field("block_colours")
    threads = field("thread_colours")
    reuse = field("reuse")
}

END {
    if (variant == "") {
        exit 1
    }
    print begin, variant, us, speed, (method == "" ? "none" : method), (most > 0 ? colours " " threads " " reuse : "- - -")
}
