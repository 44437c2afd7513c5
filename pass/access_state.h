/* access_state.h: where pointers point while access_walk.c and access_expr.c walk a kernel, what is
 * reported about their use, and what the two call of each other. Private to the access check.
 */
#ifndef CLEAVE_ACCESS_STATE_H
#define CLEAVE_ACCESS_STATE_H

#include "pass/access_impl.h"

enum {
    TARGETS_LIMIT = 8, /* more are forgotten: then less is found, nothing false is said */
    CALLS_LIMIT = 64,  /* depth of helper calls that is followed */
    ROUNDS_LIMIT = 4   /* a loop's pointers settle after two rounds: offsets become unknown */
};

/* A place in an argument: component `offset` of row `column`, or row `column` itself. */
struct target {
    int arg;
    bool is_rows;
    bool in_doubt;
    bool offset_known;
    bool column_known;
    struct range offset;
    struct range column;
};

struct targets {
    int count;
    struct target target[TARGETS_LIMIT];
};

struct held {
    const struct var *var;
    struct targets targets;
};

/* What each pointer variable holds. */
struct state {
    int count;
    int capacity;
    struct held *held;
};

/* A helper's walk with given targets, so that it is done once; recursion finds it unfinished. */
struct memo {
    const struct function *function;
    const struct targets *passed;
    struct targets result;
    struct memo *next;
};

enum use {
    USE_READ,
    USE_WRITE,
    USE_UPDATE,   /* read and written, as by *= */
    USE_INCREMENT /* only added to */
};

struct walk {
    struct arena *arena;
    struct diag *diag;
    const struct loop *loop;
    const struct function *function; /* being walked: the kernel or a helper */
    struct state *state;
    struct counters counters;
    struct targets returned;
    struct memo *memo;
    int calls;
    bool failed;       /* an access error was found */
    const char *doubt; /* the parameter that may be misused, through a pointer in doubt; or NULL */
    bool *direct_said; /* per argument: inc_direct was reported */
};

void targets_add(struct targets *targets, struct target target);
bool targets_join(struct targets *targets, const struct targets *other); /* true: changed */
/* Moves by `sign * expr * scale` components, or rows. */
void targets_shift(struct targets *targets, const struct expr *expr,
                   const struct counters *counters, long scale, int sign);
void targets_move(struct targets *targets, long by);
void targets_blur(struct targets *targets);  /* the component is no longer known */
void targets_doubt(struct targets *targets); /* when there are several, it may be any of them */
/* Before being kept in a variable: offsets that depend on a counter become unknown. */
void targets_settle(struct targets *targets);

struct state *state_new(struct walk *walk);
struct state *state_copy(struct walk *walk);
struct targets state_get(struct walk *walk, const struct var *var);
void state_set(struct walk *walk, const struct var *var, struct targets targets);
bool state_join(struct walk *walk, const struct state *other); /* true: other would have changed */

bool memo_find(struct walk *walk, const struct function *function, const struct targets *passed,
               struct targets *result);
void memo_begin(struct walk *walk, const struct function *function, const struct targets *passed);
void memo_end(struct walk *walk, const struct function *function, const struct targets *passed,
              const struct targets *result);

/* Reports what is wrong with using the place that `expr` names. */
void access_use(struct walk *walk, const struct expr *expr, const struct targets *place,
                enum use use);
void access_check_row(struct walk *walk, const struct expr *expr, const struct target *target);

/* ---- access_expr.c ------------------------------------------------------------------------------
 */

/* A pointer, or an array of pointers. */
bool access_holds_pointers(const struct type *type);
/* Evaluates the expression, reports its uses, and returns where its value may point. */
struct targets access_value(struct walk *walk, const struct expr *expr);
/* The same for a value that nobody uses: an increment here reads nothing. */
void access_discard(struct walk *walk, const struct expr *expr);

/* ---- access_walk.c ------------------------------------------------------------------------------
 */

/* Walks a helper's body, its parameters having these targets; returns its result's targets. */
struct targets access_enter(struct walk *walk, struct function *callee,
                            const struct targets *passed);

#endif
