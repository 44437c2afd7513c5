/* order_impl.h: shared by the two parts of the ordering of statements.
 *
 * order_effects.c finds the reads, writes and dependences of each statement of a body; order.c
 * searches for an order.
 */
#ifndef CLEAVE_CODEGEN_ORDER_IMPL_H
#define CLEAVE_CODEGEN_ORDER_IMPL_H

#include "codegen/emit.h"

enum { NOBODY = -1 };

/* A local, or a component of an argument. */
struct value {
    const struct var *var; /* the local, or the argument's parameter */
    struct place place;    /* of the latter */
    bool is_place;
    int words;
    int part;    /* the first value that is loaded together with it */
    bool stays;  /* used behind the body */
    int writer;  /* statement that set it last, while dependences are found */
    int readers; /* and statements that read it since */
    int *reader;
    int room;
    int first; /* places of its first and last use in an order */
    int last;
};

struct statement {
    struct stmt *stmt;
    bool fixed; /* keeps its place among those that are */
    int uses;   /* values that it reads */
    int *use;
    int sets; /* the value that it makes, where it is one; else NOBODY */
    int befores;
    int *before;   /* statements that must run first */
    int followers; /* that must run later and are not placed yet */
};

struct order {
    struct arena *arena;
    const struct emit *emit;
    const struct stage *stage;
    int values;
    struct value *value;
    int value_room;
    int statements;
    struct statement *statement;
    struct statement *current; /* whose expressions are walked */
    bool is_free;              /* it may move */
    int *live;                 /* [statements + 1] scratch: words alive */
};

/* order_effects.c. requires: statement[s].stmt, and nothing else of the statements.
 * ensures:  the values, and what each statement uses, sets and must run behind. */
void order_find_dependences(struct order *order);

#endif
