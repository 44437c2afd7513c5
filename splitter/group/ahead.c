/* ahead.c: a loop that a group runs ahead of its call.
 *
 * A reduction ends a group, because the program may look at it. Where the loop that comes next runs
 * over the same points, the kernel of a group that gathers may compute it all the same, into second
 * buffers, on the expectation that it will be called. The runtime takes these values over if the
 * call comes, and nothing has changed that the loop reads (runtime/exec/ahead.c); else it drops
 * them.
 *
 * Such a loop runs on data that the program may never give it. So it must end, and must not read
 * beyond the end of anything, whatever the data are.
 */
#include "pass/ir/arena.h"
#include "splitter/graph/graph.h"
#include "splitter/group/group_impl.h"
#include "splitter/group/join.h"

/* ---- bodies -------------------------------------------------------------------------------------
 */

/* A quotient of integers: the divisor may be 0. */
static bool may_trap(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY &&
           (expr->binary == BINARY_DIV || expr->binary == BINARY_REM) &&
           !type_is_floating(expr->type) && expr->kid[1]->kind != EXPR_INT;
}

/* Whether the value is a subscript's with an index that is not constant, a value behind a pointer,
 * a quotient of integers, or a function's whose body is not known here. */
static void note_wild(struct expr *expr, void *user)
{
    bool *is_wild = user;

    *is_wild = *is_wild || may_trap(expr) ||
               (expr->kind == EXPR_INDEX && expr->kid[1]->kind != EXPR_INT) ||
               (expr->kind == EXPR_UNARY && expr->unary == UNARY_DEREF) ||
               (expr->kind == EXPR_CALL && expr->callee->kind == FUNCTION_USER);
}

static bool is_wild(const struct node *node)
{
    bool wild = node->kind == NODE_REGION || node->kind == NODE_EFFECT;

    for (int p = 0; p < node->places; p++) {
        wild = wild || node->place[p].component < 0;
    }
    expr_visit(node->expr, note_wild, &wild);
    stmt_visit(node->stmt, NULL, note_wild, &wild);
    return wild;
}

static bool has_wild_body(const struct loop *loop)
{
    if (loop->graph == NULL) {
        return true;
    }
    for (int n = 0; n < loop->graph->nodes; n++) {
        if (is_wild(&loop->graph->node[n])) {
            return true;
        }
    }
    return false;
}

bool group_is_tame(const struct program *program, const struct group *group)
{
    bool tame = true;

    for (int m = 0; m < group->members; m++) {
        tame = tame && (group->member[m].arg == NULL ||
                        !has_wild_body(&program->loop[group->member[m].loop]));
    }
    return tame;
}

/* ---- the last member of a run -------------------------------------------------------------------
 */

/* Why the runtime cannot know before the call what the loop computes. */
static const char *why_unforeseen(struct arena *arena, const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];

        if (arg->kind == ARG_GLOBAL) {
            return arena_format(arena,
                                arg->access == ACCESS_READ
                                    ? "'%s' gets '%s' by op_arg_gbl, whose value is known when it "
                                      "is called: it is not run ahead of its call"
                                    : "'%s' reduces into '%s': it is not run ahead of its call",
                                loop->name, arg->dat_text);
        }
    }
    if (loop->copy_from != loop->copy_to) {
        return arena_format(arena,
                            "'%s' only copies, for which nothing is launched: it is not run ahead "
                            "of its call",
                            loop->name);
    }
    return has_wild_body(loop)
               ? arena_format(arena,
                              "'%s' has loops, quotients of integers, or subscripts that are not "
                              "constant: it might not end on data that the program does not give "
                              "it, so it is not run ahead of its call",
                              loop->name)
               : NULL;
}

/* Why the values of before cannot be kept until the call: an earlier member modifies the dat. */
static const char *why_not_kept(const struct run *run)
{
    int last = run->members - 1;
    const struct loop *loop = run_loop(run, last);

    for (int b = 0; b < loop->args; b++) {
        for (int m = 0; m < last && loop->arg[b].access != ACCESS_READ; m++) {
            const struct loop *other = run_loop(run, m);

            for (int a = 0; a < other->args; a++) {
                if (other->arg[a].kind == ARG_DAT && other->arg[a].access != ACCESS_READ &&
                    run_same_data(run, m, a, last, b)) {
                    return arena_format(run->flow->program->arena,
                                        "'%s' and '%s' both modify '%s': the second one is not run "
                                        "ahead of its call",
                                        other->name, loop->name, loop->arg[b].dat_text);
                }
            }
        }
    }
    return NULL;
}

bool run_is_before_ahead(const struct run *run)
{
    return run->gathers && !run->ahead && !run->before[run->members - 2] && run_is_reduced(run);
}

bool run_may_go_ahead(const struct run *run, const char **why)
{
    int last = run->members - 1;

    *why = NULL;
    if (!run_is_before_ahead(run)) {
        return false;
    }
    *why = run_why_apart_set(run);
    *why = *why != NULL ? *why : run_why_not_behind(run);
    *why = *why != NULL ? *why : why_unforeseen(run->flow->program->arena, run_loop(run, last));
    *why = *why != NULL ? *why : why_not_kept(run);
    return *why == NULL;
}
