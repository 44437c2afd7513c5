/* airfoil_temporary.c: airfoil whose qold, adt and res live for one iteration: they are declared and
 * freed in every time step, as larger OP2 programs do with their work arrays. Kernels and mesh are the
 * airfoil example's.
 *
 *   airfoil_temporary [COLUMNS ROWS [ITERATIONS [REPEATS]]]   (default: 10 15 20 1)
 *
 * Prints the residual of both forms, which must agree to rounding, and, where REPEATS is above 1, the
 * median seconds of ITERATIONS in each form, measured in turn.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op_seq.h"

#include "../../examples/airfoil/mesh.h"

double gam, gm1, cfl, eps, mach, qinf[4];

#include "../../examples/airfoil/adt_calc.h"
#include "../../examples/airfoil/bres_calc.h"
#include "../../examples/airfoil/res_calc.h"
#include "../../examples/airfoil/save_soln.h"
#include "../../examples/airfoil/update.h"

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
        fprintf(stderr, "airfoil_temporary: not enough memory for %d cells\n", ncell);
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

static void free_work(void)
{
    op_free_dat_temp(p_qold);
    op_free_dat_temp(p_adt);
    op_free_dat_temp(p_res);
}

static void iterate(double *rms, double *maxerr)
{
    op_par_loop(save_soln, "save_soln", cells,
                op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_WRITE));
    for (int k = 0; k < 2; k++) {
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
        *rms = 0.0;
        *maxerr = 0.0;
        op_par_loop(update, "update", cells,
                    op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_WRITE),
                    op_arg_dat(p_res, -1, OP_ID, 4, "double", OP_RW),
                    op_arg_dat(p_adt, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(rms, 1, "double", OP_INC),
                    op_arg_gbl(maxerr, 1, "double", OP_MAX));
    }
}

/* Runs from the free stream; returns the residual, and the wall time of all but the first iteration. */
static double run(int temporary, int iterations, double *seconds)
{
    double cpu, begin = 0.0, end, rms = 0.0, maxerr = 0.0;
    double *q = initial_state(op_get_size(cells));
    memcpy(p_q->data, q, 4 * (size_t)op_get_size(cells) * sizeof *q);
    op_put_data(p_q);
    free(q);
    for (int i = 0; i < iterations; i++) {
        if (temporary || i == 0) {
            declare_work(temporary);
        }
        iterate(&rms, &maxerr);
        if (temporary) {
            free_work();
        }
        if (i == 0) {
            op_timers(&cpu, &begin);
        }
    }
    op_timers(&cpu, &end);
    *seconds = end - begin;
    return sqrt(rms / op_get_size(cells));
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

enum { MOST_REPEATS = 99 };

int main(int argc, char **argv)
{
    double seconds[2][MOST_REPEATS], rms[2] = {0.0, 0.0};
    const int columns = argc > 2 ? atoi(argv[1]) : 10;
    const int rows = argc > 2 ? atoi(argv[2]) : 15;
    const int iterations = argc > 3 ? atoi(argv[3]) : 20;
    const int repeats = argc > 4 ? atoi(argv[4]) : 1;
    struct mesh mesh;
    if (columns < 1 || rows < 1 || iterations < 2 || repeats < 1 || repeats > MOST_REPEATS) {
        fprintf(stderr, "usage: airfoil_temporary [COLUMNS ROWS [ITERATIONS [REPEATS]]]\n");
        return 2;
    }
    op_init(argc, argv, 1);
    if (mesh_generate(&mesh, columns, rows) != 0) {
        return 1;
    }
    set_constants();
    declare(&mesh);
    mesh_free(&mesh);
    op_partition("METIS", "KWAY", edges, pecell, p_x);
    for (int r = 0; r < repeats; r++) {
        for (int temporary = 0; temporary < 2; temporary++) {
            rms[temporary] = run(temporary, iterations, &seconds[temporary][r]);
        }
    }
    op_printf("rms plain %.12e temporary %.12e\n", rms[0], rms[1]);
    if (repeats > 1) {
        qsort(seconds[0], (size_t)repeats, sizeof(double), ascending);
        qsort(seconds[1], (size_t)repeats, sizeof(double), ascending);
        op_printf("%d cells, %d iterations: plain %.4f s, temporary %.4f s, ratio %.3f\n",
                  (int)op_get_size(cells), iterations, seconds[0][repeats / 2], seconds[1][repeats / 2],
                  seconds[1][repeats / 2] / seconds[0][repeats / 2]);
    }
    op_exit();
    return fabs(rms[1] - rms[0]) > 1e-11 * rms[0];
}
