/* results.cpp: the results of results.h: sums and single cells, the distance from the exact
 * solution of the shock tube, the friction of the plate, and the field for ParaView.
 */
#include "results.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "../common/output.h"
#include "known.h"
#include "riemann.h"

namespace
{

/* The final state, by the numbers that cells had before they were shuffled. */
struct field {
    const mesh &of;
    const std::vector<double> &U;

    size_t row(int cell) const
    {
        return static_cast<size_t>(of.number[static_cast<size_t>(cell)]);
    }
    const double *conserved(int cell) const
    {
        return &U[gas::variables * row(cell)];
    }
    const double *centre(int cell) const
    {
        return &of.centre[3 * row(cell)];
    }
    double volume(int cell) const
    {
        return of.volume[row(cell)];
    }
};

void report_cell(run &run, const char *name, const double *U)
{
    static const char *const quantity[] = {"rho", "rho u", "rho E"};
    static const int component[] = {0, 1, 4};
    for (int q = 0; q < 3; q++) {
        char text[64];
        std::snprintf(text, sizeof text, "%s cell %s", name, quantity[q]);
        run_result(&run, text, U[component[q]]);
    }
}

/* Mean distances from the exact solution at the cells' centres: relative to its mean density and
 * pressure, and to the velocity between the waves. */
void report_tube(run &run, const problem &problem, const field &field)
{
    const shock_tube exact(tube_left(), tube_right());
    const double time = problem.steps * problem.dt;
    double distance[3] = {}, size[3] = {};
    for (int cell = 0; cell < field.of.cells; cell++) {
        const tube_state known = exact.at((field.centre(cell)[0] - problem.size[0] / 2.0) / time);
        const double volume = field.volume(cell);
        double V[gas::variables];
        gas::primitive(field.conserved(cell), V);
        const double found[3] = {V[0], V[1], gas::pressure(V)};
        const double expected[3] = {known.rho, known.u, known.p};
        const double measure[3] = {known.rho, exact.velocity(), known.p};
        for (int q = 0; q < 3; q++) {
            distance[q] += volume * std::fabs(found[q] - expected[q]);
            size[q] += volume * measure[q];
        }
    }
    run_result(&run, "L1 error of rho", distance[0] / size[0]);
    run_result(&run, "L1 error of u", distance[1] / size[1]);
    run_result(&run, "L1 error of p", distance[2] / size[2]);
}

/* The plate's friction times the root of the Reynolds number at column i of cells. Blasius finds
 * that it is the same everywhere: 0.664 if the density is constant. */
double scaled_friction(const field &field, int i)
{
    double V[gas::variables], outside[gas::variables];
    gas::primitive(field.conserved(i), V);
    gas::primitive(problem_inflow, outside);
    const double stress = gas::viscosity(V[4]) * V[1] / field.centre(i)[1];
    const double friction = stress / (0.5 * outside[0] * outside[1] * outside[1]);
    const double reynolds =
        outside[0] * outside[1] * field.centre(i)[0] / gas::viscosity(outside[4]);
    return friction * std::sqrt(reynolds);
}

/* The flow is steady only after the gas has passed the plate several times. */
void report_plate(run &run, const problem &problem, const field &field)
{
    const double speed = problem_inflow[1] / problem_inflow[0];
    if (problem.steps * problem.dt * speed < 5.0 * problem.size[0]) {
        return;
    }
    run_result(&run, "friction sqrt(Re) at 1/2", scaled_friction(field, problem.n[0] / 2));
    run_result(&run, "friction sqrt(Re) at 3/4", scaled_friction(field, 3 * problem.n[0] / 4));
}

void write_field(const run &run, const field &field)
{
    const mesh &mesh = field.of;
    const size_t cells = static_cast<size_t>(mesh.cells);
    std::vector<double> density(cells), velocity(3 * cells), pressure(cells), temperature(cells);
    for (size_t c = 0; c < cells; c++) {
        double V[gas::variables];
        gas::primitive(field.conserved(static_cast<int>(c)), V);
        density[c] = V[0];
        std::memcpy(&velocity[3 * c], V + 1, 3 * sizeof(double));
        pressure[c] = gas::pressure(V);
        temperature[c] = V[4];
    }
    const output_mesh shape = {
        static_cast<int>(mesh.x.size() / 3), 3, mesh.x.data(), mesh.cells, 8, mesh.corners.data()};
    const output_field fields[] = {{"density", 1, 1, density.data()},
                                   {"velocity", 1, 3, velocity.data()},
                                   {"pressure", 1, 1, pressure.data()},
                                   {"temperature", 1, 1, temperature.data()}};
    if (output_write(run.output, &shape, fields, 4) != 0) {
        run_failed("miniaero", "the field is not written");
    }
}

} // namespace

int results_report(run &run, const problem &problem, const mesh &mesh, const double sums[4],
                   const std::vector<double> &U)
{
    const field field = {mesh, U};
    run_references(&run, known_values, known_value_count);
    run_result(&run, "sum rho", sums[0]);
    run_result(&run, "sum abs rho u", sums[1]);
    run_result(&run, "sum abs rho v", sums[2]);
    run_result(&run, "sum rho E", sums[3]);
    report_cell(run, "first", field.conserved(0));
    report_cell(run, "outlet", field.conserved(problem.n[0] - 1));
    const bool is_level = problem.angle == 0.0;
    if (is_level && std::strcmp(problem.name, "sod") == 0) {
        report_tube(run, problem, field);
    } else if (is_level && std::strcmp(problem.name, "plate") == 0 && problem.viscous) {
        report_plate(run, problem, field);
    }
    if (run.output != nullptr) {
        write_field(run, field);
    }
    return run_finish(&run);
}
