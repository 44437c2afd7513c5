{{comment}}
{{template}}
CLEAVE_KERNEL void {{registers}}{{name}}({{params}})
{
    const int cleave_b = {{block}};
    const int cleave_begin = cleave_plan.start[cleave_b];
    const int cleave_count = cleave_plan.start[cleave_b + 1] - cleave_begin;
    const bool cleave_active = cleave_thread() < cleave_count;
    const int cleave_position = cleave_begin + cleave_thread();
    {{lists}}
    {{element}}
    {{turn}}
    {{gather_lists}}
    {{tmp}}
    {{copies}}
    {{privates}}
    {{crossings}}
    {{loads}}
    {{stages}}
    {{partials}}
}

