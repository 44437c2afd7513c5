/* check.c: a right program passes loop_ir_check(), and each broken rule is named. A case breaks one
 * thing in a program made afresh.
 */
#include "build.h"
#include "check.h"

static struct program *program;
static struct function *kernel;
static struct function *helper;
static struct function *root;
static struct loop *loop;
static struct var *local;
static struct var *weight;
static struct stmt *body;

/* double twice(double x) { return sqrt(x); }
 * void k(double *q, struct point *s) { double t = weight; for (...) q[0] += twice(t); s->x = t; }
 */
static void begin(void)
{
    const struct type *record;
    const struct type *real;
    struct var *n;

    program = b_program();
    real = B_DOUBLE;
    record = b_record("point", 1, (const char *[]){"x"}, &real);
    program->record[program->records++] = (struct record *)record->record;
    weight = b_table(program, "weight", real, b_real(0.5));
    root = b_math(program, "std::sqrt", real, 1);
    helper = b_function("twice", real, 1, (const char *[]){"x"}, &real);
    b_body(program, helper,
           B_BLOCK(b_return(b_call(root, 1, (struct expr *[]){b_var(helper->param[0])}))));
    kernel = b_function("k", b_type(TYPE_VOID), 2, (const char *[]){"q", "s"},
                        (const struct type *[]){b_pointer(real), b_pointer(record)});
    local = b_local("t", real, b_var(weight));
    n = b_local("n", B_INT, NULL);
    b_at(7, 3);
    body = B_BLOCK(b_decl(local),
                   b_count(n, 0, 4,
                           b_do(b_compound(BINARY_ADD, b_at_index(kernel->param[0], 0),
                                           b_call(helper, 1, (struct expr *[]){b_var(local)})))),
                   b_do(b_assign(b_member(b_var(kernel->param[1]), "x", real), b_var(local))));
    b_body(program, kernel, body);
    loop = b_loop(program, kernel);
    b_indirect(b_arg(loop, ACCESS_INC, 4), 0, 1);
    b_arg(loop, ACCESS_RW, 1);
}

/* The message of the check must hold `part`; NULL: there is none. */
static void expect_at(int line, const char *part)
{
    const char *message = loop_ir_check(program);
    bool ok = part == NULL ? message == NULL : message != NULL && strstr(message, part) != NULL;

    if (!ok) {
        fprintf(stderr, "check.c:%d: \"%s\", not \"%s\"\n", line,
                message != NULL ? message : "(null)", part != NULL ? part : "(null)");
    }
    CHECK(ok);
    b_program_free(program);
    begin();
}
#define EXPECT(part) expect_at(__LINE__, part)

static void test_lists(void)
{
    begin();
    EXPECT(NULL);
    program->unit = NULL;
    EXPECT("a source and a unit");
    program->records = 0;
    EXPECT("its record type is not in the program's list");
    program->record[0]->name = "a b";
    EXPECT("record 'a b': its name is no identifier");
    program->record[program->records++] = program->record[0];
    EXPECT("record 'point' is listed twice");
    program->globals = 0;
    EXPECT("global 'weight', used by 'k', is not listed");
    weight->init = NULL;
    EXPECT("table 'weight' has no value");
    weight->storage = STORAGE_LOCAL;
    EXPECT("global 'weight': its storage is neither GLOBAL nor TABLE");
    program->function[1] = program->function[2];
    program->functions = 2;
    EXPECT("function 'twice', called by 'k', is not listed");
    program->function[1] = kernel;
    program->function[2] = helper;
    EXPECT("function 'k' comes before 'twice', which it calls");
    helper->name = "k";
    EXPECT("two functions have the name 'k'");
    b_program_free(program);
}

static void test_functions(void)
{
    begin();
    helper->name = "a::b";
    EXPECT("function 'a::b': its name is no identifier");
    helper->opaque_text = "double twice(double x);";
    EXPECT("function 'twice': a user's function has either a tree or a text");
    helper->body = NULL;
    EXPECT("function 'twice': a user's function has either a tree or a text");
    helper->result = NULL;
    EXPECT("has no name or no result type");
    kernel->param[1]->index = 0;
    EXPECT("function 'k': parameter 1 has storage PARAM");
    kernel->param[1]->name = "q";
    EXPECT("function 'k' has two parameters 'q'");
    kernel->callees = 0;
    EXPECT("'k', 7:3: EXPR_CALL: its callee is not in the function's list");
    kernel->callee[kernel->callees++] = root;
    EXPECT("function 'k' lists callee 'std::sqrt' but calls it nowhere");
    kernel->globals = 0;
    EXPECT("EXPR_VAR: 'weight': its global is not in the function's list");
    b_program_free(program);
}

static void test_trees(void)
{
    struct expr *call;

    begin();
    body->kid[0]->kind = STMT_NOTHING;
    EXPECT("EXPR_VAR: 't': its local variable is declared nowhere before it");
    local->name = "int t";
    EXPECT("local variable 'int t': its name is no identifier");
    body->kid[2]->expr = NULL;
    EXPECT("'k', 7:3: STMT_EXPR: has no expression");
    body->kid[1]->kind = STMT_WHILE;
    EXPECT("STMT_WHILE: has 2 statements below it");
    body->kid[1]->kid[0] = b_stmt(STMT_BREAK, 0, NULL);
    EXPECT("STMT_FOR: starts with declarations, an expression or nothing");
    body->kid[0] = b_stmt(STMT_CONTINUE, 0, NULL);
    EXPECT("STMT_CONTINUE: stands in a loop");
    body->kid[2] = NULL;
    EXPECT("'k': a missing statement");
    body->kid[2]->expr->type = NULL;
    EXPECT("EXPR_ASSIGN: has no type");
    body->kid[2]->expr->kids = 1;
    EXPECT("EXPR_ASSIGN: has 1 operands, needs 2");
    body->kid[2]->expr->kid[1] = NULL;
    EXPECT("'k': a missing expression");
    body->kid[2]->expr->kid[1] = b_int(1);
    EXPECT("EXPR_ASSIGN: both operands have one type: conversions are EXPR_CAST");
    body->kid[2]->expr->kid[0]->text = "y";
    EXPECT("EXPR_MEMBER: the record has no such field");
    call = body->kid[1]->kid[1]->expr->kid[1];
    call->kids = 0;
    EXPECT("EXPR_CALL: as many arguments as the callee has parameters");
    body->kid[1]->kid[1]->expr->compute = NULL;
    EXPECT("EXPR_ASSIGN: a compound assignment has a compute type");
    helper->body = B_BLOCK(b_return(b_int(1)));
    helper->callees = 0;
    EXPECT("STMT_RETURN: its value has the function's type");
    helper->body = B_BLOCK(b_return(b_var(kernel->param[0])));
    helper->callees = 0;
    EXPECT("EXPR_VAR: 'q': its parameter is not one of this function");
    local->init = b_single(0.1f);
    local->init->value = 0.1;
    EXPECT("EXPR_FLOAT: its value is exact for its type");
    b_program_free(program);
}

static void test_switch(void)
{
    begin();
    body->kid[2] = b_switch(b_int(1), B_BLOCK(b_case(b_int(1), b_int(2)),
                                              b_stmt(STMT_BREAK, 0, NULL), b_case(NULL, NULL)));
    EXPECT(NULL);
    body->kid[2] = b_switch(b_var(local), B_BLOCK(b_case(b_int(1), NULL)));
    EXPECT("STMT_SWITCH: has an integer and a block");
    body->kid[2] = b_switch(b_int(1), b_stmt(STMT_BREAK, 0, NULL));
    EXPECT("STMT_SWITCH: has an integer and a block");
    body->kid[2] = b_switch(b_int(1), B_BLOCK(b_case(b_integer(b_type(TYPE_LONG), 1), NULL)));
    EXPECT("STMT_CASE: its value has the type of the switch");
    body->kid[2] = b_switch(b_int(1), B_BLOCK(b_case(b_real(1), NULL)));
    EXPECT("STMT_CASE: its value is a constant");
    body->kid[2] = b_switch(b_int(1), B_BLOCK(b_case(NULL, b_int(1))));
    EXPECT("STMT_CASE: has no first value");
    body->kid[2] = b_switch(b_int(1), B_BLOCK(B_BLOCK(b_case(b_int(1), NULL))));
    EXPECT("STMT_CASE: stands in the block of a switch");
    body->kid[2] = b_switch(b_int(1), B_BLOCK(b_stmt(STMT_CONTINUE, 0, NULL)));
    EXPECT("STMT_CONTINUE: stands in a loop");
    body->kid[2] = b_stmt(STMT_BREAK, 0, NULL);
    EXPECT("STMT_BREAK: stands in a loop");
    b_program_free(program);
}

/* One schedule of one stage, whose body is `crossed = twice(place);`. */
static struct expr *add_stage(struct var *crossed)
{
    struct expr *place = b_expr(EXPR_PLACE, B_DOUBLE, 0, NULL);
    struct schedule *schedule = arena_alloc(program->arena, sizeof(*schedule));
    struct expr *value = b_call(helper, 1, &place);

    place->place = (struct place){0, 0, 3};
    place->var = kernel->param[0];
    schedule->stages = 1;
    schedule->stage = arena_alloc(program->arena, sizeof(*schedule->stage));
    schedule->stage[0].name = "contribution 1";
    schedule->stage[0].body = B_BLOCK(b_do(b_assign(b_var(crossed), value)));
    schedule->crossings = 1;
    schedule->crossing = arena_alloc(program->arena, sizeof(*schedule->crossing));
    schedule->crossing[0] = crossed;
    loop->schedules = 1;
    loop->schedule = schedule;
    return place;
}

static void test_stages(void)
{
    begin();
    add_stage(b_local("f", B_DOUBLE, NULL));
    EXPECT(NULL);
    add_stage(b_local("f", B_DOUBLE, NULL));
    loop->schedule->crossings = 0;
    EXPECT("'contribution 1', 7:3: EXPR_VAR: 'f': its local variable is declared nowhere");
    add_stage(b_local("f", B_DOUBLE, NULL))->place.component = 4;
    EXPECT("EXPR_PLACE: its argument has such a column and component");
    add_stage(b_local("f", B_DOUBLE, NULL))->place.column = 1;
    EXPECT("EXPR_PLACE: its argument has such a column and component");
    add_stage(b_local("f", B_DOUBLE, NULL))->place.arg = 1;
    EXPECT("EXPR_PLACE: its argument is the one of its parameter");
    add_stage(b_local("f", B_DOUBLE, NULL));
    loop->schedule->stage[0].body = b_return(NULL);
    EXPECT("STMT_RETURN: stands in no stage");
    body->kid[0] = b_do(add_stage(b_local("f", B_DOUBLE, NULL)));
    EXPECT("EXPR_PLACE: stands in the body of a stage only");
    b_program_free(program);
}

static void test_loops(void)
{
    begin();
    loop->id = "k 1";
    EXPECT("loop 'k 1': its name is no identifier");
    b_loop(program, kernel)->id = loop->id;
    EXPECT("two loops have the id 'k_1'");
    loop->signature = NULL;
    EXPECT("loop 'k_1': has a name, a call text");
    loop->kernel = NULL;
    EXPECT("loop 'k_1': without a kernel it has a reason to be sequential");
    loop->kernel = NULL;
    loop->sequential_reason = "its body is not visible";
    EXPECT(NULL);
    loop->args = 1;
    EXPECT("loop 'k_1': its kernel has as many parameters as it has arguments");
    loop->arg[0].type = NULL;
    EXPECT("loop 'k_1', arg 0: has no type");
    loop->arg[0].dim = 0;
    EXPECT("arg 0: its dim is at least 1");
    loop->arg[1].declared = ACCESS_INC;
    loop->arg[1].access = ACCESS_INC;
    EXPECT("arg 1: its access is what was declared, or follows from what the kernel does");
    loop->arg[0].dat = -1;
    EXPECT("arg 0: a dat has a class");
    loop->arg[0].map = -1;
    EXPECT("arg 0: an indirect argument has a map");
    loop->arg[0].map_index = -2;
    EXPECT("arg 0: an indirect argument that is no vector has a column");
    loop->arg[0].columns = 2;
    EXPECT("arg 0: an argument that is no vector has 1 column");
    loop->arg[0].is_vector = true;
    loop->arg[0].columns = 0;
    EXPECT("arg 0: a vector argument has columns");
    loop->arg[1].map = 1;
    EXPECT("arg 1: a direct argument has no map");
    loop->arg[1].kind = ARG_INFO;
    loop->arg[1].info_of = 0;
    loop->arg[1].declared = ACCESS_WRITE;
    loop->arg[1].access = ACCESS_WRITE;
    EXPECT("arg 1: a payload goes with an OP_MIN or OP_MAX argument");
    b_program_free(program);
}

int main(void)
{
    test_lists();
    test_functions();
    test_trees();
    test_switch();
    test_stages();
    test_loops();
    return CHECK_RESULT();
}
