/* chain_hand_batches.cuh: steps of airfoil over cells whose threads have several items in flight.
 *
 * chain_step visits the items of a cell one by one, and each item is a chain of loads: the item,
 * the ends of its edge, their coordinates. chain_batches loads a batch of items, then all that they
 * lead to, and computes last. Boundary edges have slices of their own, which are empty for nearly
 * all warps.
 */
#ifndef CLEAVE_CHAIN_HAND_BATCHES_CUH
#define CLEAVE_CHAIN_HAND_BATCHES_CUH

#include "testsuite/bench/chain_hand_airfoil.cuh"

enum {
    STEP_NEXT = 1,       /* with the next adt_calc */
    STEP_NODES = 2,      /* items name the ends of their edges: one load less in the chain */
    STEP_OWN = 4,        /* values of the own cell are computed once, not once per item */
    STEP_AHEAD = 8,      /* the own cell's other records are loaded before the items */
    STEP_PREFETCH = 16,  /* these records are fetched into L2 before the items */
    STEP_WARPS = 32,     /* warps leave their totals in memory, and no block waits for its warps */
    STEP_NO_TOTALS = 64, /* no totals: shows what they cost */
    STEP_ROUGH = 128, /* reciprocals of densities without exact rounding: shows what that costs */
    STEP_SPREAD =
        256, /* warps add their totals to some of CHAIN_SPREAD, which a second kernel joins */
    STEP_INSIDE = 512, /* the last block joins the totals of all */
    STEP_WALK = 1024   /* few blocks, each of which takes many cells */
};

/* Edges of cells by slices of 32 cells (chain_hand_mesh.h). */
struct chain_faces {
    const int *start;
    const int *item;  /* pairs: edge*2 + column, other cell; or -1, -1 */
    const int *other; /* other cell*2 + column; -1: no edge */
    const int *node;  /* pairs: ends of the edge */
};

/* Asks for the memory at this place. */
CLEAVE_DEVICE void chain_prefetch(const void *place)
{
#ifndef CLEAVE_EMULATOR
    asm volatile("prefetch.global.L2 [%0];" : : "l"(place));
#else
    (void)place;
#endif
}

/* ---- fluxes ------------------------------------------------------------------------------------
 */

struct cell_values {
    real inverse; /* of the density */
    real pressure;
};

/* Returns 1/x to one or two units in the last place, for x that is no denormal number. */
CLEAVE_DEVICE float rough_reciprocal(float x)
{
    return 1.0f / x;
}

CLEAVE_DEVICE double rough_reciprocal(double x)
{
#ifdef CLEAVE_EMULATOR
    return 1.0 / x;
#else
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    r = r * (2.0 - x * r);
    return r * (2.0 - x * r);
#endif
}

template <bool ROUGH> CLEAVE_DEVICE cell_values values_of(const state &q)
{
    const real ri = ROUGH ? rough_reciprocal(q[0]) : real(1) / q[0];
    return {ri, GM1 * (q[3] - real(0.5) * ri * (q[1] * q[1] + q[2] * q[2]))};
}

/* The flux through an edge into the cell whose state is `own`. sign: 1 for the first cell of the
 * edge, -1 for the second. */
CLEAVE_DEVICE state flux_into(const corner &x1, const corner &x2, real sign, const state &own,
                              const cell_values &mine, const state &other,
                              const cell_values &theirs, real mu)
{
    const real half = real(0.5);
    const real dx = sign * (x1[0] - x2[0]), dy = sign * (x1[1] - x2[1]);
    const real v1 = mine.inverse * (own[1] * dy - own[2] * dx);
    const real v2 = theirs.inverse * (other[1] * dy - other[2] * dx);
    const real p1 = mine.pressure, p2 = theirs.pressure;
    state f;
    f.v[0] = half * (v1 * own[0] + v2 * other[0]) + mu * (own[0] - other[0]);
    f.v[1] = half * (v1 * own[1] + p1 * dy + v2 * other[1] + p2 * dy) + mu * (own[1] - other[1]);
    f.v[2] = half * (v1 * own[2] - p1 * dx + v2 * other[2] - p2 * dx) + mu * (own[2] - other[2]);
    f.v[3] = half * (v1 * (own[3] + p1) + v2 * (other[3] + p2)) + mu * (own[3] - other[3]);
    return f;
}

/* The same flux as the loop computes it: from the edge's first cell to its second. */
CLEAVE_DEVICE state flux_by_sides(const corner &x1, const corner &x2, real sign, const state &own,
                                  const state &other, real mu)
{
    state f = {}, q1, q2;
    for (int k = 0; k < 4; k++) {
        q1.v[k] = sign < 0 ? other[k] : own[k];
        q2.v[k] = sign < 0 ? own[k] : other[k];
    }
    add_flux(x1, x2, q1.v, q2.v, mu, sign, f.v);
    return f;
}

/* ---- batches -----------------------------------------------------------------------------------
 */

template <int BATCH> struct face_batch {
    bool exists[BATCH];
    real sign[BATCH];
    int cell[BATCH];
    cleave_record<int, 2> node[BATCH];
    corner x1[BATCH], x2[BATCH];
    state q[BATCH];
    real adt[BATCH];
};

/* Items without an edge name cell c and any edge, so that all lanes load without a branch. */
template <int BATCH, bool NODES>
CLEAVE_DEVICE void find_faces(face_batch<BATCH> &batch, const chain_airfoil &a,
                              const chain_faces &faces, int row, int last, int c)
{
    int what[BATCH], other[BATCH];
    for (int k = 0; k < BATCH; k++) {
        const int in = row + k < last ? row + k : last - 1;
        const size_t at = (size_t)in * CLEAVE_WARP + cleave_lane();
        if constexpr (NODES) {
            what[k] = faces.other[at];
            other[k] = what[k] >> 1;
            batch.node[k] = cleave_load<2>(faces.node + 2 * at);
        } else {
            const chain_item item = cleave_load<2>(faces.item + 2 * at);
            what[k] = item[0];
            other[k] = item[1];
        }
    }
    for (int k = 0; k < BATCH; k++) {
        if constexpr (!NODES) {
            batch.node[k] = cleave_load<2>(a.edge + 2 * (size_t)(what[k] >= 0 ? what[k] >> 1 : 0));
        }
        batch.exists[k] = row + k < last && other[k] >= 0;
        batch.sign[k] = (what[k] & 1) != 0 ? real(-1) : real(1);
        batch.cell[k] = other[k] >= 0 ? other[k] : c;
    }
}

template <int BATCH, bool NODES>
CLEAVE_DEVICE face_batch<BATCH> load_faces(const chain_airfoil &a, const chain_faces &faces,
                                           int row, int last, int c)
{
    face_batch<BATCH> batch;
    find_faces<BATCH, NODES>(batch, a, faces, row, last, c);
    for (int k = 0; k < BATCH; k++) {
        batch.q[k] = cleave_load<4>(a.q + 4 * (size_t)batch.cell[k]);
        batch.adt[k] = a.adt[batch.cell[k]];
    }
    for (int k = 0; k < BATCH; k++) {
        batch.x1[k] = cleave_load<2>(a.x + 2 * (size_t)batch.node[k][0]);
        batch.x2[k] = cleave_load<2>(a.x + 2 * (size_t)batch.node[k][1]);
    }
    return batch;
}

/* sum += the fluxes through the cell's edges. */
template <int BATCH, unsigned FLAGS>
CLEAVE_DEVICE void add_faces(const chain_airfoil &a, const chain_faces &faces, int c,
                             const state &own, real adt, real *sum)
{
    constexpr bool rough = (FLAGS & STEP_ROUGH) != 0, nodes = (FLAGS & STEP_NODES) != 0;
    const int last = faces.start[c / CLEAVE_WARP + 1];
    cell_values mine = {};
    if constexpr ((FLAGS & STEP_OWN) != 0) {
        mine = values_of<rough>(own);
    }
    for (int row = faces.start[c / CLEAVE_WARP]; row < last; row += BATCH) {
        const auto batch = load_faces<BATCH, nodes>(a, faces, row, last, c);
        for (int k = 0; k < BATCH; k++) {
            const real mu = real(0.5) * (adt + batch.adt[k]) * EPS;
            const state f =
                (FLAGS & STEP_OWN) != 0
                    ? flux_into(batch.x1[k], batch.x2[k], batch.sign[k], own, mine, batch.q[k],
                                values_of<rough>(batch.q[k]), mu)
                    : flux_by_sides(batch.x1[k], batch.x2[k], batch.sign[k], own, batch.q[k], mu);
            for (int n = 0; n < 4; n++) {
                sum[n] = batch.exists[k] ? sum[n] + f[n] : sum[n];
            }
        }
    }
}

/* ---- the step ----------------------------------------------------------------------------------
 */

template <int BATCH, unsigned FLAGS>
CLEAVE_DEVICE void step_cell(const chain_airfoil &a, const chain_faces &faces,
                             const chain_items &rest, int c, real &total, real &most)
{
    constexpr bool ahead = (FLAGS & STEP_AHEAD) != 0, next = (FLAGS & STEP_NEXT) != 0;
    const state own = cleave_load<4>(a.q + 4 * (size_t)c);
    const real adt = a.adt[c];
    state old = {};
    cleave_record<int, 4> node = {};
    real sum[4] = {};
    if constexpr (ahead) {
        old = cleave_load_ahead<4>(a.qold + 4 * (size_t)c);
        node = next ? cleave_load_ahead<4>(a.cell + 4 * (size_t)c) : node;
    } else if constexpr ((FLAGS & STEP_PREFETCH) != 0) {
        chain_prefetch(a.qold + 4 * (size_t)c);
        if (next) {
            chain_prefetch(a.cell + 4 * (size_t)c);
        }
    }
    add_faces<BATCH, FLAGS>(a, faces, c, own, adt, sum);
    add_boundary_items(a, rest, c, sum);
    if constexpr (!ahead) {
        old = cleave_load<4>(a.qold + 4 * (size_t)c);
        node = next ? cleave_load<4>(a.cell + 4 * (size_t)c) : node;
    }
    const outline cell = next ? outline_of(a.x, node) : outline{};
    const state after = next_state(old.v, sum, adt, total, most);
    cleave_store(a.q_next + 4 * (size_t)c, after);
    if constexpr (next) {
        a.adt_next[c] = time_step(cell, after.v);
    }
}

/* All lanes of whole warps call it. */
CLEAVE_DEVICE void chain_total_of_warp(real sum, real most, const chain_totals &to, int warp)
{
    sum = cleave_reduce_warp<cleave_op_add>(sum);
    most = cleave_reduce_warp<cleave_op_max>(most);
    if (cleave_lane() == 0 && warp < to.blocks) {
        to.of_block[warp] = sum;
        to.of_block[to.blocks + warp] = most;
    }
}

CLEAVE_DEVICE void spread_totals(real sum, real most, const chain_totals &to, int warp)
{
    sum = cleave_reduce_warp<cleave_op_add>(sum);
    most = cleave_reduce_warp<cleave_op_max>(most);
    if (cleave_lane() == 0) {
        cleave_add(&to.spread[warp % CHAIN_SPREAD], sum);
        cleave_max(&to.spread[CHAIN_SPREAD + warp % CHAIN_SPREAD], most);
    }
}

/* The totals of the block; the last block joins those of all. */
CLEAVE_DEVICE void total_inside(real sum, real most, const chain_totals &to, int block)
{
    const auto scratch = cleave_shared<real>(0);
    chain_total(sum, most, to, block, 0);
    if (cleave_is_last({to.arrived, to.blocks, nullptr}, cleave_shared<int>(CHAIN_FLAG_BYTE))) {
        cleave_reduce_all<cleave_op_add, 1>({to.of_block, to.result}, to.blocks, scratch);
        cleave_reduce_all<cleave_op_max, 1>({to.of_block + to.blocks, to.result + 1}, to.blocks,
                                            scratch);
        chain_tell(to);
    }
}

/* STEP_WALK: the launch has totals.blocks blocks. */
template <int REGISTERS, int BATCH, unsigned FLAGS>
CLEAVE_KERNEL void CLEAVE_REGISTERS(REGISTERS)
    chain_batches(chain_airfoil a, chain_faces faces, chain_items rest)
{
    const int block = cleave_block();
    const int first = block * cleave_threads() + cleave_thread();
    real total = 0, most = 0;
    if constexpr ((FLAGS & STEP_WALK) != 0) {
        for (int c = first; c < a.cells; c += a.totals.blocks * cleave_threads()) {
            step_cell<BATCH, FLAGS>(a, faces, rest, c, total, most);
        }
    } else if (first < a.cells) {
        step_cell<BATCH, FLAGS>(a, faces, rest, first, total, most);
    }
    if constexpr ((FLAGS & STEP_SPREAD) != 0) {
        spread_totals(total, most, a.totals, first / CLEAVE_WARP);
    } else if constexpr ((FLAGS & STEP_WARPS) != 0) {
        chain_total_of_warp(total, most, a.totals, first / CLEAVE_WARP);
    } else if constexpr ((FLAGS & STEP_INSIDE) != 0) {
        total_inside(total, most, a.totals, block);
    } else if constexpr ((FLAGS & STEP_NO_TOTALS) == 0) {
        chain_total(total, most, a.totals, block, 0);
    }
}

/* ---- by the plan for points --------------------------------------------------------------------
 */

/* Items of the plan for points: element and column, by which the maps tell the rest. */
template <int BATCH>
CLEAVE_DEVICE void find_points(face_batch<BATCH> &batch, cleave_record<int, 2> (&side)[BATCH],
                               const chain_airfoil &a, const cleave_plan_list &list, int from,
                               int last)
{
    int element[BATCH], column[BATCH];
    for (int k = 0; k < BATCH; k++) {
        const int i = from + k < last ? from + k : last - 1;
        element[k] = list.item_element[i];
        column[k] = list.item_column[i];
    }
    for (int k = 0; k < BATCH; k++) {
        batch.node[k] = cleave_load<2>(a.edge + 2 * (size_t)element[k]);
        side[k] = cleave_load<2>(a.ecell + 2 * (size_t)element[k]);
        batch.exists[k] = from + k < last;
        batch.sign[k] = column[k] == 1 ? real(-1) : real(1);
        batch.cell[k] = column[k] == 1 ? side[k][0] : side[k][1];
    }
}

/* The step by the plan for points. own: the own cell's record is in registers; else it is loaded
 * for each item, as generated code does. */
template <int BATCH, bool OWN>
CLEAVE_DEVICE void add_points(const chain_airfoil &a, const cleave_plan_list &list, int c,
                              const state &own, real adt, real *sum)
{
    const int last = list.item_start[c + 1];
    for (int from = list.item_start[c]; from < last; from += BATCH) {
        face_batch<BATCH> batch;
        cleave_record<int, 2> side[BATCH];
        state q1[BATCH];
        real adt1[BATCH];
        find_points<BATCH>(batch, side, a, list, from, last);
        for (int k = 0; k < BATCH; k++) {
            const int other = OWN ? batch.cell[k] : side[k][1];
            batch.q[k] = cleave_load<4>(a.q + 4 * (size_t)other);
            batch.adt[k] = a.adt[other];
            q1[k] = OWN ? own : cleave_load<4>(a.q + 4 * (size_t)side[k][0]);
            adt1[k] = OWN ? adt : a.adt[side[k][0]];
        }
        for (int k = 0; k < BATCH; k++) {
            batch.x1[k] = cleave_load<2>(a.x + 2 * (size_t)batch.node[k][0]);
            batch.x2[k] = cleave_load<2>(a.x + 2 * (size_t)batch.node[k][1]);
        }
        for (int k = 0; k < BATCH; k++) {
            const real mu = real(0.5) * (adt1[k] + batch.adt[k]) * EPS;
            state f = {};
            if constexpr (OWN) {
                f = flux_by_sides(batch.x1[k], batch.x2[k], batch.sign[k], own, batch.q[k], mu);
            } else {
                add_flux(batch.x1[k], batch.x2[k], q1[k].v, batch.q[k].v, mu, batch.sign[k], f.v);
            }
            for (int n = 0; n < 4; n++) {
                sum[n] = batch.exists[k] ? sum[n] + f[n] : sum[n];
            }
        }
    }
}

template <int REGISTERS, int BATCH, bool OWN, bool NEXT>
CLEAVE_KERNEL void CLEAVE_REGISTERS(REGISTERS)
    chain_batches_points(chain_airfoil a, cleave_plan_list list, chain_items rest)
{
    const int block = cleave_block();
    const int c = block * cleave_threads() + cleave_thread();
    real total = 0, most = 0;
    if (c < a.cells) {
        const state own = cleave_load<4>(a.q + 4 * (size_t)c);
        const real adt = a.adt[c];
        real sum[4] = {};
        add_points<BATCH, OWN>(a, list, c, own, adt, sum);
        add_boundary_items(a, rest, c, sum);
        finish_cell<false, NEXT>(a, c, sum, adt, total, most);
    }
    chain_total(total, most, a.totals, block, 0);
}

#endif
