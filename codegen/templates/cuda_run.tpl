{{template}}
static void {{variant}}_run(const struct cleave_launch *cleave_launch)
{
    {{run_locals}}
    if (cleave_launch->begin == cleave_launch->end) {
        return;
    }
    {{values}}
    {{launches}}
}

