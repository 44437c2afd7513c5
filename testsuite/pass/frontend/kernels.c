/* kernels.c: one small kernel for each construct that bodies may have. Compiled as it is, and once
 * more as the front end's trees print it; roundtrip.sh compares the results bit for bit. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels.h"

#define HALF 0.5f
#define SQUARE(x) ((x) * (x))

typedef double real;
typedef real triple[3];
enum colour { RED, GREEN = 5, BLUE };
typedef enum { COLD = -1, HOT = 1 } heat;
struct inner {
    int count;
    real weight[2];
};
typedef struct {
    struct inner part[2];
    float scale;
    bool flag;
} record;
union both {
    double value;
    int word[2];
};

static const double table[4] = {1.0 / 3.0, 2, -0.0, 1e-300};
static const int grid[2][3] = {{1, 2}, {3, 4, 5}};
static const struct inner unit = {2, {0.25, 4}};
const float single = 0.1f;
static const unsigned long long large = 0xfedcba9876543210ULL;

static double plus(double x, double y)
{
    return x + y;
}

static void scale(double *x, int n, double by)
{
    for (int i = 0; i < n; i++)
        x[i] *= by;
}

static int early(const int *n)
{
    if (n[0] > 3)
        return n[0];
    if (n[1] > 3)
        return -n[1];
    return 0;
}

static record make(double x)
{
    record r = {{{1, {x, 2}}}, HALF, true};
    r.part[1].count = 7;
    return r;
}

KERNEL(straight)
{
    const double x = a[0] * a[1] + a[2];
    double y = x / (1.0 + a[3] * a[3]), z;
    z = y - x * 2;
    b[0] = z;
    b[1] += y - (x - z) - (a[0] - (a[1] - a[2]));
    b[2] -= -x;
    b[3] *= 1.5;
    b[4] /= 3;
    b[5] = a[0] / (a[1] / (a[2] * (a[3] / 7)));
}

KERNEL(integers)
{
    m[0] = n[0] / 3 + n[1] % 7 - (n[2] - (n[3] - 4));
    m[1] = n[0] << 3 | (n[1] & 0xff) >> 2 ^ ~n[2];
    m[2] = -n[0] * +n[1];
    m[3] += n[2];
    m[4] <<= 2;
    m[5] >>= 1;
    m[6] &= 0x55;
    m[7] |= 3;
    m[0] ^= n[3];
    m[1] %= 11;
    m[2] = !n[0] + !!n[1] + (n[2] == n[3]) + (n[0] != 1) + (n[0] <= n[1]) + (n[1] >= 2);
    m[3] = 1 ? 2 : 3;
}

KERNEL(conversions)
{
    char c = (char)n[0];
    signed char s = (signed char)(n[1] * 100);
    unsigned char u = -1;
    short h = (short)n[2];
    unsigned short uh = 65535;
    unsigned int ui = n[3];
    long l = n[0];
    unsigned long ul = -5;
    long long ll = a[0];
    unsigned long long ull = large;
    float f = a[1];
    bool q = n[1];
    c += 1.7f;
    s -= 3;
    u <<= 3;
    u++;
    h *= 2.5;
    uh += h;
    b[0] = c + s + u + h + uh;
    b[1] = f;
    b[2] = (int)a[2] + (float)a[3];
    b[3] = ui + l;
    b[4] = ul;
    b[5] = ll + (double)ull;
    b[6] = q + (q = 3);
    b[7] = f * f + HALF + single;
    m[0] = ui > -1;
    m[1] = l < ul;
    m[2] = (unsigned char)300 + (int)3.99 + 'x' + '\n';
    m[3] = (int)(ui >> 1) + (n[0] >> 1);
    f += a[0];
    f -= 1;
    m[4] = f;
    m[5] = a[0] > 0;
    m[6] = 7 / 2.0f;
    m[7] = (uint8_t)n[3] + sizeof(double) + sizeof c + sizeof(record) + (int)sizeof(a[0]);
}

KERNEL(branches)
{
    if (n[0] > 2)
        b[0] = a[0];
    if (n[0] > 2 && a[0] > 0 || n[1])
        b[1] = a[1];
    else
        b[1] = -a[1];
    if (n[2])
        if (n[3] > 0)
            b[2] = 1;
        else
            b[2] = 2;
    if (n[0] == 1) {
    } else if (n[0] == 2) {
        b[3] = 4;
    } else {
        double b3 = a[2];
        b[3] = b3;
    }
    b[4] = n[1] ? a[0] : n[2] ? 2.0f : 3;
    b[5] = (n[1] ? a[0] : a[1]) * 2;
    b[n[0] > 3 ? 6 : 7] = 8;
    if (!a[3])
        return;
    m[0] = 5;
}

KERNEL(loops)
{
    int i, j;
    for (i = 0; i < 4; i++)
        b[i] += a[i];
    for (int p = 0, q = 3; p < q; p++, q--)
        b[p] += a[q];
    for (i = 0, j = 8; i < j; i += 3)
        b[i % 8] -= 1;
    i = 0;
    for (; i < 3;)
        i++;
    for (;; i++)
        if (i > 5)
            break;
    for (j = 2; ; ) {
        if (++j > 6)
            break;
    }
    for (j = 0;; j++)
        if (j == 4)
            break;
    for (; j < 9; j++)
        m[0] += j;
    for (int k = 9; k;)
        k -= 3;
    while (i > 0) {
        i -= 2;
        if (i == 2)
            continue;
        m[1] += i;
    }
    do
        m[2]++;
    while (m[2] < 20 && m[2] % 5);
    for (i = 0; i < 3; i++)
        for (j = 0; j < i; j++)
            m[3] += i * j;
    while (i--)
        ;
    m[4] = i;
}

KERNEL(calls)
{
    double local[3] = {a[0], a[1], a[2]};
    scale(local, 3, plus(a[3], 1));
    b[0] = plus(plus(local[0], local[1]), local[2]);
    m[0] = early(n);
    scale(b + 1, 2, n[0]);
    scale(&b[3], 1, 0.25f);
}

KERNEL(arrays)
{
    double full[3] = {1, 2.5, a[0]};
    double part[4] = {a[1]};
    double zeros[2] = {0};
    double rows[2][2] = {{1, 2}, {a[2]}};
    double flat[2][3] = {1, 2, 3, a[3], 5};
    int chosen[6] = {[1] = 4, n[0], [5] = 2};
    triple t = {3, 2, 1};
    double *p = rows[1];
    const double(*whole)[3] = (const double(*)[3])flat;
    for (int i = 0; i < 3; i++)
        b[i] = full[i] + part[i + 1] + t[i] + table[i] + flat[1][i];
    b[3] = rows[0][1] + p[0] + *(p + 1) + zeros[1];
    b[4] = whole[1][0] + (*whole)[2];
    b[5] = 2 [full];
    for (int i = 0; i < 6; i++)
        m[i] = chosen[i];
    m[6] = grid[1][2] + grid[0][2];
}

KERNEL(pointers)
{
    const double *p = a, *q = a + 3;
    double *w = b;
    *w++ = *p++;
    *++w = *q--;
    w[1] = p[-1] + *q;
    m[0] = q - p;
    m[1] = p < q;
    m[2] = p != 0;
    w = n[0] > 2 ? b + 4 : b + 5;
    *w = 9;
    (*w)++;
    --*w;
    w += 1;
    w -= 2;
    *w += 3;
    p = NULL;
    m[3] = !p;
    if (p)
        b[7] = 1;
}

KERNEL(records)
{
    record r = make(a[0]), s;
    struct inner i = {3, {a[1]}};
    struct inner *p = &r.part[1];
    union both u = {a[2]};
    s = r;
    p->count += n[0];
    p->weight[1] = a[3];
    s.part[0] = i;
    b[0] = s.part[0].weight[0] + r.part[1].weight[1] + s.scale;
    b[1] = unit.weight[0] + u.value;
    b[2] = make(a[1]).part[0].weight[0];
    m[0] = r.part[1].count + s.part[0].count + s.flag + (*p).count;
    m[1] = u.word[0] ^ u.word[1];
}

KERNEL(enums)
{
    enum colour c = GREEN;
    heat h = COLD;
    m[0] = c + BLUE + h;
    c = n[0] > 2 ? RED : BLUE;
    h = HOT;
    m[1] = c == RED;
    m[2] = h * 3;
    m[3] = c;
    b[0] = c * a[0];
}

KERNEL(library)
{
    b[0] = sqrt(fabs(a[0])) + pow(a[1], 2) + fmin(a[2], a[3]) + fmax(a[2], n[0]);
    b[1] = exp(a[0] * 0.01) + log(1 + a[1] * a[1]) + sin(a[2]) * cos(a[3]) + atan2(a[0], a[1]);
    b[2] = sqrtf(a[1] * a[1]) + fabsf(a[2]) + powf(2, n[1]);
    m[0] = abs(n[0]) + labs(n[1]) + isnan(a[0]) + isinf(a[1]) + !isfinite(a[2]) + !signbit(a[3]);
    b[3] = __builtin_fabs(a[0]) + copysign(1, a[1]) + floor(a[2]) + ceil(a[3]) + fmod(a[1], 0.7);
    b[4] = ldexp(a[0], 3) + hypot(a[0], a[1]) + MIN(a[0], a[1]) + MAX(n[0], n[1]);
    b[5] = a[0] > INFINITY ? 1 : 0;
}

KERNEL(macros)
{
    b[0] = SQUARE(a[0] + 1) * HALF;
    b[1] = 0x1.8p-3 + 1e-320 + 0x10 + 010 + 5U + 6L + 7ULL + 1.f;
    m[0] = SQUARE(n[0] - n[1]) - 2147483647 - 1;
    b[2] = -0.0;
    b[3] = large;
    (void)n[1], b[4] = (a[0], a[1]);
    b[5] = b[6] = a[2];
    ;
}

KERNEL(locals)
{
    static const double weight[2] = {0.5, 0.25};
    double x = 1;
    {
        double x = a[0];
        b[0] = x * weight[1];
    }
    for (int x = 0; x < 2; x++)
        b[1] += x * weight[x];
    b[2] = x;
}

KERNEL(choice)
{
    switch (n[0]) {
    case 0:
        b[0] = HALF;
        break;
    case GREEN:
        b[0] = plus(a[0], SQUARE(a[1]));
        break;
    default: {
        record r = make(a[2]);
        real x = r.part[0].weight[0] + table[1];
        bool q = n[1];
        enum colour c = BLUE;
        b[1] = x + q + c + sqrt(4.0) + isnan(x);
    }
    }
}

KERNEL(jumps)
{
    int i = 0;
again:
    i += 2;
    if (i < n[0])
        goto again;
    m[0] = i;
}

static double corner(const double p[2], const double q[])
{
    return p[0] * q[1] - p[1] * q[0];
}

KERNEL(rows)
{
    const double *row[2] = {a, __builtin_assume_aligned(a + 2, 8)};
    assert(n != NULL);
    b[0] = corner(row[0], row[1]) + corner(*row, a + 1);
}

/* C that C++ reads otherwise, in a text. */
KERNEL(foreign)
{
    _Static_assert(sizeof(double) == 8, "as everywhere");
    struct inner part = (struct inner){.count = n[0], .weight = {a[0], a[1]}};
    goto end;
end:
    b[0] = part.weight[1] + (double)_Alignof(double) + part.count;
}

#define LARGER(x, y) ({ __typeof__(x) x_ = (x), y_ = (y); x_ > y_ ? x_ : y_; })

KERNEL(extension)
{
    m[1] = ({ int x = n[1]; x * 2; });
    b[0] = LARGER(a[0], LARGER(a[1], a[2])) + 1;
    for (int i = 0; i < 3; i++)
        m[3] += ({ if (i > n[0]) break; i; });
    m[2] = n[2] + 1;
}

static int classed(int x)
{
    switch (x) {
    case -2:
        return 1;
    case GREEN:
    case 7 ... 9:
        x += 2;
    default:
        return x;
    case 'a':
        break;
    }
    return -1;
}

/* Falls through, leaves and goes on in all ways, with labels and declarations anywhere. */
KERNEL(switches)
{
    for (int i = 0; i < 12; i++) {
        switch (n[i % 4] + i % 3) {
            int late;
        case 1:
            if (a[i % 4] > 0)
                break;
            b[0] += 1;
        case 2:;
            double x = a[1], y = x + i;
            b[1] += x * y;
            break;
        default:
            x = 3;
            b[2] += x;
            late = i;
            m[0] += late;
            continue;
        case 4: {
            double z = a[2];
            b[3] += z;
        }
        case 5:
            while (1) {
                b[4] += 2;
                break;
            }
            switch ((unsigned char)n[0]) {
            case 3:
                m[1]++;
            }
            break;
        case 6:
            m[2] += classed(i);
        case 9:;
        }
        m[3] += classed(n[i % 4]);
    }
    switch (n[1])
    case 3:
    case 5:
        m[4] = 1;
    switch (n[2] > 0 ? 2L : -3L) {
    case -3:
        m[5] = 2;
    }
    switch (n[3]) {
        struct inner x = {7, {1}};
    case 1:;
        const int y = n[0];
        struct inner z = {.weight = {y}};
        m[6] = y;
        b[5] = z.weight[0] + z.weight[1] + z.count;
        break;
    default:
        x.count = 2;
        m[7] = x.count;
    }
}

static double length(struct inner x)
{
    return x.weight[0] + x.count * x.weight[1];
}

static struct inner turned(struct inner x)
{
    return (struct inner){-x.count, {x.weight[1], x.weight[0]}};
}

/* Literals of records and arrays wherever an expression may stand. */
KERNEL(literals)
{
    struct inner x = (struct inner){n[0], {a[0], a[1]}}, y;
    record all[2] = {{.scale = 2}};
    double *row = (double[3]){a[2], 1};
    y = (struct inner){.count = x.count + 1, .weight = {x.weight[1]}};
    if (n[1] > 2)
        x = (struct inner){1};
    else
        row = &(double){a[3]};
    b[0] = length((struct inner){3, {a[1], 2}}) + length(turned(y)) + row[0];
    x = turned((struct inner){x.count, {y.weight[0], x.weight[0]}});
    b[1] = x.weight[0] + x.weight[1] + turned(x).weight[1];
    all[1] = all[0];
    all[1].part[1] = x;
    all[0].part[0] = all[1].part[1];
    b[2] = all[0].part[0].weight[1] + all[1].scale + make(a[0]).part[0].weight[0];
    for (int i = 0; i < 3; i++)
        b[3] += (double[]){a[i], 2 * i}[i % 2] + (&all[0])->part[0].weight[0];
    m[0] = (int){n[3]} + x.count + ((struct inner){.count = 5}).count;
}

KERNEL(lazy)
{
    m[0] = n[0] > 2 && ({ int x = n[1]; x > 1; });
    while (({ int x = n[1] - m[1]; x > 0; }))
        m[1]++;
}

/* Literals where they are made never, or every time anew. */
KERNEL(conditions)
{
    for (int i = 0; length((struct inner){i, {0, 1}}) < 4 + (n[0] > 3); i++)
        b[0] += n[1] > i ? length((struct inner){i, {a[0]}}) : *(double[2]){a[i % 4] + 1};
    if (n[2] > 2 && length((struct inner){.weight = {b[0]}}) > 1)
        m[0] = (n[3], (struct inner){n[3] + 1}).count;
    else if (length((struct inner){n[1], {1, 2}}) > 5)
        m[0] = 3;
    do
        m[1]++;
    while ((&(struct inner){m[1]})->count < 3);
    while (m[2] < 5 && (n[0] - m[2] ?: m[2]++))
        m[2]++;
}

/* Values that stand in for themselves, with and without effects. */
KERNEL(elvis)
{
    int i = n[0];
    m[0] = n[0] ?: 3;
    m[1] = i++ ?: -7;
    b[0] = n[1] - 4 ?: a[1];
    b[1] = (n[2] > 0 ? a[0] : 0.0) ?: plus(a[2], 1);
    m[2] = i;
}

KERNEL(memory)
{
    double x[4], y[2][3], z[3];
    struct inner part[2];
    memcpy(x, a, 4 * sizeof(double));
    memset(y, 0, sizeof(y));
    memcpy(y[1] + 1, x + 2, 2 * sizeof *x);
    memmove(z, &y[1], sizeof(z));
    memset(part, 0, sizeof(part));
    part[0].count = n[0];
    memcpy(&part[1], part, sizeof(part[0]));
    for (int i = 0; i < 3; i++)
        b[i] = z[i] + y[0][i];
    __builtin_memcpy(b + 4, x, sizeof x);
    memcpy(m, n, 3 * sizeof(int));
    m[3] = part[1].count;
}

#ifdef CLEAVE_PARSE
#include "op_lib.h"
#undef X
#define X(name)                                                                                    \
    op_par_loop(name, #name, set, op_arg_dat(da, 0, map, 4, "double", OP_READ),                    \
                op_arg_dat(dn, 0, map, 4, "int", OP_READ),                                         \
                op_arg_dat(db, 0, map, 8, "double", OP_RW),                                        \
                op_arg_dat(dm, 0, map, 8, "int", OP_RW));
void run(op_set set, op_map map, op_dat da, op_dat dn, op_dat db, op_dat dm)
{
    KERNELS
}
#else
#define X(name) {#name, name},
const struct kernel_entry written[] = {KERNELS{0, 0}};
#endif
