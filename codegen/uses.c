/* uses.c: which arguments a stage's body and its updates use, and how.
 *
 * In: the trees of a stage that splitter/ took apart. Out: a struct body_use for each argument, by
 * which bodies.c declares no pointer in vain.
 */
#include "codegen/uses.h"
#include "pass/ir/arena.h"

struct walk {
    const struct loop *loop;
    struct body_use *use;
};

static int param_of(const struct loop *loop, const struct var *var)
{
    for (int a = 0; a < loop->args; a++) {
        if (loop->kernel->param[a] == var) {
            return a;
        }
    }
    return -1;
}

static const struct expr *through_casts(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST && expr->implicit) {
        expr = expr->kid[0];
    }
    return expr;
}

/* The argument whose parameter is subscripted by expr, else -1. */
static int subscripted(const struct loop *loop, const struct expr *expr)
{
    bool reaches =
        expr->kind == EXPR_INDEX || (expr->kind == EXPR_UNARY && expr->unary == UNARY_DEREF);
    const struct expr *base = reaches ? through_casts(expr->kid[0]) : NULL;
    return base != NULL && base->kind == EXPR_VAR ? param_of(loop, base->var) : -1;
}

static void note_use(struct expr *expr, void *user)
{
    struct walk *walk = user;
    int a = subscripted(walk->loop, expr);
    if (a >= 0) {
        walk->use[a].subscripts++;
    }
    if (expr->kind == EXPR_UNARY && expr->unary == UNARY_ADDRESS) {
        a = subscripted(walk->loop, through_casts(expr->kid[0]));
        if (a >= 0) {
            walk->use[a].subscripts--;
        }
    }
    if (expr->kind == EXPR_PLACE) {
        walk->use[expr->place.arg].columns |= 1u << expr->place.column;
    }
    a = expr->kind == EXPR_VAR ? param_of(walk->loop, expr->var) : -1;
    if (a >= 0) {
        walk->use[a].itself = true;
        walk->use[a].names++;
        walk->use[a].columns = (1u << walk->loop->arg[a].columns) - 1;
    }
}

struct body_use *uses_none(const struct emit *emit)
{
    return arena_alloc(emit->file->program->arena,
                       (size_t)emit->loop->args * sizeof(struct body_use));
}

struct body_use *uses_of(const struct emit *emit, struct stmt *body)
{
    struct walk walk = {emit->loop, uses_none(emit)};
    stmt_visit(body, NULL, note_use, &walk);
    return walk.use;
}

void uses_add_updates(const struct emit *emit, const struct stage *stage)
{
    struct walk walk = {emit->loop, emit->use};
    for (int u = 0; u < stage->updates; u++) {
        expr_visit(stage->update[u].value, note_use, &walk);
    }
}

static bool uses_element(const struct emit *emit, const struct body_use *use)
{
    for (int a = 0; a < emit->loop->args; a++) {
        enum binding binding = emit->binding[a];
        if (use[a].columns != 0 && (binding == BIND_DIRECT || binding == BIND_MAP ||
                                    binding == BIND_INDEX || arg_is_carried(&emit->loop->arg[a]))) {
            return true;
        }
    }
    return false;
}

bool body_uses_element(const struct emit *emit, struct stmt *body)
{
    return uses_element(emit, uses_of(emit, body));
}

bool body_subscripts(const struct emit *emit, struct stmt *body, int a)
{
    return uses_of(emit, body)[a].itself;
}

bool body_uses_components(const struct emit *emit, struct stmt *body, int a)
{
    const struct body_use *use = &uses_of(emit, body)[a];
    return use->columns != 0 && !use->itself;
}

bool update_uses_element(const struct emit *emit, const struct stage *stage)
{
    struct emit probe = *emit;
    probe.use = uses_none(emit);
    uses_add_updates(&probe, stage);
    return uses_element(&probe, probe.use);
}
