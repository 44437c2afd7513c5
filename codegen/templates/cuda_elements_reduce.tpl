{{comment}}
CLEAVE_KERNEL void {{name}}({{params}})
{
    const int cleave_b = cleave_block();
    {{early}}
    const int cleave_element_blocks = (cleave_end - cleave_begin - 1) / cleave_block_size + 1;
    {{copies}}
    for (int cleave_c = cleave_b; cleave_c < cleave_element_blocks; cleave_c += cleave_arrived.blocks) {
        const int cleave_e = cleave_begin + cleave_c * cleave_block_size + cleave_thread();
        if (cleave_thread() < cleave_block_size && cleave_e < cleave_end) {
            {{tmp}}
            {{privates}}
            {{crossings}}
            {{compute}}
            {{memory_updates}}
        }
    }
    {{partials}}
}

