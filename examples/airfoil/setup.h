/* setup.h: what surrounds the numerics of the airfoil example: its options, its mesh, the values
 * that are known for it and the file for ParaView. Shared by airfoil.c and airfoil.cpp. C11 and
 * C++17.
 */
#ifndef AIRFOIL_SETUP_H
#define AIRFOIL_SETUP_H

#include "../common/run.h"
#include "mesh.h"
#include "real.h"

#ifdef __cplusplus
extern "C" {
#endif

struct options {
    int cells[2]; /* I, J of the generated mesh: 3*I*J cells */
    int iterations;
    const char *mesh;       /* file to read the mesh from; NULL: generate it */
    const char *write_mesh; /* file to write the mesh to; NULL: none */
};

/* Reads the command line (../common/run.h). */
void options_read(struct options *options, struct run *run, int argc, char **argv);

/* Makes or reads the mesh, writes it where asked, and tells the run which values are known for it.
 * Ends the program with 1 or 2 and a message when that fails. */
void mesh_obtain(struct mesh *mesh, const struct options *options, struct run *run);

/* The mesh's coordinates as `real`, [nnode][2], and [ncell][4] with `state` in every cell. The
 * caller frees them. Both end the program with 1 and a message without memory. */
real *coordinates(const struct mesh *mesh);
real *uniform_state(const struct mesh *mesh, const real *state);

enum { REPORT_EVERY = 100 }; /* iterations between two reports */

/* Prints what is reported after an iteration. sum: of the squared changes, maxerr: the largest of
 * them. */
void report(struct run *run, const struct mesh *mesh, int iteration, double sum, double maxerr);

/* Writes density, velocity, pressure and Mach number of the cells to run->output. q: [ncell][4]
 * states. Returns 0, or -1 after a message. */
int flow_write(const struct run *run, const struct mesh *mesh, const real *q);

#ifdef __cplusplus
}
#endif
#endif
