/* sides.c: compares what an element adds to both of its points, see sides.h.
 *
 * In: a GATHER stage with its body. Out: whether what it adds on one side, as the body stands, has
 * the number (sides_number.c) of what it adds on the other with the sides exchanged.
 */
#include "splitter/graph/sides_impl.h"

int sides_partner(const struct loop *loop, int a, int column)
{
    int partner = column;
    int others = 0;
    for (int b = 0; b < loop->args; b++) {
        const struct arg *arg = &loop->arg[b];
        const bool same = arg->kind == ARG_DAT && arg->is_indirect && arg->map >= 0 &&
                          arg->map == loop->arg[a].map;
        for (int c = 0; same && c < arg->columns; c++) {
            const int other = arg->is_vector ? c : arg->map_index;
            others += other != column && other != partner;
            partner = other != column ? other : partner;
        }
    }
    return others == 1 ? partner : column;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void hold(struct sides *sides, const struct var *var, const struct expr *value)
{
    struct side_value held;
    for (int w = 0; w < WAYS; w++) {
        held.loose[w] = sides_number(sides, value, (struct side_way){w, false});
        held.exact[w] = sides_number(sides, value, (struct side_way){w, true});
    }
    sides->value = arena_grow(sides->arena, sides->value, sides->values, &sides->value_capacity,
                              sizeof(*sides->value));
    pointer_map_set(&sides->vars, var, sides->values);
    sides->value[sides->values++] = held;
}

static bool is_scalar(const struct type *type)
{
    return type_is_floating(type) || type_is_integer(type);
}

/* Declarations and assignments of scalars, one behind the other. */
static void read_statement(struct sides *sides, const struct stmt *stmt)
{
    const struct expr *expr = stmt->expr;
    if (stmt->kind == STMT_DECL && is_scalar(stmt->var->type)) {
        if (stmt->var->init != NULL) {
            hold(sides, stmt->var, stmt->var->init);
        }
    } else if (stmt->kind == STMT_EXPR && expr->kind == EXPR_ASSIGN && !expr->compound &&
               expr->kid[0]->kind == EXPR_VAR && is_scalar(expr->kid[0]->var->type)) {
        hold(sides, expr->kid[0]->var, expr->kid[1]);
    } else if (stmt->kind == STMT_BLOCK) {
        for (int k = 0; k < stmt->kids; k++) {
            read_statement(sides, stmt->kid[k]);
        }
    } else {
        sides->unknown = sides->unknown || stmt->kind != STMT_NOTHING;
    }
}

/* ---- what is added --------------------------------------------------------------------------- */

static bool same_component(const struct loop *loop, const struct place *a, const struct place *b)
{
    return loop->arg[a->arg].dat == loop->arg[b->arg].dat && loop->arg[a->arg].dat >= 0 &&
           a->component == b->component;
}

static int column_of(const struct loop *loop, const struct place *place)
{
    const struct arg *arg = &loop->arg[place->arg];
    return arg->is_vector ? place->column : arg->map_index;
}

static struct side_ref number_update(struct sides *sides, const struct update *update,
                                     struct side_way way)
{
    const struct side_ref value = sides_number(sides, update->value, way);
    if (update->scale == NULL) {
        return side_signed(value, update->negative);
    }
    const struct side_ref scale = sides_number(sides, update->scale, way);
    return side_signed(sides_product(sides, update->value->type, scale, value), update->negative);
}

/* What the element adds to the place's component through a column; false: that is not known. */
static bool number_sum(struct sides *sides, const struct stage *stage, const struct place *place,
                       int column, int way, struct side_ref *sum)
{
    struct side_list list = {.refs = 0};
    const struct arg *arg = &sides->loop->arg[place->arg];
    const bool loose = arg->access == ACCESS_INC && type_is_floating(arg->type);
    for (int u = 0; u < stage->updates; u++) {
        const struct update *update = &stage->update[u];
        if (same_component(sides->loop, &update->place, place) &&
            column_of(sides->loop, &update->place) == column) {
            if (update->value == NULL || list.refs == SIDES_MOST_TERMS) {
                return false;
            }
            list.ref[list.refs++] = number_update(sides, update, (struct side_way){way, !loose});
        }
    }
    if (list.refs == 1) {
        *sum = list.ref[0];
        return true;
    }
    *sum = sides_sum(sides, arg->type, &list);
    return loose || list.refs == 0;
}

/* Whether the place's component gets on one side what it gets on the other when these are
 * exchanged. */
static bool is_alike(struct sides *sides, const struct stage *stage, const struct place *place)
{
    const int column = column_of(sides->loop, place);
    const int partner = sides_partner(sides->loop, place->arg, column);
    struct side_ref mine;
    struct side_ref theirs;
    return partner != column && number_sum(sides, stage, place, column, EXCHANGED, &mine) &&
           number_sum(sides, stage, place, partner, STANDING, &theirs) && mine.id == theirs.id &&
           mine.negative == theirs.negative;
}

bool sides_are_alike(const struct loop *loop, const struct stage *stage)
{
    struct sides sides = sides_new(loop);
    bool alike = stage->updates > 0 && stage->body != NULL;
    if (alike) {
        read_statement(&sides, stage->body);
    }
    for (int u = 0; alike && !sides.unknown && u < stage->updates; u++) {
        alike = stage->update[u].value != NULL && is_alike(&sides, stage, &stage->update[u].place);
    }
    alike = alike && !sides.unknown;
    arena_free(sides.arena);
    return alike;
}
