/* run.h: what surrounds the numerics of the airfoil example: its command line and the comparison
 * with published results. Shared by airfoil.c and airfoil.cpp.
 */
#ifndef AIRFOIL_RUN_H
#define AIRFOIL_RUN_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

struct options {
    int columns; /* of the generated mesh: 3*columns*rows cells */
    int rows;
    int iterations;
    const char *mesh;       /* file to read the mesh from; NULL: generate it */
    const char *write_mesh; /* file to write the mesh to; NULL: none */
    int shuffle;            /* seed by which the mesh is numbered at random; 0: as it is */
    int check;              /* 1: a run whose results are not known fails, too */
    int verbose;            /* 1: all digits of every result */
};

/* Reads the command line. Prints the usage and ends the program for --help (0) and for what it does
 * not understand (2). Arguments in OP2's own style (OP_BLOCK_SIZE=...) are left to op_init. */
void options_parse(struct options *options, int argc, char **argv);

/* Makes or reads the mesh, and writes it where asked. Ends the program with 1 and a message when
 * that fails. */
void mesh_obtain(struct mesh *mesh, const struct options *options);

enum { RMS_EVERY = 100 }; /* iterations between two reports */

struct history; /* the rms values of a run */

struct history *history_new(const struct mesh *mesh, const struct options *options);
void history_free(struct history *history);

/* Prints one line and keeps the value for the comparison. */
void history_report(struct history *history, int iteration, double rms, double maxerr);

/* Compares the run with published results and says PASSED or FAILED, or that none are known.
 * Returns the program's exit status: 1 when FAILED, or when none are known and --check was given;
 * else 0. */
int history_check(const struct history *history);

#ifdef __cplusplus
}
#endif
#endif
