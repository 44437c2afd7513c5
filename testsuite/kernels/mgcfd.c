/* mgcfd.c: the edge flux of MG-CFD (vertex-centred Euler) with the second end's contribution
 * computed through variables of its own, as in the original: no rewriting shows that it is the
 * first one's negation. In examples/mgcfd the algebra as it is written does.
 */
#include "mesh.h"

enum { N = 3, NV = 5 };
static const double gamma_1 = 0.4;

static inline double pressure(const double *U)
{
    return gamma_1 * (U[4] - 0.5 * (U[1] * U[1] + U[2] * U[2] + U[3] * U[3]) / U[0]);
}

static inline double dissipation(const double *Ua, const double *Ub, double pa, double pb,
                                 const double *w)
{
    const double speed_a = sqrt(Ua[1] * Ua[1] + Ua[2] * Ua[2] + Ua[3] * Ua[3]) / Ua[0];
    const double speed_b = sqrt(Ub[1] * Ub[1] + Ub[2] * Ub[2] + Ub[3] * Ub[3]) / Ub[0];
    const double ca = sqrt(1.4 * pa / Ua[0]);
    const double cb = sqrt(1.4 * pb / Ub[0]);
    const double area = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    return 0.5 * 0.2 * area * (speed_a + speed_b + ca + cb);
}

/* -w/2 times the sum of both ends' Euler fluxes, component k. */
static inline double flux(const double *Ua, const double *Ub, double pa, double pb, const double *w,
                          int k)
{
    const double va = (Ua[1] * w[0] + Ua[2] * w[1] + Ua[3] * w[2]) / Ua[0];
    const double vb = (Ub[1] * w[0] + Ub[2] * w[1] + Ub[3] * w[2]) / Ub[0];
    double f = va * Ua[k] + vb * Ub[k];
    if (k >= 1 && k <= 3) {
        f += (pa + pb) * w[k - 1];
    } else if (k == 4) {
        f += va * pa + vb * pb;
    }
    return -0.5 * f;
}

static inline void compute_flux_twice(const double *Ua, const double *Ub, const double *w,
                                      double *fluxes_a, double *fluxes_b)
{
    const double minus[3] = {-w[0], -w[1], -w[2]};
    const double pa = pressure(Ua);
    const double pb = pressure(Ub);
    const double Aa = dissipation(Ua, Ub, pa, pb, w);
    const double Ab = dissipation(Ub, Ua, pb, pa, minus);
    for (int k = 0; k < NV; k++) {
        fluxes_a[k] += flux(Ua, Ub, pa, pb, w, k) - Aa * (Ua[k] - Ub[k]);
        fluxes_b[k] += flux(Ub, Ua, pb, pa, minus, k) - Ab * (Ub[k] - Ua[k]);
    }
}

static op_dat state_dat(op_set nodes)
{
    static const double base[NV] = {1.4, 1.68, 0.1, -0.1, 3.5};
    double *value = malloc(sizeof(double) * (size_t)(NV * nodes->size));
    for (int i = 0; i < NV * nodes->size; i++) {
        value[i] = field(i / NV, i % NV, base[i % NV], 0.1);
    }
    op_dat dat = op_decl_dat(nodes, NV, "double", value, "variables");
    free(value);
    return dat;
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 1);
    int *row = malloc(sizeof(int) * 2 * (size_t)box_edges(N, NULL));
    op_set nodes = op_decl_set(box_vertices(N), "nodes");
    op_set edges = op_decl_set(box_edges(N, row), "edges");
    op_map en = op_decl_map(edges, nodes, 2, row, "en");
    op_dat variables = state_dat(nodes);
    op_dat weights = field_dat(edges, 3, 0.05, 0.02, "weights");
    op_dat fluxes = zero_dat(nodes, NV, "fluxes");
    free(row);

    op_par_loop(compute_flux_twice, "compute_flux_twice", edges,
                op_arg_dat(variables, 0, en, 5, "double", OP_READ),
                op_arg_dat(variables, 1, en, 5, "double", OP_READ),
                op_arg_dat(weights, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(fluxes, 0, en, 5, "double", OP_INC),
                op_arg_dat(fluxes, 1, en, 5, "double", OP_INC));
    print_dat(fluxes);
    op_exit();
    return 0;
}
