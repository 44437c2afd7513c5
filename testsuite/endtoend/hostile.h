/* hostile.h: bodies that are hard to take apart right: guarded divisions, signs and factors that
 * look alike and are not, wrap-around, minima beside sums, one dat through several arguments, state
 * that changes between increments, effects that must happen once, run-time loops, names that
 * generated code uses too. */
#ifndef CLEAVE_TEST_HOSTILE_H
#define CLEAVE_TEST_HOSTILE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double f_2 = 3; /* as the second version of a variable f would be called */
static double kappa[3] = {1, 2, 4};
static int mode = 2;
static const int perm[2][2] = {{1, 0}, {0, 1}};

/* The values that a branch avoids are NaN for other elements. */
static void guards(const double *x, const double *w, double *y, double *z)
{
    double d = w[0] - w[0];
    double r = 1.0 / d, s = 7;
    if (d != 0.0) {
        s = r * 0.0;
        y[0] += r;
    }
    if (w[0] > 3) {
        double q = sqrt(w[0] - 3.0);
        y[0] += q * x[0];
        z[0] -= q;
    } else if (w[0] < 2) {
        y[0] -= s;
        z[1] += 1 / (w[0] + 1);
    }
    z[0] += d > 0 ? sqrt(-1.0) : s;
}

/* Division by zero is avoided by conditions. */
static void divzero(const int *i, const int *j, int *y, int *z)
{
    int q = 3, m = 0;
    if (j[0] != 0) {
        q = i[0] / j[0];
        m = i[1] % j[0];
    }
    y[0] += q;
    if (i[1] != 0 && i[0] / i[1] > 0) {
        z[0] += m;
        y[1] -= i[0] / i[1];
    }
    z[1] += (j[1] == 0) ? 5 : 100 / j[1];
}

/* 1 / (x - y) and -1 / (y - x) agree only where x is not y. */
static void divs(const double *x1, const double *x2, double *y1, double *y2)
{
    double d = x1[0] - x2[0], e = x2[0] - x1[0];
    y1[0] += d == 0 ? 3 : 6 / d;
    y2[0] += e == 0 ? 3 : 6 / e;
    y1[1] += fabs(d) + (d > 0) - (d < 0);
    y2[1] += fabs(e) + (e > 0) - (e < 0);
}

/* Multiples of one difference, with signs; some are not exact. */
static void scales(const double *x1, const double *x2, double *y, double *z, float *f)
{
    const int k = -2;
    double g = x1[0] - x2[0];
    double h = x2[0] - x1[0];
    y[0] += 0.3 * g;
    y[1] += k * h;
    z[0] -= g / 4;
    z[1] -= h * -3;
    z[1] += 18446744073709551615ull * g * 1e-18;
    float s = (float)g;
    f[0] += s;
    f[1] -= 2 * (float)h;
}

/* Selects whose branches are opposite, and such where only one is. */
static void selects(const double *x1, const double *x2, const double *w, double *y, double *z)
{
    double a = x1[0] - x2[0], b = x2[0] - x1[0];
    double s = w[0] > 2 ? a : 0.0, t = w[0] > 2 ? b : 0.0;
    y[0] += s;
    z[0] += t;
    double u = w[0] > 2 ? a : 1.0, v = w[0] > 2 ? b : -1.0;
    y[1] += u;
    z[1] += v;
    double p = w[0] > 1 ? a : 1.0, q = w[0] > 1 ? b : 1.0;
    y[0] += p * 1000;
    z[0] += q * 1000;
}

/* Unsigned numbers wrap around. */
static void wraps(const unsigned *a, unsigned *y, unsigned *z, unsigned long long *l)
{
    unsigned d = a[0] - a[1] * 77u;
    y[0] += d;
    z[0] -= d;
    y[1] += -d;
    z[1] += d * 4000000000u;
    l[0] += d;
    l[1] += -d;
    l[2] -= (unsigned long long)-(long long)d;
}

/* Several minima and maxima of several types beside a sum. */
static void extrema(const double *w, const double *x, double *lo, double *hi, double *s, int *ilo,
                    long long *lhi, float *fl)
{
    double v = x[0] * w[0] - w[1];
    lo[0] = fmin(lo[0], v);
    lo[0] = fmin(lo[0], -v);
    lo[1] = fmin(lo[1], (v - v) / (v - v)); /* not a number: lowers nothing */
    lo[1] = lo[1] < x[1] ? lo[1] : x[1];
    if (hi[0] < v) {
        hi[0] = v;
    }
    if (w[0] > 2) {
        if (v > hi[1]) {
            hi[1] = v;
        }
    }
    hi[1] = fmax(hi[1], w[1]);
    s[0] += v;
    s[1] -= v;
    int q = (int)v;
    if (q < ilo[0]) {
        ilo[0] = q;
    }
    long long ll = (long long)v * 10000000000LL;
    lhi[0] = ll > lhi[0] ? ll : lhi[0];
    if (w[0] != 3) {
        fl[0] = fl[0] < (float)v ? fl[0] : (float)v;
    }
}

/* The comparison stands under other conditions: a minimum or maximum of some of the elements. */
static void bounds(const double *w, const double *x, double *lo, double *hi, int *ilo, float *fl)
{
    const int big = x[0] + x[1] > 5;
    double v = 3 * x[0] - 2 * x[1];
    if (big && v < lo[0]) {
        lo[0] = v;
    }
    if (-v < lo[0] && w[1] > 2 && !big) {
        lo[0] = -v;
    }
    lo[1] = (w[0] < 5 && big && x[1] - 4 < lo[1]) ? x[1] - 4 : lo[1];
    if (w[0] != 1) {
        if (v > hi[0] && w[0] < 6) {
            hi[0] = v;
        }
    }
    hi[1] = big ? fmax(hi[1], v) : hi[1];
    int q = (int)v;
    for (int k = 0; k < 3; k++) {
        if (k != 1 && q - k < ilo[0] && w[0] > k) {
            ilo[0] = q - k;
        }
    }
    for (int k = 0; k < (int)w[0]; k++) {
        if (k != 2 && (float)v - k < fl[0]) {
            fl[0] = (float)v - k;
        }
    }
}

/* One dat through two maps, and twice through one of them. */
static void twice(const double *xa, const double *xb, const double *xc, double *ya, double *yb,
                  double *yc)
{
    double f = xa[0] * xb[1] - xc[0];
    ya[0] += f;
    yb[1] -= f;
    yc[0] += xa[0];
    yc[1] -= xa[0] * 2;
    yb[0] += 1;
}

/* The value that increments read changes between them. */
static void between(const double *x, double *v, double *y, double *z, double *g, double *gm,
                    double *gx)
{
    y[0] += v[0];
    v[0] = v[0] * 0.5 + x[0];
    z[0] += v[0];
    v[1] += v[0];
    y[1] -= v[1] + v[0];
    g[0] += v[1];
    g[1] -= 1;
    if (v[0] > 2) {
        g[1] += x[1];
    }
    gm[0] = fmin(gm[0], v[0] - x[1]);
    if (v[1] > gx[0]) {
        gx[0] = v[1];
    }
}

/* Direct results and reductions happen once, whoever computes the increments. */
static void effects(const double *x1, const double *x2, const double *w, double *v, double *y1,
                    double *y2, double *g, double *gm, int *gi)
{
    double f = (x1[0] - x2[1]) * w[0];
    v[0] = f;
    g[0] += f;
    gi[0]++;
    gm[0] = f < gm[0] ? f : gm[0];
    y1[0] += f;
    y2[0] -= f;
    y2[1] += f * f;
}

/* How often these loops run is known at run time only. */
static void runtime(const int *n, const double *x, double *y, double *z, double *v)
{
    double acc = 0;
    for (int i = 0; i < n[0]; i++) {
        acc += x[i % 2];
        y[i % 2] += acc;
        if (acc > 5) {
            z[0] -= acc;
            continue;
        }
        for (int j = 0; j <= i; j++) {
            if (j > 3) {
                break;
            }
            z[j & 1] += 1;
        }
        v[i & 1] = acc;
    }
    int m = n[0];
    while (m > 0) {
        y[0] -= m;
        m /= 2;
    }
}

/* Names of C++, of CUDA and of what is generated. */
static void cudaFree_names(const double *x1, const double *x, double *y, double *new,
                           const int *class)
{
    double f = x[0], x_1 = x1[0], x1_2 = 4, y_0 = 1;
    {
        double x = f + 1;
        f = f * x_1 + x;
        {
            double f = 9;
            x_1 = f;
        }
    }
    double this = f, template = x_1, operator= 2, f_3 = 5, e = 3, n = 2, tmp = 4, s = 5,
           threadIdx = 3, blockIdx = 2, block = 2, cleave = 1;
    f = f + f_3;
    f = f * 2 + class[0];
    y[0] += f * f_2;
    new[0] += this + template + operator;
    y[1] += x1_2 + y_0 + e + n + tmp + s + threadIdx + blockIdx + block + cleave;
}

struct cudaRecord {
    double a;
    int b[3];
    struct {
        float c, d;
    } in;
};
static struct cudaRecord cuda_make(double a, int b)
{
    struct cudaRecord r = {a, {b, b + 1, b + 2}, {1, 2}};
    return r;
}

/* Records, and an array with subscripts from data, live across stages. */
static void records(const double *a, const double *b, const double *c, const int *i, double *y,
                    double *z)
{
    struct cudaRecord r = cuda_make(a[0] * a[1], i[0]);
    double arr[4] = {a[2], a[3]};
    arr[i[0] & 3] += b[0];
    struct cudaRecord q = r;
    q.b[i[1] % 3] = 7;
    q.in.c += b[1] * b[2];
    arr[(i[1] + 1) & 3] -= c[0] * c[1];
    struct cudaRecord t[2] = {r, q};
    y[0] += t[i[0] & 1].a + t[i[1] & 1].b[1];
    z[0] += arr[i[0] & 3] * c[2] + q.in.c;
    z[1] -= arr[1] + c[3] * c[4] * c[5];
    y[1] += q.b[0] + q.b[1] + q.b[2];
    y[2] += arr[2];
}

/* The element's number, and its points'. */
static void numbers(const int *e, const int *p, const double *x, double *y, double *z)
{
    y[0] += e[0] % 5 + p[0];
    z[0] -= e[0] % 5;
    if (e[0] & 1) {
        y[1] += x[0] * p[0];
    }
}

/* Each line is printed once. */
static void prints(const double *x, const int *e, double *y, double *z)
{
    double f = x[0] + x[1];
    if (e[0] % 29 == 0) {
        printf("= element %d f %g\n", e[0], f);
    }
    y[0] += f;
    z[0] -= f;
    if (e[0] % 31 == 0) {
        printf("= second %d\n", e[0]);
    }
}

/* A vector argument, and columns of the same map apart. */
static void vector(const double **x, const double *xs, double **y, double *ys, double *yo)
{
    for (int c = 0; c < 2; c++) {
        for (int d = 0; d < 2; d++) {
            y[c][d] += (c ? -1 : 1) * (x[0][d] - x[1][d]) * xs[0];
        }
    }
    ys[0] += x[1][0];
    yo[1] -= xs[1];
}

/* Control flow of all kinds. */
static void control(const double *x, const int *i, double *y, double *z)
{
    int a, b, k = 0;
    double t[4] = {0};
    a = b = i[0];
    do {
        t[k & 3] += x[k & 1] + a--;
        k++;
        if (k == 7) {
            break;
        }
    } while (k < b + 2);
    switch (i[0]) {
    case 0:
        switch (i[1]) {
        case 1:
            y[0] += 5; /* fall through */
        default:
            y[1] -= 1;
            break;
        case 2:;
        }
        break;
    case 1 ... 3: {
        double q = x[0];
        if (q > 2) {
            break;
        }
        z[0] += q;
    } /* fall through */
    default:
        z[1] += a + b;
    }
    y[0] += (k > 2 ? t[0] : k > 1 ? t[1] : t[2]) + (x[0] - 1) * (x[0] - 1);
    for (int p = 0, q = 3; p < q; p++, q--) {
        y[perm[p & 1][i[1] & 1]] += t[q];
    }
    short s = 5;
    s += 2.7;
    s *= x[0];
    y[1] += s;
    unsigned char c = (unsigned char)i[0];
    c -= 9;
    z[0] += c;
    c <<= 3;
    z[1] += c >> 1;
    z[0] -= ~i[0] ^ (i[1] << 2);
    if (!i[0] || (i[1] > 2 && x[0] > 1.5)) {
        z[0] += 0.5;
    }
}

/* Functions that answer through pointers. */
static void library(const double *x, const int *i, double *y, double *z)
{
    int e;
    double ip, fr = modf(x[0] * 1.3, &ip), m = frexp(x[1] + 3, &e);
    double buf[2];
    memcpy(buf, x, sizeof buf);
    buf[0] += abs(i[0] - 3) + fabs(-x[0]);
    y[0] += floor(fr * 8) + ip + e + ldexp(m, 2);
    y[1] += e;
    z[0] -= floor(pow(x[0], 2.0)) + fmod(x[1], 3.0) + copysign(1.0, -x[0]);
    z[1] += buf[0] - buf[1] + (isnan(x[0]) ? 1 : 2) + hypot(3.0, 4.0) + (long)lrint(x[0]);
    const double *r = x;
    r += 1;
    y[0] += *r;
    r -= 1;
    y[1] -= r[1];
}

/* Constants of the program, and globals of all kinds. */
static void globals(const double *g, const double *x, const int *id, double *y, double *z,
                    double *gr, double *gm, float *gf)
{
    int n = mode;
    double s = 0;
    for (int c = 0; c < 3; c++) {
        s += kappa[c] * x[c % 2];
    }
    if (n == 2) {
        s *= g[1];
    } else {
        s = -s;
    }
    y[0] += s;
    z[id[0] % 2] -= s;
    gr[id[0] % 3] += s;
    gr[0] -= g[0];
    if (s > 3) {
        gm[0] = fmin(gm[0], s);
    }
    gm[1] = s < gm[1] ? s : gm[1];
    gf[0] += (float)x[0];
    y[1] += g[0];
    y[0] += kappa[1];
}

/* Eight columns, of which some are equal. */
static void eight(const double **x, const int *i, double **f, double *c)
{
    double s[3] = {0, 0, 0};
    for (int n = 0; n < 8; n++) {
        for (int d = 0; d < 2; d++) {
            s[d] += x[n][d] * (n % 3 - 1);
        }
    }
    for (int n = 0; n < 8; n++) {
        f[n][0] += s[0] - x[n][1];
        if (n != i[0]) {
            f[n][1] -= s[1] * n;
        }
    }
    f[i[1] % 8][1] += 1;
    c[0] += s[2] + x[7][0];
}

/* Increments through two maps to two sets. */
static void two_sets(const double *a, const double *cx, const double *nx, double *cy1, double *cy2,
                     double *ny, double *nm)
{
    double f = a[0] * (cx[0] - nx[0]), h = a[1] + nx[1];
    cy1[0] += f;
    cy2[0] -= f;
    ny[0] += h;
    ny[1] -= f * h;
    cy1[1] -= 0.5 * f;
    nm[0] = fmax(nm[0], h);
}

#endif
