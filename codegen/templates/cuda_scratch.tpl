// Shared memory of a block: reductions exchange one value per warp.
static size_t {{name}}_shared(const struct cleave_plan *)
{
    return {{scratch}};
}

