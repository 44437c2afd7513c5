{{comment}}
CLEAVE_KERNEL void {{name}}({{params}})
{
    (void)cleave_block(); // from here on it sees what the kernel before wrote
    {{joins}}
}

