/* access_state.h: where pointers point and what values depend on while access_walk.c and
 * access_expr.c walk a kernel, what is reported about their use, and what the parts call of each
 * other. Private to the access check.
 */
#ifndef CLEAVE_ACCESS_STATE_H
#define CLEAVE_ACCESS_STATE_H

#include "pass/access/access_impl.h"

enum {
    TARGETS_LIMIT = 16, /* with more targets than this, any argument is meant */
    SLOTS_LIMIT = 64,   /* pointers in one variable that are kept apart */
    CALLS_LIMIT = 64,   /* depth of helper calls that the walk follows */
    WALKS_LIMIT = 4000  /* helpers entered with pointers to pointers, which are walked each time */
};

/* A place in an argument: component `offset` of row `column`, or row `column` itself. In a variable
 * that holds pointers: pointer number `column`; that is a row too. Or a place in a global. */
struct target {
    int arg;                   /* -1: in `storage` */
    const struct var *storage; /* NULL: in an argument */
    bool is_global;            /* `storage` is a global or a constant object */
    bool is_rows;
    bool in_doubt;
    bool offset_known;
    bool column_known;
    struct range offset;
    struct range column;
};

/* How a value depends on the OP_MIN and OP_MAX arguments that elements share. */
enum value_kind {
    VALUE_FREE,     /* nothing */
    VALUE_EXTREMUM, /* the place's value, or the minimum (maximum) of that and of free values */
    VALUE_DEPENDENT /* something else that depends on the place */
};

struct value {
    enum value_kind kind;
    bool is_old;     /* VALUE_EXTREMUM: the place's own value */
    bool in_doubt;   /* VALUE_DEPENDENT: it may be free too */
    bool is_unclear; /* VALUE_DEPENDENT: it may be an extremum in a form that is not known */
    int arg;         /* of the place; of a dependent value, of one of them */
    bool is_known;   /* column and component are known */
    long column;
    long component;
    const struct expr *read; /* where it was read; never NULL but in free values */
    bool is_moved;           /* what `read` names may be another place by now */
    int version;             /* the argument's when it was read, see struct walk */
};

struct targets {
    int count;
    bool is_full;       /* there are more */
    struct value value; /* of what is no pointer; of a pointer: what its choice depends on */
    struct target target[TARGETS_LIMIT];
};

struct held {
    const struct var *var;
    int slot; /* which of the variable's pointers */
    struct targets targets;
};

/* The value of a variable without pointers; for an array or a record, of any part of it. */
struct held_value {
    const struct var *var;
    struct value value;
    const struct expr *from; /* expression that set the variable, if still valid; or NULL */
};

/* Pointers and values of variables at one point of the walk. Variables of the helper's callers
 * are included, since the helper may be given their addresses. A variable that `value` does not
 * list is free. */
struct state {
    int count;
    int capacity;
    struct held *held;
    bool is_reached; /* else no path comes here, and the values mean nothing */
    int values;
    int value_room;
    struct held_value *value;
    unsigned long long *sure; /* per argument: components that were set, as access_seen has them */
};

/* A condition on extrema that holds at this point of the walk. */
enum guard_kind {
    GUARD_BETTER,   /* `other`, a free value, is better than `held` */
    GUARD_WORSE,    /* ... is not better than `held` */
    GUARD_DEPENDENT /* anything else */
};

/* End of the range of statements in which a condition holds. The range begins behind a jump that is
 * taken when the condition is false. */
enum guard_end { END_OF_BRANCH, END_OF_ROUND, END_OF_LOOP, END_OF_FUNCTION };

struct guard {
    enum guard_kind kind;
    enum guard_end end;
    struct value value;       /* value of `held`; of the whole condition, for GUARD_DEPENDENT */
    const struct expr *held;  /* BETTER, WORSE */
    const struct expr *other; /* BETTER, WORSE */
    bool is_stale;            /* `held` or `other` may have changed since */
};

struct guards {
    int count;
    int capacity;
    struct guard *guard;
};

/* A variable that was declared when the first `guards` conditions already held. Its value does not
 * depend on them, because it is not visible where they do not hold. */
struct declaration {
    const struct var *var;
    int guards;
};

struct declarations {
    int count;
    int capacity;
    struct declaration *declaration;
};

/* The result of walking a helper with given targets and given sure components, so that each
 * combination is walked once. Targets with pointers to pointers have no memo, since those pointers
 * may have changed. */
struct memo {
    const struct function *function;
    const struct targets *passed;
    const unsigned long long *sure;
    bool is_conditional;
    struct targets result;
    const unsigned long long *sure_after;
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
    bool has_returned;
    int guards_outside;      /* conditions that hold where the function is called */
    struct state *left;      /* joined state of all breaks that leave the loop or the switch */
    struct state *continued; /* where the loop's body is left for its next round */
    struct state *at_return; /* where the function is left */
    struct memo *memo;
    int calls;
    int walks;          /* walks of helpers that are walked at each call */
    bool failed;        /* an access error was found */
    const char *doubt;  /* parameter that may be misused through a pointer in doubt; or NULL */
    const char *beyond; /* parameter used beyond its dimension under a condition; or NULL */
    struct access_seen *seen; /* per argument */
    bool is_limited;          /* calls that got pointers were not followed */
    bool *direct_said;        /* per argument: inc_direct was reported */
    bool has_extrema;         /* false: the loop has no extrema, and values are not tracked */
    bool is_unclear;          /* extremum_unclear was reported */
    const char *carries; /* the payload that gets a value that depends on an extremum; or NULL */
    int *version;        /* per argument: grows whenever the extremum may have changed */
    struct guards guards;
    struct declarations declarations;
};

void targets_add(struct targets *targets, struct target target);
bool targets_join(struct targets *targets, const struct targets *other); /* true: changed */
/* Moves by `sign * expr * scale` components, or rows. */
void targets_shift(struct targets *targets, const struct expr *expr,
                   const struct counters *counters, long scale, int sign);
void targets_move(struct targets *targets, long by);
void targets_blur(struct targets *targets);  /* the component is no longer known */
void targets_doubt(struct targets *targets); /* when there are several, it may be any of them */
/* Call before the targets are kept in a variable: makes offsets that depend on a counter
 * unknown. */
void targets_settle(struct targets *targets);

struct state *state_new(struct walk *walk);
struct state *state_copy(struct walk *walk);
struct targets state_get(struct walk *walk, const struct var *var, int slot);
void state_set(struct walk *walk, const struct var *var, int slot, struct targets targets);
bool state_join(struct walk *walk, const struct state *other); /* true: other would have changed */
/* Joins the current state into the state of another path. */
void state_join_into(struct walk *walk, struct state *other);

/* Finds the earlier walk of a helper from the current state; NULL: there was none. */
const struct memo *memo_find(struct walk *walk, const struct function *function,
                             const struct targets *passed);
/* Keeps the result of a walk that began with `sure` and has ended. */
void memo_add(struct walk *walk, const struct function *function, const struct targets *passed,
              const unsigned long long *sure, const struct targets *result);

/* ---- access_sure.c ------------------------------------------------------------------------------
 */

/* Nothing is sure. */
unsigned long long *sure_new(struct walk *walk);
/* Returns a copy of the components that are surely set at this point: all, if no path leads
 * here. */
unsigned long long *sure_copy(struct walk *walk);
void sure_set(struct walk *walk, const unsigned long long *sure);
/* Marks all components of `state` as sure. The state is not a path of its own yet: only paths
 * joined to it later count. */
void sure_forget(struct walk *walk, struct state *state);
bool sure_same(const struct walk *walk, const unsigned long long *a, const unsigned long long *b);
/* Joins another path: a component stays sure if both paths have set it. Call before is_reached is
 * joined. */
void sure_join(struct walk *walk, const struct state *other);
/* The components of the argument are set. is_sole: no others can be meant. */
void sure_write(struct walk *walk, int arg, unsigned long long components, bool is_sole);
/* Whether one of these components was set under a condition, and not on every path to here. */
bool sure_lacks(const struct walk *walk, int arg, unsigned long long components);

/* ---- access_use.c -------------------------------------------------------------------------------
 */

/* Reports `id` about argument `arg` at `expr`; the message's further texts are `more`, or NULL. */
void access_report(struct walk *walk, enum diag_id id, const struct expr *expr, int arg);
/* Reports a use of the place that `expr` names, if the declared access does not allow it. */
void access_use(struct walk *walk, const struct expr *expr, const struct targets *place,
                enum use use);
void access_check_row(struct walk *walk, const struct expr *expr, const struct target *target);
/* The value leaves the part of the kernel that the walk follows: it may be used in any way. */
void access_escape(struct walk *walk, const struct targets *value);
/* Whether the current statement is conditional: inside of an if, in a loop whose number of rounds
 * is not known, or behind a jump that may have been taken. */
bool access_is_conditional(const struct walk *walk);

/* ---- access_promote.c ---------------------------------------------------------------------------
 */

/* Notes a use of an argument's place that `expr` names. is_sole: it names no other place. */
void access_see_use(struct walk *walk, const struct expr *expr, const struct target *target,
                    enum use use, bool is_sole);
/* The pointers in `value` go to code or memory in which their use is not seen. */
void access_see_unknown(struct walk *walk, const struct targets *value);

/* Call at the declaration of the variable. */
void guards_declare(struct walk *walk, const struct var *var);
/* Conditions from this number on are newer than the variable. */
int guards_newer(const struct walk *walk, const struct var *var);
/* Call after conditions were removed from the list: later ones are newer than all variables. */
void guards_ended(struct walk *walk);

/* ---- access_store.c -----------------------------------------------------------------------------
 */

/* A pointer, an array of pointers, or a record that holds some. */
bool access_holds_pointers(const struct type *type);
/* Returns how far one step moves a pointer to the type: in components of an argument, or in
 * pointers. */
long store_step(const struct type *type);
/* The place of the variable's (first) pointer, or of the global. */
struct targets store_place(const struct var *var);
/* Moves the place of a record to that of its member. */
void store_member(struct targets *place, const struct type *record, const char *name);
/* The pointers in the object of this type at a place. */
struct targets store_load(struct walk *walk, const struct target *from, const struct type *type);
void store_assign(struct walk *walk, const struct targets *place, const struct type *type,
                  struct targets value);
/* The variable comes into being: without a value, or with the one of `init`. */
void store_begin(struct walk *walk, const struct var *var, const struct expr *init);
/* Whether a pointer to pointers in variables is among them. */
bool store_is_meant(const struct targets *targets);

/* ---- access_value.c -----------------------------------------------------------------------------
 */

/* Joins the value of another path; true: the value changed. */
bool value_join(struct value *value, const struct value *other);
/* The value of a ? b : c; each operand was evaluated under its condition. */
struct value value_either(struct value a, struct value b);
/* Returns the value of an operation on both that is not a minimum or maximum. `is_unclear`: it may
 * be part of one. */
struct value value_combined(struct value a, struct value b, bool is_unclear);
/* Returns the value of min(a, b) or max(a, b). */
struct value value_extremum(const struct walk *walk, struct value a, struct value b, bool is_max);
bool value_same(const struct value *a, const struct value *b);
/* Both belong to one place, possibly at different times. */
bool value_same_place(const struct value *a, const struct value *b);
/* Whether several elements lower or raise the argument's places. */
bool value_is_extremum(const struct arg *arg);
/* The value that `expr` reads at a place. */
struct value value_read(struct walk *walk, const struct expr *expr, const struct targets *place);
/* The variable that `lvalue` is or is a part of; NULL: it is reached through a pointer. */
const struct var *value_root(const struct expr *lvalue);
struct value value_get(const struct walk *walk, const struct var *var);
void value_set(struct walk *walk, const struct var *var, struct value value,
               const struct expr *from);
/* The expression that set the variable, if evaluating it now would give the same value; else NULL.
 * Only for values that are not free. */
const struct expr *value_source(const struct walk *walk, const struct var *var);
/* Joins the values of two paths; used by state_join(). */
bool value_join_states(struct walk *walk, const struct state *other);
/* `lvalue` changes: forgets what was remembered under its name. */
void value_changed(struct walk *walk, const struct expr *lvalue);

/* ---- access_extremum.c --------------------------------------------------------------------------
 */

/* The guards that hold when `condition`, which has the given value, is `truth`: an empty list if
 * the condition depends on no extremum. */
struct guards extremum_guards(struct walk *walk, const struct expr *condition, struct value value,
                              bool truth);
/* Adds the guards to the list of those that hold; returns the list's old length, the mark. */
int extremum_enter(struct walk *walk, const struct guards *guards);
/* Removes `count` guards from the mark on; later ones stay. */
void extremum_leave(struct walk *walk, int mark, int count);
/* Removes the guards from the mark on that end at `end` or earlier. */
void extremum_cut(struct walk *walk, int mark, enum guard_end end);
/* Call at the end of a block: of the guards from the mark on that still hold, only the dependence
 * on extrema stays known. */
void extremum_close(struct walk *walk, int mark);
/* Moves the guards from the mark on to `stash`: they do not hold for the next statements. */
void extremum_stash(struct walk *walk, int mark, struct guards *stash);
/* Call behind an if whose branch may be left by a jump. If it always is (`always`), the opposite of
 * the branch's guards holds from there on. In any case the statements behind the if depend on
 * them. */
void extremum_jumped(struct walk *walk, const struct guards *opposite, const struct stmt *branch,
                     bool always);
/* The value of `expr` when the guards from the mark on decide whether it is taken. */
struct value extremum_chosen(const struct walk *walk, int mark, struct value value,
                             const struct expr *expr);
/* A variable, or a part of it, is set to a value: that of `from`, or of an operation (NULL). */
void extremum_keep(struct walk *walk, const struct expr *lvalue, struct value value,
                   const struct expr *from);
/* A place of arguments or of a global is set to a value: that of `from`, or of an operation (NULL).
 * Reports an error in that. */
void extremum_store(struct walk *walk, const struct expr *lvalue, const struct targets *place,
                    struct value value, const struct expr *from);
/* The value, or the fact that this point is reached, has an effect outside of the kernel. */
void extremum_effect(struct walk *walk, const struct value *value);
/* The result of a call of a function that is not looked into, with the values that `passed`
 * combines. */
struct value extremum_unknown_call(struct walk *walk, struct value passed);

/* ---- access_expr.c ------------------------------------------------------------------------------
 */

/* Evaluates the expression, reports its uses, and returns where its value may point. */
struct targets access_value(struct walk *walk, const struct expr *expr);
/* Visits an expression whose value nobody uses: an increment here reads nothing. */
void access_discard(struct walk *walk, const struct expr *expr);

/* Returns the places that the expression may name; none, for a variable without pointers. */
struct targets access_lvalue(struct walk *walk, const struct expr *expr);
/* Reads the place that `expr` names: the pointer that is there, or the value. */
struct targets access_read_place(struct walk *walk, const struct expr *expr,
                                 const struct targets *place);
/* The value only, without reporting a read. */
struct value access_read_value(struct walk *walk, const struct expr *expr,
                               const struct targets *place);

/* ---- access_assign.c ----------------------------------------------------------------------------
 */

/* Evaluates an EXPR_ASSIGN, an increment or decrement, an EXPR_CALL. is_used: somebody reads the
 * result. */
struct targets access_assign(struct walk *walk, const struct expr *expr, bool is_used);
struct targets access_step(struct walk *walk, const struct expr *expr, bool is_used);
struct targets access_call(struct walk *walk, const struct expr *expr);
/* The result of a function whose body is not looked at, of `count` arguments. */
struct targets access_unknown_call(struct walk *walk, int count, const struct targets *passed);

/* ---- access_walk.c ------------------------------------------------------------------------------
 */

/* Walks a helper's body, its parameters having these targets; returns its result's targets. */
struct targets access_enter(struct walk *walk, struct function *callee,
                            const struct targets *passed);

#endif
