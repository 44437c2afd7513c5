/* api.c: the OP2 API with the sequential reference, as programs without cleavecc use it. Also
 * compiled as C++ (api.cpp): all of it must mean the same there. */
#include "op_seq.h"

#include "check.h"

#include <malloc.h>

/* A chain of 4 edges over 5 nodes; edge 3 names node 4 twice. */
static int chain[8] = {0, 1, 1, 2, 2, 3, 4, 4};
static double x_values[5] = {1.0, 2.0, 4.0, 8.0, 16.0};

static op_set nodes;
static op_set edges;
static op_map ends;
static op_dat x;

static void declare(void)
{
    int map[8];
    double values[5];
    memcpy(map, chain, sizeof map);
    memcpy(values, x_values, sizeof values);
    nodes = op_decl_set(5, "nodes");
    edges = op_decl_set(4, "edges");
    ends = op_decl_map(edges, nodes, 2, map, "ends");
    x = op_decl_dat(nodes, 1, "double", values, "x");
    memset(map, 0xff,
           sizeof map); /* copies: what happens to the arrays now is the program's affair */
    memset(values, 0xff, sizeof values);
}

static void test_public_fields(void)
{
    CHECK(nodes->index == 0 && edges->index == 1);
    CHECK(nodes->size == 5 && nodes->core_size == 5);
    CHECK(nodes->exec_size == 0 && nodes->nonexec_size == 0);
    CHECK_TEXT(nodes->name, "nodes");
    CHECK(ends->index == 0 && ends->from == edges && ends->to == nodes && ends->dim == 2);
    CHECK(memcmp(ends->map, chain, sizeof chain) == 0);
    CHECK_TEXT(ends->name, "ends");
    CHECK(x->index == 0 && x->set == nodes && x->dim == 1 && x->size == (int)sizeof(double));
    CHECK(memcmp(x->data, x_values, sizeof x_values) == 0);
    CHECK_TEXT(x->type, "double");
    CHECK_TEXT(x->name, "x");
    CHECK(op_get_size(nodes) == 5);
    CHECK(op_is_root() == 1);
}

/* ---- kernels ----------------------------------------------------------------------------- */

static void spread(const double *a, const double *b, double *to_a, double *to_b)
{
    *to_a += *b;
    *to_b += *a;
}

static void sum_vector(double **ends_of, double *sum)
{
    *sum = ends_of[0][0] + 10.0 * ends_of[1][0];
}

static void twice(const double *from, double *to)
{
    *to = 2.0 * *from;
}

static void maybe(const double *off, double *on, const double *global)
{
    *on += off == NULL && global == NULL ? 1.0 : 100.0;
}

static void numbers(const int *element, const int *second, int *out)
{
    out[0] = *element;
    out[1] = *second;
}

static void extremes(const double *value, const int *number, double *least, double *most,
                     int *where, double *sum)
{
    *least = MIN(*least, *value);
    if (*value > *most) {
        *most = *value;
        *where = *number;
    }
    *sum += *value;
}

static int calls;

static void count_calls(void)
{
    calls++;
}

/* ---- loops ------------------------------------------------------------------------------- */

static void test_repeated_target(void)
{
    double sum[5];
    op_dat res = op_decl_dat(nodes, 1, "double", (double *)NULL, "res");
    op_par_loop(spread, "spread", edges, op_arg_dat(x, 0, ends, 1, "double", OP_READ),
                op_arg_dat(x, 1, ends, 1, "double", OP_READ),
                op_arg_dat(res, 0, ends, 1, "double", OP_INC),
                op_arg_dat(res, 1, ends, 1, "double", OP_INC));
    op_fetch_data(res, sum);
    CHECK(sum[0] == 2.0 && sum[1] == 5.0 && sum[2] == 10.0 && sum[3] == 4.0);
    CHECK(sum[4] == 32.0); /* both increments of edge 3 land */
}

static void test_vector(void)
{
    op_dat sum = op_decl_dat(edges, 1, "double", NULL, "sum");
    op_par_loop(sum_vector, "sum_vector", edges, op_arg_dat(x, -2, ends, 1, "double", OP_READ),
                op_arg_dat(sum, -1, OP_ID, 1, "double", OP_WRITE));
    const double *got = (const double *)(void *)sum->data;
    CHECK(got[0] == 21.0 && got[1] == 42.0 && got[2] == 84.0 && got[3] == 176.0);
}

static void test_optional(void)
{
    double value = 5.0;
    op_dat count = op_decl_dat(nodes, 1, "double", NULL, "count");
    op_par_loop(maybe, "off", nodes, op_opt_arg_dat(0, NULL, -1, OP_ID, 1, "double", OP_READ),
                op_opt_arg_dat(1, count, -1, OP_ID, 1, "double", OP_RW),
                op_opt_arg_gbl(0, &value, 1, "double", OP_READ));
    op_par_loop(maybe, "on", nodes, op_opt_arg_dat(1, x, -1, OP_ID, 1, "double", OP_READ),
                op_opt_arg_dat(1, count, -1, OP_ID, 1, "double", OP_RW),
                op_opt_arg_gbl(1, &value, 1, "double", OP_READ));
    CHECK(((double *)(void *)count->data)[4] == 101.0);
}

static void test_index(void)
{
    op_dat out = op_decl_dat(edges, 2, "int", NULL, "out");
    op_par_loop(numbers, "numbers", edges, op_arg_idx(-1, OP_ID), op_arg_idx(1, ends),
                op_arg_dat(out, -1, OP_ID, 2, "int", OP_WRITE));
    const int *got = (const int *)(void *)out->data;
    for (int e = 0; e < 4; e++) {
        CHECK(got[2 * e] == e && got[2 * e + 1] == chain[2 * e + 1]);
    }
}

static void test_reductions(void)
{
    double least = 3.0;
    double most = 3.0;
    double sum = 100.0;
    int where = -1;
    op_par_loop(extremes, "extremes", nodes, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_idx(-1, OP_ID), op_arg_gbl(&least, 1, "double", OP_MIN),
                op_arg_gbl(&most, 1, "double", OP_MAX), op_arg_info(&where, 1, "int", 3),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    CHECK(least == 1.0 && most == 16.0 && where == 4 && sum == 131.0);
}

static void test_no_arguments(void)
{
    calls = 0;
    op_par_loop(count_calls, "count", nodes);
    CHECK(calls == 5);
}

static void test_statement(void)
{
    int taken = 0;
    calls = 0;
    if (calls > 0) {
        op_par_loop(count_calls, "count", nodes);
    } else {
        taken = 1;
    }
    CHECK(taken == 1 && calls == 0);
    for (int i = 0; i < 2; i++) {
        op_par_loop(count_calls, "count", nodes);
    }
    CHECK(calls == 10);
}

static void test_empty(void)
{
    double sum = 7.0;
    op_set none = op_decl_set(0, "none");
    op_map map = op_decl_map(none, nodes, 1, NULL, "map");
    op_dat dat = op_decl_dat(none, 3, "float", NULL, "dat");
    op_par_loop(twice, "twice", none, op_arg_dat(x, 0, map, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    CHECK(sum == 7.0);
    op_fetch_data(dat, NULL);
    CHECK(op_get_size(none) == 0);
}

static void test_temporary(void)
{
    double *no_data = NULL;
    double sum[5];
    for (int round = 0; round < 3; round++) {
        op_dat temp = op_decl_dat_temp(nodes, 1, "double", no_data, "temp");
        CHECK(((double *)(void *)temp->data)[0] == 0.0);
        op_par_loop(twice, "twice", nodes, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(temp, -1, OP_ID, 1, "double", OP_WRITE));
        op_fetch_data(temp, sum);
        CHECK(sum[4] == 32.0);
        CHECK(op_free_dat_temp(temp) == 0);
    }
    op_dat sized = op_decl_dat_temp_char(nodes, 2, "float", 4, "sized");
    CHECK(sized->size == 8);
    op_free_dat_temp_char(sized);
}

/* A program that frees dats in every time step does not grow. */
static void test_many_temporaries(void)
{
    double *no_data = NULL;
    size_t before = 0;
    for (int step = 0; step < 20000; step++) {
        if (step == 5000) {
            before = mallinfo2().uordblks;
        }
        op_free_dat_temp(op_decl_dat_temp(nodes, 1, "double", no_data, "temp"));
    }
    CHECK(mallinfo2().uordblks < before + 100000);
}

static void test_fetch(void)
{
    double part[3] = {0.0, 0.0, 0.0};
    op_fetch_data_idx(x, part, 1, 3);
    CHECK(part[0] == 2.0 && part[1] == 4.0 && part[2] == 8.0);
    op_get_data(x);
    ((double *)(void *)x->data)[0] = 64.0;
    op_put_data(x);
    op_fetch_data_idx(x, part, 0, 0);
    CHECK(part[0] == 64.0);
    ((double *)(void *)x->data)[0] = 1.0;
    op_put_data(x);
}

static void test_types(void)
{
    float f[5] = {0};
    int i[5] = {0};
    uint u[5] = {0};
    long l[5] = {0};
    ll q[5] = {0};
    ull p[5] = {0};
    bool b[5] = {false};
    int64_t fixed[5] = {0};
    CHECK(op_decl_dat(nodes, 1, "float", f, "f")->size == 4);
    CHECK(op_decl_dat(nodes, 1, "int", i, "i")->size == 4);
    CHECK(op_decl_dat(nodes, 1, "uint", u, "u")->size == 4);
    CHECK(op_decl_dat(nodes, 1, "long", l, "l")->size == (int)sizeof(long));
    CHECK(op_decl_dat(nodes, 1, "ll", q, "q")->size == 8);
    CHECK(op_decl_dat(nodes, 1, "ull", p, "p")->size == 8);
    CHECK(op_decl_dat(nodes, 1, "bool", b, "b")->size == 1);
    CHECK(op_decl_dat(nodes, 1, "ll", fixed, "fixed")->size == 8);
    CHECK_TEXT(op_decl_dat(nodes, 1, "float:soa", f, "soa")->type, "float");
    CHECK(op_decl_dat_char(nodes, 2, "float", 4, (char *)NULL, "sized")->size == 8);
    CHECK(op_decl_dat_char(nodes, 2, "complex", 16, (char *)NULL, "other")->size == 32);
}

static void test_constants(void)
{
    double gam = 1.4;
    double qinf[4] = {1, 2, 3, 4};
    op_decl_const(1, "double", &gam);
    op_decl_const(4, "double", qinf);
    op_decl_const_char(1, "double", 8, (char *)&gam, "gam");
    if (gam > 0.0) {
        op_decl_const(1, "double", &gam);
    } else {
        gam = 1.0;
    }
    CHECK(gam == 1.4);
}

static void test_hints(void)
{
    op_partition(NULL, NULL, NULL, NULL, NULL);
    op_partition("PTSCOTCH", "KWAY", edges, ends, x);
    op_renumber(ends);
    CHECK(memcmp(ends->map, chain, sizeof chain) == 0);
}

static void test_helpers(void)
{
    double cpu;
    double before;
    double after;
    int *memory = (int *)op_malloc(4 * sizeof(int));
    memory = (int *)op_realloc(memory, 8 * sizeof(int));
    CHECK(memory != NULL);
    op_free(memory);
    memory = (int *)op_calloc(2, sizeof(int));
    CHECK(memory != NULL && memory[1] == 0);
    op_free(memory);
    op_timers(&cpu, &before);
    op_timers_core(&cpu, &after);
    CHECK(after >= before && cpu >= 0.0);
    op_timers(NULL, NULL);
    op_printf("%s\n", "op_printf");
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    declare();
    test_public_fields();
    test_repeated_target();
    test_vector();
    test_optional();
    test_index();
    test_reductions();
    test_no_arguments();
    test_statement();
    test_empty();
    test_temporary();
    test_many_temporaries();
    test_fetch();
    test_types();
    test_constants();
    test_hints();
    test_helpers();
    op_exit();
    return CHECK_RESULT();
}
