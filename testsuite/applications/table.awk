# table.awk: one table for each application from the records of matrix.sh: lines APPLICATION|BACKEND|SCHEDULE|RACES|READS|
# SETTING|VERDICT|DETAIL. The exit code is not 0 when a record says FAIL or LATE, or when nothing passed.

BEGIN {
    FS = "|"
    columns = split("natural renumbered shuffled both soa same-bits lanes", setting, " ")
}

NF < 7 {
    next
}

!($1 in rows) {
    application[++applications] = $1
    rows[$1] = 0
}

{
    count[$1, $7]++
    all[$7]++
    if ($7 == "FAIL" || $7 == "LATE") {
        details[$1] = details[$1] sprintf("  %s: %s %s %s %s, %s: %s\n", $7, $2, $3, $4, $5, $6, $8)
    }
}

$3 == "check" || $3 == "verify" || $3 == "tuned" {
    others[$1] = others[$1] sprintf("%-8s %s%s: %s\n", $2, $3, $6 == "" ? "" : " " $6, $7)
    next
}

{
    row = sprintf("%-8s %-8s %-9s %-6s", $2, $3, $4, $5)
    if (!(($1, row) in place)) {
        place[$1, row] = ++rows[$1]
        text[$1, rows[$1]] = row
    }
    verdict[$1, row, $6] = $7
}

# A cell: several runs of one setting are one verdict, the last; "" is what was not asked for.
function cell(name, row, column,    found) {
    found = verdict[name, row, column]
    return found == "" ? "." : found
}

END {
    for (a = 1; a <= applications; a++) {
        name = application[a]
        printf "%s\n%-8s %-8s %-9s %-6s", name, "backend", "schedule", "races", "reads"
        for (c = 1; c <= columns; c++) {
            printf " %10s", setting[c]
        }
        print ""
        for (r = 1; r <= rows[name]; r++) {
            printf "%s", text[name, r]
            for (c = 1; c <= columns; c++) {
                printf " %10s", cell(name, text[name, r], setting[c])
            }
            print ""
        }
        printf "%s%s", others[name], details[name]
        printf "%s: %d ok, %d failed, %d not possible (-), %d not run for lack of time\n\n", name, count[name, "ok"],
            count[name, "FAIL"], count[name, "-"], count[name, "LATE"]
    }
    exit all["FAIL"] > 0 || all["LATE"] > 0 || all["ok"] == 0
}
