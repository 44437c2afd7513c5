/* near.h: what a body computes from the record of one point alone; between schedules.c and near.c.
 *
 * An element that names a point through column 0 and one that names it through column 1 apply the
 * same function to its record. Where the records of a block's points are staged, that function can
 * be applied once for each point, before any element is computed: on tetrahedra, where a block of n
 * points has about 3n in its neighbourhood and an owner gather computes 14n elements of two ends
 * each, nine times less often.
 */
#ifndef CLEAVE_SPLITTER_NEAR_H
#define CLEAVE_SPLITTER_NEAR_H

#include "splitter/graph/graph_impl.h"

/* Columns of the stage's map are bits of an unsigned, as in struct near. */
enum { NEAR_COLUMNS = 32, NEAR_MOST_OPS = 800 };

/* An operation on values of one point, whichever column the point is reached through; operations
 * that are alike have one number, which is larger than those of their operands. */
struct near_op {
    const struct expr *expr; /* one that computes it */
    const void *what;        /* callee, global variable; of a place: NULL */
    int group;               /* of a place: the first argument of its group; else -1 */
    int component;
    int kid[3]; /* -1: none */
    bool reads; /* it depends on a place; else it is a constant */
    /* A product that is added to something: compilers fuse the two where they see both, so that
     * kernels which compute it elsewhere would give other bits. */
    bool fuses;
    unsigned columns; /* through which elements need it */
    struct var *var;  /* a variable of the body that holds it; NULL: none does */
};

struct near_ref {
    int op;           /* -1: it depends on several points, or on what is no point's */
    unsigned columns; /* none, or one */
};

struct near_values {
    struct arena *arena;
    const struct loop *loop;
    int map; /* argument whose map leads to the points */
    int ops;
    struct near_op op[NEAR_MOST_OPS];
    struct pointer_map vars; /* variables of the body that one statement sets, to ... */
    struct near_ref *ref;    /* ... these */
    bool *needed;            /* [ops] elements need it as it is: maximal ones, that is */
};

/* near_values.c: numbers what a body's statements compute of one point. NULL: there is too much. */
struct near_values *near_values_new(struct arena *arena, const struct loop *loop,
                                    const struct stage *stage);
/* Returns the reference for any expression of the body. */
struct near_ref near_ref_of(struct near_values *values, const struct expr *expr);
/* Statement of the body's own block that gives a variable its value: a declaration with a value, or
 * "var = value"; NULL: it is another. */
struct expr *near_definition(const struct stmt *stmt, struct var **var);

/* near_choose.c: chosen[ops]: which operations had better be computed for each point, by the work
 * that this saves and the shared memory that it takes. Returns how many. */
int near_choose(const struct near_values *values, bool *chosen);
/* live[ops]: what elements read when these are chosen: places, and chosen operations. */
void near_live(const struct near_values *values, const bool *chosen, bool *live);
/* cone[ops]: marks an operation and all that it needs and that depends on the point. */
void near_mark_cone(const struct near_values *values, int i, bool *cone);
/* Whether a place's component may be overwritten by a value, as both have one type everywhere. */
bool near_can_replace(const struct near_values *values, int place, int value);

/* near.c: sets stage->near of a GATHER stage whose body is there. */
void near_find(struct arena *arena, const struct loop *loop, struct stage *stage);

/* explain_near.c: "x[0..2] q[0..5]; once for each point: sqrt(q1[0])": what targets that stage the
 * records of points have of each in shared memory, for such a stage; *bytes of that. */
char *explain_near(struct arena *arena, const struct loop *loop, const struct stage *stage,
                   size_t *bytes);
/* explain.c: "0..2, 5": numbers in ascending order. */
char *explain_numbers(struct arena *arena, int count, const int *number);

#endif
