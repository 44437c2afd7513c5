/* run_mesh.c: runs every variant in the generated file of the fixture, and compares with plain
 * loops.
 *
 * Linked with one generated file, whose constructor calls the registration below, and with the
 * planner. Both targets take host memory: CUDA runs under the emulator. All sums are of whole
 * numbers and halves, so that any order gives the same bits.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/planner.h"

enum { SIDE = 13, NODES = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1), EDGES = 2 * CELLS };
enum { MAX_ARGS = 8, MAX_BLOCKS = EDGES };
enum { LANES = 32 }; /* of the emulated device */
enum { LEAST_RANGE = 64 }; /* elements of a range at least, so that the small mesh has several */

static const struct cleave_unit *unit;

/* Stands for the key that the user's part of an object defines. */
struct cleave_unit_key {
    const char *id;
};
const struct cleave_unit_key cleave_unit_key = {"0123456789abcdef"};

void cleave_register(const struct cleave_unit *registered)
{
    unit = registered;
}

void cleave_register_cuda(const struct cleave_unit *registered)
{
    unit = registered;
}

void cleave_unregister(const struct cleave_unit *registered)
{
    (void)registered;
}

/* ---- mesh and data ----------------------------------------------------------------------------
 */

static int pedge[2 * EDGES], pecell[2 * EDGES], pcell[4 * CELLS];

static struct data {
    double x[2 * NODES], node[2 * NODES];
    double q[4 * CELLS], qold[4 * CELLS], res[4 * CELLS], adt[CELLS], centre[CELLS];
    double w[EDGES];
    int number[2 * EDGES];
    double rms, high, low;
    int sum;
} data, expected;

static double step = 0.5, gam = 2.0;
static int on = 1;
static int
    one_thread; /* OpenMP: one thread runs the variant, inside of a parallel region of ours */

/* The user's numbers of edges and nodes, where the runtime has numbers of its own. */
static int edge_number[EDGES], node_number[NODES];
static int renumbered;

static void make_numbers(void)
{
    for (int e = 0; e < EDGES; e++) {
        edge_number[e] = (e * 5 + 3) % EDGES; /* EDGES is no multiple of 5 */
    }
    for (int n = 0; n < NODES; n++) {
        node_number[n] = NODES - 1 - n;
    }
}

static void make_mesh(void)
{
    for (int c = 0; c < CELLS; c++) {
        int corner = c % (SIDE - 1) + c / (SIDE - 1) * SIDE;
        int corners[4] = {corner, corner + 1, corner + SIDE + 1, corner + SIDE};
        memcpy(&pcell[4 * c], corners, sizeof corners);
    }
    for (int e = 0; e < EDGES; e++) { /* some name one cell twice */
        int c = e / 2;
        pedge[2 * e] = pcell[4 * c + 1];
        pedge[2 * e + 1] = pcell[4 * c + (e % 2 ? 2 : 0)];
        pecell[2 * e] = c;
        pecell[2 * e + 1] = e % 2 ? (c + 1) % CELLS : e % 5 ? (c + SIDE - 1) % CELLS : c;
    }
}

static void make_data(struct data *d)
{
    memset(d, 0, sizeof *d);
    for (int n = 0; n < 2 * NODES; n++) {
        d->x[n] = n * 7 % 11;
        d->node[n] = n % 5;
    }
    for (int c = 0; c < 4 * CELLS; c++) {
        d->q[c] = c * 3 % 7 - 3;
        d->qold[c] = c % 9;
        d->res[c] = c % 4;
    }
    for (int c = 0; c < CELLS; c++) {
        d->adt[c] = c % 3;
    }
    for (int e = 0; e < EDGES; e++) {
        d->w[e] = e % 6;
    }
    d->rms = 1.0;
    d->high = 3.0;
    d->low = 2.0;
    d->sum = 4;
}

/* ---- plain loops ------------------------------------------------------------------------------
 */

static void plain_res(struct data *d)
{
    static const double weight[2] = {0.5, 0.25};
    for (int e = 0; e < EDGES; e++) {
        const double *x1 = &d->x[2 * pedge[2 * e]], *x2 = &d->x[2 * pedge[2 * e + 1]];
        int a = pecell[2 * e], b = pecell[2 * e + 1];
        for (int k = 0; k < 4; k++) {
            double f = gam * (x1[0] - x2[1]) * weight[k % 2] + d->adt[a] * d->q[4 * a + k] -
                       d->adt[b] * d->q[4 * b + k];
            d->res[4 * a + k] += f;
            d->res[4 * b + k] -= f;
        }
        d->res[4 * b + 3] += d->q[4 * a] > 0.0 ? x2[0] * x2[0] : 0.0;
    }
}

static void plain_update(struct data *d)
{
    for (int c = 0; c < CELLS; c++) {
        double *res = &d->res[4 * c];
        res[0] = d->qold[4 * c] - step * res[0];
        d->rms += res[0] * res[0];
        d->high = res[0] > d->high ? res[0] : d->high;
        d->low = res[0] < d->low ? res[0] : d->low;
    }
}

static void plain_corners(struct data *d)
{
    for (int c = 0; c < CELLS; c++) {
        const int *n = &pcell[4 * c];
        d->centre[c] = d->x[2 * n[0]] + d->x[2 * n[3] + 1];
        d->node[2 * n[0]] += d->centre[c];
        d->node[2 * n[3]] += d->x[2 * n[2]];
        d->node[2 * n[1] + 1] += 1.0;
    }
}

static void plain_edges(struct data *d, const char *kernel)
{
    for (int e = 0; e < EDGES; e++) {
        int left = pedge[2 * e], a = pecell[2 * e], b = pecell[2 * e + 1];
        if (strcmp(kernel, "touch") == 0) {
            d->node[2 * left] += 1.0;
            d->adt[b] += 2.0;
        } else if (strcmp(kernel, "number") == 0) {
            int node = pedge[2 * e + 1];
            d->number[2 * e] = renumbered ? edge_number[e] : e;
            d->number[2 * e + 1] = renumbered ? node_number[node] : node;
            d->sum += d->number[2 * e];
        } else if (strcmp(kernel, "maybe") == 0) {
            d->res[4 * a] += 1.0 + (on ? d->node[2 * left] + d->w[e] : 0.0);
            d->adt[b] += on ? d->w[e] : 0.0;
        } else if (d->x[2 * left] > 0.0) {
            d->res[4 * b + 1] += gam * d->x[2 * left + 1] * d->x[2 * left + 1];
        } else {
            d->res[4 * b + 2] += 1.0;
        }
    }
}

static void plain_peak(struct data *d)
{
    for (int e = 0; e < EDGES; e++) {
        const double *x = &d->x[2 * pedge[2 * e]];
        double *high = &d->node[2 * pedge[2 * e + 1]], *low = &d->adt[pecell[2 * e]];
        high[1] = x[0] > high[1] ? x[0] : high[1];
        high[0] = d->w[e] > high[0] ? d->w[e] : high[0];
        low[0] = x[1] < low[0] ? x[1] : low[0];
    }
}

static void plain(struct data *d, const char *kernel)
{
    if (strcmp(kernel, "save_soln") == 0) {
        memcpy(d->qold, d->q, sizeof d->q);
    } else if (strcmp(kernel, "res_calc") == 0) {
        plain_res(d);
    } else if (strcmp(kernel, "update") == 0) {
        plain_update(d);
    } else if (strcmp(kernel, "corners") == 0) {
        plain_corners(d);
    } else if (strcmp(kernel, "peak") == 0) {
        plain_peak(d);
    } else {
        plain_edges(d, kernel);
    }
}

/* ---- calls ------------------------------------------------------------------------------------
 */

struct call {
    int size;
    void *data[MAX_ARGS];
    const int *map[MAX_ARGS];
    int map_dim[MAX_ARGS];
    const int *number[MAX_ARGS];
    void *partial[MAX_ARGS];
    void *result[MAX_ARGS];
};

static double real_partial[MAX_ARGS][MAX_BLOCKS];
static int int_partial[MAX_BLOCKS];
static double real_result[MAX_ARGS];
static int int_result;
static unsigned arrived;

static void set(struct call *call, int a, void *dat, const int *map, int dim)
{
    call->data[a] = dat;
    call->map[a] = map;
    call->map_dim[a] = map != NULL ? dim : 0;
}

static void call_res(struct call *call, struct data *d)
{
    for (int c = 0; c < 2; c++) {
        set(call, c, d->x, pedge, 2);
        set(call, 2 + c, d->q, pecell, 2);
        set(call, 4 + c, d->adt, pecell, 2);
        set(call, 6 + c, d->res, pecell, 2);
    }
}

static void call_update(struct call *call, struct data *d)
{
    set(call, 0, d->qold, NULL, 0);
    set(call, 1, d->res, NULL, 0);
    set(call, 2, &step, NULL, 0);
    set(call, 3, &d->rms, NULL, 0);
    set(call, 4, &d->high, NULL, 0);
    set(call, 5, &d->low, NULL, 0);
    for (int a = 3; a < 6; a++) {
        call->partial[a] = real_partial[a];
        call->result[a] = &real_result[a];
    }
}

static struct call make_call(const char *kernel, struct data *d)
{
    struct call call = {.size = EDGES};
    if (strcmp(kernel, "save_soln") == 0) {
        call.size = CELLS;
        set(&call, 0, d->q, NULL, 0);
        set(&call, 1, d->qold, NULL, 0);
    } else if (strcmp(kernel, "res_calc") == 0) {
        call_res(&call, d);
    } else if (strcmp(kernel, "update") == 0) {
        call.size = CELLS;
        call_update(&call, d);
    } else if (strcmp(kernel, "corners") == 0) {
        call.size = CELLS;
        set(&call, 0, d->x, pcell, 4);
        set(&call, 1, d->centre, NULL, 0);
        set(&call, 2, d->node, pcell, 4);
    } else if (strcmp(kernel, "touch") == 0) {
        set(&call, 0, d->node, pedge, 2);
        set(&call, 1, d->adt, pecell, 2);
    } else if (strcmp(kernel, "peak") == 0) {
        set(&call, 0, d->x, pedge, 2);
        set(&call, 1, d->w, NULL, 0);
        set(&call, 2, d->node, pedge, 2);
        set(&call, 3, d->adt, pecell, 2);
    } else if (strcmp(kernel, "number") == 0) {
        set(&call, 1, NULL, pedge, 2);
        set(&call, 2, d->number, NULL, 0);
        call.number[0] = renumbered ? edge_number : NULL;
        call.number[1] = renumbered ? node_number : NULL;
        call.partial[3] = int_partial;
        call.result[3] = &int_result;
    } else if (strcmp(kernel, "maybe") == 0) {
        set(&call, 0, &on, NULL, 0);
        set(&call, 1, on ? d->node : NULL, pedge, 2);
        set(&call, 2, on ? d->w : NULL, NULL, 0);
        set(&call, 3, d->res, pecell, 2);
        set(&call, 4, on ? d->adt : NULL, pecell, 2);
    } else {
        set(&call, 0, d->x, pedge, 2);
        set(&call, 1, d->res, pecell, 2);
    }
    return call;
}

/* Poison shows a partial that no block wrote. */
static void poison_partials(void)
{
    memset(real_partial, 0xff, sizeof real_partial);
    memset(int_partial, 0x7f, sizeof int_partial);
    memset(real_result, 0xff, sizeof real_result);
    int_result = 1 << 30;
}

/* Joins the partial results of OpenMP's blocks; CUDA's last block does it itself. */
static void join_partials(const char *kernel, int blocks)
{
    double *result = real_result;
    int_result = 0;
    result[3] = 0;
    result[4] = real_partial[4][0];
    result[5] = real_partial[5][0];
    for (int b = 0; b < blocks && strcmp(kernel, "update") == 0; b++) {
        result[3] += real_partial[3][b];
        result[4] = real_partial[4][b] > result[4] ? real_partial[4][b] : result[4];
        result[5] = real_partial[5][b] < result[5] ? real_partial[5][b] : result[5];
    }
    for (int b = 0; b < blocks && strcmp(kernel, "number") == 0; b++) {
        int_result += int_partial[b];
    }
}

static void combine(struct data *d, const char *kernel)
{
    if (strcmp(kernel, "update") == 0) {
        d->rms += real_result[3];
        d->high = real_result[4] > d->high ? real_result[4] : d->high;
        d->low = real_result[5] < d->low ? real_result[5] : d->low;
    } else if (strcmp(kernel, "number") == 0) {
        d->sum += int_result;
    }
}

/* ---- running ----------------------------------------------------------------------------------
 */

static struct cleave_plan *make_plan(const struct cleave_loop *loop, const struct call *call,
                                     const struct cleave_variant *variant, int block_size)
{
    static const struct planner planner;
    struct plan_map map[CLEAVE_MAX_LISTS];
    struct plan_options options = {.block_size = block_size, .parts = variant->parts};
    enum cleave_plan_kind kind = variant->plan;
    struct cleave_plan *plan = NULL;
    char error[PLANNER_ERROR];
    memset(map, 0, sizeof map);
    for (int l = 0; l < loop->lists; l++) {
        const struct cleave_list *list = &loop->list[l];
        map[l].row = call->map[list->arg];
        map[l].dim = call->map_dim[list->arg];
        map[l].target = map[l].row == pecell;
        map[l].points = map[l].target ? CELLS : NODES;
        map[l].columns = list->columns;
        memcpy(map[l].column, list->column, sizeof map[l].column);
        map[l].conflicts = list->conflicts;
    }
    int failed = 0;
    if (kind == CLEAVE_PLAN_BLOCKS) {
        failed = planner_build(&planner, &plan, NULL, call->size, loop->lists, map, NULL, &options,
                               error) ||
                 planner_check(&planner, plan, call->size, loop->lists, map, error);
    } else if (kind == CLEAVE_PLAN_POINTS) {
        failed = planner_points_build(&planner, &plan, call->size, loop->lists, map, error) ||
                 planner_points_check(&planner, plan, call->size, loop->lists, map, error);
    } else if (kind == CLEAVE_PLAN_OWNERS) {
        failed = planner_owners_build(&planner, &plan, call->size, block_size, LANES, loop->lists,
                                      map, error) ||
                 planner_owners_check(&planner, plan, call->size, block_size, LANES, loop->lists,
                                      map, error);
    }
    if (kind == CLEAVE_PLAN_COLOURS) {
        failed = planner_colours_build(&planner, &plan, call->size, loop->lists, map, error) ||
                 planner_colours_check(&planner, plan, call->size, loop->lists, map, error);
    }
    if (kind == CLEAVE_PLAN_RANGES) {
        failed = planner_ranges_build(&planner, &plan, call->size, LEAST_RANGE, loop->lists, map, error) ||
                 planner_ranges_check(&planner, plan, call->size, loop->lists, map, error);
    }
    if (failed) {
        fprintf(stderr, "plan: %s\n", error);
        exit(1);
    }
    return plan;
}

/* Memory for tmp(e) or the sums of blocks, poisoned; variants must ask for what they use, which
 * sanitizers check. */
static void *make_tmp(const struct cleave_variant *variant, const struct cleave_plan *plan,
                      int size)
{
    size_t bytes =
        variant->sums_bytes != NULL ? variant->sums_bytes(plan) : variant->tmp_bytes * (size_t)size;
    void *tmp = NULL;
    if (bytes > 0 && posix_memalign(&tmp, 256, bytes) != 0) {
        fprintf(stderr, "no memory for tmp\n");
        exit(1);
    }
    if (bytes > 0) {
        memset(tmp, 0xff, bytes);
    }
    return tmp;
}

static int dim_of(const void *dat)
{
    return dat == data.q ? 4 : dat == data.x ? 2 : 1;
}

static void *copy_memory(size_t components)
{
    void *memory;
    if (posix_memalign(&memory, 256, components * sizeof(double)) != 0) {
        fprintf(stderr, "no memory for copies\n");
        exit(1);
    }
    memset(memory, 0xff, components * sizeof(double));
    return memory;
}

/* Records are copied as a whole: what lies behind their components must have been written, too. */
static void check_padding(const struct cleave_dat_copy *wanted, const double *record, int count)
{
    for (int i = 0; i < count * wanted->dim; i++) {
        const int is_padding = i % wanted->dim >= wanted->parts;
        if (is_padding ? record[i] != 0.0 : record[i] != record[i]) {
            fprintf(stderr, "packed record %d, component %d is %g\n", i / wanted->dim,
                    i % wanted->dim, record[i]);
            exit(1);
        }
    }
}

/* One component at a time. */
static void *make_packed(const struct cleave_dat_copy *wanted, const struct call *call)
{
    const int count = call->map[wanted->arg] == pecell ? CELLS : NODES;
    double *to = copy_memory((size_t)count * (size_t)wanted->dim);
    for (int k = 0; k < wanted->parts; k++) {
        const void *from = call->data[wanted->part[k].arg];
        const struct cleave_copy_request made = {
            .to = to + k,
            .from = from,
            .dim = dim_of(from),
            .component = sizeof(double),
            .count = count,
            .first = wanted->part[k].component,
            .components = 1,
            .padding = k + 1 < wanted->parts ? 0 : wanted->dim - k - 1,
            .to_dim = wanted->dim};
        unit->make_copy(&made);
    }
    check_padding(wanted, to, count);
    return to;
}

static void *make_items(const struct cleave_dat_copy *wanted, const struct call *call,
                        const struct cleave_plan *plan)
{
    const struct cleave_plan_list *list = &plan->list[wanted->list];
    const void *from = call->data[wanted->arg];
    const int dim = dim_of(from);
    const struct cleave_copy_request made = {
        .to = copy_memory(LANES * (size_t)list->rows * (size_t)dim),
        .from = from,
        .dim = dim,
        .component = sizeof(double),
        .rows = list->rows,
        .element = list->slice_element};
    unit->make_copy(&made);
    return made.to;
}

/* Makes the copies that the variant reads in place of dats. */
static void make_copies(const struct cleave_variant *variant, const struct call *call,
                        const struct cleave_plan *plan, void **copy)
{
    for (int n = 0; n < variant->copies; n++) {
        const struct cleave_dat_copy *wanted = &variant->copy[n];
        copy[n] = wanted->list < 0 ? make_packed(wanted, call) : make_items(wanted, call, plan);
    }
}

static struct cleave_launch launch_of(struct call *call, int block_size)
{
    return (struct cleave_launch){.size = call->size,
                                  .end = call->size,
                                  .blocks = (call->size + block_size - 1) / block_size,
                                  .threads = block_size,
                                  .data = call->data,
                                  .map = call->map,
                                  .map_dim = call->map_dim,
                                  .number = call->number,
                                  .partial = call->partial,
                                  .result = call->result,
                                  .arrived = &arrived,
                                  .one_thread = one_thread};
}

static void start(const struct cleave_variant *variant, const struct cleave_launch *launch)
{
    if (!launch->one_thread) {
        variant->run(launch);
        return;
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    variant->run(launch);
}

static int blocks_of_colours(const struct cleave_plan *plan, int block_size)
{
    int blocks = 0;
    for (int c = 0; c < plan->global_colours; c++) {
        int elements = plan->global_start[c + 1] - plan->global_start[c];
        blocks += (elements + block_size - 1) / block_size;
    }
    return blocks;
}

static void run_range(const struct cleave_loop *loop, const struct cleave_variant *variant,
                      struct cleave_launch *launch)
{
    poison_partials();
    start(variant, launch);
    if (unit->target == CLEAVE_TARGET_OPENMP) {
        join_partials(loop->kernel, launch->blocks);
    }
    combine(&data, loop->kernel);
}

/* The whole set; without a plan in three ranges, none of which begins or ends with a block. */
static void run_ranges(const struct cleave_loop *loop, const struct cleave_variant *variant,
                       struct cleave_launch *launch)
{
    const int bound[] = {0, 1, launch->size / 3 * 2 + 1, launch->size};
    if (variant->plan != CLEAVE_PLAN_NONE) {
        run_range(loop, variant, launch);
        return;
    }
    for (int r = 0; r < 3; r++) {
        launch->begin = bound[r];
        launch->end = bound[r + 1];
        launch->blocks = (launch->end - launch->begin + launch->threads - 1) / launch->threads;
        run_range(loop, variant, launch);
    }
}

static int run_variant(const struct cleave_loop *loop, const struct cleave_variant *variant,
                       int block_size)
{
    make_data(&data);
    make_data(&expected);
    struct call call = make_call(loop->kernel, &data);
    struct cleave_plan *plan = make_plan(loop, &call, variant, block_size);
    void *tmp = make_tmp(variant, plan, call.size);
    void *copy[MAX_ARGS] = {NULL};
    struct cleave_launch launch = launch_of(&call, block_size);
    launch.plan = plan;
    launch.tmp = tmp;
    if (variant->plan == CLEAVE_PLAN_BLOCKS || variant->plan == CLEAVE_PLAN_RANGES) {
        launch.blocks = plan->blocks;
    } else if (variant->plan == CLEAVE_PLAN_COLOURS) {
        launch.blocks = blocks_of_colours(plan, block_size);
    }
    launch.shared_bytes = variant->shared_bytes != NULL ? variant->shared_bytes(plan) : 0;
    make_copies(variant, &call, plan, copy);
    launch.copy = (const void *const *)copy;
    run_ranges(loop, variant, &launch);
    plain(&expected, loop->kernel);
    bool same = memcmp(&data, &expected, sizeof data) == 0 && arrived == 0;
    printf("%s %s, blocks of %d%s\n", same ? "ok  " : "FAIL", variant->name, block_size,
           !on          ? ", off, renumbered"
           : one_thread ? ", one thread"
                        : "");
    planner_free(plan);
    free(tmp);
    for (int n = 0; n < variant->copies; n++) {
        free(copy[n]);
    }
    return !same;
}

static int run_empty(const struct cleave_variant *variant)
{
    struct call call = {.size = 0};
    struct cleave_launch launch = launch_of(&call, 32);
    for (int a = 0; a < MAX_ARGS; a++) {
        call.data[a] = &step;
    }
    variant->run(&launch);
    return 0;
}

int main(void)
{
    static const int block_sizes[] = {3, 32, 100};
    int failures = 0, variants = 0;
    make_mesh();
    make_numbers();
    for (int c = 0; c < unit->constants; c++) {
        unit->constant[c].set(&gam);
    }
    for (int l = 0; l < unit->loops; l++) {
        const struct cleave_loop *loop = &unit->loop[l];
        for (int v = 0; v < loop->variants; v++, variants++) {
            for (int s = 0; s < 3; s++) {
                failures += run_variant(loop, &loop->variant[v], block_sizes[s]);
                on = 0;
                renumbered = 1;
                failures += run_variant(loop, &loop->variant[v], block_sizes[s]);
                on = 1;
                renumbered = 0;
                one_thread = unit->target == CLEAVE_TARGET_OPENMP;
                failures += one_thread ? run_variant(loop, &loop->variant[v], block_sizes[s]) : 0;
                one_thread = 0;
            }
            failures += run_empty(&loop->variant[v]);
        }
    }
    printf("%d variants, %d failures\n", variants, failures);
    return failures != 0 || variants == 0;
}
