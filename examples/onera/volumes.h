/* volumes.h: the mesh of the onera example: tetrahedra and the faces between them, and the orders
 * in which it can be numbered.
 */
#ifndef ONERA_VOLUMES_H
#define ONERA_VOLUMES_H

enum { VARIABLES = 5 };

struct volumes {
    int volumes;
    int faces;
    int *face;        /* [2*faces] owner and neighbour of each face */
    int *number;      /* [faces] number of the face as it was made, whatever its number now */
    double *pressure; /* [volumes] */
    int colours;      /* 0 until the faces are ordered by colour */
    int *coloured;    /* [colours] faces of each colour; NULL until then */
};

/* Makes the unit cube of n*n*n cubes, each cut into six tetrahedra, with a smooth pressure. Returns
 * 0; or, after a message, the exit code of a program that gives up: 1 without memory, 2 when n is
 * too large. */
int volumes_make(struct volumes *mesh, int n);
void volumes_free(struct volumes *mesh);

/* The functions below end the program with 1 and a message when memory is missing. */

/* Numbers volumes and faces at random. */
void volumes_shuffle(struct volumes *mesh, int seed);

/* Numbers the volumes so that neighbours have near numbers (Cuthill and McKee's order, reversed),
 * and the faces by the lower and then the higher number of their volumes. */
void volumes_renumber(struct volumes *mesh);

/* Colours the faces, one after the other: each gets the first colour that no earlier face of its
 * two volumes has. Then orders them by colour. */
void volumes_colour(struct volumes *mesh);

/* The flux of a variable through a face: an integer, so that sums are exact in any order. */
double volumes_flux(const struct volumes *mesh, int face, int variable);

#endif
