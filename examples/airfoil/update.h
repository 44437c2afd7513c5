/* update: one step of the time integration, and how much it changed the solution.
 * qold: state before the step, q: after it, res: residual, set to zero for the next step,
 * adt: area over time step, rms: sum of squares of the changes, maxerr: largest square. */
static inline void update(const real *qold, real *q, real *res, const real *adt, double *rms,
                          real *maxerr)
{
    const real adti = 1.0f / *adt;
    for (int n = 0; n < 4; n++) {
        const real delta = adti * res[n];
        q[n] = qold[n] - delta;
        res[n] = 0.0f;
        *rms += delta * delta;
        *maxerr = MAX(*maxerr, delta * delta);
    }
}
