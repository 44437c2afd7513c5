{{before}}
for (int cleave_colour = 0; cleave_colour < cleave_plan->global_colours; cleave_colour++) {
    const int cleave_first = cleave_plan->global_start[cleave_colour];
    const int cleave_end = cleave_plan->global_start[cleave_colour + 1];
    const int cleave_blocks = (cleave_end - cleave_first - 1) / cleave_block_size + 1;
    CLEAVE_LAUNCH({{name}}, cleave_blocks, cleave_block_threads,
                  {{shared}}, cleave_launch->stream,
                  {{arguments}});
    {{behind}}
}
