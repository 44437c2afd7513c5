// {{what}}
{{reuse}}
{
    {{fill}}
    cleave_barrier();
    // Threads of one colour update no common point; the barrier ends their turn.
    for (int cleave_colour = 0; cleave_colour < cleave_colours; cleave_colour++) {
        if (cleave_turn == cleave_colour) {
            {{updates}}
        }
        cleave_barrier();
    }
    {{stage_out}}
}
