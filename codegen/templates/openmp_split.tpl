{{comment}}
{{head}}
{
    const struct cleave_plan *cleave_plan = cleave_launch->plan;
    {{data}}

    for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
        if (cleave_colour > 0) {
            cleave_wait_for_all(cleave_thread);
        }
        const struct cleave_range cleave_part =
            cleave_part_of(cleave_plan->colour_start[cleave_colour],
                           cleave_plan->colour_start[cleave_colour + 1], cleave_thread);
        for (int cleave_k = cleave_part.first; cleave_k < cleave_part.last; cleave_k++) {
            const int cleave_b = cleave_plan->colour_block[cleave_k];
            const int cleave_end = cleave_plan->start[cleave_b + 1];
            {{copies}}
            // The block is worked off in pieces, so that what crosses stages stays in the cache.
            for (int cleave_at = cleave_plan->start[cleave_b]; cleave_at < cleave_end;
                 cleave_at += {{piece}}) {
                const int cleave_left = cleave_end - cleave_at;
                const int cleave_count = cleave_left < {{piece}} ? cleave_left : {{piece}};
                {{arrays}}
                {{stages}}
            }
            {{partials}}
        }
    }
}

