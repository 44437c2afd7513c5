/* loop_ir.c: comparisons, names and walks of the loop IR that every station needs.
 *
 * Printing is in loop_ir_print.c, checking in loop_ir_check.c, trees as C in print_c.c.
 */
#include "pass/ir/loop_ir.h"

static bool same(const struct type *a, const struct type *b, bool outermost)
{
    if (a == b) {
        return true;
    }
    if (a == NULL || b == NULL || a->kind != b->kind) {
        return false;
    }
    if (!outermost && a->is_const != b->is_const) {
        return false;
    }
    switch (a->kind) {
    case TYPE_POINTER:
        return same(a->elem, b->elem, false);
    case TYPE_ARRAY:
        /* A const array is an array of const: the elements' qualifier is the outermost one. */
        return a->count == b->count && same(a->elem, b->elem, outermost);
    case TYPE_RECORD:
        return a->record == b->record;
    default:
        return true;
    }
}

bool type_same(const struct type *a, const struct type *b)
{
    return same(a, b, true);
}

bool type_is_floating(const struct type *type)
{
    return type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE;
}

bool type_is_signed(const struct type *type)
{
    switch (type->kind) {
    case TYPE_CHAR:
    case TYPE_SCHAR:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
    case TYPE_LLONG:
        return true;
    default:
        return false;
    }
}

bool type_is_integer(const struct type *type)
{
    return type->kind >= TYPE_BOOL && type->kind <= TYPE_ULLONG;
}

unsigned long long type_cut_bits(const struct type *type, unsigned long long bits)
{
    int width = 8 * (int)type->size;

    if (type->kind == TYPE_BOOL) {
        return bits != 0;
    }
    if (width <= 0 || width >= 64) {
        return bits;
    }
    bits &= (1ULL << width) - 1;
    if (type_is_signed(type) && (bits >> (width - 1)) != 0) {
        bits |= ~0ULL << width;
    }
    return bits;
}

const char *access_name(enum access access)
{
    static const char *const name[] = {
#define CLEAVE_ACCESS(name, letter, meaning) "OP_" #name,
#include "runtime/api/cleave_words.def"
    };

    return name[access];
}

char access_letter(enum access access)
{
    static const char letters[] = {
#define CLEAVE_ACCESS(name, letter, meaning) letter,
#include "runtime/api/cleave_words.def"
    };

    return letters[access];
}

void expr_visit(struct expr *expr, void (*on_expr)(struct expr *, void *), void *user)
{
    if (expr == NULL || on_expr == NULL) {
        return;
    }
    on_expr(expr, user);
    for (int k = 0; k < expr->kids; k++) {
        expr_visit(expr->kid[k], on_expr, user);
    }
}

void stmt_visit(struct stmt *stmt, void (*on_stmt)(struct stmt *, void *),
                void (*on_expr)(struct expr *, void *), void *user)
{
    if (stmt == NULL) {
        return;
    }
    if (on_stmt != NULL) {
        on_stmt(stmt, user);
    }
    if (stmt->kind == STMT_DECL) {
        expr_visit(stmt->var->init, on_expr, user);
    }
    expr_visit(stmt->expr, on_expr, user);
    expr_visit(stmt->step, on_expr, user);
    for (int k = 0; k < stmt->kids; k++) {
        stmt_visit(stmt->kid[k], on_stmt, on_expr, user);
    }
}

/* ---- schedules ------------------------------------------------------------------------------- */

bool args_share_group(const struct loop *loop, int a, int b)
{
    const struct arg *x = &loop->arg[a];
    const struct arg *y = &loop->arg[b];
    return a == b ||
           (x->kind == ARG_DAT && y->kind == ARG_DAT && x->is_indirect && y->is_indirect &&
            x->dat == y->dat && x->map == y->map && !x->is_optional && !y->is_optional);
}

const struct transfer *stage_transfer(const struct loop *loop, const struct stage *stage,
                                      enum transfer_kind kind, int arg)
{
    for (int t = 0; t < stage->transfers; t++) {
        const struct transfer *transfer = &stage->transfer[t];
        if (transfer->kind == kind && args_share_group(loop, transfer->arg, arg)) {
            return transfer;
        }
    }
    return NULL;
}

int arg_payload(const struct arg *arg)
{
    return arg->dim - arg->flags;
}

int transfer_slot(const struct transfer *transfer, int component)
{
    for (int i = 0; i < transfer->components; i++) {
        if (transfer->component[i] == component) {
            return i;
        }
    }
    return -1;
}

const struct schedule_form schedule_forms[SCHEDULES] = {
#define CLEAVE_SCHEDULE(place, kind, cuts, word, meaning) {SCHEDULE_##kind, cuts, word},
#include "runtime/api/cleave_words.def"
};
_Static_assert(AT_LOOPS == AT_SPLIT + MAX_CUTS, "split schedules stand side by side");

const char *schedule_word(const struct schedule *schedule)
{
    for (int s = 0; s < SCHEDULES; s++) {
        const struct schedule_form *form = &schedule_forms[s];
        if (form->kind == schedule->kind && form->cuts == schedule->cuts) {
            return form->word;
        }
    }
    return "";
}
