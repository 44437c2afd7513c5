/* cost.c: how long an element takes, from what a schedule moves and computes.
 *
 *     time = max(memory, L2, shared memory, arithmetic) + trips * latency / elements in flight
 *
 * The first term is what the GPU cannot go below when all its units are busy; the second what it
 * waits because too few elements are in flight to hide latency, which is where shared memory and
 * registers per block come in. cost_graph.c does the summing for a partition of a body.
 */
#include <math.h>
#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/machine.h"
#include "splitter/partition/cost_impl.h"

/* The machine whose times are predicted: the splitter cuts for GPUs. */
static const struct machine *const gpu = &machines[MACHINE_GPU];

/* Register caps worth trying: with a cap the compiler spills the rest. */
static const int register_cap[] = {64, 80, 96, 128, 168, 255};
enum { CAPS = sizeof register_cap / sizeof register_cap[0] };

/* Mesh reuse: how often the elements of a block, and of the whole mesh, refer to one point. Blocks
 * of 128 edges of tetrahedra reach 5.5, of quadrilaterals 3.2, of hexahedra with 8 corners 4.4. One
 * column alone refers to a point less often. */
static const double BLOCK_REUSE = 4.5;
static const double BLOCK_REUSE_ONE_COLUMN = 3;
/* Points of the largest block, which determines the shared memory of a launch, relative to those of
 * an average block. */
static const double LARGEST_BLOCK = 1.5;
static const double MESH_REUSE = 8; /* between quadrilaterals (4) and tetrahedra (14) */
/* Elements of a block that share points take turns, in rounds that end with a barrier: 5 rounds on
 * quadrilaterals, 14 on tetrahedra. In a fused stage the body itself runs in its element's turn. */
static const double ROUNDS = 10;
/* Trips through memory when a gathering point visits one element: the element's number must be
 * loaded before its data. */
static const double VISIT_TRIPS = 1.5;
static const double MAP_BYTES = 4;

double cost_points(int columns)
{
    return columns / (columns > 1 ? BLOCK_REUSE : BLOCK_REUSE_ONE_COLUMN);
}

double cost_points_largest(int columns)
{
    return LARGEST_BLOCK * cost_points(columns);
}

double cost_mesh_points(int columns)
{
    return columns / MESH_REUSE;
}

double cost_body_trips(double flops)
{
    return flops * gpu->flop_latency / gpu->trip_latency;
}

double cost_turns_trips(int added)
{
    return ROUNDS * (gpu->barrier_latency + added * gpu->add_latency) / gpu->trip_latency;
}

/* Resident threads per multiprocessor. `shared`: bytes per block; `registers`: per thread. The
 * minimum of the two limits is smoothed, because real meshes differ from the nominal one. */
static double resident_threads(double shared, int registers)
{
    double by_registers = gpu->registers / registers;
    double by_shared = shared > 0 ? gpu->shared_bytes * COST_BLOCK / shared : INFINITY;
    double both = 1 / sqrt(1 / (by_registers * by_registers) + 1 / (by_shared * by_shared));
    return fmin(gpu->threads, both);
}

/* Predicted time with one register cap. */
static double time_capped(const struct cost_sums *sums, int cap, struct estimate *estimate)
{
    int need = gpu->base_registers + sums->live_bytes / 4;
    int registers = need < cap ? need : cap;
    double spilled = 2.0 * 4 * (need - registers);
    double memory = sums->memory / gpu->memory_rate;
    double l2 = (sums->memory + sums->loaded + spilled) / gpu->l2_rate;
    double fast = sums->fast / gpu->shared_rate;
    double flops = sums->flops / gpu->flop_rate;
    double busy = fmax(fmax(memory, l2), fmax(fast, flops));
    double threads = resident_threads(sums->shared, registers);
    double wait = sums->trips * gpu->trip_latency / (gpu->processors * threads);
    if (estimate != NULL) {
        estimate->registers = registers;
        estimate->occupancy = threads / gpu->threads;
        estimate->limit = wait > busy                ? "occupancy"
                          : busy > fmax(fast, flops) ? "memory"
                          : fast > flops             ? "shared memory"
                                                     : "arithmetic";
    }
    return busy + wait;
}

double cost_time(const struct cost_sums *sums, struct estimate *estimate)
{
    int best = 0;
    double best_time = time_capped(sums, register_cap[0], NULL);
    int need = gpu->base_registers + sums->live_bytes / 4;
    for (int c = 1; c < CAPS && register_cap[c - 1] < need; c++) {
        double time = time_capped(sums, register_cap[c], NULL);
        if (time < best_time) {
            best = c;
            best_time = time;
        }
    }
    if (estimate != NULL) {
        time_capped(sums, register_cap[best], estimate);
        estimate->time = best_time;
        estimate->memory_bytes = sums->memory;
        estimate->flops = sums->flops;
        estimate->shared_bytes = (size_t)sums->shared;
    }
    return best_time;
}

/* ---- the loop's arguments -------------------------------------------------------------------- */

static bool is_through(const struct arg *arg, int map)
{
    return arg->kind == ARG_DAT && arg->is_indirect && arg->map == map;
}

static bool uses_column(const struct arg *arg, int column)
{
    return arg->is_vector ? column < arg->columns : column == arg->map_index;
}

int cost_columns(const struct loop *loop, int map)
{
    int highest = 0;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        int last = arg->is_vector ? arg->columns - 1 : arg->map_index;
        highest = is_through(arg, map) && last > highest ? last : highest;
    }
    int columns = 0;
    for (int c = 0; c <= highest; c++) {
        bool used = false;
        for (int a = 0; a < loop->args && !used; a++) {
            used = is_through(&loop->arg[a], map) && uses_column(&loop->arg[a], c);
        }
        columns += used;
    }
    return columns > 0 ? columns : 1;
}

static double record_bytes(const struct arg *arg)
{
    return arg->dim > 0 ? (double)arg->dim * (double)arg->type->size : (double)arg->type->size;
}

/* True for the first argument of those that name one dat (`dat`) or go through one map. */
static bool is_first(const struct loop *loop, int a, bool dat)
{
    for (int b = 0; b < a; b++) {
        const struct arg *x = &loop->arg[a];
        const struct arg *y = &loop->arg[b];
        if (dat ? args_share_group(loop, a, b) : is_through(y, x->map)) {
            return false;
        }
    }
    return true;
}

double cost_memory(const struct loop *loop)
{
    double bytes = 0;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind != ARG_DAT || arg->set > 0) {
            continue; /* phases run over small sets */
        }
        double ways = arg->access == ACCESS_READ || arg->access == ACCESS_WRITE ? 1 : 2;
        if (!arg->is_indirect) {
            bytes += ways * record_bytes(arg);
            continue;
        }
        int columns = cost_columns(loop, arg->map);
        bytes += is_first(loop, a, true) ? ways * cost_mesh_points(columns) * record_bytes(arg) : 0;
        bytes += is_first(loop, a, false) ? MAP_BYTES * columns : 0;
    }
    return bytes;
}

/* ---- schedules ------------------------------------------------------------------------------- */

static void add_transfers(const struct loop *loop, const struct stage *stage,
                          struct cost_sums *sums)
{
    double shared = 0;
    for (int t = 0; t < stage->transfers; t++) {
        const struct transfer *transfer = &stage->transfer[t];
        const struct arg *arg = &loop->arg[transfer->arg];
        int columns = cost_columns(loop, arg->map);
        double record = (double)transfer->components * (double)arg->type->size;
        int ways = transfer->kind == TRANSFER_OUT ? 2 : 1; /* set to zero, then added to the data */
        shared += record * COST_BLOCK * cost_points_largest(columns);
        sums->loaded += record * cost_points(columns);
        sums->fast += record * (ways * cost_points(columns) + columns);
    }
    sums->shared = fmax(sums->shared, shared);
}

/* Times that tmp(e) is read from memory: by each update loop its part, by each point all of it. */
static double tmp_reads(const struct loop *loop, const struct schedule *schedule)
{
    double reads = 0;
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];
        if (stage->kind == STAGE_UPDATE) {
            reads += 1;
        } else if (stage->kind == STAGE_GATHER) {
            reads += cost_columns(loop, loop->arg[stage->map].map);
        }
    }
    return reads;
}

/* Columns through which a gather recomputes the body, once for each of its points. */
static int gather_visits(const struct loop *loop, const struct schedule *schedule)
{
    int visits = 0;
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];
        if (stage->kind == STAGE_GATHER) {
            visits += cost_columns(loop, loop->arg[stage->map].map);
        }
    }
    return visits > 0 ? visits : 1;
}

int cost_sparse_map(const struct loop *loop, const struct schedule *schedule)
{
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];
        if (stage->kind == STAGE_GATHER && cost_columns(loop, loop->arg[stage->map].map) < 2) {
            return stage->map;
        }
    }
    return -1;
}

/* Bytes per element that L2 serves where nothing is staged: each of a block's points once, as the
 * cache holds them; and in a gather, where a point's own data stay in registers, those of the
 * others. */
struct reads {
    double once;
    double others;
};

static struct reads find_reads(const struct loop *loop)
{
    struct reads reads = {0, 0};
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind != ARG_DAT || !arg->is_indirect || arg->is_point || arg->set > 0 ||
            arg->access != ACCESS_READ) {
            continue;
        }
        int columns = cost_columns(loop, arg->map);
        double bytes = record_bytes(arg);
        reads.once += is_first(loop, a, true) ? bytes * cost_points(columns) : 0;
        reads.others += bytes * arg->columns * (columns - 1) / columns;
    }
    return reads;
}

/* Places that an element adds to in a stage: through all columns at once where the stage is whole.
 */
static int added_places(const struct loop *loop, const struct stage *stage)
{
    int added = 0;
    for (int t = 0; t < stage->transfers; t++) {
        const struct transfer *transfer = &stage->transfer[t];
        int columns =
            stage->kind == STAGE_WHOLE ? cost_columns(loop, loop->arg[transfer->arg].map) : 1;
        added += transfer->kind == TRANSFER_OUT ? transfer->components * columns : 0;
    }
    return added;
}

/* Trips that updates take: those of a stage that computes the body too wait for it in every round.
 */
static double turns(const struct loop *loop, const struct schedule *schedule, double flops)
{
    double trips = 0;
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];
        int added = added_places(loop, stage);
        if (added > 0) {
            trips += cost_turns_trips(added);
            trips += stage->kind == STAGE_WHOLE ? (ROUNDS - 1) * cost_body_trips(flops) : 0;
        }
    }
    return trips;
}

static int update_stages(const struct schedule *schedule)
{
    int count = 0;
    for (int s = 0; s < schedule->stages; s++) {
        count += schedule->stage[s].kind == STAGE_UPDATE;
    }
    return count;
}

/* Adds the costs of the kind of schedule to those of its stages' transfers. */
static void add_kind(const struct loop *loop, struct schedule *schedule, struct cost_sums *sums)
{
    double tmp = (double)schedule->tmp_bytes;
    int visits = gather_visits(loop, schedule);
    struct reads reads = find_reads(loop);
    sums->trips = 1 + schedule->stages - update_stages(schedule);
    sums->trips += cost_body_trips(sums->flops) + turns(loop, schedule, sums->flops);
    switch (schedule->kind) {
    case SCHEDULE_FUSED:
    case SCHEDULE_SPLIT:
        break;
    case SCHEDULE_TWO_PASS:
        sums->loaded += reads.once;
        /* fall through */
    case SCHEDULE_LOOPS:
        sums->memory += tmp * (1 + tmp_reads(loop, schedule));
        sums->trips += schedule->stages; /* each loop begins with its own map */
        break;
    case SCHEDULE_OWNER_GATHER:
        schedule->estimate.recomputed = sums->flops * (visits - 1);
        sums->trips = visits * (VISIT_TRIPS + cost_body_trips(sums->flops));
        sums->flops += schedule->estimate.recomputed;
        sums->loaded += visits * reads.others;
        break;
    }
}

/* Bytes of tmp(e) that an element holds until they are added. */
static int kept_bytes(const struct cost_graph *base)
{
    int bytes = 0;
    for (int v = 0; v < base->vars; v++) {
        bytes += base->var[v].kept ? base->var[v].bytes : 0;
    }
    return bytes;
}

static struct cost_sums sum_schedule(const struct loop *loop, const struct cost_graph *base,
                                     struct schedule *schedule)
{
    struct cost_sums sums = {.memory = cost_memory(loop),
                             .flops = base != NULL ? base->flops : 0,
                             .live_bytes = base != NULL ? kept_bytes(base) : 0};
    for (int s = 0; s < schedule->stages; s++) {
        add_transfers(loop, &schedule->stage[s], &sums);
    }
    add_kind(loop, schedule, &sums);
    return sums;
}

void cost_estimate(const struct loop *loop, const struct graph *graph,
                   const struct partition *partition, struct schedule *schedule)
{
    struct estimate *estimate = &schedule->estimate;
    memset(estimate, 0, sizeof(*estimate));
    struct arena *scratch = arena_new();
    struct cost_graph *base = graph != NULL ? cost_graph_new(scratch, graph) : NULL;
    struct cost_sums sums = base != NULL && partition != NULL && schedule->kind == SCHEDULE_SPLIT
                                ? cost_sum(base, partition, &estimate->recomputed)
                                : sum_schedule(loop, base, schedule);
    cost_time(&sums, estimate);
    estimate->staged_bytes = sums.fast;
    estimate->registers = base != NULL ? estimate->registers : 0;
    arena_free(scratch);
}
