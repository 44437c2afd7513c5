/* loop_ir.h: what cleave knows of a source file: Program -> Loop -> Arg -> Function -> Stage -> Transfer.
 *
 * pass/ fills everything but the schedules, splitter/ adds those, codegen/ prints. Nothing here knows
 * libclang, and nothing here has behaviour beyond construction, printing (loop_ir_print) and checking
 * (loop_ir_check). All nodes live in the Program's arena and are freed with it; strings are
 * NUL-terminated and live there too. Lists are arrays with a count, in source order.
 */
#ifndef CLEAVE_LOOP_IR_H
#define CLEAVE_LOOP_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct arena; /* pass/ir/arena.h */

/* A place in the user's source, 1-based as compilers print it; line 0: no place. */
struct loc {
    const char *file;
    int line;
    int column;
};

/* ---- types ---------------------------------------------------------------------------------- */

enum type_kind {
    TYPE_VOID,
    TYPE_BOOL,
    TYPE_CHAR,
    TYPE_SCHAR,
    TYPE_UCHAR,
    TYPE_SHORT,
    TYPE_USHORT,
    TYPE_INT,
    TYPE_UINT,
    TYPE_LONG,
    TYPE_ULONG,
    TYPE_LLONG,
    TYPE_ULLONG,
    TYPE_FLOAT,
    TYPE_DOUBLE,
    TYPE_POINTER, /* elem */
    TYPE_ARRAY,   /* elem, count */
    TYPE_RECORD   /* record: a struct or a union of the user's */
};

/* Canonical: typedefs are resolved, an enum is its underlying integer type. Compare with
 * type_same(), not by address. */
struct type {
    enum type_kind kind;
    bool is_const;
    size_t size; /* bytes, as the host compiler lays it out; 0 for void */
    const struct type *elem;
    long count; /* elements of an array */
    const struct record *record;
};

struct field {
    const char *name;
    const struct type *type;
};

struct record {
    const char *name; /* as generated code names it; unique in the program */
    bool is_union;
    int fields;
    struct field *field;
};

/* ---- variables ------------------------------------------------------------------------------ */

enum storage {
    STORAGE_PARAM,  /* of the function that holds it */
    STORAGE_LOCAL,  /* automatic; a `static` local is STORAGE_TABLE or makes the body opaque */
    STORAGE_GLOBAL, /* a global that op_decl_const gives (or must give) a value at run time */
    STORAGE_TABLE   /* an initialised static const or constexpr object: its value is printed */
};

struct var {
    const char *name; /* the user's */
    const struct type *type;
    enum storage storage;
    struct loc loc;
    int index;         /* STORAGE_PARAM: position in the parameter list; else -1 */
    int work_dim;      /* STORAGE_PARAM that a local array of so many components stands for; else 0 */
    bool is_external;  /* STORAGE_GLOBAL: external linkage, so any unit may declare it */
    /* STORAGE_GLOBAL: the symbol of the program's own variable in the object of the host compiler, a
     * constant that the program initialises before main: the value is there. NULL: op_decl_const gives it. */
    const char *symbol;
    struct expr *init; /* LOCAL: initialiser or NULL; TABLE: never NULL */
};

/* ---- expressions ---------------------------------------------------------------------------- */

enum expr_kind {
    EXPR_INT,    /* integer, character, bool or enumerator constant: `bits` */
    EXPR_FLOAT,  /* floating constant: `value`, exact for the type */
    EXPR_STRING, /* string literal (only as an argument of a call such as printf): `text`, unescaped */
    EXPR_VAR,    /* `var` */
    EXPR_UNARY,  /* `unary` kid[0] */
    EXPR_BINARY, /* kid[0] `binary` kid[1] */
    EXPR_ASSIGN, /* kid[0] = kid[1], or with `compound` kid[0] `binary`= kid[1], computed in `compute` */
    EXPR_COND,   /* kid[0] ? kid[1] : kid[2] */
    EXPR_INDEX,  /* kid[0][kid[1]]; kid[0] is a pointer or an array */
    EXPR_MEMBER, /* kid[0].`text`, or kid[0]->`text` when kid[0] is a pointer */
    EXPR_CALL,   /* `callee`(kid...) */
    EXPR_CAST,   /* (type) kid[0]; `implicit` when the language inserted it */
    EXPR_INIT,   /* { kid... }, of an array or a record; fewer kids than elements: the rest is zero */
    EXPR_PLACE   /* made by splitter/: one component of an argument: `place`; `var` is the parameter */
};

/* One component of an argument: `component` 0..dim-1 of the record that column `column` 0..columns-1
 * reaches (0 where the argument is no vector). For ARG_INDEX component 0. -1: not one but all, where
 * a place stands for a set (splitter/graph/graph.h); never in an EXPR_PLACE. */
struct place {
    int arg;
    int column;
    int component;
};

enum unary_op {
    UNARY_NEG,
    UNARY_PLUS,
    UNARY_NOT,     /* ! */
    UNARY_BITNOT,  /* ~ */
    UNARY_DEREF,   /* * */
    UNARY_ADDRESS, /* & */
    UNARY_PRE_INC,
    UNARY_PRE_DEC,
    UNARY_POST_INC,
    UNARY_POST_DEC
};

enum binary_op {
    BINARY_MUL,
    BINARY_DIV,
    BINARY_REM,
    BINARY_ADD,
    BINARY_SUB,
    BINARY_SHL,
    BINARY_SHR,
    BINARY_LT,
    BINARY_GT,
    BINARY_LE,
    BINARY_GE,
    BINARY_EQ,
    BINARY_NE,
    BINARY_AND,
    BINARY_XOR,
    BINARY_OR,
    BINARY_LAND,
    BINARY_LOR,
    BINARY_COMMA
};

struct expr {
    enum expr_kind kind;
    const struct type *type; /* after the language's conversions: every conversion is an EXPR_CAST */
    struct loc loc;
    int kids;
    struct expr **kid;
    bool compound;  /* EXPR_ASSIGN */
    bool implicit;  /* EXPR_CAST */
    enum unary_op unary;
    enum binary_op binary;
    const struct type *compute; /* compound EXPR_ASSIGN: type in which the operation is done */
    unsigned long long bits;    /* EXPR_INT: value, two's complement in `type` */
    double value;               /* EXPR_FLOAT */
    const char *text;           /* EXPR_STRING, EXPR_MEMBER */
    struct var *var;            /* EXPR_VAR, EXPR_PLACE */
    struct function *callee;    /* EXPR_CALL */
    struct place place;         /* EXPR_PLACE */
};

/* ---- statements ----------------------------------------------------------------------------- */

enum stmt_kind {
    STMT_EXPR,     /* expr; */
    STMT_DECL,     /* one local variable: `var`, with var->init */
    STMT_BLOCK,    /* { kid... } */
    STMT_IF,       /* if (expr) kid[0] else kid[1]; kids is 1 or 2 */
    STMT_FOR,      /* for (kid[0]; expr; step) kid[1]; kid[0] a DECL, BLOCK of DECLs, EXPR or NOTHING;
                      expr, step may be NULL */
    STMT_WHILE,    /* while (expr) kid[0] */
    STMT_DO,       /* do kid[0] while (expr) */
    STMT_RETURN,   /* return expr; expr may be NULL */
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_NOTHING,
    STMT_SWITCH, /* switch (expr) kid[0]; kid[0] a BLOCK whose kids are CASEs and statements, as C has
                    them: control falls through, BREAK leaves */
    STMT_CASE    /* case expr: with a constant expr, or case expr ... step: (GNU range); expr NULL:
                    default. Directly in the block of a SWITCH only; it labels what follows it there */
};

struct stmt {
    enum stmt_kind kind;
    struct loc loc;
    struct expr *expr;
    struct expr *step; /* STMT_FOR, STMT_CASE */
    struct var *var;   /* STMT_DECL */
    int kids;
    struct stmt **kid;
};

/* ---- functions ------------------------------------------------------------------------------ */

enum function_kind {
    FUNCTION_USER, /* body is known, as a tree or as text */
    FUNCTION_MATH, /* libm and its kind: exists on every target under `name` (fabs, sqrt, std::max...) */
    FUNCTION_PRINT /* printf: has a side effect, exists on every target */
};

/* A kernel or a helper. Exactly one of `body` and `opaque_text` is set for FUNCTION_USER. */
struct function {
    const char *name;      /* as generated code names it; unique in the program */
    const char *user_name; /* as the user wrote it */
    enum function_kind kind;
    const struct type *result;
    int params;
    struct var **param;
    struct stmt *body;
    const char *opaque_text;   /* the whole definition, macros expanded, as the user's language has it;
                                  the function's own name in it is `user_name`,
                                  callees and globals go by their `name` */
    const char *opaque_reason; /* which construct could not be taken apart; for the note */
    struct loc opaque_loc;
    struct loc loc;
    int callees; /* functions it calls, each once */
    struct function **callee;
    struct loc *called; /* of each callee: where it is called first; may be NULL */
    int globals; /* STORAGE_GLOBAL and STORAGE_TABLE variables it uses, each once */
    struct var **global;
};

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

/* Which of several elements that attain an extremum a payload belongs to. */
enum ties {
    TIES_NONE,  /* no payload goes with the extremum */
    TIES_FIRST, /* the one with the lowest number: the kernel compares with < or > */
    TIES_LAST   /* the one with the highest number: with <= or >= */
};

struct arg {
    enum arg_kind kind;
    enum access declared; /* what the user wrote */
    /* What holds: a direct OP_INC is an OP_RW; access_promote.c decides others by what the kernel
     * does. */
    enum access access;
    const struct type *type; /* of one component */
    const char *type_name;   /* the user's type string, without ":soa" */
    bool is_soa;             /* the type string ends in ":soa" */
    int dim;                 /* components per element; -1: not known at compile time */
    bool is_optional;        /* op_opt_arg_*: may be switched off at run time */
    bool is_work;            /* OP_WORK; `declared` is OP_RW for a dat or in a sequential loop. Else it is
                                OP_READ, dim is 1, and the kernel has an array of its own instead */
    bool is_indirect;
    bool is_vector; /* negative map index: the kernel gets one pointer per column 0..columns-1 */
    int map_index;  /* column, when indirect and not a vector */
    int columns;    /* columns used: 1, or -index of a vector argument */
    int dat;        /* class: equal for arguments that name the same dat variable; -1 for none */
    int map;        /* class of the map, likewise; -1: direct */
    int info_of;    /* ARG_INFO: position of the argument that it goes with */
    enum ties ties; /* of a global OP_MIN or OP_MAX */
    /* ARG_INFO, unless the loop is sequential: [arg_payload()] the component of the extremum that
     * each component goes with; -1: the kernel never sets it. */
    const int *goes_with;
    /* ARG_INFO, the first one of an extremum with TIES_LAST: so many of dim, the last ones, are no
     * components of the user's variable. There is one per component of the extremum, and the
     * kernel's tree sets it to 1 where it replaces that component. */
    int flags;
    const char *dat_text; /* what the user wrote for the dat, the global or the payload */
    const char *map_text;
    struct loc loc;
};

struct loop {
    const char *name;      /* the user's name of it (2nd argument of op_par_loop) */
    const char *id;        /* name for generated functions; unique in the program */
    const char *call_text; /* the call's arguments as the preprocessor's # gives them: the run-time key */
    const char *signature; /* pattern of the arguments, as cleave_signature() writes it */
    const char *set_text;
    struct function *kernel; /* NULL when its body is not visible */
    struct loc loc;
    int args;
    struct arg *arg;
    /* NULL, or why this loop must run as the sequential reference (said once as a note). */
    const char *sequential_reason;
    /* Filled by splitter/. */
    bool in_place; /* data modified through a map in an order-dependent way (OP_RW, OP_WRITE, or an
                      OP_MIN/OP_MAX whose form is not recognised): worked on in place, by colours */
    /* Dependence graph of the body; NULL: the body could not be taken apart, and whole_reason says
     * why (at whole_loc, in the kernel or a helper). */
    struct graph *graph;      /* splitter/graph/graph.h */
    /* The same body for an owner gather, where quotients of one point's record are not merged with
     * others; NULL: `graph`. */
    struct graph *gather_graph;
    const char *whole_reason;
    struct loc whole_loc;
    int schedules; /* SCHEDULES, or 0 for a loop without a kernel or with a sequential_reason */
    struct schedule *schedule;
    int predicted; /* index of the schedule that the cost model prefers; measurement has the last word */
};

/* ---- schedules: what splitter/ adds ---------------------------------------------------------- */

/* The rows of cleave_words.def say what each of these is. */
enum schedule_kind {
#define CLEAVE_SCHEDULE_KIND(name, meaning) SCHEDULE_##name,
#include "runtime/api/cleave_words.def"
};

enum { MAX_CUTS = 4 };

/* loop->schedule holds one of each, at these positions, legal or with the reason why not. The split one with
 * `cuts` contribution stages is at AT_SPLIT + cuts - 1. */
enum schedule_index {
#define CLEAVE_SCHEDULE(place, kind, cuts, word, meaning) AT_##place,
#include "runtime/api/cleave_words.def"
    SCHEDULES
};

/* What stands at a position. */
struct schedule_form {
    enum schedule_kind kind;
    int cuts;         /* contribution stages */
    const char *word; /* "split2": in settings and in names of variants */
};
extern const struct schedule_form schedule_forms[SCHEDULES];

enum stage_kind {
    STAGE_WHOLE,        /* body and updates together */
    STAGE_CONTRIBUTION, /* a part of the body: makes components of tmp(e) and what later stages need */
    STAGE_UPDATE,       /* per element: p(v) += tmp(e) for the points of one column of one map */
    STAGE_EFFECTS,      /* owner gather: what the body does besides its increments, element by element */
    STAGE_GATHER        /* per point of one map's target, for each of its (element, column): the updates
                           of that column, from tmp(e) in memory or from contributions computed here */
};

enum transfer_kind {
    TRANSFER_IN, /* staged before the stage: what it reads through a map */
    TRANSFER_OUT /* staged as zeros (lowest, highest for OP_MAX, OP_MIN), added to the data after it */
};

/* A group in fast memory: one record per unique point of the block, of those components of a dat that
 * the stage needs through a map. Arguments that name one dat through one map share a group, whatever
 * their columns; an optional argument is alone in its group. Component component[i] of the dat is
 * number i of the record. */
struct transfer {
    enum transfer_kind kind;
    int arg; /* the group's first argument */
    int components;
    int *component; /* ascending, each once */
};

/* p op= value, with op by the access of the argument: + (or -, when `negative`) for OP_INC, min or max
 * for OP_MIN and OP_MAX. */
struct update {
    struct place place;
    /* EXPR_VAR of a variable in schedule->crossing, a constant, a READ global, or an EXPR_PLACE of a
     * direct argument. NULL: the component of the private increments of a kernel that is called whole. */
    struct expr *value;
    bool negative;
    struct expr *scale; /* constant factor of value, OP_INC only; NULL: 1 */
};

/* A value that depends on nothing but one point's record (and on constants), see struct near. */
struct near_value {
    struct var *var; /* that near->points declares with it */
    /* Of a component of a staged record that nothing else needs: the value takes its place, in the
     * group of place.arg. Its column is no column: -1. place.arg -1: the value is number `extra` of
     * the point's extra record. */
    struct place place;
    int extra;
};

/* What a stage computes for each point of its neighbourhood, so that the elements that name the
 * point need not compute it again, each for itself: a reciprocal, a root. */
struct near {
    struct stmt *points; /* a BLOCK of declarations, which reads any one column's places */
    int values;
    struct near_value *value;
    int extras;               /* components of the extra record; 0: there is none */
    const struct type *type;  /* of each */
    struct var *extra[32];    /* [column of the map] how `elements` names its record; NULL: it does not */
    struct stmt *elements;    /* in place of the stage's body: reads the values where they are */
};

struct stage {
    enum stage_kind kind;
    const char *name; /* "contribution 1", "update through pecell[0]" */
    int transfers;
    struct transfer *transfer;
    size_t staged_bytes; /* per unique point: the records' bytes summed over IN and OUT */
    /* What is computed: a BLOCK whose leaves are locals (of the block, or schedule->crossing),
     * constants, globals, EXPR_PLACEs and, where a subscript is not constant, subscripts of the
     * kernel's parameters (a BLOCK may pass a parameter on to a helper too). It never returns.
     * NULL: UPDATE, GATHER of two-pass; or the kernel is called whole (loop->graph == NULL), with
     * private zero-initialised arrays for what it increments. */
    struct stmt *body;
    int makes; /* variables of schedule->crossing that the stage sets */
    struct var **make;
    int uses; /* those that it reads and an earlier stage sets */
    struct var **use;
    /* GATHER of an owner gather, for targets that stage the points' records; NULL: nothing is worth it. */
    const struct near *near;
    int map; /* UPDATE, GATHER: the argument whose map and columns are meant; else -1 */
    int column; /* UPDATE: column of that map; else -1 */
    int updates; /* WHOLE, UPDATE, GATHER; ordered by place */
    struct update *update;
};

/* What the cost model expects of a schedule on one GPU (splitter/partition/cost.h). */
struct estimate {
    double time;          /* ns per element, for ranking only; 0: not estimated */
    double memory_bytes;  /* per element, to and from device memory */
    double staged_bytes;  /* per element, into and out of fast memory, all stages */
    double flops;         /* per element, what is computed again counted again */
    double again;         /* of flops: computed in more than one stage */
    int registers;        /* per thread, 32-bit */
    size_t shared_bytes;  /* per block, largest stage, at the model's nominal mesh */
    double occupancy;     /* 0..1 */
    const char *limit;    /* what bounds it: "memory", "fast memory", "arithmetic", "occupancy" */
};

struct schedule {
    enum schedule_kind kind;
    int cuts; /* contribution stages: SPLIT 1..MAX_CUTS; LOOPS and TWO_PASS 1; else 0 */
    bool legal;
    const char *reason; /* why it is not legal, or what it brings; never NULL */
    /* Variables that live across stages, tmp(e) among them; declared by codegen outside the bodies. */
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
/* Where a dat's component stands in the group's record; -1: not in it. */
int transfer_slot(const struct transfer *transfer, int component);
bool args_share_group(const struct loop *loop, int a, int b);
/* Components of the user's variable: dim without the flags. */
int arg_payload(const struct arg *arg);
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
    struct loop *loop;
    int functions; /* kernels and helpers reachable from loops, callees before callers; without those
                      that have no body and no text, which only sequential loops may call */
    struct function **function;
    int globals; /* every STORAGE_GLOBAL and STORAGE_TABLE used, each once */
    struct var **global;
    int records; /* used by any of them, each after those it contains */
    struct record **record;
    int host_vars; /* pass/ir/chain.h: the variables of the host program that loops name */
    struct host_var *host_var;
    int chains; /* each loop stands in one or several; a callee's before its callers' */
    struct chain *chain;
};

/* loop_ir.c */
bool type_same(const struct type *a, const struct type *b); /* qualifiers of the outermost type ignored */
bool type_is_floating(const struct type *type);
bool type_is_integer(const struct type *type); /* bool and char kinds included */
bool type_is_signed(const struct type *type);  /* an integer type that is; char as on x86-64 */
/* What a constant of an integer or pointer type with these bits (struct expr) is worth: cut to the
 * type's size and, when the type is signed, extended with its sign to 64 bits; 0 or 1 for bool. */
unsigned long long type_cut_bits(const struct type *type, unsigned long long bits);
const char *access_name(enum access access); /* "OP_READ" ... */
char access_letter(enum access access);      /* in signatures */
/* Calls visit on every statement (pre-order) and every expression below `stmt`; either may be NULL. */
void stmt_visit(struct stmt *stmt, void (*on_stmt)(struct stmt *, void *),
                void (*on_expr)(struct expr *, void *), void *user);
void expr_visit(struct expr *expr, void (*on_expr)(struct expr *, void *), void *user);

/* loop_ir_print.c: the text of --cleave-dump=loops (format: pass/ir/FORMAT.md). */
void loop_ir_print(FILE *out, const struct program *program);

/* loop_ir_check.c: the invariants written above. Returns NULL when all hold, else a message in the
 * arena that names the node and the broken rule. */
const char *loop_ir_check(const struct program *program);

/* print_c.c: trees as C, fully parenthesised only where precedence needs it, so that a compiler reads
 * back the same tree. Used by codegen/ and by the round-trip test. */
struct c_names {
    /* How a variable is spelled; NULL: var->name. */
    const char *(*var)(const struct var *var, void *user);
    /* How a called function is spelled; NULL: function->name. */
    const char *(*function)(const struct function *function, void *user);
    void *user;
    /* How an EXPR_PLACE is spelled; NULL: "param[component]", "param[column][component]". */
    const char *(*place)(const struct expr *expr, void *user);
    /* Whether each statement has a #line directive in front that names its place in the source. */
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
