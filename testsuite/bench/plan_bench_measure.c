/* plan_bench_measure.c: one method, from raw maps to a finished plan, in a process of its own: so
 * its peak of memory is its own, and a crash is a result. */
#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plan_bench.h"

/* A mesh on its way through the line. */
struct line {
    const struct bench_options *options;
    const struct test_mesh *mesh;
    struct plan_numbering *numbering;
    int *order[2]; /* of the points of map m; that of an earlier map with the same target is shared
                    */
    int *row[2];   /* of map m in the new numbering */
    struct plan_map map[2];
    struct cleave_plan *plan;
};

static double cpu_seconds(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static double wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A line of /proc/self/status in bytes: "VmRSS", "VmHWM"; 0 where there is none. */
static double memory_now(const char *name)
{
    char line[256];
    double bytes = 0;
    size_t length = strlen(name);
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, length) == 0 && line[length] == ':') {
            bytes = 1024 * strtod(line + length + 1, NULL);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return bytes;
}

static void *memory(size_t count, size_t bytes, char *error)
{
    void *at = malloc(count * bytes + 1);
    if (at == NULL) {
        snprintf(error, PLANNER_ERROR, "out of memory for plan_bench's own arrays");
    }
    return at;
}

static void add_phases(struct bench_result *result, enum bench_step step,
                       const struct plan_phases *phases)
{
    for (int p = 0; p < phases->count && result->phases < BENCH_PHASES; p++) {
        struct bench_phase *phase = &result->phase[result->phases++];
        snprintf(phase->name, sizeof phase->name, "%s", phases->phase[p].name);
        phase->step = step;
        phase->seconds = phases->phase[p].seconds;
        phase->serial = phases->phase[p].serial;
    }
}

/* ---- steps -------------------------------------------------------------------------------- */

static int number_elements(struct line *line, struct plan_phases *phases,
                           const struct bench_method *method, char *error)
{
    const struct test_mesh *mesh = line->mesh;
    struct plan_numbering_options how = {.block_size = line->options->block_size,
                                         .method = method->method,
                                         .max_points = line->options->max_points};
    return planner_number(&test_planner, &line->numbering, mesh->elements, mesh->maps, mesh->map,
                          method->graph ? NULL : &mesh->coordinates, &how, phases, error);
}

static int order_points(struct line *line, struct plan_phases *phases, char *error)
{
    const struct test_mesh *mesh = line->mesh;
    for (int m = 0; m < mesh->maps; m++) {
        const struct plan_map *map = &mesh->map[m];
        if (m > 0 && map->target == mesh->map[0].target) {
            line->order[m] = line->order[0];
            continue;
        }
        line->order[m] = memory((size_t)map->points, sizeof(int), error);
        if (line->order[m] == NULL ||
            planner_order_points(&test_planner, line->order[m], map->points, map->target, line->numbering,
                                 mesh->maps, mesh->map, phases, error) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Elements inside blocks, once the points have their numbers. */
static int order_banks(struct line *line, struct plan_phases *phases, char *error)
{
    const struct test_mesh *mesh = line->mesh;
    int *number[2] = {NULL, NULL};
    int status = 0;
    for (int m = 0; m < mesh->maps && status == 0; m++) {
        number[m] = memory((size_t)mesh->map[m].points, sizeof(int), error);
        status = number[m] != NULL ? 0 : -1;
        for (int p = 0; p < mesh->map[m].points && status == 0; p++) {
            number[m][line->order[m][p]] = p;
        }
    }
    if (status == 0) {
        status = planner_order_banks(&test_planner, line->numbering, mesh->maps, mesh->map,
                                     (const int *const *)number, phases, error);
    }
    free(number[0]);
    free(number[1]);
    return status;
}

/* Row i of the new map is that of element order[i], its points under their new numbers. */
static int renumber_map(struct line *line, int m, char *error)
{
    const struct plan_map *map = &line->mesh->map[m];
    const int *element = line->numbering->order;
    size_t dim = (size_t)map->dim;
    int *number = memory((size_t)map->points, sizeof(int), error);
    int *row = memory((size_t)line->mesh->elements * dim, sizeof(int), error);
    if (number == NULL || row == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int p = 0; p < map->points; p++) {
        number[line->order[m][p]] = p;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < line->mesh->elements; i++) {
        for (size_t c = 0; c < dim; c++) {
            row[(size_t)i * dim + c] = number[map->row[(size_t)element[i] * dim + c]];
        }
    }
    free(number);
    line->row[m] = row;
    line->map[m] = *map;
    line->map[m].row = row;
    return 0;
}

static int renumber_maps(struct line *line, char *error)
{
    for (int m = 0; m < line->mesh->maps; m++) {
        if (renumber_map(line, m, error) != 0) {
            return -1;
        }
    }
    return 0;
}

static int build_plan(struct line *line, struct plan_metrics *metrics, char *error)
{
    struct plan_options how = {.block_size = line->options->block_size,
                               .parts = CLEAVE_PART_GATHER | CLEAVE_PART_RUNS};
    struct plan_numbering blocks = *line->numbering;
    blocks.order = NULL; /* the maps are in the new numbering already */
    return planner_build(&test_planner, &line->plan, metrics, line->mesh->elements, line->mesh->maps, line->map,
                         &blocks, &how, error);
}

/* Times one step. The line stops at the first that fails. */
static int run_step(struct line *line, struct bench_result *result, enum bench_step step,
                    const struct bench_method *method, char *error)
{
    struct plan_phases phases = {.count = 0};
    double cpu = cpu_seconds();
    double wall = wall_seconds();
    int failed = 0;
    switch (step) {
    case BENCH_NUMBER:
        failed = number_elements(line, &phases, method, error);
        break;
    case BENCH_ORDER:
        failed = order_points(line, &phases, error);
        if (!failed && line->options->banks) {
            failed = order_banks(line, &phases, error);
        }
        break;
    case BENCH_RENUMBER:
        failed = renumber_maps(line, error);
        break;
    default:
        failed = build_plan(line, &result->metrics, error);
        phases = result->metrics.phases;
        break;
    }
    result->wall[step] = wall_seconds() - wall;
    result->cpu[step] = cpu_seconds() - cpu;
    result->total_wall += result->wall[step];
    result->total_cpu += result->cpu[step];
    add_phases(result, step, &phases);
    return failed;
}

/* The plan for ranges, in the same numbering. */
static int build_ranges(const struct line *line, struct bench_result *result, char *error)
{
    const struct test_mesh *mesh = line->mesh;
    const struct plan_range_options options = {.least = PLANNER_RANGE_ELEMENTS};
    struct cleave_plan *plan = NULL;
    double wall = wall_seconds();
    if (planner_ranges_build(&test_planner, &plan, mesh->elements, mesh->maps, line->map, &options, error) != 0) {
        return -1;
    }
    result->ranges_wall = wall_seconds() - wall;
    result->ranges_hash = planner_hash(plan);
    planner_ranges_measure(plan, &result->ranges);
    int status = 0;
    if (line->options->check) {
        status = planner_ranges_check(&test_planner, plan, mesh->elements, mesh->maps, line->map, 0, error);
    }
    planner_free(plan);
    return status;
}

/* ---- checks ------------------------------------------------------------------------------- */

static int is_permutation(const int *order, int count)
{
    unsigned char *seen = calloc((size_t)count + 1, 1);
    int fits = seen != NULL;
    for (int i = 0; i < count && fits; i++) {
        fits = order[i] >= 0 && order[i] < count && !seen[order[i]];
        if (fits) {
            seen[order[i]] = 1;
        }
    }
    free(seen);
    return fits;
}

static int blocks_fit(const struct plan_numbering *numbering, int elements, int block_size)
{
    int fits = numbering->elements == elements && numbering->start[0] == 0 &&
               numbering->start[numbering->blocks] == elements;
    for (int b = 0; b < numbering->blocks && fits; b++) {
        int count = numbering->start[b + 1] - numbering->start[b];
        fits = count >= 1 && count <= block_size;
    }
    return fits;
}

static int check_line(const struct line *line, char *error)
{
    const struct plan_numbering *numbering = line->numbering;
    int elements = line->mesh->elements;
    if (!blocks_fit(numbering, elements, line->options->block_size) ||
        !is_permutation(numbering->order, elements)) {
        snprintf(error, PLANNER_ERROR, "the numbering is not one: blocks or order are wrong");
        return -1;
    }
    for (int m = 0; m < line->mesh->maps; m++) {
        if (!is_permutation(line->order[m], line->mesh->map[m].points)) {
            snprintf(error, PLANNER_ERROR, "the order of the points of set %d is not one",
                     line->mesh->map[m].target);
            return -1;
        }
    }
    return planner_check(&test_planner, line->plan, elements, line->mesh->maps, line->map, error);
}

/* ---- the process -------------------------------------------------------------------------- */

static void run_line(struct bench_result *result, const struct bench_options *options,
                     const struct test_mesh *mesh, const struct bench_method *method)
{
    static const char *const names[] = {"numbering", "order of points", "maps", "plan"};
    struct line line = {.options = options, .mesh = mesh};
    char error[PLANNER_ERROR] = "";
    double input = memory_now("VmRSS");
    for (int step = 0; step < BENCH_STEPS; step++) {
        if (run_step(&line, result, step, method, error) != 0) {
            snprintf(result->error, sizeof result->error, "%s: %s", names[step], error);
            result->failed = 1;
            return;
        }
    }
    result->peak = memory_now("VmHWM") - input;
    result->method = line.numbering->method;
    snprintf(result->done, sizeof result->done, "%s", planner_method_name(line.numbering->method));
    result->numbering_hash = planner_numbering_hash(line.numbering);
    result->plan_hash = planner_hash(line.plan);
    if (build_ranges(&line, result, error) != 0) {
        snprintf(result->error, sizeof result->error, "ranges: %s", error);
        result->failed = 1;
    }
    if (options->check && check_line(&line, error) != 0) {
        snprintf(result->error, sizeof result->error, "check: %s", error);
        result->failed = 1;
    }
}

static void send_result(int pipe, const struct bench_result *result)
{
    const char *at = (const char *)result;
    for (size_t sent = 0; sent < sizeof *result;) {
        ssize_t put = write(pipe, at + sent, sizeof *result - sent);
        if (put < 0 && errno != EINTR) {
            _exit(3);
        }
        sent += put > 0 ? (size_t)put : 0;
    }
}

static int receive_result(int pipe, struct bench_result *result)
{
    char *at = (char *)result;
    for (size_t got = 0; got < sizeof *result;) {
        ssize_t part = read(pipe, at + got, sizeof *result - got);
        if (part == 0 || (part < 0 && errno != EINTR)) {
            return -1;
        }
        got += part > 0 ? (size_t)part : 0;
    }
    return 0;
}

static void describe_death(struct bench_result *result, int status)
{
    result->failed = 1;
    if (WIFSIGNALED(status)) {
        snprintf(result->error, sizeof result->error, "ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(result->error, sizeof result->error, "exited with code %d", WEXITSTATUS(status));
    }
}

/* This process must not have used OpenMP's threads before: a child would wait for threads that it
 * does not have. */
static void measure_once(struct bench_result *result, const struct bench_options *options,
                         const struct test_mesh *mesh, const struct bench_method *method,
                         int threads)
{
    int ends[2];
    memset(result, 0, sizeof *result);
    fflush(NULL);
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child == 0) {
        close(ends[0]);
        omp_set_num_threads(threads);
        test_planner.threads = threads;
        run_line(result, options, mesh, method);
        send_result(ends[1], result);
        _exit(0);
    }
    if (child < 0) {
        snprintf(result->error, sizeof result->error, "no process: %s", strerror(errno));
        result->failed = 1;
        return;
    }
    close(ends[1]);
    int received = receive_result(ends[0], result);
    int status = 0;
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (received != 0) {
        memset(result, 0, sizeof *result);
        describe_death(result, status);
    }
}

void bench_measure(struct bench_result *result, const struct bench_options *options,
                   const struct test_mesh *mesh, const struct bench_method *method, int threads)
{
    struct bench_result other;
    measure_once(result, options, mesh, method, threads);
    for (int r = 1; r < options->repeat && !result->failed; r++) {
        measure_once(&other, options, mesh, method, threads);
        int same =
            other.plan_hash == result->plan_hash && other.numbering_hash == result->numbering_hash &&
            other.ranges_hash == result->ranges_hash;
        if (!other.failed && !same) {
            other.failed = 1;
            snprintf(other.error, sizeof other.error, "plans differ from run to run");
        }
        if (other.failed || other.total_cpu < result->total_cpu) {
            *result = other;
        }
    }
    result->threads = threads;
    result->elements = mesh->elements;
}
