/* save_soln: keeps the solution of the last time step.
 * q: state of the cell, qold: its copy. */
static inline void save_soln(const real *q, real *qold)
{
    for (int n = 0; n < 4; n++) {
        qold[n] = q[n];
    }
}
