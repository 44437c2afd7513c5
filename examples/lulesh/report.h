/* report.h: known results of the blast wave, and what the program prints and writes of its own. */
#ifndef LULESH_REPORT_H
#define LULESH_REPORT_H

#include "mesh.h"
#include "../common/run.h"

/* Names the settings in run->test (cycles 0: all of them) and gives the run the values that are
 * known. */
void report_begin(struct run *run, int size, int cycles);

/* The state at the end. Elements and nodes are in the numbering of the mesh. */
struct state {
    const double *energy;     /* [elements] over the volume at the start */
    const double *pressure;   /* [elements] */
    const double *volume;     /* [elements] relative */
    const double *mass;       /* [elements] */
    const double *x;          /* [nodes][3] */
    const double *velocity;   /* [nodes][3] */
    const double *nodal_mass; /* [nodes] */
};

/* Prints results: cycles, the energy at the origin, sums of energies, and whether the energy of the
 * elements on z = 0 is symmetric in x and y. */
void report_end(struct run *run, const struct mesh *mesh, const struct state *state, int cycles);

/* Writes the state to run->output. Ends the program with 1 after a message when that fails. */
void report_write(const struct run *run, const struct mesh *mesh, const struct state *state);

#endif
