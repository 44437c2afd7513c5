// flux.h: fluxes of the Euler equations through the dual faces of edges and through the boundary.
// Variables are density, momentum (3) and energy. The program defines the constants gam, smoothing
// and far_field.
#ifndef MGCFD_FLUX_H
#define MGCFD_FLUX_H

#include <cmath>

enum { NVAR = 5 };

// Velocity, pressure, speed and speed of sound of a state.
struct Flow {
    double u[3];
    double p;
    double speed;
    double c;
};

inline void flow_of(const double *U, Flow *flow)
{
    const double r = 1.0 / U[0];
    for (int d = 0; d < 3; d++) {
        flow->u[d] = U[d + 1] * r;
    }
    const double uu = flow->u[0] * flow->u[0] + flow->u[1] * flow->u[1] + flow->u[2] * flow->u[2];
    flow->speed = std::sqrt(uu);
    flow->p = (gam - 1.0) * (U[4] - 0.5 * U[0] * uu);
    flow->c = std::sqrt(gam * flow->p * r);
}

// Component k of the flux through w.
inline double flux_through(const double *U, const Flow *flow, const double *w, int k)
{
    const double v = flow->u[0] * w[0] + flow->u[1] * w[1] + flow->u[2] * w[2];
    double f = v * U[k];
    if (k >= 1 && k <= 3) {
        f += flow->p * w[k - 1];
    } else if (k == 4) {
        f += v * flow->p;
    }
    return f;
}

// An edge from node a to node b; w: area vector of its dual face. The mean of both fluxes, and
// smoothing by the largest speeds of waves. Fluxes are what enters a node.
inline void compute_flux_edge(const double *Ua, const double *Ub, const double *w, double *fluxes_a,
                              double *fluxes_b)
{
    Flow a, b;
    flow_of(Ua, &a);
    flow_of(Ub, &b);
    const double area = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const double A = 0.5 * smoothing * area * (a.speed + b.speed + a.c + b.c);
    for (int k = 0; k < NVAR; k++) {
        const double mean = 0.5 * (flux_through(Ua, &a, w, k) + flux_through(Ub, &b, w, k));
        const double f = mean + A * (Ua[k] - Ub[k]);
        fluxes_a[k] -= f;
        fluxes_b[k] += f;
    }
}

// A node on the boundary; w: area vector, inwards. group: up to 2 a wall, which has a pressure
// alone, from 3 on the far field, which has the mean of the free stream's flux and the node's.
inline void compute_flux_boundary(const double *U, const double *w, const int *group,
                                  double *fluxes)
{
    Flow flow, free_stream;
    flow_of(U, &flow);
    if (*group <= 2) {
        for (int d = 0; d < 3; d++) {
            fluxes[d + 1] += flow.p * w[d];
        }
    } else {
        flow_of(far_field, &free_stream);
        for (int k = 0; k < NVAR; k++) {
            fluxes[k] +=
                0.5 * (flux_through(U, &flow, w, k) + flux_through(far_field, &free_stream, w, k));
        }
    }
}

#endif
