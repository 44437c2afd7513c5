/* names.c: names that generated code must not stumble over: of libc's and CUDA's functions, of
 * constants, of C++ words and of macros; dats that are not plain variables. */
#include "mesh.h"

struct box {
    op_dat q;
    op_dat dat[2];
    op_map to;
};

double scale = 2.0;
double gam[4] = {1.0, 2.0, 3.0, 4.0};
int in = 3;
double y2 = 1.0;
static double private_one = 5.0;
struct pair {
    double gam;
    double scale;
};

static void update(const double *in, double *out)
{
    out[0] += in[0];
}

static void norm(const double *threadIdx, double *blockIdx)
{
    double blockDim = threadIdx[0];
    double gridDim = blockDim * 2;
    blockIdx[0] += gridDim;
}

static void gettimeofday(const double *min, double *max)
{
    double cleave = min[0];
    *max += cleave * gam[1] + y2;
}

#ifndef __cplusplus
static void class_words(const double *new, double *delete)
{
    double template = new[0];
    double this = template + gam[3], operator= 1;
    delete[0] += this + operator;
}

struct both {
    double new, class;
};

/* Two names begin as ours do. */
static void more_words(const double *cleave_e, double *cleave_dat_q, const double *this,
                       double *delete)
{
    double private = cleave_e[0] * 2.0, cleave_p = this[0] + private;
    struct both template = {private, cleave_p};
    template.class += cleave_p;
    cleave_dat_q[0] += template.class + template.new;
    delete[0] -= cleave_p;
}
#else
static void more_words(const double *e, double *q, const double *p, double *r)
{
    q[0] += 6 * e[0] + 2 * p[0];
    r[0] -= p[0] + 2 * e[0];
}

static void class_words(const double *fresh, double *gone)
{
    gone[0] += fresh[0] + gam[3] + 1;
}
#endif

static double helper(double a, double *b)
{
    *b += a;
    return a + 1;
}

static void helper_body(const double *x, double *y)
{
    double scale_ = scale;
    double pi = helper(x[0], y);
    y[0] += pi * scale_;
}

static void fused(const double *x, double *y)
{
    y[0] += x[0] * in;
}

static void fused_colour(const double *x, double *y)
{
    struct pair pair = {x[0], 2.0};
    y[0] += pair.gam * pair.scale + private_one;
}

static double scaled(double scale)
{
    double gam = scale * 2;
    {
        double y2 = gam;
        return y2;
    }
}

static void atan2_(const double *x, double *y)
{
    y[0] += scaled(x[0]);
}

static void opaque_names(const double *x, double *y)
{
    struct pair p;
    p.gam = x[0];
    p.scale = scale;
    switch ((int)p.gam) {
    case 0:
        y[0] += gam[0];
        break;
    case 3: {
        double in_ = helper(p.gam, y);
        y[0] += in_;
        break;
    }
    default:
        y[0] += p.gam + p.scale;
    }
}

static void opaque_shadow(const double *x, double *y)
{
    double scale_of = scale;
    int n = 0;
again:
    if (n < 3) {
        double gam = x[0] + n;
        y[0] += gam * scale_of;
        n++;
        goto again;
    }
}

#define POINT_DATS(first, second)                                                                  \
    op_arg_dat(first, 0, box->to, 1, "double", OP_READ),                                           \
        op_arg_dat(second, 1, box->to, 1, "double", OP_INC)

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    struct box boxes[2];
    struct box *box = &boxes[1];
    box->q = mesh_dat_double(points, 1, "q");
    box->dat[0] = mesh_dat_double(points, 1, "a \"quoted\" name?\?/");
    box->dat[1] = mesh_dat_double(points, 1, "b\\");
    box->to = ends;
    op_decl_const(1, "double", &scale);
    op_decl_const(4, "double", gam);
    op_decl_const(1, "int", &in);
    op_decl_const(1, "double", &y2);
    op_decl_const(1, "double", &private_one);
    op_par_loop(update, "update", links, POINT_DATS(box->q, box->dat[0]));
    op_par_loop(norm, "norm \"x\" \\", links, POINT_DATS(box->dat[0], boxes[1].q));
    op_par_loop(gettimeofday, "y0", links, POINT_DATS((box->dat)[0], *&box->q));
    op_par_loop(class_words, "class_words", links, POINT_DATS(box->dat[0], box->dat[0 + 1]));
    op_par_loop(more_words, "more_words", links, POINT_DATS(box->q, box->dat[0]),
                POINT_DATS(box->dat[1], box->dat[0]));
    op_par_loop(helper_body, "helper", links, POINT_DATS(box->dat[0], box->dat[1]));
    op_par_loop(fused, "", links, POINT_DATS(box->dat[0], box->dat[1]));
    op_par_loop(fused_colour, "fused_colour", links, POINT_DATS(box->dat[0], box->dat[1]));
    op_par_loop(atan2_, "atan2", links, POINT_DATS(box->dat[0], box->dat[1]));
    op_par_loop(opaque_names, "opaque_names", links, POINT_DATS(box->dat[0], box->dat[1]));
    op_par_loop(opaque_shadow, "opaque_shadow", links, POINT_DATS(box->dat[0], box->dat[1]));
    mesh_show_double("q", box->q);
    mesh_show_double("a", box->dat[0]);
    mesh_show_double("b", box->dat[1]);
    op_exit();
    return 0;
}
