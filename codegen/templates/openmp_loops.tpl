{{comment}}
static void {{name}}(const struct cleave_launch *cleave_launch)
{
    if (cleave_launch->size == 0) {
        return;
    }
    const struct cleave_plan *cleave_plan = cleave_launch->plan;
    {{data}}
    {{tmp}}

    // {{what}}; nothing is modified through a map.
#pragma omp parallel for
    for (int cleave_b = 0; cleave_b < cleave_plan->blocks; cleave_b++) {
        const int cleave_end = cleave_plan->start[cleave_b + 1];
        {{copies}}
        for (int cleave_i = cleave_plan->start[cleave_b]; cleave_i < cleave_end; cleave_i++) {
            {{element}}
            {{work}}
        }
        {{partials}}
    }
    {{updates}}
}

