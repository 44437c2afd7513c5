/* problem.c: the problems of problem.h on a mesh. */
#include "problem.h"

#include "constants.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A beach that rises by 20 per cent from x = 60 on; the shore lies at x = 85. */
static double beach_bottom(double x, double y)
{
    (void)y;
    return x < 60.0 ? -5.0 : -5.0 + 0.2 * (x - 60.0);
}

static double beach_wave(double x, double y)
{
    return exp(-((x - 30.0) * (x - 30.0) + (y - 25.0) * (y - 25.0)) / 25.0);
}

/* A hill in the middle of a lake. */
static double lake_bottom(double x, double y)
{
    return -5.0 + 4.0 * exp(-((x - 50.0) * (x - 50.0) + (y - 25.0) * (y - 25.0)) / 100.0);
}

static double lake_wave(double x, double y)
{
    (void)x;
    (void)y;
    return 0.0;
}

/* Water stands 2 m deep behind the dam and 1 m before it. */
static const double DAM_X = 50.0;

static double dam_bottom(double x, double y)
{
    (void)x;
    (void)y;
    return -1.0;
}

static double dam_wave(double x, double y)
{
    (void)y;
    return x < DAM_X ? 1.0 : 0.0;
}

static const struct problem PROBLEMS[] = {
    {"beach", beach_bottom, beach_wave, 0.025, 0},
    {"lake", lake_bottom, lake_wave, 0.0, 0},
    {"dam", dam_bottom, dam_wave, 0.0, 1},
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

int problem_mesh(const struct problem *problem, const int n[2], struct tri_grid *grid)
{
    const double size[2] = {100.0, problem->square ? 100.0 * n[1] / n[0] : 50.0};
    return tri_grid_make(grid, n, size);
}

static void set_cells(struct fields *fields, const struct tri_grid *grid)
{
    for (size_t c = 0; c < (size_t)grid->cells; c++) {
        const int *node = grid->cell_node + 3 * c;
        const double *a = grid->x + 2 * (size_t)node[0];
        const double *b = grid->x + 2 * (size_t)node[1];
        const double *d = grid->x + 2 * (size_t)node[2];
        fields->center[2 * c] = (float)((a[0] + b[0] + d[0]) / 3.0);
        fields->center[2 * c + 1] = (float)((a[1] + b[1] + d[1]) / 3.0);
        fields->area[c] =
            (float)(0.5 * ((b[0] - a[0]) * (d[1] - a[1]) - (d[0] - a[0]) * (b[1] - a[1])));
    }
}

static void set_edges(struct fields *fields, const struct tri_grid *grid, int boundary)
{
    for (size_t e = 0; e < (size_t)grid->edges; e++) {
        const double *a = grid->x + 2 * (size_t)grid->edge_node[2 * e];
        const double *b = grid->x + 2 * (size_t)grid->edge_node[2 * e + 1];
        const double length = hypot(b[0] - a[0], b[1] - a[1]);
        fields->length[e] = (float)length;
        fields->normal[2 * e] = (float)((b[1] - a[1]) / length);
        fields->normal[2 * e + 1] = (float)((a[0] - b[0]) / length);
        fields->middle[2 * e] = (float)(0.5 * (a[0] + b[0]));
        fields->middle[2 * e + 1] = (float)(0.5 * (a[1] + b[1]));
        const int outside = grid->edge_cell[2 * e] == grid->edge_cell[2 * e + 1];
        fields->kind[e] = outside ? boundary : EDGE_INNER;
    }
}

/* On dry land the water is as thin as EPS. */
static void set_values(struct fields *fields, const struct tri_grid *grid,
                       const struct problem *problem)
{
    double lowest = 0.0;
    for (size_t c = 0; c < (size_t)grid->cells; c++) {
        const float *x = fields->center + 2 * c;
        lowest = fmin(lowest, problem->bottom((double)x[0], (double)x[1]));
    }
    fields->zmin = (float)lowest;
    for (size_t c = 0; c < (size_t)grid->cells; c++) {
        const double x = (double)fields->center[2 * c];
        const double y = (double)fields->center[2 * c + 1];
        const double bottom = problem->bottom(x, y);
        const double wave = bottom <= 0.0 ? problem->wave(x, y) : 0.0;
        float *value = fields->values + 4 * c;
        value[0] = bottom <= 0.0 ? (float)(wave - bottom) : EPS;
        value[1] = 0.0f;
        value[2] = 0.0f;
        value[3] = bottom <= 0.0 ? (float)(wave - lowest) : (float)(bottom - lowest);
    }
}

int fields_make(struct fields *fields, const struct tri_grid *grid, const struct problem *problem,
                int boundary)
{
    const size_t cells = (size_t)grid->cells;
    const size_t edges = (size_t)grid->edges;
    fields->center = (float *)malloc(2 * cells * sizeof(float));
    fields->area = (float *)malloc(cells * sizeof(float));
    fields->values = (float *)malloc(4 * cells * sizeof(float));
    fields->middle = (float *)malloc(2 * edges * sizeof(float));
    fields->normal = (float *)malloc(2 * edges * sizeof(float));
    fields->length = (float *)malloc(edges * sizeof(float));
    fields->kind = (int *)malloc(edges * sizeof(int));
    if (fields->center == NULL || fields->area == NULL || fields->values == NULL ||
        fields->middle == NULL || fields->normal == NULL || fields->length == NULL ||
        fields->kind == NULL) {
        fields_free(fields);
        return -1;
    }
    set_cells(fields, grid);
    set_edges(fields, grid, boundary);
    set_values(fields, grid, problem);
    return 0;
}

void fields_free(struct fields *fields)
{
    free(fields->center);
    free(fields->area);
    free(fields->values);
    free(fields->middle);
    free(fields->normal);
    free(fields->length);
    free(fields->kind);
    fields->center = fields->area = fields->values = NULL;
    fields->middle = fields->normal = fields->length = NULL;
    fields->kind = NULL;
}

/* Stoker (Water Waves, 1957): a rarefaction runs to the left and a shock to the right; the depth
 * between them gives both the same velocity. Bisection finds it to rounding. */
void dam_exact(double time, double *dam)
{
    const double gravity = (double)g;
    const double deep = 2.0;
    const double shallow = 1.0;
    double low = shallow;
    double high = deep;
    for (int i = 0; i < 60; i++) {
        const double h = 0.5 * (low + high);
        const double behind = 2.0 * (sqrt(gravity * deep) - sqrt(gravity * h));
        const double before = (h - shallow) * sqrt(0.5 * gravity * (1.0 / h + 1.0 / shallow));
        *(before < behind ? &low : &high) = h;
    }
    const double h = 0.5 * (low + high);
    dam[DAM_TIME] = time;
    dam[DAM_LEFT] = deep;
    dam[DAM_MIDDLE] = h;
    dam[DAM_RIGHT] = shallow;
    dam[DAM_SPEED] = 2.0 * (sqrt(gravity * deep) - sqrt(gravity * h));
    dam[DAM_SHOCK] = h * dam[DAM_SPEED] / (h - shallow);
    dam[DAM_PLACE] = DAM_X;
}
