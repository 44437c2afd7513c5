{{comment}}
{{head}}
{
    const int cleave_block_size = cleave_launch->block_size;
    {{data}}
    {{choose_lanes}}

    const struct cleave_range cleave_blocks =
        cleave_part_of(0, cleave_launch->blocks, cleave_thread);
    for (int cleave_b = cleave_blocks.first; cleave_b < cleave_blocks.last; cleave_b++) {
        const int cleave_begin = cleave_launch->begin + cleave_b * cleave_block_size;
        const int cleave_left = cleave_launch->end - cleave_begin;
        const int cleave_count = cleave_left < cleave_block_size ? cleave_left : cleave_block_size;
        const int cleave_end = cleave_begin + cleave_count;
        {{copies}}
        {{run_elements}}
        {{partials}}
    }
}

