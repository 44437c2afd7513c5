/* access_use.c: the reports about how a kernel uses the places of its arguments. See
 * access_state.h.
 */
#include "pass/access/access_state.h"

#include <stdlib.h>

/* Number of source columns that expr covers when it is written as print_c writes it. */
static int width_of(const struct expr *expr)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);

    if (memory == NULL) {
        return 1;
    }
    print_c_expr(memory, expr, NULL);
    fclose(memory);
    free(text);
    return size < 40 ? (int)size : 1;
}

static const char *param_name(const struct walk *walk, int arg)
{
    return walk->loop->kernel->param[arg]->name;
}

void access_report(struct walk *walk, enum diag_id id, const struct expr *expr, int arg)
{
    const struct arg *of = &walk->loop->arg[arg];

    walk->failed |= id != DIAG_inc_direct && id != DIAG_extremum_unclear;
    diag_report(walk->diag, id, expr->loc, width_of(expr), of->loc, walk->function->user_name,
                param_name(walk, arg), access_name(of->declared),
                of->declared == ACCESS_MIN ? "minimum" : "maximum");
}

bool access_is_conditional(const struct walk *walk)
{
    return walk->counters.depth > 0 || walk->at_return->is_reached ||
           (walk->left != NULL && walk->left->is_reached) ||
           (walk->continued != NULL && walk->continued->is_reached);
}

/* No kernel can change a global: generated code keeps copies. */
static void use_global(struct walk *walk, const struct expr *expr, const struct target *target,
                       enum use use)
{
    const char *name = target->storage->name;

    if (use == USE_READ) {
        return;
    }
    if (target->in_doubt) {
        walk->doubt = name;
        return;
    }
    walk->failed = true;
    diag_report(walk->diag, DIAG_global_written, expr->loc, width_of(expr), target->storage->loc,
                walk->function->user_name, name);
}

/* It is unknown which argument this is, or whether it is one: no error, but no proof either. */
static void doubt_use(struct walk *walk, int number, enum use use)
{
    const struct arg *arg = &walk->loop->arg[number];
    bool is_shared = arg->kind == ARG_GLOBAL || arg->is_indirect;

    if (arg->kind != ARG_INFO &&
        ((arg->declared == ACCESS_READ && use != USE_READ) ||
         (arg->declared == ACCESS_INC && is_shared && use != USE_INCREMENT))) {
        walk->doubt = param_name(walk, number);
    }
}

static enum diag_id misuse(enum use use)
{
    switch (use) {
    case USE_READ:
        return DIAG_inc_read;
    case USE_TRUNCATE:
        return DIAG_inc_truncated;
    default:
        return DIAG_inc_assigned;
    }
}

static void check_use(struct walk *walk, const struct expr *expr, int number, enum use use)
{
    const struct arg *arg = &walk->loop->arg[number];
    bool is_shared = arg->kind != ARG_DAT || arg->is_indirect;

    if (arg->kind == ARG_INFO) {
        return;
    }
    if (arg->declared == ACCESS_READ && use != USE_READ) {
        access_report(walk, DIAG_read_written, expr, number);
    } else if (arg->declared == ACCESS_INC && use != USE_INCREMENT && is_shared) {
        access_report(walk, misuse(use), expr, number);
    } else if (arg->declared == ACCESS_INC && use != USE_INCREMENT && use != USE_TRUNCATE &&
               !walk->direct_said[number]) {
        walk->direct_said[number] = true;
        access_report(walk, DIAG_inc_direct, expr, number);
    }
}

/* A use beyond the end is an error, unless it runs under a condition that may never hold. */
static void report_beyond(struct walk *walk, enum diag_id error, enum diag_id warning,
                          const struct expr *expr, int number, struct range used, int end)
{
    bool is_error = !access_is_conditional(walk);

    if (!is_error && diag_was_reported(walk->diag, error, expr->loc)) {
        return; /* walked again: in another round of a loop, behind a jump out of it */
    }
    walk->failed |= is_error;
    walk->beyond = is_error ? walk->beyond : param_name(walk, number);
    diag_report(walk->diag, is_error ? error : warning, expr->loc, width_of(expr),
                walk->loop->arg[number].loc, walk->function->user_name,
                (int)(used.lo < 0 ? used.lo : used.hi), param_name(walk, number), end);
}

static void check_component(struct walk *walk, const struct expr *expr, const struct target *target)
{
    const struct arg *arg = &walk->loop->arg[target->arg];
    struct range used = target->offset;

    if (!target->offset_known || arg->dim <= 0 || (used.lo >= 0 && used.hi < arg->dim)) {
        return;
    }
    report_beyond(walk, DIAG_out_of_dim, DIAG_may_exceed_dim, expr, target->arg, used, arg->dim);
}

void access_check_row(struct walk *walk, const struct expr *expr, const struct target *target)
{
    const struct arg *arg = &walk->loop->arg[target->arg];
    struct range used = target->column;

    if (!target->in_doubt && target->column_known && (used.lo < 0 || used.hi >= arg->columns)) {
        report_beyond(walk, DIAG_out_of_rows, DIAG_may_exceed_rows, expr, target->arg, used,
                      arg->columns);
    }
}

void access_use(struct walk *walk, const struct expr *expr, const struct targets *place,
                enum use use)
{
    for (int n = 0; n < place->count; n++) {
        const struct target *target = &place->target[n];

        if (target->is_rows) {
            continue;
        }
        if (target->is_global) {
            use_global(walk, expr, target, use);
            continue;
        }
        access_see_use(walk, expr, target, use, place->count == 1 && !place->is_full);
        if (target->in_doubt) {
            doubt_use(walk, target->arg, use);
        } else {
            check_component(walk, expr, target);
            check_use(walk, expr, target->arg, use);
        }
    }
    if (place->is_full) {
        access_see_unknown(walk, place);
    }
    for (int n = 0; n < walk->loop->args && place->is_full; n++) {
        doubt_use(walk, n, use);
    }
}

void access_escape(struct walk *walk, const struct targets *value)
{
    access_see_unknown(walk, value);
    for (int n = 0; n < value->count; n++) {
        if (value->target[n].storage == NULL) {
            doubt_use(walk, value->target[n].arg, USE_WRITE);
        } else if (value->target[n].is_global) {
            walk->doubt = value->target[n].storage->name;
        }
    }
    for (int n = 0; n < walk->loop->args && value->is_full; n++) {
        doubt_use(walk, n, USE_WRITE);
    }
}
