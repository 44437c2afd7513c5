static void {{name}}_run(const struct cleave_launch *cleave_launch)
{
    CLEAVE_LANE_RUN(cleave_launch, {{name}});
}

