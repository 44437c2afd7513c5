/* arrays.c: kernels whose parameters point to arrays, with constant and other subscripts, and one
 * that adds through one of the two columns that it declares.
 */
#include "mesh.h"

enum { N = 3 };

static inline void differences(const double (*x)[3], const double (*y)[3], double (*a)[3],
                               double (*b)[3], const double (*s)[2], double (*d)[2])
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) {
            double c = (x[i][j] - y[i][j]) * s[i][j % 2];
            a[i][j] += c;
            b[i][j] -= c;
        }
        d[i][0] = s[i][0] * 2.0;
        d[i][1] = (*x)[i];
    }
}

static inline void turning(const double (*x)[3], double (*b)[3], const int *n)
{
    for (int i = 0; i < *n; i++) {
        b[i % 2][i % 3] += x[i % 2][(i + 1) % 3] + x[1][2];
    }
}

static inline void one_side(const double *x, double *left, double *right)
{
    left[0] += 2.0 * x[0];
    (void)right;
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 1);
    int *row = (int *)malloc(sizeof(int) * 2 * (size_t)box_edges(N, NULL));
    op_set nodes = op_decl_set(box_vertices(N), "nodes");
    op_set edges = op_decl_set(box_edges(N, row), "edges");
    op_map en = op_decl_map(edges, nodes, 2, row, "en");
    int *count = (int *)malloc(sizeof(int) * (size_t)edges->size);
    for (int e = 0; e < edges->size; e++) {
        count[e] = e % 7;
    }
    op_dat n = op_decl_dat(edges, 1, "int", count, "n");
    op_dat x = field_dat(nodes, 6, 0.5, 0.5, "x");
    op_dat a = zero_dat(nodes, 6, "a");
    op_dat b = zero_dat(nodes, 6, "b");
    op_dat c = zero_dat(nodes, 1, "c");
    op_dat s = field_dat(edges, 4, 0.5, 0.5, "s");
    op_dat d = zero_dat(edges, 4, "d");
    free(row);
    free(count);

    op_par_loop(
        differences, "differences", edges, op_arg_dat(x, 0, en, 6, "double", OP_READ),
        op_arg_dat(x, 1, en, 6, "double", OP_READ), op_arg_dat(a, 0, en, 6, "double", OP_INC),
        op_arg_dat(a, 1, en, 6, "double", OP_INC), op_arg_dat(s, -1, OP_ID, 4, "double", OP_READ),
        op_arg_dat(d, -1, OP_ID, 4, "double", OP_WRITE));
    op_par_loop(turning, "turning", edges, op_arg_dat(x, 0, en, 6, "double", OP_READ),
                op_arg_dat(b, 1, en, 6, "double", OP_INC),
                op_arg_dat(n, -1, OP_ID, 1, "int", OP_READ));
    op_par_loop(one_side, "one_side", edges, op_arg_dat(x, 0, en, 6, "double", OP_READ),
                op_arg_dat(c, 0, en, 1, "double", OP_INC),
                op_arg_dat(c, 1, en, 1, "double", OP_INC));
    print_dat(a);
    print_dat(b);
    print_dat(c);
    print_dat(d);
    op_exit();
    return 0;
}
