/* cpu_bench_scalar_op2.c: the loops of cpu_bench_scalar as OP2 loops. */
#include "op_seq.h"

#include "cpu_bench_scalar.h"

static op_set edges, cells;
static op_map ecell;
static op_dat value, sum, found;

void scalar_declare(const struct mesh *mesh, const double *of_cells)
{
    op_init(0, NULL, 1);
    edges = op_decl_set(mesh->nedge, "edges");
    cells = op_decl_set(mesh->ncell, "cells");
    ecell = op_decl_map(edges, cells, 2, mesh->ecell, "ecell");
    value = op_decl_dat(cells, 1, "double", (double *)of_cells, "value");
    sum = op_decl_dat(cells, 1, "double", (double *)NULL, "sum");
    found = op_decl_dat(cells, 1, "double", (double *)NULL, "found");
    op_partition("", "", edges, ecell, value);
}

static void run_star(void)
{
    op_par_loop(star, "star", edges, op_arg_dat(value, 0, ecell, 1, "double", OP_READ),
                op_arg_dat(value, 1, ecell, 1, "double", OP_READ),
                op_arg_dat(sum, 0, ecell, 1, "double", OP_INC),
                op_arg_dat(sum, 1, ecell, 1, "double", OP_INC));
}

static void run_anomaly(void)
{
    op_par_loop(anomaly, "anomaly", cells, op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(found, -1, OP_ID, 1, "double", OP_WRITE));
}

void (*const scalar_run[SCALAR_LOOPS])(void) = {run_star, run_anomaly};

const double *scalar_result(int loop)
{
    op_dat dat = loop == STAR ? sum : found;
    op_get_data(dat);
    return (const double *)dat->data;
}

void scalar_end(void)
{
    op_exit();
}
