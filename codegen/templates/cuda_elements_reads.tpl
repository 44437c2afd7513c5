{{comment}}
CLEAVE_KERNEL void {{name}}({{params}})
{
    const int cleave_b = cleave_block();
    {{early}}
    const int cleave_step = cleave_arrived.blocks * cleave_block_size;
    {{copies}}
    auto cleave_visit = [&](const int cleave_e) {
        {{tmp}}
        {{privates}}
        {{crossings}}
        {{compute}}
    };
    int cleave_left = cleave_end - cleave_begin - cleave_b * cleave_block_size - cleave_thread();
    cleave_left = cleave_thread() < cleave_block_size ? cleave_left : 0;
    // Reads of CLEAVE_AT_ONCE elements are in flight together.
    for (; cleave_left > (CLEAVE_AT_ONCE - 1) * cleave_step; cleave_left -= CLEAVE_AT_ONCE * cleave_step) {
        for (int cleave_i = 0; cleave_i < CLEAVE_AT_ONCE; cleave_i++) {
            cleave_visit(cleave_end - cleave_left + cleave_i * cleave_step);
        }
    }
    for (; cleave_left > 0; cleave_left -= cleave_step) {
        cleave_visit(cleave_end - cleave_left);
    }
    {{partials}}
}

