/* sides_impl.h: private to the files that compare the sides of elements: sides.c reads bodies,
 * sides_number.c numbers expressions.
 */
#ifndef CLEAVE_SPLITTER_SIDES_IMPL_H
#define CLEAVE_SPLITTER_SIDES_IMPL_H

#include "splitter/graph/graph_impl.h"
#include "splitter/graph/sides.h"

/* Beyond these the sides are taken for different. */
enum { SIDES_MOST_OPS = 3000, SIDES_MOST_TERMS = 64 };

enum { STANDING, EXCHANGED, WAYS };

/* A number, or the negative of what has it. */
struct side_ref {
    int id;
    bool negative;
};

struct side_list {
    int refs;
    struct side_ref ref[SIDES_MOST_TERMS];
};

/* What a variable holds. */
struct side_value {
    struct side_ref loose[WAYS];
    struct side_ref exact[WAYS];
};

/* How an expression is read. */
struct side_way {
    int way;
    bool exact;
};

struct sides {
    struct arena *arena;
    const struct loop *loop;
    bool unknown; /* something in the body has no number */
    int ops;      /* the first one stands for whatever has no number */
    int op_capacity;
    struct side_op *op;
    struct pointer_map vars; /* to numbers in value[] */
    int values;
    int value_capacity;
    struct side_value *value;
};

struct sides sides_new(const struct loop *loop);
struct side_ref sides_number(struct sides *sides, const struct expr *expr, struct side_way way);
/* Number of the sum of a list, which it sorts; of `scale` times `value`. */
struct side_ref sides_sum(struct sides *sides, const struct type *type, struct side_list *list);
struct side_ref sides_product(struct sides *sides, const struct type *type, struct side_ref scale,
                              struct side_ref value);
struct side_ref side_signed(struct side_ref ref, bool negate);

#endif
