/* time_step.h: the largest stable time step: a cell's area over what waves sweep along its edges.
 */
#ifndef VOLNA_TIME_STEP_H
#define VOLNA_TIME_STEP_H

#include <math.h>

static inline void time_step(const float *eigenvalue1, const float *eigenvalue2,
                             const float *eigenvalue3, const float *length1, const float *length2,
                             const float *length3, const float *area, float *smallest)
{
    const float swept =
        eigenvalue1[0] * length1[0] + eigenvalue2[0] * length2[0] + eigenvalue3[0] * length3[0];
    *smallest = fminf(*smallest, 2.0f * area[0] / swept);
}

#endif
