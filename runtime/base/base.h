/* base.h: services for every room of the runtime: messages, memory, the lock on the runtime,
 * numbers, OP2's types, the targets in use. Names begin with cleave_, because programs link this
 * library statically. */
#ifndef CLEAVE_BASE_H
#define CLEAVE_BASE_H

#include <stddef.h>
#include "cleave_gen.h"
#include "op_lib.h"
#include "runtime/base/target.h"

/* ---- error.c -------------------------------------------------------------------------------- */

/* Prints "cleave: error: ..." and ends the program, by the user's error handler if there is one.
 * cleave_warning and cleave_note print and return. */
void cleave_fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void cleave_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cleave_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* printf() that never waits for another thread, which may hold stdout while it waits for the state
 * of dats: for whoever holds that. */
void cleave_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Memory on the host, to be freed with free(). Never NULL, even for 0 bytes: an error that names
 * `what` ends the program when there is not enough. cleave_alloc aligns 4096 bytes or more to 64.
 */
void *cleave_alloc(size_t bytes, const char *what);
void *cleave_alloc_zero(size_t bytes, const char *what);
/* A copy that the caller frees. */
char *cleave_text_copy(const char *text);
/* The name of an object as messages show it; name may be NULL. */
const char *cleave_name_or_unnamed(const char *name);
double cleave_seconds(void); /* wall time in seconds */

/* ---- threads.c ------------------------------------------------------------------------------ */

/* Locks the runtime for this thread until cleave_leave(); may be nested. Ends the program if
 * another thread holds the lock or a kernel runs. function: for messages. site: the site of the
 * loop that begins, or NULL. Returns 0. */
int cleave_enter(const char *function, const struct cleave_site *site);
/* cleave_enter() for functions that kernels may call, too. */
int cleave_enter_anywhere(const char *function);
/* cleave_enter() for functions that need no target: does not wait for what op_init has begun. */
int cleave_enter_early(const char *function);
/* Sets what ends that which op_init has begun. The next function calls it once, holding the lock.
 */
typedef void cleave_settling(void);
void cleave_settle_by(cleave_settling *settle);
/* Calls it now, if it has not been called. */
void cleave_settle(void);
/* 1: it has not ended. */
int cleave_is_unsettled(void);
void cleave_leave(void);
/* Notes that the user's kernel runs sequentially for the loop of that site; NULL: it has ended.
 * frame: an address in the stack frame of the function that calls the kernel. */
void cleave_kernel_runs(const struct cleave_site *site, const void *frame);
/* 1: another thread holds it. */
int cleave_is_held_elsewhere(void);
/* Releases all locks of this thread, before control leaves through the user's error handler. */
void cleave_leave_all(void);
/* Adds a function that cleave_leave_all() calls first, CLEAVE_LEAVES at most; adding one again
 * changes nothing. */
enum { CLEAVE_LEAVES = 4 };
void cleave_leave_too(void (*leave)(void));

static inline void cleave_leave_block(const int *entered)
{
    (void)entered;
    cleave_leave();
}

/* Locks the runtime until the end of the block. */
#define CLEAVE_ENTER(function)                                                                     \
    const int cleave_entered __attribute__((cleanup(cleave_leave_block), unused)) =                \
        cleave_enter(function, NULL)
#define CLEAVE_ENTER_EARLY(function)                                                               \
    const int cleave_entered __attribute__((cleanup(cleave_leave_block), unused)) =                \
        cleave_enter_early(function)
#define CLEAVE_ENTER_ANYWHERE(function)                                                            \
    const int cleave_entered __attribute__((cleanup(cleave_leave_block), unused)) =                \
        cleave_enter_anywhere(function)

/* Locks the state of dats for this thread: which copies are current, the list of dats, the orders
 * of sets, the device. The lock may be nested; each call needs a cleave_dats_release(). Other
 * threads wait. Returns the depth of nesting. */
int cleave_dats_hold(void);
void cleave_dats_release(void);
/* In the child of fork(): resets the lock, which a thread of the parent may have held. */
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

/* ---- module.c ------------------------------------------------------------------------------- */

/* Marks this copy of the runtime as in use (1) or not (0). Ends the program if the process uses
 * another copy. */
void cleave_module_use(int use);
/* Keeps the library that holds the address from being unloaded, though the program may close it. */
void cleave_module_pin(const void *address);
/* The file name of the program or library that contains the address. */
const char *cleave_module_of(const void *address);

/* ---- flush.c -------------------------------------------------------------------------------- */

/* Starts all launches of loops that were called and have not been started, and does not wait for
 * them. Every function begins with it that shows or changes something that loops read or write:
 * values of dats and constants, the order of the mesh, times. Any thread may call it, whether or
 * not it holds the runtime or the state of dats. */
void cleave_flush(void);
/* Likewise, at the beginning of a function that the program calls between two loops, when nothing
 * of the runtime is half done: groups of loops that are complete run as one kernel. */
void cleave_flush_groups(void);
/* Sets the function that starts them, and the one that starts groups before, or NULL. Both are
 * called with the state of dats held; exec/queue.c calls this. */
void cleave_flush_by(void (*run)(void), void (*run_groups)(void));

/* ---- numbers.c ------------------------------------------------------------------------------ */

/* Sets this thread's locale to "C"; returns the old one for cleave_numbers_restore(), or NULL. */
void *cleave_numbers_plain(void);
void cleave_numbers_restore(void *const *before);
/* strtod() of the locale "C". */
double cleave_number_from(const char *text, char **end);

/* Numbers are written and read with a decimal point until the end of the block. */
#define CLEAVE_PLAIN_NUMBERS                                                                       \
    void *const cleave_locale __attribute__((cleanup(cleave_numbers_restore), unused)) =           \
        cleave_numbers_plain()

/* ---- types.c -------------------------------------------------------------------------------- */

enum cleave_base {
    BASE_OTHER,
#define CLEAVE_TYPE(word, kind) BASE_##kind,
#include "runtime/api/cleave_words.def"
};

struct cleave_type {
    const char *name; /* OP2's */
    enum cleave_base base;
    size_t size; /* bytes */
};

/* NULL when `name` (":soa" ignored) is not one of OP2's types. */
const struct cleave_type *cleave_type_find(const char *name);
/* 1: the same type, ":soa" ignored. */
int cleave_type_same(const char *a, const char *b);
/* 1: a pointer to `pointer_type` is valid for data of `type`; "" is valid for all. */
int cleave_type_fits(const char *type, const char *pointer_type);
/* Combines from[dim] into into[dim]: + for OP_INC, minimum for OP_MIN, maximum for OP_MAX. */
void cleave_type_combine(enum cleave_base base, op_access access, void *into, const void *from,
                         int dim);
/* 1: a is less than b (OP_MIN), or greater (OP_MAX). */
int cleave_type_beats(enum cleave_base base, op_access access, const void *a, const void *b);
/* The value as a double; large integers are rounded. */
double cleave_type_value(enum cleave_base base, const void *value);

/* ---- targets.c ------------------------------------------------------------------------------- */

/* NEW: before op_init; STARTED: between op_init and op_exit; ENDED: after op_exit, so that the mesh
 * is freed. */
enum cleave_lifetime { LIFETIME_NEW, LIFETIME_STARTED, LIFETIME_ENDED };
extern enum cleave_lifetime cleave_lifetime;
/* Calls op_init if the program has not; after op_exit it is an error. */
void cleave_require_init(void);

/* The targets whose variants may run, in order of preference; if there is none, all loops run
 * sequentially. */
struct cleave_targets {
    int count;
    enum cleave_target target[CLEAVE_TARGETS];
};
extern struct cleave_targets cleave_targets;
/* A target, as a row of cleave_words.def describes it. */
struct cleave_target_row {
    const char *word;     /* in settings */
    const char *spelling; /* in messages */
    const char *builder;  /* what programs are built with to have code for it */
    int lanes;            /* threads in lock step on a device with memory of its own; 0: the host */
    int block_size;       /* elements of a block by default */
};
extern const struct cleave_target_row cleave_target_row[CLEAVE_TARGETS];
/* 1: a device with memory of its own. */
static inline int cleave_has_lanes(enum cleave_target target)
{
    return cleave_target_row[target].lanes > 0;
}
/* The target with its own memory, started; NULL when all runs on the host. */
extern const struct target_ops *cleave_device;
/* Grows whenever earlier choices may have become invalid: a map is declared, the order of the mesh
 * or the plans are dropped, or other variants are asked for. */
extern unsigned long cleave_generation;

#endif
