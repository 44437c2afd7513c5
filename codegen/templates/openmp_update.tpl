// {{what}}
for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
    cleave_wait_for_all(cleave_thread);
    const struct cleave_range cleave_part =
        cleave_part_of(cleave_plan->colour_start[cleave_colour],
                       cleave_plan->colour_start[cleave_colour + 1], cleave_thread);
    for (int cleave_k = cleave_part.first; cleave_k < cleave_part.last; cleave_k++) {
        const int cleave_b = cleave_plan->colour_block[cleave_k];
        const int cleave_end = cleave_plan->start[cleave_b + 1];
        for (int cleave_i = cleave_plan->start[cleave_b]; cleave_i < cleave_end; cleave_i++) {
            const int cleave_e = cleave_plan->order[cleave_i];
            {{adds}}
        }
    }
}
