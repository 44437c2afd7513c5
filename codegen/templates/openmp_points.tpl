{{comment}}
{{head}}
{
    const struct cleave_plan *cleave_plan = cleave_launch->plan;
    {{data}}
    {{tmp}}
    {{elements}}
    {{gathers}}
}

