/* stores.c: stores of a stage's body that a launch may leave out.
 *
 * In: a body that splitter/ took apart, and the dats whose values can be recomputed
 * (shape_dat.zeros). Out: its statements. A store is left out only where nothing behind it reads
 * the dat from memory, in this stage or a later one: values that the body goes on with are in
 * locals. Stores within loops and branches always stand. */
#include "codegen/emit.h"

/* Index of the dat that the statement stores a component of, and does nothing else; -1: it is no
 * such statement. */
static int stored_dat(const struct emit *emit, const struct stmt *stmt)
{
    const struct expr *expr = stmt->kind == STMT_EXPR ? stmt->expr : NULL;
    if (expr == NULL || expr->kind != EXPR_ASSIGN || expr->compound ||
        expr->kid[0]->kind != EXPR_PLACE || emit->binding[expr->kid[0]->place.arg] != BIND_DIRECT) {
        return -1;
    }
    return emit->shape->dat_of[expr->kid[0]->place.arg];
}

struct mentions {
    const struct emit *emit;
    int dat;
    int found;
};

static void note_mention(struct expr *expr, void *user)
{
    struct mentions *mentions = user;
    const struct loop *loop = mentions->emit->loop;
    for (int a = 0; a < loop->args; a++) {
        mentions->found += mentions->emit->shape->dat_of[a] == mentions->dat &&
                           ((expr->kind == EXPR_PLACE && expr->place.arg == a) ||
                            (expr->kind == EXPR_VAR && expr->var == loop->kernel->param[a]));
    }
}

static int count_mentions(const struct emit *emit, struct stmt *stmt, int dat)
{
    struct mentions mentions = {emit, dat, 0};
    stmt_visit(stmt, NULL, note_mention, &mentions);
    return mentions.found;
}

/* Whether the dat is used in no way behind the first of these stores but by others of them. */
static bool may_be_left_out(const struct emit *emit, int dat)
{
    bool stored = false;
    bool may = true;
    for (int s = 0; s < emit->schedule->stages; s++) {
        const struct stmt *body = emit->schedule->stage[s].body;
        for (int k = 0; body != NULL && k < body->kids && may; k++) {
            const bool stores = stored_dat(emit, body->kid[k]) == dat;
            may = !stored || count_mentions(emit, body->kid[k], dat) == stores;
            stored = stored || stores;
        }
    }
    return may;
}

bool emit_is_of_one_stage(const struct emit *emit, int dat)
{
    int stages = 0;
    for (int s = 0; emit->schedule != NULL && s < emit->schedule->stages; s++) {
        struct stmt *body = emit->schedule->stage[s].body;
        stages += body != NULL && count_mentions(emit, body, dat) > 0;
    }
    return stages <= 1;
}

void emit_body_statement(struct emit *emit, const struct stmt *stmt)
{
    const int d = emit->file->target->stages ? stored_dat(emit, stmt) : -1;
    const struct shape_dat *dat = d >= 0 ? &emit->shape->dat[d] : NULL;
    if (dat != NULL && dat->zeros != NULL && may_be_left_out(emit, d)) {
        out_line(emit->out, "if ((%s & CLEAVE_ZEROS_LEAVE) == 0)", dat->zeros);
        out_text(emit->out, "    ");
    }
    out_stmt(emit->out, stmt, &emit->names);
}
