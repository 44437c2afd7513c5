/* cpu_bench_lulesh_plain.c: the loops of cpu_bench_lulesh as a sequential program has them. */
#include "cpu_bench_lulesh.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_bench.h"

static int elements;
static int *corner;
static double *x, *xd, *sig, *x8, *dvd, *volume, *ss, *mass, *determ, *f;

static void *copy(const void *from, long long count, int bytes)
{
    void *to = cpu_bench_memory(count, bytes);
    memcpy(to, from, (size_t)count * (size_t)bytes);
    return to;
}

void lulesh_declare(const struct lulesh_case *lulesh)
{
    const long long nodes = lulesh->nodes, count = lulesh->elements;
    const int size = sizeof(double);
    elements = lulesh->elements;
    corner = copy(lulesh->corner, 8 * count, sizeof *corner);
    x = copy(lulesh->x, 3 * nodes, size);
    xd = copy(lulesh->xd, 3 * nodes, size);
    sig = copy(lulesh->sig, 3 * count, size);
    x8 = copy(lulesh->x8, 24 * count, size);
    dvd = copy(lulesh->dvd, 24 * count, size);
    volume = copy(lulesh->volume, count, size);
    ss = copy(lulesh->ss, count, size);
    mass = copy(lulesh->mass, count, size);
    determ = cpu_bench_memory(count, size);
    f = cpu_bench_memory(3 * nodes, size);
}

/* The records of element e's corners in two dats of 3 components. */
static void corners(size_t e, const double *from, const double **read, double **add)
{
    for (int c = 0; c < 8; c++) {
        const size_t node = 3 * (size_t)corner[8 * e + (size_t)c];
        read[c] = from + node;
        add[c] = f + node;
    }
}

void lulesh_integrate_stress(void)
{
    for (size_t e = 0; e < (size_t)elements; e++) {
        const double *at[8];
        double *force[8];
        corners(e, x, at, force);
        integrate_stress(at, force, sig + 3 * e, determ + e);
    }
}

void lulesh_hourglass(void)
{
    for (size_t e = 0; e < (size_t)elements; e++) {
        const double *speed[8];
        double *force[8];
        corners(e, xd, speed, force);
        hourglass(speed, force, x8 + 24 * e, dvd + 24 * e, volume + e, ss + e, mass + e);
    }
}

const double *lulesh_force(void)
{
    return f;
}

void lulesh_end(void)
{
    void *const arrays[] = {corner, x, xd, sig, x8, dvd, volume, ss, mass, determ, f};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++) {
        free(arrays[a]);
    }
}
