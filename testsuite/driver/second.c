/* second.c: the kernels of ring.c under the same names, with another factor. */
#define RING_FACTOR 2.0
#include "op_seq.h"
#include "ring.h"

#ifdef __cplusplus
extern "C"
#endif
    double
    second_sum(op_set edges, op_set nodes, op_dat amount, op_map ends);

double second_sum(op_set edges, op_set nodes, op_dat amount, op_map map)
{
    double zeros[10] = {0};
    double sum = 0;
    op_dat value = op_decl_dat(nodes, 1, "double", zeros, "second value");

    op_par_loop(share, "share", edges, op_arg_dat(amount, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(value, 0, map, 1, "double", OP_INC),
                op_arg_dat(value, 1, map, 1, "double", OP_INC));
    op_par_loop(total, "total", nodes, op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    return sum;
}
