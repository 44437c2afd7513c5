/* cleave_impl.h: what the files of the runtime's core share; private to them.
 *
 * The path of a loop: op_par_loop (op_lib_loop.h) -> loop.c finds out whether the call is known
 * (prepared.c), else checks the arguments (args.c) and finds what was compiled for it (match.c);
 * it either sets up the reference (reference.c) or launches a variant (launch.c: constants.c,
 * order.c, cached_plans.c, memory.c). verify.c runs
 * both. report.c keeps the times. Every name here begins with cleave_, because programs link
 * this library statically. */
#ifndef CLEAVE_IMPL_H
#define CLEAVE_IMPL_H

#include "cleave_gen.h"
#include "op_lib.h"
#include "runtime/planner/planner.h"
#include "target.h"

/* ---- error.c ----------------------------------------------------------------------------- */

/* "cleave: error: ..." and the end of the program. */
void cleave_fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void cleave_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cleave_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Memory on the host; `what` is named when there is not enough. Never NULL, even for 0 bytes. */
void *cleave_alloc(size_t bytes, const char *what);
void *cleave_alloc_zero(size_t bytes, const char *what);
char *cleave_text_copy(const char *text);
double cleave_seconds(void); /* wall time */

/* ---- threads.c --------------------------------------------------------------------------- */

/* Takes the runtime for this thread, until cleave_leave(); ends the program where another thread
 * has it, or a kernel runs. site: of the loop that begins, or NULL. Returns 0. */
int cleave_enter(const char *function, const struct cleave_site *site);
/* Likewise, also in a kernel. */
int cleave_enter_anywhere(const char *function);
void cleave_leave(void);
/* Whether the user's kernel runs sequentially, for the loop of that site; NULL: no more. */
void cleave_kernel_runs(const struct cleave_site *site);
/* 1: another thread has the runtime. */
int cleave_is_held_elsewhere(void);
/* Gives back all that this thread has: before control leaves through the user's error handler. */
void cleave_leave_all(void);

static inline void cleave_leave_block(const int *entered)
{
    (void)entered;
    cleave_leave();
}

/* Takes the runtime until the end of the block. */
#define CLEAVE_ENTER(function)                                                                     \
    const int cleave_entered __attribute__((cleanup(cleave_leave_block), unused)) =                \
        cleave_enter(function, NULL)
#define CLEAVE_ENTER_ANYWHERE(function)                                                            \
    const int cleave_entered __attribute__((cleanup(cleave_leave_block), unused)) =                \
        cleave_enter_anywhere(function)

/* Takes the state of dats for this thread: which copies are current, the list of dats, the orders of
 * sets, the device. A thread may take it several times; each needs a cleave_dats_release(). Another
 * thread waits. Returns how often this thread has it. */
int cleave_dats_hold(void);
void cleave_dats_release(void);
/* In the child of a fork whose parent's thread held it: nobody does. */
void cleave_dats_forked(void);

static inline void cleave_dats_release_block(const int *held)
{
    (void)held;
    cleave_dats_release();
}

/* Holds the state of dats until the end of the block. */
#define CLEAVE_HOLD_DATS                                                                           \
    const int cleave_held __attribute__((cleanup(cleave_dats_release_block), unused)) =            \
        cleave_dats_hold()

/* ---- module.c ---------------------------------------------------------------------------- */

/* Says that this copy of the runtime is in use, or no more. Ends the program where another copy in
 * the process is. */
void cleave_module_use(int use);
/* Keeps the library that holds the address from being unloaded, though the program may close it. */
void cleave_module_pin(const void *address);
/* The file's name of the program or library that holds the address. */
const char *cleave_module_of(const void *address);

/* ---- fork.c ------------------------------------------------------------------------------ */

/* From now on a child of fork() finds its data on the host, and does not wait for threads. */
void cleave_fork_watch(void);
/* 1: this is a child, whose parent uses the device. */
int cleave_fork_lost_device(void);
/* Says once, before the first loop of a child, how it runs; ends the program where it cannot. */
void cleave_fork_say(void);

/* ---- numbers.c --------------------------------------------------------------------------- */

/* Gives this thread the locale "C"; returns the one before, for cleave_numbers_restore(), or NULL. */
void *cleave_numbers_plain(void);
void cleave_numbers_restore(void *const *before);
/* strtod() of the locale "C". */
double cleave_number_from(const char *text, char **end);

/* Numbers are written and read with a decimal point until the end of the block. */
#define CLEAVE_PLAIN_NUMBERS                                                                       \
    void *const cleave_locale __attribute__((cleanup(cleave_numbers_restore), unused)) =           \
        cleave_numbers_plain()

/* ---- settings.c -------------------------------------------------------------------------- */

enum cleave_backend { BACKEND_AUTO, BACKEND_SEQ, BACKEND_OPENMP, BACKEND_CUDA };

struct cleave_settings {
    int diags;                   /* third argument of op_init */
    enum cleave_backend backend; /* CLEAVE_BACKEND */
    int schedule;                /* CLEAVE_SCHEDULE: as launch.c numbers them, -1: no preference */
    int race;                    /* CLEAVE_RACES: enum cleave_race, -1: the target's default */
    int reads;                   /* CLEAVE_READS: enum cleave_reads, -1: no preference */
    const char *variant;         /* CLEAVE_VARIANT: a pattern for their names, or NULL */
    int block_size;              /* CLEAVE_BLOCK_SIZE, OP_BLOCK_SIZE=; 0: the target's default */
    struct plan_method method;   /* CLEAVE_PARTITION */
    int renumber;                /* CLEAVE_RENUMBER: 1 on, 0 off, -1: when it is worth it */
    int bank_order;              /* CLEAVE_BANK_ORDER: 1 on, 0 off, -1: on a GPU */
    const char *coordinates;     /* CLEAVE_COORDINATES: the name of a dat, or NULL */
    const char *plan_json;       /* CLEAVE_PLAN_JSON: a file, or NULL */
    const char *metis;           /* CLEAVE_METIS: the library's file, "none", or NULL */
    const char *scotch;          /* CLEAVE_SCOTCH: likewise */
    int cache_off;               /* CLEAVE_PLAN_CACHE=off */
    const char *cache_folder;    /* CLEAVE_PLAN_CACHE, XDG_CACHE_HOME or HOME; NULL: none is set */
    const char *cache_below;     /* from there to the cache: "", "/cleave" or "/.cache/cleave" */
    uint64_t cache_bytes;        /* CLEAVE_PLAN_CACHE_MB, in bytes */
    int reverse;                 /* CLEAVE_ORDER=reverse */
    int check_plan;              /* CLEAVE_CHECK_PLAN */
    int deterministic;           /* CLEAVE_DETERMINISTIC */
    int verify;                  /* CLEAVE_VERIFY */
    int watch;                   /* CLEAVE_WATCH */
    double tolerance;            /* CLEAVE_VERIFY_TOLERANCE; negative: by type */
    int timing;                  /* CLEAVE_TIMING: time every call */
    int user_waits;              /* OMP_WAIT_POLICY or GOMP_SPINCOUNT is set: see waiting.h */
    int no_device;               /* op_disable_device_execution */
};
extern struct cleave_settings cleave_settings;

void cleave_settings_read(int argc, char **argv, int diags);
void cleave_settings_print(void);
int cleave_block_size(enum cleave_target target);
/* The same, but with CLEAVE_DETERMINISTIC=1 whatever the user asks for: of what shows in results.
 */
int cleave_steady_block_size(enum cleave_target target);
/* 1: blocks by this method are runs of consecutive elements; "none+refine" only begins with them.
 */
static inline int cleave_is_runs(struct plan_method method)
{
    return method.start == PLAN_START_NONE &&
           (method.improve == PLAN_IMPROVE_DEFAULT || method.improve == PLAN_IMPROVE_NONE);
}

/* ---- op_words.c: OP2's words in the environment and on the command line --------------------- */

struct cleave_call;
void cleave_op_words_read(int argc, char **argv);
void cleave_op_words_free(void);
/* 1: OP_NO_REALLOC: dats lie in the program's own arrays, and the mesh keeps the program's order. */
int cleave_no_copies(void);
/* 1: OP_WHITELIST lets the loop run compiled. */
int cleave_whitelisted(const struct cleave_call *call);
/* The call runs sequentially: OP_FALLBACK_MODE, once per loop. */
void cleave_fallback(const struct cleave_call *call);

/* ---- types.c ----------------------------------------------------------------------------- */

enum cleave_base {
    BASE_OTHER,
    BASE_DOUBLE,
    BASE_FLOAT,
    BASE_INT,
    BASE_UINT,
    BASE_LONG,
    BASE_LL,
    BASE_ULL,
    BASE_BOOL
};

struct cleave_type {
    const char *name; /* OP2's */
    enum cleave_base base;
    size_t size;
};

/* NULL when `name` (":soa" ignored) is not one of OP2's types. */
const struct cleave_type *cleave_type_find(const char *name);
/* 1: the same type, ":soa" ignored. */
int cleave_type_same(const char *a, const char *b);
/* 1: a pointer to `pointer_type` may be given as `type`; "" fits all. */
int cleave_type_fits(const char *type, const char *pointer_type);
/* into[d] = into[d] + / min / max from[d]. */
void cleave_type_combine(enum cleave_base base, op_access access, void *into, const void *from,
                         int dim);
/* 1: a is less than b, for OP_MIN, or more, for OP_MAX. */
int cleave_type_beats(enum cleave_base base, op_access access, const void *a, const void *b);
double cleave_type_value(enum cleave_base base, const void *value);

/* ---- declare.c, overlay.c, single.c -------------------------------------------------------- */

#include "declare_impl.h"

/* ---- init.c ------------------------------------------------------------------------------ */

/* Calls op_init when the program has not. */
void cleave_require_init(void);
/* Before a call that is new: takes in the units of libraries that were opened since. */
void cleave_require_targets(void);
/* The targets whose variants may run, in order of preference; none: the reference. */
struct cleave_targets {
    int count;
    enum cleave_target target[2];
};
extern struct cleave_targets cleave_targets;
/* Goes on without the device, in a child of fork(): its memory is forgotten, not released. */
void cleave_device_lost(void);
/* The target with its own memory, started; NULL when all runs on the host. */
extern const struct target_ops *cleave_device;

/* ---- args.c ------------------------------------------------------------------------------ */

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
    struct cleave_vector *vectors; /* reference.c */
    struct cleave_check *check;    /* verify.c; NULL when the loop is not being verified */
    double start;
    double planned; /* the record's plan_seconds at the start */
    int unwaited;   /* runs on the device, and nothing has waited for it */
};

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

/* ---- registry.c -------------------------------------------------------------------------- */

/* Units in order of registration. */
struct cleave_unit_entry {
    const struct cleave_unit *unit;
    struct cleave_unit_state *state; /* constants.c */
    struct cleave_unit_entry *next;
};
extern struct cleave_unit_entry *cleave_units;

const struct target_ops *cleave_target_ops(enum cleave_target target);
/* Grows with every registration. */
extern unsigned long cleave_units_version;
/* 1: the program is ending, and the order in which its parts go is the system's. */
int cleave_is_ending(void);
void cleave_note_ending(void);
/* Refuses units that were generated for another version of the runtime. */
void cleave_units_check(void);
int cleave_units_for(enum cleave_target target);
/* Why the last launch from code of the unit failed, or, where unit is NULL, from code of any; NULL: it
 * did not. Never waits. */
const char *cleave_launch_failure(const struct cleave_unit *unit);
/* CLEAVE_VARIANT=list: a line for each variant of each loop: "cuda res_calc res_calc_split_atomic".
 */
void cleave_units_list(void);
/* 1: cleave_settings.variant names some variant. */
int cleave_units_have_named(void);

/* ---- loop.c ------------------------------------------------------------------------------ */

void cleave_loop_free(void);

/* ---- pace.c ------------------------------------------------------------------------------ */

/* How fast one call is on one thread and on all; all 0 at first. */
struct cleave_pace {
    double one;    /* seconds on one thread */
    double all;    /* seconds on all threads, a mean of the latest; where all_calls is 1 */
    double spent;  /* seconds of all measured calls */
    double lost;   /* of these, by which all threads were slower than one */
    int one_calls; /* measured on one thread, up to CLEAVE_PACE_FIRST */
    int all_calls; /* 1: all threads have run it */
    int skipped;   /* calls since it was measured */
    int wait;      /* calls until the machine's load is looked at again */
};
enum { CLEAVE_PACE_FIRST = 3 };

/* Runs the launch of a variant on the host, on one thread or on all. */
void cleave_pace_run(struct cleave_pace *pace, int elements,
                     void (*run)(const struct cleave_launch *), const struct cleave_launch *launch);
/* Before and after a plan or an order of so many elements is made: few get one thread. */
int cleave_pace_plan(int elements);
void cleave_pace_planned(int all);

/* ---- prepared.c -------------------------------------------------------------------------- */

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

/* Grows when a choice that was made before may be wrong now: when maps are declared, the order of
 * the mesh or the plans are dropped, or other variants are asked for. */
extern unsigned long cleave_generation;

/* What is known of the call; one that is new is checked first. */
struct cleave_prepared *cleave_prepared_get(const struct cleave_call *call);
void cleave_prepared_free(struct cleave_prepared **first);
/* The dat is going to be freed: marks those of a site that use it as stale. */
void cleave_prepared_forget(struct cleave_prepared *first, op_dat dat);

/* ---- match.c ----------------------------------------------------------------------------- */

/* What was compiled for one call site and pattern. Loops are in the order of cleave_targets. */
/* Whether copies of dats pay for a loop: how many of its calls since the last CLEAVE_DERIVED_CALLS
 * had to make any again. */
struct cleave_derived_use {
    int calls;
    int remade;
    int off; /* they do not: only variants without may run, unless the user names another */
};

struct cleave_match {
    struct cleave_sigarg *sig; /* types are copied */
    int args;
    int loops;
    struct cleave_unit_entry *unit[2];
    const struct cleave_loop *loop[2];
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
void cleave_sites_unload(const struct cleave_unit_key *unit);
/* "res_calc" from the text of the call; the caller frees it. */
char *cleave_site_kernel(const struct cleave_site *site);

/* ---- reference.c ------------------------------------------------------------------------- */

void cleave_reference_begin(struct cleave_run *run, struct cleave_call *call);
void cleave_reference_end(struct cleave_call *call);

/* ---- launch.c ---------------------------------------------------------------------------- */

/* Position among the schedules of cleave_words.def, which is how CLEAVE_SCHEDULE is kept. */
int cleave_schedule_number(const struct cleave_variant *variant);
/* 1: cleave_settings.variant is a pattern of its name. */
int cleave_variant_is_named(const struct cleave_variant *variant);
/* Runs a variant of the call; 0 when none of them can run (said once). */
int cleave_launch_call(struct cleave_call *call);

/* ---- race.c -------------------------------------------------------------------------------- */

/* Default race resolution of a call on a GPU: gather per point, or warps that add by themselves,
 * whichever the compiler lists first; for loops in place global colours while the cache holds what the
 * call moves, else what the compiler lists first. */
enum cleave_race cleave_usual_race(const struct cleave_call *call, const struct cleave_loop *loop);

/* ---- deterministic.c ----------------------------------------------------------------------- */

/* 1: the order in which elements modify points shows in this call's result, and the user wants it
 * to be the same in every run: only variants that are ordered may run. */
int cleave_must_be_ordered(const struct cleave_call *call);
/* 1: elements modify a point in an order that the plan alone decides, or that needs none. */
int cleave_race_is_ordered(enum cleave_race race);
/* Warns where the call must be ordered and no variant of the loop is, as in programs compiled with
 * --cleave-emit=fast. Returns 1 when it warned. device: its name. */
int cleave_say_unordered(const struct cleave_call *call, const struct cleave_loop *loop,
                         const char *device);
/* 1: the points that the call modifies are very many, and its elements name nearly none of them: on
 * a GPU colours are faster than visiting points, and steadier than sums of blocks. */
int cleave_few_points_named(const struct cleave_call *call);
/* 1: elements have so many points that every point summing up its own is slower than colours. */
int cleave_many_points_each(const struct cleave_call *call);
/* 1: it joins values of its elements in a global. */
int cleave_call_reduces(const struct cleave_call *call);
/* 1: results must be the same for all block sizes, and the variant's are not. */
int cleave_blocks_show(const struct cleave_call *call, const struct cleave_variant *variant);
/* 1: results must be the same in every run, but in this call, which its user accepted, elements
 * read what others modify at the same time, whatever the variant. */
int cleave_call_races(const struct cleave_call *call);

/* ---- combine.c: reductions --------------------------------------------------------------- */

/* Where each argument's results go, [args]; NULL for what is not reduced. */
struct cleave_parts {
    void **value;
    int **where; /* of extrema with op_arg_info */
};
/* Memory for the partial results of launch->blocks blocks and, on a device, for the results: fills
 * both, and launch->arrived. */
void cleave_partials_place(const struct cleave_call *call, const struct target_ops *device,
                           struct cleave_launch *launch, struct cleave_parts partial,
                           struct cleave_parts result);
/* Joins what the launch made with the user's variables; waits for the device. */
void cleave_partials_combine(const struct cleave_call *call, const struct target_ops *device,
                             const struct cleave_loop *loop, const struct cleave_launch *launch);
/* Memory for tmp(e) or the sums of blocks, the same for all loops: its content lasts for one call.
 * what: for messages, "contributions". */
void *cleave_tmp(const struct cleave_call *call, const struct target_ops *device, size_t bytes,
                 const char *what);
void cleave_partials_free(void);

/* ---- permute.c, order.c, cached_plans.c, pages.c, memory.c, layout.c, derived.c, constants.c */

#include "mesh_impl.h"

/* ---- verify.c, report.c, timers.c, diagnostics.c, profile.c --------------------------------- */

#include "report_impl.h"

#endif
