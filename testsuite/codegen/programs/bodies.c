/* bodies.c: what bodies are made of: early returns, helpers that increment through pointers,
 * structs by pointer, tables, enums, typedefs; and bodies that are taken whole. */
#include "mesh.h"

typedef double real;
typedef struct {
    real value[2];
    int kind;
} state;
struct nested {
    state at[2];
    struct {
        int a, b;
    } inner;
};
union both {
    int i;
    float f;
};
enum kind { FIRST, SECOND = 5, THIRD };

static const int corner[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
static const state start_state = {{1.0, 2.0}, 3};
real weights[1000];
static const int big_table[300] = {1, 2, 3};
int limit = 3;
bool enabled = true;

static inline void helper_add(real *to, real value)
{
    *to += value;
}
static inline void helper_twice(real *to, real value)
{
    helper_add(to, value);
    helper_add(&to[0], value);
}
static inline real helper_pick(const state *s, int i)
{
    if (s->kind == 3) {
        return s->value[i];
    }
    return -s->value[i];
}
static inline void helper_fill(struct nested *n, real v)
{
    n->at[0].value[0] = v;
    n->at[1] = n->at[0];
    n->at[1].kind = THIRD;
    n->inner.a = (int)v;
}
static inline state helper_make(real v)
{
    state s = {{v, v + 1}, 3};
    return s;
}

static void early(const real *x, real *y)
{
    if (x[0] == 0.0) {
        return;
    }
    for (int i = 0; i < 4; i++) {
        if (i == limit) {
            return;
        }
        if (i == 1) {
            continue;
        }
        y[0] += x[0] * i;
    }
}
static void nested(const real *x, real *y)
{
    state s = start_state;
    struct nested n;
    helper_fill(&n, x[0]);
    helper_twice(y, helper_pick(&s, 1));
    helper_add(&y[1], n.at[1].value[0] + n.at[1].kind + n.inner.a);
    s = helper_make(x[1]);
    helper_twice(y + 1, s.value[1]);
}
static void tables(const real *x, real *y)
{
    static const real local_table[3] = {1.0, 2.0, 4.0};
    real work[4] = {0};
    for (int i = 0; i < 4; i++) {
        work[i] = x[0] * corner[i][1] + local_table[corner[i][0] % 3];
    }
    enum kind k = work[1] > 4 ? SECOND : FIRST;
    y[0] += work[0] + work[3] + k + big_table[2];
    y[1] += weights[(int)x[0] * 100] + weights[999] + sizeof(state);
}
static void loops(const real *x, real *y)
{
    int n = (int)x[0];
    while (n > 0) {
        y[0] += n--;
    }
    do {
        y[1] += 1;
    } while (++n < 2);
    int i, j;
    for (i = 0, j = 3; i < j; i++, j--) {
        y[0] += i * j;
    }
    unsigned bits = 0xf0u >> n;
    y[1] += (real)(bits & 0x3c) + (enabled ? 1 : 0) + (n ^ 3) + (~n & 7);
    y[0] += fmin(x[0], 2.0) + fabs(-x[1]) + floor(2.5) + MAX(x[0], 1) + (x[0] > 1 && x[1] < 3);
}
static void square(const real *x, real *y)
{
    real m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    real(*row)[3] = &m[1];
    const real *p = x;
    p++;
    y[0] += (*row)[2] * *p + m[0][1];
    y[1] += *(x + 1);
}
static void cases(const real *x, real *y)
{
    switch ((int)x[0]) {
    case FIRST:
        helper_twice(y, weights[3]);
        break;
    case 2:
    case THIRD: {
        state s = helper_make(x[1]);
        y[1] += s.value[1] * limit;
        break;
    }
    default:
        y[0] += corner[2][1] + start_state.value[1];
    }
}
static void opaque_goto(const real *x, real *y)
{
    int n = 0;
    real sum = 0;
again:
    sum += x[0] + n;
    if (++n < limit) {
        goto again;
    }
    y[0] += sum;
}
static void opaque_union(const real *x, real *y)
{
    union both b;
    b.f = (float)x[0];
    y[0] += b.i == 0 ? 3 : 4;
}
static void prints(const real *x, real *y)
{
    if (x[0] > 1000) {
        printf("never %d %s%%\n", (int)x[0], "text\t\"q\"");
    }
    y[0] += x[1];
}
static void global_array(const real *many, const real *x, real *y)
{
    y[0] += many[0] + many[(int)x[0] * 30] + many[255];
}
static void global_big(const real *many, const real *x, real *y)
{
    y[0] += many[0] + many[(int)x[0] * 30] + many[999];
}
static void shared_many(const real *a, const real *b, real *c, real *d)
{
    for (int i = 0; i < 60; i++) {
        c[i] += a[i];
        d[i] += b[59 - i];
    }
}
static void shared_huge(const real *a, real *c)
{
    for (int i = 0; i < 3000; i++) {
        c[i] += a[2999 - i];
    }
}

#define XY op_arg_dat(x, 0, ends, 2, "double", OP_READ), op_arg_dat(y, 1, ends, 2, "double", OP_INC)

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    real many[1000];
    for (int i = 0; i < 1000; i++) {
        weights[i] = i % 10;
        many[i] = i % 7;
    }
    op_decl_const(1000, "double", weights);
    op_decl_const(1, "int", &limit);
    op_decl_const(1, "bool", &enabled);
    op_dat x = mesh_dat_double(points, 2, "x");
    op_dat y = mesh_dat_double(points, 2, "y");
    op_par_loop(early, "early", links, XY);
    mesh_show_double("early", y);
    op_par_loop(nested, "nested", links, XY);
    mesh_show_double("nested", y);
    op_par_loop(tables, "tables", links, XY);
    mesh_show_double("tables", y);
    op_par_loop(loops, "loops", links, XY);
    mesh_show_double("loops", y);
    op_par_loop(square, "square", links, XY);
    mesh_show_double("square", y);
    op_par_loop(cases, "cases", links, XY);
    mesh_show_double("switch", y);
    op_par_loop(opaque_goto, "opaque_goto", links, XY);
    mesh_show_double("goto", y);
    op_par_loop(opaque_union, "opaque_union", links, XY);
    mesh_show_double("union", y);
    op_par_loop(prints, "prints", links, XY);
    mesh_show_double("prints", y);
    op_par_loop(global_array, "global_array", links, op_arg_gbl(many, 256, "double", OP_READ), XY);
    mesh_show_double("global array", y);
    op_par_loop(global_big, "global_big", links, op_arg_gbl(many, 1000, "double", OP_READ), XY);
    mesh_show_double("global big", y);
    op_dat a = mesh_dat_double(points, 60, "a");
    op_dat b = mesh_dat_double(points, 60, "b");
    op_dat c = mesh_dat_double(points, 60, "c");
    op_dat d = mesh_dat_double(points, 60, "d");
    op_par_loop(shared_many, "shared_many", links, op_arg_dat(a, 0, ends, 60, "double", OP_READ),
                op_arg_dat(b, 1, ends, 60, "double", OP_READ),
                op_arg_dat(c, 0, ends, 60, "double", OP_INC),
                op_arg_dat(d, 1, ends, 60, "double", OP_INC));
    mesh_show_double("shared", c);
    mesh_show_double("shared", d);
    op_dat e = mesh_dat_double(points, 3000, "e");
    op_dat f = mesh_dat_double(points, 3000, "f");
    op_par_loop(shared_huge, "shared_huge", links, op_arg_dat(e, 0, ends, 3000, "double", OP_READ),
                op_arg_dat(f, 1, ends, 3000, "double", OP_INC));
    mesh_show_double("huge", f);
    op_exit();
    return 0;
}
