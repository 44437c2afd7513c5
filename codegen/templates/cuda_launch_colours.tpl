static void {{name}}_run(const struct cleave_launch *cleave_launch)
{
    const struct cleave_plan *cleave_plan = cleave_launch->plan;
    const int cleave_width = (cleave_launch->threads + 31) / 32 * 32;
    if (cleave_launch->size == 0) {
        return;
    }
    {{values}}
    for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
        const int cleave_first = cleave_plan->colour_start[cleave_colour];
        const int cleave_blocks = cleave_plan->colour_start[cleave_colour + 1] - cleave_first;
        CLEAVE_LAUNCH({{name}}, cleave_blocks, cleave_width,
                      cleave_launch->shared_bytes, cleave_launch->stream,
                      {{arguments}});
    }
}

