/* access_carried.h: what the parts of access_carried.c share; nobody else includes it.
 */
#ifndef CLEAVE_ACCESS_CARRIED_H
#define CLEAVE_ACCESS_CARRIED_H

#include "pass/access/access_impl.h"

/* The parameter points to component 0 of the argument: an extremum with a payload, or a payload. */
struct role {
    const struct var *param;
    int arg;
};

/* A component of an argument; subscript NULL: component 0. */
struct named {
    int arg;
    const struct expr *subscript;
};

/* One run of a statement that replaces component `component` of an extremum and sets `sets` payload
 * components. */
struct replacement {
    int extremum;
    long component;
    int sets;
};

struct carried {
    struct arena *arena;
    struct loop *loop;
    const char *reason; /* why the loop runs sequentially; NULL: all is well so far */
    int steps;          /* rounds of counting loops that were run */
    int calls;          /* depth of helper calls around the statement at hand */
    int roles;
    int role_room;
    struct role *role;
    struct counters counters;
    enum ties *ties; /* [args] */
    int **goes_with; /* [args][dim] of a payload; -1: nothing has set it */
    int **stamp;     /* likewise: number of the run that set it last */
    int replacements;
    int replacement_room;
    struct replacement *replacement;
    struct carried_flags *flags;
    /* The fields below describe the branch that is run. */
    bool is_running;
    struct named replaced;     /* component that the branch replaces */
    const struct expr *better; /* value that `replaced` is compared with */
    int number;                /* number of the run */
    int times;                 /* times that this run set the extremum */
    int sets;                  /* payload components that this run set */
    bool is_known;             /* the component that is replaced is known: `component` */
    long component;
};

/* Result of a search for a variable in a statement. */
struct sight {
    const struct carried *carried;
    const struct var *var; /* the variable to look for; NULL: any extremum or payload */
    bool found;
    bool jumps; /* it returns, breaks or continues */
    const struct expr *expr;
};

/* ---- access_carried.c ---- */

extern const char carried_otherwise[];

/* Makes the loop sequential. The reason names the line of `loc`, the argument, and its use
 * `what`. */
void carried_refuse(struct carried *c, const struct loc *loc, int arg, const char *what);
/* The argument whose component 0 the expression points to; -1: none. */
int carried_role(const struct carried *c, const struct expr *expr);
/* Whether the expression names a component of an extremum or a payload. */
bool carried_names(const struct carried *c, const struct expr *expr, struct named *named);
bool carried_is_extremum(const struct carried *c, int arg);
struct sight carried_sight(const struct carried *c, const struct stmt *stmt, const struct var *var);
/* Refuses an expression that names an extremum or a payload. is_test: the expression is only tested
 * for zero, which is allowed. */
void carried_look(struct carried *c, const struct expr *expr, bool is_test);
/* Enters a helper that gets pointers to extrema and payloads; `go` is given its body. */
void carried_enter(struct carried *c, const struct expr *call,
                   void (*go)(struct carried *c, const struct stmt *body));

/* ---- access_carried_run.c ---- */

/* Adds the loop's counter to c->counters if it takes all values of a range; returns whether it
 * did. */
bool carried_count(struct carried *c, const struct stmt *loop);
/* Runs the branch once for each value of the counters that it mentions, from counter number `next`
 * on. */
void carried_run(struct carried *c, const struct stmt *branch, int next);

/* ---- access_carried_flags.c ---- */

/* Notes that the branch, a part of the kernel itself, replaces the component with TIES_LAST. */
void carried_flag(struct carried *c, struct stmt *branch);

#endif
