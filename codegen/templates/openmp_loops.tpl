{{comment}}
{{head}}
{
    const struct cleave_plan *cleave_plan = cleave_launch->plan;
    {{data}}
    {{tmp}}

    // {{what}}; nothing is modified through a map.
    const struct cleave_range cleave_blocks = cleave_part_of(0, cleave_plan->blocks, cleave_thread);
    for (int cleave_b = cleave_blocks.first; cleave_b < cleave_blocks.last; cleave_b++) {
        const int cleave_end = cleave_plan->start[cleave_b + 1];
        {{copies}}
        for (int cleave_i = cleave_plan->start[cleave_b]; cleave_i < cleave_end; cleave_i++) {
            {{element}}
            {{work}}
        }
        {{partials}}
    }
    {{updates}}
}

