/* chain_hand_jac.cu: steps of jac with both loops in one kernel, checked against one kernel for
 * each.
 */
#include "testsuite/bench/chain_hand.cuh"

namespace
{

enum { FEW_STEPS = 3 };

/* Data that the kernels read and write. u of neighbours is read while the kernel writes u_next. */
struct chain_jac {
    int nodes;
    const int *ends;     /* [edges][2] */
    const real *a;       /* [edges] */
    const real *a_items; /* in the order of a plan's items */
    const real *r;
    const real *u;
    real *u_next;
    real *du;
    chain_totals totals;
};

/* The loop `update` for a node. RES: du exists, and becomes 0, which is stored last: a store to a
 * value that is still being loaded makes the kernel several times as slow. */
template <bool RES>
CLEAVE_DEVICE void finish_node(const chain_jac &j, int n, real sum, real &total, real &most)
{
    if constexpr (RES) {
        sum += j.du[n];
    }
    const real u = j.u[n] + (sum + j.r[n]);
    j.u_next[n] = u;
    if constexpr (RES) {
        j.du[n] = 0;
    }
    total += u * u;
    most = most > u ? most : u;
}

/* ---- kernels -----------------------------------------------------------------------------------
 */

template <bool RES> CLEAVE_KERNEL void chain_sweep(chain_jac j, chain_items items)
{
    const int block = cleave_block();
    const int n = block * CHAIN_BLOCK + cleave_thread();
    real total = 0, most = 0;
    if (n < j.nodes) {
        const int last = items.start[n / CLEAVE_WARP + 1];
        real sum = 0;
        for (int row = items.start[n / CLEAVE_WARP]; row < last; row++) {
            const auto item =
                cleave_load<2>(items.item + 2 * ((size_t)row * CLEAVE_WARP + cleave_lane()));
            if (item[1] >= 0) {
                sum += j.a[item[0] >> 1] * j.u[item[1]];
            }
        }
        finish_node<RES>(j, n, sum, total, most);
    }
    chain_total(total, most, j.totals, block, 0);
}

/* The variant `owner` of res, with update behind the sums. */
template <bool RES> CLEAVE_KERNEL void chain_sweep_points(chain_jac j, cleave_plan_list list)
{
    const int block = cleave_block();
    const int p = block * cleave_threads() + cleave_thread();
    real total = 0, most = 0;
    if (p < list.points) {
        const int last = list.item_start[p + 1];
        real sum = 0;
        for (int i = list.item_start[p]; i < last; i++) {
            const int e = list.item_element[i];
            sum += j.a[e] * j.u[j.ends[2 * (size_t)e + 1]];
        }
        finish_node<RES>(j, p, sum, total, most);
    }
    chain_total(total, most, j.totals, block, 0);
}

/* The variant `owner_staged_items` of res, with update behind the sums. */
template <bool RES> CLEAVE_KERNEL void chain_sweep_blocks(chain_jac j, cleave_plan_list list)
{
    const cleave_owner own = cleave_owner_of(list, CHAIN_BLOCK);
    const auto in_u = cleave_stage_around<real, 1, 1>(0, j.u, own);
    auto next = cleave_item_of<2>(list, own, own.row);
    auto next_a = cleave_item_record<real, 1>(j.a_items, own, own.row);
    real sum = 0, total = 0, most = 0;
    cleave_copy_wait();
    cleave_barrier();
    for (int row = own.row; row < own.last; row++) {
        const auto now = next;
        const auto now_a = next_a;
        next = cleave_item_of<2>(list, own, row + 1);
        next_a = cleave_item_record<real, 1>(j.a_items, own, row + 1);
        if (now.element >= 0) {
            sum += now_a.v[0] * in_u[now.local[1]];
        }
    }
    if (cleave_thread() < own.owned) {
        finish_node<RES>(j, own.first + cleave_thread(), sum, total, most);
    }
    chain_total(total, most, j.totals, own.first / CHAIN_BLOCK, 0);
}

CLEAVE_KERNEL void chain_res(chain_jac j, chain_items items)
{
    const int n = cleave_block() * CHAIN_BLOCK + cleave_thread();
    if (n < j.nodes) {
        const int last = items.start[n / CLEAVE_WARP + 1];
        real sum = 0;
        for (int row = items.start[n / CLEAVE_WARP]; row < last; row++) {
            const auto item =
                cleave_load<2>(items.item + 2 * ((size_t)row * CLEAVE_WARP + cleave_lane()));
            if (item[1] >= 0) {
                sum += j.a[item[0] >> 1] * j.u[item[1]];
            }
        }
        j.du[n] += sum;
    }
}

CLEAVE_KERNEL void chain_next(chain_jac j)
{
    const int block = cleave_block();
    const int n = block * CHAIN_BLOCK + cleave_thread();
    real total = 0, most = 0;
    if (n < j.nodes) {
        finish_node<true>(j, n, 0, total, most);
    }
    chain_total(total, most, j.totals, block, 0);
}

/* ---- the problem -------------------------------------------------------------------------------
 */

/* A square of size*size nodes: an edge from each to itself and to its neighbours. */
struct graph {
    int nodes;
    std::vector<int> ends;
    std::vector<double> a, at, r;

    explicit graph(int size) : nodes(size * size)
    {
        for (int n = 0; n < nodes; n++) {
            const int i = n % size, k = n / size;
            at.insert(at.end(), {(double)i, (double)k});
            r.push_back(0.25 * ((i == 0) + (i == size - 1) + (k == 0) + (k == size - 1)));
            add(n, n, -1.0);
            for (const int way : {i > 0 ? -1 : 0, i < size - 1 ? 1 : 0, k > 0 ? -size : 0,
                                  k < size - 1 ? size : 0}) {
                if (way != 0) {
                    add(n, n + way, 0.25);
                }
            }
        }
    }

    void renumber(const char *order)
    {
        std::vector<int> number((size_t)nodes);
        chain_order_graph(nodes, (int)a.size(), ends.data(), a.data(), at.data(), number.data(),
                          order);
        std::vector<double> before = r;
        for (int n = 0; n < nodes; n++) {
            r[(size_t)number[(size_t)n]] = before[(size_t)n];
        }
    }

  private:
    void add(int node, int neighbour, double coefficient)
    {
        ends.push_back(node);
        ends.push_back(neighbour);
        a.push_back(coefficient);
    }
};

std::vector<real> reals(const std::vector<double> &values)
{
    return std::vector<real>(values.begin(), values.end());
}

/* u of the nodes is in u before and after two steps. */
struct problem {
    int nodes;
    chain_item_arrays slices;
    chain_plan_arrays points, blocks;
    chain_array<int> ends;
    chain_array<real> a, r, u, u_other, du, a_items;
    chain_total_arrays totals;
    size_t staged; /* bytes of shared memory */

    explicit problem(const graph &g)
        : nodes(g.nodes), slices(chain_slices_of(g.nodes, (int)g.a.size(), g.ends.data(), 1u)),
          points(chain_plan((int)g.a.size(), g.nodes, g.ends.data(), 1u, 0)),
          blocks(chain_plan((int)g.a.size(), g.nodes, g.ends.data(), 1u, CHAIN_BLOCK)),
          ends(g.ends.data(), g.ends.size()), a(reals(g.a).data(), g.a.size()),
          r(reals(g.r).data(), g.r.size()), u(g.r.size()), u_other(g.r.size()), du(g.r.size()),
          a_items((size_t)blocks.list.rows * CLEAVE_WARP), totals(g.nodes)
    {
        staged = std::max((size_t)blocks.list.max_around * sizeof(real), (size_t)CHAIN_TOTAL_BYTES);
        const int rows_of_block = CHAIN_BLOCK / CLEAVE_WARP;
        CLEAVE_LAUNCH((cleave_items_copy<real>), (blocks.list.rows - 1) / rows_of_block + 1,
                      CHAIN_BLOCK, 0, nullptr, a_items.device, (const real *)a.device,
                      blocks.list.slice_element, blocks.list.rows, 1, 0);
    }

    chain_jac arguments(int step) const
    {
        real *both[2] = {u.device, u_other.device};
        return {nodes,          ends.device,        a.device,  a_items.device, r.device,
                both[step % 2], both[1 - step % 2], du.device, totals.totals()};
    }
};

#define OVER_NODES(kernel, p, ...)                                                                 \
    CLEAVE_LAUNCH((kernel), (p).totals.blocks, CHAIN_BLOCK, CHAIN_TOTAL_BYTES, nullptr, __VA_ARGS__)

void separate(const problem &p, int step)
{
    OVER_NODES(chain_res, p, p.arguments(step), p.slices.items());
    OVER_NODES(chain_next, p, p.arguments(step));
    chain_join_totals(p.totals.totals());
}

template <bool RES> void by_slices(const problem &p, int step)
{
    OVER_NODES(chain_sweep<RES>, p, p.arguments(step), p.slices.items());
    chain_join_totals(p.totals.totals());
}

template <bool RES> void by_points(const problem &p, int step)
{
    OVER_NODES(chain_sweep_points<RES>, p, p.arguments(step), p.points.list);
    chain_join_totals(p.totals.totals());
}

template <bool RES> void by_blocks(const problem &p, int step)
{
    CLEAVE_LAUNCH((chain_sweep_blocks<RES>), p.blocks.list.owners, CHAIN_BLOCK, p.staged, nullptr,
                  p.arguments(step), p.blocks.list);
    chain_join_totals(p.totals.totals());
}

const struct {
    const char *name;
    void (*run)(const problem &p, int step);
} FORMS[] = {
    {"separate", separate},          {"points, du", by_points<true>},
    {"blocks, du", by_blocks<true>}, {"slices, du", by_slices<true>},
    {"points", by_points<false>},    {"blocks", by_blocks<false>},
    {"slices", by_slices<false>},
};

struct outcome {
    std::vector<real> u, totals;
};

/* From u = 0. */
outcome outcome_of(problem &p, void (*run)(const problem &p, int step))
{
    chain_must(cudaMemset(p.u.device, 0, (size_t)p.nodes * sizeof(real)));
    for (int step = 0; step < FEW_STEPS; step++) {
        run(p, step);
    }
    chain_must(cudaDeviceSynchronize());
    return {FEW_STEPS % 2 == 0 ? p.u.get() : p.u_other.get(), p.totals.result.get()};
}

} // namespace

int chain_measure_jac(const chain_options &options)
{
    int wrong = 0;
    graph g(options.size);
    g.renumber(options.order);
    problem p(g);
    const outcome expected = outcome_of(p, separate);
    const double near = sizeof(real) == 4 ? 1e-5 : 1e-12;
    for (const auto &form : FORMS) {
        if (strstr(form.name, options.only) == nullptr) {
            continue;
        }
        outcome few = outcome_of(p, form.run);
        few.u[0] += options.fault ? real(0.01) : real(0);
        const bool right = few.totals[1] > 0 && chain_difference(few.u, expected.u) <= near &&
                           chain_difference(few.totals, expected.totals) <= near;
        int step = 0;
        const double us = chain_microseconds(options, [&] { form.run(p, step++); });
        printf("jac     %-6s %9d nodes %-12s %-26s %9.1f us per step      %s\n", REAL_NAME, p.nodes,
               options.order, form.name, us, right ? "ok" : "WRONG");
        wrong += !right;
    }
    return wrong;
}
