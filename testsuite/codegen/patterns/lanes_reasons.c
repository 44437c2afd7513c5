/* lanes_reasons.c: --cleave-explain says why a loop computes one element at a time on the CPU: each of these loops has
 * another reason, and `plain` has none.
 * RUN: messages=REASONS --cleave-emit=fused --cleave-alias=accept --cleave-explain
 * RUN: messages=WHOLE -O0 --cleave-emit=fused --cleave-alias=accept --cleave-explain
 * RUN: messages=FAST --cleave-emit=fast --cleave-alias=accept --cleave-explain
 */
#include "op_seq.h"

#include "lanes_reasons.h"

static void plain(const double *x, double *y)
{
    y[0] += x[0];
}

static void maybe(const int *on, const double *x, double *y)
{
    if (on[0]) {
        y[0] += x[0];
    }
}

static void says(const double *x, double *y)
{
    if (x[0] < 0) {
        printf("negative: %g\n", x[0]);
    }
    y[0] += x[0];
}

static void largest(const double *x, double *top, double *where)
{
    if (x[0] > *top) {
        *top = x[0];
        where[0] = x[1];
    }
}

static void wide(const double *r, double *y)
{
    y[0] += r[64];
}

static void long_one(const double *x, double *y)
{
    double sums[2] = {0, 0};
    for (int k = 0; k < (int)x[1]; k++) {
        sums[k & 1] += x[0] * k;
    }
    y[0] += sums[0] * sums[1];
}

#define FIVE(k) f = f * x[0] + k; g = g * f - k; f = f > g ? f : g; g += f; f -= x[1] * g;
#define MORE(k) FIVE(k) FIVE(k + 1) FIVE(k + 2) FIVE(k + 3) FIVE(k + 4) FIVE(k + 5)

static void endless(const double *x, double *y)
{
    double f = x[0], g = x[1];
    MORE(0) MORE(1) MORE(2) MORE(3) MORE(4) MORE(5) MORE(6) MORE(7) MORE(8) MORE(9)
    MORE(10) MORE(11) MORE(12) MORE(13) MORE(14) MORE(15) MORE(16) MORE(17) MORE(18) MORE(19)
    y[0] += f;
}

static void iterates(const double *x, double *y)
{
    double f = x[0];
    while (f > 1.0) {
        switch ((int)x[1]) {
        case 1:
            f *= 0.5;
            break;
        default:
            f *= 0.25;
        }
    }
    y[0] += f;
}

static void picks(const int *which, const double *x, double *y)
{
    double own[4] = {x[0], x[1], x[0] + x[1], x[0] - x[1]};
    own[which[0] & 3] = 0.0;
    y[0] += own[0] + own[3];
}

static void chooses(const int *which, double *z)
{
    z[which[0] & 1] = 1.0;
}

static void wholes(long long *number)
{
    number[0] += 3;
}

static void bins(const double *x, double *sum)
{
    sum[8] += x[0];
}

static void spreads(const double *from, double *to)
{
    to[0] = from[0];
}

struct pair {
    double a, b;
};

static struct pair both(const double *x)
{
    struct pair p = {x[0], x[1]};
    return p;
}

static void struct_of(const double *x, double *y)
{
    y[0] += both(x).a + both(x).b;
}

void loops(op_set edges, op_map ends, op_dat x, op_dat y, op_dat r, op_dat which, op_dat number, op_dat z, double *sum,
           double *top, double *where, int on);

void loops(op_set edges, op_map ends, op_dat x, op_dat y, op_dat r, op_dat which, op_dat number, op_dat z, double *sum,
           double *top, double *where, int on)
{
    op_par_loop(plain, "plain", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(y, 1, ends, 1, "double", OP_INC));
    op_par_loop(maybe, "maybe", edges, op_arg_gbl(&on, 1, "int", OP_READ),
                op_opt_arg_dat(on, x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(y, 1, ends, 1, "double", OP_INC));
    op_par_loop(says, "says", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(y, 1, ends, 1, "double", OP_INC));
    op_par_loop(largest, "largest", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_gbl(top, 1, "double", OP_MAX), op_arg_info(where, 1, "double", 1));
    op_par_loop(wide, "wide", edges, op_arg_dat(r, 0, ends, 65, "double", OP_READ),
                op_arg_dat(y, 1, ends, 1, "double", OP_INC));
    op_par_loop(long_one, "long_one", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(y, 1, ends, 1, "double", OP_INC));
    op_par_loop(endless, "endless", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(y, 1, ends, 1, "double", OP_INC));
    op_par_loop(iterates, "iterates", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(y, 1, ends, 1, "double", OP_INC));
    op_par_loop(picks, "picks", edges, op_arg_dat(which, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(x, 0, ends, 2, "double", OP_READ), op_arg_dat(y, 1, ends, 1, "double", OP_INC));
    op_par_loop(chooses, "chooses", edges, op_arg_dat(which, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(z, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(wholes, "wholes", edges, op_arg_dat(number, -1, OP_ID, 1, "ll", OP_RW));
    op_par_loop(bins, "bins", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_gbl(sum, 9, "double", OP_INC));
    op_par_loop(spreads, "spreads", edges, op_arg_dat(y, 0, ends, 1, "double", OP_READ),
                op_arg_dat(y, 1, ends, 1, "double", OP_WRITE));
    op_par_loop(row, "row", edges, op_arg_dat(which, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(z, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(struct_of, "struct_of", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(y, 1, ends, 1, "double", OP_INC));
}

// REASONS: how loops run
// REASONS: {{^ *}}plain (
// REASONS-NEXT: CPU: 2 elements at once in registers of 16 bytes
// REASONS: {{^ *}}maybe (
// REASONS-NEXT: CPU: one element at a time: the kernel is called whole: the argument 'x' is optional, and may be missing
// REASONS: {{^ *}}says (
// REASONS-NEXT: CPU: one element at a time: line {{[0-9]+}}: it prints{{$}}
// REASONS: {{^ *}}largest (
// REASONS-NEXT: CPU: one element at a time: op_arg_info goes along with an extremum
// REASONS: {{^ *}}wide (
// REASONS-NEXT: CPU: one element at a time: 'r' has 65 components, and vectors hold 64
// REASONS: {{^ *}}long_one (
// REASONS-NEXT: CPU: one element at a time: line {{[0-9]+}}: it has an array or a record whose elements are found at run time
// REASONS: {{^ *}}endless (
// REASONS-NEXT: CPU: one element at a time: its body has {{[5-9][0-9][0-9]}} statements, and at most 500 are compiled for all widths
// REASONS: {{^ *}}iterates (
// REASONS-NEXT: CPU: one element at a time: line {{[0-9]+}}: it has a switch, or a jump out of one
// REASONS: {{^ *}}picks (
// REASONS-NEXT: CPU: one element at a time: line {{[0-9]+}}: it has an array or a record whose elements are found at run time
// REASONS: {{^ *}}chooses (
// REASONS-NEXT: CPU: one element at a time: line {{[0-9]+}}: it writes to a subscript that is known at run time only
// REASONS: {{^ *}}wholes (
// REASONS-NEXT: CPU: one element at a time: 'number' has a type for which there are no vectors
// REASONS: {{^ *}}bins (
// REASONS-NEXT: CPU: one element at a time: it reduces 9 components of 'sum', and lanes keep 8 at most
// REASONS: {{^ *}}spreads (
// REASONS-NEXT: CPU: one element at a time: it modifies 'y' and accesses it otherwise
// REASONS: {{^ *}}row (
// REASONS-NEXT: CPU: one element at a time: {{.*}}lanes_reasons.h:7: a subscript is known at run time only{{$}}
// REASONS: {{^ *}}struct_of (
// REASONS-NEXT: CPU: 2 elements at once
// MUTATE REASONS s/it prints//
// MUTATE REASONS s/CPU: 2 elements/CPU: one element/

// Neither has vectors then, whatever its body is.
// WHOLE: how loops run
// WHOLE: {{^ *}}plain (
// WHOLE-NEXT: CPU: one element at a time: its kernel is called as it is written, for debuggers, sanitizers and coverage
// MUTATE WHOLE s/one element at a time.*/2 elements at once/
// FAST: how loops run
// FAST: {{^ *}}plain (
// FAST-NEXT: CPU: one element at a time: --cleave-emit=fast compiles no vectors
// MUTATE FAST s/one element at a time.*/2 elements at once/
