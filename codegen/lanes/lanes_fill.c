/* lanes_fill.c: copies of values for a branch, in which lanes that are off have the value of the
 * first lane that is on (lanes_if.c says why). They replace the values' names inside of the branch.
 */
#include <string.h>

#include "codegen/lanes/lanes_impl.h"

/* ---- names ---------------------------------------------------------------------------------- */

/* In this branch the value is read by another name. */
static void read_as(struct lanes *lanes, const char **slot, const char *name)
{
    int capacity = lanes->renames;
    lanes->rename =
        arena_grow(lanes->arena, lanes->rename, lanes->renames, &capacity, sizeof(*lanes->rename));
    lanes->rename[lanes->renames++] = (struct lane_rename){slot, *slot, name};
    *slot = name;
}

void lanes_restore_names(struct lanes *lanes, int renames)
{
    while (lanes->renames > renames) {
        const struct lane_rename *last = &lanes->rename[--lanes->renames];
        *last->slot = last->old;
    }
}

/* ---- filled copies -------------------------------------------------------------------------- */

static bool is_filled(const struct lanes *lanes, const char *const *slot)
{
    const struct lane_branch *branch = &lanes->branch[lanes->depth - 1];
    for (int r = branch->renames; r < lanes->renames; r++) {
        if (lanes->rename[r].slot == slot) {
            return true;
        }
    }
    return false;
}

/* A copy of this name has been declared in this branch. */
static bool is_declared(const struct lanes *lanes, const char *name)
{
    for (int r = lanes->branch[lanes->depth - 1].renames; r < lanes->renames; r++) {
        if (strcmp(lanes->rename[r].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void print_fill(struct lanes *lanes, const char **slot, const char *word, const char *base)
{
    const struct lane_branch *branch = &lanes->branch[lanes->depth - 1];
    const char *name = lanes_format(lanes, "cleave_%s_%d", base, branch->number);
    for (int again = 2; is_declared(lanes, name); again++) {
        name = lanes_format(lanes, "cleave_%s_%d_%d", base, branch->number, again);
    }
    lanes_line(lanes, "const CLEAVE_V(%s) %s = CLEAVE_V(fill_%s)(%s, %s);", word, name, word,
               branch->on, *slot);
    read_as(lanes, slot, name);
}

static void fill_var(struct lanes *lanes, struct lane_var *var)
{
    if (var->varies && var->depth < lanes->depth && !is_filled(lanes, &var->name)) {
        print_fill(lanes, &var->name, var->mask ? "mask" : lanes_type_word(var->var->type),
                   names_var(var->var, lanes->emit));
    }
}

static void fill_place(struct lanes *lanes, const struct place *place)
{
    struct lane_data *data = lanes_data_of(lanes, place);
    const char **slot = &data->now[place->component];
    if (data->depth < lanes->depth && !is_filled(lanes, slot)) {
        print_fill(lanes, slot, lanes_type_word(data->type),
                   lanes_format(lanes, "%s_%d", data->name, place->component));
    }
}

static void fill_expr(struct lanes *lanes, const struct expr *expr)
{
    if (expr->kind == EXPR_VAR && lanes_var(lanes, expr->var) != NULL) {
        fill_var(lanes, lanes_var(lanes, expr->var));
    } else if (expr->kind == EXPR_PLACE && lanes_place_varies(lanes, &expr->place)) {
        fill_place(lanes, &expr->place);
    }
    bool sets = expr->kind == EXPR_ASSIGN && !expr->compound;
    for (int k = sets; k < expr->kids; k++) {
        fill_expr(lanes, expr->kid[k]);
    }
}

/* All that the statement reads under the innermost mask. */
void lanes_fill(struct lanes *lanes, const struct stmt *stmt)
{
    if (stmt->expr != NULL) {
        fill_expr(lanes, stmt->expr);
    }
    for (int k = 0; k < stmt->kids && !lanes_is_masked(lanes, stmt); k++) {
        lanes_fill(lanes, stmt->kid[k]);
    }
}

/* ---- values set in a branch ------------------------------------------------------------------ */

static bool reads_expr(const struct lanes *lanes, const struct expr *expr, const struct expr *what)
{
    bool reads = expr->kind == what->kind &&
                 (what->kind == EXPR_VAR
                      ? expr->var == what->var
                      : lanes_data_of(lanes, &expr->place) == lanes_data_of(lanes, &what->place) &&
                            expr->place.component == what->place.component);
    bool sets = expr->kind == EXPR_ASSIGN && !expr->compound;
    for (int k = sets; k < expr->kids && !reads; k++) {
        reads = reads_expr(lanes, expr->kid[k], what);
    }
    return reads;
}

static bool reads(const struct lanes *lanes, const struct stmt *stmt, const struct expr *what)
{
    bool found = stmt->expr != NULL && reads_expr(lanes, stmt->expr, what);
    for (int k = 0; k < stmt->kids && !found; k++) {
        found = reads(lanes, stmt->kid[k], what);
    }
    return found;
}

static void use_own_name(struct lanes *lanes, const struct expr *target)
{
    if (target->kind == EXPR_VAR) {
        struct lane_var *var = lanes_var(lanes, target->var);
        if (var->varies && var->depth < lanes->depth) {
            read_as(lanes, &var->name, names_var(var->var, lanes->emit));
        }
    } else {
        struct lane_data *data = lanes_data_of(lanes, &target->place);
        read_as(lanes, &data->now[target->place.component],
                lanes_format(lanes, "%s[%d]", data->name, target->place.component));
    }
}

/* The statement has set what was declared outside of this branch; its own name holds the value, in
 * lanes that are on. Where this branch reads it, it gets a filled copy again. */
static void refresh(struct lanes *lanes, const struct expr *target)
{
    const struct lane_branch *branch = &lanes->branch[lanes->depth - 1];
    use_own_name(lanes, target);
    if (target->kind == EXPR_VAR) {
        struct lane_var *var = lanes_var(lanes, target->var);
        if (var->varies && var->depth < lanes->depth) {
            if (branch->fills && reads(lanes, branch->block, target)) {
                print_fill(lanes, &var->name, var->mask ? "mask" : lanes_type_word(var->var->type),
                           names_var(var->var, lanes->emit));
            }
        }
        return;
    }
    struct lane_data *data = lanes_data_of(lanes, &target->place);
    const char **slot = &data->now[target->place.component];
    if (branch->fills && reads(lanes, branch->block, target)) {
        print_fill(lanes, slot, lanes_type_word(data->type),
                   lanes_format(lanes, "%s_%d", data->name, target->place.component));
    }
}

static void refresh_all(struct lanes *lanes, const struct stmt *stmt)
{
    if (stmt->kind == STMT_EXPR) {
        refresh(lanes, stmt->expr->kid[0]);
    }
    for (int k = 0; k < stmt->kids; k++) {
        refresh_all(lanes, stmt->kid[k]);
    }
}

void lanes_use_own_names(struct lanes *lanes, const struct stmt *stmt)
{
    if (stmt->kind == STMT_EXPR && lanes->depth > 0) {
        use_own_name(lanes, stmt->expr->kid[0]);
    }
    for (int k = 0; k < stmt->kids; k++) {
        lanes_use_own_names(lanes, stmt->kid[k]);
    }
}

void lanes_refresh(struct lanes *lanes, const struct stmt *stmt)
{
    if (lanes->depth > 0 &&
        (stmt->kind == STMT_EXPR || stmt->kind == STMT_IF || stmt->kind == STMT_WHILE)) {
        refresh_all(lanes, stmt);
    }
}
