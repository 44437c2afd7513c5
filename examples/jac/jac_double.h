/* Kernels of Jacobi's iteration in double.
 * A: coefficient of an edge, u: at its far end, du: change of the node whose equation it belongs
 * to. */
static inline void res_double(const double *A, const double *u, double *du, const double *beta)
{
    *du += *beta * *A * *u;
}

static inline void update_double(const double *r, double *du, double *u, double *u_sum,
                                 double *u_max)
{
    *u += *du + alpha_double * *r;
    *du = 0.0;
    *u_sum += *u * *u;
    *u_max = *u_max > *u ? *u_max : *u;
}
