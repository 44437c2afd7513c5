/* tiled.c: the unit's table of calls that the CPU may run tile by tile.
 *
 * In: the program's sequences, and the variants that its loops got. Out: those whose loops all have
 * variants.
 */
#include "codegen/emit.h"
#include "pass/ir/tiled.h"

static bool is_listed(const struct emit *emit, const struct tiled *tiled)
{
    bool listed = emit->file->target->has_tiles;
    for (int c = 0; c < tiled->calls && listed; c++) {
        listed = emit->file->loops[tiled->call[c].loop].variants > 0;
    }
    return listed;
}

static int count_listed(const struct emit *emit)
{
    const struct program *program = emit->file->program;
    int count = 0;
    for (int t = 0; t < program->tileds; t++) {
        count += is_listed(emit, &program->tiled[t]);
    }
    return count;
}

void tiled_print_sequences(struct emit *emit)
{
    const struct program *program = emit->file->program;
    if (count_listed(emit) == 0) {
        return;
    }
    out_text(emit->out, "static const struct cleave_tiled cleave_tiled_all[] = {\n");
    for (int t = 0; t < program->tileds; t++) {
        const struct tiled *tiled = &program->tiled[t];
        if (is_listed(emit, tiled)) {
            int items = 0;
            out_format(emit->out, "    {%d, {", tiled->calls);
            for (int c = 0; c < tiled->calls; c++) {
                out_item(emit->out, &items, "{%d, %d}", tiled->call[c].loop,
                         tiled->call[c].loc.line);
            }
            out_text(emit->out, "}},\n");
        }
    }
    out_text(emit->out, "};\n");
}

void tiled_print_table(struct emit *emit)
{
    int listed = count_listed(emit);
    out_format(emit->out, "%d, %s", listed, listed > 0 ? "cleave_tiled_all" : "NULL");
}
