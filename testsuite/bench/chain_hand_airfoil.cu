/* chain_hand_airfoil.cu: iterations of airfoil with more and more loops in one kernel, checked
 * against loops one by one and against known results.
 */
#include "testsuite/bench/chain_hand_batches.cuh"

namespace
{

enum { FEW_ITERATIONS = 3, KNOWN_ITERATIONS = 100 };

std::vector<real> reals(const double *values, size_t count)
{
    return std::vector<real>(values, values + count);
}

/* Edges of cells with what they lead to. */
struct face_arrays {
    chain_array<int> start, item, other, node;

    /* Frees the slices. */
    face_arrays(const mesh &m, chain_slices s)
        : start(s.start, (size_t)s.slices + 1), item(2 * entries(s)), other(entries(s)),
          node(2 * entries(s))
    {
        std::vector<int> others(entries(s), -1), nodes(2 * entries(s), 0);
        for (size_t i = 0; i < entries(s); i++) {
            const int what = s.item[2 * i];
            if (what >= 0) {
                others[i] = 2 * s.item[2 * i + 1] + what % 2;
                nodes[2 * i] = m.edge[what / 2 * 2];
                nodes[2 * i + 1] = m.edge[what / 2 * 2 + 1];
            }
        }
        item.put(s.item);
        other.put(others.data());
        node.put(nodes.data());
        chain_slices_free(&s);
    }
    static size_t entries(const chain_slices &s)
    {
        return (size_t)s.start[s.slices] * CLEAVE_WARP;
    }
    chain_faces faces() const
    {
        return {start.device, item.device, other.device, node.device};
    }
};

/* The mesh and all arrays. The state of the cells is in q after each iteration. */
struct problem {
    int cells, bedges;
    chain_item_arrays interior; /* edges alone */
    chain_item_arrays all;      /* edges and boundary edges */
    chain_item_arrays rest;     /* boundary edges alone */
    face_arrays faces;          /* edges alone */
    chain_plan_arrays points, blocks;
    chain_array<int> cell, edge, ecell, bedge, becell, bound;
    chain_array<real> x, q, q_other, qold, adt, adt_other, res;
    chain_total_arrays totals;
    size_t staged_adt, staged; /* bytes of shared memory: before adt, and all */

    explicit problem(const mesh &m)
        : cells(m.ncell), bedges(m.nbedge),
          interior(chain_slices_of(m.ncell, m.nedge, m.ecell, 3u)), all(chain_slices_of_cells(&m)),
          rest(chain_slices_of_boundary(&m)),
          faces(m, chain_slices_of(m.ncell, m.nedge, m.ecell, 3u)),
          points(chain_plan(m.nedge, m.ncell, m.ecell, 3u, 0)),
          blocks(chain_plan(m.nedge, m.ncell, m.ecell, 3u, CHAIN_BLOCK)),
          cell(m.cell, 4 * (size_t)m.ncell), edge(m.edge, 2 * (size_t)m.nedge),
          ecell(m.ecell, 2 * (size_t)m.nedge), bedge(m.bedge, 2 * (size_t)m.nbedge),
          becell(m.becell, (size_t)m.nbedge), bound(m.bound, (size_t)m.nbedge),
          x(reals(m.x, 2 * (size_t)m.nnode).data(), 2 * (size_t)m.nnode), q(4 * (size_t)m.ncell),
          q_other(4 * (size_t)m.ncell), qold(4 * (size_t)m.ncell), adt((size_t)m.ncell),
          adt_other((size_t)m.ncell), res(4 * (size_t)m.ncell), totals(m.ncell)
    {
        const size_t around = (size_t)blocks.list.max_around;
        staged_adt = (around * 6 * sizeof(real) + 15) / 16 * 16;
        staged = std::max(staged_adt + around * sizeof(real), (size_t)CHAIN_TOTAL_BYTES);
    }

    chain_airfoil arguments(real *from, real *to) const
    {
        chain_airfoil a = {};
        a.cells = cells;
        a.cell = cell.device;
        a.edge = edge.device;
        a.ecell = ecell.device;
        a.bedge = bedge.device;
        a.x = x.device;
        a.q = from;
        a.adt = adt.device;
        a.qold = qold.device;
        a.q_next = to;
        a.adt_next = adt.device;
        a.res = res.device;
        a.infinity.q[0] = 1;
        a.infinity.q[1] = (real)sqrt(GAM) * MACH;
        a.infinity.q[3] = real(1) / GM1 + real(0.5) * a.infinity.q[1] * a.infinity.q[1];
        a.totals = totals.totals();
        return a;
    }
};

/* ---- launches ----------------------------------------------------------------------------------
 */

#define OVER_CELLS(kernel, p, ...)                                                                 \
    CLEAVE_LAUNCH((kernel), (p).totals.blocks, CHAIN_BLOCK, CHAIN_TOTAL_BYTES, nullptr, __VA_ARGS__)

void save(const problem &p)
{
    OVER_CELLS(chain_save, p, p.arguments(p.q.device, p.qold.device));
}

void adt_calc(const problem &p, real *q)
{
    OVER_CELLS(chain_adt, p, p.arguments(q, nullptr));
}

void boundary(const problem &p, real *q)
{
    CLEAVE_LAUNCH(chain_boundary, (p.bedges - 1) / CHAIN_BLOCK + 1, CHAIN_BLOCK, 0, nullptr,
                  p.arguments(q, nullptr), p.bedges, p.becell.device, p.bound.device);
}

void separate(const problem &p)
{
    save(p);
    for (int k = 0; k < 2; k++) {
        adt_calc(p, p.q.device);
        OVER_CELLS(chain_residual, p, p.arguments(p.q.device, nullptr), p.interior.items());
        boundary(p, p.q.device);
        OVER_CELLS(chain_update, p, p.arguments(p.q.device, p.q.device));
        chain_join_totals(p.totals.totals());
    }
}

/* res_calc and update together; bres_calc runs before and adds to res. */
template <class STEP> void with_residuals(const problem &p, STEP step)
{
    save(p);
    for (int k = 0; k < 2; k++) {
        real *from = k == 0 ? p.q.device : p.q_other.device;
        adt_calc(p, from);
        boundary(p, from);
        step(p.arguments(from, k == 0 ? p.q_other.device : p.q.device));
        chain_join_totals(p.totals.totals());
    }
}

template <int REGISTERS> void residuals_by_slices(const problem &p)
{
    with_residuals(p, [&](const chain_airfoil &a) {
        OVER_CELLS((chain_step<REGISTERS, true, false>), p, a, p.interior.items());
    });
}

void residuals_by_points(const problem &p)
{
    with_residuals(p, [&](const chain_airfoil &a) {
        OVER_CELLS((chain_step_points<true, false>), p, a, p.points.list, p.rest.items());
    });
}

void residuals_by_rows(const problem &p)
{
    with_residuals(
        p, [&](const chain_airfoil &a) { OVER_CELLS(chain_step_rows, p, a, p.blocks.list); });
}

template <int REGISTERS> void residuals_by_blocks(const problem &p)
{
    with_residuals(p, [&](const chain_airfoil &a) {
        CLEAVE_LAUNCH((chain_step_blocks<REGISTERS, true, false>), p.blocks.list.owners,
                      CHAIN_BLOCK, p.staged, nullptr, a, p.blocks.list, p.rest.items(),
                      (unsigned)p.staged_adt);
    });
}

/* Two steps of res_calc, bres_calc and update together. NEXT: and the next adt_calc; adt is that of
 * q before and after. COPY: qold is a copy, else the buffer that held q before, and the second step
 * overwrites it. */
template <bool NEXT, bool COPY, class STEP> void two_steps(const problem &p, STEP step)
{
    if (COPY) {
        save(p);
    }
    for (int k = 0; k < 2; k++) {
        chain_airfoil a = k == 0 ? p.arguments(p.q.device, p.q_other.device)
                                 : p.arguments(p.q_other.device, p.q.device);
        if (NEXT) {
            a.adt = k == 0 ? p.adt.device : p.adt_other.device;
            a.adt_next = k == 0 ? p.adt_other.device : p.adt.device;
        } else {
            adt_calc(p, k == 0 ? p.q.device : p.q_other.device);
        }
        a.qold = COPY ? p.qold.device : p.q.device;
        step(a);
    }
}

template <int REGISTERS, bool NEXT, bool COPY> void by_slices(const problem &p)
{
    two_steps<NEXT, COPY>(p, [&](const chain_airfoil &a) {
        OVER_CELLS((chain_step<REGISTERS, false, NEXT>), p, a, p.all.items());
        chain_join_totals(a.totals);
    });
}

template <bool NEXT> void by_points(const problem &p)
{
    two_steps<NEXT, !NEXT>(p, [&](const chain_airfoil &a) {
        OVER_CELLS((chain_step_points<false, NEXT>), p, a, p.points.list, p.rest.items());
        chain_join_totals(a.totals);
    });
}

template <int REGISTERS, bool NEXT> void by_blocks(const problem &p)
{
    two_steps<NEXT, !NEXT>(p, [&](const chain_airfoil &a) {
        CLEAVE_LAUNCH((chain_step_blocks<REGISTERS, false, NEXT>), p.blocks.list.owners,
                      CHAIN_BLOCK, p.staged, nullptr, a, p.blocks.list, p.rest.items(),
                      (unsigned)p.staged_adt);
        chain_join_totals(a.totals);
    });
}

/* WALKERS: blocks of a launch with STEP_WALK. */
template <int REGISTERS, int BATCH, unsigned FLAGS, int BLOCK = CHAIN_BLOCK, int WALKERS = 0>
void by_batches(const problem &p)
{
    constexpr bool next = (FLAGS & STEP_NEXT) != 0;
    constexpr int part = (FLAGS & STEP_WARPS) != 0 ? (int)CLEAVE_WARP : BLOCK;
    two_steps<next, !next>(p, [&](chain_airfoil a) {
        const int blocks = (p.cells - 1) / BLOCK + 1;
        const bool walk = WALKERS > 0 && WALKERS < blocks;
        a.totals.blocks = walk ? WALKERS : (p.cells - 1) / part + 1;
        CLEAVE_LAUNCH((chain_batches<REGISTERS, BATCH, FLAGS>), walk ? WALKERS : blocks, BLOCK,
                      CHAIN_TOTAL_BYTES, nullptr, a, p.faces.faces(), p.rest.items());
        if ((FLAGS & STEP_SPREAD) != 0) {
            chain_join_spread_totals(a.totals);
        } else if ((FLAGS & STEP_INSIDE) != 0) {
            chain_await_totals(a.totals);
        } else if ((FLAGS & STEP_NO_TOTALS) == 0) {
            chain_join_totals(a.totals);
        }
    });
}

template <int REGISTERS, int BATCH, bool OWN, bool NEXT> void by_point_batches(const problem &p)
{
    two_steps<NEXT, !NEXT>(p, [&](const chain_airfoil &a) {
        OVER_CELLS((chain_batches_points<REGISTERS, BATCH, OWN, NEXT>), p, a, p.points.list,
                   p.rest.items());
        chain_join_totals(a.totals);
    });
}

/* Parts of an iteration by themselves, for comparison. */
void adt_twice(const problem &p)
{
    adt_calc(p, p.q.device);
    adt_calc(p, p.q.device);
}

void join_twice(const problem &p)
{
    chain_join_totals(p.totals.totals());
    chain_join_totals(p.totals.totals());
}

enum {
    NEXT = STEP_NEXT,
    NODES = STEP_NODES,
    OWN = STEP_OWN,
    FETCH = STEP_PREFETCH,
    WALK = STEP_WALK | STEP_INSIDE,
    BEST = STEP_NODES | STEP_OWN
};

const struct {
    const char *name;
    void (*run)(const problem &p);
    bool part = false; /* gives no result that can be checked */
} FORMS[] = {
    {"save_soln", save, true},
    {"2 adt_calc", adt_twice, true},
    {"2 joins of totals", join_twice, true},
    {"separate", separate},
    {"F1r points", residuals_by_points},
    {"F1r rows", residuals_by_rows},
    {"F1r blocks r96", residuals_by_blocks<96>},
    {"F1r slices r64", residuals_by_slices<64>},
    {"F1 points", by_points<false>},
    {"F1 blocks r80", by_blocks<80, false>},
    {"F1 slices r72", by_slices<72, false, true>},
    {"F2 slices r72", by_slices<72, true, true>},
    {"F3 points", by_points<true>},
    {"F3 blocks r72", by_blocks<72, true>},
    {"F3 slices r72", by_slices<72, true, false>},
    {"F3 slices r80", by_slices<80, true, false>},
    {"F3 batch 1 r72", by_batches<72, 1, NEXT>},
    {"F3 batch 2 r80", by_batches<80, 2, NEXT>},
    {"F3 batch 4 r128", by_batches<128, 4, NEXT>},
    {"F3 batch 1 nodes r72", by_batches<72, 1, NEXT | NODES>},
    {"F3 batch 1 own r72", by_batches<72, 1, NEXT | OWN>},
    {"F3 batch 1 nodes own r48", by_batches<48, 1, NEXT | BEST>},
    {"F3 batch 1 nodes own r56", by_batches<56, 1, NEXT | BEST>},
    {"F3 batch 1 nodes own r64", by_batches<64, 1, NEXT | BEST>},
    {"F3 batch 2 nodes own r72", by_batches<72, 2, NEXT | BEST>},
    {"F3 batch 2 n o ahead r96", by_batches<96, 2, NEXT | BEST | STEP_AHEAD>},
    {"F3 batch 1 n o fetch r64", by_batches<64, 1, NEXT | BEST | FETCH>},
    {"F3 batch 2 n o rough r72", by_batches<72, 2, NEXT | BEST | STEP_ROUGH>},
    {"F3 n o r64 b64", by_batches<64, 1, NEXT | BEST, 64>},
    {"F3 n o r64 b256", by_batches<64, 1, NEXT | BEST, 256>},
    {"F3 n o r64 no totals", by_batches<64, 1, NEXT | BEST | STEP_NO_TOTALS>, true},
    {"F3 n o r64 warps", by_batches<64, 1, NEXT | BEST | STEP_WARPS>},
    {"F3 n o r64 t1 walk 792", by_batches<64, 1, NEXT | BEST | WALK, CHAIN_BLOCK, 792>},
    {"F3 n o r64 t1 walk 924", by_batches<64, 1, NEXT | BEST | WALK, CHAIN_BLOCK, 924>},
    {"F3 n o r64 t1 walk 1056", by_batches<64, 1, NEXT | BEST | WALK, CHAIN_BLOCK, 1056>},
    {"F3 n o r64 t1 walk 1848", by_batches<64, 1, NEXT | BEST | WALK, CHAIN_BLOCK, 1848>},
    {"F3 n o r64 t1 walk 924 join", by_batches<64, 1, NEXT | BEST | STEP_WALK, CHAIN_BLOCK, 924>},
    {"F3 n o r64 t2 spread", by_batches<64, 1, NEXT | BEST | STEP_SPREAD>},
    {"F3 n o r64 t2 spread b64", by_batches<64, 1, NEXT | BEST | STEP_SPREAD, 64>},
    {"F3 n o r64 t3 inside", by_batches<64, 1, NEXT | BEST | STEP_INSIDE>},
    {"F3 points batch 1 r56", by_point_batches<56, 1, false, true>},
    {"F3 points batch 1 r64", by_point_batches<64, 1, false, true>},
    {"F3 points batch 1 own r56", by_point_batches<56, 1, true, true>},
    {"F3 points batch 1 own r64", by_point_batches<64, 1, true, true>},
    {"F3 points batch 2 r80", by_point_batches<80, 2, false, true>},
    {"F1 points batch 1 r56", by_point_batches<56, 1, false, false>},
    {"F1 points batch 1 r64", by_point_batches<64, 1, false, false>},
    {"F1 points batch 1 own r64", by_point_batches<64, 1, true, false>},
    {"F1 batch 1 r64", by_batches<64, 1, 0>},
    {"F1 batch 1 nodes own r56", by_batches<56, 1, BEST>},
    {"F1 batch 1 nodes own r64", by_batches<64, 1, BEST>},
    {"F1 batch 2 nodes own r72", by_batches<72, 2, BEST>},
    {"F1 n o r64 no totals", by_batches<64, 1, BEST | STEP_NO_TOTALS>, true},
    {"F1 n o r64 t1 walk 924", by_batches<64, 1, BEST | WALK, CHAIN_BLOCK, 924>},
    {"F1 n o r64 t2 spread", by_batches<64, 1, BEST | STEP_SPREAD>},
};

/* ---- checks ------------------------------------------------------------------------------------
 */

/* The free stream. */
void restart(problem &p)
{
    const chain_airfoil a = p.arguments(p.q.device, nullptr);
    std::vector<real> q(4 * (size_t)p.cells);
    for (size_t i = 0; i < q.size(); i++) {
        q[i] = a.infinity.q[i % 4];
    }
    p.q.put(q.data());
    chain_must(cudaMemset(p.res.device, 0, 4 * (size_t)p.cells * sizeof(real)));
    adt_calc(p, p.q.device);
}

struct outcome {
    std::vector<real> q, totals;
};

outcome outcome_of(problem &p, void (*run)(const problem &p), int iterations)
{
    restart(p);
    for (int i = 0; i < iterations; i++) {
        run(p);
    }
    chain_must(cudaDeviceSynchronize());
    return {p.q.get(), p.totals.result.get()};
}

/* Root mean square of the change after 100 iterations: of the small mesh from OP2's sequential
 * program, of the large one as OP2's documentation prints it, six digits; 0 if it is not known. */
double known_rms(const chain_options &options, double *tolerance)
{
    const bool small = options.cells[0] == 20 && options.cells[1] == 30;
    const bool large = options.cells[0] == 400 && options.cells[1] == 600;
    *tolerance = sizeof(real) == 4 ? 1e-4 : large ? 1e-6 : 1e-10;
    return small ? 2.074220547521027e-4 : large ? 5.02186e-4 : 0.0;
}

bool is_right(problem &p, const chain_options &options, void (*run)(const problem &p),
              const outcome &expected)
{
    const double near = sizeof(real) == 4 ? 1e-5 : 1e-12;
    double tolerance;
    const double known = known_rms(options, &tolerance);
    outcome few = outcome_of(p, run, FEW_ITERATIONS);
    few.q[0] *= options.fault ? real(1.01) : real(1);
    bool right = chain_difference(few.q, expected.q) <= near &&
                 chain_difference(few.totals, expected.totals) <= 100 * near;
    if (known > 0.0) {
        const outcome many = outcome_of(p, run, KNOWN_ITERATIONS);
        const double rms = sqrt((double)many.totals[0] / p.cells);
        right = right && fabs(rms / known - 1.0) <= tolerance;
    }
    return right;
}

} // namespace

int chain_measure_airfoil(const chain_options &options)
{
    struct mesh mesh;
    int wrong = 0;
    if (mesh_generate(&mesh, options.cells[0], options.cells[1]) != 0) {
        exit(1);
    }
    chain_order_airfoil(&mesh, options.order);
    problem p(mesh);
    p.totals.waits = options.wait;
    mesh_free(&mesh);
    const outcome expected = outcome_of(p, separate, FEW_ITERATIONS);
    for (const auto &form : FORMS) {
        if (strstr(form.name, options.only) == nullptr) {
            continue;
        }
        const bool right = form.part || is_right(p, options, form.run, expected);
        restart(p);
        const double us = chain_microseconds(options, [&] { form.run(p); });
        printf("airfoil %-6s %9d cells %-12s %-26s %9.1f us per iteration  %s\n", REAL_NAME,
               p.cells, options.order, form.name, us,
               form.part ? "not checked"
               : right   ? "ok"
                         : "WRONG");
        wrong += !right;
    }
    return wrong;
}
