/* loop_ir.h: what cleave knows of a source file: a Program has Loops; a Loop has
 * Args, a kernel (Function) and Schedules; a Schedule has Stages; a Stage has Transfers. Kernels
 * and helpers, with their types and bodies, are in tree.h, which this header includes; the order in
 * which a program calls its loops is in chain.h.
 *
 * pass/ fills everything but the schedules, splitter/ adds those, codegen/ prints. Nothing here
 * knows libclang, and nothing here has behaviour beyond construction, printing (loop_ir_print) and
 * checking (loop_ir_check). All nodes live in the Program's arena and are freed with it; strings
 * are NUL-terminated and live there too. Lists are arrays with a count, in source order.
 */
#ifndef CLEAVE_LOOP_IR_H
#define CLEAVE_LOOP_IR_H

#include <stdio.h>

#include "pass/ir/tree.h"

struct arena; /* pass/ir/arena.h */

/* ---- loops ---------------------------------------------------------------------------------- */

/* Numbers are those of OP_READ and its kind. Instead of ACCESS_WORK an argument has is_work. */
enum access {
#define CLEAVE_ACCESS(name, letter, meaning) ACCESS_##name,
#include "runtime/api/cleave_words.def"
};

enum arg_kind {
    ARG_DAT,    /* op_arg_dat: direct or through a map */
    ARG_GLOBAL, /* op_arg_gbl */
    ARG_INDEX,  /* op_arg_idx: the element's number, or its map value */
    ARG_INFO    /* op_arg_info: payload that goes with the OP_MIN/OP_MAX argument `info_of` */
};

/* Rule for several elements that attain an extremum: which one a payload belongs to. */
enum ties {
    TIES_NONE,  /* no payload goes with the extremum */
    TIES_FIRST, /* the one with the lowest number: the kernel compares with < or > */
    TIES_LAST   /* the one with the highest number: with <= or >= */
};

struct arg {
    enum arg_kind kind;
    enum access declared; /* what the user wrote */
    /* the access that holds: a direct OP_INC is an OP_RW; access_promote.c decides others by what
     * the kernel does */
    enum access access;
    const struct type *type; /* of one component */
    const char *type_name;   /* the user's type string, without ":soa" */
    bool is_soa;             /* the type string ends in ":soa" */
    int dim;                 /* components per element; -1: not known at compile time */
    bool is_optional;        /* op_opt_arg_*: may be switched off at run time */
    bool is_work; /* OP_WORK. `declared` is OP_RW for a dat or in a sequential loop; otherwise it is
                     OP_READ, dim is 1, and the kernel uses an array of its own */
    bool is_indirect;
    bool is_point; /* of a joined loop's epilogue, which runs over the set that the incremented
                      dats are on: direct, or read through a map from that set */
    bool is_ahead; /* and direct, modified by an epilogue whose loop has not been called: in a
                      second buffer */
    /* Filled by splitter/ for direct dats: the loop surely stores every component of each record;
     * and leaves +0 in each (a constant, or an integer's 0). */
    bool sets_whole;
    bool sets_zeros;
    bool expects_zeros;   /* likewise, of an increment: another loop sets_zeros of the dat */
    bool is_recomputable; /* of a joined loop: what it leaves in the dat is what one of its members
                             before the last one stores, and would store again behind the group */
    bool is_vector; /* negative map index: the kernel gets one pointer per column 0..columns-1 */
    int map_index;  /* column, when indirect and not a vector */
    int columns;    /* columns used: 1, or -index of a vector argument */
    int dat;        /* class: equal for arguments that name the same dat variable; -1: no dat */
    int map;        /* class: equal for arguments that name the same map; -1: direct */
    /* In a joined loop, the set that the dat is on, or that the map begins at: 0 for the set of the
     * loop itself, of an epilogue, and where there is none; sets of later phases are numbered from
     * 1 on, in the order of their first use. */
    int set;
    int info_of;    /* ARG_INFO: position of the argument that it goes with */
    enum ties ties; /* of a global OP_MIN or OP_MAX */
    /* ARG_INFO, unless the loop is sequential: for each of arg_payload() components, the component
     * of the extremum that it goes with; -1: the kernel never sets it. */
    const int *goes_with;
    /* ARG_INFO, the first one of an extremum with TIES_LAST: number of flags. They are the last
     * components of dim and not part of the user's variable, one for each component of the
     * extremum. The kernel's tree sets a flag to 1 when it replaces that component. */
    int flags;
    const char *dat_text; /* the user's text for the dat, the global or the payload */
    const char *map_text;
    struct loc loc;
};

/* A user's kernel that runs for each point of the set that a loop increments, behind the point's
 * sums. */
struct epilogue {
    struct function *kernel;
    const int *arg; /* [kernel->params] the loop's arguments that it gets: ones with is_point, and
                       globals. No epilogue modifies a dat that one reads through a map. */
};

/* A user's kernel that increments the points which the loop increments, from the elements of
 * another set, behind the loop's own sums: most points have no such elements. */
struct phase {
    struct function *kernel;
    const int *arg; /* [kernel->params] the loop's arguments that it gets: ones of one arg.set, and
                       globals. They are only read, but for the increments through one map */
    const char *set_text;
    struct loc loc; /* of the user's call */
};

struct loop {
    const char *name; /* the user's name of the loop (2nd argument of op_par_loop) */
    const char *id;   /* name for generated functions; unique in the program */
    const char
        *call_text; /* the call's arguments as the preprocessor's # gives them: the run-time key */
    const char *signature; /* pattern of the arguments, as cleave_signature() writes it */
    const char *set_text;
    struct function *kernel; /* NULL when its body is not visible */
    struct loc loc;
    int args;
    struct arg *arg;
    /* Loops over other sets whose increments each point adds behind the sums of the loop's kernel,
     * in this order, before the first epilogue. They read what was there before the loop. Loops
     * without epilogues have none. */
    int phases;
    struct phase *phase;
    /* Code that each point runs once its sums are complete, in this order. Only the joined loop of
     * a GROUP_GATHER (group.h) has any. The loop's own kernel names no argument with is_point.
     * Where the loop reads through a map a dat that an epilogue modifies, it reads the values from
     * before the loop: epilogues write to a second buffer. */
    int epilogues;
    struct epilogue *epilogue;
    /* Filled by splitter/ where loops may be groups: if they differ, the loop does nothing but copy
     * direct argument copy_from, component by component, to direct argument copy_to. */
    int copy_from;
    int copy_to;
    /* NULL, or why this loop must run as the sequential reference (said once as a note). */
    const char *sequential_reason;
    /* Filled by splitter/. */
    bool in_place; /* data modified through a map in an order-dependent way (OP_RW, OP_WRITE, or an
                      OP_MIN/OP_MAX whose form is not recognised): worked on in place, by colours */
    /* Dependence graph of the body; NULL: the body could not be taken apart, and whole_reason says
     * why (at whole_loc, in the kernel or a helper). */
    struct graph *graph; /* splitter/graph/graph.h */
    /* The graph of the body for an owner gather, in which quotients of one point's record are
     * not merged with others; NULL: `graph`. */
    struct graph *gather_graph;
    /* The graph of the body as the user wrote it, without merged quotients; NULL: `graph`. */
    struct graph *written_graph;
    /* The whole body as one STAGE_WHOLE that stages nothing, with the rounding of written_graph:
     * what targets print that compute several elements at once. Loops that work in place, or modify
     * nothing through a map, have it too. NULL: the body could not be taken apart. */
    struct schedule *whole;
    const char *whole_reason;
    struct loc whole_loc;
    int schedules; /* SCHEDULES, or 0 for a loop without a kernel or with a sequential_reason */
    struct schedule *schedule;
    /* Index of the schedule that the cost model expects to be the fastest; it is compiled, but not
     * preferred: runtime/choose/ decides what runs, by the settings, the order of the variants and
     * their ranks. */
    int predicted;
};

/* ---- schedules: what splitter/ adds ---------------------------------------------------------- */

/* The rows of cleave_words.def say what each of these is. */
enum schedule_kind {
#define CLEAVE_SCHEDULE_KIND(name, meaning) SCHEDULE_##name,
#include "runtime/api/cleave_words.def"
};

enum { MAX_CUTS = 4 };

/* loop->schedule holds one of each, at these positions, legal or with the reason why not. The split
 * one with `cuts` contribution stages is at AT_SPLIT + cuts - 1. */
enum schedule_index {
#define CLEAVE_SCHEDULE(place, kind, cuts, word, meaning) AT_##place,
#include "runtime/api/cleave_words.def"
    SCHEDULES
};

/* One position of loop->schedule[]. */
struct schedule_form {
    enum schedule_kind kind;
    int cuts;         /* contribution stages */
    const char *word; /* "split2": in settings and in names of variants */
};
extern const struct schedule_form schedule_forms[SCHEDULES];

enum stage_kind {
    STAGE_WHOLE,        /* body and updates together */
    STAGE_CONTRIBUTION, /* a part of the body: makes components of tmp(e) and what later stages need
                         */
    STAGE_UPDATE,       /* per element: p(v) += tmp(e) for the points of one column of one map */
    STAGE_EFFECTS, /* owner gather: what the body does besides its increments, element by element */
    STAGE_GATHER   /* per point of one map's target, for each of its (element, column): the updates
                      of that column, from tmp(e) in memory or from contributions computed here */
};

enum transfer_kind {
    TRANSFER_IN, /* staged before the stage: what it reads through a map */
    TRANSFER_OUT /* staged as zeros (lowest, highest for OP_MAX, OP_MIN), added to the data after it
                  */
};

/* A group in shared memory: one record per unique point of the block, of those components of a dat
 * that the stage needs through a map. Arguments that name one dat through one map share a group,
 * whatever their columns; an optional argument is alone in its group. Component component[i] of the
 * dat is number i of the record. */
struct transfer {
    enum transfer_kind kind;
    int arg; /* the group's first argument */
    int components;
    int *component; /* ascending, each once */
};

/* p op= value, with op by the access of the argument: + (or -, when `negative`) for OP_INC, min or
 * max for OP_MIN and OP_MAX. */
struct update {
    struct place place;
    /* EXPR_VAR of a variable in schedule->crossing, a constant, a READ global, or an EXPR_PLACE of
     * a direct argument. NULL: the component of the private increments of a kernel that is called
     * whole. */
    struct expr *value;
    bool negative;
    struct expr *scale; /* constant factor of value, OP_INC only; NULL: 1 */
};

/* A value that depends only on one point's record and on constants; see struct point_values. */
struct point_value {
    struct var *var; /* that point_values->points declares with it */
    /* The place of the value. It replaces a component of a staged record that nothing else
     * needs, in the group of place.arg; place.column is -1, because no column is meant. With
     * place.arg -1 the value is number `extra` of the point's extra record. */
    struct place place;
    int extra;
};

/* Values that a stage computes once for each point of its neighbourhood, or for a thread's own
 * point, such as a reciprocal or a root, so that elements need not recompute them. */
struct point_values {
    struct stmt *points; /* a BLOCK of declarations, which reads any one column's places */
    int values;
    struct point_value *value;
    int extras;              /* components of the extra record; 0: there is none */
    const struct type *type; /* of each */
    struct var
        *extra[32]; /* [column of the map] how `elements` names its record; NULL: it does not */
    struct stmt *elements; /* in place of the stage's body: reads the values where they are */
};

struct stage {
    enum stage_kind kind;
    const char *name; /* "contribution 1", "update through pecell[0]" */
    int transfers;
    struct transfer *transfer;
    size_t staged_bytes; /* per unique point: the records' bytes summed over IN and OUT */
    /* For users: the staged data, "p_x[0..1] +p_res[0..3]" (+: data that the stage adds to), or
     * "nothing", and the bytes of it per unique point. They are those of the transfers, except for
     * a GATHER of an owner gather: there the data that blocks of points stage, with the values that
     * they compute once per point. */
    const char *staged_text;
    size_t shown_bytes;
    /* The computation of the stage: a BLOCK whose leaves are locals (of the block, or
     * schedule->crossing), constants, globals, EXPR_PLACEs and, if a subscript is not constant,
     * subscripts of the kernel's parameters (a BLOCK may pass a parameter on to a helper too). It
     * never returns. NULL: UPDATE, GATHER of two-pass; or the kernel is called whole (loop->graph
     * == NULL), with private zero-initialised arrays for the arguments that it increments. */
    struct stmt *body;
    int makes; /* variables of schedule->crossing that the stage sets */
    struct var **make;
    int uses; /* variables of schedule->crossing that the stage reads and an earlier stage sets */
    struct var **use;
    /* GATHER of an owner gather, for targets that stage the points' records; NULL: no value is
     * worth computing per point. */
    const struct point_values *point_values;
    /* Likewise for targets whose points keep their own records in registers: a thread computes the
     * values once for its own point, and for the other point of each element. */
    const struct point_values *own_values;
    /* GATHER of an owner gather: what an element adds on one side is what it would add on the other
     * if its sides changed places, but for the rounding of sums (splitter/graph/sides.h). */
    bool has_alike_sides;
    int map;     /* UPDATE, GATHER: the argument whose map and columns are meant; else -1 */
    int column;  /* UPDATE: column of that map; else -1 */
    int updates; /* WHOLE, UPDATE, GATHER; ordered by place */
    struct update *update;
};

/* Prediction of the cost model for a schedule on one GPU (splitter/partition/cost.h). */
struct estimate {
    double time;         /* ns per element, for ranking only; 0: not estimated */
    double memory_bytes; /* per element, to and from device memory */
    double staged_bytes; /* per element, into and out of shared memory, all stages */
    double flops;        /* per element; recomputed values count each time */
    double recomputed;   /* part of flops that is computed in more than one stage */
    int registers;       /* per thread, 32-bit */
    size_t shared_bytes; /* per block, largest stage, at the model's nominal mesh */
    double occupancy;    /* 0..1 */
    const char *limit;   /* what bounds it: "memory", "shared memory", "arithmetic", "occupancy" */
};

struct schedule {
    enum schedule_kind kind;
    int cuts; /* contribution stages: SPLIT 1..MAX_CUTS; LOOPS and TWO_PASS 1; else 0 */
    bool legal;
    const char *reason; /* why it is not legal, or what it brings; never NULL */
    /* Variables that live across stages, tmp(e) among them; declared by codegen outside the bodies.
     */
    int crossings;
    struct var **crossing;
    int tmp_values;   /* values of tmp(e): what updates use; the full increment when called whole */
    size_t tmp_bytes; /* bytes of them */
    size_t crossing_bytes; /* bytes of all crossings; tmp_bytes when called whole */
    int stages;
    struct stage *stage;
    struct estimate estimate;
};

/* loop_ir.c. The group of `arg` in a stage, NULL: the stage does not stage it in this direction. */
const struct transfer *stage_transfer(const struct loop *loop, const struct stage *stage,
                                      enum transfer_kind kind, int arg);
/* Returns the place of a dat's component in the group's record; -1: not in it. */
int transfer_slot(const struct transfer *transfer, int component);
bool args_share_group(const struct loop *loop, int a, int b);
/* Components of the user's variable: dim without the flags. */
int arg_payload(const struct arg *arg);
/* loop_signature.c: what cleave_signature() of runtime/api/cleave_gen.h writes for the loop's
 * arguments; in the arena. */
const char *loop_signature(struct arena *arena, const struct loop *loop);
/* Its word in schedule_forms. */
const char *schedule_word(const struct schedule *schedule);

/* ---- program --------------------------------------------------------------------------------- */

enum language { LANGUAGE_C, LANGUAGE_CXX };

struct program {
    struct arena *arena;
    const char *source; /* path of the main file, as the user gave it */
    const char *unit;   /* id of the translation unit, see pass.h */
    enum language language;
    int loops;
    struct loop *loop; /* the user's, then the joined loops of groups */
    int user_loops;    /* loops before this one are calls of op_par_loop in the source */
    int functions;     /* kernels and helpers reachable from loops, callees before callers; without
                          those that have no body and no text, which only sequential loops may call */
    struct function **function;
    int globals; /* every STORAGE_GLOBAL and STORAGE_TABLE used, each once */
    struct var **global;
    int records; /* used by any of them, each after those it contains */
    struct record **record;
    int host_vars; /* pass/ir/chain.h: the variables of the host program that loops name */
    struct host_var *host_var;
    int chains; /* each loop stands in one or several; a callee's before its callers' */
    struct chain *chain;
    int groups; /* pass/ir/group.h: loops that run as one kernel */
    struct group *group;
    int refusals; /* loops that follow one another and stand in no group together */
    struct group_refusal *refusal;
    int tileds; /* pass/ir/tiled.h: calls that the CPU may run tile by tile */
    struct tiled *tiled;
};

/* loop_ir.c */
const char *access_name(enum access access); /* "OP_READ" ... */
char access_letter(enum access access);      /* in signatures */

/* loop_ir_print.c: the text of --cleave-dump=loops (format: pass/ir/FORMAT.md). */
void loop_ir_print(FILE *out, const struct program *program);

/* loop_ir_check.c: the invariants written above. Returns NULL when all hold, else a message in the
 * arena that names the node and the broken rule. */
const char *loop_ir_check(const struct program *program);

/* print_c.c: trees as C, fully parenthesised only where precedence needs it, so that a compiler
 * reads back the same tree. Used by codegen/ and by the round-trip test. */
struct c_names {
    /* How a variable is spelled; NULL: var->name. */
    const char *(*var)(const struct var *var, void *user);
    /* How a called function is spelled; NULL: function->name. */
    const char *(*function)(const struct function *function, void *user);
    void *user;
    /* How an EXPR_PLACE is spelled; NULL: "param[component]", "param[column][component]". */
    const char *(*place)(const struct expr *expr, void *user);
    /* A #line directive in front of each statement names its place in the source. */
    bool lines;
};
void print_c_type(FILE *out, const struct type *type, const char *declarator);
void print_c_expr(FILE *out, const struct expr *expr, const struct c_names *names);
void print_c_stmt(FILE *out, const struct stmt *stmt, int indent, const struct c_names *names);
/* A #line directive: the next line of the text is this line of this file. */
void print_c_line(FILE *out, const char *file, int line);
/* "result name(params)" without a body. */
void print_c_prototype(FILE *out, const struct function *function, const struct c_names *names);

/* cxx_keyword.c: whether the first `length` bytes of word are reserved in C++ and not in C11. */
bool is_cxx_keyword(const char *word, size_t length);

#endif
