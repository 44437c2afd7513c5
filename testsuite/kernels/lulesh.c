/* lulesh.c: LULESH's stress integration and its hourglass force over the hexahedra of a box: forces
 * on eight corners from the faces' area vectors. Twice: with a vector argument per field of three
 * components, and with separate arguments per corner.
 */
#include "lulesh.h"
#include "mesh.h"

enum { N = 3 };

#define CORNERS(T, p) T *p##0, T *p##1, T *p##2, T *p##3, T *p##4, T *p##5, T *p##6, T *p##7
#define ARRAY(p)                                                                                   \
    {                                                                                              \
        p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7                                             \
    }

/* Again with one argument for each corner. */
static inline void integrate_corners(CORNERS(const double, x), CORNERS(double, f),
                                     const double *sig, double *determ)
{
    const double *x[8] = ARRAY(x);
    double *f[8] = ARRAY(f);
    integrate_stress(x, f, sig, determ);
}

static inline void hourglass(const double **xd, double **f, const double *x8, const double *dvd,
                             const double *determ, const double *c)
{
    hourglass_force(xd, f, x8, dvd, *determ, *c);
}

#define EACH_CORNER(dat, access)                                                                   \
    op_arg_dat(dat, 0, nodelist, 3, "double", access),                                             \
        op_arg_dat(dat, 1, nodelist, 3, "double", access),                                         \
        op_arg_dat(dat, 2, nodelist, 3, "double", access),                                         \
        op_arg_dat(dat, 3, nodelist, 3, "double", access),                                         \
        op_arg_dat(dat, 4, nodelist, 3, "double", access),                                         \
        op_arg_dat(dat, 5, nodelist, 3, "double", access),                                         \
        op_arg_dat(dat, 6, nodelist, 3, "double", access),                                         \
        op_arg_dat(dat, 7, nodelist, 3, "double", access)

static op_dat position_dat(op_set nodes)
{
    double *value = field_array(nodes->size, 3, 0.0, 0.05);
    for (int v = 0; v < nodes->size; v++) {
        value[3 * v] += v % (N + 1);
        value[3 * v + 1] += v / (N + 1) % (N + 1);
        value[3 * v + 2] += v / (N + 1) / (N + 1);
    }
    op_dat dat = op_decl_dat(nodes, 3, "double", value, "x");
    free(value);
    return dat;
}

int main(int argc, char **argv)
{
    static int row[8 * N * N * N];
    op_init(argc, argv, 1);
    box_cubes(N, row);
    op_set nodes = op_decl_set(box_vertices(N), "nodes");
    op_set elems = op_decl_set(N * N * N, "elems");
    op_map nodelist = op_decl_map(elems, nodes, 8, row, "nodelist");
    op_dat x = position_dat(nodes);
    op_dat xd = field_dat(nodes, 3, 0.1, 0.2, "xd");
    op_dat sig = field_dat(elems, 3, -1.0, 0.3, "sig");
    op_dat x8 = field_dat(elems, 24, 1.0, 0.6, "x8");
    op_dat dvd = field_dat(elems, 24, 0.0, 0.2, "dvd");
    op_dat c = field_dat(elems, 1, -0.03, 0.01, "c");
    op_dat determ = zero_dat(elems, 1, "determ");
    op_dat f = zero_dat(nodes, 3, "f");
    op_dat g = zero_dat(nodes, 3, "g");
    op_dat h = zero_dat(nodes, 3, "h");

    op_par_loop(integrate_stress, "integrate_stress", elems,
                op_arg_dat(x, -8, nodelist, 3, "double", OP_READ),
                op_arg_dat(f, -8, nodelist, 3, "double", OP_INC),
                op_arg_dat(sig, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(determ, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(integrate_corners, "integrate_corners", elems, EACH_CORNER(x, OP_READ),
                EACH_CORNER(g, OP_INC), op_arg_dat(sig, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(determ, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(hourglass, "hourglass", elems, op_arg_dat(xd, -8, nodelist, 3, "double", OP_READ),
                op_arg_dat(h, -8, nodelist, 3, "double", OP_INC),
                op_arg_dat(x8, -1, OP_ID, 24, "double", OP_READ),
                op_arg_dat(dvd, -1, OP_ID, 24, "double", OP_READ),
                op_arg_dat(determ, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(c, -1, OP_ID, 1, "double", OP_READ));
    print_dat(determ);
    print_dat(f);
    print_dat(g);
    print_dat(h);
    op_exit();
    return 0;
}
