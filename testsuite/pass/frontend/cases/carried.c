/* Payloads of an extremum (op_arg_info), and forms for which the loop runs sequentially. */
#include <math.h>

#include "op_seq.h"

#define PARAMS const double *x, const int *e, double *most, int *where

/* In the order of OP2's airfoil: the payload's partner is counted from 0. */
static void plain(PARAMS)
{
    for (int n = 0; n < 4; n++) {
        if (x[n] > *most) {
            *most = x[n];
            *where = *e;
        }
    }
}

static void copy_three(double *to, const double *from)
{
    for (int c = 0; c < 3; c++) {
        to[c] = from[c];
    }
}

static void set(double value, double *most, double *place, const double *from)
{
    if (*most < value) {
        copy_three(place, from);
        *most = value;
    }
}

/* Through two helpers; the payload first. */
static void helped(const double *x, double *most, double *place)
{
    set(x[3], most, place, x);
}

static void last(PARAMS)
{
    if (most && x[0] >= *most && x[1] > 0) {
        *where = *e;
        *most = x[0];
    }
}

static void outside(PARAMS)
{
    if (x[0] > *most) {
        *most = x[0];
    }
    *where = *e;
}

static void other_form(PARAMS)
{
    *where = x[0] > *most ? *e : *where;
    *most = fmax(*most, x[0]);
}

static void negated(PARAMS)
{
    if (!(x[0] <= *most)) {
        *most = x[0];
        *where = *e;
    }
}

static void other_branch(PARAMS)
{
    if (x[0] > *most) {
        *most = x[0];
        *where = *e;
    } else {
        *where = -1;
    }
}

static void sometimes(PARAMS)
{
    if (x[0] > *most) {
        *most = x[0];
        if (x[1] > 0) {
            *where = *e;
        }
    }
}

static void without(PARAMS)
{
    if (x[0] > *most) {
        *most = x[0];
        *where = *e;
    }
    if (x[1] > *most) {
        *most = x[1];
    }
}

static void counts(PARAMS)
{
    int times = 0;
    for (int n = 0; n < 4; n++) {
        if (x[n] > *most) {
            *most = x[n];
            times++;
            *where = times;
        }
    }
}

static void old(const double *x, const int *e, double *most, double *where)
{
    if (x[0] > *most) {
        *where = *most;
        *most = x[0];
    }
}

static void adds(PARAMS)
{
    if (x[0] > *most) {
        *most = x[0];
        *where += *e;
    }
}

static void rounded(const double *x, const int *e, float *most, int *where)
{
    if (x[0] > *most) {
        *most = (float)x[0];
        *where = *e;
    }
}

static void both_ways(PARAMS)
{
    if (x[0] > *most) {
        *most = x[0];
        *where = *e;
    }
    if (x[1] >= *most) {
        *most = x[1];
        *where = *e;
    }
}

static void set_last(double value, int e, double *most, int *where)
{
    if (value >= *most) {
        *most = value;
        *where = e;
    }
}

static void last_in_helper(PARAMS)
{
    set_last(x[0], *e, most, where);
}

/* Two components, one payload. */
static void shared(PARAMS)
{
    for (int n = 0; n < 2; n++) {
        if (x[n] > most[n]) {
            most[n] = x[n];
            *where = *e;
        }
    }
}

static void returns(PARAMS)
{
    if (x[0] > *most) {
        *most = x[0];
        if (x[1] > 0) {
            return;
        }
        *where = *e;
    }
}

static void alone(const double *x, int *where)
{
    *where = (int)x[0];
}

#define LOOP(kernel, dim)                                                                          \
    op_par_loop(kernel, #kernel, set_, op_arg_dat(x, -1, OP_ID, 4, "double", OP_READ),             \
                op_arg_idx(-1, OP_ID), op_arg_gbl(most, dim, "double", OP_MAX),                    \
                op_arg_info(&where, 1, "int", 2))

void run(op_set set_, op_dat x)
{
    double most[2] = {0, 0}, place[3];
    float single = 0;
    int where = 0;
    LOOP(plain, 1);
    op_par_loop(helped, "helped", set_, op_arg_dat(x, -1, OP_ID, 4, "double", OP_READ),
                op_arg_gbl(most, 1, "double", OP_MAX), op_arg_info(place, 3, "double", 1));
    LOOP(last, 1);
    LOOP(outside, 1);
    LOOP(other_form, 1);
    LOOP(negated, 1);
    LOOP(other_branch, 1);
    LOOP(sometimes, 1);
    LOOP(without, 1);
    LOOP(counts, 1);
    op_par_loop(old, "old", set_, op_arg_dat(x, -1, OP_ID, 4, "double", OP_READ),
                op_arg_idx(-1, OP_ID), op_arg_gbl(most, 1, "double", OP_MAX),
                op_arg_info(place, 1, "double", 2));
    LOOP(adds, 1);
    op_par_loop(rounded, "rounded", set_, op_arg_dat(x, -1, OP_ID, 4, "double", OP_READ),
                op_arg_idx(-1, OP_ID), op_arg_gbl(&single, 1, "float", OP_MAX),
                op_arg_info(&where, 1, "int", 2));
    LOOP(both_ways, 1);
    LOOP(last_in_helper, 1);
    LOOP(shared, 2);
    LOOP(returns, 1);
    op_par_loop(alone, "alone", set_, op_arg_dat(x, -1, OP_ID, 4, "double", OP_READ),
                op_arg_info(&where, 1, "int", 0));
}
