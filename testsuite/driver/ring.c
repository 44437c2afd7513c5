/* ring.c: each edge of a ring shares its number out to its two nodes; prints the sum over the
 * nodes. With second.c linked in, the same again by that file's kernels of the same names. C11 and
 * C++17. */
#include "op_seq.h"
#include "ring.h"

enum { RING = 10 };

#ifdef WITH_SECOND
#ifdef __cplusplus
extern "C"
#endif
    double
    second_sum(op_set edges, op_set nodes, op_dat amount, op_map ends);
#endif

int main(int argc, char **argv)
{
    int ends[2 * RING];
    double amounts[RING];
    double zeros[RING] = {0};
    double sum = 0;
    op_set edges;
    op_set nodes;
    op_map map;
    op_dat amount;
    op_dat value;

    op_init(argc, argv, 0);
    for (int i = 0; i < RING; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = (i + 1) % RING;
        amounts[i] = i;
    }
    edges = op_decl_set(RING, "edges");
    nodes = op_decl_set(RING, "nodes");
    map = op_decl_map(edges, nodes, 2, ends, "ends");
    amount = op_decl_dat(edges, 1, "double", amounts, "amount");
    value = op_decl_dat(nodes, 1, "double", zeros, "value");
    op_par_loop(share, "share", edges, op_arg_dat(amount, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(value, 0, map, 1, "double", OP_INC),
                op_arg_dat(value, 1, map, 1, "double", OP_INC));
    op_par_loop(total, "total", nodes, op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    printf("sum %g\n", sum);
#ifdef WITH_SECOND
    printf("second %g\n", second_sum(edges, nodes, amount, map));
#endif
    op_exit();
    return 0;
}
