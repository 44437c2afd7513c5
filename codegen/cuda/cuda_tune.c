/* cuda_tune.c: the parameters that are compiled into a kernel, and which of them are worth it.
 *
 * In: a variant whose kernel and starting function are templates over the components that a thread
 * updates and the registers that it may have. Out: a row of the loop's table for each set. Which
 * are candidates was measured on an H200: two components, or four, which are read in wide parts;
 * caps gain as long as they let more threads stay resident than they make spill, 64 to 96 registers
 * for loops of some hundred operations, none for light and for very large ones.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"
#include "pass/ir/machine.h"

enum { NO_CAP = 255 };

struct parameters {
    int components;
    int registers;
    enum { DEFAULT, IF_LONG, CANDIDATE, EXHAUSTIVE } level; /* IF_LONG: for bodies that may spill */
};

static const struct parameters parameters[] = {
    {2, 64, DEFAULT},        {2, NO_CAP, IF_LONG},    {2, 72, CANDIDATE},  {4, 72, CANDIDATE},
    {2, 80, CANDIDATE},      {4, 80, CANDIDATE},      {2, 96, CANDIDATE},  {1, NO_CAP, EXHAUSTIVE},
    {4, NO_CAP, EXHAUSTIVE}, {6, NO_CAP, EXHAUSTIVE}, {1, 64, EXHAUSTIVE}, {4, 64, EXHAUSTIVE},
    {6, 64, EXHAUSTIVE},     {1, 72, EXHAUSTIVE},     {6, 72, EXHAUSTIVE}, {1, 80, EXHAUSTIVE},
    {6, 80, EXHAUSTIVE},     {4, 96, EXHAUSTIVE},     {6, 96, EXHAUSTIVE}, {2, 48, EXHAUSTIVE},
    {4, 48, EXHAUSTIVE},     {6, 48, EXHAUSTIVE},     {2, 40, EXHAUSTIVE},
};

/* For bodies of many flops: a cap of 64 registers spills 664 bytes of lulesh's hourglass, which
 * then takes 593 instead of 228 us. */
static const struct parameters parameters_free[] = {
    {2, NO_CAP, DEFAULT},    {2, 96, CANDIDATE},      {4, NO_CAP, CANDIDATE},
    {1, NO_CAP, EXHAUSTIVE}, {6, NO_CAP, EXHAUSTIVE}, {2, 128, EXHAUSTIVE},
    {4, 128, EXHAUSTIVE},    {4, 96, EXHAUSTIVE},     {2, 80, EXHAUSTIVE},
};

/* Sums of `ordered` kernels must have the same bits in every run, so one set of parameters decides,
 * without candidates: with a register cap for bodies of few flops, else without. */

static const struct parameters ordered_capped[] = {
    {2, 72, DEFAULT},    {2, 64, EXHAUSTIVE}, {4, 72, EXHAUSTIVE},
    {4, 80, EXHAUSTIVE}, {2, 96, EXHAUSTIVE}, {2, NO_CAP, EXHAUSTIVE},
};
static const struct parameters ordered_free[] = {
    {2, NO_CAP, DEFAULT},
    {2, 96, EXHAUSTIVE},
    {2, 128, EXHAUSTIVE},
    {4, NO_CAP, EXHAUSTIVE},
};

/* Register caps for kernels without components per thread, whose sums and prefetched elements need
 * many registers: if four blocks of 128 threads fit the shared memory of a multiprocessor, and if
 * fewer do. */
static const struct parameters caps_of_four[] = {
    {0, 128, DEFAULT},    {0, NO_CAP, CANDIDATE}, {0, 96, CANDIDATE},
    {0, 168, EXHAUSTIVE}, {0, 80, EXHAUSTIVE},
};
static const struct parameters caps_of_few[] = {
    {0, NO_CAP, DEFAULT},
    {0, 128, CANDIDATE},
    {0, 168, EXHAUSTIVE},
    {0, 96, EXHAUSTIVE},
};

/* Register caps for points that read memory directly and do more than sum up, and for those that
 * load several items at once. Resident threads hide the latency of an item's chain of loads: on an
 * H200, airfoil's res_calc and update as one kernel took 435 us at 5.76 million cells with 64
 * registers and 444 us with the 70 that it asks for
 * (testsuite/bench/results/2026-11-23-batches-h200.txt). What joined loops do for a point may spill
 * much, whatever the flops of their elements are, so the kernel without a cap is always there. */
static const struct parameters caps_of_points[] = {
    {0, 64, DEFAULT},   {0, NO_CAP, DEFAULT}, {0, 56, CANDIDATE},
    {0, 72, CANDIDATE}, {0, 80, EXHAUSTIVE},
};
static const struct parameters caps_of_batches[] = {
    {0, 80, DEFAULT},
    {0, NO_CAP, CANDIDATE},
    {0, 72, CANDIDATE},
};

/* The runtime runs a kernel without a cap if the one with a cap spills (runtime/choose/choice.c).
 */
static bool is_asked(const struct emit *emit, const struct parameters *set)
{
    const bool is_long = emit->schedule->estimate.flops > machines[MACHINE_GPU].spilling_flops;
    return set->level == DEFAULT || emit->file->options->exhaustive ||
           (set->level == IF_LONG && is_long) ||
           (set->level <= CANDIDATE && emit->file->options->candidates);
}

/* Several sets give the same kernel if the loop has few components: only the first of them is
 * compiled. `first`: start of the table. */
static bool is_wanted(struct emit *emit, const struct parameters *first,
                      const struct parameters *set)
{
    for (const struct parameters *before = first; before < set; before++) {
        if (is_asked(emit, before) && before->registers == set->registers &&
            cuda_gather_alike(emit, before->components, set->components)) {
            return false;
        }
    }
    return is_asked(emit, set);
}

/* Row number `row` of the variants that stand in the place of `common`. */
static struct emitted *add_row(struct emit *emit, struct emitted *variant,
                               const struct emitted *common, int row)
{
    struct emitted *added = row == 0 ? variant : emit_row(emit);
    *added = *common;
    return added;
}

/* Names the row and its functions. components: template arguments before the registers, or "". */
static void name_row(struct emit *emit, struct emitted *row, const char *components, int registers)
{
    if (registers < NO_CAP) {
        row->name = emit_format(emit, "%s_r%d", row->name, registers);
    }
    row->run = emit_format(emit, "%s<%s%d>", row->run, components, registers);
    row->kernel = emit_format(emit, "%s<%s%d>", row->kernel, components, registers);
}

static void tune(struct emit *emit, struct emitted *variant, const struct parameters *table,
                 size_t sets)
{
    const struct emitted common = *variant;
    int rows = 0;
    for (size_t p = 0; p < sets; p++) {
        const struct parameters *set = &table[p];
        if (is_wanted(emit, table, set)) {
            struct emitted *row = add_row(emit, variant, &common, rows++);
            row->name = emit_format(emit, "%s_c%d", common.name, set->components);
            row->components = set->components;
            name_row(emit, row, emit_format(emit, "%d, ", set->components), set->registers);
        }
    }
}

/* Whether a cap on registers pays: for bodies of few flops. unknown: the answer for a kernel that
 * is called whole, whose flops nobody has counted. */
static bool is_capped(const struct emit *emit, bool unknown)
{
    const double flops = emit->schedule->estimate.flops;
    return flops > 0 ? flops <= machines[MACHINE_GPU].capped_flops : unknown;
}

static size_t until_exhaustive(const struct parameters *table, size_t sets)
{
    size_t until = 0;
    while (until < sets && table[until].level != EXHAUSTIVE) {
        until++;
    }
    return until;
}

#define SETS(table) (sizeof(table) / sizeof((table)[0]))

void cuda_tune(struct emit *emit, struct emitted *variant)
{
    if (is_capped(emit, true)) {
        tune(emit, variant, parameters, SETS(parameters));
    } else {
        tune(emit, variant, parameters_free, SETS(parameters_free));
    }
}

/* Variants for comparison get the candidates only, not all sets of parameters. */
void cuda_tune_candidates(struct emit *emit, struct emitted *variant)
{
    if (is_capped(emit, true)) {
        tune(emit, variant, parameters, until_exhaustive(parameters, SETS(parameters)));
    } else {
        tune(emit, variant, parameters_free,
             until_exhaustive(parameters_free, SETS(parameters_free)));
    }
}

void cuda_tune_ordered(struct emit *emit, struct emitted *variant)
{
    if (is_capped(emit, false)) {
        tune(emit, variant, ordered_capped, SETS(ordered_capped));
    } else {
        tune(emit, variant, ordered_free, SETS(ordered_free));
    }
}

static bool four_fit(const struct schedule *schedule)
{
    size_t largest = 0;
    for (int s = 0; s < schedule->stages; s++) {
        size_t bytes = schedule->stage[s].staged_bytes;
        largest = bytes > largest ? bytes : largest;
    }
    return largest <= machines[MACHINE_GPU].four_bytes;
}

static void tune_caps(struct emit *emit, struct emitted *variant, const struct parameters *caps,
                      size_t count)
{
    const struct emitted common = *variant;
    int rows = 0;
    for (size_t p = 0; p < count; p++) {
        if (is_asked(emit, &caps[p])) {
            name_row(emit, add_row(emit, variant, &common, rows++), "", caps[p].registers);
        }
    }
}

void cuda_tune_registers(struct emit *emit, struct emitted *variant)
{
    if (four_fit(emit->schedule)) {
        tune_caps(emit, variant, caps_of_four, SETS(caps_of_four));
    } else {
        tune_caps(emit, variant, caps_of_few, SETS(caps_of_few));
    }
}

void cuda_tune_points(struct emit *emit, struct emitted *variant)
{
    tune_caps(emit, variant, caps_of_points, SETS(caps_of_points));
}

void cuda_tune_batches(struct emit *emit, struct emitted *variant)
{
    tune_caps(emit, variant, caps_of_batches, SETS(caps_of_batches));
}
