{{comment}}
CLEAVE_KERNEL void {{name}}({{params}})
{
    const int cleave_b = cleave_plan.colour_block[cleave_first + cleave_block()];
    const int cleave_begin = cleave_plan.start[cleave_b];
    const int cleave_count = cleave_plan.start[cleave_b + 1] - cleave_begin;
    const bool cleave_active = cleave_thread() < cleave_count;
    const int cleave_position = cleave_begin + cleave_thread();
    {{element}}
    {{turn}}
    {{copies}}

    // Threads of one colour modify no common point; the barrier ends their turn.
    for (int cleave_colour = 0; cleave_colour < cleave_colours; cleave_colour++) {
        if (cleave_turn == cleave_colour) {
            {{privates}}
            {{compute}}
            {{turn_adds}}
        }
        cleave_barrier();
    }
    {{partials}}
}

