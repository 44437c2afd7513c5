/* emit.h: shared by the files of codegen/: the state of writing one file (struct emit), with the
 * loop (shape.h) and the variant (variant.h) that it is at.
 *
 * codegen.c assembles a file; shape.c works out what a loop needs whatever the target; names.c and
 * places.c spell things; openmp/ and cuda/ write variants; tables.c describes them to the runtime.
 * Every identifier of ours in generated code begins with cleave_, or is made from the loop's id.
 */
#ifndef CLEAVE_CODEGEN_EMIT_H
#define CLEAVE_CODEGEN_EMIT_H

#include "codegen/codegen.h"
#include "codegen/out.h"
#include "codegen/shape.h"
#include "codegen/variant.h"
#include "runtime/api/cleave_gen.h"

/* ---- state ------------------------------------------------------------------------------------
 */

/* Layout of a dat, if the compiler chooses it (layout_auto.c). Arguments with the same name, dim
 * and type are one dat. Sectors have 32 bytes and are counted per record, summed over all loops. */
struct dat_layout {
    const char *text;
    const struct type *type;
    int dim;
    double structures;    /* sectors as an array of structures */
    double arrays;        /* sectors as a structure of arrays */
    int through_maps;     /* arguments whose records are accessed without coalescing */
    bool declared;        /* some argument's type says ":soa" */
    const char *unsuited; /* a loop that cannot have a structure of arrays; NULL: all can */
    bool soa;             /* the choice */
    const char *reason;
};

/* A generated file: what it is made from and for, and what its text turns out to need. */
struct generated_file {
    const struct program *program;
    const struct codegen_options *options;
    const struct target_row *target;
    struct emitted_loop *loops; /* [program->loops] */
    bool *function_used;        /* [program->functions] called by the text of variants */
    bool *global_used;          /* [program->globals] */
    bool **templated;  /* CUDA: [program->functions][params] type is a template's; or NULL */
    bool prints;       /* printf is called */
    bool relayouts;    /* some variant wants structures of arrays */
    bool makes_copies; /* some variant asks for copies of dats */
    int layouts;       /* 0: the compiler chooses none */
    struct dat_layout *layout;
    struct lane_text *lane_text; /* lane functions (passes.c); NULL: none yet */
    /* The loops of the unit's own file, if this is the text of further variants; else NULL. */
    const struct emitted_loop *compiled;
};

/* The place in a file that is being written. */
struct emit {
    struct out *out;
    struct generated_file *file;
    struct c_names names;
    /* The loop that is being written, and the variant of one of its schedules. */
    struct emitted_loop *rows;
    const struct loop *loop;
    const struct shape *shape;
    const struct schedule *schedule;
    const struct variant *variant;
    /* Position in the variant. */
    enum binding *binding;     /* [args] */
    const struct stage *stage; /* of the schedule; NULL: the kernel is called whole */
    int number;                /* of that stage, from 1 */
    int slice;                 /* of the components that the stage updates, from 0 */
    /* Format with one %s for update values that are variables, as in "cleave_tmp_%s[cleave_e]";
     * NULL: their own names. */
    const char *tmp_format;
    const char *text;     /* of the function being written, see emit_mentions(); NULL: not known */
    struct body_use *use; /* [args] by the stage being written (uses.h) */
    const bool *held;     /* [args] the body gets a copy that was loaded before; NULL: of none */
    /* The point that a column of map m names, where it is not read from the map; NULL: it is. */
    const char *(*point_text)(struct emit *emit, int m, int column);
    void *state; /* private state of the target's folder */
};

/* A target: a folder and a row in codegen.c. Shared files ask for its properties here. */
struct target_row {
    const char *place;  /* where its loops run, for users: "CPU" */
    const char *symbol; /* of the registration */
    bool is_cxx;        /* its text is C++ whatever the program's language */
    int lanes; /* threads that run in step and exchange values; 1: each thread is on its own */
    bool loads_records;    /* a body that needs a whole record gets a copy, made by wide loads */
    bool predicts;         /* codegen_options.predicted asks for schedules there */
    bool stages;           /* kernels copy records into shared memory: reports show which */
    bool has_layouts;      /* dats may be structures of arrays there (layout.c) */
    bool has_groups;       /* joined loops get variants */
    bool has_tiles;        /* the unit lists the calls that may run tile by tile */
    bool has_lines;        /* debuggers follow its text: #line directives name the user's source */
    const char *zeros;     /* between the braces that set a whole array to zero */
    const char *by_value;  /* follows the name of a READ global: selects the array in it */
    size_t constant_bytes; /* of the memory that `constant` names; 0: without limit */
    /* Why the loop gets no variants there, or NULL; the function itself may be NULL. */
    const char *(*refuse)(struct arena *arena, const struct loop *loop);
    /* Functions of cleave_gen.h's cleave_unit, or NULL, as C writes them. */
    const char *launch_error;
    const char *change_graph;
    const char *permute;
    const char *suffix[2];      /* by enum language */
    const char *qualifier;      /* of user functions */
    const char *constant;       /* qualifier of constants */
    const char *large_constant; /* where constant memory is full */
    const char *setter;         /* copies `value` into constant, two %s: its name */
    const char *registers;      /* function that takes the unit */
    const char *id;             /* enum cleave_target's name */
    const char *includes;
    void (*loop)(struct emit *emit); /* writes all variants of the current loop */
    /* For --cleave-explain: prints, on lines that begin with four blanks, what of the target's best
     * forms the current loop lacks and why. */
    void (*explain)(struct emit *emit, FILE *out);
};

extern const struct target_row codegen_openmp; /* openmp/openmp.c */
extern const struct target_row codegen_cuda;   /* cuda/cuda.c */

/* ---- codegen.c --------------------------------------------------------------------------------
 */

const struct target_row *emit_target(enum codegen_target target);
/* A file that is about to be written to `out`: finds which loops get variants, and their shapes.
 * Its memory is the program's. */
struct emit emit_new(struct out *out, const struct program *program,
                     const struct codegen_options *options, const struct target_row *target);
/* Makes loop l the current one: it is not refused. */
void emit_enter_loop(struct emit *emit, int l);
/* The current loop is the joined loop of a group, and no more than schedules are asked for. Its
 * members have what else may run, so that it needs few variants. */
bool emit_joins_briefly(const struct emit *emit);

/* ---- layout.c -----------------------------------------------------------------------------------
 */

/* Chooses, for CUDA, which of the loop's dats are structures of arrays: those that arguments ask
 * for, those that layouts_find() chose, or all, as the options say; except dats whose kernel code
 * needs a real pointer to the record. */
void layout_choose(struct emit *emit, struct shape *shape);
/* Whether the kernel, or its stages, can use the argument as a structure of arrays. */
bool layout_suits(const struct emit *emit, const struct shape *shape, int a);

/* Prints for each argument whether its dat is a structure of arrays; the table's name, or "NULL" if
 * none is. */
const char *layout_print(struct emit *emit, const struct shape *shape);

/* layout_auto.c: fills emit->file->layout; requires the loops' shapes. */
void layouts_find(struct emit *emit);
/* Returns the layout of the argument's dat; NULL: none was chosen. */
struct dat_layout *layouts_of(const struct emit *emit, const struct arg *arg);
/* Prints a line for each dat of several components. */
void layouts_print(const struct emit *emit, FILE *out);

/* ---- passes.c: the part of the file that is compiled once for each width of vectors -------------
 */

/* Between passes_open() and passes_close() the output is text of the current loop's lane functions,
 * for lanes of `lane_class` bytes: 8 or 4 (CLEAVE_LANES of runtime/lanes/). */
void passes_open(struct emit *emit, int lane_class);
void passes_close(struct emit *emit);
/* Begins a function that lane functions call, and that is compiled once, before the passes. */
void passes_open_callee(struct emit *emit);
/* Which widths the passes are for, unless runtime/lanes/launch.h says so by itself. */
void passes_print_widths(struct emit *emit);
/* At the top of the file: the lane functions that were printed, and the beginning of what only the
 * file itself has; behind constants and helpers: the passes; at the end of the file: its end.
 * Nothing if there are no lane functions. */
void passes_print_functions(struct emit *emit);
void passes_print(struct emit *emit);
void passes_print_end(struct emit *emit);

/* ---- names.c ----------------------------------------------------------------------------------
 */

/* `text` as part of an identifier; NULL when it is not an identifier already. */
bool name_is_identifier(const char *text);
const char *names_function(const struct function *function, void *emit);
const char *names_var(const struct var *var, void *emit);
/* bodies.c */
const char *names_place(const struct expr *expr, void *emit);
/* `name`, or a replacement if C++ reserves it and the program is C. */
const char *names_free(const struct program *program, const char *name);
/* Renames the fields of all records that C++ reserves, in the program itself. */
void names_free_fields(const struct program *program);
const char *names_global(struct emit *emit, const struct var *var);
int program_function_index(const struct program *program, const struct function *function);
int program_global_index(const struct program *program, const struct var *var);
#define emit_format(emit, ...) arena_format((emit)->file->program->arena, __VA_ARGS__)

/* ---- functions.c, preamble.c, tables.c ---------------------------------------------------------
 */

/* Marks the kernel, or the functions and globals of a printed tree, as used by the current loop's
 * variants. */
void functions_mark(struct emit *emit, const struct function *function);
void functions_mark_tree(struct emit *emit, struct stmt *tree);
void functions_mark_expr(struct emit *emit, struct expr *expr);
/* CUDA: which kernels' parameters have a template type. Before any variant is printed. */
void functions_templated(struct emit *emit);
/* Whether a kernel's parameter p may be a template's: the body only subscripts it, in all loops. */
bool functions_may_template(const struct emit *emit, const struct function *function, int p);
void functions_print(struct emit *emit);
/* `out` gets true for each global that the loop's kernel needs, directly or not. */
void functions_globals(const struct program *program, const struct loop *loop, bool *out);
/* Whether the loop's kernel, or what it calls, may call printf. */
bool functions_may_print(const struct program *program, const struct loop *loop);
/* Prints a function as the user's text (opaque.c). */
void opaque_print(struct emit *emit, const struct function *function);
void preamble_print(struct emit *emit);
void tables_print(struct emit *emit);
/* groups.c: the unit's groups of loops; how many the unit has, and the table's name or "NULL". */
void groups_print(struct emit *emit);
void groups_print_table(struct emit *emit);
/* dat_records.c: what loops do to all records of their dats; the table's name or "NULL". */
void dat_records_print(struct emit *emit);
void dat_records_print_table(struct emit *emit);

/* tiled.c: the table of calls that may run tile by tile; the unit's members for it. */
void tiled_print_sequences(struct emit *emit);
void tiled_print_table(struct emit *emit);
/* costs.c: counts of what a variant takes. Adds operations that are done several times. */
struct graph_operations;
void costs_add(struct graph_operations *to, const struct graph_operations *once, int times);
void costs_set_operations(struct cleave_cost *cost, const struct graph_operations *operations);
/* Columns through which data is modified. */
int costs_modified_columns(const struct shape_map *map);
/* Whether an argument before it names the same dat in the same way. */
bool costs_is_repeated(const struct emit *emit, int a);
/* 1, or 2 if the argument's record is read and written. */
int costs_moves(const struct arg *arg);
/* Prints the costs of a loop's variants; the name of variant v's, or "NULL". prefix: of
 * names, behind the loop's. */
void costs_print(struct emit *emit, const struct emitted_loop *emitted, const char *prefix);
const char *costs_name(struct emit *emit, const struct emitted_loop *emitted, int v,
                       const char *prefix);

/* ---- further.c --------------------------------------------------------------------------------
 */

/* Fills emitted_loop.further of the loops of `emit`: what `wide` has besides. */
void further_find(struct emit *emit, const struct emit *wide);
/* For the unit's tables: declares the text of further variants, and prints its address. */
void further_declare(struct emit *emit);
void further_print_text(struct emit *emit);
/* Calls print(emit, what) for a variant of the current loop. In a text of further variants: marks
 * the rows that it makes and the object has, and leaves their text out if it makes no other. */
void further_print(struct emit *emit, void (*print)(struct emit *emit, const void *what),
                   const void *what);
/* Takes marked rows out of the current loop's table. */
void further_drop_compiled(struct emit *emit);
/* 1: loop l has tables in this file. */
bool further_lists(const struct generated_file *file, int l);
/* The name by which the runtime finds the unit of further variants. */
void further_print_name(struct emit *emit);
/* Begin and end what belongs to loop l alone; they print nothing outside a text of further
 * variants.
 */
void further_open(struct emit *emit, int l);
void further_close(struct emit *emit);

/* ---- places.c: pieces of variants that both targets print ---------------------------------------
 */

/* Finds how bodies of every variant of every target access argument a: op_arg_idx, globals, direct
 * dats. Returns false for a dat through a map, for which the target chooses; *binding is then not
 * set. */
bool binding_is_fixed(const struct emit *emit, int a, enum binding *binding);
/* Stride of staged records, in components. If points gather or own blocks, cleave_stride of
 * runtime/device/staging.cuh determines it; else records lie side by side. */
int place_stride(const struct emit *emit, const struct transfer *group);
/* The pack that contains the group, with *slot the group's first component in it; NULL: none. */
const struct pack *place_pack(const struct emit *emit, const struct transfer *group, int *slot);
/* Staged records are an odd number of 16-byte parts apart, and consist of whole ones. */
bool place_stride_is_wide(const struct emit *emit, const struct transfer *group);
/* "4 * (size_t)cleave_e": offset of a record of `dim` components. */
const char *place_offset(struct emit *emit, int dim, const char *record);
/* Name of the local that holds the value of a map's column. */
const char *place_point(struct emit *emit, int map, int column);
int place_columns(const struct arg *arg);
int place_column(const struct arg *arg, int c);
int place_largest_column(const struct emit *emit); /* of any map in the loop; -1: no map */
/* Returns the type that the kernel's parameter, or each pointer of a vector argument, points to. */
const struct type *place_param_type(const struct loop *loop, int a);
/* The pointer that the body gets for column c of argument a, to `to`; NULL: as it is stored. */
const char *place_pointer(struct emit *emit, int a, int c, const struct type *to);
/* The argument is accessed in memory, as a structure of arrays: no plain pointer leads to its
 * record. */
bool place_is_soa(const struct emit *emit, int a);
/* Returns what functions of runtime/device/ take for a dat: its name, or a structure of arrays. */
const char *place_dat(struct emit *emit, const struct shape_dat *dat);
/* "cleave_dat_x[4 * (size_t)cleave_p + 2]": component `component` ("2", "cleave_d") of a record. */
const char *place_component(struct emit *emit, const struct shape_dat *dat, const char *record,
                            const char *component);
/* The kernel's parameter has a template type (functions.c), to accept more than plain pointers. */
bool place_is_templated(const struct emit *emit, int a);
/* Whether the text of the current function mentions the word. Our functions declare only the
 * parameters and locals that their text needs. For this, template_function() prints a skeleton
 * twice: the first time to memory, where this function returns false; its answers for that text
 * hold until the next template_function(), so that the function that launches a kernel passes the
 * arguments that the kernel mentions. */
bool emit_mentions(const struct emit *emit, const char *word);
/* Whether the text mentions a map, a dat, a global's "gbl", "start", "partial" or "on", or
 * op_arg_idx's "number". */
bool place_uses_map(const struct emit *emit, int map);
bool place_uses_dat(const struct emit *emit, int dat);
bool place_uses_global(struct emit *emit, int a, const char *kind);
/* True if the body of emit->stage, or else the call of the whole kernel, needs the element's
 * number. */
bool place_uses_element(const struct emit *emit);

/* The reduction into argument a is made in CLEAVE_SLOTS parts, cleave_gbl_NAME[dim][CLEAVE_SLOTS].
 */
bool place_has_slots(const struct emit *emit, int a);
/* For a kernel called whole: prints the locals before the call: map values, op_arg_idx, copies of
 * records, vectors of pointers. */
void emit_locals(struct emit *emit);
/* "const int cleave_point_pecell_0 = ...;" and "int cleave_idx_self = ...;", the user's number. */
void emit_point(struct emit *emit, int map, int column);
void emit_index(struct emit *emit, int a);
/* Prints private increments, "double cleave_inc_res1[4] = {};", for OP_INC alone: a loop with
 * OP_MIN or OP_MAX that cannot be taken apart works in place. */
void emit_privates(struct emit *emit);
/* Prints the map values that the stage's updates need, each column once, such as "const int
 * cleave_point_pecell_0 = ...": an UPDATE stage's column, or all that a WHOLE stage's updates go
 * through. The caller opens a block of its own, because emit_locals() and emit_stage_body() may
 * have declared the same names. */
void emit_update_points(struct emit *emit, const struct stage *stage);
/* Prints the call, after emit_locals(), then stores the copies that it modified. */
void emit_call(struct emit *emit);
/* Private copies of reductions without slots, at their start value. */
void emit_reduction_copies(struct emit *emit);
/* to[offset + d] op= from[d] for all components, offset NULL: to[d]; `format` has two %s: place and
 * value. */
void emit_add(struct emit *emit, int a, const char *format, const char *to, const char *offset,
              const char *from);
/* A type without its outermost const; a type with a declarator, as C writes them. */
const char *emit_type_name(struct emit *emit, const struct type *type);
const char *emit_declaration(struct emit *emit, const struct type *type, const char *declarator);
/* The type without const, also of an array's elements. */
const struct type *emit_writable(struct emit *emit, const struct type *type);
bool emit_is_cxx(const struct emit *emit); /* the generated text is C++ */

/* ---- carried.c: extrema and what goes along with them (op_arg_info)
 * -------------------------------
 */

/* Private state of a thread or block: the best value of each extremum so far, the element's number,
 * the payload: "int cleave_best_element_maxerr[1] = {-1};", "int cleave_gbl_errloc[1] = {0};". The
 * values are emit_reduction_copies()'s. */
void emit_carried_state(struct emit *emit);
/* Around a body, or the call of the kernel, in one scope: copies that it works on, which begin with
 * the user's value; behind it they replace the state where they are better. touched[args], NULL:
 * all. */
void emit_carried_begin(struct emit *emit, const bool *touched);
void emit_carried_end(struct emit *emit, const bool *touched);
/* touched[args]: the extrema and payloads that emit->use names; NULL: the loop carries nothing. */
const bool *emit_carried_touched(struct emit *emit);

/* ---- records.c: copies of records, for kernels called whole in CUDA
 * -------------------------------
 *
 * emit_locals() and emit_call() do both: "auto cleave_rec_q = cleave_load<4>(cleave_dat_q + ...);"
 * for each record that is worth it, marked in emit->held, and "cleave_store(cleave_dat_q + ...,
 * cleave_rec_q);" for those that the kernel modifies. In between place_pointer() names the copies.
 */
void emit_record_loads(struct emit *emit);
void emit_record_stores(struct emit *emit);
const char *record_name(struct emit *emit, int a, int c);
/* Long records of the element itself, for variants in which warps move them (variant->rows): the
 * loads of all lanes before the body, and the stores behind it. They name cleave_area,
 * cleave_first, the element of the warp's lane 0, and cleave_rows, how many lanes have one. */
void emit_row_loads(struct emit *emit);
void emit_row_stores(struct emit *emit);
/* Bytes of shared memory that a warp needs for them, a multiple of 16; 0: the loop has no such
 * records. */
size_t emit_rows_bytes(struct emit *emit);

/* ---- variants.c: how a variant begins ----------------------------------------------------------
 */

/* Comment above a variant: what it is, its stages, and, when `staged`, what they stage. */
void emit_variant_comment(struct emit *emit, const char *what, bool staged);
void emit_variant_name(struct emit *emit);

/* loop->schedule[index] when it is legal and asked for (the fused one: also when none other is),
 * else NULL. */
const struct schedule *emit_wanted(const struct emit *emit, int index);
/* Starts a variant of the current loop: adds its row, with tmp_bytes for LOOPS and TWO_PASS, and
 * keeps a copy of `wanted` as emit->variant. wanted.name is the suffix of its name,
 * "_split2_colour". schedule NULL: the loop modifies nothing through a map, or works in place. */
struct emitted *emit_start(struct emit *emit, const struct schedule *schedule,
                           struct variant wanted, enum cleave_plan_kind plan);
/* A new row of the current loop, behind the others. */
struct emitted *emit_row(struct emit *emit);

/* ---- bodies.c: stage bodies that were taken apart
 * ------------------------------------------------
 */

/* Declarations of the schedule's crossing variables, "double f_2 = 0;" each on its line: of all, or
 * of those that the stage makes. */
void emit_crossings(struct emit *emit);
void emit_stage_crossings(struct emit *emit, const struct stage *stage);
/* The stage's body, inside braces of its own ("if (active) {" or a loop over elements: another body
 * may declare the same names): first a pointer local, with the name of the kernel's parameter, for
 * each argument that the body reads or modifies, by emit->binding and the stage's transfers ("const
 * double *const x1 = ..."; of a staged record in the transfer's order of components; vector
 * arguments: "x_0", "x_1", or an array of pointers "x" when the body uses the parameter with a
 * subscript that is no constant), then the statements. EXPR_PLACE is spelled x1[slot]. Map values
 * and op_arg_idx that these pointers need are declared here too, as emit_locals() does; the caller
 * has declared cleave_e, and of what is staged cleave_in_DAT_MAP and cleave_local_MAP_COLUMN for
 * the columns that the body uses, no others. emit->binding decides: where it says BIND_MAP,
 * transfers do not count. */
void emit_stage_body(struct emit *emit, const struct stage *stage);
/* stores.c: prints a statement of a stage's body, which the launch may leave out. */
void emit_body_statement(struct emit *emit, const struct stmt *stmt);
/* stores.c: whether no more than one stage uses the dat: none reads what another one stored. */
bool emit_is_of_one_stage(const struct emit *emit, int dat);
/* order.c: the statements of the stage's body, reordered such that few values are alive at a time,
 * in the program's arena: [stage->body->kids]. The results are those of the user's order. */
struct stmt **order_statements(const struct emit *emit, const struct stage *stage);
/* Like emit_stage_body(), if the stage's variables need no wider scope. It also declares the
 * variables that the stage makes, if possible where they are set ("double f_2 = ..."), and those
 * that the updates of a GATHER use, so that these can follow in the same braces. Variables that the
 * stage uses must have been declared. Replaces emit_stage_crossings() and
 * emit_update_pointers(). */
void emit_stage_inline(struct emit *emit, const struct stage *stage);
/* emit_stage_inline() with two callbacks, which may be NULL. `after` is called behind statement 0,
 * 1, ... of stage->body and may print. `leaves_out` is asked before a statement that declares a
 * variable: true omits it. */
void emit_stage_inline_each(struct emit *emit, const struct stage *stage,
                            bool (*leaves_out)(struct emit *emit, int statement, void *user),
                            void (*after)(struct emit *emit, int statement, void *user),
                            void *user);
void emit_update_pointers(struct emit *emit, const struct stage *stage);

/* ---- uses.c
 * --------------------------------------------------------------------------------------
 */

bool body_uses_element(const struct emit *emit, struct stmt *body);
/* The body names argument a's parameter itself: with a subscript that is no constant, or to pass it
 * on. */
bool body_subscripts(const struct emit *emit, struct stmt *body, int a);
/* Whether it reads components of argument a, by constant subscripts alone. */
bool body_uses_components(const struct emit *emit, struct stmt *body, int a);
bool update_uses_element(const struct emit *emit, const struct stage *stage);

/* ---- updates.c
 * -----------------------------------------------------------------------------------
 */

/* How update->value times scale is spelled, sign left out: "f_2", "0.5 * f_2", "flux[3]"; for a
 * kernel called whole, the component of its private increments. Its direct arguments must have been
 * declared: emit_update_pointers(), in the same braces; they need cleave_e where
 * update_uses_element(). */
const char *emit_update_value(struct emit *emit, const struct update *update);
/* The value is a variable of the schedule's crossings. */
bool update_is_crossing(const struct schedule *schedule, const struct expr *value);
/* The column of its map that an update goes through. */
int emit_update_column(const struct loop *loop, const struct update *update);

/* ---- tmp.c: tmp(e) in memory, for LOOPS and TWO_PASS
 * ---------------------------------------------
 *
 * One array of [size] per value, indexed by the element's number; largest type first, so that all
 * are aligned.
 */
struct tmp_value {
    const char *name;        /* "f_2" */
    const struct type *type; /* as stored: never const */
    const struct var *var;   /* of schedule->crossing */
    size_t offset;           /* its array starts offset * size bytes into launch->tmp */
};

/* Lists the values that the schedule's updates use, each once; returns how many. */
int tmp_values(struct emit *emit, const struct schedule *schedule, struct tmp_value **out);
size_t tmp_bytes(struct emit *emit, const struct schedule *schedule);
/* "double *const cleave_tmp_f = (double *)((char *)cleave_launch->tmp + 8 * (size_t)cleave_size);"
 * for each value, at the beginning of a function on the host. */
void emit_tmp_pointers(struct emit *emit);
/* "cleave_tmp_f[cleave_e] = f;" for each value, after the contribution's body or the call. With
 * emit->tmp_format "cleave_tmp_%s[cleave_e]" emit_update_value() reads them again. */
void emit_tmp_stores(struct emit *emit);

#endif
