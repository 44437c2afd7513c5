/* whole.c: bodies that are taken whole, because of a goto: their names and their C must survive. */
#include "mesh.h"

typedef double real;
typedef struct {
    real gam;
    int kind[2];
} state;
enum colour { RED, GREEN = 4, BLUE };
real gam = 2.0;
int many[3] = {1, 2, 3};
static const state table[2] = {{1.0, {2, 3}}, {4.0, {5, 6}}};

#ifndef __cplusplus
#define RESTRICT restrict
#else
#define RESTRICT __restrict__
#endif

static inline real pick(const state *s, int i)
{
    return s->gam + s->kind[i];
}
static inline int next(int c)
{
    switch (c) {
    case RED:
        return GREEN;
    case GREEN:
        return BLUE;
    default:
        return RED;
    }
}
static void fields(const real *RESTRICT x, real *RESTRICT y)
{
    state s[2], *p = s;
    s[0].gam = x[0] * gam; /* gam */
    s[0].kind[1] = many[1];
    s[1] = s[0];
    p++;
    p->gam += 1;
    int c = next(RED);
    if (c == RED) {
        goto none;
    }
    switch ((int)x[0] % 3) {
    case 0:
        y[0] += pick(&s[1], 1) + p->gam + c;
        break;
    case 1: {
        real pick_ = gam + 'g' - 'a';
        if (x[1] > 100) {
            printf("gam %d \"pick\" \\", (int)pick_);
        }
        y[1] += pick_ + sizeof(many) / sizeof(many[0]) + table[1].kind[0];
    } /* FALLTHROUGH */
    // fall through
    default:
        y[1] += table[1].gam + 1e+2 + 0x1p+2 + .5e1;
    }
none:;
}
static void local_record(const real *x, real *y)
{
    struct inner {
        real gam, many;
    } in;
    in.gam = x[0];
    in.many = gam;
    int i = 0;
again:
    y[0] += in.gam + in.many * many[i];
    if (++i < 3) {
        goto again;
    }
}
static void shadows(const real *x, real *many)
{
    real gam = x[0];
    switch ((int)gam) {
    case 2:
        many[0] += gam;
        goto done;
    default:
        many[1] += 2 * gam;
    }
done:;
}
static void globals(const real *w, const real *x, real *y, real *sum, int *low, const int *index)
{
    int k = (int)x[0];
    while (1) {
        switch (k) {
        case 0:
            goto done;
        default:
            y[0] += w[k % 3];
        }
        k--;
    }
done:
    *sum += x[0];
    *low = *low < k - *index ? *low : k - *index;
}
static void rows(const real *const x[2], real *y[2])
{
    for (int c = 0; c < 2; c++) {
        switch (c) {
        case 0:
            y[c][0] += x[1 - c][1];
            goto next;
        case 1:
            y[c][1] += x[c][0];
        }
    next:;
    }
}

#define XY op_arg_dat(x, 0, ends, 2, "double", OP_READ), op_arg_dat(y, 1, ends, 2, "double", OP_INC)

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    op_decl_const(1, "double", &gam);
    op_decl_const(3, "int", many);
    op_dat x = mesh_dat_double(points, 2, "x");
    op_dat y = mesh_dat_double(points, 2, "y");
    real sum = 0.0, w[3] = {1.0, 2.0, 3.0};
    int low = 0;
    op_par_loop(fields, "fields", links, XY);
    mesh_show_double("fields", y);
    op_par_loop(local_record, "local_record", links, XY);
    mesh_show_double("local record", y);
    op_par_loop(shadows, "shadows", links, XY);
    mesh_show_double("shadows", y);
    op_par_loop(globals, "globals", links, op_arg_gbl(w, 3, "double", OP_READ), XY,
                op_arg_gbl(&sum, 1, "double", OP_INC), op_arg_gbl(&low, 1, "int", OP_MIN),
                op_arg_idx(-1, OP_ID));
    mesh_show_double("globals", y);
    printf("= globals %g %d\n", sum, low);
    op_par_loop(rows, "rows", links, op_arg_dat(x, -2, ends, 2, "double", OP_READ),
                op_arg_dat(y, -2, others, 2, "double", OP_INC));
    mesh_show_double("rows", y);
    op_exit();
    return 0;
}
