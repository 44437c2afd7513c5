/* bres_calc: flux through a boundary edge: pressure on the wall of the aerofoil, exchange with the
 * free stream at the far field.
 * x1, x2: ends of the edge; q1, adt1, res1: its cell; bound: BOUND_WALL or BOUND_FAR_FIELD.
 * Uses gm1, eps and qinf. */
static inline void bres_calc(const real *x1, const real *x2, const real *q1, const real *adt1,
                             real *res1, const int *bound)
{
    const real dx = x1[0] - x2[0];
    const real dy = x1[1] - x2[1];

    real ri = 1.0f / q1[0];
    const real p1 = gm1 * (q1[3] - 0.5f * ri * (q1[1] * q1[1] + q1[2] * q1[2]));

    if (*bound == BOUND_WALL) {
        res1[1] += p1 * dy;
        res1[2] -= p1 * dx;
    } else {
        const real vol1 = ri * (q1[1] * dy - q1[2] * dx);

        ri = 1.0f / qinf[0];
        const real p2 = gm1 * (qinf[3] - 0.5f * ri * (qinf[1] * qinf[1] + qinf[2] * qinf[2]));
        const real vol2 = ri * (qinf[1] * dy - qinf[2] * dx);

        const real mu = *adt1 * eps;

        res1[0] += 0.5f * (vol1 * q1[0] + vol2 * qinf[0]) + mu * (q1[0] - qinf[0]);
        res1[1] +=
            0.5f * (vol1 * q1[1] + p1 * dy + vol2 * qinf[1] + p2 * dy) + mu * (q1[1] - qinf[1]);
        res1[2] +=
            0.5f * (vol1 * q1[2] - p1 * dx + vol2 * qinf[2] - p2 * dx) + mu * (q1[2] - qinf[2]);
        res1[3] += 0.5f * (vol1 * (q1[3] + p1) + vol2 * (qinf[3] + p2)) + mu * (q1[3] - qinf[3]);
    }
}
