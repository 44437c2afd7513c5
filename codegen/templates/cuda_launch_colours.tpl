for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
    const int cleave_first = cleave_plan->colour_start[cleave_colour];
    const int cleave_blocks = cleave_plan->colour_start[cleave_colour + 1] - cleave_first;
    CLEAVE_LAUNCH({{name}}, cleave_blocks, cleave_block_threads,
                  {{shared}}, cleave_launch->stream,
                  {{arguments}});
}
