
// The elements cleave_e .. cleave_end - 1 of a run from cleave_begin on: too few for a vector.
{{head_rest}}
{
    {{data}}
    for (; cleave_e < cleave_end; cleave_e++) {
        {{element_work}}
    }
}

