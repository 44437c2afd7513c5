/* airfoil_temporary.c: airfoil whose qold, adt and res live for one iteration: they are declared and
 * freed in every time step, as larger OP2 programs do with their work arrays. Kernels and mesh are the
 * airfoil example's.
 *
 *   airfoil_temporary [COLUMNS ROWS [ITERATIONS [REPEATS]]]   (default: 10 15 20 1)
 *
 * Prints the residual of both forms, which must agree to rounding, and, where REPEATS is above 1, the
 * median seconds of ITERATIONS in each form, measured in turn.
 */
#include "airfoil.h"

#include "../../examples/airfoil/update.h"

static void free_work(void)
{
    op_free_dat_temp(p_qold);
    op_free_dat_temp(p_adt);
    op_free_dat_temp(p_res);
}

static void iterate(double *rms, double *maxerr)
{
    save_solution();
    for (int k = 0; k < 2; k++) {
        add_fluxes();
        *rms = 0.0;
        *maxerr = 0.0;
        op_par_loop(update, "update", cells,
                    op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_WRITE),
                    op_arg_dat(p_res, -1, OP_ID, 4, "double", OP_RW),
                    op_arg_dat(p_adt, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(rms, 1, "double", OP_INC),
                    op_arg_gbl(maxerr, 1, "double", OP_MAX));
    }
}

/* Runs from the free stream; returns the residual, and the wall time of all but the first iteration. */
static double run(int temporary, int iterations, double *seconds)
{
    double cpu, begin = 0.0, end, rms = 0.0, maxerr = 0.0;
    start_from_free_stream();
    for (int i = 0; i < iterations; i++) {
        if (temporary || i == 0) {
            declare_work(temporary);
        }
        iterate(&rms, &maxerr);
        if (temporary) {
            free_work();
        }
        if (i == 0) {
            op_timers(&cpu, &begin);
        }
    }
    op_timers(&cpu, &end);
    *seconds = end - begin;
    return sqrt(rms / (double)op_get_size(cells));
}

int main(int argc, char **argv)
{
    struct options options;
    double seconds[2][MOST_REPEATS], rms[2] = {0.0, 0.0};
    begin_airfoil(&options, argc, argv);
    for (int r = 0; r < options.repeats; r++) {
        for (int temporary = 0; temporary < 2; temporary++) {
            rms[temporary] = run(temporary, options.iterations, &seconds[temporary][r]);
        }
    }
    op_printf("rms plain %.12e temporary %.12e\n", rms[0], rms[1]);
    report_times("plain", seconds[0], "temporary", seconds[1], &options);
    op_exit();
    return fabs(rms[1] - rms[0]) > 1e-11 * rms[0];
}
