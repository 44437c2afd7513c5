/* dump.c: the text of --cleave-dump=loops, as pass/ir/FORMAT.md describes it. */
#include <stdlib.h>

#include "build.h"
#include "check.h"

static const char expected[] =
    "program \"k.c\" unit 0123456789abcdef language c\n"
    "record struct point\n"
    "  field x double[3]\n"
    "constant gam double external at k.c:1:1\n"
    "table w int[2] = (init:int[2] 1 2) at k.c:1:1\n"
    "function sqrt math at k.c:1:1\n"
    "  result double\n"
    "  param x double\n"
    "function k_2 user at k.c:7:3\n"
    "  name k\n"
    "  result void\n"
    "  param q const.double*\n"
    "  param r double**\n"
    "  calls sqrt\n"
    "  uses gam\n"
    "  body\n"
    "    block\n"
    "      decl t:double = (call.sqrt:double (mul:double gam (as:double 2)))\n"
    "      for (lt:int n 4) ; (postinc:int n)\n"
    "        decl n:int = 0\n"
    "        expr (set-add:double (index:double (index:double* r 1) n) t)\n"
    "      if (lt:int 1 2)\n"
    "        block\n"
    "      else\n"
    "        return\n"
    "      switch 3\n"
    "        block\n"
    "          case 1 ... 4\n"
    "          default\n"
    "          expr (place 1 0 1)\n"
    "function taken user at k.c:7:3\n"
    "  result void\n"
    "  opaque it has a goto at k.c:9:9\n"
    "loop k_2_1 at k.c:7:3\n"
    "  name \"k\"\n"
    "  kernel k_2\n"
    "  set \"cells\"\n"
    "  call \"text\"\n"
    "  signature \"pattern\"\n"
    "  arg 0 dat \"p_0\" class 0 OP_INC as OP_RW dim unknown type double optional at k.c:7:3\n"
    "  arg 1 dat \"p_1\" class 1 OP_INC dim 2 type double soa map \"pcell\" class 0 columns 4 "
    "at k.c:7:3\n"
    "  arg 2 info \"p_2\" OP_READ dim 2 type double of 0 with 0,-1 at k.c:7:3\n"
    "  arg 3 global \"p_3\" OP_MAX dim 1 type double last at k.c:7:3\n"
    "  sequential because\n";

static void add_kernel(struct program *program)
{
    struct function *root = b_math(program, "sqrt", B_DOUBLE, 1);
    const struct type *type[] = {b_pointer(b_const(B_DOUBLE)), b_pointer(b_pointer(B_DOUBLE))};
    struct var *n = b_local("n", B_INT, NULL);
    struct expr *product =
        b_binary(BINARY_MUL, b_var(program->global[0]), b_implicit(B_DOUBLE, b_int(2)));
    struct var *t = b_local("t", B_DOUBLE, b_call(root, 1, &product));
    struct expr *place = b_expr(EXPR_PLACE, B_DOUBLE, 0, NULL);
    struct function *kernel;

    place->place = (struct place){1, 0, 1};
    b_at(7, 3);
    kernel = b_function("k_2", b_type(TYPE_VOID), 2, (const char *[]){"q", "r"}, type);
    kernel->user_name = "k";
    b_body(program, kernel,
           B_BLOCK(b_decl(t),
                   b_count(n, 0, 4,
                           b_do(b_compound(BINARY_ADD,
                                           b_index(b_at_index(kernel->param[1], 1), b_var(n)),
                                           b_var(t)))),
                   b_if(b_binary(BINARY_LT, b_int(1), b_int(2)), b_stmt(STMT_BLOCK, 0, NULL),
                        b_return(NULL)),
                   b_switch(b_int(3),
                            B_BLOCK(b_case(b_int(1), b_int(4)), b_case(NULL, NULL), b_do(place)))));
}

static void add_loop(struct program *program)
{
    struct loop *loop = b_loop(program, program->function[1]);
    struct arg *arg = b_arg(loop, ACCESS_INC, -1);
    static const int goes_with[] = {0, -1};

    arg->access = ACCESS_RW;
    arg->is_optional = true;
    arg = b_indirect(b_arg(loop, ACCESS_INC, 2), 0, -4);
    arg->is_vector = true;
    arg->columns = 4;
    arg->is_soa = true;
    arg = b_arg(loop, ACCESS_READ, 1);
    arg->kind = ARG_INFO;
    arg->dat = -1;
    arg->info_of = 0;
    arg->goes_with = goes_with;
    arg->dim = 3;
    arg->flags = 1;
    arg = b_arg(loop, ACCESS_MAX, 1);
    arg->kind = ARG_GLOBAL;
    arg->dat = -1;
    arg->ties = TIES_LAST;
    loop->sequential_reason = "because";
}

int main(void)
{
    struct program *program = b_program();
    const struct type *field = b_array(B_DOUBLE, 3);
    const struct type *record = b_record("point", 1, (const char *[]){"x"}, &field);
    const struct type *pair = b_array(B_INT, 2);
    struct function *taken;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    program->record[program->records++] = (struct record *)record->record;
    b_global(program, "gam", B_DOUBLE)->is_external = true;
    b_table(program, "w", pair, b_init(pair, 2, (struct expr *[]){b_int(1), b_int(2)}));
    add_kernel(program);
    taken = b_function("taken", b_type(TYPE_VOID), 0, NULL, NULL);
    taken->opaque_text = "void taken(void) { goto end; end:; }";
    taken->opaque_reason = "it has a goto";
    taken->opaque_loc = (struct loc){"k.c", 9, 9};
    program->function[program->functions++] = taken;
    add_loop(program);
    loop_ir_print(out, program);
    fclose(out);
    CHECK_TEXT(text, expected);
    free(text);
    b_program_free(program);
    return CHECK_RESULT();
}
