// {{what}}; reuses the shared memory.
cleave_barrier();
{
    {{view}}
    {{zero}}
    cleave_barrier();
    // Threads of one colour add to no common point; the barrier ends their turn.
    for (int cleave_colour = 0; cleave_colour < cleave_colours; cleave_colour++) {
        if (cleave_turn == cleave_colour) {
            {{adds}}
        }
        cleave_barrier();
    }
    {{out}}
}
