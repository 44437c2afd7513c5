// {{what}}
for (int cleave_b = 0; cleave_b < cleave_launch->blocks; cleave_b++) {
    {{copies}}
    {{partials}}
}
