/* call.h: loop calls: op_par_loop's arguments, what was compiled for them, the constants that they see. */
#ifndef CLEAVE_CALL_H
#define CLEAVE_CALL_H

#include "runtime/mesh/mesh.h"

/* ---- args.c --------------------------------------------------------------------------------- */

enum cleave_argtype {
    CLEAVE_ARG_NONE,
    CLEAVE_ARG_DAT,
    CLEAVE_ARG_GBL,
    CLEAVE_ARG_IDX,
    CLEAVE_ARG_INFO
};

static inline int cleave_arg_is_vector(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_DAT && arg->map != NULL && arg->idx < 0;
}

static inline int cleave_arg_on(const op_arg *arg)
{
    return arg->opt != 0;
}

/* 1: a dat that takes part in the call. */
static inline int cleave_arg_uses_dat(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_DAT && cleave_arg_on(arg);
}

/* 1: a global that the loop changes. */
static inline int cleave_arg_is_reduction(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_GBL && cleave_arg_on(arg) &&
           (arg->acc == OP_INC || arg->acc == OP_MIN || arg->acc == OP_MAX);
}

/* The facts about a dat that a loop call keeps: the dat itself may be gone when another one of its
 * kind takes its place. */
struct cleave_dat_shape {
    int index; /* the dat's number; -1: the argument has no dat that takes part */
    op_set set;
    int dim;
    int size;
    enum cleave_base base;
};

/* A loop call: a loop as one site calls it with one combination of arguments, and all that follows from these.
 * It is kept with the site and found again by the next call like it; exec/ runs it. */
struct cleave_call {
    struct cleave_site *site;
    const char *name; /* own copy */
    op_set set;
    int args;
    op_arg *declared; /* [args] own copies of what op_par_loop got; `data` of globals is the latest call's */
    op_arg *arg;      /* [args] likewise, but with the access that the kernel has; may be the same array */
    struct cleave_dat_shape *shape; /* [args] of the dats */
    int stale;                      /* one of its dats was freed: it waits for others of the same shapes */
    struct cleave_match *match;     /* match.c; NULL: not asked for yet */
    double bytes;                   /* cleave_useful_bytes() */
    struct cleave_record *record;   /* report/'s; set by exec/ */
    double plan_time;     /* seconds that plans made for the call took, since it is known */
    double *plan_seconds; /* &plan_time, for those who see the call as a constant */
    struct cleave_launcher *launcher; /* exec/'s: what it chose and launches with; freed by free() */
    /* From cleave_loop_begin() to cleave_loop_end(): */
    int running;
    double start;
    double planned; /* plan_time at the start */
    int unwaited;   /* runs on the device, and nothing has waited for it */
    int launched;   /* a variant has run, or has been started */
    struct cleave_vector *vectors; /* reference.c */
    struct cleave_check *check;    /* verify.c; NULL when the loop is not being verified */
    struct cleave_call *next;      /* of the site */
};

static inline struct cleave_planned cleave_planned_of(const struct cleave_call *call)
{
    return (struct cleave_planned){
        .loop = call->name, .set = call->set, .arg = call->arg, .seconds = call->plan_seconds};
}

/* Ends the program when an argument is wrong; the message names loop, argument, object and cause.
 */
void cleave_args_check(const struct cleave_call *call);
/* Likewise for one argument. */
void cleave_arg_check(const struct cleave_call *call, int a);
/* Fills sig[call->args]: the pattern that the compiler saw, if it saw this call. */
void cleave_args_pattern(const struct cleave_call *call, struct cleave_sigarg *sig);
const char *cleave_access_name(op_access access);
/* The access of a letter in a signature; -1: it is none. */
op_access cleave_access_of_letter(char letter);

/* ---- bytes.c -------------------------------------------------------------------------------- */

/* Bytes that the call reads and writes, each component that it names once. */
double cleave_useful_bytes(const struct cleave_call *call);

/* ---- conflicts.c ---------------------------------------------------------------------------- */

/* 1: two arguments share memory and are not modified in the same way, so that the loop cannot work on
 * copies of them: globals, overlays, a global in the array of a dat. It can change from call to call, as it
 * depends on where globals are. A warning says so unless *said, which becomes 1. */
int cleave_args_conflict(const struct cleave_call *call, int *said);
/* 1: results must be equal in every run, but elements of this call, which its user accepted, read what others
 * modify at the same time, whatever the variant. A note says so, likewise. */
int cleave_args_race(const struct cleave_call *call, int *said);

/* ---- match.c -------------------------------------------------------------------------------- */

/* Whether copies of dats pay for a loop: how many of its calls had to make any again, out of the
 * cleave_machine.copies_calls over which that is counted. */
struct cleave_derived_use {
    int calls;
    int remade;
    int off; /* they do not: only variants without may run, unless the user names another */
};

/* The compiled loops for one call site and pattern, in the order of cleave_targets. */
struct cleave_match {
    struct cleave_sigarg *sig; /* types are copied */
    int args;
    int loops;
    struct cleave_unit_entry *unit[CLEAVE_TARGETS];
    const struct cleave_loop *loop[CLEAVE_TARGETS];
    int said;                          /* that no variant can run */
    struct cleave_derived_use derived; /* derived.c */
    struct cleave_match *next;
};

/* Returns what was compiled for the call. The first time it finds it, and gives call->arg the
 * access that the kernel was found to have. loops is 0 if the call runs sequentially; a message
 * said so once for each site that cleavecc compiled. */
const struct cleave_match *cleave_match_find(struct cleave_call *call);
/* The list of what the site was called with. */
struct cleave_call **cleave_site_calls(struct cleave_site *site);
/* cleave_calls_forget() for all sites. */
void cleave_sites_forget(op_dat dat);
void cleave_matches_free(void);
/* Forgets the sites of an object that is being unloaded. */
void cleave_sites_unload(struct cleave_unit_entry *entry);
/* "res_calc" from the text of the call; the caller frees it. */
char *cleave_site_kernel(const struct cleave_site *site);

/* ---- calls.c -------------------------------------------------------------------------------- */

/* The arguments of op_par_loop: borrowed. */
struct cleave_asked {
    const char *name;
    op_set set;
    int args;
    const op_arg *arg;
};

/* The site's loop call with these arguments; its globals are now where `asked` has them. NULL: it is new. */
struct cleave_call *cleave_call_find(struct cleave_site *site, const struct cleave_asked *asked);
/* Makes it; ends the program when an argument is wrong. */
struct cleave_call *cleave_call_new(struct cleave_site *site, const struct cleave_asked *asked);
/* Its kernel uses the arguments otherwise than declared: plans, copies and checks go by what it does.
 * access: [args] letters of cleave_loop.access. */
void cleave_call_access(struct cleave_call *call, const char *access);
void cleave_calls_free(struct cleave_call **first);
/* The dat is going to be freed: marks those of a site that use it as stale. */
void cleave_calls_forget(struct cleave_call *first, op_dat dat);

/* ---- constants.c ---------------------------------------------------------------------------- */

/* Grows with every declaration that changes a constant. */
unsigned long cleave_constants_version(void);
/* The first of the loop's constants without which its kernel can only run where the program has its own:
 * a pointer to which no op_decl_const has given a value, or a constant that the program initialises and
 * the host compiler has left out of the object. NULL: there is none. */
const struct cleave_constant *cleave_constants_lack(const struct cleave_unit_entry *entry,
                                                    const struct cleave_loop *loop);
/* Gives the loop's constants the values of op_decl_const; an error names kernel and constant. */
void cleave_constants_set(struct cleave_unit_entry *entry, const struct cleave_loop *loop);
/* Gives it the values of constants that the program initialises. cleave_constants_set() was called
 * before. */
void cleave_constants_look(struct cleave_unit_entry *entry, const struct cleave_loop *loop);
void cleave_constants_free(void);
/* Forgets what the unit was given, and what its own variables were. */
void cleave_constants_unload(struct cleave_unit_entry *entry);

#endif
