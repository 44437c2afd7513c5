/* lower_impl.h: what the files of the lowering share.
 *
 * The lowering executes the kernel's body symbolically. lower.c sets up the arguments and reads the
 * contributions off at the end. Statements: lower_stmt.c, lower_branch.c (what holds under a
 * condition), lower_loop.c (unrolling), lower_switch.c. Expressions: lower_expr.c, lower_assign.c,
 * lower_record.c, lower_call.c (inlining). What lvalues and pointers name: lower_place.c,
 * lower_pointer.c; reading and writing it: lower_memory.c, and lower_extrema.c for OP_MIN and
 * OP_MAX through a map. Loops that stay whole: lower_region*.c. What every variable is worth:
 * lower_env.c, lower_names.c. Nodes: lower_node.c. Trees: lower_fold.c, lower_make.c.
 *
 * Locals are taken apart into leaves, one per scalar; each leaf has a value: the version (a
 * variable of its own that a node sets), a constant, or where a pointer points. What is subscripted
 * by something that is not constant is kept in memory instead, as one storage variable. That is
 * only found on the way: then it is marked, and the lowering starts again.
 */
#ifndef CLEAVE_SPLITTER_LOWER_IMPL_H
#define CLEAVE_SPLITTER_LOWER_IMPL_H

#include <setjmp.h>

#include "splitter/graph/graph_impl.h"

/* A variable of the graph. The struct var comes first: every local variable in a node's tree is one
 * of these. */
struct local {
    struct var var;
    int node;        /* that set it last; -1: none */
    bool is_inner;   /* declared inside a region */
    bool is_storage; /* kept in memory: set in parts */
    int readers;     /* storage: nodes that read it since it was set last */
    int reader_room;
    int *reader;
};

struct object;

enum base {
    BASE_OBJECT, /* a local */
    BASE_ARG,    /* components of an argument */
    BASE_ROWS,   /* the columns of a vector argument: pointers to its rows */
    BASE_VAR,    /* a global or a table */
    BASE_NULL,   /* the null pointer */
    BASE_EITHER  /* depends on a condition: `what` names both */
};

/* The memory that an lvalue names, or that a pointer points to. Scalars are counted in leaves from
 * the start of the base. */
struct location {
    enum base base;
    const struct type *type; /* of the object */
    struct object *object;
    struct var *var;
    int arg;
    long column;               /* ARG: constant part */
    struct expr *column_index; /* ARG, ROWS: the rest; NULL: none */
    long offset;               /* constant part; ROWS: the column */
    struct expr *index;        /* the rest; NULL: none */
    struct expr *path;         /* an lvalue that names it; NULL: there is none (a cast pointer) */
    struct expr *condition;    /* EITHER: a variable of the graph */
    struct location *yes;
    struct location *no;
};

/* The value of a leaf. If neither is set, it has no value yet. */
struct value {
    struct expr *atom;       /* EXPR_VAR of a version, a constant, or an EXPR_PLACE */
    struct location *target; /* of a pointer */
};

enum role {
    ROLE_LOCAL,
    ROLE_SUM,      /* the sum of increments of a place so far */
    ROLE_LEAST,    /* the least so far, for a place of an OP_MIN argument */
    ROLE_GREATEST, /* the greatest so far, for a place of an OP_MAX argument */
    ROLE_CACHE     /* last known value of a place that may be modified */
};

struct leaf {
    const char *name; /* of versions */
    const struct type *type;
    enum role role;
    struct value value;
    struct local *changing; /* in a region that assigns it: its variable */
    struct loc first;       /* where it was incremented first */
};

struct object {
    const char *name;
    const struct type *type;
    const void *mark;      /* lower_restart() keeps it in memory by this; NULL: it cannot */
    struct local *storage; /* NULL: taken apart into `leaves` leaves from `first` on */
    bool is_inner;         /* storage, declared inside a region */
    int first;
    int leaves;
};

struct change {
    int leaf;
    struct value old;
};

/* A loop, switch or function that can be left: flags, which are leaves. -1: none. */
struct frame {
    const struct frame *outer;
    bool is_function;
    bool is_loop;
    int stopped;           /* flag: a return or break was executed, the rest is skipped */
    int skipped;           /* flag of a loop's body: a continue was executed */
    struct object *result; /* a function's */
};

/* One access of memory that somebody may modify. */
struct touch {
    int node;
    struct place place;
    bool is_store;
};

struct names;   /* lower_names.c */
struct binding; /* lower_env.c */

/* How far a pointer that is declared inside a region has moved. */
struct pointer_step {
    const void *user;
    struct local *local;
};

struct region {
    int loops;    /* around the statement, inside the region */
    int changing; /* leaves with a changing variable */
    int changing_room;
    int *leaf;
    int sets; /* storage variables that it sets */
    int sets_room;
    struct local **set;
    int steps; /* pointers declared in it that move */
    int step_room;
    struct pointer_step *step;
    int first_leaf; /* of its own */
    bool found;     /* another leaf is assigned: read the tree again */
    bool is_once;   /* it stores or prints */
    bool is_effect; /* it prints */
};

struct marks {
    int count;
    int room;
    const void **mark;
};

struct lower {
    struct arena *arena;
    const struct loop *loop;
    struct graph *graph;
    int node_room;
    jmp_buf *leave; /* 1: refused, 2: restart with the current marks */
    const char *reason;
    struct loc where;
    struct marks *marks;
    struct names *names;
    int bindings; /* hash table: the user's variable -> object */
    int binding_size;
    struct binding *binding;
    int leaves;
    int leaf_room;
    struct leaf *leaf;
    int changes;
    int change_room;
    struct change *change;
    int touches;
    int touch_room;
    struct touch *touch;
    int last_effect; /* node, -1 */
    const struct guard *guard;
    const struct frame *frame;
    struct region *region;
    bool has_extrema; /* OP_MIN or OP_MAX through a map */
    int extremum_stores;
    bool is_trial;               /* a condition's node that may turn out not to be needed */
    bool is_ending;              /* global sums are stored now */
    int depth;                   /* of calls */
    int members;                 /* calls at depth 0 so far (struct node.member) */
    struct pointer_map reserved; /* functions whose names were entered */
    struct pointer_map prints;   /* functions to whether they print, 0 or 1 */
    struct loc loc;              /* of the statement at hand */
    struct object **sum;   /* [args] accumulators of OP_INC, and of OP_MIN, OP_MAX through a map */
    struct object **cache; /* [args] known values of data that may be modified */
};

extern const struct type lower_bool;
extern const struct type lower_int;
extern const struct type lower_long;

/* ---- lower.c ------------------------------------------------------------------------------- */
_Noreturn void lower_refuse(struct lower *lower, const char *reason);
_Noreturn void lower_restart(struct lower *lower, const void *mark);
bool lower_is_marked(const struct lower *lower, const void *mark);
/* OP_INC through a map or of a global, OP_MIN and OP_MAX through a map. */
bool lower_is_summed(const struct arg *arg);
bool lower_is_extremum(const struct arg *arg);
/* Whether the argument's data may be modified while the body runs, through this argument or
 * another. */
bool lower_is_mutable(const struct loop *loop, int arg);

/* ---- lower_names.c, lower_env.c ------------------------------------------------------------ */
void lower_names_start(struct lower *lower);
const char *lower_name(struct lower *lower, const char *base);
struct local *lower_local(struct lower *lower, const char *base, const struct type *type);
const struct type *lower_bare_type(struct lower *lower, const struct type *type);
int type_leaves(const struct type *type);
bool type_has_union(const struct type *type);

struct object *object_new(struct lower *lower, const char *name, const struct type *type,
                          const void *mark, enum role role);
void object_bind(struct lower *lower, const struct var *user, struct object *object);
struct object *object_find(struct lower *lower, const struct var *user);
int leaf_new(struct lower *lower, const char *name, const struct type *type, enum role role);
void leaf_set(struct lower *lower, int leaf, struct value value);
/* The leaf's value as an expression; a constant stands for a missing value. */
struct expr *leaf_expr(struct lower *lower, int leaf);
struct expr *leaf_default(struct lower *lower, const struct leaf *leaf);
/* Gives the leaf a scalar value: makes a version of it unless it is an atom. */
void leaf_assign(struct lower *lower, int leaf, struct expr *expr);

/* ---- lower_branch.c: what holds under a condition ------------------------------------------ */
struct branch {
    int mark;
    int leaves;
    const struct guard *guard;
};
struct join {
    int count;
    struct change *change; /* leaf, and its value at the end of the branch */
};
/* The condition as a variable that a node sets (or a constant). */
struct expr *branch_condition(struct lower *lower, struct expr *condition, const char *name);
struct branch branch_begin(struct lower *lower, struct expr *condition, bool when);
struct join branch_end(struct lower *lower, const struct branch *branch);
void branch_join(struct lower *lower, struct expr *condition, const struct join *yes,
                 const struct join *no);
struct value branch_select(struct lower *lower, struct expr *condition, struct value yes,
                           struct value no, const struct leaf *leaf);

/* ---- lower_fold.c, lower_make.c: new trees; integer constants are computed, floating ones never
 */
struct expr *make_expr(struct lower *lower, enum expr_kind kind, const struct type *type, int kids);
struct expr *make_int(struct lower *lower, const struct type *type, long long value);
struct expr *make_bool(struct lower *lower, bool value);
struct expr *make_zero(struct lower *lower, const struct type *type);
struct expr *make_var(struct lower *lower, const struct var *var);
struct expr *make_place(struct lower *lower, const struct location *location);
struct expr *make_unary(struct lower *lower, enum unary_op op, const struct type *type,
                        struct expr *kid);
struct expr *make_binary(struct lower *lower, enum binary_op op, const struct type *type,
                         struct expr *left, struct expr *right);
struct expr *make_cond(struct lower *lower, const struct type *type, struct expr *condition,
                       struct expr *yes, struct expr *no);
struct expr *make_cast(struct lower *lower, const struct type *type, struct expr *kid,
                       bool implicit);
struct expr *make_index(struct lower *lower, const struct type *type, struct expr *base,
                        struct expr *index);
struct expr *make_member(struct lower *lower, const struct type *type, struct expr *base,
                         const char *field);
struct expr *make_assign(struct lower *lower, struct expr *left, struct expr *right);
struct stmt *make_stmt(struct lower *lower, enum stmt_kind kind, int kids);
struct stmt *make_expr_stmt(struct lower *lower, struct expr *expr);
bool expr_int(const struct expr *expr, long long *value);
bool expr_truth(const struct expr *expr, bool *value);
bool expr_same(const struct expr *a, const struct expr *b);
bool expr_is_atom(const struct expr *expr);
/* The zero that a sum starts from: x added to it is x. */
struct expr *make_nothing(struct lower *lower, const struct type *type);
bool expr_is_nothing(const struct expr *expr);

/* ---- lower_node.c -------------------------------------------------------------------------- */
int node_value(struct lower *lower, struct local *local, struct expr *expr);
/* A new version named after base; its variable. */
struct expr *node_version(struct lower *lower, const char *base, struct expr *expr);
int node_stmt(struct lower *lower, enum node_kind kind, struct stmt *stmt, int defines,
              struct local *const *define);
struct local *expr_local(const struct expr *expr); /* of an EXPR_VAR of the graph, else NULL */

/* ---- lower_place.c: what lvalues name and where pointers point ----------------------------- */
struct location *location_of(struct lower *lower, struct expr *lvalue);
struct location *location_new(struct lower *lower, enum base base, const struct type *type);
struct location *location_object(struct lower *lower, struct object *object);
struct location *location_move(struct lower *lower, const struct location *target,
                               struct expr *index, bool negative);
struct location *location_copy(struct lower *lower, const struct location *from);
/* The first element of an array; anything else itself. */
struct location *location_decay(struct lower *lower, const struct location *array);
struct location *location_field(struct lower *lower, const struct location *record,
                                const char *field);
struct location *location_element(struct lower *lower, const struct location *array, long element);
struct location *location_leaf(struct lower *lower, const struct location *whole, int leaf);
/* EITHER with other sides. */
struct location *location_both(struct lower *lower, const struct location *either,
                               struct location *yes, struct location *no);
/* c ? p : q, as pointers or as lvalues: `of` is pointer_value or location_of. */
struct location *location_conditional(struct lower *lower, struct expr *expr,
                                      struct location *(*of)(struct lower *, struct expr *));
struct location *pointer_value(struct lower *lower, struct expr *pointer);
bool location_same(const struct location *a, const struct location *b);
/* For messages, with quotes. */
const char *location_name(struct lower *lower, const struct location *location);
/* One of two, by a condition. One that points nowhere, or is not set, cannot be meant. */
struct location *location_either(struct lower *lower, struct expr *condition, struct location *yes,
                                 struct location *no);

/* ---- lower_memory.c ------------------------------------------------------------------------ */
struct expr *memory_load(struct lower *lower, struct location *location);
void memory_store(struct lower *lower, struct location *location, struct expr *value);
struct value memory_load_value(struct lower *lower, struct location *location);
void memory_store_value(struct lower *lower, struct location *location, struct value value);
/* The accumulator that stands for a place that is summed, else the location itself. */
struct location *memory_actual(struct lower *lower, struct location *location);
/* Whether it is one component of an argument, known now. */
bool memory_is_one_place(const struct lower *lower, const struct location *location);
int memory_leaf(struct lower *lower, const struct location *location);
struct expr *memory_path(struct lower *lower, const struct location *location);
void memory_forget(struct lower *lower, int arg, long component, int keep);
/* p[c] = stored(p[c]), p an argument: what reads the component later gets the result of the call,
 * unless its value is a constant or comes from memory.
 * Nothing is stored. The copy of the call in the graph has the place. */
void memory_pass(struct lower *lower, struct location *location, const struct expr *call);

/* ---- lower_expr.c, lower_assign.c, lower_record.c, lower_call.c ---------------------------- */
struct expr *lower_value(struct lower *lower, struct expr *expr);
void lower_discard(struct lower *lower, struct expr *expr);
struct expr *lower_assign(struct lower *lower, struct expr *expr);
struct expr *lower_step(struct lower *lower, struct expr *expr);
struct value *record_value(struct lower *lower, struct expr *expr);
void record_store(struct lower *lower, struct location *location, struct value *value);
void lower_initialise(struct lower *lower, struct location *location, struct expr *init);
struct location *record_location(struct lower *lower, struct expr *expr);
/* The call's result: an object, NULL for a call without one; *direct: the result as an expression,
 * where the call was not inlined. */
struct object *lower_call(struct lower *lower, struct expr *call, struct expr **direct);

/* Whether the function prints, itself or through its callees. */
bool lower_prints(struct lower *lower, const struct function *function);
bool type_is_address(const struct type *type); /* a pointer or an array */

/* ---- lower_stmt.c, lower_loop.c, lower_switch.c -------------------------------------------- */
void lower_stmt(struct lower *lower, struct stmt *stmt);
void lower_list(struct lower *lower, struct stmt **stmt, int count);
void lower_declare(struct lower *lower, struct var *var);
void lower_loop_stmt(struct lower *lower, struct stmt *stmt);
void lower_switch(struct lower *lower, struct stmt *stmt);
const struct frame *lower_function_frame(const struct lower *lower);
/* The leaf of a flag that may be set now: -1: none; *always: one is certainly set. */
int lower_stop_flag(struct lower *lower, bool *always);
void lower_run_rest(struct lower *lower, void (*rest)(struct lower *lower, void *user), void *user);

/* ---- lower_extrema.c ----------------------------------------------------------------------- */
bool extremum_assign(struct lower *lower, struct location *location, struct expr *value);
/* Whether the tree reads a place of an OP_MIN or OP_MAX argument. */
bool extremum_read(const struct lower *lower, const struct expr *expr);
/* `if (c && x < a) a = x;`, `if (c) a = fmin(a, x);` and `a = c && x < a ? x : a`. True: it is
 * done; false: it is of another kind, and nothing has been done. */
bool extremum_if(struct lower *lower, struct stmt *stmt);
bool extremum_conditional(struct lower *lower, struct expr *assign);
/* Inside a region, the same two as trees; NULL: the place is no extremum. */
struct expr *extremum_region_assign(struct lower *lower, struct location *location,
                                    struct expr *value);
struct stmt *extremum_region_if(struct lower *lower, struct stmt *stmt);

/* ---- lower_region*.c */
void lower_region(struct lower *lower, struct stmt *stmt);
struct expr *region_leaf(struct lower *lower, int leaf);
struct expr *region_lvalue(struct lower *lower, struct location *location);
/* ++p, p += k inside a region: a variable counts how far p has moved. */
struct expr *region_pointer_step(struct lower *lower, struct expr *expr, struct location *pointer);
/* Returns where the pointer points after it has moved by `moved` from its start (NULL: by as much
 * as it has moved so far). */
struct location *region_pointer(struct lower *lower, struct location *pointer, struct expr *moved);
struct expr *region_expr(struct lower *lower, struct expr *expr);
struct expr *region_call(struct lower *lower, struct expr *call);

#endif
