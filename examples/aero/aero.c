/* aero.c: steady potential flow round a NACA 0012 aerofoil by finite elements, OP2's aero program
 * (C11).
 *
 * Newton's method: each iteration computes the residual and the element matrices, solves the linear
 * system by conjugate gradients and corrects the potential. An ordinary OP2 program.
 */
#include "op_seq.h"

#include "../common/run.h"
#include "mesh.h"

/* Constants of the kernels. */
double gm1, gm1i, m2, gauss[2];

#include "res_calc.h"
#include "solver.h"
#include "update.h"

enum { CG_MOST = 200 };              /* steps of the linear solver, at most */
static const double CG_REDUCE = 0.1; /* it ends when the residual is this part of the first */

static op_set nodes, bnodes, cells;
static op_map pbnodes, pcell;
static op_dat p_xm, p_phim, p_resm, p_K, p_V, p_P, p_U;

/* OP2's own program on its own mesh (cells=400,600) and, on the small mesh, its sequential version.
 * The solver may need a step more or less, and rounding grows in it. */
static const struct reference REFERENCES[] = {
    {"cells=20,30", "cg steps in 1", 14.0, 0.0, 1.0},
    {"cells=20,30", "cg steps in 2", 32.0, 0.0, 1.0},
    {"cells=20,30", "cg steps in 3", 14.0, 0.0, 1.0},
    {"cells=20,30", "cg steps in 4", 33.0, 0.0, 1.0},
    {"cells=20,30", "rms after 1", 6.400535958569402e-4, 1e-6, 0.0},
    {"cells=20,30", "rms after 2", 2.234468834257740e-4, 1e-6, 0.0},
    {"cells=20,30", "rms after 3", 6.866729572406443e-6, 1e-6, 0.0},
    {"cells=400,600", "cg steps in 1", 200.0, 0.0, 0.0},
    {"cells=400,600", "cg steps in 10", 200.0, 0.0, 0.0},
    {"cells=400,600", "cg steps in 20", 200.0, 0.0, 0.0},
    {"cells=400,600", "rms after 1", 5.493619914177395e-4, 1e-6, 0.0},
    {"cells=400,600", "rms after 10", 7.438049498348144e-6, 2e-4, 0.0},
    {"cells=400,600", "rms after 20", 5.644214176463586e-7, 2e-4, 0.0},
};

static void set_constants(double mach)
{
    gm1 = 0.4;
    gm1i = 2.5;
    m2 = mach * mach;
    gauss[0] = 0.211324865405187;
    gauss[1] = 0.788675134594813;
    op_decl_const(1, "double", &gm1);
    op_decl_const(1, "double", &gm1i);
    op_decl_const(1, "double", &m2);
    op_decl_const(2, "double", gauss);
}

/* The potential of the free stream, mach*x. */
static double *free_stream(const struct mesh *mesh, double mach)
{
    double *phim = malloc((size_t)mesh->nnode * sizeof *phim);
    if (phim == NULL) {
        run_failed("aero", "not enough memory for %d nodes", mesh->nnode);
    }
    for (size_t n = 0; n < (size_t)mesh->nnode; n++) {
        phim[n] = mach * mesh->x[2 * n];
    }
    return phim;
}

static void declare(const struct mesh *mesh, double mach)
{
    nodes = op_decl_set(mesh->nnode, "nodes");
    bnodes = op_decl_set(mesh->nbnode, "bnodes");
    cells = op_decl_set(mesh->ncell, "cells");
    pcell = op_decl_map(cells, nodes, 4, mesh->cell, "pcell");
    pbnodes = op_decl_map(bnodes, nodes, 1, mesh->bnode, "pbnodes");

    double *phim = free_stream(mesh, mach);
    p_xm = op_decl_dat(nodes, 2, "double", mesh->x, "p_xm");
    p_phim = op_decl_dat(nodes, 1, "double", phim, "p_phim");
    p_resm = op_decl_dat(nodes, 1, "double", (double *)NULL, "p_resm");
    p_K = op_decl_dat(cells, 16, "double", (double *)NULL, "p_K");
    p_V = op_decl_dat(nodes, 1, "double", (double *)NULL, "p_V");
    p_P = op_decl_dat(nodes, 1, "double", (double *)NULL, "p_P");
    p_U = op_decl_dat(nodes, 1, "double", (double *)NULL, "p_U");
    free(phim);
}

/* Residual and element matrices; no residual where the potential is known. */
static void linearise(void)
{
    op_par_loop(res_calc, "res_calc", cells, op_arg_dat(p_xm, -4, pcell, 2, "double", OP_READ),
                op_arg_dat(p_phim, -4, pcell, 1, "double", OP_READ),
                op_arg_dat(p_K, -1, OP_ID, 16, "double", OP_WRITE),
                op_arg_dat(p_resm, -4, pcell, 1, "double", OP_INC));
    op_par_loop(dirichlet, "dirichlet", bnodes,
                op_arg_dat(p_resm, 0, pbnodes, 1, "double", OP_WRITE));
}

/* P.V for V = K P. */
static double apply_matrix(void)
{
    double c2 = 0.0;
    op_par_loop(spMV, "spMV", cells, op_arg_dat(p_V, -4, pcell, 1, "double", OP_INC),
                op_arg_dat(p_K, -1, OP_ID, 16, "double", OP_READ),
                op_arg_dat(p_P, -4, pcell, 1, "double", OP_READ));
    op_par_loop(dirichlet, "dirichlet", bnodes, op_arg_dat(p_V, 0, pbnodes, 1, "double", OP_WRITE));
    op_par_loop(dotPV, "dotPV", nodes, op_arg_dat(p_P, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_V, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&c2, 1, "double", OP_INC));
    return c2;
}

/* Goes on to the next approximation of U, along P. Gives the square of its residual. */
static double correct(double alpha)
{
    double c3 = 0.0;
    op_par_loop(updateUR, "updateUR", nodes, op_arg_dat(p_U, -1, OP_ID, 1, "double", OP_INC),
                op_arg_dat(p_resm, -1, OP_ID, 1, "double", OP_INC),
                op_arg_dat(p_P, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_V, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&alpha, 1, "double", OP_READ));
    op_par_loop(dotR, "dotR", nodes, op_arg_dat(p_resm, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&c3, 1, "double", OP_INC));
    return c3;
}

/* Conjugate gradients for K U = res. Returns the number of steps. */
static int solve(void)
{
    double c1 = 0.0;
    op_par_loop(init_cg, "init_cg", nodes, op_arg_dat(p_resm, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&c1, 1, "double", OP_INC),
                op_arg_dat(p_U, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_V, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_P, -1, OP_ID, 1, "double", OP_WRITE));
    const double enough = CG_REDUCE * sqrt(c1);
    int steps = 0;
    while (sqrt(c1) > enough && steps < CG_MOST) {
        const double c2 = apply_matrix();
        const double c3 = correct(c1 / c2);
        double beta = c3 / c1;
        op_par_loop(updateP, "updateP", nodes, op_arg_dat(p_resm, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(p_P, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_gbl(&beta, 1, "double", OP_READ));
        c1 = c3;
        steps++;
    }
    return steps;
}

/* One step of Newton's method. Gives the steps of the solver and the sum of the squared changes. */
static double iterate(int *steps)
{
    double rms = 0.0;
    linearise();
    *steps = solve();
    op_par_loop(update, "update", nodes, op_arg_dat(p_phim, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_resm, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_U, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&rms, 1, "double", OP_INC));
    return rms;
}

static void run_iterations(struct run *run, int iterations)
{
    run_progress(run, 0, iterations);
    for (int iteration = 1; iteration <= iterations; iteration++) {
        char quantity[48];
        int steps;
        const double rms = iterate(&steps);
        snprintf(quantity, sizeof quantity, "cg steps in %d", iteration);
        run_result(run, quantity, steps);
        snprintf(quantity, sizeof quantity, "rms after %d", iteration);
        run_result(run, quantity, sqrt(rms / op_get_size(nodes)));
        run_progress(run, iteration, iterations);
    }
}

int main(int argc, char **argv)
{
    int size[2] = {400, 600};
    int iterations = 20;
    const struct option options[] = {
        {"cells", OPTION_SIZES, size, 2, NULL, "I,J: a mesh of 3*I*J cells"},
        {"iterations", OPTION_COUNT, &iterations, 0, NULL, "steps of Newton's method"},
    };
    struct run run;
    run_begin(&run, "aero", "Potential flow round a NACA 0012 aerofoil by finite elements.",
              options, 2, 0, argc, argv);
    snprintf(run.test, sizeof run.test, "cells=%d,%d", size[0], size[1]);
    run_references(&run, REFERENCES, sizeof REFERENCES / sizeof REFERENCES[0]);
    op_init(argc, argv, 2);

    const double mach = 0.1;
    struct mesh mesh;
    mesh_generate(&mesh, size[0], size[1]);
    if (run.shuffle != 0) {
        mesh_shuffle(&mesh, run.shuffle);
    }
    printf("mesh: %d nodes, %d cells, %d far-field nodes\n", mesh.nnode, mesh.ncell, mesh.nbnode);
    set_constants(mach);
    declare(&mesh, mach);
    mesh_free(&mesh);
    op_partition("METIS", "KWAY", cells, pcell, p_xm);

    run_iterations(&run, iterations);
    op_timing_output();
    const int status = run_finish(&run);
    op_exit();
    return status;
}
