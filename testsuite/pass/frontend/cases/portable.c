/* Bodies that are taken whole and are C but not C++: they run sequentially, and then may call
 * what has no form on a device. */
#include "op_seq.h"
/* A goto, for which a body is taken whole. */
#define JUMP \
    goto begin; \
    begin:
#define LOOP(kernel) \
    op_par_loop(kernel, #kernel, set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_RW))

static void chosen(double *x)
{
    x[0] = _Generic(x[0], double: 2.0, float: 3.0);
}

static void lasting(double *x)
{
    JUMP;
    const double *w = (double[]){1, 2};
    x[0] = w[1];
}

static void addressed(double *x)
{
    JUMP;
    struct pair {
        double a, b;
    } *p = &(struct pair){1, x[0]};
    x[0] = p->b;
}

static void converted(double *x)
{
    void *bytes = x;
    double *y = bytes;
    goto end;
end:
    y[0] = 1;
}

static void enumerated(double *x)
{
    enum { IDLE, BUSY } now = x[0] > 0;
    JUMP;
    x[0] = now == IDLE;
}

static void jumping(double *x)
{
    if (x[0] > 0)
        goto end;
    double y = x[1];
    x[0] = y;
end:
    x[1] = 0;
}

static void named(double *x)
{
    int new = 1;
    JUMP;
    x[0] = new;
}

static void drawn(double *x)
{
    long double y = rand();
    x[0] = (double)y;
}

static void designated(double *x)
{
    JUMP;
    struct pair {
        double a, b;
    } p = {.b = x[0], .a = 1};
    x[0] = p.a;
}

static void placed(double *x)
{
    double y[2] = {[1] = x[0]};
    JUMP;
    x[0] = y[1];
}

/* Legal in both: a jump back, and a case in its own braces. */
static void fine(double *x)
{
    int i = 0;
    struct pair {
        double a, b;
    } p = {.a = 2, .b = 3};
again:
    x[i] = 1;
    switch (i) {
    case 0: {
        double y = x[0];
        x[1] = y;
    }
    }
    if (++i < 2)
        goto again;
}

void run(op_set set, op_dat x)
{
    LOOP(chosen);
    LOOP(lasting);
    LOOP(addressed);
    LOOP(converted);
    LOOP(enumerated);
    LOOP(jumping);
    LOOP(named);
    LOOP(drawn);
    LOOP(designated);
    LOOP(placed);
    LOOP(fine);
}
