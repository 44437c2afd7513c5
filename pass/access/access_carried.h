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

/* One run of a statement that replaces component `component` of an extremum, and so many payload
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
    int calls;          /* helpers around what is looked at */
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
    /* The rest describes the branch that is run. */
    bool is_running;
    struct named replaced;     /* what it replaces */
    const struct expr *better; /* what that is compared with */
    int number;                /* of the run */
    int times;                 /* that the extremum was set */
    int sets;                  /* components of payloads */
    bool is_known;             /* which component is replaced: `component` */
    long component;
};

/* Collects which variables a statement mentions. */
struct sight {
    const struct carried *carried;
    const struct var *var; /* what is looked for; NULL: any role */
    bool found;
    bool jumps; /* it returns, breaks or continues */
    const struct expr *expr;
};

/* ---- access_carried.c ---- */

extern const char carried_otherwise[];

/* The loop runs sequentially, because in the line of `loc` the argument is used so. */
void carried_refuse(struct carried *c, const struct loc *loc, int arg, const char *what);
/* The argument whose component 0 the expression points to; -1: none. */
int carried_role(const struct carried *c, const struct expr *expr);
/* Whether the expression names a component of an extremum or a payload. */
bool carried_names(const struct carried *c, const struct expr *expr, struct named *named);
bool carried_is_extremum(const struct carried *c, int arg);
struct sight carried_sight(const struct carried *c, const struct stmt *stmt, const struct var *var);
/* Refuses what names an extremum or a payload. is_test: only whether it is zero is asked. */
void carried_look(struct carried *c, const struct expr *expr, bool is_test);
/* Enters a helper that gets pointers to extrema and payloads; `go` is given its body. */
void carried_enter(struct carried *c, const struct expr *call,
                   void (*go)(struct carried *c, const struct stmt *body));

/* ---- access_carried_run.c ---- */

/* Puts the loop's counter on the list, when it takes all values of a range; true: it did. */
bool carried_count(struct carried *c, const struct stmt *loop);
/* Runs the branch for the values of the counters from number `next` on that it mentions. */
void carried_run(struct carried *c, const struct stmt *branch, int next);

/* ---- access_carried_flags.c ---- */

/* The branch, of the kernel itself, replaces the component with TIES_LAST. */
void carried_flag(struct carried *c, struct stmt *branch);

#endif
