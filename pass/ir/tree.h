/* tree.h: the kernels and helpers of a program as trees: types, variables, expressions, statements
 * and functions. A part of loop_ir.h, which says who owns them.
 */
#ifndef CLEAVE_TREE_H
#define CLEAVE_TREE_H

#include <stdbool.h>
#include <stddef.h>

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
    const char *name; /* the user's name */
    const struct type *type;
    enum storage storage;
    struct loc loc;
    int index;        /* STORAGE_PARAM: position in the parameter list; else -1 */
    int work_dim;     /* STORAGE_PARAM: components of the local array that replaces it; else 0 */
    bool is_external; /* STORAGE_GLOBAL: external linkage, so any unit may declare it */
    /* STORAGE_GLOBAL: symbol of a constant that the program initialises before main; its value is
     * in the host compiler's object. NULL: op_decl_const gives the value. */
    const char *symbol;
    struct expr *init; /* LOCAL: initialiser or NULL; TABLE: never NULL */
};

/* ---- expressions ---------------------------------------------------------------------------- */

enum expr_kind {
    EXPR_INT,    /* integer, character, bool or enumerator constant: `bits` */
    EXPR_FLOAT,  /* floating constant: `value`, exact for the type */
    EXPR_STRING, /* string literal (only as an argument of a call such as printf): `text`, unescaped
                  */
    EXPR_VAR,    /* `var` */
    EXPR_UNARY,  /* `unary` kid[0] */
    EXPR_BINARY, /* kid[0] `binary` kid[1] */
    EXPR_ASSIGN, /* kid[0] = kid[1], or with `compound` kid[0] `binary`= kid[1], computed in
                    `compute` */
    EXPR_COND,   /* kid[0] ? kid[1] : kid[2] */
    EXPR_INDEX,  /* kid[0][kid[1]]; kid[0] is a pointer or an array */
    EXPR_MEMBER, /* kid[0].`text`, or kid[0]->`text` when kid[0] is a pointer */
    EXPR_CALL,   /* `callee`(kid...) */
    EXPR_CAST,   /* (type) kid[0]; `implicit` when the language inserted it */
    EXPR_INIT, /* { kid... }, of an array or a record; fewer kids than elements: the rest is zero */
    EXPR_PLACE /* made by splitter/: one component of an argument: `place`; `var` is the parameter
                */
};

/* One component of an argument: `component` 0..dim-1 of the record that column `column`
 * 0..columns-1 reaches (0 where the argument is no vector). For ARG_INDEX component 0. -1: not one
 * but all, where a place stands for a set (splitter/graph/graph.h); never in an EXPR_PLACE. */
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
    const struct type
        *type; /* after the language's conversions: every conversion is an EXPR_CAST */
    struct loc loc;
    int kids;
    struct expr **kid;
    bool compound; /* EXPR_ASSIGN */
    bool implicit; /* EXPR_CAST */
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
    STMT_EXPR,   /* expr; */
    STMT_DECL,   /* one local variable: `var`, with var->init */
    STMT_BLOCK,  /* { kid... } */
    STMT_IF,     /* if (expr) kid[0] else kid[1]; kids is 1 or 2 */
    STMT_FOR,    /* for (kid[0]; expr; step) kid[1]; kid[0] a DECL, BLOCK of DECLs, EXPR or NOTHING;
                    expr, step may be NULL */
    STMT_WHILE,  /* while (expr) kid[0] */
    STMT_DO,     /* do kid[0] while (expr) */
    STMT_RETURN, /* return expr; expr may be NULL */
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_NOTHING,
    STMT_SWITCH, /* switch (expr) kid[0]; kid[0] a BLOCK whose kids are CASEs and statements, as C
                    has them: control falls through, BREAK leaves */
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
    FUNCTION_MATH, /* libm and its kind: exists on every target under `name` (fabs, sqrt,
                      std::max...) */
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
    const char
        *opaque_text; /* the whole definition, macros expanded, as the user's language has it;
                         the function's own name in it is `user_name`,
                         callees and globals go by their `name` */
    const char *opaque_reason; /* which construct could not be taken apart; for the note */
    struct loc opaque_loc;
    struct loc loc;
    int callees; /* functions it calls, each once */
    struct function **callee;
    struct loc *called; /* of each callee: where it is called first; may be NULL */
    int globals;        /* STORAGE_GLOBAL and STORAGE_TABLE variables it uses, each once */
    struct var **global;
};

/* ---- questions (tree.c) ---------------------------------------------------------------------- */

bool type_same(const struct type *a,
               const struct type *b); /* qualifiers of the outermost type ignored */
bool type_is_floating(const struct type *type);
bool type_is_integer(const struct type *type); /* bool and char kinds included */
bool type_is_signed(const struct type *type);  /* an integer type that is; char as on x86-64 */
/* Finds what a comparison (BINARY_LT to BINARY_NE) gives for operands of which the left one is
 * less than, or equal to, the right one. Returns false for other operations. */
bool binary_compares(enum binary_op op, bool less, bool equal, bool *holds);
/* Returns the value of a constant of an integer or pointer type with these bits (struct expr): cut
 * to the type's size and, for a signed type, sign-extended to 64 bits; 0 or 1 for bool. */
unsigned long long type_cut_bits(const struct type *type, unsigned long long bits);
/* Calls visit on every statement (pre-order) and every expression below `stmt`; either may be NULL.
 */
void stmt_visit(struct stmt *stmt, void (*on_stmt)(struct stmt *, void *),
                void (*on_expr)(struct expr *, void *), void *user);
void expr_visit(struct expr *expr, void (*on_expr)(struct expr *, void *), void *user);

#endif
