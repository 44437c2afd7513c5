/* update: one step of the time integration, and how much it changed the solution.
 * qold: state before the step, q: after it, res: residual, set to zero for the next step,
 * adt: area over time step, rms: sum of squares of the changes, maxerr: largest square. */
static inline void update(const double *qold, double *q, double *res, const double *adt,
                          double *rms, double *maxerr)
{
    const double adti = 1.0 / *adt;
    for (int n = 0; n < 4; n++) {
        const double delta = adti * res[n];
        q[n] = qold[n] - delta;
        res[n] = 0.0;
        *rms += delta * delta;
        *maxerr = MAX(*maxerr, delta * delta);
    }
}
