/* cpu_bench_lulesh_op2.c: the loops of cpu_bench_lulesh as OP2 loops. */
#include "op_seq.h"

#include "cpu_bench_lulesh.h"

static op_set nodes, elements;
static op_map nodelist;
static op_dat x, xd, sig, x8, dvd, volume, ss, mass, determ, f;

void lulesh_declare(const struct lulesh_case *lulesh)
{
    op_init(0, NULL, 1);
    nodes = op_decl_set(lulesh->nodes, "nodes");
    elements = op_decl_set(lulesh->elements, "elements");
    nodelist = op_decl_map(elements, nodes, 8, lulesh->corner, "nodelist");
    x = op_decl_dat(nodes, 3, "double", lulesh->x, "x");
    xd = op_decl_dat(nodes, 3, "double", lulesh->xd, "xd");
    f = op_decl_dat(nodes, 3, "double", (double *)NULL, "f");
    sig = op_decl_dat(elements, 3, "double", lulesh->sig, "sig");
    x8 = op_decl_dat(elements, 24, "double", lulesh->x8, "x8");
    dvd = op_decl_dat(elements, 24, "double", lulesh->dvd, "dvd");
    volume = op_decl_dat(elements, 1, "double", lulesh->volume, "volume");
    ss = op_decl_dat(elements, 1, "double", lulesh->ss, "ss");
    mass = op_decl_dat(elements, 1, "double", lulesh->mass, "mass");
    determ = op_decl_dat(elements, 1, "double", (double *)NULL, "determ");
    op_partition("", "", elements, nodelist, x);
}

void lulesh_integrate_stress(void)
{
    op_par_loop(integrate_stress, "integrate_stress", elements,
                op_arg_dat(x, -8, nodelist, 3, "double", OP_READ),
                op_arg_dat(f, -8, nodelist, 3, "double", OP_INC),
                op_arg_dat(sig, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(determ, -1, OP_ID, 1, "double", OP_WRITE));
}

void lulesh_hourglass(void)
{
    op_par_loop(hourglass, "hourglass", elements,
                op_arg_dat(xd, -8, nodelist, 3, "double", OP_READ),
                op_arg_dat(f, -8, nodelist, 3, "double", OP_INC),
                op_arg_dat(x8, -1, OP_ID, 24, "double", OP_READ),
                op_arg_dat(dvd, -1, OP_ID, 24, "double", OP_READ),
                op_arg_dat(volume, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(ss, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(mass, -1, OP_ID, 1, "double", OP_READ));
}

const double *lulesh_force(void)
{
    op_get_data(f);
    return (const double *)f->data;
}

void lulesh_end(void)
{
    op_exit();
}
