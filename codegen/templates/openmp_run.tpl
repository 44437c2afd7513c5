static void {{name}}_run(const struct cleave_launch *cleave_launch)
{
    cleave_run_on_threads(cleave_launch, {{name}});
}

