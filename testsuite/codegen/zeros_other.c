/* zeros_other.c: the second unit of zeros.c: a kernel that the first one cannot see, and a loop. */
#include "op_seq.h"

void zeros_hidden(const double *du, double *seen);
void zeros_between(void);
void zeros_other(op_set edges, op_map map, op_dat a, op_dat du);

/* Ends groups: cleavecc does not see what it does. */
void zeros_between(void)
{
}

void zeros_hidden(const double *du, double *seen)
{
    seen[0] += 1.0 + du[0];
    seen[1] += du[1];
}

static inline void add(const double *a, double *du)
{
    du[1] += *a;
}

void zeros_other(op_set edges, op_map map, op_dat a, op_dat du)
{
    op_par_loop(add, "add", edges, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(du, 1, map, 2, "double", OP_INC));
}
