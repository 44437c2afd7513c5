/* adt_calc: area over time step of one cell, from the wave speeds through its four faces.
 * x1..x4: corners in order round the cell, q: state, adt: result. Uses gam, gm1 and cfl. */

/* Wave speed through the face (dx, dy) for the velocity (u, v) and the speed of sound c. */
static inline real face_speed(real dx, real dy, real u, real v, real c)
{
    return real_abs(u * dy - v * dx) + c * real_sqrt(dx * dx + dy * dy);
}

static inline void adt_calc(const real *x1, const real *x2, const real *x3, const real *x4,
                            const real *q, real *adt)
{
    const real ri = 1.0f / q[0];
    const real u = ri * q[1];
    const real v = ri * q[2];
    const real c = real_sqrt(gam * gm1 * (ri * q[3] - 0.5f * (u * u + v * v)));

    real speed = face_speed(x2[0] - x1[0], x2[1] - x1[1], u, v, c);
    speed += face_speed(x3[0] - x2[0], x3[1] - x2[1], u, v, c);
    speed += face_speed(x4[0] - x3[0], x4[1] - x3[1], u, v, c);
    speed += face_speed(x1[0] - x4[0], x1[1] - x4[1], u, v, c);
    *adt = speed / cfl;
}
