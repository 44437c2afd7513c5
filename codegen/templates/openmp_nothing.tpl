// {{what}}
const struct cleave_range cleave_blocks =
    cleave_part_of(0, cleave_launch->blocks, cleave_thread);
for (int cleave_b = cleave_blocks.first; cleave_b < cleave_blocks.last; cleave_b++) {
    {{copies}}
    {{partials}}
}
