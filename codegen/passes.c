/* passes.c: the part of a generated file that is compiled once for each width of vectors.
 *
 * The file includes itself: its lane functions stand in front, where only such an inclusion sees
 * them, and the passes follow the constants and helpers that lane functions use.
 *
 *   #ifdef CLEAVE_LANE_BYTES
 *   lane functions
 *   #else
 *   includes, constants, helpers
 *   #define CLEAVE_LANE_BYTES 16, #include "lanes/begin.h", the file, "lanes/end.h"; likewise 32,
 * 64 other variants, tables #endif
 */
#include <stdlib.h>

#include "codegen/emit.h"
#include "codegen/template.h"
#include "pass/ir/arena.h"

/* The text of the lane functions, and what it is written to. */
struct lane_text {
    struct out out;
    char *text;
    size_t size;
    struct out *outside; /* emit->out, while lane functions are printed */
};

void passes_open(struct emit *emit, int lane_class)
{
    struct lane_text *lanes = emit->lane_text;
    if (lanes == NULL) {
        lanes = arena_alloc(emit->program->arena, sizeof(*lanes));
        lanes->out.file = open_memstream(&lanes->text, &lanes->size);
        if (lanes->out.file == NULL) {
            emit->out->failed = true;
            return;
        }
        emit->lane_text = lanes;
    }
    lanes->outside = emit->out;
    emit->out = &lanes->out;
    out_line(emit->out, "#undef CLEAVE_LANES");
    out_line(emit->out, "#define CLEAVE_LANES CLEAVE_LANES_OF_%d", lane_class);
}

void passes_close(struct emit *emit)
{
    if (emit->lane_text != NULL) {
        emit->out = emit->lane_text->outside;
    }
}

void passes_print_functions(struct emit *emit)
{
    struct lane_text *lanes = emit->lane_text;
    if (lanes == NULL) {
        return;
    }
    bool failed = fclose(lanes->out.file) != 0 || lanes->out.failed || lanes->text == NULL;
    emit->out->failed = emit->out->failed || failed;
    out_text(emit->out, "#ifdef CLEAVE_LANE_BYTES\n\n");
    out_text(emit->out, failed ? "" : lanes->text);
    out_text(emit->out, "#else\n\n");
    free(lanes->text);
}

static void print_self(struct emit *emit)
{
    if (emit->options->file_name != NULL) {
        out_string(emit->out, emit->options->file_name);
    } else {
        out_text(emit->out, "__FILE__");
    }
}

void passes_print(struct emit *emit)
{
    static const struct hole holes[] = {{"self", print_self}, {NULL, NULL}};
    if (emit->lane_text != NULL) {
        template_print(emit, template_lane_passes, holes);
    }
}

void passes_print_end(struct emit *emit)
{
    out_text(emit->out, emit->lane_text != NULL ? "#endif\n" : "");
}
