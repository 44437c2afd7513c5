/* gather.c: groups that gather (--cleave-fuse=gather): loops over edges that increment nodes, and
 * loops over nodes behind them: in one kernel they give what they give one by one. Prints the
 * nodes' values, sums and extrema. The first group is that of jac: one column, a sum and a maximum.
 * The second has two columns, records, three members behind the increment, which use what others
 * write and read through maps of the nodes, data of the edges, a minimum through the map, nodes
 * that no edge names, and two loops over other sets between, which add to the same nodes: one
 * through one column, one through two, by pointers of a vector.
 */
#include "op_seq.h"

#include <stdio.h>
#include <stdlib.h>

/* The last nodes have no edges. */
enum { NODES = 700, CONNECTED = 660, CORNERS = 800, EDGES = 2000, RIM = 30, WALLS = 50, STEPS = 6 };

double alpha = 0.25;

static inline void res(const double *a, const double *u, double *du, const double *beta)
{
    *du += *beta * *a * *u;
}

static inline void update(const double *r, double *du, double *u, double *sum, double *most)
{
    *u += *du + alpha * *r;
    *du = 0.0;
    *sum += *u * *u;
    *most = *most > *u ? *most : *u;
}

static inline void flux(const double *q1, const double *q2, const double *weight, double *res1,
                        double *res2, float *least1, float *least2)
{
    const double v1 = q1[1] / q1[0];
    const double v2 = q2[1] / q2[0];
    for (int n = 0; n < 3; n++) {
        const double f = weight[n] * (v1 * q1[1 + n] + v2 * q2[1 + n]);
        res1[n] += f;
        res2[n] -= f;
    }
    const float speed = (float)(v1 - v2);
    *least1 = speed < *least1 ? speed : *least1;
    *least2 = speed < *least2 ? speed : *least2;
}

static inline void rim(const double *q, double *res)
{
    res[0] += 0.5 * q[0];
    res[2] -= 0.25 * q[1];
}

/* A node may be named by several walls, and by one wall twice. */
static inline void wall(const double *load, const double *const *q, double **res,
                        const double *beta)
{
    for (int n = 0; n < 3; n++) {
        const double f = load[n % 2] * (q[0][n] - *beta * q[1][n]);
        res[0][n] += f;
        res[1][n] -= f + q[1][3];
    }
}

/* The last component of q stays as it is, and so does res of nodes that move fast. */
static inline void advance(double *res, const float *least, double *q, double *change)
{
    const double step = *least < -0.5f ? 0.001 : 0.002;
    for (int n = 0; n < 3; n++) {
        change[n] = step * res[n];
        q[n] -= change[n];
    }
    if (*least > -0.25f) {
        res[0] = res[1] = res[2] = 0.0;
    }
}

static inline void clip(double *q, double *change, double *sum)
{
    if (q[0] < 0.5) {
        q[0] = 0.5;
        change[0] = 0.0;
    }
    *sum += change[0] * q[2];
}

/* Reads through maps from the nodes: one corner, a vector of three, and a record of another node
 * that is too long for registers. */
static inline void shape(const double *x1, const double *const *x, const double *far,
                         const double *q, const double *change, double *size)
{
    size[0] = x1[0] * x[1][1] - x1[1] * x[1][0];
    size[1] = far[0] + far[9] + q[3] * change[1];
    for (int n = 0; n < 2; n++) {
        size[0] += x[0][n] * q[n];
    }
}

static unsigned state = 1;

static double number(double least, double most)
{
    state = state * 1664525u + 1013904223u;
    return least + (most - least) * (double)(state >> 8) / (double)(1u << 24);
}

/* Memory that lasts until the program ends. */
static void *piece(size_t bytes)
{
    static double pool[1 << 15];
    static size_t used;
    void *begin = pool + used;
    used += (bytes + sizeof(double) - 1) / sizeof(double);
    if (used > sizeof pool / sizeof *pool) {
        abort();
    }
    return begin;
}

static double *numbers(int count, double least, double most)
{
    double *value = piece((size_t)count * sizeof *value);
    for (int i = 0; i < count; i++) {
        value[i] = number(least, most);
    }
    return value;
}

/* Members of a set of that size. */
static int *targets(int count, int size)
{
    int *target = piece((size_t)count * sizeof *target);
    for (int i = 0; i < count; i++) {
        target[i] = (int)number(0, size);
    }
    return target;
}

static void print(op_dat dat, int dim)
{
    static double value[4 * NODES];
    op_fetch_data(dat, value);
    for (int n = 0; n < NODES * dim; n += 37) {
        printf("%s[%d] = %.8e\n", dat->name, n, value[n]);
    }
}

int main(int argc, char **argv)
{
    static float least[NODES];
    op_init(argc, argv, 1);
    op_set nodes = op_decl_set(NODES, "nodes");
    op_set edges = op_decl_set(EDGES, "edges");
    op_map map = op_decl_map(edges, nodes, 2, targets(2 * EDGES, CONNECTED), "map");
    op_set outside = op_decl_set(RIM, "outside");
    op_map near = op_decl_map(outside, nodes, 1, targets(RIM, CONNECTED), "near");
    op_set walls = op_decl_set(WALLS, "walls");
    op_map sides = op_decl_map(walls, nodes, 3, targets(3 * WALLS, CONNECTED / 10), "sides");
    op_dat load = op_decl_dat(walls, 2, "double", numbers(2 * WALLS, 0.0, 0.5), "load");
    op_dat a = op_decl_dat(edges, 1, "double", numbers(EDGES, 0.0, 0.3), "a");
    op_dat u = op_decl_dat(nodes, 1, "double", numbers(NODES, 0.0, 1.0), "u");
    op_dat du = op_decl_dat(nodes, 1, "double", (double *)NULL, "du");
    op_dat r = op_decl_dat(nodes, 1, "double", numbers(NODES, -1.0, 1.0), "r");
    op_dat q = op_decl_dat(nodes, 4, "double", numbers(4 * NODES, 0.6, 1.4), "q");
    op_dat weight = op_decl_dat(edges, 3, "double", numbers(3 * EDGES, 0.0, 1.0), "weight");
    op_dat sums = op_decl_dat(nodes, 3, "double", (double *)NULL, "sums");
    op_dat change = op_decl_dat(nodes, 3, "double", (double *)NULL, "change");
    op_set corners = op_decl_set(CORNERS, "corners");
    op_map around = op_decl_map(nodes, corners, 4, targets(4 * NODES, CORNERS), "around");
    op_map across = op_decl_map(nodes, nodes, 1, targets(NODES, NODES), "across");
    op_dat x = op_decl_dat(corners, 2, "double", numbers(2 * CORNERS, 0.0, 1.0), "x");
    op_dat far = op_decl_dat(nodes, 10, "double", numbers(10 * NODES, 0.0, 1.0), "far");
    op_dat size = op_decl_dat(nodes, 2, "double", (double *)NULL, "size");
    op_dat slowest = op_decl_dat(nodes, 1, "float", least, "slowest");
    double beta = 0.5;
    op_decl_const(1, "double", &alpha);
    for (int step = 0; step < STEPS; step++) {
        double sum = 0.0, most = -10.0, moved = 1.0;
        beta *= 1.1;
        op_par_loop(res, "res", edges, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(u, 1, map, 1, "double", OP_READ),
                    op_arg_dat(du, 0, map, 1, "double", OP_INC),
                    op_arg_gbl(&beta, 1, "double", OP_READ));
        op_par_loop(update, "update", nodes, op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(du, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_dat(u, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_gbl(&sum, 1, "double", OP_INC), op_arg_gbl(&most, 1, "double", OP_MAX));
        printf("%.8e %.8e\n", sum, most);
        op_par_loop(flux, "flux", edges, op_arg_dat(q, 0, map, 4, "double", OP_READ),
                    op_arg_dat(q, 1, map, 4, "double", OP_READ),
                    op_arg_dat(weight, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(sums, 0, map, 3, "double", OP_INC),
                    op_arg_dat(sums, 1, map, 3, "double", OP_INC),
                    op_arg_dat(slowest, 0, map, 1, "float", OP_MIN),
                    op_arg_dat(slowest, 1, map, 1, "float", OP_MIN));
        op_par_loop(rim, "rim", outside, op_arg_dat(q, 0, near, 4, "double", OP_READ),
                    op_arg_dat(sums, 0, near, 3, "double", OP_INC));
        op_par_loop(wall, "wall", walls, op_arg_dat(load, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(q, -2, sides, 4, "double", OP_READ),
                    op_arg_dat(sums, -2, sides, 3, "double", OP_INC),
                    op_arg_gbl(&beta, 1, "double", OP_READ));
        op_par_loop(advance, "advance", nodes, op_arg_dat(sums, -1, OP_ID, 3, "double", OP_RW),
                    op_arg_dat(slowest, -1, OP_ID, 1, "float", OP_READ),
                    op_arg_dat(q, -1, OP_ID, 4, "double", OP_RW),
                    op_arg_dat(change, -1, OP_ID, 3, "double", OP_WRITE));
        op_par_loop(shape, "shape", nodes, op_arg_dat(x, 3, around, 2, "double", OP_READ),
                    op_arg_dat(x, -3, around, 2, "double", OP_READ),
                    op_arg_dat(far, 0, across, 10, "double", OP_READ),
                    op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(change, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(size, -1, OP_ID, 2, "double", OP_WRITE));
        op_par_loop(clip, "clip", nodes, op_arg_dat(q, -1, OP_ID, 4, "double", OP_RW),
                    op_arg_dat(change, -1, OP_ID, 3, "double", OP_RW),
                    op_arg_gbl(&moved, 1, "double", OP_INC));
        printf("%.8e\n", moved);
    }
    print(u, 1);
    print(du, 1);
    print(q, 4);
    print(sums, 3);
    print(change, 3);
    print(size, 2);
    op_exit();
    return 0;
}
