{{constants}}
{{loops}}
{{records}}

{{namespace_end}}
// The runtime finds this unit by its name, and registers a copy that has a key.
{{linkage}} __attribute__((visibility("default"))) const struct cleave_unit {{further_unit}};
const struct cleave_unit {{further_unit}} = {
    CLEAVE_ABI, {{target}}, {{id}}, {{source}},
    {{loop_table}}, {{constant_table}}, {{relayout}}, {{make_copy}}, NULL, {{launch_error}},
    NULL, NULL, 0, NULL, {{change_graph}}, {{record_table}}, 0, NULL,
};
