/* cpu_bench_airfoil_op2.c: the loops of cpu_bench_airfoil as OP2 loops. */
#include "op_seq.h"

#include "cpu_bench_airfoil.h"

static op_set nodes, edges, bedges, cells;
static op_map pedge, pecell, pbedge, pbecell, pcell;
static op_dat p_bound, p_x, p_q, p_qold, p_adt, p_res;
static real rms, maxerr;

static void declare_constants(void)
{
    op_decl_const(1, REAL, &gam);
    op_decl_const(1, REAL, &gm1);
    op_decl_const(1, REAL, &cfl);
    op_decl_const(1, REAL, &eps);
    op_decl_const(4, REAL, qinf);
}

static void declare_state(int ncell)
{
    real *q = (real *)malloc(4 * (size_t)ncell * sizeof *q);
    if (q == NULL) {
        fprintf(stderr, "cpu_bench_airfoil: not enough memory for %d cells\n", ncell);
        exit(1);
    }
    for (size_t c = 0; c < (size_t)ncell; c++) {
        memcpy(q + 4 * c, qinf, sizeof qinf);
    }
    p_q = op_decl_dat(cells, 4, REAL, q, "p_q");
    free(q);
}

void airfoil_declare(const struct mesh *mesh, const real *x)
{
    op_init(0, NULL, 1);
    nodes = op_decl_set(mesh->nnode, "nodes");
    edges = op_decl_set(mesh->nedge, "edges");
    bedges = op_decl_set(mesh->nbedge, "bedges");
    cells = op_decl_set(mesh->ncell, "cells");
    pedge = op_decl_map(edges, nodes, 2, mesh->edge, "pedge");
    pecell = op_decl_map(edges, cells, 2, mesh->ecell, "pecell");
    pbedge = op_decl_map(bedges, nodes, 2, mesh->bedge, "pbedge");
    pbecell = op_decl_map(bedges, cells, 1, mesh->becell, "pbecell");
    pcell = op_decl_map(cells, nodes, 4, mesh->cell, "pcell");
    p_bound = op_decl_dat(bedges, 1, "int", mesh->bound, "p_bound");
    p_x = op_decl_dat(nodes, 2, REAL, (real *)x, "p_x");
    declare_state(mesh->ncell);
    p_qold = op_decl_dat(cells, 4, REAL, (real *)NULL, "p_qold");
    p_adt = op_decl_dat(cells, 1, REAL, (real *)NULL, "p_adt");
    p_res = op_decl_dat(cells, 4, REAL, (real *)NULL, "p_res");
    declare_constants();
    op_partition("", "", edges, pecell, p_x);
}

static void run_save_soln(void)
{
    op_par_loop(save_soln, "save_soln", cells, op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_READ),
                op_arg_dat(p_qold, -1, OP_ID, 4, REAL, OP_WRITE));
}

static void run_adt_calc(void)
{
    op_par_loop(
        adt_calc, "adt_calc", cells, op_arg_dat(p_x, 0, pcell, 2, REAL, OP_READ),
        op_arg_dat(p_x, 1, pcell, 2, REAL, OP_READ), op_arg_dat(p_x, 2, pcell, 2, REAL, OP_READ),
        op_arg_dat(p_x, 3, pcell, 2, REAL, OP_READ), op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_READ),
        op_arg_dat(p_adt, -1, OP_ID, 1, REAL, OP_WRITE));
}

static void run_res_calc(void)
{
    op_par_loop(res_calc, "res_calc", edges, op_arg_dat(p_x, 0, pedge, 2, REAL, OP_READ),
                op_arg_dat(p_x, 1, pedge, 2, REAL, OP_READ),
                op_arg_dat(p_q, 0, pecell, 4, REAL, OP_READ),
                op_arg_dat(p_q, 1, pecell, 4, REAL, OP_READ),
                op_arg_dat(p_adt, 0, pecell, 1, REAL, OP_READ),
                op_arg_dat(p_adt, 1, pecell, 1, REAL, OP_READ),
                op_arg_dat(p_res, 0, pecell, 4, REAL, OP_INC),
                op_arg_dat(p_res, 1, pecell, 4, REAL, OP_INC));
}

static void run_bres_calc(void)
{
    op_par_loop(bres_calc, "bres_calc", bedges, op_arg_dat(p_x, 0, pbedge, 2, REAL, OP_READ),
                op_arg_dat(p_x, 1, pbedge, 2, REAL, OP_READ),
                op_arg_dat(p_q, 0, pbecell, 4, REAL, OP_READ),
                op_arg_dat(p_adt, 0, pbecell, 1, REAL, OP_READ),
                op_arg_dat(p_res, 0, pbecell, 4, REAL, OP_INC),
                op_arg_dat(p_bound, -1, OP_ID, 1, "int", OP_READ));
}

static void run_update(void)
{
    rms = R(0.0);
    maxerr = R(0.0);
    op_par_loop(update, "update", cells, op_arg_dat(p_qold, -1, OP_ID, 4, REAL, OP_READ),
                op_arg_dat(p_q, -1, OP_ID, 4, REAL, OP_WRITE),
                op_arg_dat(p_res, -1, OP_ID, 4, REAL, OP_RW),
                op_arg_dat(p_adt, -1, OP_ID, 1, REAL, OP_READ), op_arg_gbl(&rms, 1, REAL, OP_INC),
                op_arg_gbl(&maxerr, 1, REAL, OP_MAX));
}

void (*const airfoil_run[AIRFOIL_LOOPS])(void) = {run_save_soln, run_adt_calc, run_res_calc,
                                                  run_bres_calc, run_update};

double airfoil_sum(void)
{
    return (double)rms;
}

void airfoil_end(void)
{
    op_exit();
}
