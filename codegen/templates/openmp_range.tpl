{{comment}}
{{head}}
{
    const struct cleave_plan *cleave_plan = cleave_launch->plan;
    {{data}}
    {{choose_lanes}}

    for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
        if (cleave_colour > 0) {
            cleave_wait_for_all(cleave_thread);
        }
        const struct cleave_range cleave_part =
            cleave_part_of(cleave_plan->colour_start[cleave_colour],
                           cleave_plan->colour_start[cleave_colour + 1], cleave_thread);
        for (int cleave_k = cleave_part.first; cleave_k < cleave_part.last; cleave_k++) {
            const int cleave_b = cleave_plan->colour_block[cleave_k];
            const int cleave_last = cleave_plan->segment_start[cleave_b + 1];
            {{copies}}
            for (int cleave_s = cleave_plan->segment_start[cleave_b]; cleave_s < cleave_last;
                 cleave_s++) {
                const int cleave_begin = cleave_plan->segment_first[cleave_s];
                const int cleave_end = cleave_plan->segment_last[cleave_s];
                {{run_elements}}
            }
            {{partials}}
        }
    }
}

