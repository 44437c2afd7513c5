{{comment}}
{{template}}
CLEAVE_KERNEL void {{registers}}{{name}}({{params}})
{
    const int cleave_b = cleave_block();
    const int cleave_p = cleave_b * cleave_threads() + cleave_thread();
    {{copies}}
    if (cleave_p < cleave_list.points) {
        const int cleave_first = cleave_list.item_start[cleave_p];
        const int cleave_last = cleave_list.item_start[cleave_p + 1];
        {{point_load}}
        {{point_items}}
        {{epilogue}}
    }
    {{block_partials}}
}

