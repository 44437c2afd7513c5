/* volna.c: waves on shallow water, from deep sea to dry land: a finite-volume scheme of second
 * order on triangles, in float (C11).
 *
 * An ordinary OP2 program after VOLNA-OP2 (Reguly et al., Geoscientific Model Development 11,
 * 2018). problem.h has the problems that it can run, constants.h the constants of the kernels.
 */
#include "op_seq.h"

#include "../common/output.h"
#include "../common/run.h"
#include "problem.h"
#include "references.h"

#include <float.h>

float g = 9.81f;
float EPS = 1e-6f;
float CFL = 0.45f;
float manning;

#include "compute_fluxes.h"
#include "compute_gradient.h"
#include "evolve.h"
#include "limiter.h"
#include "measure.h"
#include "space_discretization.h"
#include "time_step.h"

struct options {
    int cells[2];
    const char *problem;
    const char *boundary;
    double time;
    int steps;
};

static op_set cells, edges;
static op_map edge_cells, cell_edges, cell_cells;
static op_dat p_center, p_area, p_middle, p_normal, p_length, p_boundary;
static op_dat p_values, p_first, p_next, p_change, p_change_first;
static op_dat p_gradient, p_range, p_lim, p_source, p_flux, p_eigenvalue;
static float zmin;

static void declare(const struct tri_grid *grid, const struct fields *fields)
{
    cells = op_decl_set(grid->cells, "cells");
    edges = op_decl_set(grid->edges, "edges");
    edge_cells = op_decl_map(edges, cells, 2, grid->edge_cell, "edge_cells");
    cell_edges = op_decl_map(cells, edges, 3, grid->cell_edge, "cell_edges");
    cell_cells = op_decl_map(cells, cells, 3, grid->cell_cell, "cell_cells");

    p_center = op_decl_dat(cells, 2, "float", fields->center, "p_center");
    p_area = op_decl_dat(cells, 1, "float", fields->area, "p_area");
    p_middle = op_decl_dat(edges, 2, "float", fields->middle, "p_middle");
    p_normal = op_decl_dat(edges, 2, "float", fields->normal, "p_normal");
    p_length = op_decl_dat(edges, 1, "float", fields->length, "p_length");
    p_boundary = op_decl_dat(edges, 1, "int", fields->kind, "p_boundary");

    p_values = op_decl_dat(cells, 4, "float", fields->values, "p_values");
    p_first = op_decl_dat(cells, 4, "float", (float *)NULL, "p_first");
    p_next = op_decl_dat(cells, 4, "float", (float *)NULL, "p_next");
    p_change = op_decl_dat(cells, 4, "float", (float *)NULL, "p_change");
    p_change_first = op_decl_dat(cells, 4, "float", (float *)NULL, "p_change_first");
    p_gradient = op_decl_dat(cells, 8, "float", (float *)NULL, "p_gradient");
    p_range = op_decl_dat(cells, 8, "float", (float *)NULL, "p_range");
    p_lim = op_decl_dat(cells, 4, "float", (float *)NULL, "p_lim");
    p_source = op_decl_dat(edges, 4, "float", (float *)NULL, "p_source");
    p_flux = op_decl_dat(edges, 3, "float", (float *)NULL, "p_flux");
    p_eigenvalue = op_decl_dat(edges, 1, "float", (float *)NULL, "p_eigenvalue");

    op_decl_const(1, "float", &g);
    op_decl_const(1, "float", &EPS);
    op_decl_const(1, "float", &manning);
    op_partition("METIS", "KWAY", edges, edge_cells, p_center);
}

/* Fluxes through all edges, from limited gradients in the cells. Empties `change`. */
static void find_fluxes(op_dat in, op_dat change)
{
    op_par_loop(compute_gradient, "compute_gradient", cells,
                op_arg_dat(in, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(in, 0, cell_cells, 4, "float", OP_READ),
                op_arg_dat(in, 1, cell_cells, 4, "float", OP_READ),
                op_arg_dat(in, 2, cell_cells, 4, "float", OP_READ),
                op_arg_dat(p_center, -1, OP_ID, 2, "float", OP_READ),
                op_arg_dat(p_center, 0, cell_cells, 2, "float", OP_READ),
                op_arg_dat(p_center, 1, cell_cells, 2, "float", OP_READ),
                op_arg_dat(p_center, 2, cell_cells, 2, "float", OP_READ),
                op_arg_dat(p_range, -1, OP_ID, 8, "float", OP_WRITE),
                op_arg_dat(p_gradient, -1, OP_ID, 8, "float", OP_WRITE));

    op_par_loop(limiter, "limiter", cells, op_arg_dat(p_range, -1, OP_ID, 8, "float", OP_READ),
                op_arg_dat(p_lim, -1, OP_ID, 4, "float", OP_WRITE),
                op_arg_dat(in, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(p_gradient, -1, OP_ID, 8, "float", OP_READ),
                op_arg_dat(p_middle, 0, cell_edges, 2, "float", OP_READ),
                op_arg_dat(p_middle, 1, cell_edges, 2, "float", OP_READ),
                op_arg_dat(p_middle, 2, cell_edges, 2, "float", OP_READ),
                op_arg_dat(change, -1, OP_ID, 4, "float", OP_WRITE),
                op_arg_dat(p_center, -1, OP_ID, 2, "float", OP_READ));

    op_par_loop(compute_fluxes, "compute_fluxes", edges,
                op_arg_dat(in, 0, edge_cells, 4, "float", OP_READ),
                op_arg_dat(in, 1, edge_cells, 4, "float", OP_READ),
                op_arg_dat(p_lim, 0, edge_cells, 4, "float", OP_READ),
                op_arg_dat(p_lim, 1, edge_cells, 4, "float", OP_READ),
                op_arg_dat(p_length, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(p_normal, -1, OP_ID, 2, "float", OP_READ),
                op_arg_dat(p_middle, -1, OP_ID, 2, "float", OP_READ),
                op_arg_dat(p_boundary, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(p_center, 0, edge_cells, 2, "float", OP_READ),
                op_arg_dat(p_center, 1, edge_cells, 2, "float", OP_READ),
                op_arg_dat(p_gradient, 0, edge_cells, 8, "float", OP_READ),
                op_arg_dat(p_gradient, 1, edge_cells, 8, "float", OP_READ),
                op_arg_dat(p_source, -1, OP_ID, 4, "float", OP_WRITE),
                op_arg_dat(p_flux, -1, OP_ID, 3, "float", OP_WRITE),
                op_arg_dat(p_eigenvalue, -1, OP_ID, 1, "float", OP_WRITE),
                op_arg_gbl(&zmin, 1, "float", OP_READ));
}

/* The largest stable time step at the latest fluxes, in seconds. */
static float stable_step(void)
{
    float smallest = FLT_MAX;
    op_par_loop(time_step, "time_step", cells,
                op_arg_dat(p_eigenvalue, 0, cell_edges, 1, "float", OP_READ),
                op_arg_dat(p_eigenvalue, 1, cell_edges, 1, "float", OP_READ),
                op_arg_dat(p_eigenvalue, 2, cell_edges, 1, "float", OP_READ),
                op_arg_dat(p_length, 0, cell_edges, 1, "float", OP_READ),
                op_arg_dat(p_length, 1, cell_edges, 1, "float", OP_READ),
                op_arg_dat(p_length, 2, cell_edges, 1, "float", OP_READ),
                op_arg_dat(p_area, -1, OP_ID, 1, "float", OP_READ),
                op_arg_gbl(&smallest, 1, "float", OP_MIN));
    return CFL * smallest;
}

/* Adds the fluxes to the changes of the cells. */
static void add_fluxes(op_dat change)
{
    op_par_loop(space_discretization, "space_discretization", edges,
                op_arg_dat(change, 0, edge_cells, 4, "float", OP_INC),
                op_arg_dat(change, 1, edge_cells, 4, "float", OP_INC),
                op_arg_dat(p_flux, -1, OP_ID, 3, "float", OP_READ),
                op_arg_dat(p_source, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(p_normal, -1, OP_ID, 2, "float", OP_READ),
                op_arg_dat(p_boundary, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(p_area, 0, edge_cells, 1, "float", OP_READ),
                op_arg_dat(p_area, 1, edge_cells, 1, "float", OP_READ));
}

/* One step of at most `left` seconds; returns its length. */
static float step(double left)
{
    find_fluxes(p_values, p_change);
    float dt = stable_step();
    if ((double)dt > left) {
        dt = (float)left;
    }
    add_fluxes(p_change);
    op_par_loop(rk2_first, "rk2_first", cells, op_arg_gbl(&dt, 1, "float", OP_READ),
                op_arg_dat(p_change, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(p_values, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(p_first, -1, OP_ID, 4, "float", OP_WRITE));

    find_fluxes(p_first, p_change_first);
    add_fluxes(p_change_first);
    op_par_loop(rk2_second, "rk2_second", cells, op_arg_gbl(&dt, 1, "float", OP_READ),
                op_arg_dat(p_change_first, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(p_first, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(p_values, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(p_next, -1, OP_ID, 4, "float", OP_WRITE));
    op_par_loop(friction, "friction", cells, op_arg_gbl(&dt, 1, "float", OP_READ),
                op_arg_dat(p_next, -1, OP_ID, 4, "float", OP_RW));
    op_par_loop(copy_values, "copy_values", cells,
                op_arg_dat(p_next, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(p_values, -1, OP_ID, 4, "float", OP_WRITE));
    return dt;
}

static void measure_flow(double *sum, double *most, int *wet)
{
    for (int s = 0; s < SUMS; s++) {
        sum[s] = 0.0;
    }
    for (int m = 0; m < MOSTS; m++) {
        most[m] = m == MOST_LEVEL ? -DBL_MAX : 0.0;
    }
    *wet = 0;
    op_par_loop(measure, "measure", cells, op_arg_dat(p_values, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(p_area, -1, OP_ID, 1, "float", OP_READ),
                op_arg_gbl(&zmin, 1, "float", OP_READ), op_arg_gbl(sum, SUMS, "double", OP_INC),
                op_arg_gbl(most, MOSTS, "double", OP_MAX), op_arg_gbl(wet, 1, "int", OP_INC));
}

/* Mean difference of the depth from the exact solution, in metres. */
static double error_of_depth(double time, double surface)
{
    double dam[DAM_SIZE];
    double error = 0.0;
    dam_exact(time, dam);
    op_par_loop(dam_error, "dam_error", cells, op_arg_dat(p_values, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(p_center, -1, OP_ID, 2, "float", OP_READ),
                op_arg_dat(p_area, -1, OP_ID, 1, "float", OP_READ),
                op_arg_gbl(dam, DAM_SIZE, "double", OP_READ),
                op_arg_gbl(&error, 1, "double", OP_INC));
    return error / surface;
}

/* Writes the flow for ParaView: height of the wave (0 on dry land), depth, bottom and momentum. */
static void write_output(const char *file, const struct tri_grid *grid)
{
    const size_t count = (size_t)grid->cells;
    float *values = malloc(4 * count * sizeof *values);
    double *field = malloc(5 * count * sizeof *field);
    if (values == NULL || field == NULL) {
        run_failed("volna", "not enough memory to write %d cells", grid->cells);
    }
    op_fetch_data(p_values, values);
    double *wave = field;
    double *depth = field + count;
    double *bottom = field + 2 * count;
    double *momentum = field + 3 * count;
    for (size_t c = 0; c < count; c++) {
        const float *value = values + 4 * c;
        depth[c] = (double)value[0];
        bottom[c] = (double)(value[3] - value[0] + zmin);
        wave[c] = value[0] > THIN ? (double)value[3] + (double)zmin : 0.0;
        momentum[2 * c] = (double)value[1];
        momentum[2 * c + 1] = (double)value[2];
    }
    const struct output_mesh mesh = {grid->nodes, 2, grid->x, grid->cells, 3, grid->cell_node};
    const struct output_field fields[] = {
        {"wave", 1, 1, wave},
        {"depth", 1, 1, depth},
        {"bottom", 1, 1, bottom},
        {"momentum", 1, 2, momentum},
    };
    if (output_write(file, &mesh, fields, 4) != 0) {
        exit(1);
    }
    free(values);
    free(field);
}

static void read_options(struct options *options, struct run *run, int argc, char **argv)
{
    *options = (struct options){{200, 100}, "beach", "open", 10.0, 0};
    const struct option list[] = {
        {"problem", OPTION_WORD, &options->problem, 0, PROBLEM_NAMES,
         "a wave runs up a beach, a lake at rest, or a dam breaks"},
        {"cells", OPTION_SIZES, options->cells, 2, NULL,
         "squares along x and y, of two triangles each"},
        {"boundary", OPTION_WORD, &options->boundary, 0, "open wall",
         "what lies round the rectangle: the sea, or a wall"},
        {"time", OPTION_NUMBER, &options->time, 0, NULL, "seconds of the flow to compute"},
        {"steps", OPTION_COUNT, &options->steps, 0, NULL, "end after this number of steps"},
    };
    run_begin(run, "volna", "Waves on shallow water: VOLNA's scheme on triangles.", list,
              sizeof list / sizeof list[0], 1, argc, argv);
    if (options->time <= 0.0) {
        run_refused("volna", "--time must be above 0");
    }
    int length = snprintf(run->test, sizeof run->test, "%s %dx%d %s time=%g", options->problem,
                          options->cells[0], options->cells[1], options->boundary, options->time);
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
static void set_up(const struct options *options, const struct run *run, struct tri_grid *grid)
{
    const struct problem *problem = problem_find(options->problem);
    const int status = problem_mesh(problem, options->cells, grid);
    if (status == 1) {
        run_failed("volna", "there is no mesh");
    } else if (status != 0) {
        run_refused("volna", "--cells=%d,%d is too large", options->cells[0], options->cells[1]);
    }
    if (run->shuffle > 0) {
        tri_grid_shuffle(grid, run->shuffle);
    }
    struct fields fields;
    const int wall = strcmp(options->boundary, "wall") == 0;
    if (fields_make(&fields, grid, problem, wall ? EDGE_WALL : EDGE_OPEN) != 0) {
        run_failed("volna", "not enough memory for the data of %d cells", grid->cells);
    }
    manning = (float)problem->manning;
    zmin = fields.zmin;
    declare(grid, &fields);
    fields_free(&fields);
}

/* Steps until the end of time, or of the steps. Returns the time that was reached, in seconds. */
static double evolve(const struct options *options, struct run *run, float *first_step, int *steps)
{
    double time = 0.0;
    *steps = 0;
    run_progress(run, 0, 0);
    while (time < options->time && (options->steps == 0 || *steps < options->steps)) {
        const float dt = step(options->time - time);
        if (!(dt > 0.0f)) {
            run_failed("volna", "the time step is %g s after %g s", (double)dt, time);
        }
        time += (double)dt;
        *first_step = *steps == 0 ? dt : *first_step;
        *steps += 1;
        const double expected = *steps * options->time / time;
        const int limited = options->steps > 0 && options->steps < expected;
        run_progress(run, *steps, limited ? options->steps : (long)ceil(expected));
    }
    return time;
}

static void report(struct run *run, const struct options *options, double time)
{
    double sum[SUMS];
    double most[MOSTS];
    int wet;
    measure_flow(sum, most, &wet);
    run_result(run, "volume", sum[SUM_VOLUME]);
    run_result(run, "momentum x", sqrt(sum[SUM_HU2]));
    run_result(run, "momentum y", sqrt(sum[SUM_HV2]));
    run_result(run, "largest momentum", most[MOST_MOMENTUM]);
    run_result(run, "largest depth", most[MOST_DEPTH]);
    run_result(run, "highest level", most[MOST_LEVEL]);
    run_result(run, "largest wave", most[MOST_SURFACE]);
    run_result(run, "wet cells", wet);
    if (strcmp(options->problem, "dam") == 0) {
        const double surface = 1e4 * options->cells[1] / options->cells[0];
        run_result(run, "error of the depth", error_of_depth(time, surface));
    }
}

int main(int argc, char **argv)
{
    struct options options;
    struct run run;
    struct tri_grid grid;
    read_options(&options, &run, argc, argv);
    op_init(argc, argv, 1);
    set_up(&options, &run, &grid);
    printf("%s: %d triangles, %d edges\n", run.test, grid.cells, grid.edges);

    double sum[SUMS];
    double most[MOSTS];
    int wet;
    int steps;
    float first_step = 0.0f;
    measure_flow(sum, most, &wet);
    run_result(&run, "volume at the start", sum[SUM_VOLUME]);
    const double time = evolve(&options, &run, &first_step, &steps);
    run_result(&run, "steps", steps);
    run_result(&run, "time", time);
    run_result(&run, "first time step", (double)first_step);
    report(&run, &options, time);
    if (run.output != NULL) {
        write_output(run.output, &grid);
    }
    op_timing_output();
    const int status = run_finish(&run);
    tri_grid_free(&grid);
    op_exit();
    return status;
}
