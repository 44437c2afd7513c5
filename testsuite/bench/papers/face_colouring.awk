# face_colouring.awk: for face_colouring.sh.
#   -v report=1 -v begin="SIZE TYPE FORM" report.json   a line for each of the two loops: "SIZE TYPE FORM LOOP VARIANT US COLOURS"
#   -v variables=N results.txt                          the tables: milliseconds of a call beside those of the paper
function field(name,  rest) {
    if (!match($0, "\"" name "\": \"?[^\",}]*")) {
        return ""
    }
    rest = substr($0, RSTART, RLENGTH)
    sub(/^"[^"]*": "?/, "", rest)
    return rest
}

function fail(what) {
    print "face_colouring.awk: " what
    failed = 1
}

report && /^\{"loop": "(flux_sum_[15]|local_maximum)".*"variant"/ {
    loop = field("loop")
    if (!(loop in us)) {
        order[++loops] = loop
    }
    us[loop] = 1e6 * field("median_seconds")
    variant[loop] = field("variant")
}

report && /^\{"loop": .*"global_colours"/ {
    colours[field("loop")] = field("global_colours")
}

!report {
    key = $2 SUBSEP ($4 == "local_maximum" ? "maximum" : "sum")
    if (!(($2, $1) in sized)) {
        sized[$2, $1] = ++sizes[$2]
        size[$2, sizes[$2]] = $1
    }
    ms[key, $3, $1] = $6 / 1000
    if ($3 == "colours" && $7 > 0) { # both loops run by one plan, which is listed for the first
        groups[$2, $1] = $7
    }
    if ($3 == "default") {
        chosen[key, $1] = $5
    }
    # The form that was asked for must be the one that ran.
    if ($3 ~ /^(colours|renumbered|reordered)$/ && $5 !~ /_fused_global_colour/ || $3 == "shared" && $5 !~ /_fused_colour/ ||
        $3 == "atomic" && $5 !~ /_fused_atomic/) {
        fail($1 " " $2 " " $3 ": " $4 " ran as " $5)
    }
}

# The paper's tables 4 and 5, milliseconds of a call on a V100 (seconds of 1000): the rows of its algorithms 5 to 11.
function papers_tables() {
    paper["double", "sum", "colours"] = "0.222 0.412 1.071 2.440 5.991"
    paper["double", "maximum", "colours"] = "0.198 0.378 1.067 2.564 6.310"
    paper["double", "sum", "shared"] = "0.221 0.409 1.060 2.379 5.841"
    paper["double", "maximum", "shared"] = "0.196 0.372 1.032 2.458 6.090"
    paper["double", "sum", "renumbered"] = "0.229 0.438 1.233 3.039 7.285"
    paper["double", "maximum", "renumbered"] = "0.203 0.406 1.424 3.778 8.750"
    paper["double", "sum", "reordered"] = "0.172 0.303 0.786 1.856 4.691"
    paper["float", "sum", "colours"] = "0.159 0.279 0.673 1.519 3.927"
    paper["float", "maximum", "colours"] = "0.151 0.263 0.727 1.736 4.452"
    paper["float", "sum", "shared"] = "0.158 0.277 0.666 1.481 3.829"
    paper["float", "maximum", "shared"] = "0.150 0.263 0.726 1.733 4.444"
    paper["float", "sum", "renumbered"] = "0.167 0.293 0.724 1.856 4.906"
    paper["float", "maximum", "renumbered"] = "0.157 0.292 0.849 2.485 6.375"
    paper["float", "sum", "reordered"] = "0.133 0.232 0.550 1.251 3.350"
}

# Milliseconds, and by how many per cent they are less than those of plain colours.
function cell(time, base) {
    return time == "" ? "-" : sprintf("%.3f%s", time, base == "" ? "" : sprintf(" (%+.0f)", 100 * (1 - time / base)))
}

# The paper's mesh, 1 to 5, that has about as many volumes as ours with n cubes in each direction; 0: none.
function papers_mesh(n,  mesh, volumes, ratio) {
    for (mesh = 1; mesh <= split("0.46 0.89 1.96 3.92 9.76", volumes, " "); mesh++) {
        ratio = 6e-6 * n ^ 3 / volumes[mesh]
        if (ratio > 0.9 && ratio < 1.1) {
            return mesh
        }
    }
    return 0
}

function papers_row(type, what, form,  theirs, theirs_base, s, mesh) {
    split(paper[type, what, form], theirs, " ")
    split(paper[type, what, "colours"], theirs_base, " ")
    printf "  %-34s", "    the paper, V100"
    for (s = 1; s <= sizes[type]; s++) {
        mesh = papers_mesh(size[type, s])
        printf " %16s", mesh == 0 ? "-" : cell(theirs[mesh], form == "colours" ? "" : theirs_base[mesh])
    }
    print ""
}

function rows(type, what,  f, s, form, key, n, base) {
    key = type SUBSEP what
    for (f = 1; f <= forms; f++) {
        form = names[f]
        if (form == "reordered" && what == "maximum") {
            continue # it reads no data of faces
        }
        printf "  %-34s", heads[f]
        for (s = 1; s <= sizes[type]; s++) {
            n = size[type, s]
            if (ms[key, form, n] == "") {
                fail(n " " type " " form ": not measured")
            }
            base = f == 1 ? "" : ms[key, "colours", n]
            printf " %16s", cell(ms[key, form, n], base)
        }
        print ""
        if ((type, what, form) in paper && (variables == 1 || what == "maximum")) {
            papers_row(type, what, form)
        }
    }
    for (s = 1; s <= sizes[type]; s++) {
        n = size[type, s]
        printf "  n = %s: cleave chooses %s, %.2f times as fast as plain colours\n", n, chosen[key, n],
            ms[key, "colours", n] / ms[key, "default", n]
    }
    print ""
}

function tables(  t, types, type, s) {
    papers_tables()
    forms = split("colours shared renumbered reordered atomic default", names, " ")
    split("one launch for each colour|staged in shared memory, by blocks|volumes and faces renumbered|" \
          "face data in the order of colours|atomic updates (not in the paper)|cleave's choice (not in the paper)", heads, "|")
    print "Milliseconds of a call (median), " variables " flux(es) through a face; in brackets by how many per cent less than one"
    print "launch for each colour. The paper's meshes have 0.46, 0.89, 1.96, 3.92 and 9.76 million volumes.\n"
    t = split("double float", types, " ")
    for (t = 1; t <= 2; t++) {
        type = types[t]
        if (!(type in sizes)) {
            continue
        }
        printf "%-36s", type ", n ="
        for (s = 1; s <= sizes[type]; s++) {
            printf " %16s", size[type, s]
        }
        printf "\n%-36s", "million volumes"
        for (s = 1; s <= sizes[type]; s++) {
            printf " %16.3f", 6 * size[type, s] ^ 3 / 1e6
        }
        printf "\n%-36s", "colours"
        for (s = 1; s <= sizes[type]; s++) {
            printf " %16s", groups[type, size[type, s]]
        }
        print "\nflux summation"
        rows(type, "sum")
        print "local maximum pressure"
        rows(type, "maximum")
    }
}

END {
    if (report) {
        for (l = 1; l <= loops; l++) {
            loop = order[l]
            printf "%s %s %s %.4f %d\n", begin, loop, variant[loop], us[loop], colours[loop]
        }
    } else {
        tables()
    }
    exit failed || (!report && NR == 0)
}
