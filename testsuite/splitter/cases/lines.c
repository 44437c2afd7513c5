/* lines.c: bodies without loops: locals, arrays, records, side effects, conditions, returns. */
#include "op_seq.h"

static op_set cells, edges;
static op_map map;
static op_dat p_x, p_q, p_r, p_d, p_n;
static double sum, low, high;

double gam;

/* A local that is used for several things, signs, and both ends. */
/* EXPECT: rb[1] -= 2.0 * f_2, as ra[1] */
/* EXPECT: tmp(e) takes 4 values (32 bytes) for 8 increments */
static void versions(const double *a, const double *b, double *ra, double *rb)
{
    double f = a[0] * b[1];
    ra[0] += f;
    rb[0] -= f;
    f = a[1] / (1.5 + b[0] * b[0]);
    ra[1] += f;
    rb[1] -= 2.0 * f;
    f -= a[2];
    f *= f;
    ra[2] = ra[2] + f;
    rb[2] = rb[2] - f;
    ra[3] = f + ra[3];
    rb[3] = rb[3] + f + a[3];
}

/* Side effects inside expressions. */
static void effects(const double *a, const int *n, double *out)
{
    int i = 0;
    double x, y;
    x = y = a[i++];
    out[0] = x + a[i++] * y;
    out[i] = a[i++ % 2];
    x = (y = a[2], y + 1.0);
    out[2] = (x += 2.0) * x;
    int k = n[0] > 1 && i++ > 0;
    k += n[0] > 2 || ++i > 4;
    out[3] = n[1] > 1 ? (x = a[3]) : i;
    out[1] += x + k + i;
    out[0]--;
    ++out[0];
}

/* Early returns and guarded increments. */
static void leaves(const double *a, const int *n, double *r, double *out)
{
    out[1] = -1.0;
    if (n[0] == 0) {
        out[0] = 3.0;
        return;
    }
    double f = sqrt(fabs(a[0]));
    if (a[1] > 0.5) {
        if (n[1] == 2)
            return;
        f = -f;
        r[0] += f;
    } else if (a[1] < -0.5) {
        r[1] += a[0];
        f += 1.0;
    }
    r[2] += f;
    if (a[2] > 0.0)
        return;
    r[2] -= a[2];
    out[2] = f;
}

struct vec {
    double x, y;
    int tag[2];
};

static struct vec make(double x, double y)
{
    struct vec v = {x, y, {1}};
    if (x < y) {
        struct vec w = {.x = y, .y = x};
        return w;
    }
    v.tag[1] = 2;
    return v;
}

static double length(struct vec v)
{
    return sqrt(v.x * v.x + v.y * v.y);
}

static void scale(struct vec *v, double by)
{
    v->x *= by;
    v->y = v->y * by + v->tag[0];
}

/* Records by value and by pointer, nested arrays, copies. */
static void records(const double *a, double *r, double *out)
{
    struct vec v = make(a[0], a[1]), w[2];
    w[0] = v;
    w[1] = a[2] > 0 ? v : make(a[3], 1.0);
    scale(&w[1], 3.0);
    scale(&v, length(w[0]));
    r[0] += v.x;
    r[1] += w[1].y;
    out[0] = w[1].x + make(2.0, a[0]).y;
    out[1] = v.tag[1] + w[1].tag[1];
}

static void add_to(double *place, double value)
{
    *place += value;
    if (value > 0.0)
        return;
    place[1] -= value;
}

static double first_positive(const double *list)
{
    if (list[0] > 0.0)
        return list[0];
    if (list[1] > 0.0)
        return list[1];
    return gam;
}

/* Helpers that get pointers into arguments. */
static void helpers(const double *a, const double *b, double *r, double *out)
{
    const double *p = a + 1;
    double local[3] = {a[0], first_positive(b)};
    add_to(r, p[1] * local[0]);
    add_to(r + 2, first_positive(p));
    add_to(&local[1], b[3]);
    add_to(out, local[1] + local[2]);
    p++;
    out[3] = *p + *(p - 1) + local[2];
}

/* Reading what was stored before; two arguments of one dat. */
/* EXPECT: q[0] = q_5; from 8, 10; after 2, 3; if cond */
static void stores(double *q, const double *same, double *out)
{
    q[0] = q[1] + 1.0;
    out[0] = q[0] * same[0];
    q[1] = q[0] - q[1];
    if (q[1] > 0.0)
        q[0] = 5.0 + same[1];
    out[1] = q[0] + q[1];
    out[2] = same[0];
    q[3] += q[2];
    out[3] = same[3];
}

/* Global sums and extrema. */
/* EXPECT: s[0] += s_0_3; from 3; 1 flop */
static void reduces(const double *a, double *s, double *least, double *most)
{
    s[0] += a[0] * a[0];
    if (a[1] > 0.0)
        s[0] += a[1];
    *least = fmin(*least, a[2]);
    if (a[3] > most[0])
        most[0] = a[3];
}

/* Extrema through a map, in the known forms. */
/* EXPECT: least_0_3 = least_0_2 < least_0 || least_0 != least_0 ? least_0_2 : least_0 */
/* EXPECT: least[0] min= least_0_3 */
static void extrema(const double *a, double *least, double *most)
{
    least[0] = fmin(least[0], a[0]);
    if (a[1] < least[0])
        least[0] = a[1];
    least[1] = a[1] < least[1] ? a[1] : least[1];
    if (least[2] > a[2] * 2.0) {
        least[2] = a[2] * 2.0;
    }
    most[0] = fmax(a[0], most[0]);
    most[1] = most[1] > a[2] ? most[1] : a[2];
    if (a[0] > 0.0) {
        if (most[2] < a[1])
            most[2] = a[1];
    }
}

/* Pure copies need no variable. */
/* EXPECT: tmp(e) takes 0 values (0 bytes) for 6 increments */
static void copies(const double *f, double *r1, double *r2, const double *g)
{
    double t = f[0];
    r1[0] += t;
    r2[0] -= t;
    r1[1] += f[1];
    r2[1] -= f[1];
    r1[2] += g[0];
    r2[2] += 1.0;
}

/* Integers of several widths, conversions and constants. */
static void integers(const int *n, int *out, double *r)
{
    static const int table[4] = {3, -1, 7, 2};
    unsigned char c = (unsigned char)(n[0] * 100);
    short s = (short)(c << 2);
    unsigned u = (unsigned)n[1] - 2u;
    long l = (long)u * 3;
    out[0] = c + s;
    out[1] = (int)(l >> 4) ^ ~n[2];
    out[2] = table[2] + table[n[3]];
    out[3] = !n[1] + (int)(n[0] / 3.0f);
    r[0] += n[0] / 2 + table[1];
    r[1] += (float)n[2] / 3;
    r[2] += n[1] ? 1 : 0;
}

int main(void)
{
    op_decl_const(1, "double", &gam);
    op_par_loop(versions, "versions", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 0, map, 4, "double", OP_INC),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    op_par_loop(effects, "effects", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_RW));
    op_par_loop(leaves, "leaves", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_WRITE));
    op_par_loop(records, "records", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_WRITE));
    op_par_loop(helpers, "helpers", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_RW));
    op_par_loop(stores, "stores", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_RW),
                op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_WRITE));
    op_par_loop(reduces, "reduces", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC), op_arg_gbl(&low, 1, "double", OP_MIN),
                op_arg_gbl(&high, 1, "double", OP_MAX));
    op_par_loop(extrema, "extrema", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_x, 0, map, 3, "double", OP_MIN),
                op_arg_dat(p_r, 1, map, 3, "double", OP_MAX));
    op_par_loop(copies, "copies", edges, op_arg_dat(p_d, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_r, 0, map, 4, "double", OP_INC),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC),
                op_arg_gbl(&sum, 1, "double", OP_READ));
    op_par_loop(integers, "integers", edges, op_arg_dat(p_n, 0, map, 4, "int", OP_READ),
                op_arg_dat(p_d, -1, OP_ID, 4, "int", OP_WRITE),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    return 0;
}
