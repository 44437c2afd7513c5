/* queue_flush.c: that everything which looks at the results of launches starts those that wait
 * first, in any thread, and that errors name the right loop. */
#include <pthread.h>
#include <semaphore.h>

#include "child.h"
#include "queue_loops.h"

/* Lets the sequence come so often that a graph is made of it; then begins it, so that launches
 * wait. The machine may be busy, which ends sequences: tries again. */
static void wait_in_queue(void)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        cleave_generation++;
        for (int i = 0; i < 5; i++) {
            sequence();
        }
        const int before = runs;
        steps(SOME);
        if (runs == before) {
            return;
        }
        cleave_flush();
    }
    CHECK(!"launches wait");
}

#define STARTS(call)                                                                               \
    do {                                                                                           \
        wait_in_queue();                                                                           \
        const int before = runs;                                                                   \
        call;                                                                                      \
        CHECK(runs == before + SOME);                                                              \
        if (runs != before + SOME) {                                                               \
            fprintf(stderr, "  %d runs: %s\n", runs - before, #call);                              \
        }                                                                                          \
    } while (0)

static void not_compiled(void)
{
    double all = 0.0;
    op_par_loop(total, "not compiled", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&all, 1, "double", OP_INC));
}

static void declare_gain(double value)
{
    gain = value;
    op_decl_const(1, "double", &gain);
}

static void test_flushes(void)
{
    double *values = calloc(CELLS, sizeof *values);
    double cpu;
    double wall;
    op_arg by_hand;
    start();
    op_dat gone = op_decl_dat_temp(cells, 1, "double", (double *)NULL, "gone");
    by_hand = op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW);
    STARTS(op_fetch_data(x, values); CHECK(values[CELLS - 1] == expected));
    STARTS(op_fetch_data_idx(x, values, 3, 3); CHECK(values[0] == expected));
    STARTS(op_get_data(x); CHECK(((double *)(void *)x->data)[7] == expected));
    STARTS(op_put_data(x));
    STARTS(op_download_dat(x));
    STARTS(op_upload_dat(x));
    STARTS(op_upload_all());
    STARTS(op_print_dat_to_txtfile(x, "/dev/null"));
    STARTS(op_mpi_halo_exchanges(cells, 1, &by_hand); op_mpi_set_dirtybit(1, &by_hand));
    STARTS(op_timers(&cpu, &wall));
    STARTS(op_timing_output_2_file("/dev/null"));
    STARTS(op_printf("%s", ""));
    STARTS(op_print(""));
    STARTS(op_profile_enter("a section"));
    STARTS(op_profile_exit());
    STARTS(op_free_dat_temp(gone));
    STARTS(op_partition("", "", cells, NULL, NULL));
    STARTS(next = op_decl_map(cells, cells, 1, next->map, "more"));
    STARTS(gone = op_decl_dat_overlay(cells, x));
    STARTS(cleave_force_variant(NULL));
    STARTS(op_disable_device_execution(false));
    STARTS(declare_gain(0.25));
    STARTS(not_compiled());
    CHECK(is_right());
    STARTS(op_exit());
    free(values);
}

/* Reading the times of earlier launches starts none. */
static void test_times(void)
{
    start();
    wait_in_queue();
    const int before = runs;
    const int timed = marks;
    cleave_timers_poll(1);
    cleave_timers_collect();
    CHECK(timed > 0 && marks == timed);
    CHECK(runs == before);
    CHECK(is_right());
    CHECK(runs == before + SOME);
    op_exit();
}

static double value_elsewhere;

static void *look(void *nothing)
{
    value_elsewhere = ((double *)(void *)x->data)[CELLS - 1];
    return nothing;
}

/* A thread that calls no function of the runtime reads what waits in the queue of another. */
static void test_threads(void)
{
    pthread_t thread;
    start();
    STARTS(pthread_create(&thread, NULL, look, NULL); pthread_join(thread, NULL));
    CHECK(value_elsewhere == expected);
    STARTS(CHECK(((double *)(void *)x->data)[0] == expected));
    op_exit();
}

static sem_t taken;

/* Writes from dat->data, as a program may, which fetches it. */
static void *write_from_dat(void *file)
{
    flockfile(file);
    sem_post(&taken);
    value_elsewhere = ((double *)(void *)x->data)[1];
    funlockfile(file);
    return NULL;
}

/* Messages of a thread that holds the state of dats do not wait for a stream that such a thread
 * holds. */
static void test_streams(void)
{
    FILE *const streams[] = {stderr, stdout};
    start();
    for (int s = 0; s < 2; s++) {
        pthread_t thread;
        sequence();
        sem_init(&taken, 0, 0);
        cleave_dats_hold();
        pthread_create(&thread, NULL, write_from_dat, streams[s]);
        sem_wait(&taken);
        alarm(20); /* they would wait for ever */
        cleave_note("stream %d is not waited for", s);
        cleave_print("stream %d is not waited for\n", s);
        alarm(0);
        cleave_dats_release();
        pthread_join(thread, NULL);
        CHECK(value_elsewhere == expected);
    }
    op_exit();
}

/* The child sees what the parent had called, and the parent goes on. */
static void test_fork(void)
{
    int status = 1;
    pid_t child = -1;
    start();
    STARTS(child = fork(); if (child == 0) { _exit(is_right() ? 0 : 3); });
    CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 0);
    sequence();
    CHECK(is_right());
    op_exit();
}

/* A global that a loop reads lies in a dat whose values wait in the queue. */
static void test_globals(void)
{
    start();
    op_dat y = op_decl_dat(cells, 1, "double", (double *)NULL, "y");
    STARTS(op_dat keep = x; double *add = (double *)(void *)x->data + 5; x = y; LOOP(STEP);
           op_get_data(y); runs--; x = keep);
    CHECK(((double *)(void *)y->data)[3] == expected && is_right());
    op_exit();
}

/* A library that is closed takes its code along. */
static void test_unit(void)
{
    start();
    STARTS(cleave_unregister(&unit));
    CHECK(is_right() && graphs == 0);
    cleave_register(&unit);
    sequence();
    op_exit();
}

/* The site of the loop, not that of the function that flushes. */
static void failing_launch(void)
{
    start();
    wait_in_queue();
    fails_at = runs + 1;
    op_get_data(x);
}

static void test_errors(void)
{
    char said[4096];
    CHECK(child_run(failing_launch, said, sizeof said) == 1);
    CHECK(strstr(said, "error: loop 'step' (") != NULL);
    CHECK(strstr(said, "queue_loops.h:") != NULL);
    CHECK(strstr(said, "'step_run' failed on a test device: as the test wishes") != NULL);
}

int main(void)
{
    provide();
    test_errors(); /* before a child has lost the device */
    test_flushes();
    test_times();
    test_threads();
    test_streams();
    test_globals();
    test_unit();
    test_fork();
    return CHECK_RESULT();
}
