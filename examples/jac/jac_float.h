/* Kernels of Jacobi's iteration in float.
 * A: coefficient of an edge, u: at its far end, du: change of the node whose equation it belongs
 * to. */
static inline void res_float(const float *A, const float *u, float *du, const float *beta)
{
    *du += *beta * *A * *u;
}

static inline void update_float(const float *r, float *du, float *u, float *u_sum, float *u_max)
{
    *u += *du + alpha_float * *r;
    *du = 0.0f;
    *u_sum += *u * *u;
    *u_max = *u_max > *u ? *u_max : *u;
}
