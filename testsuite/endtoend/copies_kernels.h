/* copies_kernels.h: the kernels of copies.c. */
#include <math.h>

/* The elements' own data has several types and sizes, one of which is large. */
static void flux(const double *x1, const double *x2, const double *w, const float *f,
                 const double *big, const bool *on, double *r1, double *r2)
{
    const double g = w[0] * (x1[0] - x2[1]) + f[0] * big[1] - (on[2] ? big[4] : w[2]);
    r1[0] += g * w[1];
    r2[0] -= g * w[1];
    r1[1] += g * x2[2];
    r2[1] -= f[4] * x1[2];
}

/* Reads these dats through another map, and one of them through a map as well. */
static void other(const double *x1, const double *x2, const double *w, const double *v,
                  double *r1, double *r2)
{
    const double g = w[0] * x1[0] + v[1] * x2[1];
    r1[2] += g;
    r2[2] += sqrt(fabs(g));
}

/* Elements that are points, whose dat is read directly and through the map. */
static void chain(const double *own, const double *next, double *r)
{
    r[0] += own[0] * 0.3 - next[1] * own[2];
}

/* Through two maps at a time. */
static void both(const double *x, const double *w, double *r, double *c)
{
    r[1] += w[1] * x[0];
    c[0] += w[0] * x[1] - w[2];
}

/* Several dats of each point, of two types, of which not all components are read. */
static void many(const double *x1, const double *x2, const double *y1, const double *y2,
                 const double *s1, const double *s2, const float *g1, const float *g2,
                 const float *h1, const float *h2, double *r1, double *r2)
{
    const double a = y1[1] * x2[0] - y2[5] * s1[0] + g2[1];
    const double b = y2[1] * x1[2] + y1[4] * h1[0] - h2[2];
    const double d = s2[0] * x1[1] - y2[4] * g1[0] + y1[5];
    r1[0] += a;
    r2[0] -= a;
    r1[1] += b;
    r2[1] -= b;
    r1[2] += d * a;
    r2[2] -= d * a;
}

/* Changes the dats. */
static void change(double *w, float *f)
{
    w[0] = 0.9 * w[0] + 0.05;
    f[0] += 0.125f;
}

static void turn(const double *r, double *x)
{
    x[0] += 1e-3 * r[0];
    x[1] -= 1e-3 * r[1];
}
