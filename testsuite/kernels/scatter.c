/* scatter.c: loops in which there is little to outline: the acceleration's scatter of BookLeaf
 * (quads to corners, copies of what the element has), and the flux summation and the local maximum
 * of pressure of Zhang et al. (faces to cells).
 */
#include "mesh.h"

enum { N = 6, CELLS = 80, FACES = 150 };
static const double zerocut = 1e-40;

/* Corner masses, from the previous corner or the element's density where a corner has none. */
static inline void getacc_scatter(const double *density, const double *cnwt, const double *cnmass,
                                  const double *cnfx, const double *cnfy, double **ndarea,
                                  double **ndmass, double **ndubar, double **ndvbar)
{
    for (int c = 0; c < 4; c++) {
        double w = cnmass[c];
        if (w <= zerocut) {
            w = cnmass[(c + 3) % 4];
            if (w <= zerocut) {
                w = density[0] * cnwt[c];
            }
        }
        ndmass[c][0] += w;
        ndarea[c][0] += cnwt[c];
        ndubar[c][0] += cnfx[c];
        ndvbar[c][0] += cnfy[c];
    }
}

static inline void flux_sum(const double *flux, double *res0, double *res1)
{
    for (int k = 0; k < 5; k++) {
        res0[k] += flux[k];
        res1[k] -= flux[k];
    }
}

static inline void local_maximum(const double *ps0, const double *ps1, double *pmax0, double *pmax1)
{
    if (*ps1 > *pmax0) {
        *pmax0 = *ps1;
    }
    pmax1[0] = fmax(pmax1[0], ps0[0]);
}

static op_map corner_map(op_set elements, op_set nodes)
{
    int row[4 * N * N];
    for (int e = 0; e < N * N; e++) {
        int corner = e % N + (N + 1) * (e / N);
        row[4 * e] = corner;
        row[4 * e + 1] = corner + 1;
        row[4 * e + 2] = corner + N + 2;
        row[4 * e + 3] = corner + N + 1;
    }
    return op_decl_map(elements, nodes, 4, row, "elnd");
}

static op_map cell_map(op_set faces, op_set cells)
{
    int row[2 * FACES];
    for (int f = 0; f < FACES; f++) {
        row[2 * f] = f * 11 % CELLS;
        row[2 * f + 1] = (f * 11 + 1 + f % 4) % CELLS;
    }
    return op_decl_map(faces, cells, 2, row, "f2c");
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 1);
    op_set nodes = op_decl_set((N + 1) * (N + 1), "nodes");
    op_set elements = op_decl_set(N * N, "elements");
    op_set cells = op_decl_set(CELLS, "cells");
    op_set faces = op_decl_set(FACES, "faces");
    op_map elnd = corner_map(elements, nodes);
    op_map f2c = cell_map(faces, cells);
    op_dat density = field_dat(elements, 1, 1.0, 0.3, "density");
    op_dat cnwt = field_dat(elements, 4, 0.25, 0.02, "cnwt");
    op_dat cnmass = field_dat(elements, 4, 0.0, 0.2, "cnmass");
    op_dat cnfx = field_dat(elements, 4, 0.0, 1.0, "cnfx");
    op_dat cnfy = field_dat(elements, 4, 0.1, 1.0, "cnfy");
    op_dat ndarea = zero_dat(nodes, 1, "ndarea");
    op_dat ndmass = zero_dat(nodes, 1, "ndmass");
    op_dat ndubar = zero_dat(nodes, 1, "ndubar");
    op_dat ndvbar = zero_dat(nodes, 1, "ndvbar");
    op_dat flux = field_dat(faces, 5, 0.0, 3.0, "flux");
    op_dat res = zero_dat(cells, 5, "res");
    op_dat ps = field_dat(cells, 1, 1.0, 0.5, "ps");
    op_dat pmax = field_dat(cells, 1, 1.0, 0.5, "pmax");

    op_par_loop(getacc_scatter, "getacc_scatter", elements,
                op_arg_dat(density, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(cnwt, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(cnmass, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(cnfx, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(cnfy, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(ndarea, -4, elnd, 1, "double", OP_INC),
                op_arg_dat(ndmass, -4, elnd, 1, "double", OP_INC),
                op_arg_dat(ndubar, -4, elnd, 1, "double", OP_INC),
                op_arg_dat(ndvbar, -4, elnd, 1, "double", OP_INC));
    op_par_loop(flux_sum, "flux_sum", faces, op_arg_dat(flux, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(res, 0, f2c, 5, "double", OP_INC),
                op_arg_dat(res, 1, f2c, 5, "double", OP_INC));
    op_par_loop(local_maximum, "local_maximum", faces, op_arg_dat(ps, 0, f2c, 1, "double", OP_READ),
                op_arg_dat(ps, 1, f2c, 1, "double", OP_READ),
                op_arg_dat(pmax, 0, f2c, 1, "double", OP_MAX),
                op_arg_dat(pmax, 1, f2c, 1, "double", OP_MAX));
    print_dat(ndarea);
    print_dat(ndmass);
    print_dat(ndubar);
    print_dat(ndvbar);
    print_dat(res);
    print_dat(pmax);
    op_exit();
    return 0;
}
