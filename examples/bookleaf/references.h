/* references.h: results of BookLeaf_Cpp 2.0.2, sequentially, for its inputs sod_lag_small and
 * sedov_lag_small. It prints energies and densities with five digits; the tolerances are half a
 * unit of the last one. The conserved energy is that of the start; cut-offs change it by some
 * 1e-10.
 */
#ifndef BOOKLEAF_REFERENCES_H
#define BOOKLEAF_REFERENCES_H

#include "../common/run.h"

static const struct reference REFERENCES[] = {
    {"sod 100x25 time=20", "steps", 384.0, 0.0, 0.0},
    {"sod 100x25 time=20", "time", 2.009440590e+01, 1e-9, 0.0},
    {"sod 100x25 time=20", "internal energy", 3.2566e3, 0.0, 0.05},
    {"sod 100x25 time=20", "kinetic energy", 1.8087e2, 0.0, 0.005},
    {"sod 100x25 time=20", "total energy", 3.4375e3, 0.0, 0.05},
    {"sod 100x25 time=20", "conserved energy", 3437.5, 1e-9, 0.0},
    {"sod 100x25 time=20", "largest density", 0.26687, 0.0, 5e-6},
    {"sod 100x25 time=20", "error of the density", 5.19756949e-03, 1e-8, 0.0},
    {"sod 100x25 time=20 steps=10", "time step", 1.195092569e-3, 1e-9, 0.0},
    {"sod 100x25 time=20 steps=100", "time step", 7.102594234e-3, 1e-9, 0.0},
    {"sod 100x25 time=20 steps=100", "time", 3.122323059e-1, 1e-9, 0.0},
    {"sedov 45x45 time=1", "steps", 334.0, 0.0, 0.0},
    {"sedov 45x45 time=1", "internal energy", 0.17988, 0.0, 5e-6},
    {"sedov 45x45 time=1", "kinetic energy", 0.066821, 0.0, 5e-7},
    {"sedov 45x45 time=1", "total energy", 0.24670, 0.0, 5e-6},
    {"sedov 45x45 time=1", "conserved energy", 0.2467966, 1e-9, 0.0},
    {"sedov 45x45 time=1", "largest density", 4.3511, 0.0, 5e-5},
};

#endif
