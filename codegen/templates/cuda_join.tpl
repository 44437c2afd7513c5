{{comment}}
CLEAVE_KERNEL void CLEAVE_REGISTERS(CLEAVE_JOIN_REGISTERS) {{name}}({{params}})
{
    cleave_portion cleave_part = cleave_portion_of(cleave_portions, cleave_block());
    do {
        {{joins}}
    } while (cleave_joins_on(cleave_part, cleave_portions, cleave_shared<int>({{flag}})));
}

