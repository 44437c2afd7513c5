/* run_mesh.c: runs every variant in the generated file of the fixture, and compares with plain
 * loops.
 *
 * Linked with one generated file, whose constructor calls the registration below, and with the
 * planner. Both targets take host memory: CUDA runs under the emulator.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/codegen/run_mesh.h"

static struct data expected;
static unsigned arrived;
/* 1: the dats that a variant need not read where they are zero hold something else. */
static int blank;

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

static struct cleave_launch launch_of(struct call *call, int block_size)
{
    return (struct cleave_launch){.size = call->size,
                                  .end = call->size,
                                  .blocks = (call->size + block_size - 1) / block_size,
                                  .block_size = block_size,
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
        launch->blocks = (launch->end - launch->begin + launch->block_size - 1) / launch->block_size;
        run_range(loop, variant, launch);
    }
}

/* What the arguments that a variant goes by hold: zeros, of which its own data know nothing. */
static void make_blank(const struct cleave_loop *loop, const struct cleave_variant *variant,
                       const struct call *call, unsigned char *zeros)
{
    const struct call zero = make_call(loop->kernel, &expected);
    for (int a = 0; a < MAX_ARGS && blank; a++) {
        if ((variant->starts >> a & 1) != 0) {
            const size_t bytes = bytes_of(call->data[a]);
            zeros[a] = CLEAVE_ZEROS_KNOWN;
            memset(zero.data[a], 0, bytes);
            memset(call->data[a], 0xff, bytes);
        }
    }
}

static int run_variant(const struct cleave_loop *loop, const struct cleave_variant *variant,
                       int block_size)
{
    unsigned char zeros[MAX_ARGS] = {0};
    make_data(&data);
    make_data(&expected);
    struct call call = make_call(loop->kernel, &data);
    make_blank(loop, variant, &call, zeros);
    struct cleave_plan *plan = make_plan(loop, &call, variant, block_size);
    void *tmp = make_tmp(variant, plan, call.size);
    void *copy[MAX_ARGS] = {NULL};
    struct cleave_launch launch = launch_of(&call, block_size);
    launch.plan = plan;
    launch.tmp = tmp;
    launch.zeros = zeros;
    if (variant->plan == CLEAVE_PLAN_BLOCKS || variant->plan == CLEAVE_PLAN_RANGES) {
        launch.blocks = plan->blocks;
    } else if (variant->plan == CLEAVE_PLAN_COLOURS) {
        launch.blocks = blocks_of_colours(plan, block_size);
    }
    launch.shared_bytes = variant->shared_bytes != NULL ? variant->shared_bytes(plan) : 0;
    make_copies(unit, variant, &call, plan, copy);
    launch.copy = (const void *const *)copy;
    run_ranges(loop, variant, &launch);
    plain(&expected, loop->kernel);
    bool same = memcmp(&data, &expected, sizeof data) == 0 && arrived == 0;
    printf("%s %s, blocks of %d%s\n", same ? "ok  " : "FAIL", variant->name, block_size,
           blank        ? ", zeros not read"
           : !on        ? ", off, renumbered"
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
                blank = loop->variant[v].starts != 0;
                failures += blank ? run_variant(loop, &loop->variant[v], block_sizes[s]) : 0;
                blank = 0;
            }
            failures += run_empty(&loop->variant[v]);
        }
    }
    printf("%d variants, %d failures\n", variants, failures);
    return failures != 0 || variants == 0;
}
