/* passes.c: the part of a generated file that is compiled once for each width of vectors.
 *
 * The file includes itself: its lane functions stand in front, where only such an inclusion sees
 * them, and the passes follow the constants and helpers that lane functions use.
 *
 *   #ifdef CLEAVE_LANE_BYTES
 *   lane functions
 *   #else
 *   includes, constants, helpers
 *   for each width of CLEAVE_LANE_WIDTHS:
 *       #define CLEAVE_LANE_BYTES, #include "lanes/begin.h", this file, "lanes/end.h"
 *   other variants, tables
 *   #endif
 */
#include <stdlib.h>

#include "codegen/emit.h"
#include "codegen/template.h"
#include "pass/ir/arena.h"

/* A text that is printed later. */
struct part {
    struct out out;
    char *text;
    size_t size;
};

struct lane_text {
    struct part functions; /* lane functions */
    struct part callees;   /* what they call, and is compiled once */
    struct out *outside;   /* emit->out, while one of them is printed */
    bool uses_class[9];    /* [8], [4]: some loop's lanes have as many bytes */
};

static void part_start(struct emit *emit, struct part *part)
{
    part->out.file = open_memstream(&part->text, &part->size);
    emit->out->failed = emit->out->failed || part->out.file == NULL;
}

static void part_print(struct emit *emit, struct part *part)
{
    bool failed = part->out.file == NULL || fclose(part->out.file) != 0 || part->out.failed ||
                  part->text == NULL;
    emit->out->failed = emit->out->failed || failed;
    out_text(emit->out, failed ? "" : part->text);
    free(part->text);
}

static void enter(struct emit *emit, bool functions)
{
    if (emit->file->lane_text == NULL) {
        emit->file->lane_text =
            arena_alloc(emit->file->program->arena, sizeof(*emit->file->lane_text));
        part_start(emit, &emit->file->lane_text->functions);
        part_start(emit, &emit->file->lane_text->callees);
    }
    struct lane_text *lanes = emit->file->lane_text;
    struct part *part = functions ? &lanes->functions : &lanes->callees;
    lanes->outside = emit->out;
    emit->out = part->out.file != NULL ? &part->out : emit->out;
}

void passes_open(struct emit *emit, int lane_class)
{
    enter(emit, true);
    emit->file->lane_text->uses_class[lane_class] = true;
    out_line(emit->out, "#undef CLEAVE_LANES");
    out_line(emit->out, "#define CLEAVE_LANES CLEAVE_LANES_OF_%d", lane_class);
}

void passes_open_callee(struct emit *emit)
{
    enter(emit, false);
}

void passes_close(struct emit *emit)
{
    emit->out = emit->file->lane_text->outside;
}

void passes_print_functions(struct emit *emit)
{
    if (emit->file->lane_text != NULL) {
        out_text(emit->out, "#ifdef CLEAVE_LANE_BYTES\n\n");
        part_print(emit, &emit->file->lane_text->functions);
        out_text(emit->out, "#else\n\n");
    }
}

void passes_print_widths(struct emit *emit)
{
    const struct codegen_options *options = emit->file->options;
    if (options->sanitized) {
        out_text(emit->out, "#define CLEAVE_LANE_WIDTHS 16\n");
    } else if (options->comparisons || options->exhaustive) {
        out_text(emit->out, "#define CLEAVE_LANE_WIDTHS (16 | 32 | 64)\n");
    }
}

/* Vectors that no loop uses need not be read by the compiler. */
static void print_unused(struct emit *emit)
{
    for (int bytes = 4; bytes <= 8; bytes += 4) {
        if (!emit->file->lane_text->uses_class[bytes]) {
            out_line(emit->out, "#define CLEAVE_LANES_WITHOUT_%d", bytes);
        }
    }
}

static void print_self(struct emit *emit)
{
    if (emit->file->options->file_name != NULL) {
        out_string(emit->out, emit->file->options->file_name);
    } else {
        out_text(emit->out, "__FILE__");
    }
}

void passes_print(struct emit *emit)
{
    static const struct hole holes[] = {
        {"unused", print_unused}, {"self", print_self}, {NULL, NULL}};
    if (emit->file->lane_text != NULL) {
        part_print(emit, &emit->file->lane_text->callees);
        template_print(emit, template_lane_passes, holes);
    }
}

void passes_print_end(struct emit *emit)
{
    out_text(emit->out, emit->file->lane_text != NULL ? "#endif\n" : "");
}
