/* onera_loops.h: flux summation and local maximum pressure as an ordinary OP2 program. The file
 * that includes it defines the precision: the type real, its name REAL, real_max, and the name of
 * the function, run_real. */
#include "onera.h"

#include <math.h>
#include <stdlib.h>

#include "op_seq.h"

#include "kernels.h"

static op_set faces, volumes;
static op_map f2c;
static op_dat flux, res, ps, pmax;

static void declare(const struct volumes *mesh, int variables)
{
    const size_t values = (size_t)mesh->faces * (size_t)variables;
    real *value = (real *)malloc((values + (size_t)mesh->volumes) * sizeof *value);
    if (value == NULL) {
        run_failed("onera", "not enough memory for the fluxes of %d faces", mesh->faces);
    }
    faces = op_decl_set(mesh->faces, "faces");
    volumes = op_decl_set(mesh->volumes, "volumes");
    f2c = op_decl_map(faces, volumes, 2, mesh->face, "f2c");
    for (size_t i = 0; i < values; i++) {
        value[i] =
            (real)volumes_flux(mesh, (int)(i / (size_t)variables), (int)(i % (size_t)variables));
    }
    flux = op_decl_dat(faces, variables, REAL, value, "flux");
    for (int v = 0; v < mesh->volumes; v++) {
        value[v] = (real)mesh->pressure[v];
    }
    ps = op_decl_dat(volumes, 1, REAL, value, "ps");
    pmax = op_decl_dat(volumes, 1, REAL, (real *)NULL, "pmax");
    res = op_decl_dat(volumes, variables, REAL, (real *)NULL, "res");
    free(value);
    op_partition("PTSCOTCH", "KWAY", faces, f2c, NULL);
}

static void sum_fluxes_1(void)
{
    op_par_loop(clear_1, "clear_1", volumes, op_arg_dat(res, -1, OP_ID, 1, REAL, OP_WRITE));

    op_par_loop(flux_sum_1, "flux_sum_1", faces, op_arg_dat(flux, -1, OP_ID, 1, REAL, OP_READ),
                op_arg_dat(res, 0, f2c, 1, REAL, OP_INC), op_arg_dat(res, 1, f2c, 1, REAL, OP_INC));
}

static void sum_fluxes_5(void)
{
    op_par_loop(clear_5, "clear_5", volumes, op_arg_dat(res, -1, OP_ID, 5, REAL, OP_WRITE));

    op_par_loop(flux_sum_5, "flux_sum_5", faces, op_arg_dat(flux, -1, OP_ID, 5, REAL, OP_READ),
                op_arg_dat(res, 0, f2c, 5, REAL, OP_INC), op_arg_dat(res, 1, f2c, 5, REAL, OP_INC));
}

static void find_maximum(void)
{
    op_par_loop(start_maximum, "start_maximum", volumes,
                op_arg_dat(ps, -1, OP_ID, 1, REAL, OP_READ),
                op_arg_dat(pmax, -1, OP_ID, 1, REAL, OP_WRITE));

    op_par_loop(local_maximum, "local_maximum", faces, op_arg_dat(ps, 0, f2c, 1, REAL, OP_READ),
                op_arg_dat(ps, 1, f2c, 1, REAL, OP_READ), op_arg_dat(pmax, 0, f2c, 1, REAL, OP_MAX),
                op_arg_dat(pmax, 1, f2c, 1, REAL, OP_MAX));
}

static void total(int variables, struct result *result)
{
    if (variables == 1) {
        op_par_loop(total_1, "total_1", volumes, op_arg_dat(res, -1, OP_ID, 1, REAL, OP_READ),
                    op_arg_gbl(result->sum, 1, "double", OP_INC),
                    op_arg_gbl(result->squares, 1, "double", OP_INC));
    } else {
        op_par_loop(total_5, "total_5", volumes, op_arg_dat(res, -1, OP_ID, 5, REAL, OP_READ),
                    op_arg_gbl(result->sum, 5, "double", OP_INC),
                    op_arg_gbl(result->squares, 5, "double", OP_INC));
    }
    op_par_loop(total_maximum, "total_maximum", volumes,
                op_arg_dat(ps, -1, OP_ID, 1, REAL, OP_READ),
                op_arg_dat(pmax, -1, OP_ID, 1, REAL, OP_READ),
                op_arg_gbl(&result->pmax, 1, "double", OP_INC),
                op_arg_gbl(&result->raised, 1, "int", OP_INC));
}

void run_real(const struct volumes *mesh, int variables, int iterations, struct run *run,
              struct result *result)
{
    declare(mesh, variables);
    run_progress(run, 0, iterations);
    for (int i = 1; i <= iterations; i++) {
        if (variables == 1) {
            sum_fluxes_1();
        } else {
            sum_fluxes_5();
        }
        find_maximum();
        run_progress(run, i, iterations);
    }
    total(variables, result);
}
