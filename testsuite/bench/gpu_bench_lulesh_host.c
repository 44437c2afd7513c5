/* gpu_bench_lulesh_host.c: the cube of hexahedra, its fields, and what the loops of
 * gpu_bench_lulesh give, computed by plain C with the same kernels.
 */
#include "gpu_bench_lulesh.h"

#include <stdlib.h>
#include <string.h>

#include "gpu_bench_numbers.h"
#include "meshes/meshes_impl.h"

static const double EDGE = 1.125;

/* ---- mesh ------------------------------------------------------------------------------------ */

/* A smooth flow, and zigzags in it: the modes that hourglass control is for. */
static void make_velocity(const int at[3], const double *x, double *xd)
{
    const double zigzag[3] = {(at[0] + at[1] + at[2]) % 2 - 0.5, (at[0] + at[1]) % 2 - 0.5,
                              (at[1] + at[2]) % 2 - 0.5};
    xd[0] = 0.3 + sin(2.0 * x[0] + x[1]) * cos(x[2]) + 0.1 * zigzag[0];
    xd[1] = cos(x[0] - 3.0 * x[1] * x[2]) + 0.2 * zigzag[1];
    xd[2] = -0.2 + sin(x[1] + 2.0 * x[2]) * x[0] - 0.1 * zigzag[2];
}

static void make_nodes(struct lulesh_case *lulesh)
{
    const int across = lulesh->s + 1;
#pragma omp parallel for
    for (int n = 0; n < lulesh->nodes; n++) {
        const int at[3] = {n % across, n / across % across, n / across / across};
        double bump = EDGE;
        for (int d = 0; d < 3; d++) {
            bump *= sin(M_PI * at[d] / lulesh->s);
        }
        double *x = &lulesh->x[3 * (size_t)n];
        x[0] = EDGE * at[0] / lulesh->s + 0.05 * bump;
        x[1] = EDGE * at[1] / lulesh->s + 0.04 * bump;
        x[2] = EDGE * at[2] / lulesh->s - 0.03 * bump;
        make_velocity(at, x, &lulesh->xd[3 * (size_t)n]);
    }
}

static void make_corners(struct lulesh_case *lulesh)
{
    const int s = lulesh->s;
#pragma omp parallel for
    for (int e = 0; e < lulesh->elements; e++) {
        const int at[3] = {e % s, e / s % s, e / s / s};
        for (int c = 0; c < 8; c++) {
            const int i = at[0] + (c % 4 == 1 || c % 4 == 2);
            const int j = at[1] + (c % 4 >= 2);
            const int k = at[2] + c / 4;
            lulesh->corner[8 * (size_t)e + c] = i + (s + 1) * (j + (s + 1) * k);
        }
    }
}

/* Derivative of the volume by one coordinate of a corner, from the other two coordinates of its six
 * neighbours in the element. */
static double volume_derivative(const double *a, const double *b)
{
    return ((a[1] + a[2]) * (b[0] + b[1]) - (a[0] + a[1]) * (b[1] + b[2]) +
            (a[0] + a[4]) * (b[3] + b[4]) - (a[3] + a[4]) * (b[0] + b[4]) -
            (a[2] + a[5]) * (b[3] + b[5]) + (a[3] + a[5]) * (b[2] + b[5])) /
           12.0;
}

static void element_derivatives(const double *x8, double *dvd)
{
    static const int neighbour[8][6] = {{1, 2, 3, 4, 5, 7}, {2, 3, 0, 5, 6, 4}, {3, 0, 1, 6, 7, 5},
                                        {0, 1, 2, 7, 4, 6}, {7, 6, 5, 0, 3, 1}, {4, 7, 6, 1, 0, 2},
                                        {5, 4, 7, 2, 1, 3}, {6, 5, 4, 3, 2, 0}};
    for (int c = 0; c < 8; c++) {
        double x[3][6];
        for (int d = 0; d < 3; d++) {
            for (int n = 0; n < 6; n++) {
                x[d][n] = x8[3 * neighbour[c][n] + d];
            }
        }
        dvd[3 * c] = volume_derivative(x[1], x[2]);
        dvd[3 * c + 1] = -volume_derivative(x[0], x[2]);
        dvd[3 * c + 2] = -volume_derivative(x[1], x[0]);
    }
}

static void make_element(struct lulesh_case *lulesh, size_t e)
{
    double *x8 = &lulesh->x8[24 * e];
    double *dvd = &lulesh->dvd[24 * e];
    double volume = 0.0;
    for (int c = 0; c < 8; c++) {
        memcpy(&x8[3 * c], &lulesh->x[3 * (size_t)lulesh->corner[8 * e + c]], 3 * sizeof *x8);
    }
    element_derivatives(x8, dvd);
    for (int c = 0; c < 8; c++) {
        volume += x8[3 * c] * dvd[3 * c];
    }
    lulesh->volume[e] = volume;
    lulesh->mass[e] = volume;
    lulesh->ss[e] = 1.0 + 0.3 * sin(3.0 * x8[0] + x8[1]);
    lulesh->sig[3 * e] = -1.0 + 0.3 * sin(2.0 * x8[0]);
    lulesh->sig[3 * e + 1] = -1.0 + 0.3 * cos(3.0 * x8[1]);
    lulesh->sig[3 * e + 2] = -1.0 + 0.3 * sin(x8[0] + 2.0 * x8[2]);
}

/* ---- what the loops should give -------------------------------------------------------------- */

static void expect_element(struct lulesh_case *lulesh, size_t e, double *linear)
{
    const double *x[8], *xd[8];
    double *stress[8], *force[8];
    double straight[8][3], none[8][3] = {{0.0}};
    const double *to_straight[8];
    double *to_none[8];
    for (int c = 0; c < 8; c++) {
        const size_t node = 3 * (size_t)lulesh->corner[8 * e + c];
        x[c] = &lulesh->x[node];
        xd[c] = &lulesh->xd[node];
        stress[c] = &lulesh->stress[node];
        force[c] = &lulesh->hourglass[node];
        straight[c][0] = 1.0 + x[c][0] - 2.0 * x[c][1];
        straight[c][1] = x[c][2];
        straight[c][2] = x[c][0] + 3.0 * x[c][1] - x[c][2];
        to_straight[c] = straight[c];
        to_none[c] = none[c];
    }
    const double *x8 = &lulesh->x8[24 * e], *dvd = &lulesh->dvd[24 * e];
    integrate_stress(x, stress, &lulesh->sig[3 * e], &lulesh->determ[e]);
    hourglass(xd, force, x8, dvd, &lulesh->volume[e], &lulesh->ss[e], &lulesh->mass[e]);
    hourglass(to_straight, to_none, x8, dvd, &lulesh->volume[e], &lulesh->ss[e], &lulesh->mass[e]);
    for (int i = 0; i < 24; i++) {
        *linear = fmax(*linear, fabs(none[i / 3][i % 3]));
    }
}

/* Layers of elements that are not neighbours have no node in common: every second one at once. */
static void expect(struct lulesh_case *lulesh)
{
    const size_t layer = (size_t)lulesh->s * (size_t)lulesh->s;
    double linear = 0.0, most = 0.0;
    for (int first = 0; first < 2; first++) {
#pragma omp parallel for reduction(max : linear)
        for (int k = first; k < lulesh->s; k += 2) {
            for (size_t e = (size_t)k * layer; e < (size_t)(k + 1) * layer; e++) {
                expect_element(lulesh, e, &linear);
            }
        }
    }
    for (size_t i = 0; i < 3 * (size_t)lulesh->nodes; i++) {
        most = fmax(most, fabs(lulesh->hourglass[i]));
    }
    lulesh->linear = linear / most;
}

void lulesh_make(struct lulesh_case *lulesh, int s, int fault)
{
    memset(lulesh, 0, sizeof *lulesh);
    lulesh->s = s;
    lulesh->nodes = (s + 1) * (s + 1) * (s + 1);
    lulesh->elements = s * s * s;
    const size_t nodes = (size_t)lulesh->nodes, elements = (size_t)lulesh->elements;
    lulesh->corner = test_memory(8 * elements, sizeof *lulesh->corner);
    lulesh->x = numbers_zero(3 * nodes);
    lulesh->xd = numbers_zero(3 * nodes);
    lulesh->sig = numbers_zero(3 * elements);
    lulesh->x8 = numbers_zero(24 * elements);
    lulesh->dvd = numbers_zero(24 * elements);
    lulesh->volume = numbers_zero(elements);
    lulesh->ss = numbers_zero(elements);
    lulesh->mass = numbers_zero(elements);
    lulesh->determ = numbers_zero(elements);
    lulesh->stress = numbers_zero(3 * nodes);
    lulesh->hourglass = numbers_zero(3 * nodes);
    make_nodes(lulesh);
    make_corners(lulesh);
    if (fault) {
        lulesh->x[0] -= 1e-3;
    }
#pragma omp parallel for
    for (size_t e = 0; e < elements; e++) {
        make_element(lulesh, e);
    }
    expect(lulesh);
}

void lulesh_shuffle(struct lulesh_case *lulesh, unsigned long long seed)
{
    int *node = test_random_permutation(lulesh->nodes, seed);
    int *element = test_random_permutation(lulesh->elements, seed + 1);
    double *at_nodes[] = {lulesh->x, lulesh->xd, lulesh->stress, lulesh->hourglass};
    const struct {
        double *value;
        size_t components;
    } at_elements[] = {{lulesh->sig, 3}, {lulesh->x8, 24},  {lulesh->dvd, 24},  {lulesh->volume, 1},
                       {lulesh->ss, 1},  {lulesh->mass, 1}, {lulesh->determ, 1}};
    for (size_t i = 0; i < sizeof at_nodes / sizeof at_nodes[0]; i++) {
        numbers_move(at_nodes[i], 3 * sizeof(double), lulesh->nodes, node);
    }
    for (size_t i = 0; i < sizeof at_elements / sizeof at_elements[0]; i++) {
        numbers_move(at_elements[i].value, at_elements[i].components * sizeof(double),
                     lulesh->elements, element);
    }
    numbers_move(lulesh->corner, 8 * sizeof(int), lulesh->elements, element);
    numbers_rename(lulesh->corner, 8 * (size_t)lulesh->elements, node);
    free(node);
    free(element);
}

void lulesh_free(struct lulesh_case *lulesh)
{
    free(lulesh->corner);
    free(lulesh->x);
    free(lulesh->xd);
    free(lulesh->sig);
    free(lulesh->x8);
    free(lulesh->dvd);
    free(lulesh->volume);
    free(lulesh->ss);
    free(lulesh->mass);
    free(lulesh->determ);
    free(lulesh->stress);
    free(lulesh->hourglass);
    memset(lulesh, 0, sizeof *lulesh);
}
