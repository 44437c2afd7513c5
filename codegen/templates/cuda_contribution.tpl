// {{what}}
{{reuse}}
{
    {{stage_in}}
    {{stage_in_barrier}}
    if (cleave_active) {
        {{compute}}
    }
}
