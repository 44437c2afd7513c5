/* point_values.h: values that a body computes from the record of one point alone; between
 * schedules.c and point_values.c.
 *
 * An element that names a point through column 0 and one that names it through column 1 apply the
 * same function to its record. Where the records of a block's points are staged, that function can
 * be applied once for each point, before any element is computed: on tetrahedra, where a block of n
 * points has about 3n in its neighbourhood and an owner gather computes 14n elements of two ends
 * each, nine times less often.
 */
#ifndef CLEAVE_SPLITTER_POINT_VALUES_H
#define CLEAVE_SPLITTER_POINT_VALUES_H

#include "splitter/graph/graph_impl.h"

/* Columns of the stage's map are bits of an unsigned, as in struct point_values. */
enum { POINT_COLUMNS = 32, POINT_MOST_OPS = 800 };

/* An operation on values of one point, whichever column the point is reached through; operations
 * that are alike have one number, which is larger than those of their operands. */
struct point_op {
    const struct expr *expr; /* an expression that computes it */
    const void *what;        /* callee, global variable; of a place: NULL */
    int group;               /* of a place: the first argument of its group; else -1 */
    int component;
    int kid[3]; /* -1: none */
    bool reads; /* it depends on a place; else it is a constant */
    /* A product that is an operand of a sum. A compiler that sees both contracts them to a fused
     * multiply-add; computing the product elsewhere would change bits. */
    bool fuses;
    unsigned columns; /* through which elements need it */
    struct var *var;  /* a variable of the body that holds it; NULL: none does */
};

struct point_ref {
    int op;           /* -1: it depends on several points, or on data that belongs to no point */
    unsigned columns; /* none, or one */
};

struct point_ops {
    struct arena *arena;
    const struct loop *loop;
    int map; /* argument whose map leads to the points */
    int ops;
    struct point_op op[POINT_MOST_OPS];
    struct pointer_map vars; /* variables of the body that one statement sets, to ... */
    struct point_ref *ref;   /* ... these */
    bool *needed; /* [ops] elements need the value itself, not only as an operand of a larger one */
};

/* point_ops.c: numbers the operations of a body on one point. NULL: there are too many. */
struct point_ops *point_ops_new(struct arena *arena, const struct loop *loop,
                                const struct stage *stage);
/* Returns the reference for any expression of the body. */
struct point_ref point_ref_of(struct point_ops *values, const struct expr *expr);
/* The statement's value if it gives a variable its value ("double v = value;" or "v = value;") in
 * the body's outermost block; else NULL. */
struct expr *point_definition(const struct stmt *stmt, struct var **var);

/* Who computes values once per point: a block, for all points whose records it stages; or a thread,
 * for the point that it has for its own (struct stage.own_values). */
enum point_way { POINT_STAGED, POINT_OWN };
/* point_choose.c: sets chosen[ops], the operations to compute once per point, weighing the work
 * saved against the shared memory, or the choices, that it takes. Returns their number. */
int point_ops_choose(const struct point_ops *values, enum point_way way, bool *chosen);
/* live[ops]: sets the operations that elements still need if the chosen ones are loaded instead of
 * computed. */
void point_ops_live(const struct point_ops *values, const bool *chosen, bool *live);
/* cone[ops]: marks an operation and all its operands, direct or not, that depend on the point. */
void point_ops_mark_cone(const struct point_ops *values, int i, bool *cone);
/* Whether a value may replace a component of a staged record: both have the same type. */
bool point_ops_can_replace(const struct point_ops *values, int place, int value);

/* point_values.c: sets stage->point_values and own_values of a GATHER stage whose body is there. */
void point_values_find(struct arena *arena, const struct loop *loop, struct stage *stage);

/* explain_points.c: fills staged_text and shown_bytes of all stages of the loop. */
void explain_stages(struct arena *arena, struct loop *loop);
/* explain.c: "0..2, 5": numbers in ascending order. */
char *explain_numbers(struct arena *arena, int count, const int *number);

#endif
