/* dat_records.c: the table of what a loop does to all records of its dats.
 *
 * In: what the splitter has found out (arg.sets_whole and its kind). Out: text. */
#include "codegen/emit.h"
#include "pass/ir/arena.h"

/* Per argument: what the loop does to all records of its dat. */
static unsigned record_bits(const struct shape *shape, int a)
{
    const struct loop *loop = shape->loop;
    unsigned bits = (loop->arg[a].sets_whole ? CLEAVE_RECORD_WHOLE : 0) |
                    (loop->arg[a].is_recomputable ? CLEAVE_RECORD_RECOMPUTABLE : 0);
    for (int b = 0; shape->dat_of[a] >= 0 && b < loop->args; b++) {
        bits |= shape->dat_of[b] == shape->dat_of[a] && loop->arg[b].sets_zeros
                    ? CLEAVE_RECORD_ZEROS
                    : 0;
    }
    if (shape->dat_of[a] < 0) {
        return bits;
    }
    const struct shape_dat *dat = &shape->dat[shape->dat_of[a]];
    return bits | (dat->zeros != NULL && !dat->sums ? CLEAVE_RECORD_LEAVES : 0) |
           (dat->starts ? CLEAVE_RECORD_STARTS : 0) |
           (loop->arg[a].expects_zeros ? CLEAVE_RECORD_EXPECTS : 0);
}

/* "static const unsigned char LOOP_records[] = {...};"; whether one of them says anything. */
static bool print_record(struct emit *emit, const struct shape *shape)
{
    const char *text = "";
    unsigned any = 0;
    for (int a = 0; a < shape->loop->args; a++) {
        const unsigned bits = record_bits(shape, a);
        text = emit_format(emit, "%s%s%u", text, a > 0 ? ", " : "", bits);
        any |= bits;
    }
    if (any != 0) {
        out_line(emit->out, "static const unsigned char %s_records[] = {%s};", shape->loop->id,
                 text);
    }
    return any != 0;
}

/* Whether a loop does anything that the table could say. Processors without memory of their own
 * leave nothing out. */
static bool has_records(const struct emit *emit)
{
    const struct program *program = emit->file->program;
    bool has = false;
    for (int l = 0; emit->file->target->stages && l < program->loops; l++) {
        const struct emitted_loop *loop = &emit->file->loops[l];
        for (int a = 0; loop->variants > 0 && a < program->loop[l].args; a++) {
            has = has || record_bits(loop->shape, a) != 0;
        }
    }
    return has;
}

/* The row of a loop, in a text of further variants between #if and #endif. */
static const char *row_of(struct emit *emit, int l)
{
    const struct loop *loop = &emit->file->program->loop[l];
    const struct emitted_loop *emitted = &emit->file->loops[l];
    further_open(emit, l);
    const char *name = emitted->variants > 0 && print_record(emit, emitted->shape)
                           ? emit_format(emit, "%s_records", loop->id)
                           : "NULL";
    further_close(emit);
    const char *row =
        emit_format(emit, "    {%s, %d, %d},\n", name, loop->copy_from, loop->copy_to);
    return emit->file->compiled != NULL
               ? emit_format(emit, "#if CLEAVE_LOOP == %d\n%s#endif\n", l, row)
               : row;
}

void dat_records_print(struct emit *emit)
{
    const struct program *program = emit->file->program;
    const char *rows = "";
    for (int l = 0; has_records(emit) && l < program->loops; l++) {
        if (further_lists(emit->file, l)) {
            rows = emit_format(emit, "%s%s", rows, row_of(emit, l));
        }
    }
    if (rows[0] != '\0') {
        out_format(emit->out, "static const struct cleave_records cleave_records[] = {\n%s};\n",
                   rows);
    }
}

void dat_records_print_table(struct emit *emit)
{
    out_text(emit->out, has_records(emit) ? "cleave_records" : "NULL");
}
