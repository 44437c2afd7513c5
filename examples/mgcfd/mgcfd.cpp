// mgcfd.cpp: flow through a channel with a bump, by a vertex-centred finite-volume scheme for the
// Euler equations with multigrid: the equations and loops of MG-CFD (Owenson, Wright, Bunt, Ho,
// Street and Jarvis), a small stand-in for Rolls-Royce's HYDRA. An ordinary OP2 program in C++.
#include "op_seq.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "../common/output.h"
#include "../common/run.h"
#include "level.h"

double gam = 1.4;
double smoothing = (double)0.2f;
double far_field[5]; // Mach 1.2 along x

#include "flux.h"
#include "legacy.h"
#include "multigrid.h"
#include "time_step.h"

namespace
{

// From MG-CFD's kernels on these meshes.
const reference known[] = {
    {"case=stream n=8 levels=1 weights=physical", "rms after 1", 0.0, 0.0, 1e-15},
    {"case=stream n=8 levels=1 weights=physical", "rms after 10", 0.0, 0.0, 1e-15},
    {"case=bump n=8 levels=1 weights=physical", "volume", 2.98048930138, 1e-11, 0.0},
    {"case=bump n=8 levels=1 weights=physical", "time step", 1.240881341955e-2, 1e-12, 0.0},
    {"case=bump n=8 levels=1 weights=physical", "rms after 1", 1.124327810765e-2, 1e-11, 0.0},
    {"case=bump n=8 levels=1 weights=physical", "rms after 10", 5.240642285986e-3, 1e-10, 0.0},
    {"case=bump n=8 levels=1 weights=physical", "rms after 100", 8.165918666042e-4, 1e-9, 0.0},
    {"case=bump n=8 levels=1 weights=physical", "rms after 500", 1.264690955179e-4, 1e-8, 0.0},
    {"case=bump n=8 levels=1 weights=physical", "density after 500", 2856.504039044, 1e-11, 0.0},
    {"case=bump n=8 levels=1 weights=physical", "energy after 500", 7164.906037839, 1e-11, 0.0},
    {"case=bump n=8 levels=2 weights=physical", "rms after 2", 1.029076248570e-2, 1e-11, 0.0},
    {"case=bump n=8 levels=2 weights=physical", "rms after 10", 5.063748884571e-3, 1e-10, 0.0},
    {"case=bump n=8 levels=2 weights=physical", "rms after 100", 1.206985665292e-3, 1e-9, 0.0},
    {"case=bump n=8 levels=2 weights=physical", "density after 100", 2835.539001596, 1e-11, 0.0},
    {"case=bump n=8 levels=1 weights=legacy", "volume", 3.36376851705, 1e-11, 0.0},
    {"case=bump n=8 levels=1 weights=legacy", "rms after 1", 1.369488134252e-7, 1e-11, 0.0},
    {"case=bump n=8 levels=1 weights=legacy", "rms after 25", 1.369486135150e-7, 1e-11, 0.0},
};

struct Settings {
    int n = 8;
    int levels = 2;
    int cycles = 100;
    const char *problem = "bump";
    const char *weights = "physical";
};

struct Level {
    op_set nodes, edges, boundary;
    op_map edge_nodes, boundary_node, to_coarse;
    op_dat variables, old, residuals, fluxes, volume, step_factor, x, children;
    op_dat edge_weight, boundary_weight, group;
};

op_dat declare_zeros(op_set set, int dim, const char *name)
{
    return op_decl_dat(set, dim, "double", (double *)NULL, name);
}

void declare_states(Level &level, const Mesh &mesh, bool legacy)
{
    std::vector<double> state(NVAR * size_t(mesh.box.nodes));
    for (size_t i = 0; i < state.size(); i++) {
        state[i] = far_field[i % NVAR];
    }
    level.variables = op_decl_dat(level.nodes, NVAR, "double", state.data(), "variables");
    level.old = declare_zeros(level.nodes, NVAR, "old");
    level.residuals = declare_zeros(level.nodes, NVAR, "residuals");
    level.fluxes = declare_zeros(level.nodes, NVAR, "fluxes");
    level.step_factor = declare_zeros(level.nodes, 1, "step_factor");
    level.volume = legacy ? declare_zeros(level.nodes, 1, "volume")
                          : op_decl_dat(level.nodes, 1, "double", mesh.box.volume, "volume");
    level.x = op_decl_dat(level.nodes, 3, "double", mesh.box.x, "x");
    level.children = op_decl_dat(level.nodes, 1, "int", (int *)NULL, "children");
}

void declare_level(Level &level, const Mesh &mesh, bool legacy)
{
    const tet_box &box = mesh.box;
    std::vector<double> inwards(3 * size_t(box.boundary_nodes));
    for (size_t i = 0; i < inwards.size(); i++) {
        inwards[i] = -box.boundary_area[i];
    }
    level.nodes = op_decl_set(box.nodes, "nodes");
    level.edges = op_decl_set(box.edges, "edges");
    level.boundary = op_decl_set(box.boundary_nodes, "boundary");
    level.edge_nodes = op_decl_map(level.edges, level.nodes, 2, box.edge, "edge_nodes");
    level.boundary_node =
        op_decl_map(level.boundary, level.nodes, 1, box.boundary_node, "boundary_node");
    level.edge_weight = op_decl_dat(level.edges, 3, "double", box.area, "edge_weight");
    level.boundary_weight =
        op_decl_dat(level.boundary, 3, "double", inwards.data(), "boundary_weight");
    level.group = op_decl_dat(level.boundary, 1, "int", mesh.group.data(), "group");
    declare_states(level, mesh, legacy);
}

std::vector<Level> declare(const std::vector<Mesh> &meshes, bool legacy)
{
    std::vector<Level> levels(meshes.size());
    for (size_t l = 0; l < meshes.size(); l++) {
        declare_level(levels[l], meshes[l], legacy);
    }
    for (size_t l = 0; l + 1 < meshes.size(); l++) {
        levels[l].to_coarse = op_decl_map(levels[l].nodes, levels[l + 1].nodes, 1,
                                          const_cast<int *>(meshes[l].coarse.data()), "to_coarse");
    }
    op_decl_const(1, "double", &gam);
    op_decl_const(1, "double", &smoothing);
    op_decl_const(NVAR, "double", far_field);
    op_partition("PTSCOTCH", "KWAY", levels[0].edges, levels[0].edge_nodes, levels[0].x);
    return levels;
}

// ---- loops ----------------------------------------------------------------------------------

void make_legacy_weights(const Level &on)
{
    op_par_loop(volumes_from_edges, "volumes_from_edges", on.edges,
                op_arg_dat(on.x, 0, on.edge_nodes, 3, "double", OP_READ),
                op_arg_dat(on.x, 1, on.edge_nodes, 3, "double", OP_READ),
                op_arg_dat(on.edge_weight, -1, OP_ID, 3, "double", OP_RW),
                op_arg_dat(on.volume, 0, on.edge_nodes, 1, "double", OP_INC),
                op_arg_dat(on.volume, 1, on.edge_nodes, 1, "double", OP_INC));
    op_par_loop(dampen, "dampen_edges", on.edges,
                op_arg_dat(on.edge_weight, -1, OP_ID, 3, "double", OP_RW));
    op_par_loop(dampen, "dampen_boundary", on.boundary,
                op_arg_dat(on.boundary_weight, -1, OP_ID, 3, "double", OP_RW));
}

void compute_fluxes(const Level &on)
{
    op_par_loop(compute_flux_edge, "compute_flux_edge", on.edges,
                op_arg_dat(on.variables, 0, on.edge_nodes, 5, "double", OP_READ),
                op_arg_dat(on.variables, 1, on.edge_nodes, 5, "double", OP_READ),
                op_arg_dat(on.edge_weight, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(on.fluxes, 0, on.edge_nodes, 5, "double", OP_INC),
                op_arg_dat(on.fluxes, 1, on.edge_nodes, 5, "double", OP_INC));
    op_par_loop(compute_flux_boundary, "compute_flux_boundary", on.boundary,
                op_arg_dat(on.variables, 0, on.boundary_node, 5, "double", OP_READ),
                op_arg_dat(on.boundary_weight, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(on.group, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(on.fluxes, 0, on.boundary_node, 5, "double", OP_INC));
}

// One time step; returns its length.
double solve(const Level &on)
{
    double min_dt = 1e300;
    op_par_loop(copy_state, "copy_state", on.nodes,
                op_arg_dat(on.variables, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(on.old, -1, OP_ID, 5, "double", OP_WRITE));
    op_par_loop(calculate_dt, "calculate_dt", on.nodes,
                op_arg_dat(on.variables, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(on.volume, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&min_dt, 1, "double", OP_MIN));
    op_par_loop(compute_step_factor, "compute_step_factor", on.nodes,
                op_arg_dat(on.volume, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&min_dt, 1, "double", OP_READ),
                op_arg_dat(on.step_factor, -1, OP_ID, 1, "double", OP_WRITE));
    for (double divisor = 4.0; divisor > 1.0; divisor -= 1.0) {
        compute_fluxes(on);
        op_par_loop(time_step, "time_step", on.nodes,
                    op_arg_dat(on.old, -1, OP_ID, 5, "double", OP_READ),
                    op_arg_dat(on.step_factor, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(&divisor, 1, "double", OP_READ),
                    op_arg_dat(on.fluxes, -1, OP_ID, 5, "double", OP_RW),
                    op_arg_dat(on.variables, -1, OP_ID, 5, "double", OP_WRITE));
    }
    op_par_loop(calculate_residual, "calculate_residual", on.nodes,
                op_arg_dat(on.old, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(on.variables, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(on.residuals, -1, OP_ID, 5, "double", OP_WRITE));
    return min_dt;
}

void restrict_to(const Level &coarse, const Level &fine)
{
    op_par_loop(restrict_clear, "restrict_clear", fine.nodes,
                op_arg_dat(coarse.variables, 0, fine.to_coarse, 5, "double", OP_WRITE),
                op_arg_dat(coarse.children, 0, fine.to_coarse, 1, "int", OP_WRITE));
    op_par_loop(restrict_add, "restrict_add", fine.nodes,
                op_arg_dat(fine.variables, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(coarse.variables, 0, fine.to_coarse, 5, "double", OP_INC),
                op_arg_dat(coarse.children, 0, fine.to_coarse, 1, "int", OP_INC));
    op_par_loop(restrict_divide, "restrict_divide", coarse.nodes,
                op_arg_dat(coarse.children, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(coarse.variables, -1, OP_ID, 5, "double", OP_RW));
}

void prolong_to(const Level &fine, const Level &coarse)
{
    op_par_loop(prolong, "prolong", fine.nodes,
                op_arg_dat(fine.residuals, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(fine.x, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(coarse.residuals, 0, fine.to_coarse, 5, "double", OP_READ),
                op_arg_dat(coarse.x, 0, fine.to_coarse, 3, "double", OP_READ),
                op_arg_dat(fine.variables, -1, OP_ID, 5, "double", OP_RW));
}

// ---- results --------------------------------------------------------------------------------

void print_rms(run &run, const Level &finest, int cycle)
{
    double squares = 0.0;
    int bad = 0;
    op_par_loop(sum_residual, "sum_residual", finest.nodes,
                op_arg_dat(finest.residuals, -1, OP_ID, 5, "double", OP_READ),
                op_arg_gbl(&squares, 1, "double", OP_INC), op_arg_gbl(&bad, 1, "int", OP_INC));
    if (bad > 0) {
        run_failed("mgcfd", "cycle %d: %d values are no numbers or infinite", cycle, bad);
    }
    const std::string name = "rms after " + std::to_string(cycle);
    run_result(&run, name.c_str(), std::sqrt(squares / op_get_size(finest.nodes)));
}

struct Sums {
    double density, energy, volume;
};

Sums sum(const Level &finest)
{
    double sums[3] = {0.0, 0.0, 0.0};
    op_par_loop(sum_state, "sum_state", finest.nodes,
                op_arg_dat(finest.variables, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(finest.volume, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(sums, 3, "double", OP_INC));
    return {sums[0], sums[1], sums[2]};
}

bool is_reported(int cycle, int cycles)
{
    int digit = cycle;
    while (digit % 10 == 0) {
        digit /= 10;
    }
    return digit == 1 || digit == 2 || digit == 5 || cycle == cycles;
}

void run_cycles(run &run, const std::vector<Level> &levels, int cycles)
{
    const int last = int(levels.size()) - 1;
    run_progress(&run, 0, cycles);
    for (int cycle = 1; cycle <= cycles; cycle++) {
        const double dt = solve(levels[0]);
        if (cycle == 1) {
            run_result(&run, "time step", dt);
        }
        if (is_reported(cycle, cycles)) {
            print_rms(run, levels[0], cycle);
        }
        for (int l = 1; l <= last; l++) {
            restrict_to(levels[l], levels[l - 1]);
            solve(levels[l]);
        }
        for (int l = last - 1; l >= 0; l--) {
            prolong_to(levels[l], levels[l + 1]);
            if (l > 0) {
                solve(levels[l]);
            }
        }
        run_progress(&run, cycle, cycles);
    }
}

// Density, velocity, pressure and Mach number at the nodes.
int write(const char *file, const Level &finest, const Mesh &mesh)
{
    const size_t nodes = size_t(mesh.box.nodes);
    std::vector<double> state(NVAR * nodes), density(nodes), velocity(3 * nodes), pressure(nodes),
        mach(nodes);
    op_fetch_data(finest.variables, state.data());
    for (size_t v = 0; v < nodes; v++) {
        Flow flow;
        flow_of(&state[NVAR * v], &flow);
        density[v] = state[NVAR * v];
        std::memcpy(&velocity[3 * v], flow.u, sizeof flow.u);
        pressure[v] = flow.p;
        mach[v] = flow.speed / flow.c;
    }
    const output_mesh out = {mesh.box.nodes, 3, mesh.box.x, mesh.box.tets, 4, mesh.box.tet};
    const output_field fields[] = {{"density", 0, 1, density.data()},
                                   {"velocity", 0, 3, velocity.data()},
                                   {"pressure", 0, 1, pressure.data()},
                                   {"mach", 0, 1, mach.data()}};
    return output_write(file, &out, fields, 4);
}

// ---- the program ----------------------------------------------------------------------------

void read_options(Settings &settings, run &run, int argc, char **argv)
{
    const option options[] = {
        {"n", OPTION_COUNT, &settings.n, 0, nullptr, "cubes across the channel, 3n along it"},
        {"levels", OPTION_COUNT, &settings.levels, 0, nullptr, "levels of the multigrid"},
        {"cycles", OPTION_COUNT, &settings.cycles, 0, nullptr, "V-cycles"},
        {"case", OPTION_WORD, &settings.problem, 0, "bump stream",
         "flow over a bump, or undisturbed"},
        {"weights", OPTION_WORD, &settings.weights, 0, "physical legacy",
         "areas and volumes of the mesh, or those of MG-CFD"},
    };
    run_begin(&run, "mgcfd", "Flow through a channel with a bump, with multigrid.", options, 5, 1,
              argc, argv);
    if (settings.levels > 20) {
        run_refused("mgcfd", "--levels=%d: at most 20", settings.levels);
    }
    if (run.output != nullptr && output_check(run.output) != 0) {
        std::exit(1);
    }
    std::snprintf(run.test, sizeof run.test, "case=%s n=%d levels=%d weights=%s", settings.problem,
                  settings.n, settings.levels, settings.weights);
    run_references(&run, known, int(sizeof known / sizeof known[0]));
}

void set_far_field()
{
    const double density = 1.4, pressure = 1.0, mach = 1.2;
    const double speed = mach * std::sqrt(gam * pressure / density);
    const double state[NVAR] = {density, density * speed, 0.0, 0.0,
                                pressure / (gam - 1.0) + 0.5 * density * speed * speed};
    std::memcpy(far_field, state, sizeof state);
}

int simulate(run &run, const Settings &settings)
{
    const bool legacy = std::strcmp(settings.weights, "legacy") == 0;
    std::vector<Mesh> meshes(size_t(settings.levels));
    make_meshes(meshes, settings.n, std::strcmp(settings.problem, "bump") == 0,
                run.output != nullptr);
    if (run.shuffle != 0) {
        shuffle_meshes(meshes, run.shuffle);
    }
    std::printf("%d nodes, %d edges, %d boundary nodes\n", meshes[0].box.nodes, meshes[0].box.edges,
                meshes[0].box.boundary_nodes);
    const std::vector<Level> levels = declare(meshes, legacy);
    for (size_t l = 0; l < levels.size() && legacy; l++) {
        make_legacy_weights(levels[l]);
    }
    run_result(&run, "volume", sum(levels[0]).volume);
    run_cycles(run, levels, settings.cycles);
    const Sums sums = sum(levels[0]);
    const std::string after = " after " + std::to_string(settings.cycles);
    run_result(&run, ("density" + after).c_str(), sums.density);
    run_result(&run, ("energy" + after).c_str(), sums.energy);
    const int failed = run.output != nullptr && write(run.output, levels[0], meshes[0]) != 0;
    op_timing_output();
    const int status = run_finish(&run);
    return failed ? 1 : status;
}

} // namespace

int main(int argc, char **argv)
{
    Settings settings;
    run run;
    read_options(settings, run, argc, argv);
    op_init(argc, argv, 1);
    set_far_field();
    int status = 1;
    try {
        status = simulate(run, settings);
    } catch (const std::bad_alloc &) {
        run_failed("mgcfd", "not enough memory for a mesh of n = %d", settings.n);
    }
    op_exit();
    return status;
}
