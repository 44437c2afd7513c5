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
    struct var *rows;
    const struct type *rows_type;

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
    /* A local array of pointers: which one is meant is in doubt, so it is no error. */
    begin();
    rows_type = b_array(b_pointer(B_DOUBLE), 2);
    rows = b_local(
        "rows", rows_type,
        b_init(rows_type, 2, (struct expr *[]){b_var(kernel->param[R]), b_var(kernel->param[W])}));
    CHECK_TEXT(with_body(B_BLOCK(b_decl(rows), b_do(b_assign(b_index(b_at_index(rows, 1), b_int(0)),
                                                             b_real(0))))),
               "k.c:50:1: note: loop 'k' runs sequentially: 'r' may be used against its declared "
               "access, through an array of pointers\n");
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

static void test_recogniser(void)
{
    struct increment increment;
    struct stmt *list;
    struct var *n;

    begin();
    list = increments();
    for (int k = 0; k < list->kids - 1; k++) {
        CHECK(access_is_increment(list->kid[k], kernel, &increment));
    }
    CHECK(!access_is_increment(list->kid[list->kids - 1], kernel, &increment));
    CHECK(access_is_increment(list->kid[1], kernel, &increment));
    CHECK(increment.param == INC && increment.component == 1 && increment.negative);
    CHECK(increment.column == 0 && increment.value != NULL);
    CHECK(access_is_increment(list->kid[3], kernel, &increment) && !increment.negative);
    CHECK(increment.component == 2 && increment.value == list->kid[3]->expr->kid[1]->kid[0]);
    CHECK(access_is_increment(list->kid[5], kernel, &increment) && increment.value == NULL);
    CHECK(access_is_increment(list->kid[8], kernel, &increment));
    CHECK(increment.param == VEC && increment.component == 3 && increment.column == 2);
    CHECK(access_is_increment(list->kid[9], kernel, &increment) && increment.component == 0);
    n = b_local("n", B_INT, NULL);
    CHECK(access_is_increment(
        b_do(b_compound(BINARY_ADD, b_index(b_var(kernel->param[INC]), b_var(n)), b_real(1))),
        kernel, &increment));
    CHECK(increment.component == -1);
    CHECK(!access_is_increment(b_do(b_compound(BINARY_ADD, at(INC, 0), at(INC, 1))), kernel,
                               &increment));
    CHECK(!access_is_increment(b_do(b_assign(at(INC, 0), at(R, 1))), kernel, &increment));
    CHECK(!access_is_increment(b_do(b_unary(UNARY_POST_INC, b_var(kernel->param[INC]))), kernel,
                               &increment));
    CHECK(
        !access_is_increment(b_do(b_assign(at(INC, 0), b_binary(BINARY_SUB, at(R, 0), at(INC, 0)))),
                             kernel, &increment));
    b_program_free(program);
}

int main(void)
{
    test_read();
    test_increment();
    test_direct_increment();
    test_dim();
    test_aliases_of_pointers();
    test_helpers();
    test_calls();
    test_prototype();
    test_warnings();
    test_alias_in_loop();
    test_min_and_payload();
    test_recogniser();
    free(said);
    return CHECK_RESULT();
}
