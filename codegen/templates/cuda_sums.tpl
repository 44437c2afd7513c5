{{comment}}
CLEAVE_KERNEL void {{name}}({{params}})
{
    {{ordered_sums}}
}

