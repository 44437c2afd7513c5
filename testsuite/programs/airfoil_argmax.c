/* airfoil_argmax.c: airfoil that reports where its solution changes most, with op_arg_idx and op_arg_info beside a
 * maximum, as OP2's own airfoil does.
 *
 *   airfoil_argmax [COLUMNS ROWS [ITERATIONS [REPEATS]]]   (default: 10 15 20 1)
 *
 * Prints the residual, the largest change and its cell; where REPEATS is above 1, also the median seconds of
 * ITERATIONS without and with that cell, measured in turn.
 */
#include "airfoil.h"

#include "../../examples/airfoil/update.h"

static inline void update_located(const double *qold, double *q, double *res, const double *adt,
                                  double *rms, double *maxerr, int *idx, int *errloc)
{
    const double adti = 1.0 / *adt;
    for (int n = 0; n < 4; n++) {
        const double del = adti * res[n];
        const double square = del * del;
        q[n] = qold[n] - del;
        res[n] = 0.0;
        *rms += square;
        if (square > *maxerr) {
            *maxerr = square;
            *errloc = *idx;
        }
    }
}

struct change {
    double rms, largest;
    int cell;
};

static void iterate(int located, struct change *change)
{
    save_solution();
    for (int k = 0; k < 2; k++) {
        add_fluxes();
        *change = (struct change){0.0, 0.0, -1};
        if (!located) {
            op_par_loop(update, "update", cells, op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_READ),
                        op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_WRITE),
                        op_arg_dat(p_res, -1, OP_ID, 4, "double", OP_RW),
                        op_arg_dat(p_adt, -1, OP_ID, 1, "double", OP_READ),
                        op_arg_gbl(&change->rms, 1, "double", OP_INC),
                        op_arg_gbl(&change->largest, 1, "double", OP_MAX));
            continue;
        }
        op_par_loop(update_located, "update_located", cells,
                    op_arg_dat(p_qold, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(p_q, -1, OP_ID, 4, "double", OP_WRITE),
                    op_arg_dat(p_res, -1, OP_ID, 4, "double", OP_RW),
                    op_arg_dat(p_adt, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(&change->rms, 1, "double", OP_INC),
                    op_arg_gbl(&change->largest, 1, "double", OP_MAX), op_arg_idx(-1, OP_ID),
                    op_arg_info(&change->cell, 1, "int", 5));
    }
}

/* Runs from the free stream; returns the wall time of all but the first iteration. */
static double run(int located, int iterations, struct change *change)
{
    double cpu, begin = 0.0, end;
    start_from_free_stream();
    for (int i = 0; i < iterations; i++) {
        iterate(located, change);
        if (i == 0) {
            op_timers(&cpu, &begin);
        }
    }
    op_timers(&cpu, &end);
    return end - begin;
}

int main(int argc, char **argv)
{
    struct options options;
    double seconds[2][MOST_REPEATS];
    struct change change[2];
    begin_airfoil(&options, argc, argv);
    declare_work(0);
    for (int r = 0; r < options.repeats; r++) {
        for (int located = 0; located < 2; located++) {
            seconds[located][r] = run(located, options.iterations, &change[located]);
        }
    }
    op_printf("rms %.12e largest change %.12e in cell %d\n", change[1].rms, change[1].largest,
              change[1].cell);
    report_times("without", seconds[0], "with its cell", seconds[1], &options);
    op_exit();
    return 0;
}
