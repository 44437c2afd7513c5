// The text of an argument if macros stand for several arguments or parameters.
#include "op_seq.h"

struct mesh {
    op_set edges;
    op_map e2v, *maps;
    op_dat q[2];
};

#define EDGE(d, dim, acc)                                                                          \
    op_arg_dat(d, 0, e2v, dim, "double", acc), op_arg_dat(d, 1, e2v, dim, "double", acc)
#define ONE(d) op_arg_dat(d, 0, e2v, 1, "double", OP_READ)
#define VIA(m) 0, m
#define OVER "over", edges
#define FLUX flux

static void gather(const double *a, const double *b, double *c, double *r)
{
    c[0] += a[0] * b[0];
    r[0] += c[0];
}

static void add(const double *a, double *b)
{
    b[0] += a[0];
}

void run(struct mesh *mesh, op_set edges, op_map e2v, op_dat grad, op_dat fl, op_dat flux,
         double *rms)
{
    op_par_loop(gather, "gather", edges, EDGE(grad, 1, OP_READ),
                op_arg_dat(fl, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(rms, 1, "double", OP_INC));
    op_par_loop(gather, "members", mesh->edges,
                op_arg_dat(mesh->q[0], 0, mesh->e2v, 1, "double", OP_READ), ONE(grad),
                op_arg_dat(FLUX, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&rms[1], 1, "double", OP_INC));
    op_par_loop(add, OVER, op_arg_dat(mesh->q[1], VIA(mesh->maps[1]), 1, "double", OP_READ),
                op_arg_dat(FLUX, VIA((op_map)e2v), 1, "double", OP_INC));
    op_par_loop(add, "several, with a comma", edges,
                op_arg_dat(mesh->q[1], VIA(mesh->maps[1]), 1, "double", OP_READ),
                op_arg_dat(FLUX, VIA((op_map)e2v), 1, "double", OP_INC));
}
