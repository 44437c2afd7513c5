/* problem.h: the two problems that bookleaf can run. */
#ifndef BOOKLEAF_PROBLEM_H
#define BOOKLEAF_PROBLEM_H

#include "../common/quad_grid.h"

struct problem {
    const char *name;
    double size[2];    /* of the rectangle */
    int walls;         /* bits of the sides along which the gas slips; the others are free */
    double gamma;      /* ratio of the specific heats */
    double end;        /* time at which the problem ends */
    double first_step; /* and its first time step */
    double least_step; /* a step below it ends the run */
    double hourglass;  /* coefficient of the hourglass control; 0: none */
};

/* The data of a problem at the start. */
struct fields {
    double *density; /* [cells] */
    double *energy;  /* [cells] per mass */
    int *region;     /* [cells] 1: where the largest density is looked for; else 0 */
    int *type;       /* [nodes] kinds, as in constants.h */
};

/* Finds a problem by its name, one of PROBLEM_NAMES. */
#define PROBLEM_NAMES "sod sedov"
const struct problem *problem_find(const char *name);

/* Fills the fields of a problem. Returns 0, or -1 without memory; all arrays are then NULL. */
int fields_make(struct fields *fields, const struct quad_grid *grid, const struct problem *problem);
void fields_free(struct fields *fields);

/* The exact solution of Sod's problem at `time`, as sod_error takes it: sod[SOD_SIZE]. */
void sod_exact(double time, double *sod);

#endif
