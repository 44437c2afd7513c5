/* airfoil.cpp: the airfoil program in C++, otherwise as airfoil.c: the same kernels, mesh and
 * command line, and the same numbers. Everything is declared inside main, as OP2's C++ programs do.
 */
#include "op_seq.h"

#include <vector>

#include "setup.h"

// Constants of the kernels.
real gam, gm1, cfl, eps, mach, qinf[4];

#include "adt_calc.h"
#include "bres_calc.h"
#include "res_calc.h"
#include "save_soln.h"
#include "update.h"

// Free stream at Mach 0.4; float literals, as in the program that published the reference results.
static void set_constants()
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
}

int main(int argc, char **argv)
{
    options options;
    run run;
    options_read(&options, &run, argc, argv);
    op_init(argc, argv, 2);

    mesh mesh;
    mesh_obtain(&mesh, &options, &run);

    set_constants();
    op_decl_const(1, REAL, &gam);
    op_decl_const(1, REAL, &gm1);
    op_decl_const(1, REAL, &cfl);
    op_decl_const(1, REAL, &eps);
    op_decl_const(1, REAL, &mach);
    op_decl_const(4, REAL, qinf);

    op_set nodes = op_decl_set(mesh.nnode, "nodes");
    op_set edges = op_decl_set(mesh.nedge, "edges");
    op_set bedges = op_decl_set(mesh.nbedge, "bedges");
    op_set cells = op_decl_set(mesh.ncell, "cells");

    op_map pedge = op_decl_map(edges, nodes, 2, mesh.edge, "pedge");
    op_map pecell = op_decl_map(edges, cells, 2, mesh.ecell, "pecell");
    op_map pbedge = op_decl_map(bedges, nodes, 2, mesh.bedge, "pbedge");
    op_map pbecell = op_decl_map(bedges, cells, 1, mesh.becell, "pbecell");
    op_map pcell = op_decl_map(cells, nodes, 4, mesh.cell, "pcell");

    const std::vector<real> x(mesh.x, mesh.x + 2 * static_cast<size_t>(mesh.nnode));
    std::vector<real> q(4 * static_cast<size_t>(mesh.ncell));
    for (size_t c = 0; c < q.size(); c++) {
        q[c] = qinf[c % 4];
    }
    const std::vector<real> zero(q.size(), 0.0f);
    op_dat p_bound = op_decl_dat(bedges, 1, "int", mesh.bound, "p_bound");
    op_dat p_x = op_decl_dat(nodes, 2, REAL, x.data(), "p_x");
    op_dat p_q = op_decl_dat(cells, 4, REAL, q.data(), "p_q");
    op_dat p_qold = op_decl_dat(cells, 4, REAL, zero.data(), "p_qold");
    op_dat p_adt = op_decl_dat(cells, 1, REAL, zero.data(), "p_adt");
    op_dat p_res = op_decl_dat(cells, 4, REAL, zero.data(), "p_res");

    op_partition("METIS", "KWAY", edges, pecell, p_x);
    op_diagnostic_output();

    double cpu_start, wall_start, cpu_end, wall_end;
    op_timers(&cpu_start, &wall_start);
    run_progress(&run, 0, options.iterations);

    for (int iteration = 1; iteration <= options.iterations; iteration++) {
        double rms = 0.0;
        real maxerr = 0.0f;

        op_par_loop(save_soln, "save_soln", cells, op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_READ),
                    op_arg_dat(p_qold, -1, OP_ID, 4, REAL, OP_WRITE));

        // Two steps from the saved solution.
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

            op_par_loop(bres_calc, "bres_calc", bedges,
                        op_arg_dat(p_x, 0, pbedge, 2, REAL, OP_READ),
                        op_arg_dat(p_x, 1, pbedge, 2, REAL, OP_READ),
                        op_arg_dat(p_q, 0, pbecell, 4, REAL, OP_READ),
                        op_arg_dat(p_adt, 0, pbecell, 1, REAL, OP_READ),
                        op_arg_dat(p_res, 0, pbecell, 4, REAL, OP_INC),
                        op_arg_dat(p_bound, -1, OP_ID, 1, "int", OP_READ));

            rms = 0.0;
            maxerr = 0.0f;
            op_par_loop(update, "update", cells, op_arg_dat(p_qold, -1, OP_ID, 4, REAL, OP_READ),
                        op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_WRITE),
                        op_arg_dat(p_res, -1, OP_ID, 4, REAL, OP_RW),
                        op_arg_dat(p_adt, -1, OP_ID, 1, REAL, OP_READ),
                        op_arg_gbl(&rms, 1, "double", OP_INC),
                        op_arg_gbl(&maxerr, 1, REAL, OP_MAX));
        }

        run_progress(&run, iteration, options.iterations);
        if (iteration % REPORT_EVERY == 0) {
            report(&run, &mesh, iteration, rms, maxerr);
        }
    }
    op_timers(&cpu_end, &wall_end);

    op_timing_output();
    op_printf("Max total runtime = %f seconds\n", wall_end - wall_start);
    int written = 0;
    if (run.output != nullptr) {
        op_fetch_data(p_q, q.data());
        written = flow_write(&run, &mesh, q.data());
    }
    const int status = run_finish(&run);
    mesh_free(&mesh);
    op_exit();
    return written != 0 ? 1 : status;
}
