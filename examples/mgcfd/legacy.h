// legacy.h: weights as MG-CFD makes them for the study of data movement: dual faces that are turned
// along their edges, volumes that follow from them, and all areas so small that the flow hardly
// changes.
#ifndef MGCFD_LEGACY_H
#define MGCFD_LEGACY_H

#include <cmath>

// Adds a sixth of length times area to the volumes of both ends, and turns the area vector w.
inline void volumes_from_edges(const double *xa, const double *xb, double *w, double *volume_a,
                               double *volume_b)
{
    double dx[3], length2 = 0.0, area2 = 0.0;
    for (int d = 0; d < 3; d++) {
        dx[d] = xb[d] - xa[d];
        length2 += dx[d] * dx[d];
        area2 += w[d] * w[d];
    }
    const double length = std::sqrt(length2), area = std::sqrt(area2);
    const double volume = length * area / 6.0;
    *volume_a += volume;
    *volume_b += volume;
    for (int d = 0; d < 3; d++) {
        w[d] = dx[d] * area / length2;
    }
}

inline void dampen(double *w)
{
    for (int d = 0; d < 3; d++) {
        w[d] *= 1e-7;
    }
}

#endif
