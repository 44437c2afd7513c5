/* call.h: a call of a loop: its arguments, what was compiled for it, the constants that it sees, and what is kept
 * of it for the next one like it. */
#ifndef CLEAVE_CALL_H
#define CLEAVE_CALL_H

#include "runtime/choose/pace.h"
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

/* One call of a loop. */
struct cleave_call {
    struct cleave_site *site;
    const char *name;
    op_set set;
    int args;
    const op_arg *arg;
    op_arg *own_arg; /* NULL, or `arg` with the access that holds where the call declares another */
    struct cleave_prepared *prepared;
    struct cleave_match *match;
    struct cleave_record *record;
    double *plan_seconds; /* the record's: grows by what plans take that are made for the call */
    struct cleave_vector *vectors; /* reference.c */
    struct cleave_check *check;    /* verify.c; NULL when the loop is not being verified */
    double start;
    double planned; /* the record's plan_seconds at the start */
    int unwaited;   /* runs on the device, and nothing has waited for it */
};

static inline struct cleave_planned cleave_planned_of(const struct cleave_call *call)
{
    return (struct cleave_planned){
        .loop = call->name, .set = call->set, .arg = call->arg, .seconds = call->plan_seconds};
}

/* Ends the program when an argument is wrong; the message names loop, argument, object and cause.
 */
void cleave_args_check(const struct cleave_call *call);
/* The same of one argument. */
void cleave_arg_check(const struct cleave_call *call, int a);
/* 1: two arguments, *first and *second (the lower number), share memory and are not modified in the same
 * way, so that the loop cannot work on copies of them: globals, overlays, a global in the array of a dat. */
int cleave_args_overlap(const struct cleave_call *call, int *first, int *second);
/* Fills sig[call->args]: the pattern that the compiler saw, if it saw this call. */
void cleave_args_pattern(const struct cleave_call *call, struct cleave_sigarg *sig);
const char *cleave_access_name(op_access access);
/* The access of a letter in a signature; -1: it is none. */
op_access cleave_access_of_letter(char letter);

/* ---- bytes.c -------------------------------------------------------------------------------- */

/* Bytes that the call reads and writes, each component that it names once. */
double cleave_useful_bytes(const struct cleave_call *call);

/* ---- match.c -------------------------------------------------------------------------------- */

/* Whether copies of dats pay for a loop: how many of its calls had to make any again, out of the
 * cleave_machine.copies_calls over which that is counted. */
struct cleave_derived_use {
    int calls;
    int remade;
    int off; /* they do not: only variants without may run, unless the user names another */
};

/* What was compiled for one call site and pattern. Loops are in the order of cleave_targets. */
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

/* Finds or makes the match of a prepared call, and gives call->arg the access that its kernel was
 * found to have. Says once per site why a call that cleavecc compiled runs sequentially. */
struct cleave_match *cleave_match_find(struct cleave_call *call);
/* The list of what the site was called with. */
struct cleave_prepared **cleave_site_prepared(struct cleave_site *site);
/* cleave_prepared_forget() for all sites. */
void cleave_sites_forget(op_dat dat);
void cleave_matches_free(void);
/* Forgets the sites of an object that is being unloaded. */
void cleave_sites_unload(struct cleave_unit_entry *entry);
/* "res_calc" from the text of the call; the caller frees it. */
char *cleave_site_kernel(const struct cleave_site *site);

/* ---- prepared.c ----------------------------------------------------------------------------- */

struct cleave_prepared_arg {
    op_arg arg;    /* the type is copied, the pointer's type is a literal of the headers */
    int dat_index; /* of a dat that takes part, else -1 */
    /* That dat's shape: the dat itself may be gone when another one of its kind takes its place. */
    op_set set;
    int dim;
    int size;
    enum cleave_base base;
};

/* A combination of arguments that a site was called with, and what follows from it. */
struct cleave_prepared {
    op_set set;
    char *name;
    struct cleave_match *match; /* match.c; NULL: not asked for yet */
    struct cleave_record *record;
    double bytes;             /* cleave_useful_bytes() */
    struct candidate *choice; /* launch.c's, which was made in generation chosen_at; freed here */
    unsigned long chosen_at;
    struct cleave_pace pace;
    int running; /* calls that have begun and not ended */
    int stale;   /* one of its dats was freed: it serves as a pattern for dats of the same shape */
    struct cleave_prepared *next;
    int args;
    struct cleave_prepared_arg arg[];
};

/* What is known of the call; one that is new is checked first. */
struct cleave_prepared *cleave_prepared_get(const struct cleave_call *call);
void cleave_prepared_free(struct cleave_prepared **first);
/* The dat is going to be freed: marks those of a site that use it as stale. */
void cleave_prepared_forget(struct cleave_prepared *first, op_dat dat);

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
