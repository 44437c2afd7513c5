/* access_state.h: where pointers point while access_walk.c and access_expr.c walk a kernel, what is
 * reported about their use, and what the two call of each other. Private to the access check.
 */
#ifndef CLEAVE_ACCESS_STATE_H
#define CLEAVE_ACCESS_STATE_H

#include "pass/access_impl.h"

enum {
    TARGETS_LIMIT = 16, /* of more it is only known that there are more: any argument is meant */
    SLOTS_LIMIT = 64,   /* pointers in one variable that are told apart */
    CALLS_LIMIT = 64,   /* depth of helper calls that is followed */
    WALKS_LIMIT = 4000  /* helpers entered with pointers to pointers, which are walked each time */
};

/* A place in an argument: component `offset` of row `column`, or row `column` itself. Or pointer
 * number `column` in a variable that holds pointers; that is a row too. */
struct target {
    int arg;                   /* -1: in `storage` */
    const struct var *storage; /* NULL: in an argument */
    bool is_rows;
    bool in_doubt;
    bool offset_known;
    bool column_known;
    struct range offset;
    struct range column;
};

struct targets {
    int count;
    bool is_full; /* there are more */
    struct target target[TARGETS_LIMIT];
};

struct held {
    const struct var *var;
    int slot; /* which of the variable's pointers */
    struct targets targets;
};

/* What the pointers in variables hold, those of the helper's callers among them: it may be given
 * their addresses. */
struct state {
    int count;
    int capacity;
    struct held *held;
};

/* A helper's walk with given targets, so that it is done once: unless pointers to pointers are
 * among them, whose pointers may have changed since. */
struct memo {
    const struct function *function;
    const struct targets *passed;
    struct targets result;
    struct memo *next;
};

enum use {
    USE_READ,
    USE_WRITE,
    USE_UPDATE,    /* read and written, as by *= */
    USE_INCREMENT, /* only added to */
    USE_TRUNCATE   /* only added to, but each sum is cut to an integer */
};

struct walk {
    struct arena *arena;
    struct diag *diag;
    const struct loop *loop;
    const struct function *function; /* being walked: the kernel or a helper */
    struct state *state;
    struct counters counters;
    struct targets returned;
    struct state *left;      /* what holds where a break leaves the loop or the switch, joined */
    struct state *continued; /* where the loop's body is left for its next round */
    struct state *at_return; /* where the function is left */
    struct memo *memo;
    int calls;
    int walks;         /* of helpers that were given pointers to pointers */
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
struct targets state_get(struct walk *walk, const struct var *var, int slot);
void state_set(struct walk *walk, const struct var *var, int slot, struct targets targets);
bool state_join(struct walk *walk, const struct state *other); /* true: other would have changed */
/* Adds what holds now to what holds elsewhere. */
void state_join_into(struct walk *walk, struct state *other);

bool memo_find(struct walk *walk, const struct function *function, const struct targets *passed,
               struct targets *result);
void memo_add(struct walk *walk, const struct function *function, const struct targets *passed,
              const struct targets *result);

/* Reports what is wrong with using the place that `expr` names. */
void access_use(struct walk *walk, const struct expr *expr, const struct targets *place,
                enum use use);
void access_check_row(struct walk *walk, const struct expr *expr, const struct target *target);
/* The value goes where it is not followed any more: it may be used in any way. */
void access_escape(struct walk *walk, const struct targets *value);

/* ---- access_store.c -----------------------------------------------------------------------------
 */

/* A pointer, an array of pointers, or a record that holds some. */
bool access_holds_pointers(const struct type *type);
/* What a pointer to the type moves by in one step: components of an argument, or pointers. */
long store_step(const struct type *type);
/* The place of the variable's (first) pointer. */
struct targets store_place(const struct var *var);
/* From the place of a record to that of its member. */
void store_member(struct targets *place, const struct type *record, const char *name);
/* The pointers in the object of this type at a place. */
struct targets store_load(struct walk *walk, const struct target *from, const struct type *type);
void store_assign(struct walk *walk, const struct targets *place, const struct type *type,
                  struct targets value);
/* The variable comes into being: without a value, or with the one of `init`. */
void store_begin(struct walk *walk, const struct var *var, const struct expr *init);
/* Whether a pointer to pointers in variables is among them. */
bool store_is_meant(const struct targets *targets);

/* ---- access_expr.c ------------------------------------------------------------------------------
 */

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
