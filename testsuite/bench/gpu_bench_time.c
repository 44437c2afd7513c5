/* gpu_bench_time.c: the clock of the calls: all that these programs need of the runtime's inside.
 */
#include "gpu_bench.h"
#include "runtime/exec/exec.h"

const char *gpu_bench_device(void)
{
    return cleave_device != NULL ? cleave_device->device() : "host";
}

const char *gpu_bench_target(void)
{
    return cleave_device != NULL ? "cuda" : "openmp";
}

void gpu_bench_deterministic(int on)
{
    static int asked = -1;
    asked = asked < 0 ? cleave_settings.deterministic : asked;
    cleave_settings.deterministic = on || asked;
    cleave_generation++;
}

static double known(double seconds)
{
    if (seconds < 0.0) {
        cleave_fatal("a call cannot be timed on %s: %s", cleave_device->device(),
                     cleave_device->last_error());
    }
    return seconds;
}

/* Between two marks in the device's stream, behind a call that is not timed: while that one runs,
 * the host has time to send the timed one, so that no gap between them is counted.
 * Of loops with reductions until the host has what they reduce: nothing runs before these. */
static double time_between_marks(void (*run)(void))
{
    int failed = cleave_device->mark(TARGET_OWN_MARKS);
    run();
    failed |= cleave_device->mark(TARGET_OWN_MARKS + 1);
    const double seconds = cleave_device->elapsed(TARGET_OWN_MARKS, TARGET_OWN_MARKS + 1);
    return known(failed ? -1.0 : seconds);
}

static double time_on_device(void (*run)(void))
{
    run();
    return time_between_marks(run);
}

double gpu_bench_time_remade(void (*run)(void))
{
    size_t bytes;
    if (cleave_device == NULL) {
        return 0.0;
    }
    run();
    const long before = cleave_copies_made(&bytes);
    for (struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        dat->version = cleave_dat_next_version();
    }
    const double seconds = time_between_marks(run);
    return cleave_copies_made(&bytes) > before ? seconds : 0.0;
}

double gpu_bench_time_kernels(void (*before)(void), void (*run)(void))
{
    const int timing = cleave_settings.timing;
    before();
    cleave_settings.timing = 1;
    run();
    cleave_settings.timing = timing;
    return known(cleave_timers_last());
}

static double time_on_host(void (*run)(void))
{
    double cpu, start, end;
    op_timers(&cpu, &start);
    run();
    op_timers(&cpu, &end);
    return end - start;
}

double gpu_bench_time_call(void (*run)(void), int on_device)
{
    return on_device && cleave_device != NULL ? time_on_device(run) : time_on_host(run);
}
