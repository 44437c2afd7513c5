# forms.awk: the forms in which the loops of a program were compiled or ran. A form is a schedule, a way to resolve races and
# a way to read through maps; "-" where a form has no such choice.
#
#   what=list: from what CLEAVE_VARIANT=list prints, one line "SCHEDULE RACES READS" for each form of `backend`
#   what=used: from op_timing_output's table; exit code 0 when a loop ran in the form `schedule`, `races`, `reads` on
#              `backend` ("-": whatever it is), 1 when none did, 3 when a loop ran sequentially (its name is printed),
#              4 when there is no table

# Sets form_schedule, form_races and form_reads from the name of a variant without that of its kernel; it begins with a
# number, "2_fused_range", where a file has several loops with this kernel.
function take_apart(variant,    word, count, i) {
    sub(/^[0-9]+_/, "", variant)
    count = split(variant, word, "_")
    form_schedule = word[1]
    form_races = form_reads = "-"
    for (i = 2; i <= count; i++) {
        if (word[i] ~ /^(atomic|transpose|ordered|range|global)$/ || (word[i] == "colour" && form_races == "-")) {
            form_races = word[i]
        } else if (word[i] ~ /^(gather|slices[0-9]+)$/) {
            form_races = "gather"
            form_reads = "staged"
        } else if (word[i] ~ /^(direct|staged)$/) {
            form_reads = word[i]
        }
        if (word[i] == "ordered") {
            form_reads = "staged"
        }
    }
}

# Whether what is wanted is there, or anything does.
function fits(wanted, found) {
    return wanted == "-" || wanted == found
}

what == "list" && $1 == backend && NF == 3 {
    take_apart(substr($3, length($2) + 2))
    if (form_schedule != "direct" && !seen[form_schedule, form_races, form_reads]++) {
        print form_schedule, form_races, form_reads
    }
}

what == "used" && /^loop  .* variant$/ {
    table = 1
    next
}

what == "used" && /^times: / {
    table_ended = 1
}

what == "used" && table && !table_ended && $1 != "total" {
    if ($(NF - 1) == "sequential") {
        print $1
        sequential = 1
    } else if ($NF == "(" backend ")") {
        variant = $(NF - 1)
        take_apart(substr(variant, length($(NF - 2)) + 2))
        used += fits(schedule, form_schedule) && fits(races, form_races) && fits(reads, form_reads)
    }
}

END {
    if (what == "used") {
        exit !table_ended ? 4 : sequential ? 3 : used > 0 ? 0 : 1
    }
}
