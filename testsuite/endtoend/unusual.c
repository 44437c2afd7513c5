/* unusual.c: see unusual.h. Loops whose arguments are not known, calls that no device has, names of
 * CUDA's and of other alphabets. */
#include "unusual.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef struct dim3 {
    int n;
} dim3;
struct double4 {
    double größe;
};
double größter = 3;

static double sum_of(int n, ...)
{
    double sum = 0;
    va_list list;
    va_start(list, n);
    while (n-- > 0) {
        sum += va_arg(list, double);
    }
    va_end(list);
    return sum;
}

KERNEL(variadic)
{
    p[0] += sum_of(2, a[0], b[0]);
    q[1] += w[1] + i[1];
}

KERNEL(host_call)
{
    if (i[0] > 100) {
        exit(3);
    }
    p[1] += a[1] + abs(rand() & 0);
    q[1] += w[1] + b[0];
}

KERNEL(comparisons)
{
    w[3] = isfinite(a[0]) + 2 * isinf(a[0]) + isless(a[0], b[0]) + islessequal((float)a[1], 3.0f);
    p[0] += isgreater(a[0], b[0]) + isgreaterequal(i[0], b[1]) + isunordered(a[0], b[0]);
    q[0] += !isunordered(w[1], NAN);
}

KERNEL(memory)
{
    double t[3];
    double z[4];
    memcpy(t, a + 1, sizeof t);
    memset(z, 0, sizeof z);
    memcpy(z, t, (size_t)(i[0] & 3) * sizeof(double));
    p[0] += t[0] + z[2];
    q[0] += b[0] + w[0];
}

KERNEL(moved)
{
    double t[3] = {a[0], b[1], w[2]};
    memmove(t, t + 1, 2 * sizeof *t);
    p[0] += t[0] + i[0];
    q[0] += t[1];
}

KERNEL(types)
{
    dim3 n = {i[1]};
    struct double4 d = {a[0]};
    p[0] += n.n + d.größe;
    q[0] += b[0] + w[0];
}

KERNEL(été)
{
    double größe = a[0] + größter;
    const int ж = i[0] > 2;
    p[0] += ж ? größe : 1;
    q[0] -= größe + b[0] + w[0];
}

/* Taken whole, with such names. */
KERNEL(entière)
{
    double größe = a[0];
    if (größe > größter)
        goto fertig;
    p[0] += größe + größter;
fertig:
    q[0] -= größe + b[0] + w[0] + i[0];
}

/* ++ and -- of bool, which C++17 lacks: values before, values behind, and none. */
DIRECT_KERNEL(truths)
{
    _Bool q = w[0] > 2, r = 0, many[2] = {0, w[1] > 1};
    int at = i[0] & 1;
    q++;
    w[0] += q + 2 * r++ + 4 * r;
    --q;
    many[at]--;
    w[1] += q-- + 2 * q + 4 * many[0] + 8 * many[1];
    for (_Bool again = i[1] & 1; again; again--) {
        w[2] += 1;
    }
    w[3] = --many[1 - at] + 2 * ++many[at];
}

/* Such in a text would not compile as C++. */
DIRECT_KERNEL(truth_text)
{
    _Bool q = i[0] & 1;
    goto on;
on:
    q--;
    w[0] += q;
}

static void two(const double *a, double *p)
{
    p[0] += a[0];
    p[1] -= a[1];
}

static void rows(const double **a, double *p)
{
    p[0] += a[0][0];
    p[1] -= a[1][1];
}

static void unknown_arguments(int column)
{
    op_dat x = mesh_dat_double(points, 2, "x"), y = mesh_dat_double(points, 2, "y");
    op_arg from = op_arg_dat(x, 0, ends, 2, "double", OP_READ);
    op_arg to = op_arg_dat(y, 1, ends, 2, "double", OP_INC);
    op_par_loop(two, "in_variables", links, from, to);
    mesh_show_double("in_variables", y);
    op_par_loop(rows, "column", links, op_arg_dat(x, column, ends, 2, "double", OP_READ),
                op_arg_dat(y, 1, ends, 2, "double", OP_INC));
    mesh_show_double("column", y);
}

static void scale(const double *w, const double *factor, double *sum)
{
    sum[0] += factor[0] * w[0];
}

/* Only the run shows that both arguments are one global. */
static void one_global(double *factor, double *sum)
{
    op_dat w = mesh_dat_double(links, 1, "w");
    *sum = 1;
    op_par_loop(scale, "one_global", links, op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(factor, 1, "double", OP_READ), op_arg_gbl(sum, 1, "double", OP_INC));
    printf("= one_global %d\n", *sum > 1e9);
}

int main(int argc, char **argv)
{
    double sum = 0;
    op_init(argc, argv, 0);
    mesh_make();
    op_decl_const(1, "double", &größter);
    LOOP(variadic);
    LOOP(host_call);
    LOOP(comparisons);
    LOOP(memory);
    LOOP(moved);
    LOOP(types);
    LOOP(été);
    LOOP(entière);
    DIRECT(truths);
    DIRECT(truth_text);
    unknown_arguments(-2);
    one_global(&sum, &sum);
    op_exit();
    return 0;
}
