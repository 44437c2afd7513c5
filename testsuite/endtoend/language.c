/* language.c: kernels that use what C has to offer, each loop compared with the reference by
 * language.sh. */
#include "language.h"

KERNEL(switch_in_loops)
{
    double s = 0;
    for (int i = 0; i < 4; i++) {
        switch ((*k + i) % 5) {
        case 0:
            continue;
        case 1:
            s += a[i];
            break;
        case 2:
            s *= 0.5;
            /* fall through */
        case 3: {
            if (b[i] > 0) {
                break;
            }
            s -= b[i];
            switch (i) {
            case 1:
            case 2:
                s += 3;
                break;
            default:
                s -= 1;
                continue;
            }
            s += 0.25;
        } break;
        default:
            s += a[i] * b[i];
        }
        s += 1;
        p[i] += s;
    }
    q[0] -= s;
}

KERNEL(switch_returns)
{
    switch (*k) {
    case 3 ... 6:
        p[0] += a[0];
        if (a[1] > b[1]) {
            return;
        }
        q[1] += 1;
    case 7:
        q[2] += b[2];
        return;
    case 1:;
        int deep = 3;
        deep += *k;
        p[3] += deep;
        break;
    default:
        for (int i = 0;; i++) {
            if (i > *k) {
                break;
            }
            q[3] += i;
        }
    }
    p[1] += 2;
}

KERNEL(switch_before)
{
    double t = 0;
    int n = 0;
    do {
        switch (n++) {
        case 0:
            t = a[0];
            break;
        case 1:
            t = b[0];
            continue;
        default:
            t = n;
        }
        p[n % 4] += t;
    } while (n < 6 && t > -3);
    q[n % 3] += t;
}
struct inner {
    double v[2];
    int n;
};
struct outer {
    struct inner in[2];
    double w;
};
static struct outer make(double x, double y)
{
    struct outer o = {{{{x, y}, 1}, {{y}, 2}}, x + y};
    return o;
}
static double total(struct outer o)
{
    o.in[0].v[1] *= 2;
    return o.w + o.in[0].v[1] + o.in[1].v[0] + o.in[1].v[1] + o.in[1].n;
}

KERNEL(nested_records)
{
    struct outer o = make(a[0], b[0]), c = o;
    struct outer *r = &c;
    struct outer two[2] = {o, {.w = 3}};
    r->in[*k % 2].v[1] += a[2];
    two[*k & 1] = *r;
    two[1].in[0] = two[0].in[1];
    p[0] += total(two[*k % 2]);
    q[0] += total(two[1]) - total(o);
    o = *k > 4 ? c : make(b[3], 1);
    p[1] += o.w + total(o);
    struct inner in = *k > 2 ? (struct inner){{a[1], b[1]}, 4} : (struct inner){.n = *k};
    q[2] += in.v[0] + in.v[1] * in.n;
    const double *v = (const double[3]){a[0], b[1], 7};
    q[3] += v[*k % 3];
}

KERNEL(comma_and_lazy)
{
    int i = 0, j = 3;
    double s = (i++, j--, a[i] + b[j]);
    if (i && (j -= 1) > 0 && (s += 1) > 0 || (s = 9, 0)) {
        s += i++ + ++j;
    }
    p[i & 3] += s;
    q[(unsigned)j & 3] += *k > 3 ? (s > 2 ? a[0] : b[1]) : s > 0 ? (s -= 2) : -1;
    p[2] += s;
    p[3] += (s < 1) + !s + ~j + (j << 2) + (-7 >> 1) + (-7) % 3 + (unsigned char)(300 + *k) +
            (short)70000;
}

KERNEL(loops_leave)
{
    int n = *k;
    double s = 0;
    while (1) {
        if (n-- == 0) {
            break;
        }
        for (int i = n; i >= 0; i -= 2) {
            if (i % 3 == 1) {
                continue;
            }
            for (int j = i; j < n; ++j) {
                if (j == 5) {
                    break;
                }
                s += a[j & 3] * b[i & 3];
                if (s > 40) {
                    return;
                }
            }
            if (s < -20) {
                break;
            }
            p[i & 3] += s;
        }
    }
    q[0] += s;
    return;
    q[1] += 1e9;
}

KERNEL(rows_of_pointers)
{
    const double *x[2] = {a, b};
    double *to[2] = {p, q};
    for (int i = 0; i < 2; i++) {
        for (int d = 0; d < 3; d++) {
            to[i][d] += x[1 - i][d] * (i ? 2 : 1);
        }
    }
    to[*k % 2][3] += x[*k % 2][3];
}
static void put(double **to, const double *const *x, int n)
{
    for (int i = 0; i < n; i++) {
        *to[i] += x[i][1];
    }
}
static void both(double **to, const double *const *x)
{
    put(to, x, 2);
    put(to + 1, x + 1, 1);
}

KERNEL(rows_passed)
{
    const double *x[2] = {a, b};
    double *to[2] = {p + 1, q};
    both(to, x);
    double **t = to;
    (*t++)[1] += 4;
    (*t)[2] -= *k;
    struct {
        double *at;
        const double *from;
    } pair = {p, b};
    pair.at[3] += pair.from[0];
}

KERNEL(overwritten)
{
    double t[4];
    memcpy(t, a, sizeof t);
    double u[2][2] = {{1, 2}, {3, 4}};
    memcpy(u[1], b + 1, 2 * sizeof(double));
    t[*k % 4] = u[*k % 2][1];
    memset(u[0], 0, sizeof u[0]);
    t[0] = t[1] = t[*k % 3];
    for (int i = 0; i < 4; i++) {
        p[i] += t[i];
        q[i] += u[i / 2][i % 2];
    }
    int z[3] = {[2] = 5, [0] = 1};
    z[*k % 3]++;
    z[*k % 3] <<= 1;
    p[0] += z[0] * 100 + z[1] * 10 + z[2];
}

KERNEL(integers)
{
    unsigned u = (unsigned)*k * 2654435761u;
    long l = (long)u << 7;
    signed char c = (signed char)u;
    _Bool t = u & 8;
    p[0] += (double)(u >> 3) * 1e-9;
    p[1] += (double)(l % 1000);
    q[0] += c + t;
    q[1] += (float)a[0] / 3 + (int)b[0] / 2;
    q[2] += (*k - 5) / 2 + (*k - 5) % 3;
    float f = (float)a[1];
    f += 1.0 / 3;
    f *= 3;
    p[2] += f;
    c += 100;
    u -= 1;
    p[3] += c + (u > 0);
}
struct v {
    double x[2];
    int n;
};
static double rec(const double *x, int n)
{
    double t = 0;
    while (n-- > 0) {
        if (x[n] < -2) {
            return -t;
        }
        t += x[n];
    }
    return t;
}

KERNEL(swap_rows)
{
    double t[2][2] = {{a[0], a[1]}, {b[0], b[1]}};
    double *r = t[*k % 2], *s = t[1 - *k % 2];
    r[0] = s[1];
    s[1] += 2;
    double u = t[0][1];
    t[0][1] = t[1][0];
    t[1][0] = u;
    p[0] += t[0][0] + 2 * t[0][1];
    q[0] += t[1][0] * 3 - t[1][1];
}

KERNEL(copy_struct)
{
    struct v u = {{a[0], a[1]}, *k}, w = u, *z = *k % 2 ? &u : &w;
    z->x[*k % 2] = 7;
    u = *z;
    w.n++;
    z->n += 2;
    *z = (struct v){{1, z->x[0]}, z->n};
    p[1] += u.x[0] + w.x[1] * z->n;
    q[1] += u.n * 10 + w.n;
}

KERNEL(early)
{
    double t = rec(a, 4);
    if (t < 0) {
        p[0] += t;
        return;
    }
    q[0] += t;
    for (int i = 0; i < 4; i++) {
        if (b[i] > t) {
            return;
        }
        p[i] += rec(b, i);
    }
    q[1] += 1;
}

KERNEL(walk)
{
    const double *s = a, *e = a + 4;
    double *o = p;
    while (s != e) {
        *o++ += *s++ * 2;
    }
    o = q + 3;
    for (s = b + 3; s >= b; s--, o--) {
        if (*s > 0) {
            *o -= *s;
        }
    }
}

KERNEL(tern)
{
    const double *s = *k > 4 ? a : b;
    double m = s[0] > s[1] ? s[0] : s[1];
    for (int i = 2; i < 4; i++) {
        m = m > s[i] ? m : s[i];
    }
    p[*k > 5 ? 1 : 2] += m;
    q[(*k * 3) % 4] += m > 0 ? m : -m;
}

KERNEL(sw)
{
    int st = 0;
    double acc = 0;
    for (int i = 0; i < 8; i++) {
        switch (st) {
        case 0:
            acc += a[i % 4];
            st = acc > 1 ? 2 : 1;
            continue;
        case 1:
            acc -= b[i % 4];
            if (acc < 0) {
                st = 3;
                break;
            }
            st = 0;
            continue;
        case 2:
            for (;;) {
                acc *= 0.5;
                if (acc < 1) {
                    break;
                }
            }
            st = 1;
            break;
        case 3:
            p[3] += acc;
            return;
        }
        q[i % 4] += acc;
    }
    p[0] += acc;
}

KERNEL(dup)
{
    switch (*k) {
    case 0:
    case 1: {
        double z = a[0];
        p[0] += z;
    }
    case 2: {
        double z = b[0];
        q[0] += z;
        break;
    }
    case -1 ... - 1:
        p[1] += 1e6;
        break;
    case 10:
    default:
        switch (*k & 1) {
        default:
            p[2] += 1;
            break;
        case 1:
            p[2] += 2;
        }
        q[3] += 3;
    }
}

KERNEL(bits)
{
    union {
        double d;
        unsigned long long u;
    } c;
    c.d = a[0];
    c.u ^= 1ull << 63;
    p[0] += c.d;
    q[0] += 1;
}

KERNEL(inc)
{
    double d[2] = {p == q, 0};
    p[0] += a[0];
    p[0] += b[0] * (p + 1 > p);
    q[0] = q[0] + a[1] - b[1];
    q[1] = -a[0] + (q[1] + 3);
    --q[2];
    p[3]++;
    p[1] -= d[0];
    q[(int)fabs(a[2]) % 4] = q[(int)fabs(a[2]) % 4] + b[3];
}

struct pair {
    int x, y;
};

struct nest {
    struct pair in[2];
    double z[2][2];
    char name[4];
};

KERNEL(designators)
{
    static const double row[2][3] = {1, [1][1] = 4, 5};
    static const int column[4][2] = {[2][1] = 3, 4, [0] = {1}};
    int open[3][2] = {[1] = 5, 6, 7};
    struct nest n = {.in[1].x = 3, 9, .z[1][0] = 2.5, b[0], .in[0] = {1, 2}, .z[0] = {a[0], 1}};
    struct nest m = {.in = 1, 2, 3, 4, 5.5};

    p[0] += a[0] * row[1][1] + row[1][2] + row[0][0];
    p[1] += column[2][1] + 10 * column[3][0] + 100 * column[0][0];
    p[2] += open[1][0] + 10 * open[1][1] + 100 * open[2][0];
    p[3] += n.in[0].x + 10 * n.in[0].y + 100 * n.in[1].x + 1000 * n.in[1].y;
    q[0] -= n.z[0][0] + n.z[0][1] * 3 + n.z[1][0] * 5 + n.z[1][1] * 7;
    q[1] -= m.in[0].x + 10 * m.in[0].y + 100 * m.in[1].x + m.in[1].y * m.z[0][0];
}

KERNEL(strings)
{
    static const char fits[3] = "abc", braced[] = {"\xff\0z\n\"\\'"}, both[2][4] = {"xy", {"zw"}};
    static const unsigned char high[] = "\x80"
                                        "1";
    struct nest n = {.name = "hi"};
    char local[8] = "tail";

    local[k[0] % 4] = 'k';
    for (int i = 0; i < 4; i++) {
        p[i] += local[i] * a[i] + braced[i] - braced[i + 4];
    }
    q[0] += fits[2] + 10 * both[0][1] + 100 * both[1][0] + both[1][3];
    q[1] += high[0] + 1000 * high[1] + n.name[1] + (int)sizeof(braced);
}

static double pass_on(double *to, const double from[], const double square[][2], double own[4])
{
    to[0] += from[0] * square[1][0];
    own[1] = from[1];
    return from[2] + own[0];
}

static double pass_twice(double *to, const double from[], int n)
{
    const double square[2][2] = {{1, 2}, {3, 4}};
    double own[4] = {5};

    return n > 0 ? pass_on(to, from, square, own) + own[1] : 0;
}

KERNEL(array_parameters)
{
    double local[3] = {a[0], b[1], a[2]};
    const double fixed[] = {1, 2, 3};

    p[1] += pass_twice(p, local, k[0]);
    q[1] -= pass_twice(q, a, 1) + pass_twice(q + 2, fixed, 1);
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    make_mesh();
    LOOP(switch_in_loops);
    LOOP(switch_returns);
    LOOP(switch_before);
    LOOP(nested_records);
    LOOP(comma_and_lazy);
    LOOP(loops_leave);
    LOOP(rows_of_pointers);
    LOOP(rows_passed);
    LOOP(overwritten);
    LOOP(integers);
    LOOP(swap_rows);
    LOOP(copy_struct);
    LOOP(early);
    LOOP(walk);
    LOOP(tern);
    LOOP(sw);
    LOOP(dup);
    LOOP(bits);
    LOOP(inc);
    LOOP(designators);
    LOOP(strings);
    LOOP(array_parameters);
    op_exit();
    return 0;
}
