/* cpu_bench_hydra_op2.c: the loops of cpu_bench_hydra as OP2 loops. */
#include "op_seq.h"

#include "cpu_bench_hydra.h"

static op_set vertices, edges;
static op_map e2v;
static op_dat x, vol, q, w, pc, th, mu, deg, flag, S;
static op_dat lap_read, grad_read; /* of the normalised gradients */
static op_dat sum[HYDRA_SUMS];
static const char *const names[HYDRA_SUMS] = {"grad", "lap", "res", "rvis", "B", "t"};

static op_dat field(int dim, const double *value, const char *name)
{
    return op_decl_dat(vertices, dim, "double", (double *)value, name);
}

void hydra_declare(const struct hydra_case *hydra, const struct hydra_state *state)
{
    const struct tet_box *box = &hydra->mesh.box;
    op_init(0, NULL, 1);
    vertices = op_decl_set(box->nodes, "vertices");
    edges = op_decl_set(box->edges, "edges");
    e2v = op_decl_map(edges, vertices, 2, box->edge, "e2v");
    x = field(3, box->x, "x");
    vol = field(1, box->volume, "vol");
    q = field(6, hydra->mesh.q, "q");
    w = field(6, state->w, "w");
    pc = field(2, state->pc, "pc");
    th = field(6, state->th, "th");
    mu = field(5, state->mu, "mu");
    grad_read = field(18, hydra->expected.grad, "grad_read");
    lap_read = field(6, hydra->expected.lap, "lap_read");
    deg = op_decl_dat(vertices, 1, "int", hydra->mesh.degree, "deg");
    flag = op_decl_dat(vertices, 1, "int", hydra->mesh.flag, "flag");
    S = op_decl_dat(edges, 3, "double", box->area, "S");
    for (int s = 0; s < HYDRA_SUMS; s++) {
        sum[s] = field(hydra_components[s], NULL, names[s]);
    }
    op_partition("", "", edges, e2v, x);
}

static void run_edgecon(void)
{
    op_par_loop(edgecon, "edgecon", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
                op_arg_dat(x, 1, e2v, 3, "double", OP_READ),
                op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
                op_arg_dat(q, 1, e2v, 6, "double", OP_READ),
                op_arg_dat(sum[HYDRA_GRAD], 0, e2v, 18, "double", OP_INC),
                op_arg_dat(sum[HYDRA_GRAD], 1, e2v, 18, "double", OP_INC),
                op_arg_dat(sum[HYDRA_LAP], 0, e2v, 6, "double", OP_INC),
                op_arg_dat(sum[HYDRA_LAP], 1, e2v, 6, "double", OP_INC),
                op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));
}

static void run_iflux(void)
{
    op_par_loop(
        iflux, "iflux", edges, op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ),
        op_arg_dat(lap_read, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(lap_read, 1, e2v, 6, "double", OP_READ),
        op_arg_dat(pc, 0, e2v, 2, "double", OP_READ), op_arg_dat(pc, 1, e2v, 2, "double", OP_READ),
        op_arg_dat(flag, 0, e2v, 1, "int", OP_READ), op_arg_dat(flag, 1, e2v, 1, "int", OP_READ),
        op_arg_dat(sum[HYDRA_RES], 0, e2v, 6, "double", OP_INC),
        op_arg_dat(sum[HYDRA_RES], 1, e2v, 6, "double", OP_INC),
        op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));
}

static void run_vflux(void)
{
    op_par_loop(
        vflux, "vflux", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(w, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(w, 1, e2v, 6, "double", OP_READ),
        op_arg_dat(grad_read, 0, e2v, 18, "double", OP_READ),
        op_arg_dat(grad_read, 1, e2v, 18, "double", OP_READ),
        op_arg_dat(lap_read, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(lap_read, 1, e2v, 6, "double", OP_READ),
        op_arg_dat(mu, 0, e2v, 5, "double", OP_READ), op_arg_dat(mu, 1, e2v, 5, "double", OP_READ),
        op_arg_dat(flag, 0, e2v, 1, "int", OP_READ), op_arg_dat(flag, 1, e2v, 1, "int", OP_READ),
        op_arg_dat(sum[HYDRA_RVIS], 0, e2v, 6, "double", OP_INC),
        op_arg_dat(sum[HYDRA_RVIS], 1, e2v, 6, "double", OP_INC),
        op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));
}

static void run_accu(void)
{
    op_par_loop(
        accu, "accu", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(vol, 0, e2v, 1, "double", OP_READ),
        op_arg_dat(vol, 1, e2v, 1, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(th, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(th, 1, e2v, 6, "double", OP_READ), op_arg_dat(deg, 0, e2v, 1, "int", OP_READ),
        op_arg_dat(deg, 1, e2v, 1, "int", OP_READ),
        op_arg_dat(sum[HYDRA_B], 0, e2v, 25, "double", OP_INC),
        op_arg_dat(sum[HYDRA_B], 1, e2v, 25, "double", OP_INC),
        op_arg_dat(sum[HYDRA_T], 0, e2v, 1, "double", OP_INC),
        op_arg_dat(sum[HYDRA_T], 1, e2v, 1, "double", OP_INC));
}

void (*const hydra_run[HYDRA_LOOPS])(void) = {run_edgecon, run_iflux, run_vflux, run_accu};

const double *hydra_result(enum hydra_sum which)
{
    op_get_data(sum[which]);
    return (const double *)sum[which]->data;
}

void hydra_end(void)
{
    op_exit();
}
