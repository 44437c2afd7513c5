{{comment}}
CLEAVE_KERNEL void {{name}}({{params}})
{
    const int cleave_b = cleave_plan.colour_block[cleave_first + cleave_block()];
    const int cleave_begin = cleave_plan.start[cleave_b];
    const int cleave_count = cleave_plan.start[cleave_b + 1] - cleave_begin;
    const bool cleave_active = cleave_thread() < cleave_count;
    const int cleave_position = cleave_begin + cleave_thread();
    {{lists}}

    // Stage in: each point of the block once, whatever the number of elements that use it.
    {{stage_in}}
    {{zero}}
    cleave_barrier();

    {{views}}
    {{copies}}
    {{privates}}
    if (cleave_active) {
        {{element}}
        {{locals}}
        {{call}}
    }

    // Threads of one colour add to no common point; the barrier ends their turn.
    const int cleave_colours = cleave_plan.thread_colours[cleave_b];
    const int cleave_turn = cleave_active ? cleave_plan.thread_colour[cleave_position] : -1;
    for (int cleave_colour = 0; cleave_colour < cleave_colours; cleave_colour++) {
        if (cleave_turn == cleave_colour) {
            {{shared_adds}}
        }
        cleave_barrier();
    }

    // Stage out: no other block of this launch modifies these points.
    {{stage_out}}
    {{partials}}
}

