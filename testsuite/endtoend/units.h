/* units.h: one half of a program of two units: static kernels, a static constant and a loop of the
 * same names and the same text in both; only UNIT_SCALE, UNIT_POWER and UNIT_RUN differ. */
#include "op_seq.h"

#ifdef __cplusplus
extern "C" {
#endif
void run_left(op_set links, op_map ends, op_dat in, op_dat out);
void run_right(op_set links, op_map ends, op_dat in, op_dat out);
#ifdef __cplusplus
}
#endif

#ifdef UNIT_RUN

static double scale;
static int shift[2];

static double helper(double x)
{
    return UNIT_POWER == 2 ? x * x : x;
}

static void spread(const double *a, const double *b, double *to)
{
    *to += scale * helper(*a - *b) + shift[1];
}

void UNIT_RUN(op_set links, op_map ends, op_dat in, op_dat out)
{
    scale = UNIT_SCALE;
    shift[1] = 10 * UNIT_POWER;
    op_decl_const(1, "double", &scale);
    op_decl_const(2, "int", shift);
    op_par_loop(spread, "spread", links, op_arg_dat(in, 0, ends, 1, "double", OP_READ),
                op_arg_dat(in, 1, ends, 1, "double", OP_READ),
                op_arg_dat(out, 1, ends, 1, "double", OP_INC));
}

#endif
