/* miniaero.cpp: compressible flow of air, after the mini-application miniAero: sets, maps, dats and
 * loops. An ordinary OP2 program in C++17.
 */
#include "op_seq.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <vector>

#include "../common/output.h"
#include "mesh.h"
#include "problem.h"
#include "results.h"

// Constants of the kernels.
double dt, inflow[gas::variables];

#include "boundary.h"
#include "flux.h"
#include "gradient.h"
#include "limiter.h"
#include "step.h"

namespace
{

/* Faces with their cells and their geometry. */
struct faces {
    op_set set;
    op_map cell;
    op_dat centre, S, T, B;
};

struct flow {
    op_set cells;
    op_dat centre, vol;
    op_dat U, U_old, U_new, change, fluxes; /* conserved variables */
    op_dat grad, smallest, largest, limits; /* of the primitive ones */
    faces inner;
    faces side[HEX_SIDES];
};

faces declare_faces(const face_set &mesh, op_set cells, int cells_of_face)
{
    faces f;
    f.set = op_decl_set(mesh.size, "faces");
    f.cell = op_decl_map(f.set, cells, cells_of_face, mesh.cell.data(), "face_cell");
    f.centre = op_decl_dat(f.set, 3, "double", mesh.centre.data(), "face_centre");
    f.S = op_decl_dat(f.set, 3, "double", mesh.S.data(), "S");
    f.T = op_decl_dat(f.set, 3, "double", mesh.T.data(), "T");
    f.B = op_decl_dat(f.set, 3, "double", mesh.B.data(), "B");
    return f;
}

op_dat declare_cells_dat(op_set cells, int dim, const char *name)
{
    return op_decl_dat(cells, dim, "double", static_cast<double *>(nullptr), name);
}

flow declare(const mesh &mesh, const problem &problem)
{
    std::vector<double> start(gas::variables * static_cast<size_t>(mesh.cells));
    for (size_t c = 0; c < static_cast<size_t>(mesh.cells); c++) {
        problem_start(problem, mesh.centre[3 * c], &start[gas::variables * c]);
    }
    flow f;
    f.cells = op_decl_set(mesh.cells, "cells");
    f.centre = op_decl_dat(f.cells, 3, "double", mesh.centre.data(), "centre");
    f.vol = op_decl_dat(f.cells, 1, "double", mesh.volume.data(), "vol");
    f.U_old = op_decl_dat(f.cells, gas::variables, "double", start.data(), "U_old");
    f.U_new = op_decl_dat(f.cells, gas::variables, "double", start.data(), "U_new");
    f.U = declare_cells_dat(f.cells, gas::variables, "U");
    f.change = declare_cells_dat(f.cells, gas::variables, "change");
    f.fluxes = declare_cells_dat(f.cells, gas::variables, "fluxes");
    f.grad = declare_cells_dat(f.cells, 3 * gas::variables, "grad");
    f.smallest = declare_cells_dat(f.cells, gas::variables, "smallest");
    f.largest = declare_cells_dat(f.cells, gas::variables, "largest");
    f.limits = declare_cells_dat(f.cells, gas::variables, "limits");
    f.inner = declare_faces(mesh.inner, f.cells, 2);
    for (int side = 0; side < HEX_SIDES; side++) {
        f.side[side] = declare_faces(mesh.side[side], f.cells, 1);
    }
    return f;
}

void find_gradients(const flow &f)
{
    op_par_loop(clear_gradient, "clear_gradient", f.cells,
                op_arg_dat(f.grad, -1, OP_ID, 15, "double", OP_WRITE));
    op_par_loop(green_gauss, "green_gauss", f.inner.set,
                op_arg_dat(f.U, 0, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.U, 1, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.vol, 0, f.inner.cell, 1, "double", OP_READ),
                op_arg_dat(f.vol, 1, f.inner.cell, 1, "double", OP_READ),
                op_arg_dat(f.grad, 0, f.inner.cell, 15, "double", OP_INC),
                op_arg_dat(f.grad, 1, f.inner.cell, 15, "double", OP_INC),
                op_arg_dat(f.inner.S, -1, OP_ID, 3, "double", OP_READ));
    for (const faces &side : f.side) {
        op_par_loop(green_gauss_side, "green_gauss_side", side.set,
                    op_arg_dat(f.U, 0, side.cell, 5, "double", OP_READ),
                    op_arg_dat(f.vol, 0, side.cell, 1, "double", OP_READ),
                    op_arg_dat(f.grad, 0, side.cell, 15, "double", OP_INC),
                    op_arg_dat(side.S, -1, OP_ID, 3, "double", OP_READ));
    }
}

void find_limits(const flow &f)
{
    op_par_loop(begin_limiter, "begin_limiter", f.cells,
                op_arg_dat(f.U, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(f.smallest, -1, OP_ID, 5, "double", OP_WRITE),
                op_arg_dat(f.largest, -1, OP_ID, 5, "double", OP_WRITE),
                op_arg_dat(f.limits, -1, OP_ID, 5, "double", OP_WRITE));
    op_par_loop(extrema, "extrema", f.inner.set,
                op_arg_dat(f.U, 0, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.U, 1, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.smallest, 0, f.inner.cell, 5, "double", OP_MIN),
                op_arg_dat(f.smallest, 1, f.inner.cell, 5, "double", OP_MIN),
                op_arg_dat(f.largest, 0, f.inner.cell, 5, "double", OP_MAX),
                op_arg_dat(f.largest, 1, f.inner.cell, 5, "double", OP_MAX));
    op_par_loop(limit, "limit", f.inner.set, op_arg_dat(f.U, 0, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.U, 1, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.grad, 0, f.inner.cell, 15, "double", OP_READ),
                op_arg_dat(f.grad, 1, f.inner.cell, 15, "double", OP_READ),
                op_arg_dat(f.smallest, 0, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.smallest, 1, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.largest, 0, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.largest, 1, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.centre, 0, f.inner.cell, 3, "double", OP_READ),
                op_arg_dat(f.centre, 1, f.inner.cell, 3, "double", OP_READ),
                op_arg_dat(f.limits, 0, f.inner.cell, 5, "double", OP_MIN),
                op_arg_dat(f.limits, 1, f.inner.cell, 5, "double", OP_MIN),
                op_arg_dat(f.inner.centre, -1, OP_ID, 3, "double", OP_READ));
    for (const faces &side : f.side) {
        op_par_loop(limit_side, "limit_side", side.set,
                    op_arg_dat(f.U, 0, side.cell, 5, "double", OP_READ),
                    op_arg_dat(f.grad, 0, side.cell, 15, "double", OP_READ),
                    op_arg_dat(f.smallest, 0, side.cell, 5, "double", OP_READ),
                    op_arg_dat(f.largest, 0, side.cell, 5, "double", OP_READ),
                    op_arg_dat(f.centre, 0, side.cell, 3, "double", OP_READ),
                    op_arg_dat(f.limits, 0, side.cell, 5, "double", OP_MIN),
                    op_arg_dat(side.centre, -1, OP_ID, 3, "double", OP_READ));
    }
}

void add_first_order_fluxes(const flow &f, bool viscous)
{
    if (viscous) {
        op_par_loop(flux_first_viscous, "flux_first_viscous", f.inner.set,
                    op_arg_dat(f.U, 0, f.inner.cell, 5, "double", OP_READ),
                    op_arg_dat(f.U, 1, f.inner.cell, 5, "double", OP_READ),
                    op_arg_dat(f.grad, 0, f.inner.cell, 15, "double", OP_READ),
                    op_arg_dat(f.grad, 1, f.inner.cell, 15, "double", OP_READ),
                    op_arg_dat(f.fluxes, 0, f.inner.cell, 5, "double", OP_INC),
                    op_arg_dat(f.fluxes, 1, f.inner.cell, 5, "double", OP_INC),
                    op_arg_dat(f.inner.S, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(f.inner.T, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(f.inner.B, -1, OP_ID, 3, "double", OP_READ));
        return;
    }
    op_par_loop(flux_first, "flux_first", f.inner.set,
                op_arg_dat(f.U, 0, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.U, 1, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.fluxes, 0, f.inner.cell, 5, "double", OP_INC),
                op_arg_dat(f.fluxes, 1, f.inner.cell, 5, "double", OP_INC),
                op_arg_dat(f.inner.S, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(f.inner.T, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(f.inner.B, -1, OP_ID, 3, "double", OP_READ));
}

void add_second_order_fluxes(const flow &f, bool viscous)
{
    if (viscous) {
        op_par_loop(flux_second_viscous, "flux_second_viscous", f.inner.set,
                    op_arg_dat(f.U, 0, f.inner.cell, 5, "double", OP_READ),
                    op_arg_dat(f.U, 1, f.inner.cell, 5, "double", OP_READ),
                    op_arg_dat(f.grad, 0, f.inner.cell, 15, "double", OP_READ),
                    op_arg_dat(f.grad, 1, f.inner.cell, 15, "double", OP_READ),
                    op_arg_dat(f.limits, 0, f.inner.cell, 5, "double", OP_READ),
                    op_arg_dat(f.limits, 1, f.inner.cell, 5, "double", OP_READ),
                    op_arg_dat(f.centre, 0, f.inner.cell, 3, "double", OP_READ),
                    op_arg_dat(f.centre, 1, f.inner.cell, 3, "double", OP_READ),
                    op_arg_dat(f.fluxes, 0, f.inner.cell, 5, "double", OP_INC),
                    op_arg_dat(f.fluxes, 1, f.inner.cell, 5, "double", OP_INC),
                    op_arg_dat(f.inner.centre, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(f.inner.S, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(f.inner.T, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(f.inner.B, -1, OP_ID, 3, "double", OP_READ));
        return;
    }
    op_par_loop(flux_second, "flux_second", f.inner.set,
                op_arg_dat(f.U, 0, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.U, 1, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.grad, 0, f.inner.cell, 15, "double", OP_READ),
                op_arg_dat(f.grad, 1, f.inner.cell, 15, "double", OP_READ),
                op_arg_dat(f.limits, 0, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.limits, 1, f.inner.cell, 5, "double", OP_READ),
                op_arg_dat(f.centre, 0, f.inner.cell, 3, "double", OP_READ),
                op_arg_dat(f.centre, 1, f.inner.cell, 3, "double", OP_READ),
                op_arg_dat(f.fluxes, 0, f.inner.cell, 5, "double", OP_INC),
                op_arg_dat(f.fluxes, 1, f.inner.cell, 5, "double", OP_INC),
                op_arg_dat(f.inner.centre, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(f.inner.S, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(f.inner.T, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(f.inner.B, -1, OP_ID, 3, "double", OP_READ));
}

void add_side_fluxes(const flow &f, const faces &side, boundary condition)
{
    switch (condition) {
    case boundary::outflow:
        op_par_loop(outflow_flux, "outflow_flux", side.set,
                    op_arg_dat(f.U, 0, side.cell, 5, "double", OP_READ),
                    op_arg_dat(f.fluxes, 0, side.cell, 5, "double", OP_INC),
                    op_arg_dat(side.S, -1, OP_ID, 3, "double", OP_READ));
        break;
    case boundary::inflow:
        op_par_loop(inflow_flux, "inflow_flux", side.set,
                    op_arg_dat(f.U, 0, side.cell, 5, "double", OP_READ),
                    op_arg_dat(f.fluxes, 0, side.cell, 5, "double", OP_INC),
                    op_arg_dat(side.S, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(side.T, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(side.B, -1, OP_ID, 3, "double", OP_READ));
        break;
    case boundary::slip:
        op_par_loop(slip_flux, "slip_flux", side.set,
                    op_arg_dat(f.U, 0, side.cell, 5, "double", OP_READ),
                    op_arg_dat(f.fluxes, 0, side.cell, 5, "double", OP_INC),
                    op_arg_dat(side.S, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(side.T, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(side.B, -1, OP_ID, 3, "double", OP_READ));
        break;
    case boundary::no_slip:
        op_par_loop(no_slip_flux, "no_slip_flux", side.set,
                    op_arg_dat(f.U, 0, side.cell, 5, "double", OP_READ),
                    op_arg_dat(f.centre, 0, side.cell, 3, "double", OP_READ),
                    op_arg_dat(f.fluxes, 0, side.cell, 5, "double", OP_INC),
                    op_arg_dat(side.centre, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(side.S, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(side.T, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(side.B, -1, OP_ID, 3, "double", OP_READ));
        break;
    }
}

void find_fluxes(const flow &f, const problem &problem)
{
    if (problem.order == 2 || problem.viscous) {
        find_gradients(f);
    }
    if (problem.order == 2) {
        find_limits(f);
        add_second_order_fluxes(f, problem.viscous);
    } else {
        add_first_order_fluxes(f, problem.viscous);
    }
    for (int side = 0; side < HEX_SIDES; side++) {
        add_side_fluxes(f, f.side[side], problem.side[side]);
    }
}

/* One step of the classical Runge-Kutta method. */
void advance(const flow &f, const problem &problem)
{
    static const double part[] = {0.0, 1.0 / 2.0, 1.0 / 2.0, 1.0};
    static const double share[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    for (int stage = 0; stage < 4; stage++) {
        op_par_loop(begin_stage, "begin_stage", f.cells,
                    op_arg_dat(f.U_old, -1, OP_ID, 5, "double", OP_READ),
                    op_arg_dat(f.change, -1, OP_ID, 5, "double", OP_READ),
                    op_arg_gbl(&part[stage], 1, "double", OP_READ),
                    op_arg_dat(f.U, -1, OP_ID, 5, "double", OP_WRITE),
                    op_arg_dat(f.fluxes, -1, OP_ID, 5, "double", OP_WRITE));
        find_fluxes(f, problem);
        op_par_loop(end_stage, "end_stage", f.cells,
                    op_arg_dat(f.fluxes, -1, OP_ID, 5, "double", OP_READ),
                    op_arg_dat(f.vol, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(&share[stage], 1, "double", OP_READ),
                    op_arg_dat(f.change, -1, OP_ID, 5, "double", OP_WRITE),
                    op_arg_dat(f.U_new, -1, OP_ID, 5, "double", OP_RW));
    }
    op_par_loop(end_step, "end_step", f.cells, op_arg_dat(f.U_new, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(f.U_old, -1, OP_ID, 5, "double", OP_WRITE));
}

/* Sums over all cells of rho, |rho u|, |rho v| and rho E. */
void add_up(const flow &f, double sums[4])
{
    std::fill_n(sums, 4, 0.0);
    op_par_loop(sum_state, "sum_state", f.cells,
                op_arg_dat(f.U_old, -1, OP_ID, 5, "double", OP_READ),
                op_arg_gbl(sums, 4, "double", OP_INC));
}

void set_constants(const problem &problem)
{
    dt = problem.dt;
    std::copy_n(problem_inflow, gas::variables, inflow);
    op_decl_const(1, "double", &dt);
    op_decl_const(5, "double", inflow);
}

/* OP2 has copied all arrays; those of the cells are needed for results. */
void drop_faces(mesh &mesh)
{
    mesh.inner = {};
    for (face_set &side : mesh.side) {
        side = {};
    }
}

int solve(const problem &problem, run &run, int argc, char **argv)
{
    if (run.output != nullptr && output_check(run.output) != 0) {
        return 2;
    }
    mesh mesh;
    const int status = mesh_make(mesh, problem.n, problem.size, problem.angle);
    if (status != 0) {
        return status;
    }
    if (run.shuffle != 0) {
        mesh_shuffle(mesh, run.shuffle);
    }
    op_init(argc, argv, 1);
    set_constants(problem);
    const flow f = declare(mesh, problem);
    op_partition("METIS", "KWAY", f.inner.set, f.inner.cell, f.centre);
    op_printf("mesh: %d cells, %d faces between cells\n", mesh.cells, mesh.inner.size);
    drop_faces(mesh);

    run_progress(&run, 0, problem.steps);
    for (int step = 1; step <= problem.steps; step++) {
        advance(f, problem);
        run_progress(&run, step, problem.steps);
    }
    double sums[4];
    add_up(f, sums);
    std::vector<double> U(gas::variables * static_cast<size_t>(mesh.cells));
    op_fetch_data(f.U_old, U.data());
    const int failed = results_report(run, problem, mesh, sums, U);
    op_timing_output();
    op_exit();
    return failed;
}

} // namespace

int main(int argc, char **argv)
{
    problem problem;
    run run;
    problem_read(problem, run, argc, argv);
    try {
        return solve(problem, run, argc, argv);
    } catch (const std::bad_alloc &) {
        run_failed("miniaero", "not enough memory for %d * %d * %d cells", problem.n[0],
                   problem.n[1], problem.n[2]);
    }
    return 1;
}
