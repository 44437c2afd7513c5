/* problem.h: the three flows of the miniaero example, and its command line. */
#ifndef MINIAERO_PROBLEM_H
#define MINIAERO_PROBLEM_H

#include "gas.h"
#include "../common/hex_faces.h"
#include "../common/run.h"

enum class boundary { outflow, inflow, slip, no_slip };

struct problem {
    const char *name;
    int n[3];       /* cells along x, y and z */
    double size[3]; /* m */
    double angle;   /* of the ramp, degrees */
    int steps;
    double dt; /* s */
    int order; /* in space: 1 or 2 */
    bool viscous;
    boundary side[HEX_SIDES];
};

/* Reads the command line: each setting that is not given is that of miniAero's own test of the
 * problem. Ends the program with 2 and a message for settings that make no sense. */
void problem_read(problem &problem, run &run, int argc, char **argv);

/* Sets U to the conserved state at the beginning at a point with coordinate x. */
void problem_start(const problem &problem, double x, double *U);

/* Conserved state of the gas that flows onto plate and ramp at 2.5 times the speed of sound. */
constexpr double problem_inflow[gas::variables] = {0.5805, 503.96, 0.0, 0.0, 343750.0};

/* The two states of the shock tube, (rho, u, p). */
struct tube_state {
    double rho, u, p;
};
tube_state tube_left();
tube_state tube_right();

#endif
