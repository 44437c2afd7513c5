static void {{name}}_run(const struct cleave_launch *cleave_launch)
{
    const int cleave_chunk = cleave_launch->threads;
    const int cleave_width = (cleave_chunk + 31) / 32 * 32;
    if (cleave_launch->size == 0) {
        return;
    }
    {{values}}
    CLEAVE_LAUNCH({{name}}, cleave_launch->blocks, cleave_width,
                  cleave_launch->shared_bytes, cleave_launch->stream,
                  {{arguments}});
}

