
// The last elements of a run, too few for a vector.
{{head_rest}}
{
    {{unused_rest}}
    {{data}}
    for (; cleave_e < cleave_end; cleave_e++) {
        {{element_work}}
    }
}

