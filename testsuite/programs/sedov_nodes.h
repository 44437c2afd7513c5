/* sedov_nodes.h: kernels of sedov.c on nodes, and those that gather nodes of hexahedra: forces, motion,
 * volumes, gradients. Formulas as in LULESH 2.0 (Karlin, Keasler, Neely: LULESH 2.0 Updates and Changes,
 * LLNL-TR-641973, 2013). `EIGHT` stands for the eight corners of a hexahedron, in LULESH's order.
 */
#define EIGHT(type, p)                                                                             \
    type *p##0, type *p##1, type *p##2, type *p##3, type *p##4, type *p##5, type *p##6, type *p##7
#define CORNERS(type, name, p) type name[8] = {*p##0, *p##1, *p##2, *p##3, *p##4, *p##5, *p##6, *p##7}

static inline void init_stress(const double *p, const double *q, double *sigxx, double *sigyy,
                               double *sigzz)
{
    *sigxx = *sigyy = *sigzz = -*p - *q;
}

static inline void zero_forces(double *fx, double *fy, double *fz)
{
    *fx = 0.0;
    *fy = 0.0;
    *fz = 0.0;
}

/* A quarter of the area vector of the face a, b, c, d, added to its four corners. */
static inline void face_normal(const double *x, const double *y, const double *z, int a, int b, int c,
                               int d, double *nx, double *ny, double *nz)
{
    const int corner[4] = {a, b, c, d};
    const double ux = 0.5 * (x[d] + x[c] - x[b] - x[a]), vx = 0.5 * (x[c] + x[b] - x[d] - x[a]);
    const double uy = 0.5 * (y[d] + y[c] - y[b] - y[a]), vy = 0.5 * (y[c] + y[b] - y[d] - y[a]);
    const double uz = 0.5 * (z[d] + z[c] - z[b] - z[a]), vz = 0.5 * (z[c] + z[b] - z[d] - z[a]);
    for (int i = 0; i < 4; i++) {
        nx[corner[i]] += 0.25 * (uy * vz - uz * vy);
        ny[corner[i]] += 0.25 * (uz * vx - ux * vz);
        nz[corner[i]] += 0.25 * (ux * vy - uy * vx);
    }
}

/* One row of the Jacobian, from the coordinates in one direction: along xi, eta, zeta. */
static inline void jacobian_row(const double *x, double *row)
{
    const double d60 = x[6] - x[0], d53 = x[5] - x[3], d71 = x[7] - x[1], d42 = x[4] - x[2];
    row[0] = 0.125 * (d60 + d53 - d71 - d42);
    row[1] = 0.125 * (d60 - d53 + d71 - d42);
    row[2] = 0.125 * (d60 + d53 + d71 + d42);
}

/* The forces are declared OP_RW, as some programs do, though the kernel only adds to them. */
static inline void integrate_stress(EIGHT(const double, x), EIGHT(const double, y),
                                    EIGHT(const double, z), EIGHT(double, fx), EIGHT(double, fy),
                                    EIGHT(double, fz), const double *sigxx, const double *sigyy,
                                    const double *sigzz, double *determ)
{
    CORNERS(const double, x, x);
    CORNERS(const double, y, y);
    CORNERS(const double, z, z);
    double jx[3], jy[3], jz[3];
    double nx[8] = {0}, ny[8] = {0}, nz[8] = {0};
    jacobian_row(x, jx);
    jacobian_row(y, jy);
    jacobian_row(z, jz);
    *determ = 8.0 * (jx[1] * (jz[0] * jy[2] - jy[0] * jz[2]) + jy[1] * (jx[0] * jz[2] - jz[0] * jx[2]) +
                     jz[1] * (jy[0] * jx[2] - jx[0] * jy[2]));
    face_normal(x, y, z, 0, 1, 2, 3, nx, ny, nz);
    face_normal(x, y, z, 0, 4, 5, 1, nx, ny, nz);
    face_normal(x, y, z, 1, 5, 6, 2, nx, ny, nz);
    face_normal(x, y, z, 2, 6, 7, 3, nx, ny, nz);
    face_normal(x, y, z, 3, 7, 4, 0, nx, ny, nz);
    face_normal(x, y, z, 4, 7, 6, 5, nx, ny, nz);
#define ADD(n)                                                                                     \
    *fx##n -= *sigxx * nx[n];                                                                      \
    *fy##n -= *sigyy * ny[n];                                                                      \
    *fz##n -= *sigzz * nz[n];
    ADD(0) ADD(1) ADD(2) ADD(3) ADD(4) ADD(5) ADD(6) ADD(7)
#undef ADD
}

/* Derivative of the volume by the coordinates of a corner; the arguments are the other six that matter. */
static inline void volume_derivative(const double *x, const double *y, const double *z, int i0, int i1,
                                     int i2, int i3, int i4, int i5, double *dx, double *dy, double *dz)
{
    const double t = 1.0 / 12.0;
    *dx = t * ((y[i1] + y[i2]) * (z[i0] + z[i1]) - (y[i0] + y[i1]) * (z[i1] + z[i2]) +
               (y[i0] + y[i4]) * (z[i3] + z[i4]) - (y[i3] + y[i4]) * (z[i0] + z[i4]) -
               (y[i2] + y[i5]) * (z[i3] + z[i5]) + (y[i3] + y[i5]) * (z[i2] + z[i5]));
    *dy = -t * ((x[i1] + x[i2]) * (z[i0] + z[i1]) - (x[i0] + x[i1]) * (z[i1] + z[i2]) +
                (x[i0] + x[i4]) * (z[i3] + z[i4]) - (x[i3] + x[i4]) * (z[i0] + z[i4]) -
                (x[i2] + x[i5]) * (z[i3] + z[i5]) + (x[i3] + x[i5]) * (z[i2] + z[i5]));
    *dz = t * (-(y[i1] + y[i2]) * (x[i0] + x[i1]) + (y[i0] + y[i1]) * (x[i1] + x[i2]) -
               (y[i0] + y[i4]) * (x[i3] + x[i4]) + (y[i3] + y[i4]) * (x[i0] + x[i4]) +
               (y[i2] + y[i5]) * (x[i3] + x[i5]) - (y[i3] + y[i5]) * (x[i2] + x[i5]));
}

static inline void volume_derivatives(EIGHT(const double, x), EIGHT(const double, y),
                                      EIGHT(const double, z), double *x8, double *y8, double *z8,
                                      double *dx, double *dy, double *dz, const double *volo,
                                      const double *v, double *determ)
{
    CORNERS(const double, x, x);
    CORNERS(const double, y, y);
    CORNERS(const double, z, z);
    for (int n = 0; n < 8; n++) {
        x8[n] = x[n];
        y8[n] = y[n];
        z8[n] = z[n];
    }
    volume_derivative(x, y, z, 1, 2, 3, 4, 5, 7, dx, dy, dz);
    volume_derivative(x, y, z, 2, 3, 0, 5, 6, 4, dx + 1, dy + 1, dz + 1);
    volume_derivative(x, y, z, 3, 0, 1, 6, 7, 5, dx + 2, dy + 2, dz + 2);
    volume_derivative(x, y, z, 0, 1, 2, 7, 4, 6, dx + 3, dy + 3, dz + 3);
    volume_derivative(x, y, z, 7, 6, 5, 0, 3, 1, dx + 4, dy + 4, dz + 4);
    volume_derivative(x, y, z, 4, 7, 6, 1, 0, 2, dx + 5, dy + 5, dz + 5);
    volume_derivative(x, y, z, 5, 4, 7, 2, 1, 3, dx + 6, dy + 6, dz + 6);
    volume_derivative(x, y, z, 6, 5, 4, 3, 2, 0, dx + 7, dy + 7, dz + 7);
    *determ = *volo * *v;
}

/* Mode i of the hourglass motion at the eight corners, orthogonal to linear motion. */
static inline void hourglass_mode(const double *gamma, double volinv, const double *x8,
                                  const double *y8, const double *z8, const double *dx,
                                  const double *dy, const double *dz, double *mode)
{
    double sx = 0.0, sy = 0.0, sz = 0.0;
    for (int n = 0; n < 8; n++) {
        sx += x8[n] * gamma[n];
        sy += y8[n] * gamma[n];
        sz += z8[n] * gamma[n];
    }
    for (int n = 0; n < 8; n++) {
        mode[n] = gamma[n] - volinv * (dx[n] * sx + dy[n] * sy + dz[n] * sz);
    }
}

/* Adds to `force` what a mode does against the velocities v of one direction. */
static inline void hourglass_force(const double *mode, const double *v, double coefficient,
                                   double *force)
{
    double h = 0.0;
    for (int n = 0; n < 8; n++) {
        h += mode[n] * v[n];
    }
    for (int n = 0; n < 8; n++) {
        force[n] += coefficient * (mode[n] * h);
    }
}

static inline void fb_hourglass(EIGHT(const double, u), EIGHT(const double, v), EIGHT(const double, w),
                                EIGHT(double, fx), EIGHT(double, fy), EIGHT(double, fz),
                                const double *x8, const double *y8, const double *z8,
                                const double *dx, const double *dy, const double *dz,
                                const double *determ, const double *ss, const double *elem_mass)
{
    const double gamma[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                {1, -1, -1, 1, -1, 1, 1, -1},
                                {1, -1, 1, -1, 1, -1, 1, -1},
                                {-1, 1, -1, 1, 1, -1, 1, -1}};
    CORNERS(const double, u, u);
    CORNERS(const double, v, v);
    CORNERS(const double, w, w);
    double mode[8], hx[8] = {0}, hy[8] = {0}, hz[8] = {0};
    const double coefficient = -hgcoef * 0.01 * *ss * *elem_mass / cbrt(*determ);
    for (int i = 0; i < 4; i++) {
        hourglass_mode(gamma[i], 1.0 / *determ, x8, y8, z8, dx, dy, dz, mode);
        hourglass_force(mode, u, coefficient, hx);
        hourglass_force(mode, v, coefficient, hy);
        hourglass_force(mode, w, coefficient, hz);
    }
#define ADD(n)                                                                                     \
    *fx##n += hx[n];                                                                               \
    *fy##n += hy[n];                                                                               \
    *fz##n += hz[n];
    ADD(0) ADD(1) ADD(2) ADD(3) ADD(4) ADD(5) ADD(6) ADD(7)
#undef ADD
}

static inline void acceleration(const double *fx, const double *fy, const double *fz,
                                const double *mass, double *ax, double *ay, double *az)
{
    *ax = *fx / *mass;
    *ay = *fy / *mass;
    *az = *fz / *mass;
}

static inline void hold_plane(double *a)
{
    *a = 0.0;
}

static inline void velocity(double *u, double *v, double *w, const double *ax, const double *ay,
                            const double *az, const double *dt)
{
    double t = *u + *ax * *dt;
    *u = fabs(t) < u_cut ? 0.0 : t;
    t = *v + *ay * *dt;
    *v = fabs(t) < u_cut ? 0.0 : t;
    t = *w + *az * *dt;
    *w = fabs(t) < u_cut ? 0.0 : t;
}

static inline void position(double *x, double *y, double *z, const double *u, const double *v,
                            const double *w, const double *dt)
{
    *x += *u * *dt;
    *y += *v * *dt;
    *z += *w * *dt;
}

static inline double determinant(double ax, double ay, double az, double bx, double by, double bz,
                                 double cx, double cy, double cz)
{
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

#define D(c, a, b) (c[a] - c[b])
static inline double hexahedron_volume(const double *x, const double *y, const double *z)
{
    return (determinant(D(x, 3, 1) + D(x, 7, 2), D(y, 3, 1) + D(y, 7, 2), D(z, 3, 1) + D(z, 7, 2),
                        D(x, 6, 3), D(y, 6, 3), D(z, 6, 3), D(x, 2, 0), D(y, 2, 0), D(z, 2, 0)) +
            determinant(D(x, 4, 3) + D(x, 5, 7), D(y, 4, 3) + D(y, 5, 7), D(z, 4, 3) + D(z, 5, 7),
                        D(x, 6, 4), D(y, 6, 4), D(z, 6, 4), D(x, 7, 0), D(y, 7, 0), D(z, 7, 0)) +
            determinant(D(x, 1, 4) + D(x, 2, 5), D(y, 1, 4) + D(y, 2, 5), D(z, 1, 4) + D(z, 2, 5),
                        D(x, 6, 1), D(y, 6, 1), D(z, 6, 1), D(x, 5, 0), D(y, 5, 0), D(z, 5, 0))) /
           12.0;
}
#undef D

/* 16 times the square of a face's area. */
static inline double face_area(const double *x, const double *y, const double *z, int a, int b, int c,
                               int d)
{
    const double fx = x[c] - x[a] - (x[d] - x[b]), gx = x[c] - x[a] + (x[d] - x[b]);
    const double fy = y[c] - y[a] - (y[d] - y[b]), gy = y[c] - y[a] + (y[d] - y[b]);
    const double fz = z[c] - z[a] - (z[d] - z[b]), gz = z[c] - z[a] + (z[d] - z[b]);
    const double fg = fx * gx + fy * gy + fz * gz;
    return (fx * fx + fy * fy + fz * fz) * (gx * gx + gy * gy + gz * gz) - fg * fg;
}

static inline double characteristic_length(const double *x, const double *y, const double *z,
                                           double volume)
{
    double area = face_area(x, y, z, 0, 1, 2, 3);
    area = fmax(area, face_area(x, y, z, 4, 5, 6, 7));
    area = fmax(area, face_area(x, y, z, 0, 1, 5, 4));
    area = fmax(area, face_area(x, y, z, 1, 2, 6, 5));
    area = fmax(area, face_area(x, y, z, 2, 3, 7, 6));
    area = fmax(area, face_area(x, y, z, 3, 0, 4, 7));
    return 4.0 * volume / sqrt(area);
}

/* Sum over opposite corners of a gradient of shape functions times their difference of velocities. */
static inline double strain(double xi, double eta, double zeta, const double *u)
{
    return (-xi - eta - zeta) * (u[0] - u[6]) + (xi - eta - zeta) * (u[1] - u[7]) +
           (xi + eta - zeta) * (u[2] - u[4]) + (-xi + eta - zeta) * (u[3] - u[5]);
}

static inline void kinematics(EIGHT(const double, x), EIGHT(const double, y), EIGHT(const double, z),
                              EIGHT(const double, u), EIGHT(const double, v), EIGHT(const double, w),
                              const double *volo, const double *vol, double *vnew, double *delv,
                              double *arealg, double *dxx, double *dyy, double *dzz, const double *dt)
{
    CORNERS(double, x, x);
    CORNERS(double, y, y);
    CORNERS(double, z, z);
    CORNERS(const double, u, u);
    CORNERS(const double, v, v);
    CORNERS(const double, w, w);
    double jx[3], jy[3], jz[3];
    const double volume = hexahedron_volume(x, y, z);
    *vnew = volume / *volo;
    *delv = *vnew - *vol;
    *arealg = characteristic_length(x, y, z, volume);
    for (int n = 0; n < 8; n++) {
        x[n] -= 0.5 * *dt * u[n];
        y[n] -= 0.5 * *dt * v[n];
        z[n] -= 0.5 * *dt * w[n];
    }
    jacobian_row(x, jx);
    jacobian_row(y, jy);
    jacobian_row(z, jz);
    const double xet = jz[0] * jy[2] - jy[0] * jz[2];
    const double yet = jx[0] * jz[2] - jz[0] * jx[2];
    const double zet = jy[0] * jx[2] - jx[0] * jy[2];
    const double inverse = 1.0 / (8.0 * (jx[1] * xet + jy[1] * yet + jz[1] * zet));
    *dxx = inverse * strain(jy[1] * jz[2] - jz[1] * jy[2], xet, jy[0] * jz[1] - jz[0] * jy[1], u);
    *dyy = inverse * strain(jz[1] * jx[2] - jx[1] * jz[2], yet, jz[0] * jx[1] - jx[0] * jz[1], v);
    *dzz = inverse * strain(jx[1] * jy[2] - jy[1] * jx[2], zet, jx[0] * jy[1] - jy[0] * jx[1], w);
}

/* A quarter of the sum over the corners of one face less that over the opposite one. */
static inline double across(const double *x, int a, int b, int c, int d, int e, int f, int g, int h)
{
    return 0.25 * ((x[a] + x[b] + x[c] + x[d]) - (x[e] + x[f] + x[g] + x[h]));
}

/* Length of the element along the direction whose area vector is a x b, and the jump of velocity. */
static inline void gradient(double ax, double ay, double az, double bx, double by, double bz,
                            const double *jump, double volume, double *delx, double *delv)
{
    const double cx = ay * bz - az * by, cy = az * bx - ax * bz, cz = ax * by - ay * bx;
    *delx = volume / sqrt(cx * cx + cy * cy + cz * cz + 1e-36);
    *delv = (cx * jump[0] + cy * jump[1] + cz * jump[2]) / (volume + 1e-36);
}

#define XI 1, 2, 6, 5, 0, 3, 7, 4
#define ETA 3, 2, 6, 7, 0, 1, 5, 4
#define ZETA 4, 5, 6, 7, 0, 1, 2, 3
static inline void q_gradients(EIGHT(const double, x), EIGHT(const double, y), EIGHT(const double, z),
                               EIGHT(const double, u), EIGHT(const double, v), EIGHT(const double, w),
                               const double *volo, const double *vnew, double *delx_xi,
                               double *delx_eta, double *delx_zeta, double *delv_xi,
                               double *delv_eta, double *delv_zeta)
{
    CORNERS(const double, x, x);
    CORNERS(const double, y, y);
    CORNERS(const double, z, z);
    CORNERS(const double, u, u);
    CORNERS(const double, v, v);
    CORNERS(const double, w, w);
    const double volume = *volo * *vnew;
    const double ix = across(x, XI), iy = across(y, XI), iz = across(z, XI);
    const double jx = across(x, ETA), jy = across(y, ETA), jz = across(z, ETA);
    const double kx = across(x, ZETA), ky = across(y, ZETA), kz = across(z, ZETA);
    const double along_xi[3] = {across(u, XI), across(v, XI), across(w, XI)};
    const double along_eta[3] = {across(u, ETA), across(v, ETA), across(w, ETA)};
    const double along_zeta[3] = {across(u, ZETA), across(v, ZETA), across(w, ZETA)};
    gradient(ix, iy, iz, jx, jy, jz, along_zeta, volume, delx_zeta, delv_zeta);
    gradient(jx, jy, jz, kx, ky, kz, along_xi, volume, delx_xi, delv_xi);
    gradient(kx, ky, kz, ix, iy, iz, along_eta, volume, delx_eta, delv_eta);
}
