/* compute_gradient.h: gradients in a cell by weighted least squares over its three neighbours. */
#ifndef VOLNA_COMPUTE_GRADIENT_H
#define VOLNA_COMPUTE_GRADIENT_H

#include "constants.h"

#include <math.h>

/* The line from the cell's centre to that of a neighbour, and its weight. */
struct spoke {
    float x;
    float y;
    float weight;
};

/* A missing neighbour is the cell itself. If it is the third one, the mean of the other two lines
 * takes its place; else the weights are not finite, and the gradient becomes 0. */
static inline void make_spokes(struct spoke *s, const float *c, const float *c1, const float *c2,
                               const float *c3)
{
    s[0].x = c1[0] - c[0];
    s[0].y = c1[1] - c[1];
    s[1].x = c2[0] - c[0];
    s[1].y = c2[1] - c[1];
    const int missing = c3[0] == c[0] || c3[1] == c[1];
    s[2].x = missing ? 0.5f * (s[0].x + s[1].x) : c3[0] - c[0];
    s[2].y = missing ? 0.5f * (s[0].y + s[1].y) : c3[1] - c[1];

    float length[3];
    for (int k = 0; k < 3; k++) {
        length[k] = sqrtf(s[k].x * s[k].x + s[k].y * s[k].y);
    }
    const float total = length[0] + length[1] + length[2];
    for (int k = 0; k < 3; k++) {
        s[k].weight = total / length[k];
        s[k].x *= s[k].weight;
        s[k].y *= s[k].weight;
    }
}

/* q: minimum and maximum of each variable over the cell and its neighbours, for the limiter. */
static inline void compute_gradient(const float *in, const float *in1, const float *in2,
                                    const float *in3, const float *center, const float *center1,
                                    const float *center2, const float *center3, float *q,
                                    float *gradient)
{
    struct spoke s[3];
    make_spokes(s, center, center1, center2, center3);
    float xx = 0.0f;
    float xy = 0.0f;
    float yy = 0.0f;
    for (int k = 0; k < 3; k++) {
        xx += s[k].x * s[k].x;
        xy += s[k].x * s[k].y;
        yy += s[k].y * s[k].y;
    }
    const float determinant = xx * yy - xy * xy;

    int valid = in[0] > EPS;
    for (int v = 0; v < 4; v++) {
        const float d1 = s[0].weight * (in1[v] - in[v]);
        const float d2 = s[1].weight * (in2[v] - in[v]);
        const float d3 = s[2].weight * (in3[v] - in[v]);
        const float x = s[0].x * d1 + s[1].x * d2 + s[2].x * d3;
        const float y = s[0].y * d1 + s[1].y * d2 + s[2].y * d3;
        gradient[2 * v] = (yy * x - xy * y) / determinant;
        gradient[2 * v + 1] = (xx * y - xy * x) / determinant;
        valid = valid && !isnan(gradient[2 * v]) && !isnan(gradient[2 * v + 1]);
        q[2 * v] = fminf(fminf(in[v], in1[v]), fminf(in2[v], in3[v]));
        q[2 * v + 1] = fmaxf(fmaxf(in[v], in1[v]), fmaxf(in2[v], in3[v]));
    }
    for (int i = 0; i < 8; i++) {
        gradient[i] = valid ? gradient[i] : 0.0f;
    }
}

#endif
