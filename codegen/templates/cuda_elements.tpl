{{comment}}
CLEAVE_KERNEL void {{name}}({{params}})
{
    const int cleave_b = cleave_block();
    {{early}}
    const int cleave_e = cleave_begin + cleave_b * cleave_block_size + cleave_thread();
    const bool cleave_active = cleave_thread() < cleave_block_size && cleave_e < cleave_end;
    {{copies}}
    if (cleave_active) {
        {{tmp}}
        {{privates}}
        {{crossings}}
        {{compute}}
        {{memory_updates}}
    }
    {{partials}}
}

