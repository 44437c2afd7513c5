/* res_calc: residual and element matrix of one cell, for the full potential equation in bilinear
 * finite elements, with 2 x 2 Gauss points on the reference square [0,1] x [0,1].
 *
 * The density follows from the velocity (u, v) = grad(phi): D = 1 + (gm1/2)(m2 - u^2 - v^2), rho =
 * D^gm1i. The residual is the integral of rho (u, v).grad(N_j), the matrix its derivative by phi_k;
 * as in OP2's aero.
 *
 * x: corners, phim: potential there, K: [4][4] matrix, res: residual of the corners.
 * Uses gm1, gm1i, m2 and gauss. */

/* Gradients (Nx, Ny) of the four shape functions at the point (a, b) of the reference square.
 * Returns the determinant of the map from there to the cell. */
static inline double shape_gradients(const double **x, double a, double b, double *Nx, double *Ny)
{
    const double Na[4] = {b - 1.0, 1.0 - b, -b, b};
    const double Nb[4] = {a - 1.0, -a, 1.0 - a, a};
    double xa = 0.0, ya = 0.0, xb = 0.0, yb = 0.0;
    for (int j = 0; j < 4; j++) {
        xa += Na[j] * x[j][0];
        ya += Na[j] * x[j][1];
        xb += Nb[j] * x[j][0];
        yb += Nb[j] * x[j][1];
    }
    const double det = xa * yb - ya * xb;
    for (int j = 0; j < 4; j++) {
        Nx[j] = (yb * Na[j] - ya * Nb[j]) / det;
        Ny[j] = (xa * Nb[j] - xb * Na[j]) / det;
    }
    return det;
}

static inline void res_calc(const double **x, const double **phim, double *K, double **res)
{
    for (int j = 0; j < 16; j++) {
        K[j] = 0.0;
    }
    for (int point = 0; point < 4; point++) {
        double Nx[4], Ny[4];
        const double weight = 0.25 * shape_gradients(x, gauss[point % 2], gauss[point / 2], Nx, Ny);
        double u = 0.0, v = 0.0;
        for (int j = 0; j < 4; j++) {
            u += Nx[j] * phim[j][0];
            v += Ny[j] * phim[j][0];
        }
        const double D = 1.0 + 0.5 * gm1 * (m2 - (u * u + v * v));
        const double rho = pow(D, gm1i);
        const double wrho = weight * rho;
        const double wslope = wrho / D; /* minus the derivative of rho by |u|^2/2 */
        for (int j = 0; j < 4; j++) {
            const double along = u * Nx[j] + v * Ny[j];
            res[j][0] += wrho * along;
            for (int k = 0; k < 4; k++) {
                K[4 * j + k] += wrho * (Nx[j] * Nx[k] + Ny[j] * Ny[k]) -
                                wslope * along * (u * Nx[k] + v * Ny[k]);
            }
        }
    }
}
