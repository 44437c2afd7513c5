/* Kernels of Jacobi's iteration where types and dimensions differ. Components above the first hold
 * what nobody may touch. */
static inline void res_mixed(const double *A, const float *u, float *du, const float *beta)
{
    du[0] += (float)(beta[0] * A[0] * u[0]);
}

static inline void update_mixed(const float *r, float *du, float *u, double *u_sum, float *u_max)
{
    u[0] += du[0] + alpha_mixed * r[0];
    du[0] = 0.0f;
    u_sum[0] += u[0] * u[0];
    u_max[0] = u_max[0] > u[0] ? u_max[0] : u[0];
}
