/* access.c: each rule of the access check, on kernels built by hand. A case is a kernel body over
 * fixed parameters; check_case() runs the check and hands back what was said.
 */
#include "pass/access.h"

#include <stdlib.h>

#include "build.h"
#include "check.h"
#include "pass/diag.h"

/* void k(const double *r, double *w, double *rw, double *inc, double **vec, double *dinc, double
 * *gbl) */
enum { R, W, RW, INC, VEC, DINC, GBL, PARAMS };

static struct program *program;
static struct function *kernel;
static struct loop *loop;
static char *said;
static enum access accessed[PARAMS];
static bool is_sequential;

static struct expr *at(int param, int subscript)
{
    return b_at_index(kernel->param[param], subscript);
}

static struct expr *row(int param, int column, int subscript)
{
    return b_index(b_at_index(kernel->param[param], column), b_int(subscript));
}

static void begin(void)
{
    const struct type *pointer;
    const char *name[] = {"r", "w", "rw", "inc", "vec", "dinc", "gbl"};
    const struct type *type[PARAMS];

    program = b_program();
    pointer = b_pointer(B_DOUBLE);
    for (int n = 0; n < PARAMS; n++) {
        type[n] = n == VEC ? b_pointer(pointer) : pointer;
    }
    kernel = b_function("k", b_type(TYPE_VOID), PARAMS, name, type);
    b_at(50, 1);
    loop = b_loop(program, kernel);
    b_arg(loop, ACCESS_READ, 4);
    b_arg(loop, ACCESS_WRITE, 4);
    b_arg(loop, ACCESS_RW, 4);
    b_indirect(b_arg(loop, ACCESS_INC, 4), 0, 1);
    b_indirect(b_arg(loop, ACCESS_INC, 4), 0, -3);
    loop->arg[VEC].is_vector = true;
    loop->arg[VEC].columns = 3;
    b_arg(loop, ACCESS_INC, 4);
    b_arg(loop, ACCESS_INC, 1);
    loop->arg[GBL].kind = ARG_GLOBAL;
    loop->arg[GBL].dat = -1;
    for (int n = 0; n < PARAMS; n++) {
        loop->arg[n].loc.line = 60 + n;
    }
    b_at(10, 5);
}

static const char *finish(bool as_warnings, bool accept_alias)
{
    size_t size = 0;
    FILE *out;
    struct diag *diag;

    free(said);
    said = NULL;
    out = open_memstream(&said, &size);
    diag = diag_new(out);
    if (as_warnings) {
        diag_access_as_warnings(diag);
    }
    access_check(program, diag, accept_alias);
    diag_free(diag);
    fclose(out);
    for (int n = 0; n < loop->args && n < PARAMS; n++) {
        accessed[n] = loop->arg[n].access;
    }
    is_sequential = loop->sequential_reason != NULL;
    b_program_free(program);
    return said;
}

static const char *with_body(struct stmt *body)
{
    b_body(program, kernel, body);
    return finish(false, false);
}

static bool says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fprintf(stderr, "said \"%s\", not \"%s\"\n", text, part);
        return false;
    }
    return true;
}

static void test_read(void)
{
    begin();
    CHECK_TEXT(
        with_body(B_BLOCK(b_do(b_assign(at(W, 0), at(R, 0))), b_do(b_assign(at(W, 1), at(W, 0))))),
        "");
    CHECK(!is_sequential);
    begin();
    CHECK_TEXT(with_body(B_BLOCK(b_do(b_assign(at(R, 0), b_real(1))))),
               "k.c:10:5: error: 'k' writes 'r', whose argument is declared OP_READ\n"
               "k.c:60:1: note: declare it OP_INC if the kernel only accumulates, else OP_RW\n");
    CHECK(is_sequential);
    begin();
    CHECK(
        says(with_body(B_BLOCK(b_do(b_compound(BINARY_ADD, at(R, 0), b_real(1))))), "writes 'r'"));
    begin();
    CHECK(says(with_body(B_BLOCK(
                   b_do(b_unary(UNARY_POST_INC, b_unary(UNARY_DEREF, b_var(kernel->param[R])))))),
               "writes 'r'"));
}

static struct stmt *increments(void)
{
    return B_BLOCK(
        b_do(b_compound(BINARY_ADD, at(INC, 0), at(R, 0))),
        b_do(b_compound(BINARY_SUB, at(INC, 1), at(R, 0))),
        b_do(b_assign(at(INC, 2), b_binary(BINARY_ADD, at(INC, 2), at(R, 1)))),
        b_do(b_assign(at(INC, 2), b_binary(BINARY_ADD, at(R, 1), at(INC, 2)))),
        b_do(b_assign(at(INC, 2), b_binary(BINARY_SUB, at(INC, 2), at(R, 1)))),
        b_do(b_assign(at(INC, 3),
                      b_binary(BINARY_ADD, b_binary(BINARY_ADD, at(INC, 3), at(R, 1)), at(R, 2)))),
        b_do(b_unary(UNARY_PRE_INC, at(INC, 0))), b_do(b_unary(UNARY_POST_DEC, at(INC, 0))),
        b_do(b_compound(BINARY_ADD, row(VEC, 2, 3), at(R, 0))),
        b_do(b_compound(BINARY_ADD, b_unary(UNARY_DEREF, b_var(kernel->param[GBL])), at(R, 0))),
        b_do(b_binary(BINARY_COMMA, b_compound(BINARY_ADD, at(INC, 0), b_real(1)),
                      b_compound(BINARY_ADD, at(INC, 1), b_real(1)))));
}

static void test_increment(void)
{
    begin();
    CHECK_TEXT(with_body(increments()), "");
    begin();
    CHECK(says(with_body(B_BLOCK(b_do(b_assign(at(W, 0), at(INC, 0))))),
               "error: 'k' reads 'inc', whose argument is declared OP_INC\nk.c:63:1: note:"));
    begin();
    CHECK(says(with_body(B_BLOCK(b_do(b_assign(at(INC, 0), b_real(1))))), "assigns 'inc'"));
    begin();
    CHECK(says(with_body(B_BLOCK(b_do(b_compound(BINARY_MUL, at(INC, 0), b_real(2))))),
               "assigns 'inc'"));
    begin();
    CHECK(says(with_body(B_BLOCK(b_do(b_compound(BINARY_ADD, at(INC, 0), at(INC, 1))))),
               "reads 'inc'"));
    begin();
    CHECK(says(
        with_body(B_BLOCK(b_do(b_assign(at(INC, 0), b_binary(BINARY_SUB, at(R, 0), at(INC, 0)))))),
        "assigns 'inc'"));
    begin();
    CHECK(says(
        with_body(B_BLOCK(b_do(b_assign(at(W, 0), b_compound(BINARY_ADD, at(INC, 0), at(R, 0)))))),
        "reads 'inc'"));
    begin();
    CHECK(says(with_body(B_BLOCK(b_do(b_assign(row(VEC, 1, 0), at(R, 0))))), "assigns 'vec'"));
    begin();
    CHECK(says(with_body(B_BLOCK(b_do(b_assign(at(GBL, 0), at(R, 0))))), "assigns 'gbl'"));
}

/* What is no increment in its form alone. */
static void test_increment_forms(void)
{
    struct expr *either;
    struct stmt *sum;

    begin();
    sum =
        b_do(b_assign(at(INC, 0), b_binary(BINARY_ADD, b_unary(UNARY_PLUS, at(INC, 0)), at(R, 1))));
    CHECK_TEXT(with_body(B_BLOCK(sum)), "");
    begin();
    either = b_cond(b_binary(BINARY_LT, at(R, 0), b_real(0)), at(INC, 0), row(VEC, 1, 2));
    sum = b_do(b_compound(BINARY_ADD, either, at(R, 1)));
    CHECK_TEXT(with_body(B_BLOCK(sum)), "");
    begin();
    either = b_cond(b_binary(BINARY_LT, at(R, 0), b_real(0)), at(W, 0), at(R, 2));
    CHECK(says(with_body(B_BLOCK(b_do(b_compound(BINARY_ADD, either, b_real(1))))), "writes 'r'"));
    /* A place named as a statement is not read. */
    begin();
    CHECK_TEXT(with_body(B_BLOCK(b_do(b_unary(UNARY_DEREF, b_var(kernel->param[INC]))))), "");
    begin();
    CHECK_TEXT(
        with_body(B_BLOCK(b_do(b_assign(at(W, 0), b_binary(BINARY_COMMA, at(INC, 0), at(R, 0)))))),
        "");
}

/* Each case is entered with what held before the switch or with what the case before left, and any
 * case may be the last one that ran. */
static void test_switch(void)
{
    struct var *p;

    begin();
    CHECK(says(with_body(B_BLOCK(b_switch(b_int(1), B_BLOCK(b_case(b_int(1), NULL),
                                                            b_do(b_assign(at(R, 0), b_real(1))))))),
               "writes 'r'"));
    begin();
    p = b_local("p", b_pointer(B_DOUBLE), b_var(kernel->param[W]));
    CHECK(says(with_body(B_BLOCK(
                   b_decl(p),
                   b_switch(b_int(1), B_BLOCK(b_case(b_int(1), NULL),
                                              b_do(b_assign(b_var(p), b_var(kernel->param[R]))),
                                              b_stmt(STMT_BREAK, 0, NULL), b_case(NULL, NULL),
                                              b_do(b_assign(b_var(p), b_var(kernel->param[RW]))))),
                   b_do(b_assign(b_at_index(p, 1), b_real(0))))),
               "writes 'r'"));
    begin();
    p = b_local("p", b_pointer(B_DOUBLE), b_var(kernel->param[R]));
    CHECK(says(with_body(B_BLOCK(
                   b_decl(p),
                   b_switch(b_int(1), B_BLOCK(b_case(b_int(1), NULL),
                                              b_do(b_assign(b_var(p), b_var(kernel->param[RW]))),
                                              b_case(b_int(2), NULL),
                                              b_do(b_assign(b_at_index(p, 1), b_real(0))))))),
               "writes 'r'"));
    /* A break out of the switch leaves the counting loop counting. */
    begin();
    p = b_local("n", B_INT, NULL);
    CHECK(
        says(with_body(B_BLOCK(b_count(
                 p, 0, 5,
                 B_BLOCK(b_switch(b_int(1),
                                  B_BLOCK(b_case(b_int(1), NULL), b_stmt(STMT_BREAK, 0, NULL))),
                         b_do(b_assign(b_index(b_var(kernel->param[W]), b_var(p)), b_real(0))))))),
             "component 4 of 'w'"));
}

/* inc[subscript] op= value, inc being an int, computed in double as C does. */
static struct stmt *in_double(enum binary_op op, int subscript, struct expr *value)
{
    struct expr *expr = b_compound(op, at(INC, subscript), value);

    expr->compute = B_DOUBLE;
    return b_do(expr);
}

static void begin_int(void)
{
    begin();
    loop->arg[INC].type = B_INT;
    loop->arg[INC].type_name = "int";
    kernel->param[INC]->type = b_pointer(B_INT);
}

/* An integer that fractions are added to: each sum is cut. */
static void test_truncated(void)
{
    begin_int();
    CHECK(says(with_body(B_BLOCK(in_double(BINARY_SUB, 1, at(R, 0)))),
               "'k' adds fractions to 'inc', an OP_INC argument of an integer type"));
    begin_int();
    CHECK(says(with_body(B_BLOCK(in_double(BINARY_ADD, 1, b_real(0.5)))), "adds fractions"));
    begin_int();
    CHECK_TEXT(with_body(B_BLOCK(in_double(BINARY_ADD, 0, b_real(-1)),
                                 in_double(BINARY_ADD, 0, b_implicit(B_DOUBLE, b_int(2))),
                                 b_do(b_compound(BINARY_ADD, at(INC, 0), b_int(2))))),
               "");
}

static void test_direct_increment(void)
{
    begin();
    CHECK_TEXT(with_body(B_BLOCK(b_do(b_compound(BINARY_ADD, at(DINC, 0), at(R, 0))))), "");
    CHECK(accessed[DINC] == ACCESS_RW && accessed[INC] == ACCESS_INC);
    begin();
    CHECK_TEXT(with_body(B_BLOCK(b_do(b_compound(BINARY_ADD, at(DINC, 0), at(R, 0))),
                                 b_do(b_assign(at(W, 0), at(DINC, 0))),
                                 b_do(b_assign(at(DINC, 1), b_real(0))))),
               "k.c:10:5: warning: 'k' reads or assigns 'dinc', whose direct argument is declared "
               "OP_INC; it is treated as OP_RW\nk.c:65:1: note: declare it OP_RW\n");
    CHECK(!is_sequential);
}

static void test_dim(void)
{
    struct var *n;
    struct var *p;

    begin();
    CHECK(says(with_body(B_BLOCK(b_do(b_assign(at(W, 4), b_real(1))))),
               "error: 'k' uses component 4 of 'w', whose argument has dimension 4\n"));
    begin();
    CHECK(says(with_body(B_BLOCK(b_do(b_assign(at(W, 0), at(R, -1))))), "component -1 of 'r'"));
    begin();
    CHECK(says(with_body(B_BLOCK(b_do(b_compound(BINARY_ADD, row(VEC, 3, 0), b_real(1))))),
               "uses row 3 of 'vec', whose vector argument has 3 rows"));
    begin();
    CHECK(says(with_body(B_BLOCK(b_do(b_compound(BINARY_ADD, row(VEC, 0, 4), b_real(1))))),
               "component 4 of 'vec'"));
    begin();
    n = b_local("n", B_INT, NULL);
    CHECK_TEXT(
        with_body(B_BLOCK(b_count(
            n, 0, 4, b_do(b_assign(b_index(b_var(kernel->param[W]), b_var(n)), b_real(0)))))),
        "");
    begin();
    n = b_local("n", B_INT, NULL);
    CHECK(
        says(with_body(B_BLOCK(b_count(
                 n, 0, 5, b_do(b_assign(b_index(b_var(kernel->param[W]), b_var(n)), b_real(0)))))),
             "component 4 of 'w'"));
    /* Guarded: not every value of n reaches the subscript. */
    begin();
    n = b_local("n", B_INT, NULL);
    CHECK_TEXT(
        with_body(B_BLOCK(b_count(
            n, 0, 5,
            b_if(b_binary(BINARY_LT, b_var(n), b_int(4)),
                 b_do(b_assign(b_index(b_var(kernel->param[W]), b_var(n)), b_real(0))), NULL)))),
        "");
    begin();
    p = b_local("p", b_pointer(B_DOUBLE), b_binary(BINARY_ADD, b_var(kernel->param[W]), b_int(2)));
    CHECK(says(with_body(B_BLOCK(b_decl(p), b_do(b_assign(b_at_index(p, 1), b_real(0))),
                                 b_do(b_assign(b_at_index(p, 2), b_real(0))))),
               "component 4 of 'w'"));
}

static void test_aliases_of_pointers(void)
{
    struct var *p;

    begin();
    p = b_local("p", b_pointer(B_DOUBLE), b_var(kernel->param[R]));
    CHECK(says(with_body(B_BLOCK(b_decl(p), b_do(b_assign(b_at_index(p, 1), b_real(0))))),
               "writes 'r'"));
    /* Assigned again before it is written: no error. */
    begin();
    p = b_local("p", b_pointer(B_DOUBLE), b_var(kernel->param[R]));
    CHECK_TEXT(with_body(B_BLOCK(b_decl(p), b_do(b_assign(b_var(p), b_var(kernel->param[W]))),
                                 b_do(b_assign(b_at_index(p, 1), b_real(0))))),
               "");
    begin();
    p = b_local("p", b_pointer(B_DOUBLE), b_unary(UNARY_ADDRESS, row(VEC, 1, 1)));
    CHECK(says(with_body(B_BLOCK(b_decl(p), b_do(b_assign(at(W, 0), b_at_index(p, 1))))),
               "reads 'vec'"));
    /* On one of two paths it points to what may not be written. */
    begin();
    p = b_local("p", b_pointer(B_DOUBLE), b_var(kernel->param[W]));
    CHECK(says(with_body(B_BLOCK(b_decl(p),
                                 b_if(b_binary(BINARY_GT, at(R, 0), b_real(0)),
                                      b_do(b_assign(b_var(p), b_var(kernel->param[R]))), NULL),
                                 b_do(b_assign(b_at_index(p, 1), b_real(0))))),
               "writes 'r'"));
    /* A walking pointer: its component is not known, its argument is. */
    begin();
    p = b_local("p", b_pointer(B_DOUBLE), b_var(kernel->param[R]));
    CHECK(says(with_body(B_BLOCK(
                   b_decl(p),
                   b_while(b_binary(BINARY_GT, at(R, 0), b_real(0)),
                           b_do(b_assign(b_unary(UNARY_DEREF, b_unary(UNARY_POST_INC, b_var(p))),
                                         b_real(0)))))),
               "writes 'r'"));
}

/* double *rows[2] = {r, w} */
static struct var *rows_of_two(void)
{
    const struct type *type = b_array(b_pointer(B_DOUBLE), 2);

    return b_local(
        "rows", type,
        b_init(type, 2, (struct expr *[]){b_var(kernel->param[R]), b_var(kernel->param[W])}));
}

static struct stmt *zero(struct expr *pointer)
{
    return b_do(b_assign(b_index(pointer, b_int(0)), b_real(0)));
}

/* Elements of a local array are told apart by constant subscripts. One that is not known may be any
 * of them: no error, but no proof either. */
static void test_arrays_of_pointers(void)
{
    static const char doubt[] =
        "k.c:50:1: note: loop 'k' runs sequentially: 'r' may be used against its declared access, "
        "through an array of pointers\n";
    struct var *rows;
    struct var *n;

    begin();
    rows = rows_of_two();
    CHECK_TEXT(with_body(B_BLOCK(b_decl(rows), zero(b_at_index(rows, 1)))), "");
    begin();
    rows = rows_of_two();
    CHECK(says(with_body(B_BLOCK(b_decl(rows), zero(b_at_index(rows, 0)))), "writes 'r'"));
    begin();
    rows = rows_of_two();
    n = b_local("n", B_INT, b_cast(B_INT, at(R, 0)));
    CHECK_TEXT(with_body(B_BLOCK(b_decl(rows), b_decl(n), zero(b_index(b_var(rows), b_var(n))))),
               doubt);
    /* Reading either is right. */
    begin();
    rows = rows_of_two();
    n = b_local("n", B_INT, b_cast(B_INT, at(R, 0)));
    CHECK_TEXT(with_body(B_BLOCK(
                   b_decl(rows), b_decl(n),
                   b_do(b_assign(at(W, 0), b_index(b_index(b_var(rows), b_var(n)), b_int(0)))))),
               "");
    /* An element that is assigned anew, one step behind another pointer. */
    begin();
    rows = rows_of_two();
    CHECK_TEXT(
        with_body(B_BLOCK(b_decl(rows), b_do(b_assign(b_at_index(rows, 0), b_at_index(rows, 1))),
                          zero(b_at_index(rows, 0)))),
        "");
    begin();
    rows = rows_of_two();
    n = b_local("n", B_INT, b_cast(B_INT, at(R, 0)));
    CHECK_TEXT(
        with_body(B_BLOCK(b_decl(rows), b_decl(n),
                          b_do(b_assign(b_index(b_var(rows), b_var(n)), b_var(kernel->param[R]))),
                          zero(b_at_index(rows, 1)))),
        doubt);
}

/* double **all = rows; all[which] written; and the address of one pointer. */
static void test_pointers_to_pointers(void)
{
    struct var *rows;
    struct var *all;
    struct var *p;

    for (int which = 0; which < 2; which++) {
        const char *text;

        begin();
        rows = rows_of_two();
        all = b_local("all", b_pointer(b_pointer(B_DOUBLE)), b_var(rows));
        text = with_body(B_BLOCK(b_decl(rows), b_decl(all), zero(b_at_index(all, which))));
        CHECK(which == 1 ? *text == '\0' : says(text, "writes 'r'"));
    }
    begin();
    p = b_local("p", b_pointer(B_DOUBLE), b_var(kernel->param[W]));
    all = b_local("all", b_pointer(b_pointer(B_DOUBLE)), b_unary(UNARY_ADDRESS, b_var(p)));
    CHECK(says(
        with_body(B_BLOCK(b_decl(p), b_decl(all),
                          b_do(b_assign(b_unary(UNARY_DEREF, b_var(all)), b_var(kernel->param[R]))),
                          zero(b_var(p)))),
        "writes 'r'"));
}

/* A helper is given the array: void put(double **to) { to[1][0] = 0; }, and turn(double **to)
 * { if (to[0][0] > 0) { to[1] = to[0]; return; } to[1] = to[1]; } leaves either pointer in it. */
static void test_helpers_of_pointers(void)
{
    const struct type *type[1];
    const char *name[] = {"to"};
    struct function *put;
    struct var *rows;

    begin();
    type[0] = b_pointer(b_pointer(B_DOUBLE));
    put = b_function("put", b_type(TYPE_VOID), 1, name, type);
    rows = rows_of_two();
    b_body(program, put, B_BLOCK(zero(b_at_index(put->param[0], 1))));
    CHECK_TEXT(
        with_body(B_BLOCK(b_decl(rows), b_do(b_call(put, 1, (struct expr *[]){b_var(rows)})))), "");
    begin();
    type[0] = b_pointer(b_pointer(B_DOUBLE));
    put = b_function("put", b_type(TYPE_VOID), 1, name, type);
    rows = rows_of_two();
    b_body(program, put, B_BLOCK(zero(b_at_index(put->param[0], 1))));
    CHECK(says(with_body(B_BLOCK(b_decl(rows), b_do(b_call(put, 1, (struct expr *[]){b_var(rows)})),
                                 b_do(b_assign(b_at_index(rows, 1), b_var(kernel->param[R]))),
                                 b_do(b_call(put, 1, (struct expr *[]){b_var(rows)})))),
               "'put' writes 'r'"));
    begin();
    type[0] = b_pointer(b_pointer(B_DOUBLE));
    put = b_function("turn", b_type(TYPE_VOID), 1, name, type);
    rows = rows_of_two();
    b_body(
        program, put,
        B_BLOCK(
            b_if(b_binary(BINARY_GT, b_index(b_at_index(put->param[0], 0), b_int(0)), b_real(0)),
                 B_BLOCK(b_do(b_assign(b_at_index(put->param[0], 1), b_at_index(put->param[0], 0))),
                         b_return(NULL)),
                 NULL),
            b_do(b_assign(b_at_index(put->param[0], 1), b_at_index(put->param[0], 1)))));
    CHECK(says(with_body(B_BLOCK(b_decl(rows), b_do(b_call(put, 1, (struct expr *[]){b_var(rows)})),
                                 zero(b_at_index(rows, 1)))),
               "writes 'r'"));
}

/* A pointer set on the way out of a loop by break is what holds behind it. */
static void test_break(void)
{
    struct var *p;
    struct stmt *leave;

    begin();
    p = b_local("p", b_pointer(B_DOUBLE), b_var(kernel->param[W]));
    leave = b_if(
        b_binary(BINARY_GT, at(R, 1), b_real(0)),
        B_BLOCK(b_do(b_assign(b_var(p), b_var(kernel->param[R]))), b_stmt(STMT_BREAK, 0, NULL)),
        NULL);
    CHECK(says(with_body(B_BLOCK(
                   b_decl(p),
                   b_while(b_binary(BINARY_GT, at(R, 0), b_real(0)),
                           B_BLOCK(leave, b_do(b_assign(b_var(p), b_var(kernel->param[W]))))),
                   zero(b_var(p)))),
               "writes 'r'"));
}

/* The pointers of a record are told apart. */
static void test_records_of_pointers(void)
{
    static const char *const field[] = {"n", "a", "b"};

    for (int which = 1; which < 3; which++) {
        const struct type *type;
        const struct type *pointer;
        struct var *pair;
        const char *text;

        begin();
        pointer = b_pointer(B_DOUBLE);
        type = b_record("pair", 3, field, (const struct type *[]){B_INT, pointer, pointer});
        pair = b_local("pair", type,
                       b_init(type, 2, (struct expr *[]){b_int(0), b_var(kernel->param[R])}));
        text = with_body(
            B_BLOCK(b_decl(pair),
                    b_do(b_assign(b_member(b_var(pair), "b", pointer), b_var(kernel->param[W]))),
                    zero(b_member(b_var(pair), field[which], pointer))));
        CHECK(which == 2 ? *text == '\0' : says(text, "writes 'r'"));
    }
}

static struct function *helper(const char *name, struct stmt *(*body)(struct function *))
{
    struct function *made = b_function(name, b_type(TYPE_VOID), 2, (const char *[]){"to", "x"},
                                       (const struct type *[]){b_pointer(B_DOUBLE), B_DOUBLE});

    b_at(3, 7);
    b_body(program, made, body(made));
    b_at(10, 5);
    return made;
}

static struct stmt *adds(struct function *function)
{
    return B_BLOCK(
        b_do(b_compound(BINARY_ADD, b_at_index(function->param[0], 1), b_var(function->param[1]))));
}

static struct stmt *sets(struct function *function)
{
    return B_BLOCK(b_do(b_assign(b_at_index(function->param[0], 1), b_var(function->param[1]))));
}

static struct stmt *call_of(struct function *callee, struct expr *pointer)
{
    return b_do(b_call(callee, 2, (struct expr *[]){pointer, b_real(1)}));
}

static void test_helpers(void)
{
    struct function *callee;
    struct function *modf_function;

    begin();
    callee = helper("add", adds);
    CHECK_TEXT(with_body(B_BLOCK(call_of(callee, b_var(kernel->param[INC])),
                                 call_of(callee, b_unary(UNARY_ADDRESS, at(INC, 2))))),
               "");
    begin();
    callee = helper("set", sets);
    CHECK(says(with_body(B_BLOCK(call_of(callee, b_var(kernel->param[INC])))),
               "k.c:3:7: error: 'set' assigns 'inc', whose argument is declared OP_INC\nk.c:63:1"));
    begin();
    callee = helper("set", sets);
    CHECK(says(with_body(B_BLOCK(call_of(callee, b_unary(UNARY_ADDRESS, at(W, 3))))),
               "'set' uses component 4 of 'w'"));
    begin();
    modf_function = b_math(program, "modf", B_DOUBLE, 2);
    CHECK(says(with_body(B_BLOCK(b_do(b_call(
                   modf_function, 2, (struct expr *[]){b_real(1), b_var(kernel->param[R])})))),
               "writes 'r'"));
}

static void test_calls(void)
{
    struct function *callee;
    struct function *unknown;
    struct expr *call;

    begin();
    unknown = b_function("fopen", B_INT, 0, NULL, NULL);
    CHECK(says(with_body(B_BLOCK(b_do(b_call(unknown, 0, NULL)))),
               "k.c:10:5: error: 'k' calls 'fopen', which has no form on a device\n"));
    begin();
    callee = b_function("again", B_INT, 0, NULL, NULL);
    call = b_call(callee, 0, NULL);
    b_body(program, callee, B_BLOCK(b_return(call)));
    CHECK(says(with_body(B_BLOCK(b_do(b_call(callee, 0, NULL)))),
               "error: 'again' calls itself, directly or through 'again'\n"));
}

static void test_prototype(void)
{
    begin();
    loop->args--;
    CHECK(says(with_body(B_BLOCK(b_do(b_assign(at(W, 0), b_real(0))))),
               "k.c:50:1: error: 'k' has 7 parameters, but the loop has 6 arguments\n"));
    begin();
    loop->arg[R].type = B_FLOAT;
    loop->arg[R].type_name = "float";
    CHECK(says(with_body(B_BLOCK(b_do(b_assign(at(W, 0), b_real(0))))),
               "error: parameter 'r' of 'k' points to 'double', but its argument has type "
               "\"float\"\nk.c:60:1: note:"));
    begin();
    loop->arg[W].is_vector = true;
    CHECK(says(with_body(B_BLOCK(b_do(b_assign(at(RW, 0), b_real(0))))),
               "parameter 'w' of 'k' has type 'double *', but its argument passes 'double **'"));
    begin();
    kernel->opaque_text = "void k(double *r) { goto end; end:; }";
    CHECK_TEXT(finish(false, false), "");
    /* A kernel that could not be read: its parameters' types may be made up. */
    begin();
    kernel->opaque_text = "void k(double *r) { goto end; end:; }";
    loop->sequential_reason = "'k' uses a type that is not known";
    loop->arg[W].type = B_FLOAT;
    CHECK_TEXT(finish(false, false), "");
}

static void test_warnings(void)
{
    begin();
    b_body(program, kernel, B_BLOCK(b_do(b_assign(at(R, 0), b_real(1)))));
    CHECK_TEXT(finish(true, false),
               "k.c:10:5: warning: 'k' writes 'r', whose argument is declared OP_READ\n"
               "k.c:60:1: note: declare it OP_INC if the kernel only accumulates, else OP_RW\n"
               "k.c:50:1: note: loop 'k' runs sequentially: its access errors were accepted as "
               "warnings\n");
    CHECK(is_sequential);
}

/* Arguments a and b name one dat. */
static const char *alias(int a, int b, bool accept)
{
    loop->arg[b].dat = loop->arg[a].dat;
    b_body(program, kernel, B_BLOCK(b_do(b_assign(at(W, 0), b_real(1)))));
    return finish(false, accept);
}

static void test_alias_in_loop(void)
{
    begin();
    b_indirect(&loop->arg[R], 0, 0);
    CHECK_TEXT(alias(RW, R, false),
               "k.c:60:1: warning: 'p_0' is read through a map and modified in the same loop: its "
               "result depends on the order of the elements; the loop runs sequentially\n"
               "k.c:62:1: note: read from a second dat, or give --cleave-alias=accept if the order "
               "does not matter\n");
    CHECK(is_sequential);
    begin();
    b_indirect(&loop->arg[R], 0, 0);
    CHECK_TEXT(alias(RW, R, true), "");
    CHECK(!is_sequential);
    begin();
    b_indirect(&loop->arg[R], 0, 0);
    CHECK(says(alias(INC, R, false), "is read through a map"));
    /* Two increments, two reads, two writers through maps, two direct arguments: legal. */
    begin();
    CHECK_TEXT(alias(INC, VEC, false), "");
    begin();
    CHECK_TEXT(alias(R, RW, false), "");
    begin();
    b_indirect(&loop->arg[W], 0, 0);
    b_indirect(&loop->arg[RW], 0, 1);
    CHECK_TEXT(alias(W, RW, false), "");
}

static void test_min_and_payload(void)
{
    begin();
    loop->arg[GBL].declared = ACCESS_MIN;
    loop->arg[GBL].access = ACCESS_MIN;
    CHECK_TEXT(
        with_body(B_BLOCK(b_do(b_assign(
            at(GBL, 0), b_cond(b_binary(BINARY_LT, at(R, 0), at(GBL, 0)), at(R, 0), at(GBL, 0)))))),
        "");
    begin();
    loop->arg[W].kind = ARG_INFO;
    loop->arg[W].declared = ACCESS_READ;
    CHECK_TEXT(with_body(B_BLOCK(b_do(b_assign(at(W, 0), b_real(1))))), "");
}

int main(void)
{
    test_read();
    test_increment();
    test_increment_forms();
    test_switch();
    test_truncated();
    test_direct_increment();
    test_dim();
    test_aliases_of_pointers();
    test_arrays_of_pointers();
    test_pointers_to_pointers();
    test_helpers_of_pointers();
    test_break();
    test_records_of_pointers();
    test_helpers();
    test_calls();
    test_prototype();
    test_warnings();
    test_alias_in_loop();
    test_min_and_payload();
    free(said);
    return CHECK_RESULT();
}
