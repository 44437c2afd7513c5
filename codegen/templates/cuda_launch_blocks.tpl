static void {{name}}_run(const struct cleave_launch *cleave_launch)
{
    const struct cleave_plan *cleave_plan = cleave_launch->plan;
    const int cleave_width = (cleave_launch->threads + 31) / 32 * 32;
    if (cleave_launch->size == 0) {
        return;
    }
    {{values}}
    CLEAVE_LAUNCH({{name}}, cleave_plan->blocks, cleave_width,
                  cleave_launch->shared_bytes, cleave_launch->stream,
                  {{arguments}});
}

