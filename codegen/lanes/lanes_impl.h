/* lanes_impl.h: shared by the files of codegen/lanes/.
 *
 *   lanes.c         the entries
 *   lanes_refuse.c  why a loop has no vectors; the size of its lanes
 *   lanes_loop.c    the body, with loops of unknown trip counts in one form
 *   lanes_lift.c    the body, with what may trap under a condition moved into ifs
 *   lanes_make.c    new statements and expressions
 *   lanes_vary.c    which variables differ between lanes, and which are masks
 *   lanes_vars.c    the table of variables
 *   lanes_data.c    the arguments' vectors: which there are, and how they are named
 *   lanes_move.c    loads, stores, increments
 *   lanes_piece.c   the calls that move a record
 *   lanes_expr.c    expressions; lanes_type.c types and conversions; lanes_call.c functions
 *   lanes_stmt.c    statements; lanes_if.c branches
 */
#ifndef CLEAVE_CODEGEN_LANES_IMPL_H
#define CLEAVE_CODEGEN_LANES_IMPL_H

#include "codegen/lanes/lanes.h"
#include "pass/ir/arena.h"

/* ---- state ---------------------------------------------------------------------------------- */

/* A local of the body. */
struct lane_var {
    const struct var *var;
    bool varies;      /* it differs between lanes: a vector, or a mask */
    bool mask;        /* it varies and is only true or false */
    int assigns;      /* how often it is set, other than by its declaration */
    int depth;        /* branches with a mask around its declaration */
    const char *name; /* how it is read here: its own, or that of a filled copy */
};

enum lane_kind {
    LANE_RECORD, /* of a dat, through a map */
    LANE_ROW,    /* of a dat, the element's own */
    LANE_SLOT,   /* of a reduction */
    LANE_INDEX   /* op_arg_idx */
};

/* The vectors of an argument, one for each component: "CLEAVE_V(f64) q1[4];". Arguments that lead
 * to the same record share them. */
struct lane_data {
    enum lane_kind kind;
    int arg;    /* the first */
    int dat;    /* of the shape; RECORD, ROW */
    int map;    /* of the shape; RECORD, INDEX through a map; else -1 */
    int column; /* of that map */
    int dim;
    const struct type *type; /* of a component */
    const char *name;
    int uses;         /* in the body */
    bool *reads;      /* [dim] */
    bool *writes;     /* [dim] */
    bool *needs;      /* [dim] reads or writes: a write under a condition keeps the old value */
    bool *always;     /* [dim] written whatever the conditions are */
    bool *all;        /* [dim] true */
    bool loaded;      /* the text of its load is above */
    int depth;        /* branches with a mask around that */
    const char **now; /* [dim] how a component is read here */
};

/* A branch with a mask that is open. */
struct lane_branch {
    const char
        *condition; /* name of its own mask; lanes that are off follow the first that is on */
    const char *on; /* name of the lanes that are on: those of all branches around it too */
    const struct stmt *block;
    int number;  /* its own; names of filled copies have it */
    int renames; /* lanes->renames when it was opened */
    bool fills;  /* lanes that are off compute what the first one does that is on */
};

/* A value is read by another name inside of a branch. */
struct lane_rename {
    const char **slot;
    const char *old;
    const char *name;
};

struct lanes {
    struct emit *emit;
    struct arena *arena;
    const struct loop *loop;
    const struct stage *stage;
    struct stmt *body; /* the stage's, lifted */
    int vars;
    int capacity; /* of the hash table, a power of two */
    struct lane_var *var;
    int *slot; /* [capacity] index into var, or -1 */
    int datas;
    bool **subscripted; /* [args][columns] its record is subscripted at run time */
    struct lane_data *data;
    int depth; /* open branches */
    struct lane_branch *branch;
    int renames;
    struct lane_rename *rename;
    int branches;            /* opened so far */
    struct c_names names;    /* of scalars that are the same for all lanes */
    struct c_names one_lane; /* of scalars of lane cleave_l */
};

/* ---- lanes_vars.c -----------------------------------------------------------------------------
 */

/* The entry of a local; NULL: the body does not declare it. */
struct lane_var *lanes_var(const struct lanes *lanes, const struct var *var);
struct lane_var *lanes_add_var(struct lanes *lanes, const struct var *var);
/* A name of ours or the user's that no local of the body has: `base`, else "base_2" and so on. */
const char *lanes_free_name(const struct lanes *lanes, const char *base);

/* lanes.c: the text of a value of lane cleave_l that is computed lane by lane. */
const char *lanes_one_lane(struct lanes *lanes, const struct expr *expr);

/* ---- lanes_lift.c -----------------------------------------------------------------------------
 */

/* A copy of a body. In it, parts of ?:, && and || that may trap stand in ifs, and what is
 * computed lane by lane is the whole value of a variable. Fills lanes->body; requires the variables
 * of the stage's own body (lanes_find_varying). */
void lanes_lift(struct lanes *lanes, const struct stmt *body);
/* Computing the value may raise a floating-point exception, or divide by zero. */
bool lanes_may_trap(const struct expr *expr);

/* ---- lanes_make.c -----------------------------------------------------------------------------
 */

/* Statements of a block that is being made. */
struct lane_list {
    struct lanes *lanes;
    int kids;
    int capacity;
    struct stmt **kid;
};

/* Appends a statement. */
struct stmt *lanes_add(struct lane_list *list, enum stmt_kind kind, struct loc loc);
struct stmt *lanes_block_of(struct lane_list *list);
struct expr *lanes_new_expr(struct lanes *lanes, enum expr_kind kind, const struct type *type,
                            int kids);
struct expr *lanes_read_of(struct lanes *lanes, struct var *var);
struct expr *lanes_not_of(struct lanes *lanes, struct expr *expr);
/* expr itself if it has the type */
struct expr *lanes_cast_to(struct lanes *lanes, const struct type *type, struct expr *expr);
/* Appends the declaration of a new variable, whose name nothing else has; value may be NULL. */
struct var *lanes_declare(struct lane_list *list, const char *name, const struct type *type,
                          struct expr *value, struct loc loc);
/* Appends var = value. */
void lanes_assign(struct lane_list *list, struct var *var, struct expr *value);

/* ---- lanes_loop.c -----------------------------------------------------------------------------
 */

/* A copy of a body in which all loops that were not unrolled are STMT_WHILE of a variable that
 * nothing but the loop sets, without jumps; the body itself if it has no loop. *reason: NULL, or
 * why there can be no such copy, and *loc where. */
struct stmt *lanes_rewrite_loops(struct lanes *lanes, struct stmt *body, const char **reason,
                                 struct loc *loc);

/* ---- lanes_vary.c -----------------------------------------------------------------------------
 */

/* Fills the table of variables from the body. */
void lanes_find_varying(struct lanes *lanes, struct stmt *body);
bool lanes_varies(const struct lanes *lanes, const struct expr *expr);
/* Its value is a mask: a comparison, a logical operation, or a variable that is one. */
bool lanes_is_mask(const struct lanes *lanes, const struct expr *expr);

/* ---- lanes_data.c -----------------------------------------------------------------------------
 */

void lanes_find_data(struct lanes *lanes);
/* NULL: the place is a READ global's. */
struct lane_data *lanes_data_of(const struct lanes *lanes, const struct place *place);
/* Whether the place is the same for all lanes: of a READ global. */
bool lanes_place_varies(const struct lanes *lanes, const struct place *place);

/* ---- lanes_refuse.c ---------------------------------------------------------------------------
 */

/* Whether the parameter's data may be subscripted by what is known at run time, and so may the
 * pointers of a vector argument: nothing in the loop modifies it. */
bool lanes_subscripts(const struct loop *loop, const struct var *param);

/* ---- lanes_piece.c ----------------------------------------------------------------------------
 */

/* Values of one or two bytes: vectors hold them as ints. */
bool lanes_is_narrow(const struct type *type);
/* How many of so many components of a record are moved at once: 4, 2 or 1. */
int lanes_piece(const struct type *type, int components);
/* The values of consecutive elements lie side by side, and are moved as one vector. */
bool lanes_is_contiguous(const struct lane_data *data);
/* "x", "x + 3" */
const char *lanes_behind(struct lanes *lanes, const char *name, int components);
/* Prints the calls that turn values[0..count-1], vectors of components, into records for
 * lanes_print_put(). Pieces of one component stay where they are. */
void lanes_print_turn(struct lanes *lanes, const struct type *type, const char *turned,
                      const char *values, int count);
/* Prints what puts lane cleave_l's record to `record`, `end` behind it; how: STORE, ADD, ... */
void lanes_print_put(struct lanes *lanes, const struct type *type, const char *how,
                     const char *record, const char *turned, int count, const char *end);

/* ---- lanes_move.c -----------------------------------------------------------------------------
 */

/* Fills lanes->subscripted. */
void lanes_find_subscripted(struct lanes *lanes);
void lanes_print_points(struct lanes *lanes);
/* mask NULL: all lanes load. */
void lanes_print_load(struct lanes *lanes, struct lane_data *data, const char *mask);
/* Some component is assigned. */
bool lanes_is_written(const struct lane_data *data);
void lanes_print_stores(struct lanes *lanes);
void lanes_print_updates(struct lanes *lanes);

/* ---- lanes_type.c -----------------------------------------------------------------------------
 */

/* "f64": the name in runtime/lanes/ of the vectors that hold values of this type; integers shorter
 * than int are held as int. */
const char *lanes_type_word(const struct type *type);
/* "u8": the name of the functions that move values of this type between memory and vectors. */
const char *lanes_move_word(const struct type *type);
/* The vector type, "CLEAVE_V(f64)". */
const char *lanes_type(struct lanes *lanes, const struct type *type);
/* Whether there are vectors for values of this type. */
bool lanes_has_type(const struct type *type);

/* ---- lanes_expr.c -----------------------------------------------------------------------------
 */

/* How tightly a text binds: C's operators, loosest first. */
enum lane_binds {
    BINDS_LOOSE,
    BINDS_BITS, /* & ^ |, which are never mixed without parentheses */
    BINDS_COMPARE,
    BINDS_SHIFT,
    BINDS_ADD,
    BINDS_MUL,
    BINDS_UNARY,
    BINDS_TIGHT
};

enum lane_form { FORM_SCALAR, FORM_VECTOR, FORM_MASK };

/* The text of an expression's value. */
struct lane_value {
    const char *text;
    enum lane_binds binds;
    enum lane_form form;
};

struct lane_value lanes_value(struct lanes *lanes, const struct expr *expr);
/* The value as a vector of its type, or as a mask; the text may stand as an argument. */
const char *lanes_vector(struct lanes *lanes, const struct expr *expr);
const char *lanes_mask(struct lanes *lanes, const struct expr *expr);
/* The value of type `from` converted to `to`, as C does. */
struct lane_value lanes_convert(struct lanes *lanes, struct lane_value value,
                                const struct type *from, const struct type *to);
struct lane_value lanes_to_vector(struct lanes *lanes, struct lane_value value,
                                  const struct type *type);
struct lane_value lanes_to_mask(struct lanes *lanes, struct lane_value value,
                                const struct type *type);
/* In parentheses if it binds less than `least`. */
const char *lanes_operand(struct lanes *lanes, struct lane_value value, enum lane_binds least);

/* ---- lanes_call.c -----------------------------------------------------------------------------
 */

/* Whether runtime/lanes/ computes the called function on vectors. */
bool lanes_calls_vector(const struct expr *call);
struct lane_value lanes_call(struct lanes *lanes, const struct expr *call);

/* ---- lanes_stmt.c -----------------------------------------------------------------------------
 */

/* Declares the variables that updates take, but those that their first assignment declares. */
void lanes_declare_made(struct lanes *lanes);
void lanes_print_block(struct lanes *lanes, const struct stmt *block);
/* The lanes that a value is stored in that belongs to what was declared at `depth`; NULL: all. */
const char *lanes_mask_since(struct lanes *lanes, int depth);

/* ---- lanes_if.c, lanes_fill.c ------------------------------------------------------------------
 */

void lanes_print_if(struct lanes *lanes, const struct stmt *stmt);
void lanes_print_while(struct lanes *lanes, const struct stmt *stmt);
/* The statement is an if whose condition differs between lanes. */
bool lanes_is_masked(const struct lanes *lanes, const struct stmt *stmt);
/* Whether a branch of the block loads the record, because nothing else reads it. */
bool lanes_loads_in_branch(const struct lanes *lanes, const struct stmt *block,
                           const struct lane_data *data);
/* Prints filled copies of all that the statement reads under the innermost mask. */
void lanes_fill(struct lanes *lanes, const struct stmt *stmt);
/* Call in front of a loop: what it sets is read by its own name, which holds the value in each
 * trip. */
void lanes_use_own_names(struct lanes *lanes, const struct stmt *stmt);
/* Call behind a statement: what it has set is read by its own name again, or by a new copy. */
void lanes_refresh(struct lanes *lanes, const struct stmt *stmt);
/* Takes back all renames but the first ones. */
void lanes_restore_names(struct lanes *lanes, int renames);

#define lanes_format(lanes, ...) arena_format((lanes)->arena, __VA_ARGS__)
/* A line of text, broken where it is too long. */
#define lanes_line(lanes, ...) out_code((lanes)->emit->out, lanes_format(lanes, __VA_ARGS__))

#endif
