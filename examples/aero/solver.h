/* solver.h: kernels of the conjugate gradients that solve K U = res, with K as the matrices of the
 * cells. P: search direction, V = K P, c1 to c3: scalar products. */

/* The potential is known in the far field: its equations are taken out. */
static inline void dirichlet(double *value)
{
    *value = 0.0;
}

/* Starts from U = 0. c1: the square of the residual. */
static inline void init_cg(const double *res, double *c1, double *U, double *V, double *P)
{
    *c1 += *res * *res;
    *P = *res;
    *U = 0.0;
    *V = 0.0;
}

/* V += K P, from the upper triangle of the symmetric K. */
static inline void spMV(double **V, const double *K, const double **P)
{
    for (int j = 0; j < 4; j++) {
        V[j][0] += K[5 * j] * P[j][0];
        for (int k = j + 1; k < 4; k++) {
            V[j][0] += K[4 * j + k] * P[k][0];
            V[k][0] += K[4 * j + k] * P[j][0];
        }
    }
}

static inline void dotPV(const double *P, const double *V, double *c2)
{
    *c2 += *P * *V;
}

static inline void updateUR(double *U, double *res, const double *P, double *V, const double *alpha)
{
    *U += *alpha * *P;
    *res -= *alpha * *V;
    *V = 0.0;
}

static inline void dotR(const double *res, double *c3)
{
    *c3 += *res * *res;
}

static inline void updateP(const double *res, double *P, const double *beta)
{
    *P = *beta * *P + *res;
}
