// {{what}}
{{reuse}}
{
    {{fill}}
    cleave_barrier();
    if (cleave_active) {
        {{updates}}
    }
    cleave_barrier();
    {{stage_out}}
}
