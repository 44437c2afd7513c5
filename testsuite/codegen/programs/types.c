/* types.c: every type in every access, direct, through a map and as a global. */
#include "mesh.h"

#define KERNELS_OF(type, word)                                                                     \
    static void add_##word(const type *w, const type *a, type *b, type *c, type *sum)              \
    {                                                                                              \
        b[0] += w[0] + a[0];                                                                       \
        c[0] += a[0];                                                                              \
        c[1] += w[0];                                                                              \
        *sum += w[0];                                                                              \
    }                                                                                              \
    static void bound_##word(const type *w, type *low, type *high, type *gl, type *gh)             \
    {                                                                                              \
        low[0] = low[0] < w[0] ? low[0] : w[0];                                                    \
        high[1] = w[0] > high[1] ? w[0] : high[1];                                                 \
        *gl = *gl < w[0] ? *gl : w[0];                                                             \
        *gh = *gh > w[0] ? *gh : w[0];                                                             \
    }                                                                                              \
    static void change_##word(const type *scale, type *x, type *y, type *z)                        \
    {                                                                                              \
        y[0] = (type)(x[0] * scale[1]);                                                            \
        x[0] = (type)(x[0] + scale[0]);                                                            \
        z[0] += x[0];                                                                              \
    }                                                                                              \
    static void mark_##word(type *x, type *y)                                                      \
    {                                                                                              \
        x[0] = (type)(x[0] + (type)1);                                                             \
        y[1] = (type)3;                                                                            \
    }
KERNELS_OF(double, double)
KERNELS_OF(float, float)
KERNELS_OF(int, int)
KERNELS_OF(unsigned int, uint)
KERNELS_OF(long, long)
KERNELS_OF(ll, ll)
KERNELS_OF(ull, ull)

static void flags(const bool *w, const bool *a, bool *b, bool *c, const bool *g, int *n)
{
    b[0] = w[0] && a[0];
    c[0] = c[0] || g[0];
    *n += w[0] ? 1 : 0;
}

#define LOOPS_OF(type, word, text)                                                                 \
    static void loops_##word(void)                                                                 \
    {                                                                                              \
        op_dat w = mesh_dat_##word(links, 1, "w");                                                 \
        op_dat v = mesh_dat_##word(links, 1, "v");                                                 \
        op_dat u = mesh_dat_##word(links, 1, "u");                                                 \
        op_dat a = mesh_dat_##word(points, 1, "a");                                                \
        op_dat b = mesh_dat_##word(points, 1, "b");                                                \
        op_dat c = mesh_dat_##word(points, 2, "c");                                                \
        op_dat d = mesh_dat_##word(points, 2, "d");                                                \
        type sum = 3, low = 4, high = 2, scale[2] = {5, 2};                                        \
        op_par_loop(add_##word, "add", links, op_arg_dat(w, -1, OP_ID, 1, text, OP_READ),          \
                    op_arg_dat(a, 0, ends, 1, text, OP_READ),                                      \
                    op_arg_dat(b, 1, ends, 1, text, OP_INC),                                       \
                    op_arg_dat(c, 0, others, 2, text, OP_INC), op_arg_gbl(&sum, 1, text, OP_INC)); \
        op_par_loop(bound_##word, "bound", links, op_arg_dat(w, -1, OP_ID, 1, text, OP_READ),      \
                    op_arg_dat(c, 0, ends, 2, text, OP_MIN),                                       \
                    op_arg_dat(d, 1, ends, 2, text, OP_MAX), op_arg_gbl(&low, 1, text, OP_MIN),    \
                    op_arg_gbl(&high, 1, text, OP_MAX));                                           \
        op_par_loop(change_##word, "change", links, op_arg_gbl(scale, 2, text, OP_READ),           \
                    op_arg_dat(w, -1, OP_ID, 1, text, OP_RW),                                      \
                    op_arg_dat(v, -1, OP_ID, 1, text, OP_WRITE),                                   \
                    op_arg_dat(u, -1, OP_ID, 1, text, OP_INC));                                    \
        op_par_loop(mark_##word, "mark", links, op_arg_dat(a, 0, ends, 1, text, OP_RW),            \
                    op_arg_dat(d, 1, others, 2, text, OP_WRITE));                                  \
        mesh_show_##word("w", w);                                                                  \
        mesh_show_##word("v", v);                                                                  \
        mesh_show_##word("u", u);                                                                  \
        mesh_show_##word("a", a);                                                                  \
        mesh_show_##word("b", b);                                                                  \
        mesh_show_##word("c", c);                                                                  \
        mesh_show_##word("d", d);                                                                  \
        printf("= globals %s %ld %ld %ld\n", text, (long)sum, (long)low, (long)high);              \
    }
LOOPS_OF(double, double, "double")
LOOPS_OF(float, float, "float")
LOOPS_OF(int, int, "int")
LOOPS_OF(unsigned int, uint, "uint")
LOOPS_OF(long, long, "long")
LOOPS_OF(ll, ll, "ll")
LOOPS_OF(ull, ull, "ull")

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    loops_double();
    loops_float();
    loops_int();
    loops_uint();
    loops_long();
    loops_ll();
    loops_ull();

    op_dat w = mesh_dat_bool(links, 1, "w");
    op_dat a = mesh_dat_bool(points, 1, "a");
    op_dat b = mesh_dat_bool(links, 1, "b");
    op_dat c = mesh_dat_bool(points, 1, "c");
    bool yes = true;
    int count = 0;
    op_par_loop(flags, "flags", links, op_arg_dat(w, -1, OP_ID, 1, "bool", OP_READ),
                op_arg_dat(a, 0, ends, 1, "bool", OP_READ),
                op_arg_dat(b, -1, OP_ID, 1, "bool", OP_WRITE),
                op_arg_dat(c, 1, ends, 1, "bool", OP_RW), op_arg_gbl(&yes, 1, "bool", OP_READ),
                op_arg_gbl(&count, 1, "int", OP_INC));
    mesh_show_bool("b", b);
    mesh_show_bool("c", c);
    printf("= flags %d\n", count);
    op_exit();
    return 0;
}
