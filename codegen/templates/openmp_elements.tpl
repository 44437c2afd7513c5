// {{what}}
#pragma omp parallel for schedule(static)
for (int cleave_b = 0; cleave_b < cleave_launch->blocks; cleave_b++) {
    const int cleave_begin = cleave_b * cleave_launch->threads;
    const int cleave_left = cleave_launch->size - cleave_begin;
    const int cleave_count =
        cleave_left < cleave_launch->threads ? cleave_left : cleave_launch->threads;
    {{copies}}
    for (int cleave_e = cleave_begin; cleave_e < cleave_begin + cleave_count; cleave_e++) {
        {{work}}
    }
    {{partials}}
}
