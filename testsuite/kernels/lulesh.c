/* lulesh.c: LULESH's stress integration and its hourglass force over the hexahedra of a box: forces
 * on eight corners from the faces' area vectors. Twice: with a vector argument per field of three
 * components, and with separate arguments per corner.
 */
#include "mesh.h"

enum { N = 3 };

/* Adds a quarter of the face's area vector to the normals of its four corners. */
static inline void face_normal(double B[8][3], const double *const *x, int a, int b, int c, int d)
{
    double u[3], v[3], area[3];
    for (int i = 0; i < 3; i++) {
        u[i] = 0.5 * (x[d][i] + x[c][i] - x[b][i] - x[a][i]);
        v[i] = 0.5 * (x[c][i] + x[b][i] - x[d][i] - x[a][i]);
    }
    area[0] = 0.25 * (u[1] * v[2] - u[2] * v[1]);
    area[1] = 0.25 * (u[2] * v[0] - u[0] * v[2]);
    area[2] = 0.25 * (u[0] * v[1] - u[1] * v[0]);
    for (int i = 0; i < 3; i++) {
        B[a][i] += area[i];
        B[b][i] += area[i];
        B[c][i] += area[i];
        B[d][i] += area[i];
    }
}

/* Half the derivative of the position along a local axis: sums of opposite corners' differences. */
static inline void axis(const double *const *x, int s, int t, int r, double *f)
{
    for (int i = 0; i < 3; i++) {
        const double d60 = x[6][i] - x[0][i];
        const double d53 = x[5][i] - x[3][i];
        const double d71 = x[7][i] - x[1][i];
        const double d42 = x[4][i] - x[2][i];
        f[i] = 0.125 * (d60 + s * d53 + t * d71 + r * d42);
    }
}

static inline void integrate_stress(const double **x, double **f, const double *sig, double *determ)
{
    static const int face[6][4] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2},
                                   {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};
    double B[8][3];
    double xi[3], eta[3], zeta[3];
    axis(x, 1, -1, -1, xi);
    axis(x, -1, 1, -1, eta);
    axis(x, 1, 1, 1, zeta);
    *determ = 8.0 * (eta[0] * (zeta[1] * xi[2] - xi[1] * zeta[2]) +
                     eta[1] * (xi[0] * zeta[2] - zeta[0] * xi[2]) +
                     eta[2] * (zeta[0] * xi[1] - xi[0] * zeta[1]));
    for (int n = 0; n < 8; n++) {
        B[n][0] = B[n][1] = B[n][2] = 0.0;
    }
    for (int k = 0; k < 6; k++) {
        face_normal(B, x, face[k][0], face[k][1], face[k][2], face[k][3]);
    }
    for (int n = 0; n < 8; n++) {
        for (int i = 0; i < 3; i++) {
            f[n][i] -= sig[i] * B[n][i];
        }
    }
}

#define CORNERS(T, p) T *p##0, T *p##1, T *p##2, T *p##3, T *p##4, T *p##5, T *p##6, T *p##7
#define ARRAY(p) {p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7}

/* The same with an argument for each corner. */
static inline void integrate_corners(CORNERS(const double, x), CORNERS(double, f),
                                     const double *sig, double *determ)
{
    const double *x[8] = ARRAY(x);
    double *f[8] = ARRAY(f);
    integrate_stress(x, f, sig, determ);
}

/* Flanagan-Belytschko hourglass control. */
static inline void hourglass(const double **xd, double **f, const double *x8, const double *dvd,
                             const double *determ, const double *c)
{
    static const double gamma[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                       {1, -1, -1, 1, -1, 1, 1, -1},
                                       {1, -1, 1, -1, 1, -1, 1, -1},
                                       {-1, 1, -1, 1, 1, -1, 1, -1}};
    const double volinv = 1.0 / *determ;
    double H[8][4];
    for (int i = 0; i < 4; i++) {
        double mode[3] = {0.0, 0.0, 0.0};
        for (int n = 0; n < 8; n++) {
            for (int d = 0; d < 3; d++) {
                mode[d] += x8[3 * n + d] * gamma[i][n];
            }
        }
        for (int n = 0; n < 8; n++) {
            H[n][i] = gamma[i][n] - volinv * (dvd[3 * n] * mode[0] + dvd[3 * n + 1] * mode[1] +
                                              dvd[3 * n + 2] * mode[2]);
        }
    }
    for (int d = 0; d < 3; d++) {
        double h[4] = {0.0};
        for (int i = 0; i < 4; i++) {
            for (int n = 0; n < 8; n++) {
                h[i] += H[n][i] * xd[n][d];
            }
        }
        for (int n = 0; n < 8; n++) {
            f[n][d] += *c * (H[n][0] * h[0] + H[n][1] * h[1] + H[n][2] * h[2] + H[n][3] * h[3]);
        }
    }
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
