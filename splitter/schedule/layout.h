/* layout.h: a tree of blocks and ifs for a set of nodes; between bodies.c and layout.c. */
#ifndef CLEAVE_SPLITTER_LAYOUT_H
#define CLEAVE_SPLITTER_LAYOUT_H

#include "splitter/graph/graph_impl.h"

/* A block: the body's own, or a branch of an if. */
struct scope {
    struct stmt *block;
    int capacity;         /* of block->kid */
    struct scope *parent; /* NULL: the body's */
    int depth;
    int position; /* of the if in the parent's block, declarations not counted */
    /* The block's last statement is an if on this condition (a node; -1: it is none). */
    int condition;
    struct scope *branch[2]; /* of that if, by whether the condition holds; NULL: no such branch */
    int declarations;
    int declaration_capacity;
    struct declaration *declaration;
};

/* `var` is declared before statement `position` of the block; in ascending order. */
struct declaration {
    int position;
    struct var *var;
};

struct layout {
    const struct graph *graph;
    int scopes;
    int capacity;
    struct scope **scope; /* the body's first */
    struct scope **of;    /* [nodes] where a node is; NULL: not in the body */
    int *position;        /* [nodes] of its statement there */
};

struct layout layout_new(const struct graph *graph);
/* The statement is of node n and runs under `guard`, behind all that were added before. */
void layout_add(struct layout *layout, int n, const struct guard *guard, struct stmt *stmt);
/* The innermost block that holds both; a may be NULL. */
struct scope *layout_common(struct scope *a, struct scope *b);
/* Declares var in a block, before the first statement there in which node n runs. */
void layout_declare(struct layout *layout, struct scope *scope, int n, struct var *var);
/* The body, when all statements and declarations are there. */
struct stmt *layout_finish(struct layout *layout);

struct stmt *stmt_new(struct arena *arena, enum stmt_kind kind, struct loc loc);
struct expr *expr_of_var(struct arena *arena, struct var *var, struct loc loc);

#endif
