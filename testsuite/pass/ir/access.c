/* access.c: what a kernel may do with its arguments by their access, in its own body and through
 * helpers: each rule of the access check on kernels built by hand. What it knows of pointers is in
 * access_pointers.c.
 */
#include "access_case.h"
#include "check.h"

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

/* Statements that look like an increment and are none. */
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
               "k.c:10:5: error: 'k' calls 'fopen', whose body is not visible here\n"));
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
    b_body(program, kernel,
           B_BLOCK(b_do(b_assign(at(W, 0), b_real(1))), b_do(b_assign(at(RW, 0), b_real(1)))));
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
    loop->arg[W].declared = ACCESS_WRITE;
    loop->arg[W].info_of = GBL;
    loop->arg[GBL].access = ACCESS_MAX;
    loop->arg[GBL].declared = ACCESS_MAX;
    CHECK_TEXT(with_body(B_BLOCK(b_if(b_binary(BINARY_GT, at(R, 0), at(GBL, 0)),
                                      B_BLOCK(b_do(b_assign(at(GBL, 0), at(R, 0))),
                                              b_do(b_assign(at(W, 0), b_real(1)))),
                                      NULL))),
               "");
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
    test_helpers();
    test_calls();
    test_prototype();
    test_warnings();
    test_alias_in_loop();
    test_min_and_payload();
    case_end();
    return CHECK_RESULT();
}
