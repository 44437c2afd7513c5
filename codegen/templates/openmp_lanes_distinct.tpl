
{{comment}}
{{head_lanes}}
{
    const unsigned char *const cleave_distinct = cleave_launch->plan->distinct;
    {{data}}
    while (cleave_e < cleave_end) {
        const int cleave_next = cleave_next_distinct(cleave_distinct, cleave_e, cleave_end,
                                                     CLEAVE_LANES);
        {{call_singles}}
        cleave_e = cleave_next;
        while (cleave_end - cleave_e >= CLEAVE_LANES && cleave_distinct[cleave_e] >= CLEAVE_LANES) {
            {{lanes}}
            cleave_e += CLEAVE_LANES;
        }
    }
}
