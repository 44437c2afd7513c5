/* launch_cost.c: what one op_par_loop costs the host, all but the launch itself: the variants do
 * nothing, and so does the device that they run on, with graphs and without. Prints nanoseconds per
 * call, the least of some repetitions, from making the arguments to the end of the call.
 *
 *   launch_cost [--limit=NS] [--calls=N]
 *
 * N: calls per repetition and site, default 2000. With a limit the exit code is 1 when a kind of
 * loop costs more. Every kind of loop has as many call sites as a program of some size, since what
 * is looked up grows with them. */
#define CLEAVE_UNIT "launch_cost"
#include "cleave_gen.h"
#include "op_seq.h"

#include <time.h>

#include "runtime/base/target.h"

#include "../runtime/call_text.h"

#define SITES(X)                                                                                   \
    X(0)                                                                                           \
    X(1)                                                                                           \
    X(2)                                                                                           \
    X(3)                                                                                           \
    X(4)                                                                                           \
    X(5)                                                                                           \
    X(6)                                                                                           \
    X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22)   \
        X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)

enum { SITES_PER_KIND = 32, CELLS = 600, EDGES = 1200, REPETITIONS = 9 };

/* ---- a device that does nothing ------------------------------------------------------------ */

static int device_start(void)
{
    return 0;
}

static void device_stop(void)
{
}

static const char *device_name(void)
{
    return "a device that does nothing";
}

static size_t device_shared_limit(void)
{
    return (size_t)1 << 20;
}

static void *device_alloc(size_t bytes)
{
    return calloc(1, bytes);
}

static size_t device_available(void)
{
    return 0;
}

static int device_zero(void *memory, size_t bytes)
{
    memset(memory, 0, bytes);
    return 0;
}

static int device_upload(void *to, const struct target_records *from)
{
    from->move(from, to, 0, from->count);
    return 0;
}

static int device_download(const struct target_records *to, const void *from)
{
    to->move(to, (void *)(uintptr_t)from, 0, to->count);
    return 0;
}

static int device_wait(void)
{
    return 0;
}

static const char *device_error(void)
{
    return "";
}

static void *device_stream(void)
{
    return NULL;
}

static int device_mark(int slot)
{
    (void)slot;
    return 0;
}

static double device_elapsed(int begin, int end)
{
    (void)begin;
    (void)end;
    return 1e-6;
}

static void device_range(const char *name)
{
    (void)name;
}

static long runs; /* of variants, by graphs or without */
static long before_capture;

static void *graph_begin(void)
{
    before_capture = runs;
    return &before_capture;
}

/* A graph is the number of its runs. */
static void *graph_end(void)
{
    long *graph = malloc(sizeof *graph);
    if (graph != NULL) {
        *graph = runs - before_capture;
    }
    runs = before_capture;
    return graph;
}

static int graph_launch(void *graph)
{
    runs += *(long *)graph;
    return 0;
}

static const struct target_ops device = {.target = CLEAVE_TARGET_CUDA,
                                         .lanes = 32,
                                         .start = device_start,
                                         .stop = device_stop,
                                         .device = device_name,
                                         .shared_limit = device_shared_limit,
                                         .alloc = device_alloc,
                                         .release = free,
                                         .available = device_available,
                                         .zero = device_zero,
                                         .upload = device_upload,
                                         .download = device_download,
                                         .wait = device_wait,
                                         .launched = device_wait,
                                         .last_error = device_error,
                                         .stream = device_stream,
                                         .mark = device_mark,
                                         .elapsed = device_elapsed,
                                         .alloc_host = device_alloc,
                                         .release_host = free,
                                         .graph_begin = graph_begin,
                                         .graph_end = graph_end,
                                         .graph_launch = graph_launch,
                                         .graph_free = free,
                                         .range = device_range};

/* ---- loops ----------------------------------------------------------------------------------- */

static op_set cells;
static op_set edges;
static op_map edge_cells;
static op_dat q;
static op_dat old;
static op_dat flux;
static op_dat step;
static double gam = 1.4;
static double cfl = 0.9;

static void save(const double *from, double *to)
{
    to[0] = from[0];
}

static void residual(const double *q1, const double *q2, const double *s1, const double *s2,
                     double *f1, double *f2)
{
    f1[0] += gam * (q1[0] - q2[0]) * s1[0];
    f2[0] -= gam * (q1[0] - q2[0]) * s2[0];
}

static void advance(const double *from, double *to, const double *factor, double *sum, double *most)
{
    to[0] = from[0] * factor[0] * cfl;
    *sum += to[0];
    *most = MAX(*most, to[0]);
}

#define SAVE(n)                                                                                    \
    save, "save" #n, cells, op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ),                        \
        op_arg_dat(old, -1, OP_ID, 4, "double", OP_WRITE)
#define RESIDUAL(n)                                                                                \
    residual, "residual" #n, edges, op_arg_dat(q, 0, edge_cells, 4, "double", OP_READ),            \
        op_arg_dat(q, 1, edge_cells, 4, "double", OP_READ),                                        \
        op_arg_dat(step, 0, edge_cells, 1, "double", OP_READ),                                     \
        op_arg_dat(step, 1, edge_cells, 1, "double", OP_READ),                                     \
        op_arg_dat(flux, 0, edge_cells, 4, "double", OP_INC),                                      \
        op_arg_dat(flux, 1, edge_cells, 4, "double", OP_INC)
#define ADVANCE(n)                                                                                 \
    advance, "advance" #n, cells, op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ),                  \
        op_arg_dat(old, -1, OP_ID, 4, "double", OP_WRITE), op_arg_gbl(&gam, 1, "double", OP_READ), \
        op_arg_gbl(sum, 1, "double", OP_INC), op_arg_gbl(most, 1, "double", OP_MAX)

static double result[2];

#define CALLERS(n)                                                                                 \
    static void save_##n(void)                                                                     \
    {                                                                                              \
        LOOP(SAVE(n));                                                                             \
    }                                                                                              \
    static void residual_##n(void)                                                                 \
    {                                                                                              \
        LOOP(RESIDUAL(n));                                                                         \
    }                                                                                              \
    static void advance_##n(void)                                                                  \
    {                                                                                              \
        double *sum = &result[0];                                                                  \
        double *most = &result[1];                                                                 \
        LOOP(ADVANCE(n));                                                                          \
    }
SITES(CALLERS)

/* ---- variants -------------------------------------------------------------------------------- */

static void run(const struct cleave_launch *launch)
{
    (void)launch;
    runs++;
}

static size_t shared_bytes(const struct cleave_plan *plan)
{
    return plan != NULL ? (size_t)plan->list[0].max_points * 16 : 256;
}

static void set_constant(const void *value)
{
    (void)value;
}

#define DIRECT "d0.-1.0:4:double:R d1.-1.0:4:double:W"
#define INDIRECT                                                                                   \
    "i0.0.0:4:double:R i0.0.1:4:double:R i2.0.0:1:double:R i2.0.1:1:double:R i4.0.0:4:double:I "   \
    "i4.0.1:4:double:I"
#define REDUCING DIRECT " g-1.-1.0:1:double:R g-1.-1.0:1:double:I g-1.-1.0:1:double:M"

static const struct cleave_list lists[] = {{0, 2, {0, 1}, 3u}};
static const int used_constants[] = {0, 1};
static const struct cleave_constant constants[] = {
    {"gam", "double", 1, sizeof(double), 1, set_constant, 0, NULL},
    {"cfl", "double", 1, sizeof(double), 1, set_constant, 0, NULL}};
#define VARIANT(of_name, of_schedule, of_race, of_plan, of_shared)                                 \
    {.name = of_name,                                                                              \
     .schedule = of_schedule,                                                                      \
     .race = of_race,                                                                              \
     .plan = of_plan,                                                                              \
     .shared_bytes = of_shared,                                                                    \
     .run = run}
static const struct cleave_variant direct_variants[] = {
    VARIANT("direct", CLEAVE_FUSED, CLEAVE_RACE_NONE, CLEAVE_PLAN_NONE, shared_bytes)};
static const struct cleave_variant indirect_variants[] = {
    VARIANT("split_colour", CLEAVE_SPLIT, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, shared_bytes),
    VARIANT("split_atomic", CLEAVE_SPLIT, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, shared_bytes),
    VARIANT("fused_colour", CLEAVE_FUSED, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, shared_bytes),
    VARIANT("fused_atomic", CLEAVE_FUSED, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_NONE, NULL),
    VARIANT("twopass", CLEAVE_TWO_PASS, CLEAVE_RACE_NONE, CLEAVE_PLAN_POINTS, NULL)};

#define ROWS(n)                                                                                    \
    {.call = TEXT(SAVE(n)),                                                                        \
     .signature = DIRECT,                                                                          \
     .kernel = "save",                                                                             \
     .variants = 1,                                                                                \
     .variant = direct_variants},                                                                  \
        {.call = TEXT(RESIDUAL(n)),                                                                \
         .signature = INDIRECT,                                                                    \
         .kernel = "residual",                                                                     \
         .lists = 1,                                                                               \
         .list = lists,                                                                            \
         .constants = 1,                                                                           \
         .constant = used_constants,                                                               \
         .variants = 5,                                                                            \
         .variant = indirect_variants},                                                            \
        {.call = TEXT(ADVANCE(n)),                                                                 \
         .signature = REDUCING,                                                                    \
         .kernel = "advance",                                                                      \
         .constants = 2,                                                                           \
         .constant = used_constants,                                                               \
         .variants = 1,                                                                            \
         .variant = direct_variants},
static const struct cleave_loop loops[] = {SITES(ROWS)};
#define UNIT_FOR(of_target)                                                                        \
    .abi = CLEAVE_ABI, .target = (of_target), .id = CLEAVE_UNIT, .source = "launch_cost.c",        \
    .loops = 3 * SITES_PER_KIND, .loop = loops, .constants = 2, .constant = constants,             \
    .key = &cleave_unit_key
static const struct cleave_unit host_unit = {UNIT_FOR(CLEAVE_TARGET_OPENMP)};
static const struct cleave_unit device_unit = {UNIT_FOR(CLEAVE_TARGET_CUDA)};

/* ---- measuring ------------------------------------------------------------------------------- */

#define SAVE_ROW(n) save_##n,
#define RESIDUAL_ROW(n) residual_##n,
#define ADVANCE_ROW(n) advance_##n,
static const struct {
    const char *what;
    void (*call[SITES_PER_KIND])(void);
} kinds[] = {{"direct, 2 dats", {SITES(SAVE_ROW)}},
             {"indirect, 6 arguments of 3 dats", {SITES(RESIDUAL_ROW)}},
             {"direct, 2 dats, 3 globals, 2 reductions", {SITES(ADVANCE_ROW)}}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double cost_of(int kind, int calls)
{
    double least = INFINITY;
    for (int r = 0; r <= REPETITIONS; r++) {
        double begin = nanoseconds();
        for (int c = 0; c < calls; c++) {
            for (int s = 0; s < SITES_PER_KIND; s++) {
                kinds[kind].call[s]();
            }
        }
        double each = (nanoseconds() - begin) / calls / SITES_PER_KIND;
        least = r > 0 ? fmin(least, each) : least; /* the first makes plans and moves data */
    }
    return least;
}

static void declare(void)
{
    static int map[2 * EDGES];
    for (int e = 0; e < EDGES; e++) {
        map[2 * e] = e / 2;
        map[2 * e + 1] = (e / 2 + 1 + e % 2 * 24) % CELLS;
    }
    cells = op_decl_set(CELLS, "cells");
    edges = op_decl_set(EDGES, "edges");
    edge_cells = op_decl_map(edges, cells, 2, map, "edge_cells");
    q = op_decl_dat(cells, 4, "double", (double *)NULL, "q");
    old = op_decl_dat(cells, 4, "double", (double *)NULL, "old");
    flux = op_decl_dat(cells, 4, "double", (double *)NULL, "flux");
    step = op_decl_dat(cells, 1, "double", (double *)NULL, "step");
    op_decl_const(1, "double", &gam);
    op_decl_const(1, "double", &cfl);
}

static int measure(const char *backend, const char *graph, int calls, double limit)
{
    int slow = 0;
    setenv("CLEAVE_BACKEND", backend, 1);
    setenv("CLEAVE_GRAPH", graph, 1);
    op_init(0, NULL, 0);
    declare();
    for (int kind = 0; kind < KINDS; kind++) {
        runs = 0;
        double cost = cost_of(kind, calls);
        op_timers(NULL, NULL); /* launches that wait */
        printf("%-8s%-6s%-42s%8.0f ns\n", backend, graph, kinds[kind].what, cost);
        if (runs != (long)calls * SITES_PER_KIND * (REPETITIONS + 1)) {
            printf("only %ld calls ran\n", runs);
            slow = 1;
        }
        slow |= cost > limit;
    }
    op_exit();
    return slow;
}

int main(int argc, char **argv)
{
    double limit = INFINITY;
    int calls = 2000;
    for (int i = 1; i < argc; i++) {
        if (sscanf(argv[i], "--limit=%lf", &limit) != 1 &&
            (sscanf(argv[i], "--calls=%d", &calls) != 1 || calls < 1)) {
            fprintf(stderr, "launch_cost [--limit=NS] [--calls=N]\n");
            return 2;
        }
    }
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    target_provide(&device);
    cleave_register(&device_unit);
    cleave_register(&host_unit);
    int slow = measure("openmp", "off", calls, limit) | measure("cuda", "off", calls, limit) |
               measure("cuda", "on", calls, limit);
    if (slow) {
        printf("above the limit of %g ns\n", limit);
    }
    return slow;
}
