/* space_discretization.h: adds what an edge changes in its two cells. Each has its own source term
 * and area; an edge of the boundary has one cell, which its map names twice, and adds to it once.
 */
#ifndef VOLNA_SPACE_DISCRETIZATION_H
#define VOLNA_SPACE_DISCRETIZATION_H

static inline void space_discretization(float *left, float *right, const float *flux,
                                        const float *source, const float *normal,
                                        const int *boundary, const float *left_area,
                                        const float *right_area)
{
    left[0] -= flux[0] / left_area[0];
    left[1] -= (flux[1] + (source[0] - source[2]) * normal[0]) / left_area[0];
    left[2] -= (flux[2] + (source[0] - source[2]) * normal[1]) / left_area[0];
    if (!boundary[0]) {
        right[0] += flux[0] / right_area[0];
        right[1] += (flux[1] + (source[1] - source[3]) * normal[0]) / right_area[0];
        right[2] += (flux[2] + (source[1] - source[3]) * normal[1]) / right_area[0];
    }
}

#endif
