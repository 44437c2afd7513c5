/* access_impl.h: what the parts of the access check share; nobody else includes it.
 *
 * access.c checks loops, prototypes, aliases and the call graph; access_walk.c follows the pointers
 * of arguments through a kernel's statements, access_expr.c and access_assign.c through its
 * expressions, access_store.c through variables that hold pointers; access_state.c keeps what they
 * find, access_use.c reports. access_range.c evaluates subscripts; access_increment.c recognises
 * increments; access_promote.c decides what access holds in the end, for which access_sure.c knows
 * what was set; access_value.c knows which values depend on OP_MIN and OP_MAX arguments,
 * access_extremum.c what may be done with them. access_constants.c looks at the host code.
 */
#ifndef CLEAVE_ACCESS_IMPL_H
#define CLEAVE_ACCESS_IMPL_H

#include "pass/access/access.h"

/* access_constants.c: notes constants that the host changes without another op_decl_const. */
void access_constants(const struct program *program, struct diag *diag);

/* Values lo..hi, both of which are taken. */
struct range {
    long lo;
    long hi;
};

/* The range of a counting loop's variable, while its body is checked. */
struct counter {
    const struct var *var;
    struct range range;
    int depth; /* conditions around the body; under further ones not every value need occur */
};

struct counters {
    int count;
    int capacity;
    struct counter *counter;
    int depth; /* conditions around the statement that is checked */
};

/* Range of an integer expression made of constants, constant objects and counters; false when it is
 * not known, or when its ends might not be taken. counters may be NULL. */
bool access_range(const struct expr *expr, const struct counters *counters, struct range *range);
bool access_constant(const struct expr *expr, long *value);
/* Whether a condition is known: what depends on the other outcome never runs. */
bool access_truth(const struct expr *condition, bool *value);

enum loop_runs { LOOP_UNKNOWN, LOOP_COUNTED, LOOP_NEVER };
/* Whether a `for` counts a variable through known values that its body leaves alone and whose every
 * iteration runs to its end. */
enum loop_runs access_counted(const struct stmt *loop, const struct var **var, struct range *range);

/* The expression below implicit casts. */
const struct expr *access_bare(const struct expr *expr);
/* Returns the expression below implicit casts and unary plus. */
const struct expr *access_term(const struct expr *expr);
/* True when both are written alike and have no side effect, so that they name the same place or
 * compute the same value. Their contexts may convert them to different types. */
bool access_same(const struct expr *a, const struct expr *b);
/* True when `sum` is a sum in which `place` stands exactly once, and is added, not subtracted. */
bool access_adds_to(const struct expr *sum, const struct expr *place);

/* A call of the library's minimum or maximum of two values. */
bool access_is_extremum_call(const struct expr *call, bool *is_max);

/* True when the increment `assign` adds in a floating type and cuts the sum to an integer: where
 * the fractions get lost depends on the order. */
bool access_truncates(const struct expr *assign);

/* Number of scalars in an object of this type: 12 for double[3][4]; 1 for a scalar, a pointer or a
 * record. */
long access_scalars(const struct type *type);

/* access_extremum.c: the expression below casts that keep every value; whether all numbers of the
 * one type are numbers of the other. */
const struct expr *access_widened(const struct expr *expr);
bool access_keeps_value(const struct type *from, const struct type *to);

/* Branches that set flags (access_carried_flags.c), of all loops. */
struct carried_flags {
    int count;
    int room;
    struct carried_flag *flag;
};

/* access_carried.c: sets `ties` and `goes_with` of the loop's arguments and adds to `flags`.
 * Returns NULL, or why elements cannot keep extrema and their payloads together.
 *
 * requires: the kernel has as many parameters as the loop arguments; access_walk() found no error.
 */
const char *access_carried(struct arena *arena, struct loop *loop, struct carried_flags *flags);

/* access_carried_flags.c, when all loops are checked: adds to the kernels' trees the statements
 * that set flags, and to the payloads' dims the flags. Where that cannot be, calls `sequential`,
 * which must give the loop this reason. */
void access_carried_flags(struct program *program, struct carried_flags *flags,
                          void (*sequential)(void *user, struct loop *loop, const char *reason),
                          void *user);

/* Uses of one argument, on all paths of a kernel together. */
enum {
    SEEN_READ = 1,
    SEEN_WRITE = 2,     /* set to a value */
    SEEN_CHANGE = 4,    /* set to a value that depends on the old one, other than by addition */
    SEEN_INCREMENT = 8, /* only added to */
    SEEN_OLD = 16,      /* read, in every run of the kernel, before anything is set */
    SEEN_UNKNOWN = 32,  /* a pointer to it went to code that is not tracked */
    SEEN_MAYBE_OLD = 64 /* read where a condition may have kept it from being set */
};
struct access_seen {
    unsigned uses; /* SEEN_ bits */
    /* Components that are read, and that may be set: bit column * dim + component, up to 64. */
    unsigned long long read;
    unsigned long long written;
    unsigned long long conditional; /* that may be set, but need not: under a condition */
};

/* Results of walking a kernel, beside errors. */
struct access_found {
    const char *doubt;   /* which parameter may be used against its access, and why; or NULL */
    const char *beyond;  /* parameter that may exceed its dimension under a condition, or NULL */
    const char *carries; /* payload that gets a value that depends on an extremum, or NULL */
    bool is_unclear;     /* DIAG_extremum_unclear was reported */
    struct access_seen *seen; /* of each argument */
};

/* Checks what the loop's kernel does with its arguments. Returns true when an access error was
 * found. */
bool access_walk(struct program *program, struct diag *diag, const struct loop *loop,
                 struct access_found *found);

/* access_promote.c: replaces the declared access of arguments if the kernel proves another one, and
 * reports it. */
void access_promote(struct diag *diag, struct loop *loop, const struct access_seen *seen);

#endif
