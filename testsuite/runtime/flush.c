/* flush.c: every function that shows the program what loops read or write, or changes it, first
 * runs the loops that were called and have not run. */
#include "ring.h"

#include "runtime/exec/exec.h"

#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

static const struct cleave_loop loops[] = {{FLUX_LOOP(5, flux_variants)}};
static const struct cleave_unit ring_unit = {RING_UNIT(CLEAVE_TARGET_OPENMP, 1, loops)};

static int flushes;

static void count(void)
{
    flushes++;
}

#define FLUSHES(call)                                                                              \
    do {                                                                                           \
        flushes = 0;                                                                               \
        call;                                                                                      \
        CHECK(flushes > 0);                                                                        \
        if (flushes == 0) {                                                                        \
            fprintf(stderr, "  %s\n", #call);                                                      \
        }                                                                                          \
    } while (0)
#define DOES_NOT_FLUSH(call)                                                                       \
    do {                                                                                           \
        flushes = 0;                                                                               \
        call;                                                                                      \
        CHECK(flushes == 0);                                                                       \
    } while (0)

static void test_dats(void)
{
    double values[RING];
    op_dat gone = op_decl_dat_temp(points, 1, "double", (double *)NULL, "gone");
    op_arg by_hand = op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW);
    FLUSHES(op_fetch_data(q, values));
    FLUSHES(op_fetch_data_char(q, (char *)values));
    FLUSHES(op_fetch_data_idx(q, values, 0, 3));
    FLUSHES(op_free_dat_temp(op_fetch_data_file_char(q)));
    FLUSHES(op_get_data(q));
    FLUSHES(op_put_data(q));
    FLUSHES(op_download_dat(q));
    FLUSHES(op_upload_dat(q));
    FLUSHES(op_upload_all());
    FLUSHES(op_print_dat_to_txtfile(q, "q.txt"));
    FLUSHES(op_print_dat_to_binfile(q, "q.bin"));
    FLUSHES(op_mpi_halo_exchanges(points, 1, &by_hand));
    FLUSHES(op_mpi_set_dirtybit(1, &by_hand));
    FLUSHES(op_decl_dat_overlay(points, q));
    FLUSHES(op_free_dat_temp(gone));
    /* Programs declare them in every time step: that must not end a sequence of loops. */
    DOES_NOT_FLUSH(gone = op_decl_dat_temp(points, 1, "double", (double *)NULL, "gone"));
}

static void test_mesh(void)
{
    static int map[2 * RING];
    FLUSHES(op_partition("", "", points, NULL, NULL));
    FLUSHES(op_decl_map(edges, points, 2, map, "more"));
}

static void test_constants(void)
{
    gam = 2.5;
    FLUSHES(op_decl_const(1, "double", &gam));
    DOES_NOT_FLUSH(op_decl_const(1, "double", &gam));
}

static void test_times(void)
{
    double cpu;
    double wall;
    FLUSHES(op_timers(&cpu, &wall));
    FLUSHES(op_timing_output());
    FLUSHES(op_timing_output_2_file("times.txt"));
    FLUSHES(op_timings_to_csv("times.csv"));
    FLUSHES(op_printf("%s", ""));
    FLUSHES(op_print(""));
}

static void test_choices(void)
{
    FLUSHES(op_disable_device_execution(false));
    FLUSHES(cleave_force_variant(NULL));
}

/* With nothing that runs it, a call falls back to the sequential loop: after a flush. */
static void test_loops(void)
{
    FLUSHES(call_flux());
}

static void test_fork(void)
{
    pid_t child;
    FLUSHES(child = fork());
    if (child == 0) {
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(void)
{
    cleave_register(&ring_unit);
    start_ring();
    call_flux();
    CHECK(flux_runs == 1);
    cleave_flush_by(count, NULL);
    CLEAVE_ENTER("a test"); /* the holder of the runtime flushes */
    test_dats();
    test_mesh();
    test_constants();
    test_times();
    test_choices();
    test_loops();
    test_fork();
    remove("q.txt");
    remove("q.bin");
    remove("times.txt");
    remove("times.csv");
    FLUSHES(op_exit());
    FLUSHES(cleave_unregister(&ring_unit));
    return CHECK_RESULT();
}
