/* bookleaf.c: compressible gas on a mesh of quadrilaterals that moves with it (C11).
 *
 * An ordinary OP2 program after BookLeaf, a hydrodynamics benchmark of the UK Mini-App Consortium:
 * densities and energies lie in the elements, velocities at the nodes; each step predicts the
 * pressure at its middle and then moves the nodes with it. problem.h has the problems.
 */
#include "op_seq.h"

#include "../common/output.h"
#include "../common/run.h"
#include "problem.h"
#include "references.h"

#include <float.h>

double gam;

#include "forces.h"
#include "geometry.h"
#include "getacc_scatter.h"
#include "measure.h"
#include "nodes.h"
#include "state.h"
#include "time_step.h"
#include "viscosity.h"

/* Both problems take these parts of the largest stable steps. A step grows by STEP_GROWTH at most.
 */
static const double CFL_PART = 0.5;
static const double GROWTH_PART = 0.25;
static const double STEP_GROWTH = 1.02;
static const double LONGEST_STEP = 0.1;

struct options {
    int cells[2];
    const char *problem;
    double time;
    int steps;
};

/* Time of the run, and its steps. */
struct clock {
    double time;
    double dt;
    long steps;
};

static op_set nodes, elements;
static op_map elnd, elel;
static op_dat p_x, p_u, p_mean, p_type, p_ndarea, p_ndmass, p_ndubar, p_ndvbar;
static op_dat p_density, p_energy, p_pressure, p_cs2, p_visc, p_mass, p_volume, p_region;
static op_dat p_elfc, p_boundary, p_shape;
static op_dat p_cnx, p_cny, p_cnu, p_cnv, p_cnwt, p_cnmass, p_cnfx, p_cnfy, p_cnviscx, p_cnviscy;
static op_dat p_dx, p_dy, p_du, p_dv;

static op_dat zeros(op_set set, int dim, const char *name)
{
    return op_decl_dat(set, dim, "double", (double *)NULL, name);
}

static void declare_elements(const struct quad_grid *grid, const struct fields *fields)
{
    p_density = op_decl_dat(elements, 1, "double", fields->density, "p_density");
    p_energy = op_decl_dat(elements, 1, "double", fields->energy, "p_energy");
    p_region = op_decl_dat(elements, 1, "int", fields->region, "p_region");
    p_elfc = op_decl_dat(elements, 4, "int", grid->cell_side, "p_elfc");
    p_boundary = op_decl_dat(elements, 1, "int", grid->cell_boundary, "p_boundary");
    p_pressure = zeros(elements, 1, "p_pressure");
    p_cs2 = zeros(elements, 1, "p_cs2");
    p_visc = zeros(elements, 1, "p_visc");
    p_mass = zeros(elements, 1, "p_mass");
    p_volume = zeros(elements, 1, "p_volume");
    p_shape = zeros(elements, SHAPE, "p_shape");
    p_cnx = zeros(elements, 4, "p_cnx");
    p_cny = zeros(elements, 4, "p_cny");
    p_cnu = zeros(elements, 4, "p_cnu");
    p_cnv = zeros(elements, 4, "p_cnv");
    p_cnwt = zeros(elements, 4, "p_cnwt");
    p_cnmass = zeros(elements, 4, "p_cnmass");
    p_cnfx = zeros(elements, 4, "p_cnfx");
    p_cnfy = zeros(elements, 4, "p_cnfy");
    p_cnviscx = zeros(elements, 4, "p_cnviscx");
    p_cnviscy = zeros(elements, 4, "p_cnviscy");
    p_dx = zeros(elements, 4, "p_dx");
    p_dy = zeros(elements, 4, "p_dy");
    p_du = zeros(elements, 4, "p_du");
    p_dv = zeros(elements, 4, "p_dv");
}

static void declare(const struct quad_grid *grid, const struct fields *fields)
{
    nodes = op_decl_set(grid->nodes, "nodes");
    elements = op_decl_set(grid->cells, "elements");
    elnd = op_decl_map(elements, nodes, 4, grid->cell_node, "elnd");
    elel = op_decl_map(elements, elements, 4, grid->cell_cell, "elel");

    p_x = op_decl_dat(nodes, 2, "double", grid->x, "p_x");
    p_u = zeros(nodes, 2, "p_u");
    p_mean = zeros(nodes, 2, "p_mean");
    p_type = op_decl_dat(nodes, 1, "int", fields->type, "p_type");
    p_ndarea = zeros(nodes, 1, "p_ndarea");
    p_ndmass = zeros(nodes, 1, "p_ndmass");
    p_ndubar = zeros(nodes, 1, "p_ndubar");
    p_ndvbar = zeros(nodes, 1, "p_ndvbar");
    declare_elements(grid, fields);
    op_decl_const(1, "double", &gam);
    op_partition("METIS", "KWAY", elements, elnd, p_x);
}

/* Coordinates of the corners, and what follows from them. */
static void find_geometry(void)
{
    op_par_loop(geometry, "geometry", elements, op_arg_dat(p_x, 0, elnd, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, elnd, 2, "double", OP_READ),
                op_arg_dat(p_x, 2, elnd, 2, "double", OP_READ),
                op_arg_dat(p_x, 3, elnd, 2, "double", OP_READ),
                op_arg_dat(p_cnx, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(p_cny, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(p_shape, -1, OP_ID, 6, "double", OP_WRITE),
                op_arg_dat(p_cnwt, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(p_volume, -1, OP_ID, 1, "double", OP_WRITE));
}

/* Velocities of the corners: p_u, or its mean over the step. */
static void find_velocity(op_dat velocity)
{
    op_par_loop(gather_velocity, "gather_velocity", elements,
                op_arg_dat(velocity, 0, elnd, 2, "double", OP_READ),
                op_arg_dat(velocity, 1, elnd, 2, "double", OP_READ),
                op_arg_dat(velocity, 2, elnd, 2, "double", OP_READ),
                op_arg_dat(velocity, 3, elnd, 2, "double", OP_READ),
                op_arg_dat(p_cnu, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(p_cnv, -1, OP_ID, 4, "double", OP_WRITE));
}

static void start(void)
{
    find_geometry();
    op_par_loop(start_state, "start_state", elements,
                op_arg_dat(p_volume, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_cnwt, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_density, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_energy, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_mass, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_cnmass, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(p_pressure, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_cs2, -1, OP_ID, 1, "double", OP_WRITE));
}

static void find_viscosity(void)
{
    op_par_loop(differences, "differences", elements,
                op_arg_dat(p_cnx, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cny, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnu, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnv, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_dx, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(p_dy, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(p_du, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(p_dv, -1, OP_ID, 4, "double", OP_WRITE));

    op_par_loop(viscosity, "viscosity", elements, op_arg_dat(p_dx, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_dx, -4, elel, 4, "double", OP_READ),
                op_arg_dat(p_dy, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_dy, -4, elel, 4, "double", OP_READ),
                op_arg_dat(p_du, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_du, -4, elel, 4, "double", OP_READ),
                op_arg_dat(p_dv, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_dv, -4, elel, 4, "double", OP_READ),
                op_arg_dat(p_density, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_density, -4, elel, 1, "double", OP_READ),
                op_arg_dat(p_cs2, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_cs2, -4, elel, 1, "double", OP_READ),
                op_arg_dat(p_elfc, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_boundary, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(p_type, -4, elnd, 1, "int", OP_READ),
                op_arg_dat(p_cnx, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cny, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_visc, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_cnviscx, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(p_cnviscy, -1, OP_ID, 4, "double", OP_WRITE));
}

/* The next time step: the largest that is stable, little longer than the one before. */
static double choose_step(const struct problem *problem, const struct clock *clock)
{
    double crossing = DBL_MAX;
    double growth = 0.0;
    find_velocity(p_u);
    find_viscosity();
    op_par_loop(
        time_step, "time_step", elements, op_arg_dat(p_cnx, -1, OP_ID, 4, "double", OP_READ),
        op_arg_dat(p_cny, -1, OP_ID, 4, "double", OP_READ),
        op_arg_dat(p_cnu, -1, OP_ID, 4, "double", OP_READ),
        op_arg_dat(p_cnv, -1, OP_ID, 4, "double", OP_READ),
        op_arg_dat(p_shape, -1, OP_ID, 6, "double", OP_READ),
        op_arg_dat(p_volume, -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(p_cs2, -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(p_visc, -1, OP_ID, 1, "double", OP_READ),
        op_arg_gbl(&crossing, 1, "double", OP_MIN), op_arg_gbl(&growth, 1, "double", OP_MAX));
    double dt = clock->steps == 0 ? problem->first_step : STEP_GROWTH * clock->dt;
    dt = fmin(dt, fmin(LONGEST_STEP, CFL_PART * sqrt(crossing)));
    return growth > 0.0 ? fmin(dt, GROWTH_PART / growth) : dt;
}

/* stiffness: of the hourglass control, over the time step. */
static void find_forces(double stiffness)
{
    op_par_loop(forces, "forces", elements, op_arg_dat(p_pressure, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_shape, -1, OP_ID, 6, "double", OP_READ),
                op_arg_dat(p_cnviscx, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnviscy, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnu, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnv, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_density, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_volume, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&stiffness, 1, "double", OP_READ),
                op_arg_dat(p_cnfx, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(p_cnfy, -1, OP_ID, 4, "double", OP_WRITE));
}

static void move(double dt)
{
    op_par_loop(move_nodes, "move_nodes", nodes, op_arg_gbl(&dt, 1, "double", OP_READ),
                op_arg_dat(p_u, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(p_x, -1, OP_ID, 2, "double", OP_RW));
    find_geometry();
}

static void predict(double dt)
{
    find_forces(0.0);
    move(dt);
    op_par_loop(predict_state, "predict_state", elements, op_arg_gbl(&dt, 1, "double", OP_READ),
                op_arg_dat(p_mass, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_volume, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_cnfx, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnfy, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnu, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnv, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_energy, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_density, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_pressure, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_cs2, -1, OP_ID, 1, "double", OP_WRITE));
}

/* Velocities at the end of the step, from the forces on the corners. */
static void accelerate_nodes(double dt)
{
    op_par_loop(getacc_scatter, "getacc_scatter", elements,
                op_arg_dat(p_density, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_cnwt, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnmass, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnfx, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnfy, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_ndarea, 0, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndarea, 1, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndarea, 2, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndarea, 3, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndmass, 0, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndmass, 1, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndmass, 2, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndmass, 3, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndubar, 0, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndubar, 1, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndubar, 2, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndubar, 3, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndvbar, 0, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndvbar, 1, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndvbar, 2, elnd, 1, "double", OP_INC),
                op_arg_dat(p_ndvbar, 3, elnd, 1, "double", OP_INC));

    op_par_loop(accelerate, "accelerate", nodes, op_arg_gbl(&dt, 1, "double", OP_READ),
                op_arg_dat(p_type, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(p_ndarea, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_ndmass, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_ndubar, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_ndvbar, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_u, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(p_mean, -1, OP_ID, 2, "double", OP_WRITE));
}

static void correct(double dt, double hourglass)
{
    find_forces(hourglass / dt);
    accelerate_nodes(dt);
    move(dt);
    find_velocity(p_mean);
    op_par_loop(correct_state, "correct_state", elements, op_arg_gbl(&dt, 1, "double", OP_READ),
                op_arg_dat(p_mass, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_volume, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_cnfx, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnfy, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnu, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_cnv, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_energy, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_density, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_pressure, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_cs2, -1, OP_ID, 1, "double", OP_WRITE));
}

static void report(struct run *run)
{
    double internal = 0.0;
    double kinetic = 0.0;
    double conserved = 0.0;
    double densest = 0.0;
    op_par_loop(
        measure, "measure", elements, op_arg_dat(p_mass, -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(p_energy, -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(p_cnmass, -1, OP_ID, 4, "double", OP_READ),
        op_arg_dat(p_cnwt, -1, OP_ID, 4, "double", OP_READ),
        op_arg_dat(p_density, -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(p_region, -1, OP_ID, 1, "int", OP_READ),
        op_arg_dat(p_u, 0, elnd, 2, "double", OP_READ),
        op_arg_dat(p_u, 1, elnd, 2, "double", OP_READ),
        op_arg_dat(p_u, 2, elnd, 2, "double", OP_READ),
        op_arg_dat(p_u, 3, elnd, 2, "double", OP_READ), op_arg_gbl(&internal, 1, "double", OP_INC),
        op_arg_gbl(&kinetic, 1, "double", OP_INC), op_arg_gbl(&conserved, 1, "double", OP_INC),
        op_arg_gbl(&densest, 1, "double", OP_MAX));
    run_result(run, "internal energy", internal);
    run_result(run, "kinetic energy", kinetic);
    run_result(run, "total energy", internal + kinetic);
    run_result(run, "conserved energy", conserved);
    run_result(run, "largest density", densest);
}

/* Mean difference of the density from the exact solution of Sod's problem. */
static double error_of_density(double time)
{
    double sod[SOD_SIZE];
    double total = 0.0;
    double error = 0.0;
    sod_exact(time, sod);
    op_par_loop(sod_error, "sod_error", elements,
                op_arg_dat(p_cnx, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(p_density, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_volume, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(sod, SOD_SIZE, "double", OP_READ),
                op_arg_gbl(&total, 1, "double", OP_INC), op_arg_gbl(&error, 1, "double", OP_INC));
    return error / total;
}

/* Writes the elements where they are at the end, and what they hold, for ParaView. */
static void write_output(const char *file, const struct quad_grid *grid)
{
    double *x = malloc(2 * (size_t)grid->nodes * sizeof *x);
    double *u = malloc(2 * (size_t)grid->nodes * sizeof *u);
    double *density = malloc((size_t)grid->cells * sizeof *density);
    double *energy = malloc((size_t)grid->cells * sizeof *energy);
    double *pressure = malloc((size_t)grid->cells * sizeof *pressure);
    if (x == NULL || u == NULL || density == NULL || energy == NULL || pressure == NULL) {
        run_failed("bookleaf", "not enough memory to write %d elements", grid->cells);
    }
    op_fetch_data(p_x, x);
    op_fetch_data(p_u, u);
    op_fetch_data(p_density, density);
    op_fetch_data(p_energy, energy);
    op_fetch_data(p_pressure, pressure);
    const struct output_mesh mesh = {grid->nodes, 2, x, grid->cells, 4, grid->cell_node};
    const struct output_field fields[] = {
        {"density", 1, 1, density},
        {"energy", 1, 1, energy},
        {"pressure", 1, 1, pressure},
        {"velocity", 0, 2, u},
    };
    if (output_write(file, &mesh, fields, 4) != 0) {
        exit(1);
    }
    free(x);
    free(u);
    free(density);
    free(energy);
    free(pressure);
}

static void read_options(struct options *options, struct run *run, int argc, char **argv)
{
    *options = (struct options){{100, 25}, "sod", 0.0, 0};
    const struct option list[] = {
        {"problem", OPTION_WORD, &options->problem, 0, PROBLEM_NAMES,
         "two gases meet, or an explosion in a corner"},
        {"cells", OPTION_SIZES, options->cells, 2, NULL, "elements along x and y"},
        {"time", OPTION_NUMBER, &options->time, 0, NULL,
         "where the run ends; 0: at 20 of sod, 1 of sedov"},
        {"steps", OPTION_COUNT, &options->steps, 0, NULL, "end after this number of steps"},
    };
    run_begin(run, "bookleaf",
              "Compressible gas on quadrilaterals that move with it: BookLeaf's scheme.", list,
              sizeof list / sizeof list[0], 1, argc, argv);
    if (options->time < 0.0) {
        run_refused("bookleaf", "--time must not be below 0");
    }
    if (options->time == 0.0) {
        options->time = problem_find(options->problem)->end;
    }
    int length = snprintf(run->test, sizeof run->test, "%s %dx%d time=%g", options->problem,
                          options->cells[0], options->cells[1], options->time);
    if (options->steps > 0) {
        snprintf(run->test + length, sizeof run->test - (size_t)length, " steps=%d",
                 options->steps);
    }
    if (run->output != NULL && output_check(run->output) != 0) {
        exit(2);
    }
    run_references(run, REFERENCES, sizeof REFERENCES / sizeof REFERENCES[0]);
}

/* Makes the mesh and declares everything; ends the program when that fails. */
static void set_up(const struct options *options, const struct problem *problem,
                   const struct run *run, struct quad_grid *grid)
{
    const int status = quad_grid_make(grid, options->cells, problem->size);
    if (status == 1) {
        run_failed("bookleaf", "there is no mesh");
    } else if (status != 0) {
        run_refused("bookleaf", "--cells=%d,%d is too large", options->cells[0], options->cells[1]);
    }
    if (run->shuffle > 0) {
        quad_grid_shuffle(grid, run->shuffle);
    }
    struct fields fields;
    if (fields_make(&fields, grid, problem) != 0) {
        run_failed("bookleaf", "not enough memory for the data of %d elements", grid->cells);
    }
    gam = problem->gamma;
    declare(grid, &fields);
    fields_free(&fields);
}

/* Steps until the time has passed, or the steps are done. */
static void evolve(const struct options *options, const struct problem *problem, struct run *run,
                   struct clock *clock)
{
    run_progress(run, 0, 0);
    while (clock->time < options->time && (options->steps == 0 || clock->steps < options->steps)) {
        clock->dt = choose_step(problem, clock);
        if (!(clock->dt >= problem->least_step)) {
            run_failed("bookleaf", "the time step is %g at time %g", clock->dt, clock->time);
        }
        predict(clock->dt);
        correct(clock->dt, problem->hourglass);
        clock->time += clock->dt;
        clock->steps++;
        const double left = fmax(0.0, options->time - clock->time) / clock->dt;
        const long expected = clock->steps + (long)ceil(fmin(left, 1e9));
        const int limited = options->steps > 0 && options->steps < expected;
        run_progress(run, clock->steps, limited ? options->steps : expected);
    }
}

int main(int argc, char **argv)
{
    struct options options;
    struct run run;
    struct quad_grid grid;
    read_options(&options, &run, argc, argv);
    op_init(argc, argv, 1);
    const struct problem *problem = problem_find(options.problem);
    set_up(&options, problem, &run, &grid);
    printf("%s: %d elements, %d nodes\n", run.test, grid.cells, grid.nodes);

    struct clock clock = {0.0, 0.0, 0};
    start();
    evolve(&options, problem, &run, &clock);
    run_result(&run, "steps", (double)clock.steps);
    run_result(&run, "time", clock.time);
    run_result(&run, "time step", clock.dt);
    report(&run);
    if (strcmp(options.problem, "sod") == 0) {
        run_result(&run, "error of the density", error_of_density(clock.time));
    }
    if (run.output != NULL) {
        write_output(run.output, &grid);
    }
    op_timing_output();
    const int status = run_finish(&run);
    quad_grid_free(&grid);
    op_exit();
    return status;
}
