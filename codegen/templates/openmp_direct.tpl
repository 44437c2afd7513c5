{{comment}}
static void {{name}}(const struct cleave_launch *cleave_launch)
{
    const int cleave_size = cleave_launch->size;
    const int cleave_blocks = cleave_launch->blocks;
    const int cleave_chunk = cleave_launch->threads;
    {{data}}

#pragma omp parallel for schedule(static)
    for (int cleave_b = 0; cleave_b < cleave_blocks; cleave_b++) {
        const int cleave_begin = cleave_b * cleave_chunk;
        const int cleave_left = cleave_size - cleave_begin;
        const int cleave_count = cleave_left < cleave_chunk ? cleave_left : cleave_chunk;
        const int cleave_end = cleave_begin + cleave_count;
        {{copies}}
        for (int cleave_e = cleave_begin; cleave_e < cleave_end; cleave_e++) {
            {{locals}}
            {{call}}
        }
        {{partials}}
    }
}

