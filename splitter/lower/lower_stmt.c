/* lower_stmt.c: statements, one after the other. What may be skipped by a return, a break or a
 * continue before it runs under the condition that it is not.
 */
#include "splitter/lower/lower_impl.h"

/* ---- leaving
 * ------------------------------------------------------------------------------------- */

static void set_flag(struct lower *lower, int leaf)
{
    leaf_set(lower, leaf, (struct value){.atom = make_bool(lower, true)});
}

/* Returns the flag if it may be set, -1 if its value is known; *always becomes true if it is
 * certainly set. */
static int pending(struct lower *lower, int leaf, bool *always)
{
    bool truth;

    if (leaf < 0) {
        return -1;
    }
    if (expr_truth(leaf_expr(lower, leaf), &truth)) {
        *always = *always || truth;
        return -1;
    }
    return leaf;
}

int lower_stop_flag(struct lower *lower, bool *always)
{
    int flag = -1;

    *always = false;
    for (const struct frame *frame = lower->frame; frame != NULL; frame = frame->outer) {
        int stopped = pending(lower, frame->stopped, always);
        int skipped = pending(lower, frame->skipped, always);

        flag = stopped >= 0 ? stopped : flag >= 0 ? flag : skipped;
        if (frame->is_function) {
            break;
        }
    }
    return flag;
}

/* Lowers the rest of the statements under the condition that no return, break or continue was
 * executed before. */
void lower_run_rest(struct lower *lower, void (*rest)(struct lower *lower, void *user), void *user)
{
    bool always;
    int flag = lower_stop_flag(lower, &always);
    struct expr *condition;
    struct branch branch;
    struct join join;

    if (always) {
        return;
    }
    if (flag < 0) {
        rest(lower, user);
        return;
    }
    condition = branch_condition(lower, leaf_expr(lower, flag), lower->leaf[flag].name);
    branch = branch_begin(lower, condition, false);
    leaf_set(lower, flag, (struct value){.atom = make_bool(lower, false)});
    lower_run_rest(lower, rest, user);
    join = branch_end(lower, &branch);
    branch_join(lower, condition, NULL, &join);
}

struct list {
    struct stmt **stmt;
    int count;
};

static void run_list(struct lower *lower, void *user)
{
    struct list rest = *(struct list *)user;
    bool always;

    while (rest.count > 0) {
        lower_stmt(lower, rest.stmt[0]);
        rest.stmt++;
        rest.count--;
        if (rest.count > 0 && (lower_stop_flag(lower, &always) >= 0 || always)) {
            lower_run_rest(lower, run_list, &rest);
            return;
        }
    }
}

void lower_list(struct lower *lower, struct stmt **stmt, int count)
{
    struct list list = {stmt, count};

    lower_run_rest(lower, run_list, &list);
}

/* ---- statements
 * ----------------------------------------------------------------------------------- */

void lower_declare(struct lower *lower, struct var *var)
{
    struct object *object = object_new(lower, var->name, var->type, var, ROLE_LOCAL);

    object_bind(lower, var, object);
    if (var->init != NULL) {
        lower_initialise(lower, location_object(lower, object), var->init);
    }
}

static void if_stmt(struct lower *lower, struct stmt *stmt)
{
    struct expr *condition;
    struct branch branch;
    struct join yes;
    struct join no = {0};
    bool truth;

    if (lower->has_extrema && extremum_if(lower, stmt)) {
        return;
    }
    condition = branch_condition(lower, lower_value(lower, stmt->expr), "cond");
    if (expr_truth(condition, &truth)) {
        if (truth || stmt->kids == 2) {
            lower_stmt(lower, stmt->kid[truth ? 0 : 1]);
        }
        return;
    }
    branch = branch_begin(lower, condition, true);
    lower_stmt(lower, stmt->kid[0]);
    yes = branch_end(lower, &branch);
    if (stmt->kids == 2) {
        branch = branch_begin(lower, condition, false);
        lower_stmt(lower, stmt->kid[1]);
        no = branch_end(lower, &branch);
    }
    lower->loc = stmt->loc;
    branch_join(lower, condition, &yes, &no);
}

const struct frame *lower_function_frame(const struct lower *lower)
{
    const struct frame *frame = lower->frame;

    while (!frame->is_function) {
        frame = frame->outer;
    }
    return frame;
}

static void return_stmt(struct lower *lower, struct stmt *stmt)
{
    const struct frame *frame = lower_function_frame(lower);

    if (stmt->expr != NULL && frame->result != NULL) {
        lower_initialise(lower, location_object(lower, frame->result), stmt->expr);
    } else if (stmt->expr != NULL) {
        lower_discard(lower, stmt->expr);
    }
    set_flag(lower, frame->stopped);
}

static void continue_stmt(struct lower *lower)
{
    const struct frame *frame = lower->frame;

    while (!frame->is_loop) {
        frame = frame->outer;
    }
    set_flag(lower, frame->skipped);
}

void lower_stmt(struct lower *lower, struct stmt *stmt)
{
    lower->loc = stmt->loc;
    switch (stmt->kind) {
    case STMT_EXPR:
        lower_discard(lower, stmt->expr);
        return;
    case STMT_DECL:
        lower_declare(lower, stmt->var);
        return;
    case STMT_BLOCK:
        lower_list(lower, stmt->kid, stmt->kids);
        return;
    case STMT_IF:
        if_stmt(lower, stmt);
        return;
    case STMT_FOR:
    case STMT_WHILE:
    case STMT_DO:
        lower_loop_stmt(lower, stmt);
        return;
    case STMT_SWITCH:
        lower_switch(lower, stmt);
        return;
    case STMT_RETURN:
        return_stmt(lower, stmt);
        return;
    case STMT_BREAK:
        set_flag(lower, lower->frame->stopped);
        return;
    case STMT_CONTINUE:
        continue_stmt(lower);
        return;
    case STMT_CASE: /* lower_switch() looks for them */
    case STMT_NOTHING:
        return;
    }
}
