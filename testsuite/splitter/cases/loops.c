/* loops.c: loops that are unrolled, loops that stay whole, and what they set. */
#include "op_seq.h"

static op_set cells, edges;
static op_map map, map4;
static op_dat p_x, p_q, p_r, p_d, p_n, p_k;
static double sum;

/* Nested constant loops over arguments and local arrays. */
static void nested(const double *a, const double *b, double *ra, double *rb)
{
    double grad[3][2], tmp[6] = {0.0};
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < 2; d++)
            grad[i][d] = 0.5 * (a[i] + b[i + d]);
    for (int k = 5; k >= 0; k -= 1)
        tmp[k] += grad[k / 2][k % 2] * (k > 2 ? a[0] : b[0]);
    for (int k = 0; k < 4; ++k) {
        ra[k] += tmp[k];
        rb[k] -= tmp[k];
    }
    double s = 0.0;
    for (int i = 0; i < 6; i++)
        s += tmp[i];
    ra[0] += s;
}

/* break, continue and return in unrolled loops. */
static void leaving(const double *a, const int *n, double *r, double *out)
{
    int k;
    double s = 0.0;
    for (k = 0; k < 4; k++) {
        if (n[k] == 3)
            break;
        if (a[k] < 0.0)
            continue;
        s += a[k];
        r[k] += s;
    }
    out[0] = s + k;
    for (int i = 0; i < 3; i++) {
        if (a[i] > 2.0) {
            out[1] = i;
            return;
        }
        for (int j = 0; j < 2; j++) {
            if (n[j] == 1)
                break;
            r[i] -= a[j];
            if (n[i] == 2)
                return;
        }
        out[3] = i;
    }
    out[2] = s;
    int m = 0;
    do {
        s += a[m] * m;
    } while (++m < 4 && s < 10.0);
    r[3] += s;
}

/* A loop until something converges; what it changes is used before and after. */
static void converges(const double *a, const int *n, double *r, double *out)
{
    double x = a[0] * a[0] + 1.0, y = x, unused = 3.0;
    double last[2] = {0.0, 1.0};
    int steps = 0;
    while (fabs(y * y - x) > 1e-10 * x && steps < 50) {
        last[1] = last[0];
        last[0] = y;
        y = 0.5 * (y + x / y);
        steps++;
        if (steps == n[0] * 7)
            break;
    }
    r[0] += y;
    r[1] += last[0] - last[1];
    out[0] = steps;
    for (int i = 0; i < n[1]; i++) {
        double z = a[1] + i;
        if (z > 2.0)
            continue;
        r[2] += z;
        r[1] -= 2.0 * z;
        unused += z;
    }
    out[1] = unused;
    out[2] = y;
}

/* Local arrays with subscripts that are known at run time only. */
/* EXPECT: t[n[0]] = t_2 + a[0]; from 3, 4; after 4; 1 flop */
static void arrays(const double *a, const int *n, double *r, double *out)
{
    double t[4] = {1.0, 2.0}, u[3][2];
    for (int i = 0; i < 4; i++)
        t[n[i]] += a[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            u[i][j] = t[i] * (j + 1);
    int best = t[0] > t[1] ? 0 : 1;
    out[0] = t[best] + a[n[2]];
    if (best == 1)
        t[n[0]] = out[0];
    r[0] += t[1] + u[n[1] / 2][best];
    t[2] = 0.0;
    for (int i = 0; i < n[3]; i++)
        u[i % 3][i & 1] += t[i];
    r[1] += u[2][0] + u[0][1] + t[2];
}

/* Increments of, and stores to, places found at run time. */
/* EXPECT: ; once; 48 flops */
static void places(const double *a, const int *n, double *r, double *out, double *s)
{
    r[n[0]] += a[0];
    for (int i = 0; i < n[1]; i++) {
        r[i] -= a[i];
        out[i] = a[3 - i] + out[3];
        s[0] += a[i];
    }
    if (a[2] > 0.0)
        r[n[2]] = r[n[2]] + a[1] * a[1];
    out[n[3]] += out[0];
    out[2] = out[n[0]] * 2.0;
}

static double poly(const double *c, double x, int degree)
{
    double y = c[degree];
    for (int i = degree - 1; i >= 0; i--)
        y = y * x + c[i];
    return y;
}

static double twice(double x)
{
    return 2.0 * x;
}

static int find(const double *list, int count, double below)
{
    for (int i = 0; i < count; i++) {
        for (int j = i; j < count; j++) {
            if (list[j] < below - i)
                return j;
        }
        if (list[i] > 2.5)
            return -2;
    }
    return -1;
}

static void axpy(double *y, const double *x, double f, int count)
{
    for (int i = 0; i < count; i++)
        y[i] += f * x[i];
}

/* Helpers with loops, called in a line and from inside loops that stay whole. */
static void calls(const double *a, const int *n, double *r, double *out)
{
    double c[4] = {a[0], 1.0, a[1], 0.5};
    r[0] += poly(a, a[1], 3) + poly(c, a[2], n[0]);
    r[1] += find(a, 4, -1.0) + find(c, n[1], 0.0);
    axpy(r, a, 2.0, 4);
    axpy(out, a, a[0], n[2]);
    const double *which = n[0] > 1 ? a : c;
    double s = 0.0;
    for (int i = 0; i < n[3]; i++) {
        const double *from = a + i, *end = which + i;
        s += poly(c, from[0], i) + twice(s);
        axpy(r + 2, c, s + end[0], 2);
    }
    out[3] = s;
}

/* Pointers that move in loops that stay whole: declared before, and inside. */
static void walks(const double *a, const int *n, double *r, double *out)
{
    const double *p = a;
    double *to = r, local[4] = {1.0, 2.0, 3.0, 4.0};
    for (int i = 0; i < n[0]; i++, p++)
        *to++ += *p * 2.0;
    out[0] = *p;
    r[3] -= p[0];
    *to -= 1.0;
    for (int i = 0, j = n[1]; i < j; i++, j--)
        r[3] += a[i] - a[j];
    for (int i = 0; i < n[1]; i++) {
        const double *from = a, *back = local + 3;
        for (int j = 0; j + i < n[2]; j++) {
            out[1] += *from++ * back[0];
            back -= 1;
        }
        *(out + 2) = from[0] + *back;
    }
    int k = n[3];
    while (k-- > 0)
        p--, out[3] += k;
    double *q = local;
    while (*q < 3.5 && *q < 2.5 + a[0] && q[1] > 0.0)
        *q++ *= 2.0;
    r[2] += local[0] + local[3] + *q;
}

/* Vector arguments, all ends alike, and pointers that move. */
/* EXPECT: x = p_x through map4[0..3]: 0..1; 16 bytes */
static void corners(const double **x, double **r, const double *w)
{
    double mid[2] = {0.0, 0.0};
    for (int c = 0; c < 4; c++)
        for (int d = 0; d < 2; d++)
            mid[d] += 0.25 * x[c][d];
    const double *p = x[1];
    for (int c = 0; c < 4; c++) {
        const double *here = x[c];
        double *there = r[c];
        *there++ += (*here++ - mid[0]) * *w;
        *there -= *here * *p;
    }
}

/* Rows of a vector argument found at run time. */
static void rows(const double **x, double **r, const int *n)
{
    double s = x[n[0]][n[1] / 2];
    for (int c = 0; c < n[2]; c++)
        r[c][1] += x[c][0] * s;
    r[n[3]][0] -= s;
}

/* An element matrix, written as such and through a view of its rows. */
static void matrix(const double *a, double *k, double *r)
{
    double m[3][3];
    double(*rows)[3] = (double(*)[3])k;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[i][j] = a[i] * a[j];
            rows[i][j] = m[i][j] + (i == j);
        }
    }
    for (int i = 0; i < 3; i++)
        r[i] += m[0][i] - m[i][(i + 1) % 3] + k[3 * 2 + i];
}

/* Results behind pointers; printing. */
/* EXPECT: printf("large %g %d\n", a[2], result_2); from 1, 4; if cond */
static void results(const double *a, double *r, double *out)
{
    int e;
    double whole, part = modf(a[0], &whole);
    out[0] = frexp(a[1], &e) + part;
    if (a[2] > 100.0)
        printf("large %g %d\n", a[2], e);
    r[0] += whole;
    r[1] += e;
}

int main(void)
{
    op_par_loop(nested, "nested", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 0, map, 4, "double", OP_INC),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    op_par_loop(leaving, "leaving", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_WRITE));
    op_par_loop(converges, "converges", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_WRITE));
    op_par_loop(arrays, "arrays", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_RW));
    op_par_loop(places, "places", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_RW),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    op_par_loop(calls, "calls", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_RW));
    op_par_loop(walks, "walks", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_RW));
    op_par_loop(corners, "corners", cells, op_arg_dat(p_x, -4, map4, 2, "double", OP_READ),
                op_arg_dat(p_r, -4, map4, 2, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(rows, "rows", cells, op_arg_dat(p_x, -4, map4, 2, "double", OP_READ),
                op_arg_dat(p_r, -4, map4, 2, "double", OP_INC),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ));
    op_par_loop(matrix, "matrix", cells, op_arg_dat(p_x, 0, map, 3, "double", OP_READ),
                op_arg_dat(p_k, -1, OP_ID, 9, "double", OP_WRITE),
                op_arg_dat(p_r, 1, map, 3, "double", OP_INC));
    op_par_loop(results, "results", cells, op_arg_dat(p_x, 0, map, 3, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 3, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 3, "double", OP_WRITE));
    return 0;
}
