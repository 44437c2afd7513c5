// Memory for the sums of all blocks.
static size_t {{space}}_sums(const struct cleave_plan *cleave_plan)
{
    return {{space}}_layout(cleave_plan).cleave_sums_bytes;
}

