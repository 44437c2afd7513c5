{{constants}}
{{loops}}
{{groups}}

static const struct cleave_unit cleave_unit = {
    CLEAVE_ABI, {{target}}, {{id}}, {{source}},
    {{loop_table}}, {{constant_table}}, {{relayout}}, {{make_copy}}, &cleave_unit_key, {{launch_error}},
    {{permute}}, {{source_text}}, {{group_table}}, {{change_graph}}, {{record_table}}, {{tiled_table}},
};

__attribute__((constructor)) static void cleave_unit_register(void)
{
    {{register}}(&cleave_unit);
}

__attribute__((destructor)) static void cleave_unit_unregister(void)
{
    cleave_unregister(&cleave_unit);
}

{{namespace_end}}
// Tells cleavecc that this file is in the object, where the symbol becomes a local one.
{{linkage}} __attribute__((visibility("hidden"))) const char {{symbol}};
const char {{symbol}} = 1;
