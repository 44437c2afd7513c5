/* lulesh.c: the Sedov blast wave of LULESH 2.0 as an OP2 program. A cube of cold gas has all its
 * energy in the element at the origin; its size^3 hexahedra move with the gas until t = 0.01.
 *
 * An ordinary OP2 program: it builds with a plain C compiler and cleave's headers, and then runs
 * sequentially, or with cleavecc, and then runs on all cores or on the GPU.
 */
#include "lulesh.h"

#include "../common/run.h"
#include "constants.h"
#include "report.h"

double e_cut = 1e-7, p_cut = 1e-7, q_cut = 1e-7, u_cut = 1e-7, v_cut = 1e-10;
double emin = -1e15, pmin = 0.0, eosvmin = 1e-9, eosvmax = 1e9;
double monoq_max_slope = 1.0, monoq_limiter_mult = 2.0;
double qlc_monoq = 0.5, qqc_monoq = 2.0 / 3.0, qqc = 2.0, dvovmax = 0.1, refdens = 1.0;

static const double STOP_TIME = 1e-2, LARGEST_STEP = 1e-2;
/* A step is at most 1.2 times the last one. It equals the last one where it could be less than 1.1
 * times as large. */
static const double LARGEST_GROWTH = 1.2, LEAST_GROWTH = 1.1;
/* Energy of the element at the origin, over its volume, with 45 elements along an edge. */
static const double ENERGY = 3.948746e7;

op_set nodes, elems, planes[3];
op_map nodelist, on_plane[3], neighbour[SIDES];

static const struct form *const FORMS[] = {&grouped_form, &separate_form};

struct options {
    int size;
    int cycles; /* 0: until STOP_TIME */
    const char *coordinates;
};

void *lulesh_array(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (memory == NULL) {
        run_failed("lulesh", "not enough memory for %zu values", count);
    }
    return memory;
}

static void declare_constants(void)
{
    op_decl_const(1, "double", &e_cut);
    op_decl_const(1, "double", &p_cut);
    op_decl_const(1, "double", &q_cut);
    op_decl_const(1, "double", &u_cut);
    op_decl_const(1, "double", &v_cut);
    op_decl_const(1, "double", &emin);
    op_decl_const(1, "double", &pmin);
    op_decl_const(1, "double", &eosvmin);
    op_decl_const(1, "double", &eosvmax);
    op_decl_const(1, "double", &monoq_max_slope);
    op_decl_const(1, "double", &monoq_limiter_mult);
    op_decl_const(1, "double", &qlc_monoq);
    op_decl_const(1, "double", &qqc_monoq);
    op_decl_const(1, "double", &qqc);
    op_decl_const(1, "double", &dvovmax);
    op_decl_const(1, "double", &refdens);
}

static void declare_mesh(const struct mesh *mesh)
{
    static const char *const plane_name[3] = {"symmX", "symmY", "symmZ"};
    static const char *const side_name[SIDES] = {"lxim",  "lxip",   "letam",
                                                 "letap", "lzetam", "lzetap"};
    nodes = op_decl_set(mesh->box.nodes, "nodes");
    elems = op_decl_set(mesh->box.cells, "elems");
    nodelist = op_decl_map(elems, nodes, 8, mesh->box.cell, "nodelist");
    for (int d = 0; d < 3; d++) {
        planes[d] = op_decl_set(mesh->plane_nodes, plane_name[d]);
        on_plane[d] = op_decl_map(planes[d], nodes, 1, mesh->plane[d], plane_name[d]);
    }
    for (int s = 0; s < SIDES; s++) {
        neighbour[s] = op_decl_map(elems, elems, 1, mesh->neighbour[s], side_name[s]);
    }
}

/* The step that the elements allow, from the last one, dt. */
static double allowed_step(double dt, const struct limits *limits)
{
    double allowed = limits->courant / 2.0;
    if (limits->hydro < allowed) {
        allowed = limits->hydro * 2.0 / 3.0;
    }
    if (allowed >= dt) {
        allowed = allowed < LEAST_GROWTH * dt ? dt : MIN(allowed, LARGEST_GROWTH * dt);
    }
    return MIN(allowed, LARGEST_STEP);
}

/* The step dt, shortened where the run would end in a much shorter one, or after STOP_TIME. */
static double fitting_step(double dt, double remaining)
{
    if (dt < remaining && remaining < 4.0 * dt / 3.0) {
        remaining = 2.0 * dt / 3.0;
    }
    return MIN(dt, remaining);
}

static double energy_at_origin(const struct mesh *mesh)
{
    double *energy = (double *)lulesh_array((size_t)mesh->box.cells, sizeof *energy);
    op_fetch_data(p_e, energy);
    const double origin = energy[mesh->element[0]];
    free(energy);
    return origin;
}

/* Runs the wave from the first time step `dt` on; returns the number of cycles. */
static int run_wave(struct run *run, const struct mesh *mesh, const struct form *form,
                    const struct options *options, double dt)
{
    struct limits limits;
    double time = 0.0;
    int cycle = 0;
    run_progress(run, 0, 1);
    while (time < STOP_TIME && (options->cycles == 0 || cycle < options->cycles)) {
        dt = fitting_step(cycle == 0 ? dt : allowed_step(dt, &limits), STOP_TIME - time);
        time += dt;
        cycle++;
        form->move_nodes(dt);
        form->deform_elements(dt);
        elements_advance(&limits);
        if (!(limits.least > 0.0) || isnan(dt)) {
            run_failed("lulesh", "an element has turned inside out in cycle %d", cycle);
        }
        if (cycle == 10 || cycle == 50) {
            run_result(run, cycle == 10 ? "e(0) after 10" : "e(0) after 50",
                       energy_at_origin(mesh));
        }
        const double rest = (STOP_TIME - time) / dt;
        run_progress(run, cycle, options->cycles != 0 ? options->cycles : cycle + (long)ceil(rest));
    }
    return cycle;
}

/* Fetches the fields at the end, and reports them. */
static void report(struct run *run, const struct mesh *mesh, const struct form *form, int cycles)
{
    const size_t elements = (size_t)mesh->box.cells, points = (size_t)mesh->box.nodes;
    double *of_elements = (double *)lulesh_array(4 * elements, sizeof *of_elements);
    double *of_nodes = (double *)lulesh_array(7 * points, sizeof *of_nodes);
    const op_dat dat[4] = {p_e, p_p, p_v, p_elem_mass};
    for (size_t d = 0; d < 4; d++) {
        op_fetch_data(dat[d], of_elements + d * elements);
    }
    form->fetch(of_nodes, of_nodes + 3 * points, of_nodes + 6 * points);
    const struct state state = {
        of_elements, of_elements + elements, of_elements + 2 * elements, of_elements + 3 * elements,
        of_nodes,    of_nodes + 3 * points,  of_nodes + 6 * points};
    report_end(run, mesh, &state, cycles);
    if (run->output != NULL) {
        report_write(run, mesh, &state);
    }
    free(of_elements);
    free(of_nodes);
}

static const struct form *form_named(const char *name)
{
    return strcmp(name, FORMS[0]->name) == 0 ? FORMS[0] : FORMS[1];
}

static void read_options(struct run *run, struct options *options, int argc, char **argv)
{
    const struct option table[] = {
        {"size", OPTION_COUNT, &options->size, 0, NULL, "elements along an edge of the cube"},
        {"cycles", OPTION_COUNT, &options->cycles, 0, NULL,
         "time steps at most; without it the run ends at t = 0.01"},
        {"coordinates", OPTION_WORD, &options->coordinates, 0, "grouped separate",
         "three components in a dat, or a dat for each"},
    };
    run_begin(run, "lulesh", "The Sedov blast wave on hexahedra: LULESH 2.0.", table,
              sizeof table / sizeof table[0], 1, argc, argv);
    report_begin(run, options->size, options->cycles);
}

int main(int argc, char **argv)
{
    struct options options = {30, 0, "grouped"};
    struct run run;
    struct mesh mesh;
    read_options(&run, &options, argc, argv);
    op_init(argc, argv, 1);
    mesh_make(&mesh, options.size, run.shuffle);
    printf("mesh: %d nodes, %d elements\n", mesh.box.nodes, mesh.box.cells);

    const double energy = ENERGY * pow(options.size / 45.0, 3.0);
    const double edge = 1.125 / options.size;
    const struct form *form = form_named(options.coordinates);
    declare_constants();
    declare_mesh(&mesh);
    elements_declare(&mesh, energy);
    form->declare(mesh.box.x);
    const int cycles = run_wave(&run, &mesh, form, &options, 0.5 * edge / sqrt(2.0 * energy));
    report(&run, &mesh, form, cycles);
    mesh_free(&mesh);
    const int status = run_finish(&run);
    op_timing_output();
    op_exit();
    return status;
}
