/* res_calc: flux through an interior edge, added to one cell and taken from the other.
 * x1, x2: ends of the edge; q1, adt1, res1 and q2, adt2, res2: the cells left and right of it.
 * Uses gm1 and eps. */
static inline void res_calc(const real *x1, const real *x2, const real *q1, const real *q2,
                            const real *adt1, const real *adt2, real *res1, real *res2)
{
    const real dx = x1[0] - x2[0];
    const real dy = x1[1] - x2[1];

    real ri = 1.0f / q1[0];
    const real p1 = gm1 * (q1[3] - 0.5f * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
    const real vol1 = ri * (q1[1] * dy - q1[2] * dx);

    ri = 1.0f / q2[0];
    const real p2 = gm1 * (q2[3] - 0.5f * ri * (q2[1] * q2[1] + q2[2] * q2[2]));
    const real vol2 = ri * (q2[1] * dy - q2[2] * dx);

    const real mu = 0.5f * (*adt1 + *adt2) * eps;

    real f = 0.5f * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
    res1[0] += f;
    res2[0] -= f;

    f = 0.5f * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
    res1[1] += f;
    res2[1] -= f;

    f = 0.5f * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
    res1[2] += f;
    res2[2] -= f;

    f = 0.5f * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
    res1[3] += f;
    res2[3] -= f;
}
