/* adt_calc: area over time step of one cell, from the wave speeds through its four faces.
 * x1..x4: corners in order round the cell, q: state, adt: result. Uses gam, gm1 and cfl. */

/* Wave speed through the face (dx, dy) for the velocity (u, v) and the speed of sound c. */
static inline double face_speed(double dx, double dy, double u, double v, double c)
{
    return fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
}

static inline void adt_calc(const double *x1, const double *x2, const double *x3, const double *x4,
                            const double *q, double *adt)
{
    const double ri = 1.0 / q[0];
    const double u = ri * q[1];
    const double v = ri * q[2];
    const double c = sqrt(gam * gm1 * (ri * q[3] - 0.5 * (u * u + v * v)));

    double speed = face_speed(x2[0] - x1[0], x2[1] - x1[1], u, v, c);
    speed += face_speed(x3[0] - x2[0], x3[1] - x2[1], u, v, c);
    speed += face_speed(x4[0] - x3[0], x4[1] - x3[1], u, v, c);
    speed += face_speed(x1[0] - x4[0], x1[1] - x4[1], u, v, c);
    *adt = speed / cfl;
}
