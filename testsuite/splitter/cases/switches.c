/* switches.c: switch statements, with falling through, defaults anywhere, ranges and returns. */
#include "op_seq.h"

static op_set cells, edges;
static op_map map;
static op_dat p_q, p_r, p_d, p_n;

enum kind { WALL, FAR = 2, OTHER };

static void plain(const double *a, const int *n, double *r)
{
    double f = a[0];
    switch (n[0]) {
    case WALL:
        r[0] += a[1];
        break;
    case FAR:
        f = a[2] * a[3];
        r[1] += f;
        break;
    default:
        f = -f;
    }
    r[2] += f;
}

static void falls(const double *a, const int *n, double *r, double *out)
{
    double s = 1.0;
    switch (n[0] + n[1]) {
    default:
        s = 2.0;
        /* fall through */
    case 1:
    case 2:
        s += a[0];
        if (a[1] > 0.0)
            break;
        r[0] += s;
        /* fall through */
    case 3: {
        double t = s * s;
        r[1] += t;
        break;
    }
    case 0:
        out[0] = 7.0;
        return;
    case 4:;
    }
    out[0] = s;
    switch (n[2]) {
    case 0 ... 1:
        s = 0.5;
    }
    r[2] += s;
    switch (2) {
    case 2:
        s = a[2];
    case 3:
        s += 1.0;
        break;
    case 4:
        s = 0.0;
    }
    out[1] = s;
}

static double weight(int kind, double x)
{
    switch (kind) {
    case 0:
        return x;
    case 1:
        return x * x;
    }
    return 0.0;
}

static void inside(const double *a, const int *n, double *r, double *out)
{
    double s = 0.0;
    for (int i = 0; i < 3; i++) {
        switch (n[i]) {
        case 0:
            continue;
        case 1:
            s += a[i];
            break;
        case 2:
            r[i] += s;
        }
        s += weight(n[3], a[3]);
    }
    out[0] = s;
    for (int i = 0; i < n[0] * 2; i++) {
        switch (n[i % 4]) {
        case 3:
            out[1] = i;
            return;
        case 2:
            s *= 0.5;
            break;
        default:
            s += weight(i & 1, s);
        }
        if (s > 20.0)
            break;
    }
    r[1] -= s;
    out[2] = 1.0;
}

int main(void)
{
    op_par_loop(plain, "plain", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 3, "double", OP_INC));
    op_par_loop(falls, "falls", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 3, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 3, "double", OP_RW));
    op_par_loop(inside, "inside", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 3, "double", OP_INC),
                op_arg_dat(p_d, -1, OP_ID, 3, "double", OP_RW));
    return 0;
}
