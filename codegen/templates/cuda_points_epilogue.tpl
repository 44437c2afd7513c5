{{comment}}
{{template}}
CLEAVE_KERNEL void {{registers}}{{name}}({{params}})
{
    const int cleave_b = cleave_block();
    const int cleave_p = cleave_b * cleave_threads() + cleave_thread();
    {{copies}}
    if (cleave_p < cleave_list.points) {
        {{point_range}}
        {{point_load}}
        {{point_items}}
        {{epilogue}}
    }
    {{block_partials}}
}

