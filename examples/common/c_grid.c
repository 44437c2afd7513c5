/* c_grid.c: generates the nodes of the C-shaped grid round the NACA 0012 aerofoil.
 *
 * The plane is opened along the aerofoil and the cut behind it by a square root, so that body and
 * cut become (almost) a straight line; a rectangular grid above that line is squared back:
 *
 *        far field                          j = rows  +-----------------------------+
 *      .------------------                            |                             |
 *     /    ____                  (xi + i eta)^2       |                             |
 *    |   <=aero=>=== cut ===   <-----------------     |      ___---------___        |
 *     \                                       j = 0   +--cut--   aerofoil   --cut---+
 *      `------------------                           i = 0   columns  2*columns  3*columns
 *
 * The aerofoil's image is a cubic spline through 199 of its points. Valid C and C++.
 */
#include "c_grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { UPPER_POINTS = 100, SPLINE_POINTS = 2 * UPPER_POINTS - 1 };

/* A cubic through each pair of neighbouring points, with continuous second derivatives. */
struct spline {
    double x[SPLINE_POINTS];
    double y[SPLINE_POINTS];
    double second[SPLINE_POINTS]; /* second derivative at each point */
};

/* The upper surface at x, chord 1. */
static double naca0012(double x)
{
    return 0.594689181 * (0.298222773 * sqrt(x) - 0.127125232 * x - 0.357907906 * x * x +
                          0.291984971 * x * x * x - 0.105174696 * x * x * x * x);
}

/* The square root of a + ib, b >= 0, in the first quadrant. */
static void complex_root(double a, double b, double *re, double *im)
{
    const double modulus = hypot(a, b);
    if (a >= 0.0) {
        *re = sqrt(0.5 * (modulus + a));
        *im = *re > 0.0 ? b / (2.0 * *re) : 0.0;
    } else {
        *im = sqrt(0.5 * (modulus - a));
        *re = b / (2.0 * *im);
    }
}

/* Points of the opened aerofoil, from the trailing edge below to the trailing edge above. The root
 * is taken round a point just inside the leading edge. */
static void opened_aerofoil(struct spline *spline)
{
    const double pi = 3.14159265358979323846;
    const double focus = 0.0077;
    for (int i = 0; i < UPPER_POINTS; i++) {
        const double angle = pi * i / (2.0 * UPPER_POINTS - 2.0);
        const double x = sin(angle) * sin(angle);
        const double y = i == UPPER_POINTS - 1 ? 0.0 : naca0012(x);
        double re;
        double im;
        complex_root(x - focus, y, &re, &im);
        spline->x[UPPER_POINTS - 1 + i] = re;
        spline->y[UPPER_POINTS - 1 + i] = im;
        spline->x[UPPER_POINTS - 1 - i] = -re;
        spline->y[UPPER_POINTS - 1 - i] = im;
    }
}

/* Finds the second derivatives by Thomas' algorithm. "Not a knot": the third derivative is
 * continuous at the second and the last point but one, which gives the first and the last second
 * derivative from their two neighbours. */
static void spline_fit(struct spline *s)
{
    const int last = SPLINE_POINTS - 1;
    double upper[SPLINE_POINTS];
    for (int i = 1; i < last; i++) {
        const double left = s->x[i] - s->x[i - 1];
        const double right = s->x[i + 1] - s->x[i];
        double below = left;
        double diagonal = 2.0 * (left + right);
        double above = right;
        double value = 6.0 * ((s->y[i + 1] - s->y[i]) / right - (s->y[i] - s->y[i - 1]) / left);
        if (i == 1) {
            diagonal += left * (1.0 + left / right);
            above -= left * left / right;
            below = 0.0;
        }
        if (i == last - 1) {
            diagonal += right * (1.0 + right / left);
            below -= right * right / left;
            above = 0.0;
        }
        const double pivot = diagonal - (i == 1 ? 0.0 : below * upper[i - 1]);
        upper[i] = above / pivot;
        s->second[i] = (value - (i == 1 ? 0.0 : below * s->second[i - 1])) / pivot;
    }
    for (int i = last - 2; i > 0; i--) {
        s->second[i] -= upper[i] * s->second[i + 1];
    }
    double ratio = (s->x[1] - s->x[0]) / (s->x[2] - s->x[1]);
    s->second[0] = s->second[1] * (1.0 + ratio) - s->second[2] * ratio;
    ratio = (s->x[last] - s->x[last - 1]) / (s->x[last - 1] - s->x[last - 2]);
    s->second[last] = s->second[last - 1] * (1.0 + ratio) - s->second[last - 2] * ratio;
}

static double spline_value(const struct spline *s, double x)
{
    int k = 0;
    while (k < SPLINE_POINTS - 2 && x > s->x[k + 1]) {
        k++;
    }
    const double h = s->x[k + 1] - s->x[k];
    const double b = (x - s->x[k]) / h;
    const double a = 1.0 - b;
    return a * s->y[k] + b * s->y[k + 1] +
           ((a * a * a - a) * s->second[k] + (b * b * b - b) * s->second[k + 1]) * h * h / 6.0;
}

/* The value that a mesh file keeps: six decimals. The published results belong to such a mesh. */
static double six_decimals(double value)
{
    char text[64];
    snprintf(text, sizeof text, "%f", value);
    return strtod(text, NULL);
}

const char *c_grid_refusal(int columns, int rows)
{
    if (columns < 1 || rows < 1) {
        return "both numbers must be at least 1";
    }
    return 3LL * columns * rows > C_GRID_MAX_CELLS ? "it is too large" : NULL;
}

void c_grid_nodes(int columns, int rows, double *x)
{
    const int across = 3 * columns + 1;
    struct spline spline;
    opened_aerofoil(&spline);
    spline_fit(&spline);
    for (int i = 0; i < across; i++) {
        const double xi = -3.0 + 6.0 * i / (3.0 * columns);
        const double base = i > columns && i < 2 * columns ? spline_value(&spline, xi) : 0.0;
        for (int j = 0; j <= rows; j++) {
            const double eta = base + (3.0 - base) * j / rows;
            double *node = x + 2 * ((size_t)i + (size_t)j * across);
            node[0] = six_decimals(xi * xi - eta * eta);
            node[1] = six_decimals(2.0 * xi * eta);
        }
    }
}
