/* access_pointers.c: the access check follows pointers to the arguments: through locals, arrays and
 * records of pointers, helpers, and out of loops.
 */
#include "access_case.h"
#include "check.h"

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

int main(void)
{
    test_aliases_of_pointers();
    test_arrays_of_pointers();
    test_pointers_to_pointers();
    test_helpers_of_pointers();
    test_break();
    test_records_of_pointers();
    case_end();
    return CHECK_RESULT();
}
