{{comment}}
CLEAVE_KERNEL void {{name}}({{params}})
{
    const int cleave_b = cleave_block();
    const int cleave_p = cleave_b * cleave_threads() + cleave_thread();
    {{copies}}
    if (cleave_p < cleave_list.points) {
        const int cleave_first = cleave_list.item_start[cleave_p];
        const int cleave_last = cleave_list.item_start[cleave_p + 1];
        {{point_load}}
        for (int cleave_i = cleave_first; cleave_i < cleave_last; cleave_i++) {
            {{point_item}}
            {{point_updates}}
        }
        {{epilogue}}
    }
    {{block_partials}}
}

