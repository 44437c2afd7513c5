// Shared memory of a block: byte offsets of what is staged, and all of it.
struct {{space}}_space {
    {{fields}}
    unsigned cleave_bytes;
};

static {{space}}_space
{{space}}_layout(const struct cleave_plan *cleave_plan)
{
    {{space}}_space cleave_space;
    size_t cleave_at = 0;
    {{offsets}}
    size_t cleave_bytes = cleave_at;
    {{others}}
    cleave_space.cleave_bytes = (unsigned)cleave_bytes;
    return cleave_space;
}

static size_t {{space}}_shared(const struct cleave_plan *cleave_plan)
{
    return {{space}}_layout(cleave_plan).cleave_bytes;
}

