{{comment}}
{{template}}
CLEAVE_KERNEL void {{registers}}{{name}}({{params}})
{
    const cleave_owner cleave_own = cleave_owner_of(cleave_list, cleave_block_size);
    if ({{owner_is_idle}}) {
        return;
    }
    {{owner_stage_in}}
    {{owner_items}}
    {{owner_start}}
    {{owner_stage_in_barrier}}
    {{owner_point_values}}
    for (int cleave_row = cleave_own.row; cleave_row < cleave_own.last; cleave_row++) {
        {{owner_next}}
        if (cleave_now.element >= 0) {
            {{owner_item}}
            {{owner_body}}
        }
    }

    // Each point's sums, side by side, to memory.
    cleave_barrier();
    {{owner_save}}
}

