/* unjoined.c: groups whose loops have no joined loop, and why. */
#include "op_seq.h"

/* GROUPS
group 0 "fill+maybe" set loop - saves 8
  member fill joins 0
  member maybe joins 0 1
  arg 0 of 0:0 OP_RW dat 0 map -
  arg 1 of 1:1 OP_READ dat 1 map -
group 1 "fill+pairs" set loop - saves 8
  member fill joins 0
  member pairs joins 0
  arg 0 of 0:0 OP_RW dat 0 map -
*/

static op_set cells;
static op_dat p_q, p_w;
static int is_given;

static void fill(double *q)
{
    q[0] = q[1] * q[2];
}

/* EXPECT: not joined: the argument 'w' is optional, and may be missing */
static void maybe(double *q, const double *w)
{
    q[3] = q[0] + (w ? w[0] : 0.0);
}

/* EXPECT: not joined: 'pairs' takes 'p_q' as another type than 'fill' does */
static void pairs(double (*q)[2])
{
    q[1][0] = q[0][1];
}

int main(void)
{
    op_par_loop(fill, "fill", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_RW));
    op_par_loop(maybe, "maybe", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_RW),
                op_opt_arg_dat(is_given, p_w, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(pairs, "pairs", cells, op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_RW));
    return 0;
}
