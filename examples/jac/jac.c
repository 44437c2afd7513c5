/* jac.c: Jacobi's iteration for Laplace's equation on a square, as OP2's jac1 and jac2: the
 * smallest program with increments and reductions. An ordinary OP2 program.
 *
 * Each step is u := u + (b - K u) with the edges' coefficients A: one loop over edges adds A u to
 * du, one over nodes corrects u by du and the right-hand side r.
 */
#include "op_seq.h"

#include "jac.h"

/* Two steps on 25 nodes and 105 edges: all values of u are multiples of 1/16. The tolerance depends
 * on the type. */
static struct reference references[] = {
    {"size=6 steps=2", "u_max after 1", 0.5, 0.0, 0.0},
    {"size=6 steps=2", "rms after 1", 0.26457513110645906, 0.0, 0.0}, /* sqrt(0.07) */
    {"size=6 steps=2", "u_max after 2", 0.625, 0.0, 0.0},
    {"size=6 steps=2", "rms after 2", 0.38649062084350766, 0.0, 0.0}, /* sqrt(0.149375) */
    {"size=6 steps=2", "u in the corner", 0.625, 0.0, 0.0},
    {"size=6 steps=2", "u beside the corner", 0.4375, 0.0, 0.0},
    {"size=6 steps=2", "u at the edge", 0.375, 0.0, 0.0},
    {"size=6 steps=2", "u inside the corner", 0.125, 0.0, 0.0},
    {"size=6 steps=2", "u inside the edge", 0.0625, 0.0, 0.0},
    {"size=6 steps=2", "u in the centre", 0.0, 0.0, 0.0},
    {"size=6 steps=2", "asymmetry", 0.0, 0.0, 0.0},
};
enum { REFERENCES = sizeof references / sizeof references[0] };

struct method {
    const char *type;
    void (*solve)(const struct grid *grid, struct run *run, int steps, double *u);
    double tolerance;
};

static const struct method METHODS[] = {
    {"double", jacobi_double, 1e-12},
    {"float", jacobi_float, 1e-6},
    {"mixed", jacobi_mixed, 1e-6},
};

void jacobi_report(const struct grid *grid, struct run *run, int step, double largest, double sum)
{
    char quantity[48];
    snprintf(quantity, sizeof quantity, "u_max after %d", step);
    run_result(run, quantity, largest);
    snprintf(quantity, sizeof quantity, "rms after %d", step);
    run_result(run, quantity, sqrt(sum / grid->nnode));
}

/* The largest difference between nodes that mirror each other; infinity where u is not a number. */
static double asymmetry(const struct grid *grid, const double *u)
{
    const int size = grid->size;
    double largest = 0.0;
    for (int i = 1; i < size; i++) {
        for (int j = 1; j < size; j++) {
            const double here = grid_value(grid, u, i, j);
            const double across = fabs(here - grid_value(grid, u, j, i));
            const double beside = fabs(here - grid_value(grid, u, size - i, j));
            largest = across <= largest ? largest : isnan(across) ? INFINITY : across;
            largest = beside <= largest ? largest : isnan(beside) ? INFINITY : beside;
        }
    }
    return largest;
}

/* One node of each kind, as far as the grid has them. With the symmetry that is the whole result of
 * a grid of six intervals. */
static void report_values(const struct grid *grid, struct run *run, const double *u)
{
    static const struct {
        const char *quantity;
        int i;
        int j;
    } KINDS[] = {
        {"u in the corner", 1, 1},     {"u beside the corner", 2, 1}, {"u at the edge", 3, 1},
        {"u inside the corner", 2, 2}, {"u inside the edge", 3, 2},   {"u in the centre", 3, 3},
    };
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
        if (KINDS[k].i < grid->size && KINDS[k].j < grid->size) {
            run_result(run, KINDS[k].quantity, grid_value(grid, u, KINDS[k].i, KINDS[k].j));
        }
    }
    run_result(run, "asymmetry", asymmetry(grid, u));
}

static const struct method *find_method(const char *type)
{
    const struct method *method = METHODS;
    while (strcmp(method->type, type) != 0) {
        method++;
    }
    for (int k = 0; k < REFERENCES; k++) {
        references[k].relative = method->tolerance;
        references[k].absolute = method->tolerance;
    }
    return method;
}

int main(int argc, char **argv)
{
    int size = 6;
    int steps = 2;
    const char *type = "double";
    const struct option options[] = {
        {"size", OPTION_COUNT, &size, 0, NULL, "intervals of a side: (size - 1)^2 nodes"},
        {"steps", OPTION_COUNT, &steps, 0, NULL, "steps of the iteration"},
        {"type", OPTION_WORD, &type, 0, "double float mixed", "of the numbers"},
    };
    struct run run;
    run_begin(&run, "jac", "Jacobi's iteration for Laplace's equation on a square.", options, 3, 0,
              argc, argv);
    snprintf(run.test, sizeof run.test, "size=%d steps=%d", size, steps);
    const struct method *method = find_method(type);
    run_references(&run, references, REFERENCES);
    struct grid grid;
    grid_generate(&grid, size);
    if (run.shuffle != 0) {
        grid_shuffle(&grid, run.shuffle);
    }
    double *u = malloc((size_t)grid.nnode * sizeof *u);
    if (u == NULL) {
        run_failed("jac", "not enough memory for %d nodes", grid.nnode);
    }
    op_init(argc, argv, 2);
    method->solve(&grid, &run, steps, u);
    op_timing_output();
    report_values(&grid, &run, u);
    const int status = run_finish(&run);
    op_exit();
    free(u);
    grid_free(&grid);
    return status;
}
