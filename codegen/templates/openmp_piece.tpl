// {{what}}
for (int cleave_i = 0; cleave_i < cleave_count; cleave_i++) {
    {{element}}
    {{work}}
}
