{{comment}}
{{template}}
CLEAVE_KERNEL void {{registers}}{{name}}({{params}})
{
    const int cleave_p = cleave_block() * cleave_threads() + cleave_thread();
    if (cleave_p >= cleave_list.points) {
        return;
    }
    const int cleave_first = cleave_list.item_start[cleave_p];
    const int cleave_last = cleave_list.item_start[cleave_p + 1];
    if (cleave_first == cleave_last) {
        return;
    }
    {{tmp}}
    {{point_load}}
    {{point_items}}
    {{point_save}}
}

