/* update: Newton's step for the potential at one node.
 * phim: potential, res: residual, set to zero for the next step, U: the step, rms: sum of its
 * squares. */
static inline void update(double *phim, double *res, const double *U, double *rms)
{
    *phim -= *U;
    *res = 0.0;
    *rms += *U * *U;
}
