/* build.h: short constructors for loop IR by hand, for the tests of pass/. All nodes live in
 * `b_arena`, which b_program() makes. Nodes get the place of the last b_at().
 */
#ifndef CLEAVE_TEST_BUILD_H
#define CLEAVE_TEST_BUILD_H

#include "pass/ir/arena.h"
#include "pass/ir/loop_ir.h"

extern struct arena *b_arena;
extern struct loc b_loc;

/* Scalar types by kind; pointers, arrays, const. */
const struct type *b_type(enum type_kind kind);
const struct type *b_pointer(const struct type *elem);
const struct type *b_array(const struct type *elem, long count);
const struct type *b_const(const struct type *type);
const struct type *b_record(const char *name, int fields, const char *const *field,
                            const struct type *const *type);
#define B_INT b_type(TYPE_INT)
#define B_LONG b_type(TYPE_LONG)
#define B_FLOAT b_type(TYPE_FLOAT)
#define B_DOUBLE b_type(TYPE_DOUBLE)

struct program *b_program(void); /* empty, of a C file "k.c" */
void b_program_free(struct program *program);
void b_at(int line, int column);

struct var *b_local(const char *name, const struct type *type, struct expr *init);
struct var *b_global(struct program *program, const char *name, const struct type *type);
struct var *b_table(struct program *program, const char *name, const struct type *type,
                    struct expr *init);

/* Expressions; types follow from the operands where that is possible. */
struct expr *b_expr(enum expr_kind kind, const struct type *type, int kids,
                    struct expr *const *kid);
struct expr *b_int(long value);
struct expr *b_integer(const struct type *type, unsigned long long bits);
struct expr *b_real(double value);
struct expr *b_single(float value);
struct expr *b_string(const char *text);
struct expr *b_var(struct var *var);
struct expr *b_unary(enum unary_op op, struct expr *kid);
struct expr *b_binary(enum binary_op op, struct expr *left, struct expr *right);
struct expr *b_assign(struct expr *left, struct expr *right);
struct expr *b_compound(enum binary_op op, struct expr *left, struct expr *right);
struct expr *b_cond(struct expr *test, struct expr *yes, struct expr *no);
struct expr *b_index(struct expr *base, struct expr *subscript);
struct expr *b_at_index(struct var *var, int subscript); /* var[subscript] */
struct expr *b_member(struct expr *base, const char *name, const struct type *type);
struct expr *b_call(struct function *callee, int kids, struct expr *const *kid);
struct expr *b_cast(const struct type *type, struct expr *kid);
struct expr *b_implicit(const struct type *type, struct expr *kid);
struct expr *b_init(const struct type *type, int kids, struct expr *const *kid);

struct stmt *b_stmt(enum stmt_kind kind, int kids, struct stmt *const *kid);
struct stmt *b_do(struct expr *expr); /* expr; */
struct stmt *b_decl(struct var *var);
#define B_BLOCK(...)                                                                               \
    b_stmt(STMT_BLOCK, sizeof((struct stmt *[]){__VA_ARGS__}) / sizeof(struct stmt *),             \
           (struct stmt *[]){__VA_ARGS__})
struct stmt *b_if(struct expr *test, struct stmt *yes, struct stmt *no);
struct stmt *b_for(struct stmt *start, struct expr *test, struct expr *step, struct stmt *body);
struct stmt *b_count(struct var *var, int from, int below,
                     struct stmt *body); /* for (int var...) */
struct stmt *b_while(struct expr *test, struct stmt *body);
struct stmt *b_return(struct expr *expr);
struct stmt *b_switch(struct expr *value, struct stmt *block);
struct stmt *b_case(struct expr *first, struct expr *last); /* NULL, NULL: default */

/* A function with parameters "name, type, name, type..."; its lists of callees and globals are
 * filled by b_body. Listed in the program by b_body, or at once for math functions. */
struct function *b_function(const char *name, const struct type *result, int params,
                            const char *const *name_of, const struct type *const *type_of);
void b_body(struct program *program, struct function *function, struct stmt *body);
struct function *b_math(struct program *program, const char *name, const struct type *result,
                        int params);

/* A loop over `kernel`, whose arguments are filled by b_arg, all direct "double" dats until
 * changed. */
struct loop *b_loop(struct program *program, struct function *kernel);
struct arg *b_arg(struct loop *loop, enum access access, int dim);
struct arg *b_indirect(struct arg *arg, int map, int column);

/* The text that print_c makes of a tree; in the arena. */
const char *b_text_of_expr(const struct expr *expr);
const char *b_text_of_stmt(const struct stmt *stmt);
const char *b_text_of_type(const struct type *type, const char *declarator);

#endif
