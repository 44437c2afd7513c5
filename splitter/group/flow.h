/* flow.h: which loop follows which, on every way through a program.
 *
 * A flow is the chain of a function that no other one calls, with the chains of the functions that
 * it calls in the places of their calls: nodes are calls of loops and host code, edges lead to what
 * comes next. A repetition leads back to its first node, and a branch to what comes behind it.
 *
 * The flow says what is likely, and not what is certain: the condition of a repetition may come
 * between two nodes that an edge connects, repetitions run once at least, and a goto leads nowhere.
 * Whoever forms groups from it
 * relies on the runtime, which sees what is really called.
 */
#ifndef CLEAVE_SPLITTER_FLOW_H
#define CLEAVE_SPLITTER_FLOW_H

#include "pass/ir/chain.h"

enum {
    FLOW_MOST_NODES = 8192,      /* of one flow, where it follows calls */
    FLOW_MOST_ALL_NODES = 65536, /* of all flows of a program, where they do */
    FLOW_MOST_FRAMES = 64        /* depth of calls */
};

enum flow_kind {
    FLOW_LOOP, /* a STEP_LOOP */
    FLOW_CODE, /* a STEP_CODE */
    FLOW_CALL, /* a STEP_CALL whose chain is not followed here: there would be too many nodes */
    FLOW_PLACE /* nothing: where ways meet */
};

/* One call of a function that has a chain. */
struct flow_frame {
    int chain;
    int caller; /* frame; -1: none */
    int call;   /* the STEP_CALL in the caller's chain */
    int place;  /* node behind the call */
};

struct flow_node {
    enum flow_kind kind;
    int frame;
    int step;   /* of the frame's chain */
    int depth;  /* repetitions around it, those around its calls too */
    int repeat; /* first node of the innermost of them; -1: none */
    int nexts;
    int next_room;
    int *next; /* nodes that may come next */
};

struct flow {
    const struct program *program;
    int nodes;
    int node_room;
    struct flow_node *node;
    int frames;
    int frame_room;
    struct flow_frame *frame;
};

/* A variable as the flow sees it: that of the outermost function which hands it on. Two uses name
 * the same object where frame and var are equal, unless code between them rebinds it. */
struct flow_var {
    int frame; /* of the function that declares it; -1: it is static */
    int var;   /* index in program->host_var; HOST_NONE: not known */
};

/* The flows of a program, in its arena: one for each chain that none calls, and for those whose
 * calls a longer flow does not follow. Every loop is in one at least. */
int flows_make(const struct program *program, struct flow **flow);

const struct step *flow_step(const struct flow *flow, int node);

/* Whether a repetition, given by its first node, is around a node. */
bool flow_is_in(const struct flow *flow, int node, int repeat);

/* Finds the variable that a name in a frame's function stands for. A parameter whose outer text may
 * name another object at each evaluation (host_var.varies) stands for itself. */
struct flow_var flow_resolve(const struct flow *flow, int frame, int var);

bool flow_var_same(struct flow_var a, struct flow_var b);

#endif
