// Shared memory of a block: byte offsets of what a stage stages behind its first group, and all.
struct {{space}}_space {
    {{fields}}
    unsigned cleave_bytes;
};

static {{space}}_space
{{space}}_layout(const struct cleave_plan *cleave_plan)
{
    {{space}}_space cleave_space;
    size_t cleave_at = 0;
    size_t cleave_bytes = 0;
    {{counts}}
    cleave_space.cleave_bytes = (unsigned)cleave_bytes;
    return cleave_space;
}

static size_t {{space}}_shared(const struct cleave_plan *cleave_plan)
{
    return {{space}}_layout(cleave_plan).cleave_bytes;
}

