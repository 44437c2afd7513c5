/* reciprocals.c: loops that divide: by one denominator several times, by a root, by what belongs to
 * both ends and to the element, under conditions, and by what may be zero and is asked about.
 * Prints sums; CLEAVE_VERIFY compares all values.
 *
 * reciprocals.c SIZE: links of a ring of SIZE points. */
#include "op_seq.h"

#include <math.h>
#include <stdlib.h>

static inline void flux(const double *q1, const double *q2, const double *face, double *r1,
                        double *r2)
{
    const double length = sqrt(face[0] * face[0] + face[1] * face[1]);
    const double u1 = q1[1] / q1[0], v1 = q1[2] / q1[0];
    const double u2 = q2[1] / q2[0], v2 = q2[2] / q2[0];
    const double s1 = sqrt(q1[0]), s2 = sqrt(q2[0]);
    const double w = s1 / (s1 + s2);
    const double n0 = face[0] / length, n1 = face[1] / length;
    const double un = (w * u1 + (1.0 - w) * u2) * n0 + (w * v1 + (1.0 - w) * v2) * n1;
    for (int k = 0; k < 3; k++) {
        const double f = length * un * (q1[k] / s1 + q2[k] / s2) / 7.0;
        r1[k] += f;
        r2[k] -= f;
    }
}

/* A root of zero, also where its reciprocal is not used; a denominator that is zero at times. */
static inline void guarded(const double *q1, const double *gap, double *r1)
{
    const double root = sqrt(gap[0]);
    const double share = gap[1] != 0.0 ? q1[1] / gap[1] : 0.0;
    double part = 0.0;
    if (gap[0] > 0.0) {
        part = q1[0] / root + q1[2] / (1.0 + root);
    }
    r1[0] += root + share / q1[0];
    r1[1] += part;
    r1[2] += gap[1] > 0.0 ? 1.0 / q1[0] : 2.0;
}

/* A root whose reciprocal is made wherever it is zero too, and chosen nowhere there. */
static inline void chosen(const double *gap, double *r2)
{
    const double root = sqrt(gap[0]);
    const double inverse = 1.0 / root;
    r2[0] += root;
    r2[1] += root > 0.0 ? inverse : 3.0;
}

static inline void singles(const float *s1, const float *s2, float *sum1)
{
    sum1[0] += s1[0] / s2[1] + s2[0] / s2[1] + s1[1] / s1[0];
    sum1[1] += s1[1] / sqrtf(s2[0]) + sqrtf(s1[0]);
}

static inline void scale(const double *r, const double *volume, double *q)
{
    for (int k = 0; k < 3; k++) {
        q[k] = 1.0 + fabs(r[k]) / *volume;
    }
}

static inline void total(const double *q, double *sum)
{
    *sum += q[0] / 3.0 + q[1] / 5.0 + q[2];
}

static double *numbers(int count, double least)
{
    double *value = (double *)malloc(sizeof(double) * (size_t)count);
    for (int i = 0; i < count; i++) {
        value[i] = least + (i * 37 % 101) * 0.01;
    }
    return value;
}

static op_dat declare(op_set set, int dim, double least, const char *name)
{
    double *value = numbers(set->size * dim, least);
    op_dat dat = op_decl_dat(set, dim, "double", value, name);
    free(value);
    return dat;
}

int main(int argc, char **argv)
{
    const int size = argc > 1 ? atoi(argv[1]) : 100;
    int *end = (int *)malloc(sizeof(int) * 2 * (size_t)size);
    float *pair = (float *)malloc(sizeof(float) * 2 * (size_t)size);
    for (int e = 0; e < size; e++) {
        end[2 * e] = e;
        end[2 * e + 1] = (e + 1) % size;
        pair[2 * e] = (float)(e % 7) + 0.5f;
        pair[2 * e + 1] = (float)(e % 5) + 0.25f;
    }
    op_init(argc, argv, 2);
    op_set points = op_decl_set(size, "points");
    op_set links = op_decl_set(size, "links");
    op_map ends = op_decl_map(links, points, 2, end, "ends");
    op_dat q = declare(points, 3, 0.5, "q");
    op_dat r = declare(points, 3, 0.0, "r");
    op_dat volume = declare(points, 1, 2.0, "volume");
    op_dat face = declare(links, 2, 0.3, "face");
    op_dat gap = declare(links, 2, 0.0, "gap");
    op_dat single = op_decl_dat(points, 2, "float", pair, "single");
    op_dat single_sum = op_decl_dat(points, 2, "float", pair, "single_sum");
    free(end);
    free(pair);
    double sum = 0.0;
    for (int turn = 0; turn < 3; turn++) {
        op_par_loop(flux, "flux", links, op_arg_dat(q, 0, ends, 3, "double", OP_READ),
                    op_arg_dat(q, 1, ends, 3, "double", OP_READ),
                    op_arg_dat(face, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(r, 0, ends, 3, "double", OP_INC),
                    op_arg_dat(r, 1, ends, 3, "double", OP_INC));
        op_par_loop(guarded, "guarded", links, op_arg_dat(q, 0, ends, 3, "double", OP_READ),
                    op_arg_dat(gap, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(r, 1, ends, 3, "double", OP_INC));
        op_par_loop(chosen, "chosen", links, op_arg_dat(gap, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(r, 1, ends, 3, "double", OP_INC));
        op_par_loop(singles, "singles", links, op_arg_dat(single, 0, ends, 2, "float", OP_READ),
                    op_arg_dat(single, 1, ends, 2, "float", OP_READ),
                    op_arg_dat(single_sum, 0, ends, 2, "float", OP_INC));
        op_par_loop(scale, "scale", points, op_arg_dat(r, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(volume, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(q, -1, OP_ID, 3, "double", OP_WRITE));
        op_par_loop(total, "total", points, op_arg_dat(q, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_gbl(&sum, 1, "double", OP_INC));
        printf("= %.9g\n", sum);
    }
    op_exit();
    return 0;
}
