/* tiled_print.c: the text of sequences that may run tile by tile, a part of --cleave-dump=groups;
 * pass/ir/FORMAT.md describes it.
 */
#include "pass/ir/lines.h"
#include "pass/ir/tiled.h"

void tiled_print(FILE *out, const struct program *program)
{
    for (int t = 0; t < program->tileds; t++) {
        const struct tiled *tiled = &program->tiled[t];

        fprintf(out, "tiled %d\n", t);
        for (int c = 0; c < tiled->calls; c++) {
            fprintf(out, "  call %s", program->loop[tiled->call[c].loop].id);
            lines_print_place(out, tiled->call[c].loc);
        }
    }
}
