/* speculate.c: time steps that become a group, which is launched while the host still waits for the
 * reduction of the step before. All values are small integers, whose sums have no rounding. */
#include "speculate.h"

op_set points, edges;
op_map ends;
op_dat p_q, p_old, p_speed, p_res;
double gain = 1.0;
double dt = 1.0, from;
double sums[2 * 4 * TURNS];
int steps;

static void save(const double *q, double *old)
{
    old[0] = q[0];
    old[1] = q[1];
}

static void speed(const double *q, double *a)
{
    a[0] = 1.0 + fmod(q[0], 7.0) * 2.0;
}

static void flux(const double *q1, const double *q2, const double *a1, const double *a2,
                 double *res1, double *res2)
{
    double f = (q1[0] - q2[0]) * (a1[0] + a2[0]) + gain;
    res1[0] += f;
    res2[0] -= f;
    f = q1[1] + q2[1];
    res1[1] += f;
    res2[1] += f;
}

static void step(const double *old, double *q, double *res, const double *by, double *total,
                 double *largest)
{
    for (int n = 0; n < 2; n++) {
        q[n] = fmod(old[n] + res[n] + by[0], 64.0);
        res[n] = 0.0;
        total[0] += q[n];
    }
    largest[0] = fmax(largest[0], q[0]);
}

void call_save(void)
{
    op_par_loop(save, "save", points, op_arg_dat(p_q, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(p_old, -1, OP_ID, 2, "double", OP_WRITE));
}

void half_step(int loops)
{
    if (loops & SPEED) {
        op_par_loop(speed, "speed", points, op_arg_dat(p_q, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(p_speed, -1, OP_ID, 1, "double", OP_WRITE));
    }
    if (loops & FLUX) {
        op_par_loop(flux, "flux", edges, op_arg_dat(p_q, 0, ends, 2, "double", OP_READ),
                    op_arg_dat(p_q, 1, ends, 2, "double", OP_READ),
                    op_arg_dat(p_speed, 0, ends, 1, "double", OP_READ),
                    op_arg_dat(p_speed, 1, ends, 1, "double", OP_READ),
                    op_arg_dat(p_res, 0, ends, 2, "double", OP_INC),
                    op_arg_dat(p_res, 1, ends, 2, "double", OP_INC));
    }
    if (loops & STEP) {
        double sum = 0.0;
        double most = from;
        op_par_loop(step, "step", points, op_arg_dat(p_old, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(p_q, -1, OP_ID, 2, "double", OP_WRITE),
                    op_arg_dat(p_res, -1, OP_ID, 2, "double", OP_RW),
                    op_arg_gbl(&dt, 1, "double", OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC),
                    op_arg_gbl(&most, 1, "double", OP_MAX));
        sums[2 * steps] = sum;
        sums[2 * steps + 1] = most;
        steps++;
    }
}

void turn(void)
{
    call_save();
    for (int k = 0; k < 2; k++) {
        half_step(ALL);
    }
}
