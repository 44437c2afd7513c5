/* compute_fluxes.h: the flux through an edge. Values of both sides are extrapolated to the middle
 * of the edge, the water is put onto the higher of the two bottoms (hydrostatic reconstruction,
 * Audusse et al. 2004), and Riemann's problem between both is solved by HLLC (Toro 2001).
 */
#ifndef VOLNA_COMPUTE_FLUXES_H
#define VOLNA_COMPUTE_FLUXES_H

#include "constants.h"

#include <math.h>

/* One side of an edge, at its middle. */
struct shore {
    float H;      /* depth */
    float z;      /* bottom, from the lowest one up */
    float un;     /* velocity along the normal, */
    float ut;     /* and along the edge */
    float cell_H; /* depth and bottom of the cell */
    float cell_z;
    float h;      /* depth above the higher of both bottoms */
    float c;      /* speed of waves there */
    float source; /* force of the bottom along the normal: of its step at the edge, */
    float within; /* and of its slope within the cell */
};

/* Extrapolates the values of a cell to x. */
static inline void extrapolate(struct shore *s, const float *cell, float lim, const float *gradient,
                               const float *center, const float *x, const float *normal)
{
    const float dx = x[0] - center[0];
    const float dy = x[1] - center[1];
    float v[4];
    for (int k = 0; k < 4; k++) {
        v[k] = cell[k] + lim * (gradient[2 * k] * dx + gradient[2 * k + 1] * dy);
    }
    const float u1 = v[0] >= THIN ? v[1] / v[0] : 0.0f;
    const float u2 = v[0] >= THIN ? v[2] / v[0] : 0.0f;
    s->H = v[0];
    s->z = v[3] - v[0];
    s->un = u1 * normal[0] + u2 * normal[1];
    s->ut = u2 * normal[0] - u1 * normal[1];
    s->cell_H = cell[0];
    s->cell_z = cell[3] - cell[0];
}

/* Sets the side beyond a boundary: a wall mirrors the velocity; the open sea is at rest, unless the
 * water leaves faster than waves run. */
static inline void beyond(struct shore *out, const struct shore *in, int kind, float zmin)
{
    *out = *in;
    if (kind == EDGE_WALL) {
        out->un = -in->un;
    } else if (sqrtf(in->un * in->un + in->ut * in->ut) < sqrtf(g * in->H)) {
        const float depth = fabsf(zmin) - in->cell_z;
        out->H = depth > 0.0f ? depth : EPS;
        out->z = in->cell_z;
        out->un = 0.0f;
    }
}

/* Puts the water of a side onto the bottom Z. The force of the step is a difference of two
 * products: in a lake at rest the second one cancels the flux to the last bit. */
static inline void reconstruct(struct shore *s, float Z)
{
    s->h = fmaxf(0.0f, s->H + s->z - Z);
    s->c = sqrtf(g * s->h);
    s->source = 0.5f * g * (s->H * s->H) - 0.5f * g * (s->h * s->h);
    s->within = -0.5f * g * (s->H + s->cell_H) * (s->z - s->cell_z);
}

/* Speeds of the two outer waves and of the one between them. */
static inline void wave_speeds(const struct shore *l, const struct shore *r, float *left,
                               float *right, float *middle)
{
    const float u = 0.5f * (l->un + r->un) + l->c - r->c;
    const float c = 0.5f * (l->c + r->c) - 0.25f * (r->un - l->un);
    *left = fminf(l->un - l->c, u - c);
    *right = fmaxf(r->un + r->c, u + c);
    *middle = (*left * r->h * (r->un - *right) - *right * l->h * (l->un - *left)) /
              (r->h * (r->un - *right) - l->h * (l->un - *left));
    if (l->H <= EPS && r->H > EPS) { /* the left side is dry */
        *left = r->un - 2.0f * r->c;
        *right = r->un + r->c;
        *middle = *left;
    }
    if (r->H <= EPS && l->H > EPS) { /* the right side is dry */
        *right = l->un + 2.0f * l->c;
        *left = l->un - l->c;
        *middle = *right;
    }
}

/* flux: water, and momentum in x and y, through the edge from left to right. */
static inline void hllc(const struct shore *l, const struct shore *r, float length,
                        const float *normal, float *flux)
{
    float sl;
    float sr;
    float middle;
    wave_speeds(l, r, &sl, &sr, &middle);
    const float back = fminf(sl, 0.0f);
    const float forth = fmaxf(sr, 0.0f);
    const float width = fmaxf(forth - back, EPS);
    const float t1 = forth / width;
    const float t2 = -back / width;
    const float t3 = forth * back / width;

    const float momentum_l = l->h * l->un;
    const float momentum_r = r->h * r->un;
    const float normal_l = momentum_l * l->un + 0.5f * g * (l->h * l->h);
    const float normal_r = momentum_r * r->un + 0.5f * g * (r->h * r->h);
    float water = t1 * momentum_l + t2 * momentum_r + t3 * (r->h - l->h);
    float along = t1 * normal_l + t2 * normal_r + t3 * (momentum_r - momentum_l);
    float across = water * (middle >= 0.0f ? l->ut : r->ut);
    if (sl >= 0.0f) {
        water = t1 * momentum_l;
        along = t1 * normal_l;
        across = water * l->ut;
    } else if (!(middle >= 0.0f) && !(sr >= 0.0f)) {
        water = t2 * momentum_r;
        along = t2 * normal_r;
        across = water * r->ut;
    }
    water *= length;
    along *= length;
    across *= length;
    flux[0] = water;
    flux[1] = along * normal[0] - across * normal[1];
    flux[2] = along * normal[1] + across * normal[0];
}

static inline void compute_fluxes(const float *left, const float *right, const float *left_lim,
                                  const float *right_lim, const float *length, const float *normal,
                                  const float *middle, const int *boundary,
                                  const float *left_center, const float *right_center,
                                  const float *left_gradient, const float *right_gradient,
                                  float *source, float *flux, float *eigenvalue, const float *zmin)
{
    struct shore l;
    struct shore r;
    extrapolate(&l, left, left_lim[0], left_gradient, left_center, middle, normal);
    if (boundary[0] == EDGE_INNER) {
        extrapolate(&r, right, right_lim[0], right_gradient, right_center, middle, normal);
    } else {
        beyond(&r, &l, boundary[0], zmin[0]);
    }
    const float Z = fmaxf(l.z, r.z);
    reconstruct(&l, Z);
    reconstruct(&r, Z);
    source[0] = l.source * length[0];
    source[1] = r.source * length[0];
    source[2] = l.within * length[0];
    source[3] = r.within * length[0];

    hllc(&l, &r, length[0], normal, flux);
    eigenvalue[0] = fmaxf(fmaxf(fabsf(l.un + l.c), fabsf(l.un - l.c)),
                          fmaxf(fabsf(r.un + r.c), fabsf(r.un - r.c)));
}

#endif
