// {{what}}
for (int cleave_i = 0; cleave_i < cleave_count; cleave_i++) {
    const int cleave_e = cleave_plan->order[cleave_at + cleave_i];
    {{points}}
    {{adds}}
}
