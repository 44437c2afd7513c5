/* airfoil.c: OP2's airfoil program, steady inviscid flow round a NACA 0012 aerofoil (C11).
 *
 * An ordinary OP2 program: it builds with a plain C compiler and cleave's headers, and then runs
 * sequentially, or with cleavecc, and then runs on all cores or on the GPU. airfoil.cpp is the same
 * in C++; both share the kernels' headers, the mesh (mesh.h), options and known values (setup.h).
 */
#include "op_seq.h"

#include "setup.h"

/* Constants of the kernels: set_constants() gives them their values and declares them to OP2. */
real gam, gm1, cfl, eps, mach, qinf[4];

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
    gm1 = gam - 1.0f;
    cfl = 0.9f;
    eps = 0.05f;
    mach = 0.4f;

    const real p = 1.0f;
    const real r = 1.0f;
    const real u = real_sqrt(gam * p / r) * mach;
    const real e = p / (r * gm1) + 0.5f * u * u;
    qinf[0] = r;
    qinf[1] = r * u;
    qinf[2] = 0.0f;
    qinf[3] = r * e;

    op_decl_const(1, REAL, &gam);
    op_decl_const(1, REAL, &gm1);
    op_decl_const(1, REAL, &cfl);
    op_decl_const(1, REAL, &eps);
    op_decl_const(1, REAL, &mach);
    op_decl_const(4, REAL, qinf);
}

/* OP2 copies all arrays, so that they may be freed afterwards. */
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

    real *x = coordinates(mesh);
    real *q = uniform_state(mesh, qinf);
    p_bound = op_decl_dat(bedges, 1, "int", mesh->bound, "p_bound");
    p_x = op_decl_dat(nodes, 2, REAL, x, "p_x");
    p_q = op_decl_dat(cells, 4, REAL, q, "p_q");
    p_qold = op_decl_dat(cells, 4, REAL, (real *)NULL, "p_qold");
    p_adt = op_decl_dat(cells, 1, REAL, (real *)NULL, "p_adt");
    p_res = op_decl_dat(cells, 4, REAL, (real *)NULL, "p_res");
    free(x);
    free(q);
}

/* One iteration: two steps from the saved solution. Gives the sum of the squared changes of the
 * second, and the largest of them. */
static void iterate(double *rms, real *maxerr)
{
    op_par_loop(save_soln, "save_soln", cells, op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_READ),
                op_arg_dat(p_qold, -1, OP_ID, 4, REAL, OP_WRITE));

    for (int k = 0; k < 2; k++) {
        op_par_loop(adt_calc, "adt_calc", cells, op_arg_dat(p_x, 0, pcell, 2, REAL, OP_READ),
                    op_arg_dat(p_x, 1, pcell, 2, REAL, OP_READ),
                    op_arg_dat(p_x, 2, pcell, 2, REAL, OP_READ),
                    op_arg_dat(p_x, 3, pcell, 2, REAL, OP_READ),
                    op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_READ),
                    op_arg_dat(p_adt, -1, OP_ID, 1, REAL, OP_WRITE));

        op_par_loop(res_calc, "res_calc", edges, op_arg_dat(p_x, 0, pedge, 2, REAL, OP_READ),
                    op_arg_dat(p_x, 1, pedge, 2, REAL, OP_READ),
                    op_arg_dat(p_q, 0, pecell, 4, REAL, OP_READ),
                    op_arg_dat(p_q, 1, pecell, 4, REAL, OP_READ),
                    op_arg_dat(p_adt, 0, pecell, 1, REAL, OP_READ),
                    op_arg_dat(p_adt, 1, pecell, 1, REAL, OP_READ),
                    op_arg_dat(p_res, 0, pecell, 4, REAL, OP_INC),
                    op_arg_dat(p_res, 1, pecell, 4, REAL, OP_INC));

        op_par_loop(bres_calc, "bres_calc", bedges, op_arg_dat(p_x, 0, pbedge, 2, REAL, OP_READ),
                    op_arg_dat(p_x, 1, pbedge, 2, REAL, OP_READ),
                    op_arg_dat(p_q, 0, pbecell, 4, REAL, OP_READ),
                    op_arg_dat(p_adt, 0, pbecell, 1, REAL, OP_READ),
                    op_arg_dat(p_res, 0, pbecell, 4, REAL, OP_INC),
                    op_arg_dat(p_bound, -1, OP_ID, 1, "int", OP_READ));

        *rms = 0.0;
        *maxerr = 0.0f;
        op_par_loop(update, "update", cells, op_arg_dat(p_qold, -1, OP_ID, 4, REAL, OP_READ),
                    op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_WRITE),
                    op_arg_dat(p_res, -1, OP_ID, 4, REAL, OP_RW),
                    op_arg_dat(p_adt, -1, OP_ID, 1, REAL, OP_READ),
                    op_arg_gbl(rms, 1, "double", OP_INC), op_arg_gbl(maxerr, 1, REAL, OP_MAX));
    }
}

/* The state of all cells, in the order of the mesh. */
static int write_flow(const struct run *run, const struct mesh *mesh)
{
    real *q = uniform_state(mesh, qinf);
    op_fetch_data(p_q, q);
    const int status = flow_write(run, mesh, q);
    free(q);
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct run run;
    options_read(&options, &run, argc, argv);
    op_init(argc, argv, 2);

    struct mesh mesh;
    mesh_obtain(&mesh, &options, &run);
    set_constants();
    declare(&mesh);
    op_partition("METIS", "KWAY", edges, pecell, p_x);

    double cpu_start, wall_start, cpu_end, wall_end;
    op_timers(&cpu_start, &wall_start);
    run_progress(&run, 0, options.iterations);
    for (int iteration = 1; iteration <= options.iterations; iteration++) {
        double rms;
        real maxerr;
        iterate(&rms, &maxerr);
        run_progress(&run, iteration, options.iterations);
        if (iteration % REPORT_EVERY == 0) {
            report(&run, &mesh, iteration, rms, maxerr);
        }
    }
    op_timers(&cpu_end, &wall_end);

    op_timing_output();
    op_printf("Max total runtime = %f seconds\n", wall_end - wall_start);
    const int written = run.output != NULL ? write_flow(&run, &mesh) : 0;
    const int status = run_finish(&run);
    mesh_free(&mesh);
    op_exit();
    return written != 0 ? 1 : status;
}
