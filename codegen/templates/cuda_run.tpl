{{template}}
static void {{variant}}_run(const struct cleave_launch *cleave_launch)
{
    {{run_locals}}
    if (cleave_launch->size == 0) {
        return;
    }
    {{values}}
    {{launches}}
}

