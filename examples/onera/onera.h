/* onera.h: the two procedures of the onera example, once for each precision. */
#ifndef ONERA_ONERA_H
#define ONERA_ONERA_H

#include "../common/run.h"
#include "volumes.h"

/* Sums over the results of the last iteration. Integers are exact. */
struct result {
    double sum[VARIABLES];     /* of the summed fluxes over the volumes: 0 */
    double squares[VARIABLES]; /* of their squares */
    double pmax;               /* sum of the local maxima */
    int raised;                /* volumes with a neighbour of higher pressure */
};

/* Runs both procedures so many times, for `variables` (1 or 5) fluxes per face, and adds up the
 * results. op_init comes before, op_exit after. Ends the program with 1 and a message without
 * memory. */
void run_double(const struct volumes *mesh, int variables, int iterations, struct run *run,
                struct result *result);
void run_float(const struct volumes *mesh, int variables, int iterations, struct run *run,
               struct result *result);

#endif
