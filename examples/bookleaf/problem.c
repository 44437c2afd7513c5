/* problem.c: the problems of problem.h on a mesh. */
#include "problem.h"

#include "constants.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Energy of Sedov's explosion in a quarter of the plane. */
static const double SEDOV_ENERGY = 0.2467966;
/* Sod's diaphragm, and the gases on its left and right. */
static const double SOD_X = 50.0;
static const double SOD_DENSITY[2] = {1.0, 0.125};
static const double SOD_ENERGY[2] = {2.5, 2.0};

static const struct problem PROBLEMS[] = {
    {"sod",
     {100.0, 25.0},
     QUAD_LOWER | QUAD_RIGHT | QUAD_UPPER | QUAD_LEFT,
     1.4,
     20.0,
     1e-3,
     1e-8,
     0.0},
    {"sedov", {1.125, 1.125}, QUAD_LOWER | QUAD_LEFT, 1.6666666667, 1.0, 1e-4, 1e-6, 0.01},
};

const struct problem *problem_find(const char *name)
{
    for (size_t p = 0; p < sizeof PROBLEMS / sizeof PROBLEMS[0]; p++) {
        if (strcmp(PROBLEMS[p].name, name) == 0) {
            return &PROBLEMS[p];
        }
    }
    return NULL;
}

/* Walls at the left and right stop the velocity in x, the others that in y. */
static int node_type(int boundary, int walls)
{
    const int across_x = boundary & walls & (QUAD_LEFT | QUAD_RIGHT);
    const int across_y = boundary & walls & (QUAD_LOWER | QUAD_UPPER);
    if (across_x) {
        return across_y ? NODE_FIXED : NODE_SLIP_X;
    }
    if (across_y) {
        return NODE_SLIP_Y;
    }
    return boundary ? NODE_FREE : NODE_INNER;
}

/* Two gases at rest: the right one is thinner. */
static void set_sod(struct fields *fields, const struct quad_grid *grid, size_t c)
{
    const int *node = grid->cell_node + 4 * c;
    const double left = grid->x[2 * (size_t)node[0]];
    const double right = grid->x[2 * (size_t)node[1]];
    fields->region[c] = 0.5 * (left + right) > SOD_X;
    fields->density[c] = SOD_DENSITY[fields->region[c]];
    fields->energy[c] = SOD_ENERGY[fields->region[c]];
}

/* A cold gas with all energy in the element at the corner of both walls. */
static void set_sedov(struct fields *fields, const struct quad_grid *grid, size_t c)
{
    const int *node = grid->cell_node + 4 * c;
    const double *x0 = grid->x + 2 * (size_t)node[0];
    const double *x2 = grid->x + 2 * (size_t)node[2];
    const int source =
        (grid->cell_boundary[c] & QUAD_LOWER) && (grid->cell_boundary[c] & QUAD_LEFT);
    const double volume = (x2[0] - x0[0]) * (x2[1] - x0[1]);
    fields->region[c] = 1;
    fields->density[c] = 1.0;
    fields->energy[c] = source ? SEDOV_ENERGY / volume : 0.0;
}

int fields_make(struct fields *fields, const struct quad_grid *grid, const struct problem *problem)
{
    const size_t cells = (size_t)grid->cells;
    const size_t nodes = (size_t)grid->nodes;
    fields->density = malloc(cells * sizeof(double));
    fields->energy = malloc(cells * sizeof(double));
    fields->region = malloc(cells * sizeof(int));
    fields->type = malloc(nodes * sizeof(int));
    if (fields->density == NULL || fields->energy == NULL || fields->region == NULL ||
        fields->type == NULL) {
        fields_free(fields);
        return -1;
    }
    const int sod = strcmp(problem->name, "sod") == 0;
    for (size_t c = 0; c < cells; c++) {
        (sod ? set_sod : set_sedov)(fields, grid, c);
    }
    for (size_t n = 0; n < nodes; n++) {
        fields->type[n] = node_type(grid->node_boundary[n], problem->walls);
    }
    return 0;
}

void fields_free(struct fields *fields)
{
    free(fields->density);
    free(fields->energy);
    free(fields->region);
    free(fields->type);
    fields->density = fields->energy = NULL;
    fields->region = fields->type = NULL;
}

/* Toro (Riemann Solvers and Numerical Methods for Fluid Dynamics, chapter 4): the pressure between
 * the waves gives the gases on both sides of the contact the same velocity. Bisection finds it to
 * rounding. */
void sod_exact(double time, double *sod)
{
    const double gamma = PROBLEMS[0].gamma;
    const double power = (gamma - 1.0) / (2.0 * gamma);
    const double ratio = (gamma - 1.0) / (gamma + 1.0);
    const double left_p = (gamma - 1.0) * SOD_DENSITY[0] * SOD_ENERGY[0];
    const double right_p = (gamma - 1.0) * SOD_DENSITY[1] * SOD_ENERGY[1];
    const double left_c = sqrt(gamma * left_p / SOD_DENSITY[0]);
    const double right_c = sqrt(gamma * right_p / SOD_DENSITY[1]);
    double low = right_p;
    double high = left_p;
    double u = 0.0;
    for (int i = 0; i < 60; i++) {
        const double p = 0.5 * (low + high);
        const double behind = 2.0 * left_c / (gamma - 1.0) * (1.0 - pow(p / left_p, power));
        u = (p - right_p) * sqrt(2.0 / ((gamma + 1.0) * SOD_DENSITY[1]) / (p + ratio * right_p));
        *(u < behind ? &low : &high) = p;
    }
    const double left = low / left_p;
    const double right = low / right_p;
    sod[SOD_HEAD] = -left_c;
    sod[SOD_TAIL] = u - left_c * pow(left, power);
    sod[SOD_CONTACT] = u;
    sod[SOD_SHOCK] = right_c * sqrt((right * (gamma + 1.0) + gamma - 1.0) / (2.0 * gamma));
    sod[SOD_LEFT] = SOD_DENSITY[0];
    sod[SOD_MIDDLE_LEFT] = SOD_DENSITY[0] * pow(left, 1.0 / gamma);
    sod[SOD_MIDDLE_RIGHT] = SOD_DENSITY[1] * (right + ratio) / (ratio * right + 1.0);
    sod[SOD_RIGHT] = SOD_DENSITY[1];
    sod[SOD_PLACE] = SOD_X;
    sod[SOD_TIME] = time;
}
