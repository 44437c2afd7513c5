/* cxx.cpp: what C++ kernels use: references, std::max, constexpr, records with initialisers. */
#include "op_seq.h"

#include <algorithm>
#include <cmath>

static op_set cells, edges;
static op_map map;
static op_dat p_q, p_r, p_d;

struct point {
    double x;
    double y;
};

static inline double dot(const point &a, const point &b)
{
    return a.x * b.x + a.y * b.y;
}

static inline void turn(point &p, double by)
{
    const double old = p.x;
    p.x = by * p.y;
    p.y = -by * old;
}

static inline void limit(double &value, const double &most)
{
    if (value > most)
        value = most;
}

static void references(const double *a, const double *b, double *ra, double *rb)
{
    constexpr int n = 2;
    point p{a[0], a[1]}, q = {b[0], b[1]};
    turn(p, 2.0);
    const double &first = a[2];
    double &sum = ra[2];
    double flux = dot(p, q) + std::max(first, b[2]);
    limit(flux, 3.0);
    for (int k = 0; k < n; k++) {
        ra[k] += flux * (k + 1);
        rb[k] -= flux * (k + 1);
    }
    sum += std::abs(flux) + std::min(p.x, 1.0);
}

static void raise(const double *a, double *most)
{
    most[0] = std::max(most[0], a[0]);
    most[1] = std::max(a[1], most[1]);
    double &place = most[2];
    if (place < a[2])
        place = a[2];
}

int main()
{
    op_par_loop(references, "references", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 0, map, 4, "double", OP_INC),
                op_arg_dat(p_r, 1, map, 4, "double", OP_INC));
    op_par_loop(raise, "raise", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 4, "double", OP_MAX));
    return 0;
}
