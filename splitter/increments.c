/* increments.c: finds the contributions of a kernel: statements that only add to an OP_INC
 * argument, at any nesting.
 *
 * In: a loop with its kernel's tree. Out: increments_arg and increments_component of every
 * statement. What counts as "only adds" is access_is_increment()'s, which the access check uses
 * too.
 */
#include "pass/access.h"
#include "splitter/splitter_impl.h"

static void mark_statement(struct stmt *stmt, void *user)
{
    const struct loop *loop = user;
    struct increment increment;
    stmt->increments_arg = -1;
    stmt->increments_component = -1;
    if (stmt->kind != STMT_EXPR || !access_is_increment(stmt, loop->kernel, &increment)) {
        return;
    }
    if (increment.param >= loop->args || loop->arg[increment.param].access != ACCESS_INC) {
        return;
    }
    const struct arg *arg = &loop->arg[increment.param];
    stmt->increments_arg = increment.param;
    if (increment.component >= 0 && increment.column >= 0) {
        stmt->increments_component =
            (arg->is_vector ? increment.column * arg->dim : 0) + increment.component;
    }
}

void increments_mark(struct loop *loop)
{
    if (loop->kernel->body != NULL) {
        stmt_visit(loop->kernel->body, mark_statement, NULL, loop);
    }
}
