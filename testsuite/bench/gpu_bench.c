/* gpu_bench.c: runs a loop in one variant after the other, times it and compares what it gives. */
#include "gpu_bench.h"

#include <fnmatch.h>
#include <unistd.h>

/* Calls before the timed ones: the first makes the plan and loads the kernel. */
enum { WARM_CALLS = 2 };

/* In place of a variant's name: that of CLEAVE_DETERMINISTIC=1. */
static const char deterministic[] = "deterministic";

/* ---- which variants -------------------------------------------------------------------------- */

int gpu_bench_wants(const struct gpu_bench *bench, const char *loop)
{
    char size[32];
    char name[256];
    gpu_bench_size_text(bench, size, sizeof size);
    snprintf(name, sizeof name, "%s/%s/%s/%s", bench->program, size,
             bench->options.shuffled ? "shuffled" : "natural", loop);
    return bench->options.only == NULL || fnmatch(bench->options.only, name, 0) == 0;
}

static int is_chosen(const struct gpu_bench *bench, const char *variant)
{
    int chosen = bench->options.patterns == 0;
    for (int p = 0; p < bench->options.patterns; p++) {
        chosen |= fnmatch(bench->options.pattern[p], variant, 0) == 0;
    }
    return chosen;
}

/* 1: the file that --done names holds the variant already; else it does now. */
static int was_begun(const struct gpu_bench *bench, const char *loop, const char *variant)
{
    char line[256], entry[256];
    int found = 0;
    if (bench->options.done == NULL) {
        return 0;
    }
    FILE *file = fopen(bench->options.done, "a+");
    if (file == NULL) {
        fprintf(stderr, "gpu_bench: --done: '%s': ", bench->options.done);
        perror("");
        exit(2);
    }
    snprintf(entry, sizeof entry, "%s %s\n", loop, variant != NULL ? variant : "default");
    rewind(file);
    while (!found && fgets(line, sizeof line, file) != NULL) {
        found = strcmp(line, entry) == 0;
    }
    if (!found) {
        fputs(entry, file);
    }
    fclose(file);
    return found;
}

static int out_of_time(const struct gpu_bench *bench)
{
    double cpu, now;
    op_timers(&cpu, &now);
    return bench->options.seconds > 0.0 && now - bench->start > bench->options.seconds;
}

/* ---- one variant ----------------------------------------------------------------------------- */

/* One line of the runtime's own table, behind the loop's name; 0: it is none. */
static int read_line(const char *line, struct gpu_bench_result *result)
{
    struct gpu_bench_kernel *kernel = &result->kernel;
    double calls, bytes;
    /* kernel,variant,target,calls,seconds,bytes,gb_per_second,plan_seconds,median_seconds,... */
    if (sscanf(line,
               "%*[^,],%127[^,],%15[^,],%lf,%*[^,],%lf,%*[^,],%*[^,],%*[^,],%d,%d,%d,%d,%d,%d",
               result->variant, result->target, &calls, &bytes, &kernel->block_size,
               &kernel->registers, &kernel->local_bytes, &kernel->static_shared,
               &kernel->dynamic_shared, &kernel->resident_threads) != 10) {
        return 0;
    }
    result->bytes = bytes / calls;
    return 1;
}

/* The variant of the loop's last call, its target and what it takes of it, from the runtime's own
 * table, and the useful bytes of a call as the runtime counts them. */
static void read_record(const char *loop, struct gpu_bench_result *result)
{
    char path[] = "/tmp/gpu_bench.XXXXXX";
    char line[1024];
    const size_t length = strlen(loop);
    const int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    if (file == NULL) {
        perror("gpu_bench: a temporary file in /tmp");
        exit(1);
    }
    op_timings_to_csv(path);
    int found = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, loop, length) == 0 && line[length] == ',') {
            found |= read_line(line + length + 1, result);
        }
    }
    fclose(file);
    unlink(path);
    if (!found) {
        fprintf(stderr, "gpu_bench: loop '%s' is not in the runtime's table of times\n", loop);
        exit(1);
    }
}

/* The two countings are independent: both are wrong when they differ. */
static void check_bytes(struct gpu_bench *bench, const struct gpu_bench_loop *loop, double counted)
{
    if (fabs(counted / loop->bytes - 1.0) > 1e-6) {
        printf("%s: a call moves %.0f useful bytes, the runtime counts %.0f: FAILED\n", loop->name,
               loop->bytes, counted);
        bench->failed = 1;
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median, least and most of `count` times, which get sorted. */
static void spread(double *seconds, int count, double microseconds[3])
{
    qsort(seconds, (size_t)count, sizeof *seconds, by_value);
    microseconds[0] = 1e6 * 0.5 * (seconds[(count - 1) / 2] + seconds[count / 2]);
    microseconds[1] = 1e6 * seconds[0];
    microseconds[2] = 1e6 * seconds[count - 1];
}

static void time_calls(const struct gpu_bench *bench, const struct gpu_bench_loop *loop,
                       struct gpu_bench_result *result)
{
    const int calls = bench->options.calls;
    const int on_device = strcmp(result->target, "cuda") == 0;
    double *seconds = malloc((size_t)calls * sizeof *seconds);
    if (seconds == NULL) {
        fprintf(stderr, "gpu_bench: not enough memory for %d times\n", calls);
        exit(1);
    }
    for (int c = 0; c < calls; c++) {
        seconds[c] = gpu_bench_time_call(loop->run, on_device);
    }
    spread(seconds, calls, result->microseconds);
    if (loop->reduces && on_device) {
        result->waited = result->microseconds[0];
        for (int c = 0; c < calls; c++) {
            seconds[c] = gpu_bench_time_kernels(loop->prepare, loop->run);
        }
        spread(seconds, calls, result->microseconds);
    }
    free(seconds);
}

/* Few calls: a loop whose copies are made again too often goes on without. */
static void time_remade(const struct gpu_bench_loop *loop, struct gpu_bench_result *result)
{
    enum { CALLS = 3 };
    double seconds[CALLS];
    for (int c = 0; c < CALLS; c++) {
        seconds[c] = gpu_bench_time_remade(loop->run);
    }
    double microseconds[3];
    spread(seconds, CALLS, microseconds);
    if (microseconds[1] > 0.0) {
        result->remade = fmax(0.0, microseconds[0] - result->microseconds[0]);
    }
}

/* Returns the worst of the outputs that add up over calls, or of the others. */
static double worst_output(const struct gpu_bench_loop *loop, int adding, double scale)
{
    double worst = 0.0;
    for (int o = 0; o < loop->outputs; o++) {
        if (loop->output[o].adds == adding) {
            worst = fmax(worst, gpu_bench_worst(&loop->output[o], scale));
        }
    }
    return worst;
}

static int calls_made; /* since the last prepare */
static void (*counted_run)(void);

static void run_counted(void)
{
    calls_made++;
    counted_run();
}

/* Starts the runtime's choice among the variants that the pattern lets through: all with NULL. */
static void choose(const char *pattern)
{
    gpu_bench_deterministic(pattern == deterministic);
    cleave_force_variant(pattern != deterministic ? pattern : NULL);
}

static void prepare(const struct gpu_bench_loop *loop)
{
    choose(NULL);
    if (loop->prepare != NULL) {
        loop->prepare();
    }
    calls_made = 0;
    counted_run = loop->run;
}

/* Keeps the fastest variant of the loop, and compares with it what is no variant of its own. */
static void rank(struct gpu_bench *bench, struct gpu_bench_result *result)
{
    struct gpu_bench_result *fastest = &bench->fastest;
    if (result->deterministic) {
        result->of_fastest = fastest->microseconds[0] > 0.0
                                 ? result->microseconds[0] / fastest->microseconds[0]
                                 : 0.0;
    } else if (fastest->microseconds[0] == 0.0 ||
               result->microseconds[0] < fastest->microseconds[0]) {
        *fastest = *result;
    }
}

/* One variant, or with NULL that of the runtime's choice. */
static void measure(struct gpu_bench *bench, const struct gpu_bench_loop *loop, const char *pattern)
{
    struct gpu_bench_result result = {.deterministic = pattern == deterministic};
    struct gpu_bench_loop counted = *loop;
    if (out_of_time(bench)) {
        bench->left_out++;
        return;
    }
    if (was_begun(bench, loop->name, pattern)) {
        return;
    }
    counted.run = run_counted;
    prepare(loop);
    choose(pattern);
    run_counted();
    read_record(loop->name, &result);
    if (pattern != NULL && !result.deterministic && fnmatch(pattern, result.variant, 0) != 0) {
        printf("%-18s %-40s cannot run here, or is no variant of this loop\n", loop->name, pattern);
        choose(NULL);
        return;
    }
    check_bytes(bench, loop, result.bytes);
    result.error = worst_output(loop, 0, 1.0);
    for (int c = 1; c < WARM_CALLS; c++) {
        run_counted();
    }
    time_calls(bench, &counted, &result);
    time_remade(&counted, &result);
    result.error = fmax(result.error, worst_output(loop, 1, calls_made));
    choose(NULL);
    rank(bench, &result);
    result.passed = result.error <= bench->tolerance;
    bench->failed |= !result.passed;
    bench->measured++;
    gpu_bench_report(bench, loop, &result);
}

void gpu_bench_measure(struct gpu_bench *bench, const struct gpu_bench_loop *loop)
{
    if (!gpu_bench_wants(bench, loop->name)) {
        return;
    }
    bench->fastest = (struct gpu_bench_result){.passed = 0};
    if (bench->variants == 0 && bench->options.patterns == 0) {
        measure(bench, loop, NULL);
    }
    for (int p = 0; bench->variants == 0 && p < bench->options.patterns; p++) {
        measure(bench, loop, bench->options.pattern[p]);
    }
    for (int v = 0; v < bench->variants; v++) {
        const struct gpu_bench_variant *variant = &bench->variant[v];
        if (strcmp(variant->target, gpu_bench_target()) == 0 &&
            strcmp(variant->loop, loop->name) == 0 && is_chosen(bench, variant->name)) {
            measure(bench, loop, variant->name);
        }
    }
    if (bench->variants > 0 && is_chosen(bench, deterministic)) {
        measure(bench, loop, deterministic);
    }
}

int gpu_bench_end(struct gpu_bench *bench)
{
    printf("%d measured, %d left out for lack of time: %s\n", bench->measured, bench->left_out,
           bench->failed ? "FAILED" : "all checks passed");
    free(bench->variant);
    return bench->failed;
}
