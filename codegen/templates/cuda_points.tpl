{{comment}}
{{template}}
CLEAVE_KERNEL void {{registers}}{{name}}({{params}})
{
    const int cleave_p = cleave_block() * cleave_threads() + cleave_thread();
    if (cleave_p >= cleave_list.points) {
        return;
    }
    {{point_range}}
    if ({{point_is_alone}}) {
        return;
    }
    {{tmp}}
    {{point_load}}
    {{point_items}}
    {{point_save}}
}

