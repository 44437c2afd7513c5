/* airfoil.h: what the airfoil programs of this folder share: the sets, maps and dats, and the loops of a step up to
 * `update`, which each has in a form of its own. Kernels and mesh are the airfoil example's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op_seq.h"

#include "../../examples/airfoil/mesh.h"
#include "../../examples/airfoil/real.h"

double gam, gm1, cfl, eps, mach, qinf[4];

#include "../../examples/airfoil/adt_calc.h"
#include "../../examples/airfoil/bres_calc.h"
#include "../../examples/airfoil/res_calc.h"
#include "../../examples/airfoil/save_soln.h"

static op_set nodes, edges, bedges, cells;
static op_map pedge, pecell, pbedge, pbecell, pcell;
static op_dat p_bound, p_x, p_q, p_qold, p_adt, p_res;

static void set_constants(void)
{
    gam = 1.4;
    gm1 = gam - 1.0;
    cfl = 0.9;
    eps = 0.05;
    mach = 0.4;
    qinf[0] = 1.0;
    qinf[1] = sqrt(gam) * mach;
    qinf[3] = 1.0 / gm1 + 0.5 * qinf[1] * qinf[1];
    op_decl_const(1, "double", &gam);
    op_decl_const(1, "double", &gm1);
    op_decl_const(1, "double", &cfl);
    op_decl_const(1, "double", &eps);
    op_decl_const(1, "double", &mach);
    op_decl_const(4, "double", qinf);
}

static double *initial_state(int ncell)
{
    double *q = malloc(4 * (size_t)ncell * sizeof *q);
    for (size_t c = 0; q != NULL && c < (size_t)ncell; c++) {
        memcpy(q + 4 * c, qinf, 4 * sizeof(double));
    }
    if (q == NULL) {
        fprintf(stderr, "airfoil: not enough memory for %d cells\n", ncell);
        exit(1);
    }
    return q;
}

static void declare(const struct mesh *mesh)
{
    nodes = op_decl_set(mesh->nnode, "nodes");
    edges = op_decl_set(mesh->nedge, "edges");
    bedges = op_decl_set(mesh->nbedge, "bedges");
    cells = op_decl_set(mesh->ncell, "cells");
    pedge = op_decl_map(edges, nodes, 2, mesh->edge, "pedge");
    pecell = op_decl_map(edges, cells, 2, mesh->ecell, "pecell");
    pbedge = op_decl_map(bedges, nodes, 2, mesh->bedge, "pbedge");
    pbecell = op_decl_map(bedges, cells, 1, mesh->becell, "pbecell");
    pcell = op_decl_map(cells, nodes, 4, mesh->cell, "pcell");
    double *q = initial_state(mesh->ncell);
    p_bound = op_decl_dat(bedges, 1, "int", mesh->bound, "p_bound");
    p_x = op_decl_dat(nodes, 2, "double", mesh->x, "p_x");
    p_q = op_decl_dat(cells, 4, "double", q, "p_q");
    free(q);
}

/* The arrays of one time step; temporary ones are to be freed. */
static void declare_work(int temporary)
{
    if (temporary) {
        p_qold = op_decl_dat_temp(cells, 4, "double", (double *)NULL, "p_qold");
        p_adt = op_decl_dat_temp(cells, 1, "double", (double *)NULL, "p_adt");
        p_res = op_decl_dat_temp(cells, 4, "double", (double *)NULL, "p_res");
    } else {
        p_qold = op_decl_dat(cells, 4, "double", (double *)NULL, "p_qold");
        p_adt = op_decl_dat(cells, 1, "double", (double *)NULL, "p_adt");
        p_res = op_decl_dat(cells, 4, "double", (double *)NULL, "p_res");
    }
}

/* The free stream in every cell, also when runs follow one another. */
static void start_from_free_stream(void)
{
    double *q = initial_state((int)op_get_size(cells));
    memcpy(p_q->data, q, 4 * (size_t)op_get_size(cells) * sizeof *q);
    op_put_data(p_q);
    free(q);
}

static void save_solution(void)
{
    op_par_loop(save_soln, "save_soln", cells,
                op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_WRITE));
}

/* Time steps and fluxes, added to p_res. */
static void add_fluxes(void)
{
    op_par_loop(adt_calc, "adt_calc", cells,
                op_arg_dat(p_x, 0, pcell, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, pcell, 2, "double", OP_READ),
                op_arg_dat(p_x, 2, pcell, 2, "double", OP_READ),
                op_arg_dat(p_x, 3, pcell, 2, "double", OP_READ),
                op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_adt, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(res_calc, "res_calc", edges,
                op_arg_dat(p_x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, pedge, 2, "double", OP_READ),
                op_arg_dat(p_q, 0, pecell, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, pecell, 4, "double", OP_READ),
                op_arg_dat(p_adt, 0, pecell, 1, "double", OP_READ),
                op_arg_dat(p_adt, 1, pecell, 1, "double", OP_READ),
                op_arg_dat(p_res, 0, pecell, 4, "double", OP_INC),
                op_arg_dat(p_res, 1, pecell, 4, "double", OP_INC));
    op_par_loop(bres_calc, "bres_calc", bedges,
                op_arg_dat(p_x, 0, pbedge, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, pbedge, 2, "double", OP_READ),
                op_arg_dat(p_q, 0, pbecell, 4, "double", OP_READ),
                op_arg_dat(p_adt, 0, pbecell, 1, "double", OP_READ),
                op_arg_dat(p_res, 0, pbecell, 4, "double", OP_INC),
                op_arg_dat(p_bound, -1, OP_ID, 1, "int", OP_READ));
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Sorts the values and returns the one in the middle. */
static double median(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, ascending);
    return value[count / 2];
}

/* ---- the programs' command line and report ----------------------------------------------- */

enum { MOST_REPEATS = 99 };

struct options {
    int columns, rows; /* of the mesh: 3*columns*rows cells */
    int iterations;    /* of a run, 2 and more */
    int repeats;       /* runs of each form */
};

/* Reads [COLUMNS ROWS [ITERATIONS [REPEATS]]], starts OP2 and declares the mesh. Ends the program where the
 * command line is wrong or memory is short. */
static void begin_airfoil(struct options *options, int argc, char **argv)
{
    struct mesh mesh;
    *options = (struct options){argc > 2 ? atoi(argv[1]) : 10, argc > 2 ? atoi(argv[2]) : 15,
                                argc > 3 ? atoi(argv[3]) : 20, argc > 4 ? atoi(argv[4]) : 1};
    if (options->columns < 1 || options->rows < 1 || options->iterations < 2 ||
        options->repeats < 1 || options->repeats > MOST_REPEATS) {
        fprintf(stderr, "usage: %s [COLUMNS ROWS [ITERATIONS [REPEATS]]]\n", argv[0]);
        exit(2);
    }
    op_init(argc, argv, 1);
    if (mesh_generate(&mesh, options->columns, options->rows) != 0) {
        exit(1);
    }
    set_constants();
    declare(&mesh);
    mesh_free(&mesh);
    op_partition("METIS", "KWAY", edges, pecell, p_x);
}

/* Medians of two forms and their ratio, where they were measured more than once. */
static void report_times(const char *first, double *first_seconds, const char *second,
                         double *second_seconds, const struct options *options)
{
    if (options->repeats > 1) {
        const double a = median(first_seconds, options->repeats);
        const double b = median(second_seconds, options->repeats);
        op_printf("%d cells, %d iterations: %s %.4f s, %s %.4f s, ratio %.3f\n",
                  (int)op_get_size(cells), options->iterations, first, a, second, b, b / a);
    }
}
