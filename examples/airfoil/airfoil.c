/* airfoil.c: OP2's airfoil program, steady inviscid flow round a NACA 0012 aerofoil (C11).
 *
 * An ordinary OP2 program: it builds with a plain C compiler and cleave's headers, and then runs
 * sequentially, or with cleavecc, and then runs on all cores or on the GPU. airfoil.cpp is the same
 * in C++; both share the kernels' headers, the mesh (mesh.h) and the command line (run.h).
 */
#include "op_seq.h"

#include "mesh.h"
#include "run.h"

/* Constants of the kernels: set_constants() gives them their values and declares them to OP2. */
double gam, gm1, cfl, eps, mach, qinf[4];

#include "adt_calc.h"
#include "bres_calc.h"
#include "res_calc.h"
#include "save_soln.h"
#include "update.h"

static op_set nodes, edges, bedges, cells;
static op_map pedge, pecell, pbedge, pbecell, pcell;
static op_dat p_bound, p_x, p_q, p_qold, p_adt, p_res;

/* Free stream at Mach 0.4. The constants are float literals, as in the program that published the
 * reference results: the last digits depend on it. */
static void set_constants(void)
{
    gam = 1.4f;
    gm1 = gam - 1.0;
    cfl = 0.9f;
    eps = 0.05f;
    mach = 0.4f;

    const double p = 1.0;
    const double r = 1.0;
    const double u = sqrt(gam * p / r) * mach;
    const double e = p / (r * gm1) + 0.5 * u * u;
    qinf[0] = r;
    qinf[1] = r * u;
    qinf[2] = 0.0;
    qinf[3] = r * e;

    op_decl_const(1, "double", &gam);
    op_decl_const(1, "double", &gm1);
    op_decl_const(1, "double", &cfl);
    op_decl_const(1, "double", &eps);
    op_decl_const(1, "double", &mach);
    op_decl_const(4, "double", qinf);
}

/* The free stream in every cell. */
static double *initial_state(int ncell)
{
    double *q = (double *)malloc(4 * (size_t)ncell * sizeof(double));
    if (q == NULL) {
        fprintf(stderr, "airfoil: not enough memory for %d cells\n", ncell);
        exit(1);
    }
    for (size_t c = 0; c < (size_t)ncell; c++) {
        memcpy(q + 4 * c, qinf, 4 * sizeof(double));
    }
    return q;
}

/* OP2 copies all arrays, so the mesh may be freed afterwards. */
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
    p_qold = op_decl_dat(cells, 4, "double", (double *)NULL, "p_qold");
    p_adt = op_decl_dat(cells, 1, "double", (double *)NULL, "p_adt");
    p_res = op_decl_dat(cells, 4, "double", (double *)NULL, "p_res");
    free(q);
}

/* One iteration: two steps from the saved solution. Gives the sum of the squared changes of the
 * second, and the largest of them. */
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

int main(int argc, char **argv)
{
    struct options options;
    options_parse(&options, argc, argv);
    op_init(argc, argv, 2);

    struct mesh mesh;
    mesh_obtain(&mesh, &options);
    struct history *history = history_new(&mesh, &options);
    set_constants();
    declare(&mesh);
    mesh_free(&mesh);
    op_partition("METIS", "KWAY", edges, pecell, p_x);

    double cpu_start, wall_start, cpu_end, wall_end;
    op_timers(&cpu_start, &wall_start);
    for (int iteration = 1; iteration <= options.iterations; iteration++) {
        double rms, maxerr;
        iterate(&rms, &maxerr);
        if (iteration % RMS_EVERY == 0) {
            history_report(history, iteration, sqrt(rms / op_get_size(cells)), maxerr);
        }
    }
    op_timers(&cpu_end, &wall_end);

    op_timing_output();
    op_printf("Max total runtime = %f seconds\n", wall_end - wall_start);
    const int status = history_check(history);
    history_free(history);
    op_exit();
    return status;
}
