/* joins.cu: join.cuh joins the partial results of a loop by one block or several: every result
 * takes part once, in an order that does not depend on which block ends last.
 *
 * Runs under the emulator in each order of blocks and threads, and under nvcc on a GPU.
 */
#include <cstring>
#include "device/join.cuh"
#include "emulator/mirror.h"

/* Reductions of the loop: three that are read together, one of them with two components; one alone,
 * with more components than a thread has values in flight; one alone behind it. */
enum { MANY = 17, SCRATCH = 4 * 32 * 8, REDUCTIONS = 5 };

static const int dims[REDUCTIONS] = {2, 1, 1, MANY, 1};

struct reductions {
    cleave_reduction<double> sum;
    cleave_reduction<double> most;
    cleave_reduction<float> least;
    cleave_reduction<double> many;
    cleave_reduction<int> count;
};

/* A round of joins, as generated code has them. */
CLEAVE_DEVICE void join_portion(const reductions &of, cleave_portion part)
{
    cleave_leave_portion(part, cleave_joint_of<cleave_op_add, 2>(of.sum, cleave_shared<double>(0)),
                         cleave_joint_of<cleave_op_max, 1>(of.most, cleave_shared<double>(512)),
                         cleave_joint_of<cleave_op_min, 1>(of.least, cleave_shared<float>(768)));
    cleave_barrier();
    cleave_collect_portion<cleave_op_add, 2>(of.sum, part, cleave_shared<double>(0));
    cleave_collect_portion<cleave_op_max, 1>(of.most, part, cleave_shared<double>(512));
    cleave_collect_portion<cleave_op_min, 1>(of.least, part, cleave_shared<float>(768));
    cleave_reduce_portion<cleave_op_add, MANY>(of.many, part, cleave_shared<double>(0));
    cleave_reduce_portion<cleave_op_add, 1>(of.count, part, cleave_shared<int>(0));
}

CLEAVE_KERNEL void CLEAVE_REGISTERS(CLEAVE_JOIN_REGISTERS)
    join(reductions of, cleave_portions portions)
{
    cleave_portion part = cleave_portion_of(portions, cleave_block());
    do {
        join_portion(of, part);
    } while (cleave_joins_on(part, portions, cleave_shared<int>(SCRATCH)));
}

/* One block joins `count` partial results from number `first` on, a reduction at a time. */
CLEAVE_KERNEL void join_alone(cleave_reduction<double> sum, int first, int step, int count)
{
    for (int d = 0; d < 2; d++) {
        const double v = cleave_reduce<cleave_op_add>(
            cleave_join_partials<cleave_op_add>(sum.partial + 2 * first + d, 2 * step, count),
            cleave_shared<double>((size_t)(256 * d)));
        if (cleave_thread() == 0) {
            sum.result[d] = v;
        }
    }
}

/* ---- partial results ---------------------------------------------------------------------------
 */

static double value_of(int n)
{
    return 1.0 / (1 + (int)(n * 7919L % 10007)) - 0.25;
}

/* What the reductions give, by host arithmetic, where no rounding matters. */
struct expected {
    double sum;
    double most;
    float least;
    double many[MANY];
    int count;
};

static expected expect(int partials)
{
    expected e = {0, value_of(0), 0, {}, partials};
    for (int n = 0; n < partials; n++) {
        e.sum += value_of(n);
        e.most = e.most < value_of(n) ? value_of(n) : e.most;
        e.least = -(float)n;
        for (int d = 0; d < MANY; d++) {
            e.many[d] += n % 5 + d;
        }
    }
    return e;
}

/* Memory of a launch for so many partial results. */
struct memory {
    mirror<double> sum, most, many;
    mirror<float> least;
    mirror<int> count;
    mirror<unsigned> arrived;
    char *result[REDUCTIONS];
    unsigned *done;

    explicit memory(int partials)
        : sum(std::vector<double>(2 * (size_t)partials)),
          most(std::vector<double>((size_t)partials)),
          many(std::vector<double>((size_t)partials * MANY)),
          least(std::vector<float>((size_t)partials)), count(std::vector<int>((size_t)partials)),
          arrived(std::vector<unsigned>(1, 0))
    {
        for (int r = 0; r < REDUCTIONS; r++) {
            CHECK(cudaMallocHost((void **)&result[r], (size_t)dims[r] * sizeof(double)) ==
                  cudaSuccess);
        }
        CHECK(cudaMallocHost((void **)&done, sizeof *done) == cudaSuccess);
    }

    ~memory()
    {
        for (int r = 0; r < REDUCTIONS; r++) {
            CHECK(cudaFreeHost(result[r]) == cudaSuccess);
        }
        CHECK(cudaFreeHost(done) == cudaSuccess);
    }

    template <class T> static void put(const mirror<T> &to)
    {
        CHECK(cudaMemcpy(to.device, to.host.data(), to.bytes(), cudaMemcpyHostToDevice) ==
              cudaSuccess);
    }

    /* The blocks' results: a sum that rounds, and beside it one of ones. */
    void fill(int partials)
    {
        for (size_t n = 0; n < (size_t)partials; n++) {
            sum.host[2 * n] = value_of((int)n);
            sum.host[2 * n + 1] = 1;
            most.host[n] = value_of((int)n);
            least.host[n] = -(float)n;
            count.host[n] = 1;
            for (int d = 0; d < MANY; d++) {
                many.host[n * MANY + (size_t)d] = (int)n % 5 + d;
            }
        }
        put(sum);
        put(most);
        put(least);
        put(many);
        put(count);
        *done = 0;
    }

    template <class T> T *of(int r) const
    {
        return (T *)(void *)result[r];
    }
};

/* The first sum, in the order that join.cuh promises: a block's own order in each portion, and once
 * more over the portions' results. */
static double sum_in_order(memory &memory, cleave_portions portions)
{
    const int blocks = portions.arrived.blocks;
    double *to = memory.of<double>(0);
    std::vector<double> first((size_t)(2 * blocks));
    memory.fill(portions.partials);
    for (int b = 0; b < blocks; b++) {
        const int left = portions.partials - b * portions.size;
        CLEAVE_LAUNCH(join_alone, 1, CLEAVE_JOIN_THREADS, 512, nullptr,
                      (cleave_reduction<double>{memory.sum.device, to}), b * portions.size, 1,
                      left < portions.size ? left : portions.size);
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
        first[(size_t)(2 * b)] = to[0];
        first[(size_t)(2 * b + 1)] = to[1];
    }
    if (blocks > 1) {
        mirror<double> rest(first);
        CLEAVE_LAUNCH(join_alone, 1, CLEAVE_JOIN_THREADS, 512, nullptr,
                      (cleave_reduction<double>{rest.device, to}), 0, 1, blocks);
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
    }
    return to[0];
}

/* Twice: the counter is as before after each launch. */
static void test_join(int partials, int blocks)
{
    memory memory(partials);
    cleave_launch launch = {};
    launch.arrived = memory.arrived.device;
    launch.done = memory.done;
    const cleave_portions portions = cleave_portions_of(&launch, partials);
    const expected e = expect(partials);
    const double sum = sum_in_order(memory, portions);
    const reductions of = {{memory.sum.device, memory.of<double>(0)},
                           {memory.most.device, memory.of<double>(1)},
                           {memory.least.device, memory.of<float>(2)},
                           {memory.many.device, memory.of<double>(3)},
                           {memory.count.device, memory.of<int>(4)}};
    CHECK(portions.arrived.blocks == blocks && blocks * portions.size >= partials);
    CHECK((blocks - 1) * portions.size < partials);
    CHECK(sum - e.sum < 1e-8 && e.sum - sum < 1e-8);
    for (int run = 0; run < 2; run++) {
        memory.fill(partials);
        CLEAVE_LAUNCH(join, blocks, CLEAVE_JOIN_THREADS, SCRATCH + sizeof(int), nullptr, of,
                      portions);
        CHECK(memory.arrived.fetch()[0] == 0 && *memory.done == 1);
        CHECK(memcmp(of.sum.result, &sum, sizeof sum) == 0 && of.sum.result[1] == partials);
        CHECK(of.most.result[0] == e.most && of.least.result[0] == e.least);
        CHECK(memcmp(of.many.result, e.many, sizeof e.many) == 0);
        CHECK(of.count.result[0] == e.count);
    }
}

int main()
{
    test_join(1, 1);
    test_join(33, 1);
    test_join(5625, 1);
    test_join(CLEAVE_JOIN_ALONE, 1);
    test_join(CLEAVE_JOIN_ALONE + 1, 4);
    test_join(45000, 21);
    test_join(CLEAVE_JOIN_BLOCKS * CLEAVE_JOIN_EACH + 1, CLEAVE_JOIN_BLOCKS);
    return CHECK_RESULT();
}
