/* emit.h: what the files of codegen/ share: one loop's shape, and the state of writing one file.
 *
 * codegen.c assembles a file; shape.c works out what a loop needs whatever the target; names.c and
 * places.c spell things; openmp/ and cuda/ write variants; tables.c describes them to the runtime.
 * Every identifier of ours in generated code begins with cleave_, or is made from the loop's id.
 */
#ifndef CLEAVE_CODEGEN_EMIT_H
#define CLEAVE_CODEGEN_EMIT_H

#include "codegen/codegen.h"
#include "codegen/out.h"
#include "runtime/cleave_gen.h"

/* ---- the shape of a loop (shape.c) ------------------------------------------------------------
 */

/* A dat as a variant's parameter: one for all arguments that name it; an optional argument has its
 * own, since it may be switched off alone. */
struct shape_dat {
    int arg;           /* the first argument */
    const char *name;  /* "cleave_dat_p_x" */
    const char *label; /* "p_x" */
    const struct type *type;
    int dim;
    bool modified;
    bool optional;
};

struct shape_map {
    int arg;           /* the first argument through it, if possible one that is not optional */
    const char *label; /* "pecell" */
    bool optional;     /* only optional arguments go through it */
    int columns;       /* columns that dats are reached through, ascending; also the plan's list */
    int column[CLEAVE_MAX_COLUMNS];
    unsigned conflicts;
    int list; /* position among the plan's lists; -1: only op_arg_idx uses it */
};

struct shape {
    const struct loop *loop;
    int dats;
    struct shape_dat *dat;
    int maps;
    struct shape_map *map;
    int lists;
    int *list;          /* [lists] index into map */
    int *dat_of;        /* [args] index into dat, -1 */
    int *map_of;        /* [args] index into map, -1 */
    const char **label; /* [args] parameter's name, or "argN" */
    bool increments;    /* some dat is incremented through a map */
    bool in_place;      /* some dat is modified through a map in another way */
    bool reduces;       /* some global is INC, MIN or MAX */
};

struct shape *shape_new(const struct program *program, const struct loop *loop);
/* Why no variant is generated for the loop on this target; NULL: variants are generated. */
const char *shape_refusal(const struct program *program, const struct loop *loop,
                          enum codegen_target target);
bool arg_is_reduction(const struct arg *arg);

/* ---- state ------------------------------------------------------------------------------------
 */

/* Where the body finds an argument. */
enum place {
    PLACE_DIRECT,  /* the element's own record of a dat */
    PLACE_MAP,     /* a dat's record through the map */
    PLACE_STAGED,  /* shared memory */
    PLACE_PRIVATE, /* increments in a private array */
    PLACE_TMP,     /* increments in the OpenMP block's tmp(e) */
    PLACE_VALUE,   /* a READ global */
    PLACE_REDUCE,  /* a reduction's private copy */
    PLACE_INDEX    /* op_arg_idx */
};

/* One generated variant, as tables.c lists it. */
struct emitted {
    const char *name;
    const char *run;    /* function that starts it */
    const char *shared; /* function that counts shared memory, or NULL */
    enum cleave_schedule schedule;
    enum cleave_race race;
    int plan;
};

enum { MAX_VARIANTS = 4 };

struct emitted_loop {
    const char *refusal; /* why there are no variants */
    struct shape *shape;
    int variants;
    struct emitted variant[MAX_VARIANTS];
};

struct emit {
    struct out *out;
    const struct program *program;
    const struct codegen_options *options;
    enum codegen_target target;
    struct c_names names;
    struct emitted_loop *loops; /* [program->loops] */
    bool *function_used;        /* [program->functions] by loops with variants */
    bool *global_used;          /* [program->globals] */
    bool **templated; /* CUDA: [program->functions][params] type is a template's; or NULL */
    bool prints;      /* printf is called */
    /* The loop and variant being written. */
    const struct loop *loop;
    const struct shape *shape;
    const struct schedule *schedule;
    const char *variant;
    enum place *place; /* [args] */
    bool atomic;       /* updates use atomics */
    int stage;         /* of the schedule, being written */
    int arg;           /* argument being updated */
};

/* A target: a folder and a row in codegen.c. */
struct target_row {
    const char *symbol;    /* part of the registration symbol */
    const char *suffix[2]; /* by enum language */
    const char *qualifier; /* of user functions */
    const char *constant;  /* qualifier of constants */
    const char *large_constant; /* where constant memory is full */
    const char *setter;    /* copies `value` into constant, two %s: its name */
    const char *registers; /* function that takes the unit */
    const char *id;        /* enum cleave_target's name */
    const char *includes;
    void (*loop)(struct emit *emit, struct emitted_loop *loop); /* writes all variants of a loop */
};

extern const struct target_row codegen_openmp; /* openmp/openmp.c */
extern const struct target_row codegen_cuda;   /* cuda/cuda.c */
const struct target_row *codegen_row(enum codegen_target target);

/* ---- names.c ----------------------------------------------------------------------------------
 */

/* `text` as part of an identifier; NULL when it is not an identifier already. */
bool name_is_identifier(const char *text);
const char *names_function(const struct function *function, void *emit);
const char *names_var(const struct var *var, void *emit);
/* `name`, or another where C++ reserves it and the program is C. */
const char *names_free(const struct program *program, const char *name);
/* The same for the fields of all records, in the program itself. */
void names_free_fields(const struct program *program);
const char *names_global(struct emit *emit, const struct var *var);
int program_function_index(const struct program *program, const struct function *function);
int program_global_index(const struct program *program, const struct var *var);
#define emit_format(emit, ...) arena_format((emit)->program->arena, __VA_ARGS__)

/* ---- functions.c, preamble.c, tables.c ---------------------------------------------------------
 */

/* Marks the functions and globals that loops with variants need. */
void functions_mark(struct emit *emit);
void functions_print(struct emit *emit);
/* `out` gets true for each global that the loop's kernel needs, directly or not. */
void functions_globals(const struct program *program, const struct loop *loop, bool *out);
/* One that was taken whole (opaque.c). */
void opaque_print(struct emit *emit, const struct function *function);
void preamble_print(struct emit *emit);
void tables_print(struct emit *emit);

/* ---- places.c: pieces of variants that both targets print ---------------------------------------
 */

/* "4 * (size_t)cleave_e": offset of a record of `dim` components. */
const char *place_offset(struct emit *emit, int dim, const char *record);
/* Name of the local that holds the value of a map's column. */
const char *place_point(struct emit *emit, int map, int column);
int place_columns(const struct arg *arg);
int place_column(const struct arg *arg, int c);
/* The pointer that the body gets for column c of argument a. */
const char *place_pointer(struct emit *emit, int a, int c);
/* True when the variant reads the map itself. */
bool place_uses_map(const struct emit *emit, int map);
/* True when the body's arguments need the element's number. */
bool place_uses_element(const struct emit *emit);

/* Locals before the body's call: map values, op_arg_idx, vectors of pointers. */
void emit_locals(struct emit *emit);
/* Map values that update stage of argument emit->arg needs. */
void emit_update_points(struct emit *emit);
void emit_call(struct emit *emit);
/* Private copies of reductions, at their start value. */
void emit_reduction_copies(struct emit *emit);
/* to[offset + d] += from[d] for all components; `format` has two %s: place and value. */
void emit_add(struct emit *emit, int a, const char *format, const char *to, const char *offset,
              const char *from);
/* A type without its outermost const; a type with a declarator, as C writes them. */
const char *emit_type_name(struct emit *emit, const struct type *type);
const char *emit_declaration(struct emit *emit, const struct type *type, const char *declarator);
/* Comment above a variant: what it is, and what its stages stage. */
void emit_variant_comment(struct emit *emit, const char *what, bool staged);
void emit_variant_name(struct emit *emit);

/* Starts a variant of the current loop; returns its record. */
struct emitted *emit_variant(struct emit *emit, struct emitted_loop *loop, const char *suffix,
                             enum cleave_schedule schedule, enum cleave_race race, int plan);

#endif
