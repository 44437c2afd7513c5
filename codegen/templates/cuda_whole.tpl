// {{what}}
// Staged in: each point of the block once, whatever the number of elements that use it.
{{stage_in}}
{{fill}}
cleave_barrier();
if (cleave_active) {
    {{compute}}
}

// Threads of one colour update no common point; the barrier ends their turn.
for (int cleave_colour = 0; cleave_colour < cleave_colours; cleave_colour++) {
    if (cleave_turn == cleave_colour) {
        {{updates}}
    }
    cleave_barrier();
}

// Staged out: no other block of this launch modifies these points.
{{stage_out}}
