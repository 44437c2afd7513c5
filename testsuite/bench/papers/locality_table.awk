# locality_table.awk results.txt: the tables of locality.sh, from lines
#   NAME FORM LAYOUT ORDER VARIANT MICROSECONDS GB/S METHOD COLOURS THREAD_COLOURS REUSE
function fail(what) {
    print "locality_table.awk: " what
    failed = 1
}

NF != 11 {
    fail("line " NR " is damaged")
    next
}

{
    if (!($1 in known)) {
        known[$1] = 1
        name[++names] = $1
    }
    key = $1 SUBSEP $2 SUBSEP $3 SUBSEP $4
    # A form that was asked for must be the one that ran, on a mesh in the order that was asked for.
    if (!($2 in form_of) || $5 !~ form_of[$2]) {
        fail($1 " " $2 " " $3 " " $4 ": ran as " $5)
        next
    }
    if ($4 != "own" && $8 != $4) {
        missing[$4] = $8
        next
    }
    us[key] = $6
    speed[key] = $7
    colours[key] = $9
    threads[key] = $10
    reuse[key] = $11
    variant[key] = $5
}

BEGIN {
    form_of["global"] = "_fused_global_colour"
    form_of["hierarchical"] = "_fused_colour"
    form_of["twopass"] = "_twopass"
    form_of["atomic"] = "_fused_atomic"
    form_of["chosen"] = "."
    orders = split("none gps metis", order, " ")
    layouts = split("aos soa", layout, " ")
    # How the original programs keep increments apart: OP2 by colours of blocks and threads, LULESH by a second pass that
    # gathers, miniAero by atomic additions; and the gain over it that the paper gives.
    paper["airfoil"] = "hierarchical 10"
    paper["volna"] = "hierarchical 20"
    paper["bookleaf"] = "hierarchical 75"
    paper["lulesh"] = "twopass 75"
    paper["miniaero"] = "atomic 25"
}

function cell(key) {
    return key in us ? sprintf("%.0f (%.0f)", us[key], speed[key]) : "-"
}

function row(n, form, l,  o, key) {
    printf "  %-14s %-6s", form, layout[l]
    for (o = 1; o <= orders; o++) {
        key = n SUBSEP form SUBSEP layout[l] SUBSEP order[o]
        printf " %16s", cell(key)
    }
    print ""
    if (!((n SUBSEP form SUBSEP layout[l] SUBSEP "none") in us)) {
        fail(n " " form " " layout[l] ": not measured")
    }
}

function plans(n, form,  o, key) {
    printf "  %-21s", form == "global" ? "colours" : "colours, reuse"
    for (o = 1; o <= orders; o++) {
        key = n SUBSEP form SUBSEP "aos" SUBSEP order[o]
        if (!(key in us)) {
            printf " %16s", "-"
        } else if (form == "global") {
            printf " %16s", colours[key]
        } else {
            printf " %16s", sprintf("%d * %.1f, %.2f", colours[key], threads[key], reuse[key])
        }
    }
    print ""
}

# The fastest of a form in any layout and order: its key.
function fastest(n, form,  l, o, key, best) {
    best = ""
    for (l = 1; l <= layouts; l++) {
        for (o = 1; o <= orders; o++) {
            key = n SUBSEP form SUBSEP layout[l] SUBSEP order[o]
            if (key in us && (best == "" || us[key] < us[best])) {
                best = key
            }
        }
    }
    return best
}

function how(key,  part) {
    split(key, part, SUBSEP)
    return part[2] ", " part[3] ", " (part[4] == "none" ? "own order" : part[4])
}

function gains(n,  global, best, part, original, chosen) {
    global = fastest(n, "global")
    best = fastest(n, "hierarchical")
    split(paper[n], part, " ")
    original = n SUBSEP part[1] SUBSEP "aos" SUBSEP "none"
    chosen = n SUBSEP "chosen" SUBSEP "aos" SUBSEP "own"
    if (global == "" || best == "" || !(original in us) || !(chosen in us)) {
        fail(n ": a form was not measured")
        return
    }
    printf "  fastest hierarchical (%s) by fastest global (%s): %.2f times as fast\n", how(best), how(global),
        us[global] / us[best]
    if (us[global] < us[best]) {
        best = global
    }
    printf "  fastest of all (%s) by the original's way (%s, %.0f us): %+.0f %% (the paper: +%d %%)\n", how(best), how(original),
        us[original], 100 * (us[original] / us[best] - 1), part[2]
    printf "  cleave chooses %s: %.0f us, %.0f GB/s, %.2f times as fast as the fastest of these\n\n", variant[chosen],
        us[chosen], speed[chosen], us[best] / us[chosen]
}

END {
    print "Microseconds of a call (GB/s of useful bytes: each record once, twice where it is read and written)\n"
    for (i = 1; i <= names; i++) {
        printf "%-23s", name[i]
        for (o = 1; o <= orders; o++) {
            printf " %16s", order[o] == "none" ? "own order" : order[o]
        }
        print ""
        for (l = 1; l <= layouts; l++) {
            row(name[i], "global", l)
        }
        plans(name[i], "global")
        for (l = 1; l <= layouts; l++) {
            row(name[i], "hierarchical", l)
        }
        plans(name[i], "hierarchical")
        gains(name[i])
    }
    for (o in missing) {
        print "Not measured: " o " (the mesh was ordered by " missing[o] "; METIS or Scotch is missing on this machine)"
    }
    exit failed || names == 0
}
