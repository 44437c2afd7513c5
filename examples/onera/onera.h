/* onera.h: the two procedures of the onera example, once for each precision. */
#ifndef ONERA_ONERA_H
#define ONERA_ONERA_H

#include "../common/run.h"
#include "volumes.h"

/* What the last iteration gives. All integers are exact. */
struct result {
    double sum[VARIABLES];     /* of the summed fluxes over the volumes: 0 */
    double squares[VARIABLES]; /* of their squares */
    double pmax;               /* sum of the local maxima */
    int raised;                /* volumes with a neighbour of higher pressure */
};

/* Runs both procedures so many times, for `variables` (1 or 5) fluxes per face, and adds up what
 * the last run gives. Calls of OP2 only: op_init has been called. */
void run_double(const struct volumes *mesh, int variables, int iterations, struct run *run,
                struct result *result);
void run_float(const struct volumes *mesh, int variables, int iterations, struct run *run,
               struct result *result);

#endif
