/* util.h: what the parts of the front end share; nothing of it leaves pass/.
 *
 * frontend.c runs the steps, parse.c makes the translation unit, scan.c finds the calls, loop.c and
 * arg.c read loops with the places that place.c tells apart, const.c reads declarations, function.c
 * owns functions, global.c variables outside of functions, type.c types. stmt.c, flow.c, expr.c,
 * operator.c, call.c and init.c turn bodies into trees, with reference.c for C++'s references,
 * memory.c for memcpy and its kind, temporary.c for variables that nobody wrote, and header.c for
 * what libclang does not tell of `for` and `if`. opaque.c and opaque_text.c take a body whole,
 * portable.c knows what of C is not C++, math.c libm.
 */
#ifndef CLEAVE_CLANG_UTIL_H
#define CLEAVE_CLANG_UTIL_H

#include <clang-c/Index.h>

#include "pass/ir/arena.h"
#include "pass/frontend/pass.h"

/* Why something has no form in the loop IR. */
struct refusal {
    const char *reason; /* "a switch statement"; NULL: nothing refused */
    struct loc loc;
    bool everywhere; /* not even its text can run on another target */
};

/* A function with references may have two entries: a tree without them, and a text with them for
 * the texts that call it. */
struct function_entry {
    CXCursor cursor; /* canonical */
    struct function *function;
    bool is_text;           /* taken as text because a text calls it */
    bool passes_addresses;  /* a parameter or the result is a reference that became a pointer */
    bool *by_address;       /* of each parameter: it did */
    bool result_by_address; /* the result did */
    bool result_copied;     /* the result is a reference that became a value */
    const char *no_device;  /* why it, or what it uses, cannot run on another target */
    bool has_error;         /* and an error says so */
};

struct global_entry {
    CXCursor cursor; /* canonical */
    struct var *var;
    bool is_declared;            /* by op_decl_const in this unit */
    bool is_internal;            /* internal linkage */
    const char *no_device;       /* why its value cannot be printed */
    const char *unknown;         /* likewise, of a const one: op_decl_const can still give it */
    const struct function *user; /* the first function that uses it, and where */
    struct loc used;
};

struct record_entry {
    CXCursor cursor; /* definition, canonical */
    struct record *record;
    struct refusal refusal;
};

/* One run of the front end. */
struct front;

/* A name that several things want, and the last number that was put behind it. */
struct numbered {
    const char *base;
    bool (*taken)(struct front *front, const char *name); /* among which names */
    int last;
};

/* The texts of the parts of a call, divided once. */
struct parts {
    const char *text;
    int count;
    int room;
    const char **part;
};

/* A function names another one: indices in front->visited. */
struct front_edge {
    int from;
    int to;
};

/* A call of cleave_parse_loop. */
struct front_call {
    CXCursor cursor;
    int function; /* index in front->visited; -1: it stands in none */
    int loop;     /* index in program->loop; -1: not read, or it could not be */
};

struct front {
    struct program *program;
    struct arena *arena;
    struct diag *diag;
    const struct pass_options *options;
    CXTranslationUnit unit;
    struct function_entry **function; /* entries do not move */
    int functions;
    int function_room;
    struct global_entry **global;
    int globals;
    int global_room;
    struct record_entry **record;
    int records;
    int record_room;
    const struct type *basic[TYPE_DOUBLE + 1][2];
    CXCursor *visited; /* function definitions that scan.c has walked or will walk */
    int visits;
    int visit_room;
    int visiting; /* the one that scan.c is walking; -1: none */
    struct front_edge *edge;
    int edges;
    int edge_room;
    struct front_call *call;
    int calls;
    int call_room;
    struct numbered *numbered;
    int numbered_names;
    int numbered_room;
    struct parts arguments;  /* of the call at hand */
    struct parts parameters; /* of its argument at hand */
    CXCursor *declaration;   /* calls of op_decl_const, op_decl_dat and op_decl_dat_temp */
    int declarations;
    int declaration_room;
    CXCursor data_access; /* the first use of the field `data` of a dat; null: there is none */
    bool asks_for_data;   /* the file calls a function that makes `data` current */
    int mentions;         /* of cleave_parse_loop and cleave_parse_const, in whatever form */
    int loop_room;
    int list_room; /* of program->function */
    int global_list_room;
    int record_list_room;
};

struct local {
    CXCursor cursor;
    struct var *var;
    bool is_reference; /* in C++; var is a pointer to what it refers to */
    bool is_part;      /* a structured binding: field or element `part` of it */
    int part;
};

struct stmt_list {
    struct stmt **stmt;
    int count;
    int room;
};

/* One function body, or one initialiser outside of a function (entry NULL), on its way to a tree.
 */
struct body {
    struct front *front;
    struct function_entry *entry;
    struct refusal refusal; /* the first */
    struct local *local;
    int locals;
    int local_room;
    unsigned char *header; /* of each `for` in source order: bits FOR_INIT, FOR_TEST, FOR_STEP */
    int headers;
    int next_header;
    int if_starts;            /* `if (start; condition)` in the text, less those read */
    bool is_opaque;           /* being taken as text */
    bool has_pack;            /* a parameter pack: several parameters of one name */
    const char *text;         /* as clang prints the function */
    int temporaries;          /* names made up so far */
    struct stmt_list *before; /* takes what must stand before the statement that is being read;
                                 NULL where the expression may run never or more than once */
    struct stmt_list top;     /* declarations before all statements */
    int callee_room;
    int called_room;
    int global_room; /* of the function's list */
};

enum { FOR_INIT = 1, FOR_TEST = 2, FOR_STEP = 4 };

struct children {
    int count;
    CXCursor *child;
};

/* ---- util.c: cursors ----------------------------------------------------------------------
 */

/* Copies the string to the arena and disposes of it. */
const char *front_string(struct front *front, CXString string);
const char *front_spelling(struct front *front, CXCursor cursor);
const char *front_type_text(struct front *front, CXType type);
/* Returns the place where the user wrote it; for text in a macro's body, the place where the macro
 * is used. */
struct loc front_place(struct front *front, CXSourceLocation location);
/* work.c: gives the kernel a local array in place of each OP_WORK global, or the loop a reason. */
void front_work(struct front *front, struct loop *loop);
/* Call after front_work() and after the signature is made: sets the fields that the arguments of
 * OP_WORK have from then on. */
void front_work_passed(struct loop *loop);
struct loc front_loc(struct front *front, CXCursor cursor);
/* Columns that the cursor covers on its first line, for tildes under it. */
int front_length(CXCursor cursor);
struct children front_children(struct front *front, CXCursor cursor);
bool front_in_system(CXCursor cursor);
bool front_same(CXCursor a, CXCursor b);
/* The source text of a cursor, for messages and names only: inside of macros it is what the user
 * wrote, not what it expands to. */
const char *front_source_text(struct front *front, CXCursor cursor);
/* A template parameter that an instance has replaced by its value, its only child. */
bool front_is_template_value(CXCursor cursor);
/* Through parentheses and implicit conversions. */
CXCursor front_strip(struct front *front, CXCursor cursor);
/* Through explicit casts too. */
CXCursor front_strip_casts(struct front *front, CXCursor cursor);

/* Compile-time values; false when there is none. */
bool front_integer(CXCursor cursor, unsigned long long *bits);
bool front_number(CXCursor cursor, double *value);
/* fold.c: likewise, of what the program computes before main: the value as the cursor's type has
 * it, integers too. */
bool front_fold(struct front *front, CXCursor cursor, double *value);
/* A string literal through decay; NULL when it is none. */
const char *front_literal(struct front *front, CXCursor cursor);
bool front_is_null(struct front *front, CXCursor cursor);
/* ++ or -- of a bool. */
bool front_counts_bool(CXCursor cursor);
/* An argument of a call that nobody wrote: the parameter's default stands for it. */
bool front_is_default(CXCursor argument);

/* A C identifier made of `text`, with _2, _3, ... when `taken` says that it is in use. */
const char *front_identifier(struct front *front, const char *text,
                             bool (*taken)(struct front *front, const char *name));

/* Records the first refusal and returns NULL, for `return body_refuse(...)`. */
void *body_refuse(struct body *body, CXCursor where, const char *reason);
/* Refuses a construct that cannot run on another target even as text. */
void *body_refuse_everywhere(struct body *body, CXCursor where, const char *reason);

/* ---- parse.c ------------------------------------------------------------------------------
 */

/* Parses options->source. NULL: reported in diag. The caller disposes of *index after the unit. */
CXTranslationUnit front_parse(struct front *front, CXIndex *index);

/* content.c: the id of the unit that front_parse() made, in the arena. */
const char *front_content_id(struct front *front);
/* Reports the errors that lie in the user's own files; returns how many. */
int front_report_errors(struct front *front);

/* ---- type.c -------------------------------------------------------------------------------
 */

/* NULL when the IR has no such type; *refusal then says why (its loc stays empty). */
const struct type *front_type(struct front *front, CXType type, struct refusal *refusal);
const struct type *front_basic(struct front *front, enum type_kind kind, bool is_const);
const struct type *front_pointer(struct front *front, const struct type *elem);
/* The type, const; of an array, its elements too. */
const struct type *front_const(struct front *front, const struct type *type);
/* The type of a cursor of a body, or NULL after body_refuse(). */
const struct type *body_type(struct body *body, CXCursor cursor);
/* The IR type of `type`, which the cursor names, or NULL after body_refuse(). */
const struct type *body_type_of(struct body *body, CXCursor where, CXType type);

/* ---- scan.c -------------------------------------------------------------------------------
 */

/* Walks all code of the user's files, templates as instantiated, and fills front->call,
 * front->declaration and front->mentions. */
void front_scan(struct front *front);

/* ---- loop.c, arg.c, const.c ---------------------------------------------------
 */

/* Returns its index in program->loop: that of an earlier call where the runtime cannot tell the two
 * apart and need not; -1: it is no loop. */
int front_loop(struct front *front, CXCursor call);
/* Loops that the runtime could not tell apart. */
void front_check_keys(struct front *front);

/* place.c: names a dat, a map or a global. */
struct place_key {
    bool known;       /* else it may be any */
    CXCursor base;    /* the variable that it is, or is an element or a member of; may be null */
    const char *path; /* from there to it */
};
struct place_key front_place_key(struct front *front, CXCursor cursor);

/* One op_arg_ call of a loop. `text`: what the user wrote for it. Gives arg its fields but the
 * classes of dat and map; returns why the loop must run sequentially, or NULL. */
struct arg_keys {
    struct place_key dat; /* or the global */
    struct place_key map;
};
const char *front_arg(struct front *front, CXCursor cursor, int position, const char *text,
                      struct arg *arg, struct arg_keys *keys);

/* The call of an op_arg function that makes an argument, and the positions of its parameters. */
struct arg_parts {
    CXCursor call; /* null: it is none, and nothing is known of the argument */
    int data;      /* the dat, or the pointer; -1: none */
    int map;       /* -1: none */
    bool is_dat;   /* data is a dat */
};
struct arg_parts front_arg_parts(struct front *front, CXCursor cursor);

/* chain.c: fills program->chain and program->host_var, when all loops have been read. */
void front_chains(struct front *front);

/* ---- written.c ----------------------------------------------------------------------------------
 */

/* Argument k of a call of cleave_parse_loop, whose text is that of arguments 1 and on. */
const char *front_written_argument(struct front *front, const char *text, CXCursor call, int k);
/* Parameter k of the call of the function `name` for which the user wrote `text`. */
const char *front_written_parameter(struct front *front, const char *text, const char *name,
                                    CXCursor call, int k);
/* An expression as the tree has it, without casts: `mesh.q[2]`. */
const char *front_tree_text(struct front *front, CXCursor cursor);

/* Component type of a type string, NULL when there is none of that name; ":soa" is cut off *name.
 */
const struct type *front_type_string(struct front *front, const char **name);
/* A call of op_decl_const, op_decl_dat or op_decl_dat_temp. */
void front_declaration(struct front *front, CXCursor call);
/* Reports when the pointer's own type is another than the type string says. */
void front_check_pointer(struct front *front, CXCursor data, const char *text,
                         const char *type_name);

/* ---- function.c, global.c -----------------------------------------------------------
 */

/* Functions without an object: static members too. */
bool front_is_function(CXCursor cursor);
/* One of the compiler's own functions, which no header declares. */
bool front_is_builtin(struct front *front, CXCursor referenced);
/* A call that only passes its first argument on: __builtin_expect, __builtin_assume_aligned. */
bool front_is_hint(struct front *front, CXCursor referenced);
/* The function that a reference names, its body read; NULL when the reference names none. */
struct function_entry *front_function(struct front *front, CXCursor referenced);
/* The entry of the function that a reference names, as text if it has references: for callers
 * that are text, and for kernels. */
struct function_entry *front_function_text(struct front *front, CXCursor referenced);
struct function_entry *front_function_entry(struct front *front, const struct function *function);
/* Returns the function that the body calls, recorded once. Library functions that every target has
 * are recognised; a function without body and text has no form on a device. */
struct function *body_callee(struct body *body, CXCursor call, CXCursor referenced);
/* std::min or std::max for two values of this type, recorded; NULL when there is none. */
struct function *body_extremum(struct body *body, CXCursor call, const char *name,
                               const struct type *type);
/* Whether a function or a record has this name already. */
bool front_name_taken(struct front *front, const char *name);

/* The variable that a reference inside a body names; NULL after body_refuse(). */
struct var *body_variable(struct body *body, CXCursor reference, CXCursor referenced);
struct var *body_local(struct body *body, CXCursor declaration, const struct type *type);
struct global_entry *front_global(struct front *front, CXCursor cursor);
/* Reports the globals that a function, which is taken whole, writes by name. */
void body_report_writes(struct body *body, CXCursor function);
/* Whether the function, or one that it calls, uses the global of this (canonical) declaration. */
bool front_uses_global(struct front *front, const struct function *function, CXCursor declaration);
/* Reports globals of internal linkage without op_decl_const. */
void front_check_globals(struct front *front);

/* ---- trees --------------------------------------------------------------------------------------
 */

/* NULL after body_refuse(). */
struct stmt *body_stmt(struct body *body, CXCursor cursor);
struct expr *body_expr(struct body *body, CXCursor cursor);
/* A statement below another one: a block when something must stand before it. */
struct stmt *body_substatement(struct body *body, CXCursor cursor);
/* The value of a GNU statement expression. */
struct expr *body_statement_value(struct body *body, CXCursor cursor);
/* An expression that may run never or more than once. */
struct expr *body_repeated(struct body *body, CXCursor cursor);
/* Appends the declarations of a DeclStmt, or of one VarDecl; false after body_refuse(). */
bool body_declaration(struct body *body, CXCursor cursor, struct stmt_list *list);
bool body_declare_variable(struct body *body, CXCursor cursor, struct stmt_list *list);

struct stmt *body_new_stmt(struct body *body, enum stmt_kind kind, CXCursor cursor, int kids);
struct stmt *body_expr_stmt(struct body *body, CXCursor cursor, struct expr *expr);
struct stmt *body_block_of(struct body *body, CXCursor cursor, const struct stmt_list *list);
void body_append(struct body *body, struct stmt_list *list, struct stmt *stmt);

/* ---- temporary.c -----------------------------------------------------------------------------
 */

/* A local variable under a name that the function does not use. */
struct var *body_new_var(struct body *body, CXCursor where, const char *name,
                         const struct type *type);
struct expr *body_named(struct body *body, CXCursor where, struct var *var);
/* place = value, base[at] and record.field */
struct expr *body_set(struct body *body, CXCursor where, struct expr *place, struct expr *value);
struct expr *body_element(struct body *body, CXCursor where, struct expr *base, struct expr *at);
struct expr *body_field(struct body *body, CXCursor where, struct expr *record, int field);
/* Keeps a value in a variable: names it, or sets and names it (a comma expression). NULL (nothing
 * refused) when that is not possible. */
struct expr *body_temporary(struct body *body, CXCursor where, struct expr *value);
/* Sets a variable behind its declaration, part by part where the value is a list; the variable is
 * not const any more. NULL (nothing refused) when parts of it are. */
struct expr *body_set_later(struct body *body, CXCursor where, struct var *var, struct expr *value);
/* for (int index = 0; index < count; ++index), its body yet to be set; *index: the counter. */
struct stmt *body_counting_loop(struct body *body, CXCursor where, long count, struct var **index);

/* ---- flow.c: control flow that the IR has in another form ----------------------------------- */

struct stmt *body_if(struct body *body, CXCursor cursor);
struct stmt *body_while(struct body *body, CXCursor cursor);
struct stmt *body_switch(struct body *body, CXCursor cursor);
struct stmt *body_range_for(struct body *body, CXCursor cursor);

/* ---- reference.c, memory.c ------------------------------------------------------------------- */

bool front_is_reference(CXType type);
/* Returns the type that a reference refers to; other types unchanged. */
CXType front_without_reference(CXType type);
/* A parameter or the result of the function is a reference. */
bool front_has_references(CXCursor function);
/* The types of a result and of a parameter that may be references: sets what entry says of them. */
const struct type *body_result_type(struct body *body, CXCursor definition);
const struct type *body_param_type(struct body *body, CXCursor definition, CXCursor param, int k);
bool body_declare_reference(struct body *body, CXCursor cursor, struct stmt_list *list);
/* auto [a, b] = value; */
bool body_declare_parts(struct body *body, CXCursor cursor, struct stmt_list *list);
/* Returns what a structured binding names; NULL (nothing refused) if the declaration is not one. */
struct expr *body_part(struct body *body, CXCursor where, CXCursor declaration);
bool body_is_reference(const struct body *body, const struct var *var);
/* Returns what an address points to. */
struct expr *body_dereferenced(struct body *body, CXCursor where, struct expr *address);
/* The address of a place. */
struct expr *body_address_of(struct body *body, CXCursor where, struct expr *place);
/* Returns what is passed for a reference that became the pointer `type`. */
struct expr *body_passed_address(struct body *body, CXCursor given, const struct type *type);
/* The address of what a function returns by reference. */
struct expr *body_returned_address(struct body *body, CXCursor value);

/* The names of variables, members and elements at constant places: reading one changes nothing, and
 * costs nothing to repeat. */
bool expr_is_plain(const struct expr *expr);
/* memcpy, memmove and memset of known size, and std::swap, as assignments; NULL (nothing refused)
 * when it is none. */
struct stmt *body_memory_call(struct body *body, CXCursor cursor);
/* "memcpy" or "memset" when the function is that, under whatever name; else NULL. memmove has no
 * form in CUDA. */
const char *front_memory_name(struct front *front, CXCursor referenced);

/* The type of the value of an expression of this kind; operator.c says why it may be another. */
const struct type *body_value_type(struct body *body, enum expr_kind kind, const struct type *type);
struct expr *body_new_expr(struct body *body, enum expr_kind kind, CXCursor cursor,
                           const struct type *type, int kids);
/* expr converted to type by an implicit cast; expr itself when it has that type. */
struct expr *body_convert(struct body *body, struct expr *expr, const struct type *type);
/* An arithmetic constant of the cursor's value; NULL (nothing refused) when it has none. */
struct expr *body_constant(struct body *body, CXCursor cursor);
struct expr *body_unary(struct body *body, CXCursor cursor);
/* ++ and -- of a bool, as assignments; is_discarded: nobody reads the value. NULL after
 * body_refuse(). */
struct expr *body_count_bool(struct body *body, CXCursor cursor, bool is_discarded);
struct expr *body_binary(struct body *body, CXCursor cursor);
struct expr *body_compound(struct body *body, CXCursor cursor);
struct expr *body_call(struct body *body, CXCursor cursor);
/* The initialiser of a variable of this type. */
struct expr *body_initialiser(struct body *body, CXCursor cursor, const struct type *type);
/* Constant zero; of an array or a record, the empty list. */
struct expr *body_zero(struct body *body, CXCursor where, const struct type *type);
/* The braces of a literal (type){...} or type{...} of an array or a record, or a null cursor. */
CXCursor front_literal_braces(struct front *front, CXCursor cursor);
/* Finds the parts of the function's `for` headers, in source order (header.c). */
void body_headers(struct body *body, CXCursor function);

/* ---- opaque.c, opaque_text.c, portable.c, math.c ------------------------------
 */

/* Takes the function whole: text, callees, globals and records. */
void body_opaque(struct body *body, CXCursor function);

/* Another name for a word of such a text, and what goes with the word. */
enum rename_kind {
    RENAME_PLAIN,
    RENAME_RECORD,  /* a `struct` or `union` before it */
    RENAME_ENUM,    /* an `enum` before it */
    RENAME_INSTANCE /* the template's arguments behind it */
};
struct rename {
    enum rename_kind kind;
    const char *from;
    const char *to;
};
/* The body of `printed`, a definition as clang prints it, behind its opening brace and renamed.
 * function: its canonical cursor, where names that C++ reserves are refused. */
const char *opaque_text(struct body *body, CXCursor function, const char *printed,
                        const struct rename *rename, int renames);

/* Why a C text with this cursor is not C++ too; NULL when nothing speaks against it. after_goto: a
 * goto stands before it. */
const char *portable_reason(struct front *front, CXCursor cursor, CXCursor parent, bool after_goto);
/* False for a keyword that only C++ has. */
bool portable_word(const char *word, size_t length);
/* A name of CUDA's own types (dim3, double4) or functions: no type of generated code may have it.
 */
bool portable_is_cuda(const char *name);

/* Name under which every target has the math function that clang calls `name`, for arguments of
 * this type; NULL when it is none. */
const char *math_name(struct front *front, const char *name, const struct type *argument, int args);
bool math_is_print(const char *name);

#endif
