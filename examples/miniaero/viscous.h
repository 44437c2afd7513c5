/* viscous.h: the viscous flux through a face of a Newtonian fluid that conducts heat. */
#ifndef MINIAERO_VISCOUS_H
#define MINIAERO_VISCOUS_H

#include "gas.h"

/* Subtracts from `flux` the momentum and the energy that friction and conduction of heat carry
 * through a face with area vector S.
 * V: state at the face. grad: [5][3] gradient of V there. */
inline void subtract_viscous(const double *V, const double *grad, const double *S, double *flux)
{
    const double mu = gas::viscosity(V[4]);
    const double conductivity = mu * gas::cp_conducting / gas::prandtl;
    const double divergence = grad[3] + grad[7] + grad[11];
    double work = 0.0;
    for (int d = 0; d < 3; d++) {
        double stress = -2.0 / 3.0 * divergence * S[d];
        for (int e = 0; e < 3; e++) {
            stress += (grad[3 * (d + 1) + e] + grad[3 * (e + 1) + d]) * S[e];
        }
        stress *= mu;
        flux[d + 1] -= stress;
        work += V[d + 1] * stress;
    }
    flux[4] -= work + conductivity * gas::dot(grad + 12, S);
}

#endif
