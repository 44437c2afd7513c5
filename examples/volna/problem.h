/* problem.h: the three problems that volna can run: their bottoms, first waves and exact solutions.
 */
#ifndef VOLNA_PROBLEM_H
#define VOLNA_PROBLEM_H

#include "../common/tri_grid.h"

/* All lengths in metres; heights are above the sea at rest. */
struct problem {
    const char *name;
    double (*bottom)(double x, double y);
    double (*wave)(double x, double y); /* height of the water at the start */
    double manning;                     /* friction, s/m^(1/3) */
    int square;                         /* height of the rectangle: as many squares; else 50 m */
};

/* The data of a mesh and a problem that the loops need, in float as the dats. */
struct fields {
    float *center; /* [cells][2] */
    float *area;   /* [cells] */
    float *values; /* [cells][4] depth, momentum, level above the lowest bottom */
    float *middle; /* [edges][2] */
    float *normal; /* [edges][2] unit, from the first cell to the second */
    float *length; /* [edges] */
    int *kind;     /* [edges] EDGE_INNER, or the kind of the boundary */
    float zmin;    /* height of the lowest bottom; at most 0 */
};

/* Finds a problem by its name; `name` is one of PROBLEM_NAMES. */
#define PROBLEM_NAMES "beach lake dam"
const struct problem *problem_find(const char *name);

/* Makes the mesh of n[0] * n[1] squares. Returns 0, or the exit code of tri_grid_make. */
int problem_mesh(const struct problem *problem, const int n[2], struct tri_grid *grid);

/* Fills the fields of a problem. boundary: EDGE_OPEN or EDGE_WALL. Returns 0, or -1 without memory;
 * all arrays are then NULL. */
int fields_make(struct fields *fields, const struct tri_grid *grid, const struct problem *problem,
                int boundary);
void fields_free(struct fields *fields);

/* The exact solution of problem dam at `time` seconds, as dam_error takes it: dam[DAM_SIZE]. */
void dam_exact(double time, double *dam);

#endif
