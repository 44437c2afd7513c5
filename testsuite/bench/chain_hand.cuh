/* chain_hand.cuh: what the parts of chain_hand share: arrays on the device, plans and items there,
 * reductions over many blocks, and timing.
 */
#ifndef CLEAVE_CHAIN_HAND_CUH
#define CLEAVE_CHAIN_HAND_CUH

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "device/items.cuh"
#include "device/owner.cuh"
#include "device/reduce.cuh"
#include "testsuite/bench/chain_hand_mesh.h"

#ifdef CHAIN_HAND_FLOAT
typedef float real;
#define REAL_NAME "float"
#else
typedef double real;
#define REAL_NAME "double"
#endif

enum {
    CHAIN_BLOCK = 128,       /* points of a block, and its threads */
    CHAIN_TOTAL_BYTES = 528, /* of shared memory, for chain_total() and, behind it, a flag */
    CHAIN_FLAG_BYTE = 512,
    CHAIN_SPREAD = 64, /* totals to which warps add theirs */
};

struct chain_options {
    int cells[2];      /* columns and rows of a third of the C-grid; 0: no airfoil */
    int size;          /* of jac's grid, in nodes a side; 0: no jac */
    const char *order; /* chain_hand_mesh.h */
    int calls;         /* timed calls, of `iterations` each */
    int iterations;
    const char *only; /* measures forms whose names contain it */
    int wait;         /* 1: the host waits for the totals of each step */
    int fault;        /* 1: one value of each result is made wrong before it is checked */
};

/* ---- memory ------------------------------------------------------------------------------------
 */

static inline void chain_must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "chain_hand: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

template <class T> struct chain_array {
    T *device = nullptr;
    size_t count = 0;

    explicit chain_array(size_t size) : count(size)
    {
        chain_must(cudaMalloc((void **)&device, (count + 1) * sizeof(T)));
        chain_must(cudaMemset(device, 0, (count + 1) * sizeof(T)));
    }
    chain_array(const T *values, size_t size) : chain_array(size)
    {
        put(values);
    }
    chain_array(const chain_array &) = delete;
    ~chain_array()
    {
        cudaFree(device);
    }
    void put(const T *values)
    {
        chain_must(cudaMemcpy(device, values, count * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> get() const
    {
        std::vector<T> values(count);
        chain_must(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
};

/* Host memory that the device writes to. */
template <class T> struct chain_host_array {
    T *host = nullptr;
    size_t count = 0;

    explicit chain_host_array(size_t size) : count(size)
    {
        chain_must(cudaMallocHost((void **)&host, count * sizeof(T)));
        std::fill(host, host + count, T(0));
    }
    chain_host_array(const chain_host_array &) = delete;
    ~chain_host_array()
    {
        cudaFreeHost(host);
    }
    /* After all kernels have ended. */
    std::vector<T> get() const
    {
        return std::vector<T>(host, host + count);
    }
};

/* Items of points on the device. */
struct chain_items {
    const int *start;
    const int *item; /* pairs */
};

struct chain_item_arrays {
    chain_array<int> start;
    chain_array<int> item;

    /* Frees the slices. */
    explicit chain_item_arrays(chain_slices s)
        : start(s.start, (size_t)s.slices + 1),
          item(s.item, 2 * (size_t)s.start[s.slices] * CLEAVE_WARP)
    {
        chain_slices_free(&s);
    }
    chain_items items() const
    {
        return {start.device, item.device};
    }
};

/* The first list of a plan on the device: its arrays for points and for blocks of points. */
struct chain_plan_arrays {
    cleave_plan_list list;
    int block_size;
    std::vector<void *> copies;

    explicit chain_plan_arrays(cleave_plan *plan)
        : list(plan->list[0]), block_size(plan->block_size)
    {
        const size_t entries = (size_t)plan->lanes * (size_t)list.rows;
        const size_t slices =
            block_size > 0 ? (size_t)list.owners * (size_t)((block_size - 1) / CLEAVE_WARP + 1) + 1
                           : 0;
        if (list.item_start != nullptr) {
            const size_t items = (size_t)list.item_start[list.points];
            copy(list.item_start, (size_t)list.points + 1);
            copy(list.item_element, items);
            copy(list.item_column, items);
        }
        if (list.slice_start != nullptr) {
            copy(list.around_point, (size_t)list.around_start[list.owners]);
            copy(list.around_start, (size_t)list.owners + 1);
            copy(list.slice_start, slices);
            copy(list.slice_element, entries);
            copy(list.slice_column, entries);
            copy(list.slice_local, (size_t)list.columns * entries);
        }
        chain_plan_free(plan);
    }
    chain_plan_arrays(const chain_plan_arrays &) = delete;
    ~chain_plan_arrays()
    {
        for (void *memory : copies) {
            cudaFree(memory);
        }
    }

  private:
    template <class T> void copy(const T *&array, size_t count)
    {
        void *to;
        chain_must(cudaMalloc(&to, (count + 1) * sizeof(T)));
        chain_must(cudaMemcpy(to, array, count * sizeof(T), cudaMemcpyHostToDevice));
        array = (const T *)to;
        copies.push_back(to);
    }
};

/* ---- reductions --------------------------------------------------------------------------------
 */

/* A sum and a maximum over all points. Blocks leave their results in memory, and one block of a
 * second kernel joins them. Counting the blocks, so that the last one joins, takes longer: each
 * must wait until its processor has no stores on their way. */
struct chain_totals {
    int blocks;
    real *of_block;    /* [2][blocks] */
    real *result;      /* [2], in host memory */
    real *spread;      /* [2][CHAIN_SPREAD] zeros between steps */
    unsigned *arrived; /* how many blocks have their totals; 0 between steps */
    unsigned *done;    /* in host memory: told when the result is there; or NULL */
};

/* All threads of a block call it once; CHAIN_TOTAL_BYTES of shared memory from `byte` on. */
CLEAVE_DEVICE void chain_total(real sum, real most, const chain_totals &to, int block, size_t byte)
{
    const auto sums = cleave_shared<real>(byte);
    const auto mosts = sums + CLEAVE_WARP;
    cleave_barrier();
    cleave_leave_values<cleave_op_add, 1>(&sum, sums);
    cleave_leave_values<cleave_op_max, 1>(&most, mosts);
    cleave_barrier();
    cleave_collect_block<cleave_op_add, 1>({to.of_block, nullptr}, block, sums);
    cleave_collect_block<cleave_op_max, 1>({to.of_block + to.blocks, nullptr}, block, mosts);
}

/* Thread 0 has written the result. */
CLEAVE_DEVICE void chain_tell(const chain_totals &of)
{
    cleave_tell_results({of.arrived, of.blocks, of.done});
}

CLEAVE_KERNEL void chain_join(chain_totals of)
{
    (void)cleave_block(); /* waits for the kernel before */
    const cleave_reduction<real> sum = {of.of_block, of.result};
    const cleave_reduction<real> most = {of.of_block + of.blocks, of.result + 1};
    const auto sums = cleave_shared<real>(0);
    const auto mosts = sums + CLEAVE_WARP;
    cleave_leave_all<cleave_op_add, 1>(sum, of.blocks, sums);
    cleave_leave_all<cleave_op_max, 1>(most, of.blocks, mosts);
    cleave_barrier();
    cleave_collect_all<cleave_op_add, 1>(sum, sums);
    cleave_collect_all<cleave_op_max, 1>(most, mosts);
    chain_tell(of);
}

/* A warp for each total, and the spread ones become zeros again. */
CLEAVE_KERNEL void chain_join_spread(chain_totals of)
{
    (void)cleave_block();
    const auto scratch = cleave_shared<real>(0);
    const real sum = of.spread[cleave_thread()];
    const real most = of.spread[CHAIN_SPREAD + cleave_thread()];
    of.spread[cleave_thread()] = 0;
    of.spread[CHAIN_SPREAD + cleave_thread()] = 0;
    const real all = cleave_reduce<cleave_op_add>(sum, scratch);
    const real largest = cleave_reduce<cleave_op_max>(most, scratch + CLEAVE_WARP);
    if (cleave_thread() == 0) {
        of.result[0] = all;
        of.result[1] = largest;
    }
    chain_tell(of);
}

/* The host waits for the result, if it wants to. */
static inline void chain_await_totals(const chain_totals &totals)
{
    if (totals.done != nullptr) {
        while (__atomic_load_n(totals.done, __ATOMIC_ACQUIRE) == 0) {
        }
        *totals.done = 0;
    }
}

static inline void chain_join_totals(const chain_totals &totals)
{
    CLEAVE_LAUNCH(chain_join, 1, 1024, CHAIN_TOTAL_BYTES, nullptr, totals);
    chain_await_totals(totals);
}

static inline void chain_join_spread_totals(const chain_totals &totals)
{
    CLEAVE_LAUNCH(chain_join_spread, 1, CHAIN_SPREAD, CHAIN_TOTAL_BYTES, nullptr, totals);
    chain_await_totals(totals);
}

struct chain_total_arrays {
    chain_array<real> of_block, spread;
    chain_array<unsigned> arrived;
    chain_host_array<real> result;
    chain_host_array<unsigned> done;
    int blocks;
    int waits = 0;

    explicit chain_total_arrays(int points)
        : of_block(2 * (size_t)points + 4096), spread(2 * CHAIN_SPREAD), arrived(1), result(2),
          done(1), blocks((points - 1) / CHAIN_BLOCK + 1)
    {
    }
    chain_totals totals() const
    {
        return {blocks,        of_block.device, result.host,
                spread.device, arrived.device,  waits != 0 ? done.host : nullptr};
    }
};

/* ---- measuring ---------------------------------------------------------------------------------
 */

/* Median microseconds of an iteration. */
template <class RUN> static double chain_microseconds(const chain_options &options, RUN run)
{
    cudaEvent_t start, stop;
    std::vector<float> milliseconds;
    chain_must(cudaEventCreate(&start));
    chain_must(cudaEventCreate(&stop));
    for (int call = -2; call < options.calls; call++) {
        float time;
        chain_must(cudaEventRecord(start, 0));
        for (int i = 0; i < options.iterations; i++) {
            run();
        }
        chain_must(cudaEventRecord(stop, 0));
        chain_must(cudaEventSynchronize(stop));
        chain_must(cudaEventElapsedTime(&time, start, stop));
        if (call >= 0) {
            milliseconds.push_back(time);
        }
    }
    chain_must(cudaGetLastError());
    chain_must(cudaEventDestroy(start));
    chain_must(cudaEventDestroy(stop));
    std::sort(milliseconds.begin(), milliseconds.end());
    return 1e3 * milliseconds[milliseconds.size() / 2] / options.iterations;
}

/* Largest difference by the largest value; infinity if there is a NaN. */
static inline double chain_difference(const std::vector<real> &a, const std::vector<real> &b)
{
    double most = 0.0, difference = 0.0;
    for (size_t i = 0; i < a.size(); i++) {
        const double d = fabs((double)a[i] - (double)b[i]);
        most = fmax(most, fabs((double)b[i]));
        difference = d <= difference ? difference : std::isnan(d) ? INFINITY : d;
    }
    return most > 0.0 ? difference / most : difference;
}

/* Return how many results were wrong. */
int chain_measure_airfoil(const chain_options &options);
int chain_measure_jac(const chain_options &options);

#endif
