/* airfoil.cpp: the airfoil program in C++, otherwise as airfoil.c: the same kernels, mesh and command
 * line, and the same numbers. Everything is declared inside main, as OP2's C++ programs do.
 */
#include "op_seq.h"

#include <cmath>
#include <vector>

#include "mesh.h"
#include "run.h"

// Constants of the kernels.
double gam, gm1, cfl, eps, mach, qinf[4];

#include "adt_calc.h"
#include "bres_calc.h"
#include "res_calc.h"
#include "save_soln.h"
#include "update.h"

// Free stream at Mach 0.4; float literals, as in the program that published the reference results.
static void set_constants()
{
    gam = 1.4f;
    gm1 = gam - 1.0;
    cfl = 0.9f;
    eps = 0.05f;
    mach = 0.4f;

    const double p = 1.0;
    const double r = 1.0;
    const double u = std::sqrt(gam * p / r) * mach;
    const double e = p / (r * gm1) + 0.5 * u * u;
    qinf[0] = r;
    qinf[1] = r * u;
    qinf[2] = 0.0;
    qinf[3] = r * e;
}

int main(int argc, char **argv)
{
    options options;
    options_parse(&options, argc, argv);
    op_init(argc, argv, 2);

    ::mesh mesh;
    mesh_obtain(&mesh, &options);
    history *history = history_new(&mesh, &options);

    set_constants();
    op_decl_const(1, "double", &gam);
    op_decl_const(1, "double", &gm1);
    op_decl_const(1, "double", &cfl);
    op_decl_const(1, "double", &eps);
    op_decl_const(1, "double", &mach);
    op_decl_const(4, "double", qinf);

    op_set nodes = op_decl_set(mesh.nnode, "nodes");
    op_set edges = op_decl_set(mesh.nedge, "edges");
    op_set bedges = op_decl_set(mesh.nbedge, "bedges");
    op_set cells = op_decl_set(mesh.ncell, "cells");

    op_map pedge = op_decl_map(edges, nodes, 2, mesh.edge, "pedge");
    op_map pecell = op_decl_map(edges, cells, 2, mesh.ecell, "pecell");
    op_map pbedge = op_decl_map(bedges, nodes, 2, mesh.bedge, "pbedge");
    op_map pbecell = op_decl_map(bedges, cells, 1, mesh.becell, "pbecell");
    op_map pcell = op_decl_map(cells, nodes, 4, mesh.cell, "pcell");

    std::vector<double> q;
    q.reserve(4 * static_cast<size_t>(mesh.ncell));
    for (int c = 0; c < mesh.ncell; c++) {
        q.insert(q.end(), qinf, qinf + 4);
    }
    const std::vector<double> zero(q.size(), 0.0);
    op_dat p_bound = op_decl_dat(bedges, 1, "int", mesh.bound, "p_bound");
    op_dat p_x = op_decl_dat(nodes, 2, "double", mesh.x, "p_x");
    op_dat p_q = op_decl_dat(cells, 4, "double", q.data(), "p_q");
    op_dat p_qold = op_decl_dat(cells, 4, "double", zero.data(), "p_qold");
    op_dat p_adt = op_decl_dat(cells, 1, "double", zero.data(), "p_adt");
    op_dat p_res = op_decl_dat(cells, 4, "double", zero.data(), "p_res");
    mesh_free(&mesh);

    op_partition("METIS", "KWAY", edges, pecell, p_x);
    op_diagnostic_output();

    double cpu_start, wall_start, cpu_end, wall_end;
    op_timers(&cpu_start, &wall_start);

    for (int iteration = 1; iteration <= options.iterations; iteration++) {
        double rms = 0.0;
        double maxerr = 0.0;

        op_par_loop(save_soln, "save_soln", cells,
                    op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_WRITE));

        // Two steps from the saved solution.
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

            rms = 0.0;
            maxerr = 0.0;
            op_par_loop(update, "update", cells,
                        op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_READ),
                        op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_WRITE),
                        op_arg_dat(p_res, -1, OP_ID, 4, "double", OP_RW),
                        op_arg_dat(p_adt, -1, OP_ID, 1, "double", OP_READ),
                        op_arg_gbl(&rms, 1, "double", OP_INC),
                        op_arg_gbl(&maxerr, 1, "double", OP_MAX));
        }

        if (iteration % RMS_EVERY == 0) {
            history_report(history, iteration, std::sqrt(rms / op_get_size(cells)), maxerr);
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
