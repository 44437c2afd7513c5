/* watch.c: a program reads and writes dat->data between loops without asking, where loops work on
 * another copy: in the runtime's order on the host, or on a device. It finds the present values,
 * what it writes counts, and faults of its own stay its own. */
#include "ring.h"

#include "runtime/exec/exec.h"

#include "check.h"
#include "child.h"
#include "fake_device.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct cleave_loop host_loops[] = {{FLUX_LOOP(3, flux_variants)}};
static const struct cleave_variant device_variants[] = {
    {"flux_fused_atomic", CLEAVE_FUSED, 0, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_atomic_run, 0, 0, &threads, NULL, 0, NULL, NULL, NULL, 0, 1, 0}};
static const struct cleave_loop device_loops[] = {{FLUX_LOOP(1, device_variants)}};
static const struct cleave_unit host_unit = {RING_UNIT(CLEAVE_TARGET_OPENMP, 1, host_loops)};
static const struct cleave_unit device_unit = {RING_UNIT(CLEAVE_TARGET_CUDA, 1, device_loops)};

static int entry[2 * RING];
static double value[RING];    /* what q holds */
static double expected[RING]; /* what res holds */
static double *q_data;
static double *res_data;

/* A ring through points in no order. */
static void start(void)
{
    op_init(0, NULL, 0);
    for (int e = 0; e < RING; e++) {
        entry[2 * e] = e * 387 % RING;
        entry[2 * e + 1] = (e + 1) * 387 % RING;
        value[e] = 0.25 * (e % 17) + 1.0;
        expected[e] = 0.0;
    }
    points = op_decl_set(RING, "points");
    edges = op_decl_set(RING, "edges");
    ends = op_decl_map(edges, points, 2, entry, "ends");
    q = op_decl_dat(points, 1, "double", value, "q");
    res = op_decl_dat(points, 1, "double", (double *)NULL, "res");
    op_decl_const(1, "double", &gam);
    q_data = (double *)(void *)q->data; /* as programs keep them */
    res_data = (double *)(void *)res->data;
    uploads = downloads = 0;
}

/* The loop, and what it makes of what we know. */
static void flux_both(void)
{
    call_flux();
    for (int e = 0; e < RING; e++) {
        flux(&value[entry[2 * e]], &value[entry[2 * e + 1]], &expected[entry[2 * e]],
             &expected[entry[2 * e + 1]]);
    }
}

static int is_right(void)
{
    for (int p = 0; p < RING; p++) {
        if (fabs(res_data[p] - expected[p]) > 1e-12 * (1.0 + fabs(expected[p]))) {
            return 0;
        }
    }
    return 1;
}

static void read_and_write(void)
{
    flux_both();
    CHECK(is_right()); /* read without asking */
    flux_both();
    flux_both();
    CHECK(is_right());
    for (int p = 0; p < RING; p++) { /* written, both a dat that loops modify and one they read */
        value[p] = q_data[p] = 0.5 * p;
        expected[p] = res_data[p] = -1.0 * p;
    }
    flux_both();
    CHECK(is_right());
    res_data[7] += 3.0; /* written and read at once */
    expected[7] += 3.0;
    flux_both();
    CHECK(is_right());
    memset(res_data, 0, RING * sizeof *res_data); /* not looked at before */
    memset(expected, 0, sizeof expected);
    flux_both();
    op_fetch_data(res, res_data); /* into itself */
    CHECK(is_right());
}

/* op_put_data keeps what loops computed if the program has not touched dat->data since. */
static void written_without_reading(void)
{
    const int zeros = open("/dev/zero", O_RDONLY);
    flux_both();
    op_put_data(res);
    CHECK(is_right());
    flux_both();
    op_upload_dat(res);
    CHECK(is_right());
    flux_both();
    res->dirty_hd = 1;
    res_data[3] = expected[3] = 4.0;
    CHECK(is_right());
    flux_both();
    op_put_data(res); /* before a system call that writes a part */
    CHECK(zeros >= 0 && read(zeros, res_data, 80) == 80);
    memset(expected, 0, 80);
    flux_both();
    CHECK(is_right());
    close(zeros);
}

static void overlay_too(void)
{
    op_set other = op_decl_set(RING, "other");
    op_dat over = op_decl_dat_overlay(other, res);
    flux_both();
    CHECK(((double *)(void *)over->data)[3] == res_data[3] && is_right());
    ((double *)(void *)over->data)[3] = expected[3] = 5.0;
    flux_both();
    CHECK(is_right());
}

static volatile int flushes; /* faults count, too */

static void count_flush(void)
{
    flushes++;
}

/* Loops that were called and have not run do so before the program sees a value. */
static void flushed(void)
{
    flux_both();
    CLEAVE_ENTER("a test"); /* the holder of the runtime flushes */
    cleave_flush_by(count_flush, NULL);
    flushes = 0;
    CHECK(is_right() && flushes == 1);
    CHECK(is_right() && flushes == 1);
    res_data[3] = expected[3] = 6.0;
    CHECK(flushes == 2);
    cleave_queue_start();
}

/* A loop that reads one dat of an overlay and modifies another: no copies of them can be right. */
static void overlay_in_one_loop(void)
{
    op_dat own = q;
    const int runs = flux_runs;
    q = op_decl_dat_overlay(points, res);
    call_flux();
    CHECK(flux_runs == runs);
    for (int e = 0; e < RING; e++) {
        flux(&expected[entry[2 * e]], &expected[entry[2 * e + 1]], &expected[entry[2 * e]],
             &expected[entry[2 * e + 1]]);
    }
    CHECK(is_right());
    q = own;
    flux_both();
    CHECK(flux_runs == runs + 1 && is_right());
}

static void test_own_order(void)
{
    setenv("CLEAVE_BACKEND", "openmp", 1);
    setenv("CLEAVE_RENUMBER", "on", 1);
    start();
    read_and_write();
    written_without_reading();
    CHECK(cleave_set_of(points)->to_user != NULL);
    flushed();
    overlay_too();
    memset(res_data, 0, RING * sizeof *res_data);
    memset(expected, 0, sizeof expected);
    flux_both();
    overlay_in_one_loop();
    op_exit();
    setenv("CLEAVE_VERIFY", "1", 1);
    start();
    read_and_write();
    op_exit();
    unsetenv("CLEAVE_VERIFY");
    unsetenv("CLEAVE_RENUMBER");
    start();
    read_and_write(); /* the program's order: loops work on dat->data itself */
    CHECK(cleave_set_of(points)->to_user == NULL);
    CHECK(cleave_dat_of(res)->watch == WATCH_OPEN);
    op_exit();
    unsetenv("CLEAVE_BACKEND");
}

static void test_device(void)
{
    start();
    flux_both();
    CHECK(downloads == 0);
    CHECK(is_right() && is_right() && downloads == 1);
    uploads = 0;
    flux_both();
    CHECK(uploads == 0); /* what was only read is not copied again */
    value[9] = q_data[9] = 2.5;
    flux_both();
    CHECK(uploads == 1);
    CHECK(is_right() && downloads == 2);
    op_exit();
    start();
    read_and_write();
    written_without_reading();
    overlay_too();
    op_exit();
    CHECK(in_use == 0);
}

/* Off, the program has to say what it does; dirty_hd is OP2's word for op_put_data. */
static void test_off(void)
{
    setenv("CLEAVE_WATCH", "off", 1);
    start();
    unsetenv("CLEAVE_WATCH");
    flux_both();
    CHECK(!is_right());
    op_get_data(res);
    CHECK(is_right());
    value[9] = q_data[9] = 2.5;
    q->dirty_hd = 1;
    flux_both();
    CHECK(q->dirty_hd == 0);
    op_get_data(res);
    CHECK(is_right());
    /* Zeros in pages of their own, for the device's sake: nobody protects them. */
    op_dat large = op_decl_dat(op_decl_set(100000, "large"), 1, "double", (double *)NULL, "large");
    cleave_dat_on_device(large, 0);
    cleave_dat_written(large, COPY_DEVICE);
    CHECK(cleave_dat_of(large)->mapped && cleave_dat_of(large)->watch == WATCH_OPEN);
    op_exit();
}

/* ---- threads of the program ---------------------------------------------------------------- */

static void *sum_all(void *sum)
{
    for (int p = 0; p < RING; p++) {
        *(double *)sum += res_data[p] * res_data[p];
    }
    return NULL;
}

static void test_threads(void)
{
    start();
    for (int round = 0; round < 50; round++) {
        pthread_t thread[4];
        double sum[4] = {0};
        flux_both();
        for (int t = 0; t < 4; t++) {
            CHECK(pthread_create(&thread[t], NULL, sum_all, &sum[t]) == 0);
        }
        for (int t = 0; t < 4; t++) {
            pthread_join(thread[t], NULL);
        }
        CHECK(sum[0] == sum[1] && sum[1] == sum[2] && sum[2] == sum[3] && sum[0] > 0.0);
    }
    CHECK(is_right() && downloads == 50);
    op_exit();
}

static void upload(void)
{
    op_put_data(q);
    cleave_dat_current(q, COPY_DEVICE);
}

static void declare_and_free(void)
{
    op_free_dat_temp(op_decl_dat_temp(points, 1, "double", (double *)NULL, "temporary"));
}

/* One thread looks at what a loop made while another one changes the state of other dats: that
 * waits until the first has its values. */
static void test_threads_apart(void)
{
    static void (*const work[])(void) = {upload, declare_and_free, call_flux};
    for (size_t w = 0; w < sizeof work / sizeof work[0]; w++) {
        pthread_t thread;
        double sum = 0.0;
        start();
        flux_both();
        moves_in.tv_nsec = 20000000;
        CHECK(pthread_create(&thread, NULL, sum_all, &sum) == 0);
        while (__atomic_load_n(&moving, __ATOMIC_SEQ_CST) == 0 &&
               __atomic_load_n(&downloads, __ATOMIC_SEQ_CST) == 0) {
            sched_yield();
        }
        work[w]();
        CHECK(__atomic_load_n(&moving, __ATOMIC_SEQ_CST) == 0);
        moves_in.tv_nsec = 0;
        pthread_join(thread, NULL);
        CHECK(work[w] == call_flux || (downloads == 1 && is_right()));
        op_exit();
    }
}

static int has_stdout;

static void *write_with_lock(void *sum)
{
    const struct timespec launch_speaks = {0, 50000000};
    flockfile(stdout);
    __atomic_store_n(&has_stdout, 1, __ATOMIC_SEQ_CST);
    nanosleep(&launch_speaks, NULL);
    sum_all(sum);
    funlockfile(stdout);
    return NULL;
}

/* One thread has locked stdout when it finds an old dat->data, as fwrite() does, while another
 * one's launch has something to say. */
static void test_thread_writes(void)
{
    pthread_t thread;
    double sum = 0.0;
    start();
    flux_both();
    cleave_settings.deterministic = 1; /* the device has only an atomic variant, which is said */
    cleave_generation++;
    alarm(60); /* both waited for the other */
    CHECK(pthread_create(&thread, NULL, write_with_lock, &sum) == 0);
    while (__atomic_load_n(&has_stdout, __ATOMIC_SEQ_CST) == 0) {
        sched_yield();
    }
    call_flux();
    pthread_join(thread, NULL);
    alarm(0);
    op_exit();
}

/* ---- faults of the program ----------------------------------------------------------------- */

/* How a program ends after it: AddressSanitizer reports it and exits. */
#ifdef __SANITIZE_ADDRESS__
enum { AFTER_FAULT = 1 };
#else
enum { AFTER_FAULT = 128 + SIGSEGV };
#endif

static int *volatile nowhere = (int *)4096; /* UBSan looks at null pointers itself */

static void fault(void)
{
    start();
    flux_both();
    exit(is_right() ? *nowhere : 3);
}

static void own_handler(int signal_number)
{
    (void)signal_number;
    _exit(42);
}

static void handled_fault(void)
{
    signal(SIGSEGV, own_handler);
    fault();
}

static void sent_signal(void)
{
    start();
    flux_both();
    raise(SIGSEGV);
    exit(is_right() ? 0 : 3);
}

static void ignored_signal(void)
{
    signal(SIGSEGV, SIG_IGN);
    sent_signal();
}

static sigjmp_buf again;

static void mask_handler(int signal_number)
{
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    CHECK(sigismember(&now, signal_number) == 1 && sigismember(&now, SIGUSR1) == 1);
    siglongjmp(again, 1);
}

/* Its handler is asked for once, with another signal blocked; the second fault ends the program. */
static void fault_twice(void)
{
    struct sigaction action = {.sa_handler = mask_handler, .sa_flags = (int)SA_RESETHAND};
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGSEGV, &action, NULL);
    start();
    flux_both();
    if (sigsetjmp(again, 1) == 0 && is_right()) {
        exit(*nowhere);
    }
    if (CHECK_RESULT() == 0) {
        exit(*nowhere);
    }
}

/* Memory for an alternate signal stack, of which a page is used up by one transfer of the device.
 */
static void small_stack(void)
{
    const size_t page = 4096;
    const size_t bytes = (getauxval(AT_MINSIGSTKSZ) + page + 4096) / page * page;
    char *memory =
        mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t signals = {.ss_sp = memory + page, .ss_size = bytes};
    CHECK(memory != MAP_FAILED && mprotect(memory, page, PROT_NONE) == 0);
    CHECK(sigaltstack(&signals, NULL) == 0);
}

static int deeper(volatile char *from, int left)
{
    volatile char frame[4096];
    frame[0] = from[0];
    return left > 0 ? deeper(frame, left - 1) + frame[0] : 0;
}

/* A handler for the overflow of the stack, as programs have it that want to say so: the runtime's
 * work needs more than its stack. */
static void overflow(void)
{
    struct sigaction action = {.sa_handler = own_handler, .sa_flags = SA_ONSTACK};
    char first = 0;
    small_stack();
    sigaction(SIGSEGV, &action, NULL);
    start();
    read_and_write();
    exit(CHECK_RESULT() == 0 ? deeper(&first, 1 << 20) : 3);
}

static void test_faults(void)
{
    char said[256];
    CHECK(child_run(fault, said, sizeof said) == AFTER_FAULT);
    CHECK(child_run(handled_fault, said, sizeof said) == 42);
    CHECK(child_run(ignored_signal, said, sizeof said) == 0);
    CHECK(child_run(sent_signal, said, sizeof said) == AFTER_FAULT);
    CHECK(child_run(fault_twice, said, sizeof said) == 128 + SIGSEGV);
    CHECK(child_run(overflow, said, sizeof said) == 42);
}

/* Large pages are protected and brought as small ones are. */
static void test_large_pages(void)
{
    enum { PAGE = 2 << 20, COUNT = 2 * PAGE / sizeof(double) + 1000, AT = 300000 };
    static double values[COUNT];
    op_init(0, NULL, 0);
    for (int i = 0; i < COUNT; i++) {
        values[i] = i;
    }
    op_dat dat = op_decl_dat(op_decl_set(COUNT, "many"), 1, "double", values, "large");
    double *data = (double *)(void *)dat->data;
    CHECK((uintptr_t)data % PAGE == 0 && memcmp(data, values, sizeof values) == 0);
    cleave_dat_on_device(dat, 0);
    cleave_dat_written(dat, COPY_DEVICE); /* as by a loop */
    data[AT] = 0.5;
    values[AT] = 0.5;
    CHECK(memcmp(data, values, sizeof values) == 0);
    CHECK(memcmp(cleave_dat_on_device(dat, 0), values, sizeof values) == 0);
    op_exit();
    CHECK(in_use == 0);
}

int main(void)
{
    target_provide(&ops);
    cleave_register(&device_unit);
    cleave_register(&host_unit);
    test_faults(); /* first: children have the signal handler of their parent */
    test_own_order();
    test_device();
    test_off();
    test_threads();
    test_threads_apart();
    test_thread_writes();
    test_large_pages();
    return CHECK_RESULT();
}
