/* quotients_merge.c: which reciprocals one division makes.
 *
 * 1 / a and 1 / b are t * b and t * a, with t = 1 / (a * b): a division less for three products.
 * a * b may overflow or underflow where neither does, and where a is zero 1 / b is lost with it; so
 * only those are taken together that are made under the same conditions, and none whose denominator
 * the body compares with something. Reciprocals of one level cannot need each other, however many
 * groups there are: levels count those that a value has to wait for.
 */
#include <string.h>

#include "splitter/graph/quotients.h"
#include "splitter/graph/selects.h"

/* ---- levels ---------------------------------------------------------------------------------- */

struct levels {
    struct quotients *quotients;
    int *depth; /* [nodes] reciprocals one after the other that a node waits for, its own too */
    int node;
};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int guard_depth(const struct levels *levels, const struct guard *guard)
{
    int depth = 0;
    for (; guard != NULL; guard = guard->outer) {
        depth = larger(depth, levels->depth[guard->condition]);
    }
    return depth;
}

static int expr_depth(struct levels *levels, const struct expr *expr);

static int site_depth(struct levels *levels, const struct site *site)
{
    struct reciprocal *reciprocal = &levels->quotients->reciprocal[site->reciprocal];
    int above = expr_depth(levels, site->expr->kid[0]);
    int below = expr_depth(levels, site->expr->kid[1]);
    if (reciprocal->level < 0) {
        reciprocal->level = larger(below, guard_depth(levels, reciprocal->guard));
    }
    return larger(above, reciprocal->level + 1);
}

static int expr_depth(struct levels *levels, const struct expr *expr)
{
    struct quotients *quotients = levels->quotients;
    const struct site *site =
        quotients->cursor < quotients->sites ? &quotients->site[quotients->cursor] : NULL;
    if (site != NULL && site->node == levels->node && site->expr == expr) {
        quotients->cursor++;
        if (site->reciprocal >= 0) {
            return site_depth(levels, site);
        }
    }
    const struct node *node = &quotients->graph->node[levels->node];
    int depth = 0;
    for (int u = 0; expr->kind == EXPR_VAR && u < node->uses; u++) {
        if (node->use[u].var == expr->var) {
            depth = larger(depth, levels->depth[node->use[u].node]);
        }
    }
    for (int k = 0; k < expr->kids; k++) {
        depth = larger(depth, expr_depth(levels, expr->kid[k]));
    }
    return depth;
}

static int node_depth(struct levels *levels, int n)
{
    const struct node *node = &levels->quotients->graph->node[n];
    int depth = guard_depth(levels, node->guard);
    levels->node = n;
    if (node->kind == NODE_VALUE) {
        depth = larger(depth, expr_depth(levels, node->expr));
    }
    for (int u = 0; node->kind != NODE_VALUE && u < node->uses; u++) {
        depth = larger(depth, levels->depth[node->use[u].node]);
    }
    for (int a = 0; a < node->afters; a++) {
        depth = larger(depth, levels->depth[node->after[a]]);
    }
    return depth;
}

static void find_levels(struct quotients *quotients)
{
    struct graph *graph = quotients->graph;
    struct levels levels = {.quotients = quotients};
    levels.depth = arena_alloc(graph->arena, sizeof(*levels.depth) * (size_t)graph->nodes);
    quotients->cursor = 0;
    for (int n = 0; n < graph->nodes; n++) {
        levels.depth[n] = node_depth(&levels, n);
    }
}

/* ---- who needs them -------------------------------------------------------------------------- */

/* Mixes the part's number into `reach` of every reciprocal that the part needs. Reciprocals that
 * different parts need get different hashes and share no division, so that the parts can still be
 * computed in different stages. */
static void note_reach(struct quotients *quotients, bool *needed, int part)
{
    uint64_t word = (uint64_t)(part + 1) * 0x9e3779b97f4a7c15u;
    bool *counted =
        arena_alloc(quotients->graph->arena, sizeof(*counted) * (size_t)quotients->reciprocals);
    graph_cone(quotients->graph, needed, false);
    for (int s = 0; s < quotients->sites; s++) {
        const struct site *site = &quotients->site[s];
        if (site->reciprocal >= 0 && needed[site->node] && !counted[site->reciprocal]) {
            counted[site->reciprocal] = true;
            quotients->reciprocal[site->reciprocal].reach ^= word ^ word >> 29;
        }
    }
}

static void find_reach(struct quotients *quotients)
{
    enum { CHEAP_FLOPS = 16 };
    struct graph *graph = quotients->graph;
    int *part = arena_alloc(graph->arena, sizeof(*part) * (size_t)graph->contributions);
    int parts = graph_parts(graph, CHEAP_FLOPS, part);
    for (int p = -1; p < parts; p++) {
        bool *needed = arena_alloc(graph->arena, sizeof(*needed) * (size_t)graph->nodes);
        for (int n = 0; p < 0 && n < graph->nodes; n++) {
            needed[n] = graph->node[n].once;
        }
        for (int c = 0; c < graph->contributions; c++) {
            if (part[c] == p && graph->contribution[c].node >= 0) {
                needed[graph->contribution[c].node] = true;
            }
        }
        note_reach(quotients, needed, p);
    }
}

/* ---- which points they depend on ------------------------------------------------------------- */

enum { NO_POINT = -1, SEVERAL_POINTS = -2 };

static int both(int a, int b)
{
    return a == NO_POINT || a == b ? b : b == NO_POINT ? a : SEVERAL_POINTS;
}

struct points {
    struct quotients *quotients;
    int *point; /* [nodes] map and column of the one that a node depends on */
    int found;
};

static void note_point(struct expr *expr, void *user)
{
    struct points *points = user;
    const struct loop *loop = points->quotients->graph->loop;
    int n = expr->kind == EXPR_VAR ? pointer_map_get(&points->quotients->values, expr->var) : -1;
    if (expr->kind == EXPR_PLACE) {
        const struct arg *arg = &loop->arg[expr->place.arg];
        int column = arg->is_vector ? expr->place.column : arg->map_index;
        points->found =
            both(points->found,
                 place_is_staged(loop, &expr->place) ? arg->map * 1024 + column : SEVERAL_POINTS);
    } else if (expr->kind == EXPR_VAR && expr->var->storage == STORAGE_LOCAL) {
        points->found = both(points->found, n >= 0 ? points->point[n] : SEVERAL_POINTS);
    } else if (expr->kind == EXPR_VAR && expr->var->storage == STORAGE_PARAM) {
        points->found = SEVERAL_POINTS;
    }
}

static void find_points(struct quotients *quotients)
{
    struct graph *graph = quotients->graph;
    struct points points = {.quotients = quotients};
    points.point = arena_alloc(graph->arena, sizeof(*points.point) * (size_t)graph->nodes);
    for (int n = 0; n < graph->nodes; n++) {
        points.found = graph->node[n].kind == NODE_VALUE ? NO_POINT : SEVERAL_POINTS;
        if (graph->node[n].kind == NODE_VALUE) {
            expr_visit(graph->node[n].expr, note_point, &points);
        }
        points.point[n] = points.found;
    }
    for (int r = 0; r < quotients->reciprocals; r++) {
        points.found = NO_POINT;
        expr_visit((struct expr *)quotients->reciprocal[r].first, note_point, &points);
        quotients->reciprocal[r].of_point = points.found >= 0;
    }
}

/* ---- what is compared ------------------------------------------------------------------------ */

static bool is_bool(const struct type *type)
{
    return type->kind == TYPE_BOOL;
}

/* Marks the denominators that a comparison tests, looking through casts, signs and fabs. */
static void note_tested(struct quotients *quotients, const struct expr *expr)
{
    struct value_ref ref = value_number_strict(quotients->numbers, expr);
    for (int r = 0; r < quotients->reciprocals; r++) {
        struct reciprocal *reciprocal = &quotients->reciprocal[r];
        reciprocal->is_tested = reciprocal->is_tested || reciprocal->id == ref.id;
    }
    bool is_fabs = expr->kind == EXPR_CALL && strncmp(expr->callee->name, "fabs", 4) == 0;
    if (expr->kids == 1 && (expr->kind == EXPR_CAST || expr->kind == EXPR_UNARY || is_fabs)) {
        note_tested(quotients, expr->kid[0]);
    }
}

static void note_tests(struct expr *expr, void *user)
{
    struct quotients *quotients = user;
    bool compares =
        expr->kind == EXPR_BINARY && ((expr->binary >= BINARY_LT && expr->binary <= BINARY_NE) ||
                                      expr->binary == BINARY_LAND || expr->binary == BINARY_LOR);
    bool asks = compares || expr->kind == EXPR_COND ||
                (expr->kind == EXPR_UNARY && expr->unary == UNARY_NOT) ||
                (expr->kind == EXPR_CAST && is_bool(expr->type));
    int kids = expr->kind == EXPR_COND ? 1 : expr->kids;
    for (int k = 0; asks && k < kids; k++) {
        note_tested(quotients, expr->kid[k]);
    }
}

static void find_tests(struct quotients *quotients)
{
    for (int n = 0; n < quotients->graph->nodes; n++) {
        const struct node *node = &quotients->graph->node[n];
        if (node->kind == NODE_VALUE) {
            expr_visit(node->expr, note_tests, quotients);
        } else {
            stmt_visit(node->stmt, NULL, note_tests, quotients);
        }
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Dividing floats costs little, and their range is small. */
static bool may_join(const struct reciprocal *reciprocal, bool keep_points)
{
    return reciprocal->type->kind == TYPE_DOUBLE && !reciprocal->is_tested &&
           !reciprocal->is_root && !(keep_points && reciprocal->of_point);
}

static bool belong_together(const struct reciprocal *a, const struct reciprocal *b)
{
    return a->level == b->level && a->reach == b->reach && guards_equal(a->guard, b->guard);
}

static void fill_group(struct quotients *quotients, int first, bool keep_points)
{
    struct reciprocal *own = &quotients->reciprocal[first];
    int members = 1;
    for (int r = first + 1; r < quotients->reciprocals && members < QUOTIENTS_MOST_MERGED; r++) {
        struct reciprocal *other = &quotients->reciprocal[r];
        if (other->group < 0 && may_join(other, keep_points) && belong_together(own, other)) {
            own->group = other->group = quotients->groups;
            members++;
        }
    }
    quotients->groups += members > 1;
}

void quotients_group(struct quotients *quotients, bool keep_points)
{
    find_levels(quotients);
    find_reach(quotients);
    find_points(quotients);
    find_tests(quotients);
    for (int r = 0; r < quotients->reciprocals; r++) {
        if (quotients->reciprocal[r].group < 0 &&
            may_join(&quotients->reciprocal[r], keep_points)) {
            fill_group(quotients, r, keep_points);
        }
    }
}
