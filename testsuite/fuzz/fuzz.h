/* fuzz.h: what the files of the generator share.
 *
 *   generate.c    options, the program around the kernels
 *   chains.c      a chain of loops that share data, with the host in between (chain.h)
 *   kernel.c      one kernel: its mesh, arguments, helpers, body and the function that runs it
 *   statements.c  statements of a body
 *   control.c     those of them that are ifs, switches, loops and ways out
 *   updates.c     statements that modify arguments
 *   carried.c     extrema and what goes along with them
 *   expressions.c expressions
 *   piece.c       the tree of text that all of them build
 *   reduce.c      a smaller program with the same fault
 *
 * Every order of the elements must give the same bits. So what is added, or taken the minimum or
 * maximum of, is a *whole* value: a number of a known, small magnitude that is an integer, or a
 * quarter of one where the target is floating. Everything else is arbitrary.
 */
#ifndef CLEAVE_FUZZ_FUZZ_H
#define CLEAVE_FUZZ_FUZZ_H

#include <stdint.h>

#include "testsuite/fuzz/piece.h"

enum scalar { SCALAR_DOUBLE, SCALAR_FLOAT, SCALAR_INT, SCALARS };

enum argument_kind { DIRECT, INDIRECT, VECTOR, GLOBAL, NUMBER, POINTER /* of a helper */ };

enum access {
    READ,
    WRITE,
    RW,
    INC,
    MINIMUM,
    MAXIMUM,
    MAYBE,  /* an INC that may be off */
    CARRIED /* an extremum with a payload, or the payload (op_arg_info) */
};

/* How a kernel modifies data in place through a map: one operation for all places, and
 * such that the elements' order does not matter. */
enum in_place { PUT_CONSTANT, ADD_WHOLE, RAISE, IN_PLACES };

struct argument {
    enum argument_kind kind;
    enum access access;
    enum scalar type;
    int dim;
    int columns; /* VECTOR */
    enum in_place in_place;
    const char *name;   /* of the parameter */
    const char *loop;   /* the op_arg_ call */
    int unit;           /* of parameter and op_arg_ together */
    bool is_reference;  /* C++ */
    int rows;           /* parameter is a pointer to rows of dim / rows components; 0: is not */
    const char *better; /* of an extremum with a payload, which stands behind it: ">", "<=", ... */
};

struct variable {
    const char *name;
    enum scalar type;
    int length;       /* of an array; 0: a scalar */
    bool is_constant; /* not to be assigned */
    bool is_whole;    /* |value| <= magnitude, and an integer */
    double magnitude;
    int below; /* > 0: 0 <= value < below, so that it can be a subscript */
    bool is_struct;
};

enum { MAX_ARGUMENTS = 24, MAX_VARIABLES = 200, MAX_HELPERS = 4, MAX_DEPTH = 3 };

struct helper {
    const char *name;
    bool is_push; /* void name(double *to, double w, int n), which adds to `to`; else
                     double name(double x, double y, int n) */
    int dim;      /* of `to`; 0: a reference */
};

struct generator {
    struct arena *arena;
    uint64_t random;
    bool is_cxx;
    bool inexact;      /* chains whose values are rounded */
    bool gathers;      /* chains of loops that become groups which gather */
    bool passes;       /* chains of loops that pass on values which nobody else needs */
    bool for_lanes;    /* kernels without what the CPU computes one element at a time */
    bool in_subscript; /* of the run: few others are in it, so that it ends */
    const char *fault; /* an artificial one, see program.h; NULL: none */
    int units;
    int names;
    int kernel;
    struct argument argument[MAX_ARGUMENTS];
    int arguments;
    const char *flag_name; /* the argument that says whether the MAYBE argument is there */
    struct variable variable[MAX_VARIABLES];
    int variables;
    struct helper helper[MAX_HELPERS];
    int helpers;
    int depth;    /* of statements */
    int loops;    /* for and while around */
    double times; /* how often the statement runs, at most */
    bool returns_value;
};

/* ---- generate.c: chance and text ------------------------------------------------------------- */

/* Begins number `number` of the seed. */
void generator_begin(struct generator *g, uint64_t seed, int number);
int pick(struct generator *g, int count); /* 0..count-1 */
bool chance(struct generator *g, int percent);
/* A piece with as many kids as `text` has '@'. */
struct piece *piece(struct generator *g, const char *text, ...);
/* Makes a piece of formatted text, for names and numbers; it has no kids. */
struct piece *word(struct generator *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Makes the piece a unit that prints `simple` when dropped. */
struct piece *optional(struct generator *g, const char *simple, struct piece *piece);
/* A unit that prints its kid number `instead` when dropped. */
struct piece *optional_kid(struct generator *g, int instead, struct piece *piece);
const char *new_name(struct generator *g, const char *stem);

/* ---- expressions.c --------------------------------------------------------------------------- */

extern const char *const scalar_name[SCALARS];

struct piece *expression(struct generator *g, enum scalar type, int depth);
struct piece *condition(struct generator *g, int depth);
/* An index 0..count-1; a constant or a variable of a loop when `plain`. */
struct piece *subscript(struct generator *g, int count, bool plain);
/* One component of an argument; the same piece may stand several times. */
struct piece *place(struct generator *g, const struct argument *argument, bool plain);
/* A value of at most `limit`; with quarters when `quarters`. *magnitude: what it is at most. */
struct piece *whole(struct generator *g, double limit, bool quarters, int depth, double *magnitude);

/* ---- updates.c ------------------------------------------------------------------------------- */

/* Each gives NULL when the kernel has no argument of the kind. */
struct piece *increment(struct generator *g);
struct piece *increment_of(struct generator *g, const struct argument *argument);
struct piece *paired_increments(struct generator *g);
struct piece *optional_update(struct generator *g);
struct piece *spread(struct generator *g);
struct piece *extremum(struct generator *g);
struct piece *store(struct generator *g);
struct piece *in_place_update(struct generator *g);
struct piece *alias(struct generator *g);
struct piece *push_call(struct generator *g);
/* A random argument of one of the accesses, a set of bits; NULL: none. */
const struct argument *any_argument(struct generator *g, unsigned accesses, bool is_direct);

/* ---- carried.c ------------------------------------------------------------------------------- */

/* A statement that replaces the kernel's extremum with its payload; NULL: it has none. */
struct piece *carry(struct generator *g);

/* ---- statements.c ---------------------------------------------------------------------------- */

struct piece *statements(struct generator *g, int count);
struct variable *declare(struct generator *g, const char *stem, enum scalar type);

/* ---- control.c ------------------------------------------------------------------------------- */

/* Statements of an inner block: what it declares ends with it. */
struct piece *inner(struct generator *g, int count);
struct piece *choice(struct generator *g);
struct piece *selection(struct generator *g);
struct piece *counted_loop(struct generator *g);
struct piece *run_time_loop(struct generator *g);
/* Makes a loop of unknown trip count with a jump in the middle, in forms that have lanes. */
struct piece *lane_loop(struct generator *g);
struct piece *leave(struct generator *g);
struct piece *nested_leave(struct generator *g);

/* ---- kernel.c -------------------------------------------------------------------------------- */

/* Helpers, kernel and run_K of kernel number `kernel`. */
struct piece *kernel_generate(struct generator *g, uint64_t seed, int kernel);

/* ---- chains.c -------------------------------------------------------------------------------- */

/* The kernels and run_K of chain number `number`. */
struct piece *chain_generate(struct generator *g, uint64_t seed, int number);

/* ---- reduce.c -------------------------------------------------------------------------------- */

/* Drops units of `program` while `command`, run by the shell after `path` was written, succeeds;
 * leaves the smallest program in `path`. False when the whole program does not make the command
 * succeed. */
bool reduce(struct generator *g, const struct piece *program, const char *path,
            const char *command);

#endif
