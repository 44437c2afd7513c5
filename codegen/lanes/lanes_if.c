/* lanes_if.c: branches on vectors.
 *
 * A condition that is the same for all lanes stays an if. Any other is a mask: the branch runs if
 * any lane is on, and what it sets is selected. Where something in it may trap, all that it reads
 * from outside is filled first: lanes that are off get the values of the first one that is on. They
 * then compute what that lane computes, and trap only if it does; conditions inside of the branch
 * are theirs too, so that they follow it on its way. Records that only a branch reads are loaded
 * there, by the lanes that are on.
 */
#include "codegen/lanes/lanes_impl.h"

/* ---- questions ------------------------------------------------------------------------------ */

bool lanes_is_masked(const struct lanes *lanes, const struct stmt *stmt)
{
    return stmt->kind == STMT_IF && lanes_varies(lanes, stmt->expr);
}

/* Something may trap that runs under the innermost mask around the statement: not what masks of its
 * own guard. */
static bool may_trap(const struct lanes *lanes, const struct stmt *stmt)
{
    bool traps = stmt->expr != NULL && lanes_may_trap(stmt->expr);
    for (int k = 0; k < stmt->kids && !traps && !lanes_is_masked(lanes, stmt); k++) {
        traps = may_trap(lanes, stmt->kid[k]);
    }
    return traps;
}

static int places_in_expr(const struct lanes *lanes, const struct expr *expr,
                          const struct lane_data *data)
{
    int places = expr->kind == EXPR_PLACE && lanes_place_varies(lanes, &expr->place) &&
                 lanes_data_of(lanes, &expr->place) == data;
    for (int k = 0; k < expr->kids; k++) {
        places += places_in_expr(lanes, expr->kid[k], data);
    }
    return places;
}

/* How often the statement names the record. */
static int places_in(const struct lanes *lanes, const struct stmt *stmt,
                     const struct lane_data *data)
{
    int places = stmt->expr != NULL ? places_in_expr(lanes, stmt->expr, data) : 0;
    for (int k = 0; k < stmt->kids; k++) {
        places += places_in(lanes, stmt->kid[k], data);
    }
    return places;
}

static bool is_confined(const struct lanes *lanes, const struct lane_data *data,
                        const struct stmt *block)
{
    return data->kind == LANE_RECORD && !lanes_is_written(data) && !data->loaded &&
           places_in(lanes, block, data) == data->uses;
}

bool lanes_loads_in_branch(const struct lanes *lanes, const struct stmt *block,
                           const struct lane_data *data)
{
    for (int k = 0; k < block->kids; k++) {
        const struct stmt *stmt = block->kid[k];
        bool inside = stmt->kind == STMT_BLOCK && lanes_loads_in_branch(lanes, stmt, data);
        for (int b = 0; stmt->kind == STMT_IF && b < stmt->kids && !inside; b++) {
            inside = is_confined(lanes, data, stmt->kid[b]);
        }
        if (inside) {
            return true;
        }
    }
    return false;
}

/* Returns how many it has printed. */
static int print_loads(struct lanes *lanes, const struct stmt *block, const char *on)
{
    int loads = 0;
    for (int d = 0; d < lanes->datas; d++) {
        if (is_confined(lanes, &lanes->data[d], block)) {
            lanes->data[d].depth = lanes->depth;
            lanes_print_load(lanes, &lanes->data[d], on);
            loads++;
        }
    }
    return loads;
}

static bool has_loads(const struct lanes *lanes, const struct stmt *block)
{
    for (int d = 0; d < lanes->datas; d++) {
        if (is_confined(lanes, &lanes->data[d], block)) {
            return true;
        }
    }
    return false;
}

/* ---- branches ------------------------------------------------------------------------------- */

static bool declares(const struct stmt *block)
{
    bool found = block->kind == STMT_DECL;
    for (int k = 0; k < block->kids && block->kind == STMT_BLOCK && !found; k++) {
        found = declares(block->kid[k]);
    }
    return found;
}

/* The lanes in which the branch runs: all conditions around it hold too. */
static const char *print_on(struct lanes *lanes, const char *condition, int number)
{
    if (lanes->depth == 0) {
        return condition;
    }
    const char *on = lanes_format(lanes, "cleave_on_%d", number);
    lanes_line(lanes, "const CLEAVE_V(mask) %s = %s & %s;", on, lanes->branch[lanes->depth - 1].on,
               condition);
    return on;
}

static void open_branch(struct lanes *lanes, struct lane_branch branch)
{
    int capacity = lanes->depth;
    lanes->branch =
        arena_grow(lanes->arena, lanes->branch, lanes->depth, &capacity, sizeof(*lanes->branch));
    lanes->branch[lanes->depth++] = branch;
}

static void print_branch(struct lanes *lanes, const char *condition, const struct stmt *block,
                         int number)
{
    struct out *out = lanes->emit->out;
    bool fills = may_trap(lanes, block);
    bool skips = fills || has_loads(lanes, block);
    bool braces = skips || declares(block);
    const char *on = print_on(lanes, condition, number);
    open_branch(lanes, (struct lane_branch){.condition = condition,
                                            .on = on,
                                            .block = block,
                                            .number = number,
                                            .renames = lanes->renames,
                                            .fills = fills});
    if (braces) {
        lanes_line(lanes, skips ? "if (CLEAVE_V(any)(%s)) {" : "{", on);
        out->indent += 4;
    }
    print_loads(lanes, block, on);
    if (fills) {
        lanes_fill(lanes, block);
    }
    lanes_print_block(lanes, block);
    if (braces) {
        out->indent -= 4;
        out_line(out, "}");
    }
    lanes->depth--;
    lanes_restore_names(lanes, lanes->branch[lanes->depth].renames);
}

static void print_scalar_if(struct lanes *lanes, const struct stmt *stmt)
{
    struct out *out = lanes->emit->out;
    const char *condition = out_expr_text(out, lanes->arena, stmt->expr, &lanes->names);
    for (int k = 0; k < stmt->kids; k++) {
        int renames = lanes->renames;
        lanes_line(lanes, k == 0 ? "if (%s) {" : "} else {", condition);
        out->indent += 4;
        print_loads(lanes, stmt->kid[k],
                    lanes->depth > 0 ? lanes->branch[lanes->depth - 1].on : NULL);
        lanes_print_block(lanes, stmt->kid[k]);
        out->indent -= 4;
        lanes_restore_names(lanes, renames);
    }
    out_line(out, "}");
}

static bool sets(const struct stmt *stmt, const struct var *var)
{
    bool found = stmt->kind == STMT_EXPR && stmt->expr->kid[0]->kind == EXPR_VAR &&
                 stmt->expr->kid[0]->var == var;
    for (int k = 0; k < stmt->kids && !found; k++) {
        found = sets(stmt->kid[k], var);
    }
    return found;
}

void lanes_print_if(struct lanes *lanes, const struct stmt *stmt)
{
    if (!lanes_varies(lanes, stmt->expr)) {
        print_scalar_if(lanes, stmt);
        return;
    }
    int number = ++lanes->branches;
    const char *condition = lanes_mask(lanes, stmt->expr);
    if (stmt->expr->kind != EXPR_VAR || stmt->kids > 1 || sets(stmt->kid[0], stmt->expr->var)) {
        const char *name = lanes_format(lanes, "cleave_if_%d", number);
        lanes_line(lanes, "const CLEAVE_V(mask) %s = %s;", name, condition);
        condition = name;
    }
    print_branch(lanes, condition, stmt->kid[0], number);
    if (stmt->kids > 1) {
        print_branch(lanes, lanes_format(lanes, "~%s", condition), stmt->kid[1], ++lanes->branches);
    }
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* while (looping) { ... }, of lanes_loop.c: until no lane is in the loop any more. */
void lanes_print_while(struct lanes *lanes, const struct stmt *stmt)
{
    struct out *out = lanes->emit->out;
    lanes_use_own_names(lanes, stmt);
    if (!lanes_varies(lanes, stmt->expr)) {
        lanes_line(lanes, "while (%s) {",
                   out_expr_text(out, lanes->arena, stmt->expr, &lanes->names));
    } else if (lanes->depth == 0) {
        lanes_line(lanes, "while (CLEAVE_V(any)(%s)) {", lanes_mask(lanes, stmt->expr));
    } else {
        lanes_line(lanes, "while (CLEAVE_V(any)(%s & %s)) {", lanes->branch[lanes->depth - 1].on,
                   lanes_mask(lanes, stmt->expr));
    }
    out->indent += 4;
    lanes_print_block(lanes, stmt->kid[0]);
    out->indent -= 4;
    out_line(out, "}");
}
