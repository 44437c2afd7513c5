/* axes.c: directions in which a mesh is best cut.
 *
 * A plane cuts a point when elements on both sides touch it. So of all planes across a direction,
 * the part that cuts a point grows with the extent of the point's elements in that direction. A box
 * with sides s_i across directions r_i has about volume * sum of w_i / s_i cut points, where w_i is
 * the average extent in r_i; the best box of a given volume has s_i in proportion to w_i, and its
 * cut points grow with the product of all w_i. That product is what is minimised, over a sample:
 * first by the covariance of elements around points, which undoes stretched meshes, then over
 * rotations. Hexahedra are then cut along their faces, edges between quadrilaterals across their
 * diagonals.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/blocks/axes.h"

#define SAMPLE_POINTS 48
#define SAMPLE_AROUND 24
/* From so many places on several threads turn them. */
#define TURN_PARALLEL 100000
#define TURNS 40
#define STEPS 24

/* Centres of elements around some points, each point's relative to their mean. */
struct sample {
    int dim;
    int points;
    int around[SAMPLE_POINTS];
    float at[SAMPLE_POINTS][SAMPLE_AROUND][3];
};

/* ---- sampling ------------------------------------------------------------------------------- */

/* A point of a sampled element. */
struct named {
    int point;
    int sampled; /* which element of the sample */
};

static int compare_named(const void *a, const void *b)
{
    const struct named *left = a;
    const struct named *right = b;
    if (left->point != right->point) {
        return left->point < right->point ? -1 : 1;
    }
    return left->sampled - right->sampled;
}

static void add_point(struct sample *sample, const struct named *named, int count,
                      const struct place *place)
{
    double mean[3] = {0, 0, 0};
    float(*at)[3] = sample->at[sample->points];
    if (count > SAMPLE_AROUND) {
        count = SAMPLE_AROUND;
    }
    for (int i = 0; i < count; i++) {
        for (int d = 0; d < 3; d++) {
            mean[d] += (double)place[named[i].sampled].at[d] / count;
        }
    }
    for (int i = 0; i < count; i++) {
        for (int d = 0; d < 3; d++) {
            at[i][d] = (float)((double)place[named[i].sampled].at[d] - mean[d]);
        }
    }
    sample->around[sample->points++] = count;
}

/* Points well inside of the sample: those with many of its elements, evenly chosen. */
static void take_points(struct sample *sample, struct named *named, int count,
                        const struct place *place)
{
    int most = 0;
    int inside = 0;
    qsort(named, (size_t)count, sizeof *named, compare_named);
    for (int pass = 0; pass < 3; pass++) {
        int seen = 0;
        for (int i = 0, end; i < count; i = end) {
            for (end = i + 1; end < count && named[end].point == named[i].point; end++) {
            }
            int length = end - i;
            most = pass == 0 && length > most ? length : most;
            if (pass == 0 || length < 2 || 3 * length < 2 * most) {
                continue;
            }
            int step = inside / SAMPLE_POINTS + 1;
            if (pass == 1) {
                inside++;
            } else if (seen++ % step == 0 && sample->points < SAMPLE_POINTS) {
                add_point(sample, named + i, length, place);
            }
        }
    }
}

/* The elements place[0..count-1] are the sample. */
static int take_sample(struct sample *sample, const struct place *place, int count, int dim,
                       const struct plan_mesh *mesh, char *error)
{
    int arity = mesh->arity;
    struct named *named =
        planner_memory((size_t)count * (size_t)arity, sizeof *named, "a sample of the mesh", error);
    if (named == NULL) {
        return -1;
    }
    int names = 0;
    for (int i = 0; i < count; i++) {
        const int *point = mesh->point + (size_t)place[i].element * (size_t)arity;
        for (int c = 0; c < arity; c++) {
            int repeat = 0;
            for (int earlier = 0; earlier < c; earlier++) {
                repeat |= point[earlier] == point[c];
            }
            if (!repeat) {
                named[names++] = (struct named){point[c], i};
            }
        }
    }
    sample->dim = dim;
    sample->points = 0;
    take_points(sample, named, names, place);
    free(named);
    return 0;
}

/* ---- covariance ----------------------------------------------------------------------------- */

static void covariance(double c[3][3], const struct sample *sample)
{
    memset(c, 0, 9 * sizeof c[0][0]);
    for (int p = 0; p < sample->points; p++) {
        for (int k = 0; k < sample->around[p]; k++) {
            const float *at = sample->at[p][k];
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    c[i][j] += (double)at[i] * (double)at[j];
                }
            }
        }
    }
}

/* One rotation of Jacobi's that clears c[p][q]; v's rows turn along. */
static void jacobi(double c[3][3], double v[3][3], int p, int q)
{
    if (c[p][q] == 0) {
        return;
    }
    double theta = (c[q][q] - c[p][p]) / (2 * c[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double cosine = 1 / sqrt(t * t + 1);
    double sine = t * cosine;
    for (int k = 0; k < 3; k++) {
        double a = c[k][p];
        double b = c[k][q];
        c[k][p] = cosine * a - sine * b;
        c[k][q] = sine * a + cosine * b;
    }
    for (int k = 0; k < 3; k++) {
        double a = c[p][k];
        double b = c[q][k];
        c[p][k] = cosine * a - sine * b;
        c[q][k] = sine * a + cosine * b;
        a = v[p][k];
        b = v[q][k];
        v[p][k] = cosine * a - sine * b;
        v[q][k] = sine * a + cosine * b;
    }
}

/* Rows of `to` become the principal directions over their standard deviations; those without any
 * extent are left out of the stretching. Returns 0 when there is no extent at all. */
static int undo_stretching(struct axes *axes, const struct sample *sample)
{
    double c[3][3];
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    covariance(c, sample);
    for (int sweep = 0; sweep < 16; sweep++) {
        jacobi(c, v, 0, 1);
        jacobi(c, v, 0, 2);
        jacobi(c, v, 1, 2);
    }
    double largest = fmax(c[0][0], fmax(c[1][1], c[2][2]));
    if (!(largest > 0)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        double variance = fmax(c[i][i], largest * 1e-16);
        for (int d = 0; d < 3; d++) {
            axes->to[i][d] = v[i][d] / sqrt(variance);
        }
    }
    return 1;
}

/* ---- rotations ------------------------------------------------------------------------------ */

/* The average extent, over the sample's points, in direction r. */
static double average_extent(const struct sample *sample, const double r[3])
{
    const float x = (float)r[0];
    const float y = (float)r[1];
    const float z = (float)r[2];
    double sum = 0;
    for (int p = 0; p < sample->points; p++) {
        float low = INFINITY;
        float high = -INFINITY;
        for (int k = 0; k < sample->around[p]; k++) {
            const float *at = sample->at[p][k];
            float projection = x * at[0] + y * at[1] + z * at[2];
            low = projection < low ? projection : low;
            high = projection > high ? projection : high;
        }
        sum += (double)(high - low);
    }
    return sum / sample->points;
}

static double cost_of(const struct sample *sample, const struct axes *axes)
{
    double cost = 1;
    for (int i = 0; i < sample->dim; i++) {
        cost *= average_extent(sample, axes->to[i]);
    }
    return cost;
}

/* Rotation by a unit quaternion. */
static void rotate(struct axes *to, const struct axes *from, const double q[4])
{
    double w = q[0];
    double x = q[1];
    double y = q[2];
    double z = q[3];
    const double r[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
    };
    for (int i = 0; i < 3; i++) {
        for (int d = 0; d < 3; d++) {
            to->to[i][d] =
                r[i][0] * from->to[0][d] + r[i][1] * from->to[1][d] + r[i][2] * from->to[2][d];
        }
    }
}

/* Uniform in -1..1. */
static double next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)*state * 0x1p-63;
}

/* A quaternion of a random rotation, by angles up to about `size` (above 1: any). */
static void random_turn(double q[4], uint64_t *state, int dim, double size)
{
    double norm;
    do {
        for (int i = 0; i < 4; i++) {
            q[i] = next_random(state) * (size < 1 ? size : 1);
        }
        if (size < 1) {
            q[0] = 1;
        }
        if (dim == 2) {
            q[1] = 0;
            q[2] = 0;
        }
        norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    } while (norm < 0.1 || (size >= 1 && norm > 1));
    for (int i = 0; i < 4; i++) {
        q[i] /= norm;
    }
}

/* Random rotations, then ever smaller ones of the best. */
static void search_rotations(struct axes *axes, const struct sample *sample)
{
    const struct axes upright = *axes;
    uint64_t state = 1;
    double best = cost_of(sample, axes);
    double size = 0.25;
    for (int k = 0; k < TURNS + STEPS; k++) {
        double q[4];
        struct axes turned;
        random_turn(q, &state, sample->dim, k < TURNS ? 1 : size);
        rotate(&turned, k < TURNS ? &upright : axes, q);
        double cost = cost_of(sample, &turned);
        if (cost < best) {
            best = cost;
            *axes = turned;
        }
        size *= k < TURNS ? 1 : 0.85;
    }
}

/* ---- use ------------------------------------------------------------------------------------ */

void planner_axes_unstretch(struct axes *axes)
{
    for (int i = 0; i < 3; i++) {
        double *to = axes->to[i];
        double length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
        for (int d = 0; d < 3; d++) {
            to[d] = length > 0 ? to[d] / length : 0;
        }
    }
}

/* The i-th new coordinate of a place, before it is scaled. */
static double turned(const struct axes *axes, const struct place *place, const struct place *origin,
                     int i)
{
    const double *to = axes->to[i];
    return to[0] * ((double)place->at[0] - origin->at[0]) +
           to[1] * ((double)place->at[1] - origin->at[1]) +
           to[2] * ((double)place->at[2] - origin->at[2]);
}

void planner_axes_turn(struct place *place, int count, const struct axes *axes)
{
    double reach = 0;
    const struct place origin = place[0];
#pragma omp parallel for schedule(static) reduction(max : reach) if (count > TURN_PARALLEL)
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < 3; i++) {
            reach = fmax(reach, fabs(turned(axes, &place[k], &origin, i)));
        }
    }
    double scale = reach > 0 ? PLACE_UNIT / reach : 0;
#pragma omp parallel for schedule(static) if (count > TURN_PARALLEL)
    for (int k = 0; k < count; k++) {
        const struct place old = place[k];
        for (int i = 0; i < 3; i++) {
            place[k].at[i] = (int)(turned(axes, &old, &origin, i) * scale);
        }
    }
}

int planner_axes_find(struct axes *axes, const struct place *sample, int count, int dim,
                      const struct plan_mesh *mesh, char *error)
{
    struct sample taken;
    if (take_sample(&taken, sample, count, dim, mesh, error) != 0) {
        return -1;
    }
    if (taken.points < 4 || !undo_stretching(axes, &taken)) {
        return 0;
    }
    search_rotations(axes, &taken);
    for (int i = 0; i < 3; i++) {
        double extent = i < dim ? average_extent(&taken, axes->to[i]) : 0;
        for (int d = 0; d < 3; d++) {
            axes->to[i][d] = extent > 0 ? axes->to[i][d] / extent : 0;
        }
    }
    return 1;
}
