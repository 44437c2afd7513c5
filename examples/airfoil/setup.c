/* setup.c: options, mesh, known values and the file for ParaView of the airfoil example. */
#include "setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/c_grid.h"
#include "../common/output.h"

#define LARGE "720000 cells, 1438600 edges, 2800 boundary edges"
#define SMALL "1800 cells, 3530 edges, 140 boundary edges"

/* The large mesh: the results that OP2's documentation prints (six digits; half a unit of the last
 * one passes), and the value that its own test expects to 1e-5 per cent. The small mesh, and
 * maxerr: the results of OP2's sequential version. */
static struct reference references[] = {
    {LARGE, "rms after 100", 5.02186e-4, 1e-6, 0.0},
    {LARGE, "rms after 200", 3.41746e-4, 1.5e-6, 0.0},
    {LARGE, "rms after 300", 2.63430e-4, 2e-6, 0.0},
    {LARGE, "rms after 400", 2.16288e-4, 2.4e-6, 0.0},
    {LARGE, "rms after 500", 1.84659e-4, 2.8e-6, 0.0},
    {LARGE, "rms after 600", 1.60866e-4, 3.2e-6, 0.0},
    {LARGE, "rms after 700", 1.42253e-4, 3.6e-6, 0.0},
    {LARGE, "rms after 800", 1.27627e-4, 4e-6, 0.0},
    {LARGE, "rms after 900", 1.15810e-4, 4.4e-6, 0.0},
    {LARGE, "rms after 1000", 0.0001060114637578, 1e-7, 0.0},
    {LARGE, "maxerr after 100", 5.583696627105479e-4, 1e-7, 0.0},
    {LARGE, "maxerr after 1000", 2.315029308755999e-6, 1e-7, 0.0},
    {SMALL, "rms after 100", 2.074220547521027e-4, 1e-10, 0.0},
    {SMALL, "rms after 200", 6.044190193482138e-5, 1e-10, 0.0},
    {SMALL, "rms after 500", 1.982028230505819e-6, 1e-10, 0.0},
    {SMALL, "rms after 1000", 8.941029039819376e-8, 1e-10, 0.0},
};

enum { REFERENCES = sizeof references / sizeof references[0] };

static void *allocate(size_t count, size_t bytes)
{
    void *array = malloc(count * bytes);
    if (array == NULL) {
        run_failed("airfoil", "not enough memory for %zu numbers", count);
    }
    return array;
}

void options_read(struct options *options, struct run *run, int argc, char **argv)
{
    options->cells[0] = 400;
    options->cells[1] = 600;
    options->iterations = 1000;
    options->mesh = NULL;
    options->write_mesh = NULL;
    const struct option known[] = {
        {"cells", OPTION_SIZES, options->cells, 2, NULL,
         "I,J: generate a mesh of 3*I*J cells; quick: 20,30"},
        {"iterations", OPTION_COUNT, &options->iterations, 0, NULL, "time steps"},
        {"mesh", OPTION_FILE, &options->mesh, 0, NULL,
         "read the mesh from FILE, in the format of OP2's new_grid.dat"},
        {"write-mesh", OPTION_FILE, &options->write_mesh, 0, NULL,
         "write the mesh to FILE in that format, then run"},
    };
    run_begin(run, "airfoil", "Flow round a NACA 0012 aerofoil: OP2's airfoil program.", known, 4,
              1, argc, argv);
    if (run->output != NULL && output_check(run->output) != 0) {
        exit(2);
    }
}

/* In float the state is rounded to 6e-8, which is what changes become towards the end. */
static void know_references(struct run *run)
{
    for (int r = 0; r < REFERENCES && sizeof(real) == sizeof(float); r++) {
        references[r].relative = 1e-4;
        references[r].absolute = 6e-8;
    }
    run_references(run, references, REFERENCES);
}

void mesh_obtain(struct mesh *mesh, const struct options *options, struct run *run)
{
    const int columns = options->cells[0];
    const int rows = options->cells[1];
    const char *refusal = options->mesh == NULL ? c_grid_refusal(columns, rows) : NULL;
    if (refusal != NULL) {
        run_refused("airfoil", "a mesh of 3 x %d x %d cells cannot be made: %s", columns, rows,
                    refusal);
    }
    const int failed =
        options->mesh != NULL ? mesh_read(mesh, options->mesh) : mesh_generate(mesh, columns, rows);
    if (failed) {
        exit(1);
    }
    if (run->shuffle != 0) {
        mesh_shuffle(mesh, run->shuffle);
    }
    if (options->write_mesh != NULL && mesh_write(mesh, options->write_mesh) != 0) {
        exit(1);
    }
    printf("mesh: %d nodes, %d cells, %d edges, %d boundary edges\n", mesh->nnode, mesh->ncell,
           mesh->nedge, mesh->nbedge);
    fflush(stdout);
    snprintf(run->test, sizeof run->test, "%d cells, %d edges, %d boundary edges", mesh->ncell,
             mesh->nedge, mesh->nbedge);
    know_references(run);
}

real *coordinates(const struct mesh *mesh)
{
    const size_t count = 2 * (size_t)mesh->nnode;
    real *x = (real *)allocate(count, sizeof *x);
    for (size_t i = 0; i < count; i++) {
        x[i] = (real)mesh->x[i];
    }
    return x;
}

real *uniform_state(const struct mesh *mesh, const real *state)
{
    real *q = (real *)allocate(4 * (size_t)mesh->ncell, sizeof *q);
    for (size_t c = 0; c < (size_t)mesh->ncell; c++) {
        memcpy(q + 4 * c, state, 4 * sizeof *q);
    }
    return q;
}

void report(struct run *run, const struct mesh *mesh, int iteration, double sum, double maxerr)
{
    char quantity[48];
    snprintf(quantity, sizeof quantity, "rms after %d", iteration);
    run_result(run, quantity, sqrt(sum / mesh->ncell));
    snprintf(quantity, sizeof quantity, "maxerr after %d", iteration);
    run_result(run, quantity, maxerr);
}

int flow_write(const struct run *run, const struct mesh *mesh, const real *q)
{
    const double gam = 1.4;
    const size_t ncell = (size_t)mesh->ncell;
    double *density = (double *)allocate(5 * ncell, sizeof *density);
    double *velocity = density + ncell;
    double *pressure = density + 3 * ncell;
    double *number = density + 4 * ncell;
    for (size_t c = 0; c < ncell; c++) {
        const double u = q[4 * c + 1] / q[4 * c];
        const double v = q[4 * c + 2] / q[4 * c];
        density[c] = q[4 * c];
        velocity[2 * c] = u;
        velocity[2 * c + 1] = v;
        pressure[c] = (gam - 1.0) * (q[4 * c + 3] - 0.5 * density[c] * (u * u + v * v));
        number[c] = sqrt((u * u + v * v) * density[c] / (gam * pressure[c]));
    }
    const struct output_field fields[] = {
        {"density", 1, 1, density},
        {"velocity", 1, 2, velocity},
        {"pressure", 1, 1, pressure},
        {"mach", 1, 1, number},
    };
    const struct output_mesh on = {mesh->nnode, 2, mesh->x, mesh->ncell, 4, mesh->cell};
    const int status = output_write(run->output, &on, fields, 4);
    free(density);
    return status;
}
