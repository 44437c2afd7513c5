
{{comment}}
CLEAVE_KERNEL void {{name}}({{params}})
{
    {{global_block}}
    const int cleave_position = cleave_first + cleave_block() * cleave_block_size + cleave_thread();
    {{copies}}
    // The elements of one launch modify no common point.
    if (cleave_thread() < cleave_block_size && cleave_position < cleave_end) {
        {{global_element}}
        {{tmp}}
        {{privates}}
        {{crossings}}
        {{compute}}
        {{global_updates}}
    }
    {{partials}}
}
