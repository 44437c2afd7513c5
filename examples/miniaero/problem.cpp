/* problem.cpp: the flows and the command line of problem.h. */
#include "problem.h"

#include <cstdio>
#include <cstring>
#include <initializer_list>

namespace
{

using b = boundary;

/* Settings of miniAero's tests 3D_Sod_Serial, FlatPlate_Serial and Ramp_Serial. Sides: x, y and z,
 * the lower one first. */
const problem tests[] = {
    {"sod",
     {128, 4, 4},
     {0.3048, 1.0, 1.0},
     0.0,
     100,
     2e-6,
     1,
     false,
     {b::outflow, b::outflow, b::slip, b::slip, b::slip, b::slip}},
    {"plate",
     {16, 32, 2},
     {2.0, 0.002, 1.0},
     0.0,
     400,
     3e-8,
     2,
     true,
     {b::inflow, b::outflow, b::no_slip, b::outflow, b::slip, b::slip}},
    {"ramp",
     {64, 32, 2},
     {2.0, 2.0, 1.0},
     30.0,
     400,
     1e-5,
     2,
     false,
     {b::inflow, b::outflow, b::slip, b::slip, b::slip, b::slip}},
};

/* The problem that the command line names: its settings are the defaults of the other options. */
const problem &named_problem(int argc, char **argv)
{
    const char *const option = "--problem=";
    const problem *named = tests;
    for (int a = 1; a < argc; a++) {
        for (const problem &test : tests) {
            if (std::strncmp(argv[a], option, std::strlen(option)) == 0 &&
                std::strcmp(argv[a] + std::strlen(option), test.name) == 0) {
                named = &test;
            }
        }
    }
    return *named;
}

void check_settings(const problem &problem)
{
    for (const double value : {problem.size[0], problem.size[1], problem.size[2], problem.dt}) {
        if (value <= 0.0) {
            run_refused("miniaero", "--length, --height, --width and --dt must be above 0");
        }
    }
    if (problem.angle < 0.0 || problem.angle >= 90.0) {
        run_refused("miniaero", "--angle must be from 0 to below 90 degrees");
    }
}

/* A wall without friction lets the gas slip. */
void drop_friction(problem &problem)
{
    for (boundary &side : problem.side) {
        side = side == b::no_slip ? b::slip : side;
    }
}

} // namespace

void problem_read(problem &problem, run &run, int argc, char **argv)
{
    problem = named_problem(argc, argv);
    const char *order = problem.order == 2 ? "2" : "1";
    const char *flow = problem.viscous ? "viscous" : "inviscid";
    const option options[] = {
        {"problem", OPTION_WORD, &problem.name, 0, "sod plate ramp",
         "shock tube, flat plate or ramp; the other options' defaults are those of its test"},
        {"cells", OPTION_SIZES, problem.n, 3, nullptr, "cells along x, y and z"},
        {"length", OPTION_NUMBER, &problem.size[0], 0, nullptr, "size along x, m"},
        {"height", OPTION_NUMBER, &problem.size[1], 0, nullptr, "size along y, m"},
        {"width", OPTION_NUMBER, &problem.size[2], 0, nullptr, "size along z, m"},
        {"angle", OPTION_NUMBER, &problem.angle, 0, nullptr,
         "rise of the second half of the lower side, degrees"},
        {"steps", OPTION_COUNT, &problem.steps, 0, nullptr, "time steps"},
        {"dt", OPTION_NUMBER, &problem.dt, 0, nullptr, "time step, s"},
        {"order", OPTION_WORD, &order, 0, "1 2", "order in space"},
        {"flow", OPTION_WORD, &flow, 0, "inviscid viscous", "without or with friction"},
    };
    run_begin(&run, "miniaero", "Compressible flow of air through a box of hexahedra.", options,
              sizeof options / sizeof options[0], 1, argc, argv);
    check_settings(problem);
    problem.order = order[0] - '0';
    problem.viscous = flow[0] == 'v';
    if (!problem.viscous) {
        drop_friction(problem);
    }
    std::snprintf(run.test, sizeof run.test,
                  "%s cells=%d,%d,%d size=%g,%g,%g angle=%g steps=%d dt=%g order=%d %s",
                  problem.name, problem.n[0], problem.n[1], problem.n[2], problem.size[0],
                  problem.size[1], problem.size[2], problem.angle, problem.steps, problem.dt,
                  problem.order, flow);
}

tube_state tube_left()
{
    return {68947.57 / (gas::R * 288.889), 0.0, 68947.57};
}

tube_state tube_right()
{
    return {6894.757 / (gas::R * 231.11), 0.0, 6894.757};
}

void problem_start(const problem &problem, double x, double *U)
{
    if (std::strcmp(problem.name, "sod") != 0) {
        std::memcpy(U, problem_inflow, sizeof problem_inflow);
        return;
    }
    const tube_state state = x < problem.size[0] / 2.0 ? tube_left() : tube_right();
    const double V[gas::variables] = {state.rho, 0.0, 0.0, 0.0, state.p / (state.rho * gas::R)};
    gas::conserved(V, U);
}
