{{comment}}
static void {{name}}(const struct cleave_launch *cleave_launch)
{
    if (cleave_launch->size == 0) {
        return;
    }
    const struct cleave_plan *cleave_plan = cleave_launch->plan;
    {{data}}
    {{tmp}}
    {{elements}}
    {{gathers}}
}

