/* call.h: loop calls: op_par_loop's arguments, what was compiled for them, the constants that they
 * see. */
#ifndef CLEAVE_CALL_H
#define CLEAVE_CALL_H

#include "runtime/base/timeline.h"
#include "runtime/mesh/mesh.h"

/* match.c. 1: joined loops are called there, which no place in the source has. */
int cleave_site_is_group(const struct cleave_site *site);

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

struct cleave_call;
/* args.c. The set that the elements of argument a belong to: the call's, but for dats and maps of a
 * joined loop's phases and points. */
op_set cleave_arg_set(const struct cleave_call *call, int a);
/* 1: argument a of a joined loop's call is a dat on the set that the loop's increments go to, or is
 * read through a map from that set (kinds 'p', 'q' and 'w' of its signature), not on the loop's
 * set. */
int cleave_arg_is_point(const struct cleave_call *call, int a);
/* 1: argument a is a dat that a loop modifies which a joined loop computes ahead of its call. */
int cleave_arg_is_ahead(const struct cleave_call *call, int a);
/* 1: argument a is a dat that points modify in a second buffer, because elements of the call read
 * it through a map, or ahead of its loop's call. */
int cleave_arg_is_doubled(const struct cleave_call *call, int a);

/* 1: a global that the loop changes. */
static inline int cleave_arg_is_reduction(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_GBL && cleave_arg_on(arg) &&
           (arg->acc == OP_INC || arg->acc == OP_MIN || arg->acc == OP_MAX);
}

/* Copy of a dat's properties that a loop call keeps. It is used to recognise an equal dat after the
 * first one was freed. */
struct cleave_dat_shape {
    int index; /* the dat's number; -1: the argument has no dat that takes part */
    op_set set;
    int dim;  /* components */
    int size; /* bytes per element */
    enum cleave_base base;
};

/* A loop call: one call site with one combination of arguments, and everything derived from them.
 * The site keeps it, and the next call with equal arguments finds it again; exec/ runs it. */
struct cleave_call {
    struct cleave_site *site;
    const char *name; /* own copy */
    op_set set;
    int args;
    op_arg *declared; /* [args] own copies; `data` of globals is that of the latest call */
    op_arg *arg;      /* [args] with the access that the kernel really has; may equal `declared` */
    struct cleave_dat_shape *shape; /* [args] shapes of the dats */
    int stale;                  /* one of its dats was freed; dats of equal shapes may revive it */
    struct cleave_match *match; /* match.c; NULL: not asked for yet */
    double bytes;               /* cleave_useful_bytes() */
    struct cleave_record *record;       /* report/'s; set by exec/ */
    double plan_seconds;                /* spent so far on plans for this call */
    struct cleave_launcher *launcher;   /* exec/'s choice and launch arguments; freed by free() */
    struct cleave_launcher **candidate; /* [candidates] exec/'s while the loop is tuned: others, or
                                           NULL; freed by free() */
    int candidates;
    /* [args] of a joined loop: 1: cleave_arg_is_ahead(), set by exec/; NULL: none is. */
    const char *ahead;
    struct cleave_fate *fate; /* [args] of a joined loop: exec/unstored.c's; NULL: none yet */
    int queued;               /* launches of it that have not been started */
    /* tune/key.c's hash of a loop that was compiled for the call; NULL: none yet. */
    const struct cleave_loop *tuned_loop;
    uint64_t code_key[2];
    /* exec/group_expect.c's number of its loop and set; 0: none yet. */
    unsigned long long place_key;
    int trial_row; /* exec/order_trial.c's number of it, from 1 on; 0: none yet */
    /* From cleave_loop_begin() to cleave_loop_end(): */
    int running;
    double start;   /* cleave_seconds() at the start */
    double planned; /* plan_seconds at the start */
    struct cleave_span span;
    struct cleave_span kernel_span; /* of the reference, in the user's function */
    int joins;    /* it joins loops that can run one by one: it waits for no plan */
    int tame;     /* cleave_group.tame of the loops that it joins */
    int unwaited; /* it runs on the device, and nothing has waited for it yet */
    int launched; /* a variant runs it, though the launch may still be queued */
    int held;     /* it runs on the host with calls that follow (exec/tiled.h) */
    struct cleave_vector *vectors; /* reference.c */
    struct cleave_check *check;    /* verify.c; NULL when the loop is not being verified */
    struct cleave_call *next;      /* of the same site */
};

static inline struct cleave_planned cleave_planned_of(struct cleave_call *call)
{
    return (struct cleave_planned){
        .loop = call->name, .set = call->set, .arg = call->arg, .seconds = &call->plan_seconds};
}

/* Ends the program when an argument is wrong; the message names loop, argument, object and cause.
 */
void cleave_args_check(const struct cleave_call *call);
/* Ends the program when argument a (from 0) is wrong. */
void cleave_arg_check(const struct cleave_call *call, int a);
/* Fills sig[call->args] with the pattern that the compiler would see at this call. */
void cleave_args_pattern(const struct cleave_call *call, struct cleave_sigarg *sig);
const char *cleave_access_name(op_access access);
/* The access that a letter of a signature stands for; -1: no access. */
op_access cleave_access_of_letter(char letter);

/* ---- bytes.c -------------------------------------------------------------------------------- */

/* Bytes that the call reads and writes if each component that it uses is moved only once. */
double cleave_useful_bytes(const struct cleave_call *call);

/* ---- conflicts.c ---------------------------------------------------------------------------- */

/* 1: two arguments share memory (globals, overlays, a global in the array of a dat) and the loop
 * modifies them in different ways, so that it cannot work on copies of them. The answer depends on
 * the addresses of globals and may change with each call. Warns and sets *said, unless it is 1. */
int cleave_args_conflict(const struct cleave_call *call, int *said);
/* 1: results must be equal in every run, but elements of this call read values that other elements
 * modify at the same time, in every variant; the user accepted this race. Prints a note and sets
 * *said, unless it is 1. */
int cleave_args_race(const struct cleave_call *call, int *said);

/* ---- sequential.c --------------------------------------------------------------------------- */

/* Why a loop ran sequentially, once for each site that was told. */
struct cleave_reason {
    char *loop;
    char *file;
    int line;
    char *text;
    struct cleave_reason *next;
};
/* In the order in which the program was told. */
extern struct cleave_reason *cleave_reasons;

enum cleave_severity { CLEAVE_NOTE, CLEAVE_WARNING };
/* Prints "loop 'NAME' (FILE:LINE) runs sequentially: TEXT" and keeps the text. */
void cleave_sequential_because(const struct cleave_call *call, enum cleave_severity severity,
                               const char *format, ...) __attribute__((format(printf, 3, 4)));
void cleave_reasons_free(void);

/* ---- match.c -------------------------------------------------------------------------------- */

/* Decides whether copies of dats pay for a loop: counts the calls that had to remake copies, over
 * periods of cleave_machine.copies_calls calls. */
struct cleave_copies_use {
    int calls;  /* in this period */
    int remade; /* calls of this period that remade a copy */
    int off;    /* 1: copies do not pay; variants with copies run only if the user names them */
};

/* Units of a match: one for each target, and one of further variants (runtime/jit/). */
enum { CLEAVE_MATCHED = CLEAVE_TARGETS + 1 };

/* The compiled loops for one call site and pattern, in the order of cleave_targets. Two of one
 * target are the one that was compiled with the site, and behind it that of its further variants.
 */
struct cleave_match {
    struct cleave_sigarg *sig; /* types are copied */
    int args;
    int loops;
    struct cleave_unit_entry *unit[CLEAVE_MATCHED];
    const struct cleave_loop *loop[CLEAVE_MATCHED];
    int said;                        /* 1: the user was told that no variant can run */
    struct cleave_copies_use copies; /* dat_copies.c */
    struct cleave_match *next;
};

/* Returns the compiled loops for the call, owned by its site. The first call searches for them and
 * gives call->arg the access that the kernel really has. loops is 0 if the call runs sequentially;
 * a message says so once for each site that cleavecc compiled. */
const struct cleave_match *cleave_match_find(struct cleave_call *call);
/* Adds a unit of further variants that has just been registered to the matches that were made
 * before. Their calls choose anew: launchers are freed, so nothing may be queued. */
void cleave_matches_extend(const struct cleave_unit *unit);
/* Head of the list of the site's loop calls. */
struct cleave_call **cleave_site_calls(struct cleave_site *site);
/* cleave_calls_forget() for all sites. */
void cleave_sites_forget(op_dat dat);
void cleave_matches_free(void);
/* Forgets the sites of an object that is being unloaded. */
void cleave_sites_unload(struct cleave_unit_entry *entry);
/* Makes it the site of a joined loop, which no place in the source has: no messages say that it
 * cannot run, because its members run then. */
void cleave_site_is_joined(struct cleave_site *site);
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

/* Finds the site's loop call with these arguments and gives it the addresses of globals in `asked`.
 * NULL: there is none yet. */
struct cleave_call *cleave_call_find(struct cleave_site *site, const struct cleave_asked *asked);
/* Makes that loop call, which the site owns; ends the program when an argument is wrong. */
struct cleave_call *cleave_call_new(struct cleave_site *site, const struct cleave_asked *asked);
/* Replaces the declared access of the arguments by the kernel's real one, which plans, copies and
 * checks go by. access: [args] letters of cleave_loop.access. */
void cleave_call_access(struct cleave_call *call, const char *access);
void cleave_calls_free(struct cleave_call **first);
/* Marks the calls of a list that use the dat as stale; called before the dat is freed. */
void cleave_calls_forget(struct cleave_call *first, op_dat dat);

/* ---- constants.c ---------------------------------------------------------------------------- */

/* Grows with every declaration that changes a constant. */
unsigned long cleave_constants_version(void);
/* How often a unit was given a value of a constant that was not the one it had. */
unsigned long cleave_constants_given(void);
/* Returns the loop's first constant whose value the runtime does not have, so that its kernel can
 * only run where the program's own variable is: a pointer without op_decl_const, or a constant that
 * the program initialises and the host compiler left out of the object. NULL: there is none. */
const struct cleave_constant *cleave_constants_lack(const struct cleave_unit_entry *entry,
                                                    const struct cleave_loop *loop);
/* Gives the loop's constants the values of op_decl_const; an error names kernel and constant. */
void cleave_constants_set(struct cleave_unit_entry *entry, const struct cleave_loop *loop);
/* Gives the loop the values of constants that the program initialises. Call cleave_constants_set()
 * first. */
void cleave_constants_look(struct cleave_unit_entry *entry, const struct cleave_loop *loop);
void cleave_constants_free(void);
/* Forgets the values that the unit was given and those of its static variables. */
void cleave_constants_unload(struct cleave_unit_entry *entry);

#endif
