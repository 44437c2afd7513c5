/* partition_kernels.c: loops of which it is known what cutting them brings. They are only compiled.
 */
#include <math.h>
#include "op_seq.h"
/* Viscous flux and smoothing of an edge-based code: 356 bytes per point, in parts joined by few
 * values. */
static void vflux(const double *x1, const double *x2, const double *q1, const double *q2,
                  const double *w1, const double *w2, const double *g1, const double *g2,
                  const double *l1, const double *l2, const double *m1, const double *m2,
                  const int *f1, const int *f2, const double *S, double *r1, double *r2)
{
    double dx[3], t[3], g[6][3], f[6];
    double len2 = 0.0;
    for (int d = 0; d < 3; d++) {
        dx[d] = x2[d] - x1[d];
        len2 += dx[d] * dx[d];
    }
    double len = sqrt(len2);
    for (int d = 0; d < 3; d++) {
        t[d] = dx[d] / len;
    }
    double beta = 0.0;
    for (int k = 0; k < 6; k++) {
        double a[3], dot = 0.0;
        for (int d = 0; d < 3; d++) {
            a[d] = 0.5 * (g1[3 * k + d] + g2[3 * k + d]);
            dot += a[d] * t[d];
        }
        double b = (w2[k] - w1[k]) / len - dot;
        if (k == 0) {
            beta = b;
        }
        for (int d = 0; d < 3; d++) {
            g[k][d] = a[d] + b * t[d];
        }
    }
    double mu = 0.5 * (m1[0] + m1[1] + m2[0] + m2[1]);
    double kappa = 0.5 * (m1[2] + m2[2]);
    double div = 2.0 / 3.0 * (g[1][0] + g[2][1] + g[3][2]);
    double u[3], area = sqrt(S[0] * S[0] + S[1] * S[1] + S[2] * S[2]);
    for (int d = 0; d < 3; d++) {
        u[d] = 0.5 * (w1[1 + d] + w2[1 + d]);
    }
    f[0] = 0.0;
    f[4] = 0.0;
    f[5] = 0.0;
    for (int i = 0; i < 3; i++) {
        double s = 0.0;
        for (int j = 0; j < 3; j++) {
            s += mu * (g[1 + i][j] + g[1 + j][i]) * S[j];
        }
        s -= mu * div * S[i];
        f[1 + i] = s;
        f[4] += u[i] * s + kappa * g[4][i] * S[i];
    }
    for (int d = 0; d < 3; d++) {
        f[5] += 1.5 * 0.5 * (m1[0] + m2[0] + q1[5] + q2[5]) * g[5][d] * S[d];
    }
    double lambda = fabs(u[0] * S[0] + u[1] * S[1] + u[2] * S[2]) + 0.5 * (m1[4] + m2[4]) * area;
    double fd = fmin(1.0, 100.0 * m1[3] * m2[3]);
    if (*f1 == 2 || *f2 == 2) {
        fd = 0.0;
    }
    double psi = fmin(1.0, 8.0 * fabs(beta) * len / (w1[0] + w2[0]));
    for (int k = 0; k < 6; k++) {
        f[k] += 0.05 * lambda * fd * psi * (q2[k] - q1[k]) -
                lambda * fd * (1.0 - psi) * (l2[k] - l1[k]) / 64.0;
        r1[k] -= f[k];
        r2[k] += f[k];
    }
}
/* Gradients and Laplacians of the same: 18 values need no coordinates, 6 need a distance. */
static void edgecon(const double *x1, const double *x2, const double *q1, const double *q2,
                    const double *S, double *g1, double *g2, double *l1, double *l2)
{
    double w1[6], w2[6];
    for (int e = 0; e < 2; e++) {
        const double *q = e ? q2 : q1;
        double *w = e ? w2 : w1;
        double ir = 1.0 / q[0];
        w[1] = q[1] * ir;
        w[2] = q[2] * ir;
        w[3] = q[3] * ir;
        w[5] = q[5] * ir;
        w[0] = 0.4 * (q[4] - 0.5 * q[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]));
        w[4] = w[0] * ir;
    }
    double len = 0.0;
    for (int d = 0; d < 3; d++) {
        len += (x2[d] - x1[d]) * (x2[d] - x1[d]);
    }
    double il = 1.0 / sqrt(len);
    for (int k = 0; k < 6; k++) {
        for (int d = 0; d < 3; d++) {
            double c = 0.5 * (w1[k] + w2[k]) * S[d];
            g1[3 * k + d] += c;
            g2[3 * k + d] -= c;
        }
        double l = (q2[k] - q1[k]) * il;
        l1[k] += l;
        l2[k] -= l;
    }
}
/* A flux of a finite-volume method on quadrilaterals: little data, all of it needed for each
 * component. */
static void res_calc(const double *x1, const double *x2, const double *q1, const double *q2,
                     const double *adt1, const double *adt2, double *res1, double *res2)
{
    double dx = x1[0] - x2[0];
    double dy = x1[1] - x2[1];
    double p1 = 0.4 * (q1[3] - 0.5 * (q1[1] * q1[1] + q1[2] * q1[2]) / q1[0]);
    double p2 = 0.4 * (q2[3] - 0.5 * (q2[1] * q2[1] + q2[2] * q2[2]) / q2[0]);
    double v1 = (q1[1] * dy - q1[2] * dx) / q1[0];
    double v2 = (q2[1] * dy - q2[2] * dx) / q2[0];
    double mu = 0.025 * (adt1[0] + adt2[0]);
    double f[4];
    for (int k = 0; k < 4; k++) {
        f[k] = 0.5 * (v1 * q1[k] + v2 * q2[k]) + mu * (q1[k] - q2[k]);
    }
    f[1] += 0.5 * (p1 + p2) * dy;
    f[2] -= 0.5 * (p1 + p2) * dx;
    f[3] += 0.5 * (v1 * p1 + v2 * p2);
    for (int k = 0; k < 4; k++) {
        res1[k] += f[k];
        res2[k] -= f[k];
    }
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    int n = 10, ne = 9;
    int m[18];
    double buf[1000] = {0};
    int ib[100] = {0};
    for (int e = 0; e < 9; e++) {
        m[2 * e] = e;
        m[2 * e + 1] = e + 1;
    }
    op_set V = op_decl_set(n, "V"), E = op_decl_set(ne, "E");
    op_map e2v = op_decl_map(E, V, 2, m, "e2v");
    op_dat x = op_decl_dat(V, 3, "double", buf, "x"), q = op_decl_dat(V, 6, "double", buf, "q"),
           w = op_decl_dat(V, 6, "double", buf, "w");
    op_dat g = op_decl_dat(V, 18, "double", buf, "g"), l = op_decl_dat(V, 6, "double", buf, "l"),
           mu = op_decl_dat(V, 5, "double", buf, "mu");
    op_dat fl = op_decl_dat(V, 1, "int", ib, "fl"), S = op_decl_dat(E, 3, "double", buf, "S"),
           r = op_decl_dat(V, 6, "double", buf, "r");
    op_dat q4 = op_decl_dat(V, 4, "double", buf, "q4"),
           adt = op_decl_dat(V, 1, "double", buf, "adt"),
           res = op_decl_dat(V, 4, "double", buf, "res"),
           x2 = op_decl_dat(V, 2, "double", buf, "x2");
    op_par_loop(
        vflux, "vflux", E, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(w, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(w, 1, e2v, 6, "double", OP_READ), op_arg_dat(g, 0, e2v, 18, "double", OP_READ),
        op_arg_dat(g, 1, e2v, 18, "double", OP_READ), op_arg_dat(l, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(l, 1, e2v, 6, "double", OP_READ), op_arg_dat(mu, 0, e2v, 5, "double", OP_READ),
        op_arg_dat(mu, 1, e2v, 5, "double", OP_READ), op_arg_dat(fl, 0, e2v, 1, "int", OP_READ),
        op_arg_dat(fl, 1, e2v, 1, "int", OP_READ), op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ),
        op_arg_dat(r, 0, e2v, 6, "double", OP_INC), op_arg_dat(r, 1, e2v, 6, "double", OP_INC));
    op_par_loop(
        edgecon, "edgecon", E, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ),
        op_arg_dat(g, 0, e2v, 18, "double", OP_INC), op_arg_dat(g, 1, e2v, 18, "double", OP_INC),
        op_arg_dat(l, 0, e2v, 6, "double", OP_INC), op_arg_dat(l, 1, e2v, 6, "double", OP_INC));
    op_par_loop(
        res_calc, "res_calc", E, op_arg_dat(x2, 0, e2v, 2, "double", OP_READ),
        op_arg_dat(x2, 1, e2v, 2, "double", OP_READ), op_arg_dat(q4, 0, e2v, 4, "double", OP_READ),
        op_arg_dat(q4, 1, e2v, 4, "double", OP_READ), op_arg_dat(adt, 0, e2v, 1, "double", OP_READ),
        op_arg_dat(adt, 1, e2v, 1, "double", OP_READ), op_arg_dat(res, 0, e2v, 4, "double", OP_INC),
        op_arg_dat(res, 1, e2v, 4, "double", OP_INC));
    op_exit();
    return 0;
}
