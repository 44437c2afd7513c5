{{comment}}
CLEAVE_KERNEL void {{name}}({{params}})
{
    const int cleave_b = cleave_block();
    {{early}}
    const int cleave_e = cleave_begin + cleave_b * cleave_block_size + cleave_thread();
    const bool cleave_active = cleave_thread() < cleave_block_size && cleave_e < cleave_end;
    const int cleave_rows = cleave_rows_of(cleave_active);
    const int cleave_first = cleave_e - cleave_lane();
    {{area}}
    {{copies}}
    {{rows_load}}
    if (cleave_active) {
        {{compute}}
    }
    {{rows_store}}
    {{partials}}
}

