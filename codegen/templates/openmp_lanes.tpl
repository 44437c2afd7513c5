
{{comment}}
{{head_lanes}}
{
    {{data}}
    for (; cleave_end - cleave_e >= CLEAVE_LANES; cleave_e += CLEAVE_LANES) {
        {{lanes}}
    }
    {{call_rest}}
}
