/* cpu_bench_airfoil_plain.c: the loops of cpu_bench_airfoil as a sequential program has them. */
#include "cpu_bench_airfoil.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_bench.h"

static int nedge, nbedge, ncell;
static int *edge, *ecell, *bedge, *becell, *cell, *bound;
static real *x, *q, *qold, *adt, *res;
static real rms, maxerr;

static void *copy(const void *from, long long count, int bytes)
{
    void *to = cpu_bench_memory(count, bytes);
    memcpy(to, from, (size_t)count * (size_t)bytes);
    return to;
}

void airfoil_declare(const struct mesh *mesh, const real *coordinates)
{
    const int size = sizeof(int);
    nedge = mesh->nedge;
    nbedge = mesh->nbedge;
    ncell = mesh->ncell;
    edge = copy(mesh->edge, 2LL * nedge, size);
    ecell = copy(mesh->ecell, 2LL * nedge, size);
    bedge = copy(mesh->bedge, 2LL * nbedge, size);
    becell = copy(mesh->becell, nbedge, size);
    cell = copy(mesh->cell, 4LL * ncell, size);
    bound = copy(mesh->bound, nbedge, size);
    x = copy(coordinates, 2LL * mesh->nnode, sizeof *x);
    q = cpu_bench_memory(4LL * ncell, sizeof *q);
    qold = cpu_bench_memory(4LL * ncell, sizeof *qold);
    adt = cpu_bench_memory(ncell, sizeof *adt);
    res = cpu_bench_memory(4LL * ncell, sizeof *res);
    for (size_t c = 0; c < (size_t)ncell; c++) {
        memcpy(q + 4 * c, qinf, sizeof qinf);
    }
}

static void run_save_soln(void)
{
    for (size_t c = 0; c < (size_t)ncell; c++) {
        save_soln(q + 4 * c, qold + 4 * c);
    }
}

static void run_adt_calc(void)
{
    for (size_t c = 0; c < (size_t)ncell; c++) {
        const int *n = cell + 4 * c;
        adt_calc(x + 2 * n[0], x + 2 * n[1], x + 2 * n[2], x + 2 * n[3], q + 4 * c, adt + c);
    }
}

static void run_res_calc(void)
{
    for (size_t e = 0; e < (size_t)nedge; e++) {
        const int *n = edge + 2 * e, *c = ecell + 2 * e;
        res_calc(x + 2 * n[0], x + 2 * n[1], q + 4 * c[0], q + 4 * c[1], adt + c[0], adt + c[1],
                 res + 4 * c[0], res + 4 * c[1]);
    }
}

static void run_bres_calc(void)
{
    for (size_t b = 0; b < (size_t)nbedge; b++) {
        const int *n = bedge + 2 * b, c = becell[b];
        bres_calc(x + 2 * n[0], x + 2 * n[1], q + 4 * c, adt + c, res + 4 * c, bound + b);
    }
}

static void run_update(void)
{
    real sum = R(0.0), most = R(0.0);
    for (size_t c = 0; c < (size_t)ncell; c++) {
        update(qold + 4 * c, q + 4 * c, res + 4 * c, adt + c, &sum, &most);
    }
    rms = sum;
    maxerr = most;
}

void (*const airfoil_run[AIRFOIL_LOOPS])(void) = {run_save_soln, run_adt_calc, run_res_calc,
                                                  run_bres_calc, run_update};

double airfoil_sum(void)
{
    return (double)rms;
}

void airfoil_end(void)
{
    void *const arrays[] = {edge, ecell, bedge, becell, cell, bound, x, q, qold, adt, res};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++) {
        free(arrays[a]);
    }
}
