/* chain_hand_airfoil.cuh: kernels of airfoil over cells that do the work of several loops.
 *
 * A thread owns a cell: it visits its edges, computes what each adds to res, and goes on with what
 * follows for the cell. chain_step reads the items of a cell from chain_hand_mesh.h's slices;
 * chain_step_points and chain_step_blocks read the runtime's plans and are what the compiler should
 * generate.
 */
#ifndef CLEAVE_CHAIN_HAND_AIRFOIL_CUH
#define CLEAVE_CHAIN_HAND_AIRFOIL_CUH

#include "testsuite/bench/chain_hand.cuh"

/* Float literals in both precisions: known results depend on it. */
constexpr real GAM = 1.4f, GM1 = GAM - 1.0f, CFL = 0.9f, EPS = 0.05f, MACH = 0.4f;

struct free_stream {
    real q[4];
};

typedef cleave_record<real, 4> state;
typedef cleave_record<real, 2> corner;
typedef cleave_record<int, 2> chain_item; /* chain_hand_mesh.h */

/* Data that the kernels read, and places for their results. adt and q of neighbours are read while
 * the kernel writes adt_next and q_next: other arrays, except that q_next may be qold. */
struct chain_airfoil {
    int cells;
    const int *cell;  /* [cells][4] */
    const int *edge;  /* [edges][2] */
    const int *ecell; /* [edges][2] */
    const int *bedge; /* [bedges][2] */
    const real *x;    /* [nodes][2] */
    const real *q;
    const real *adt;
    const real *qold;
    real *q_next;
    real *adt_next;
    real *res;
    free_stream infinity;
    chain_totals totals;
};

/* ---- bodies of loops ---------------------------------------------------------------------------
 */

CLEAVE_DEVICE real face_speed(const corner &from, const corner &to, real u, real v, real c)
{
    const real dx = to[0] - from[0], dy = to[1] - from[1];
    return (real)fabs(u * dy - v * dx) + c * (real)sqrt(dx * dx + dy * dy);
}

/* The corners of a cell. */
struct outline {
    corner at[4];
};

CLEAVE_DEVICE outline outline_of(const real *x, const cleave_record<int, 4> &node)
{
    outline cell;
    for (int k = 0; k < 4; k++) {
        cell.at[k] = cleave_load<2>(x + 2 * (size_t)node[k]);
    }
    return cell;
}

CLEAVE_DEVICE real time_step(const outline &cell, const real *q)
{
    const real ri = real(1) / q[0], u = ri * q[1], v = ri * q[2];
    const real sound = (real)sqrt(GAM * GM1 * (ri * q[3] - real(0.5) * (u * u + v * v)));
    real speed = face_speed(cell.at[0], cell.at[1], u, v, sound);
    speed += face_speed(cell.at[1], cell.at[2], u, v, sound);
    speed += face_speed(cell.at[2], cell.at[3], u, v, sound);
    speed += face_speed(cell.at[3], cell.at[0], u, v, sound);
    return speed / CFL;
}

CLEAVE_DEVICE real time_step(const chain_airfoil &a, int c, const real *q)
{
    return time_step(outline_of(a.x, cleave_load<4>(a.cell + 4 * (size_t)c)), q);
}

/* sum += sign * flux through the edge between states q1 and q2. */
CLEAVE_DEVICE void add_flux(const corner &x1, const corner &x2, const real *q1, const real *q2,
                            real mu, real sign, real *sum)
{
    const real half = real(0.5);
    const real dx = x1[0] - x2[0], dy = x1[1] - x2[1];
    real ri = real(1) / q1[0];
    const real p1 = GM1 * (q1[3] - half * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
    const real vol1 = ri * (q1[1] * dy - q1[2] * dx);
    ri = real(1) / q2[0];
    const real p2 = GM1 * (q2[3] - half * ri * (q2[1] * q2[1] + q2[2] * q2[2]));
    const real vol2 = ri * (q2[1] * dy - q2[2] * dx);
    sum[0] += sign * (half * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]));
    sum[1] +=
        sign * (half * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]));
    sum[2] +=
        sign * (half * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]));
    sum[3] += sign * (half * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]));
}

CLEAVE_DEVICE void add_boundary(const corner &x1, const corner &x2, const real *q, real adt,
                                int bound, const free_stream &infinity, real *sum)
{
    if (bound == BOUND_WALL) {
        const real ri = real(1) / q[0];
        const real p = GM1 * (q[3] - real(0.5) * ri * (q[1] * q[1] + q[2] * q[2]));
        sum[1] += p * (x1[1] - x2[1]);
        sum[2] -= p * (x1[0] - x2[0]);
    } else {
        add_flux(x1, x2, q, infinity.q, adt * EPS, real(1), sum);
    }
}

/* The loop `update` for a cell: q_next, and the shares of its reductions. */
CLEAVE_DEVICE state next_state(const real *qold, const real *res, real adt, real &sum, real &most)
{
    state next;
    const real inverse = real(1) / adt;
    for (int n = 0; n < 4; n++) {
        const real delta = inverse * res[n];
        next.v[n] = qold[n] - delta;
        sum += delta * delta;
        most = most > delta * delta ? most : delta * delta;
    }
    return next;
}

/* The steps of a cell once its sums are complete. RES: the array of residuals exists: it holds
 * what other loops have added, and becomes 0. That constant is stored last: a store to a record
 * that is still being loaded makes the kernel several times as slow. NEXT: the next adt_calc. */
template <bool RES, bool NEXT>
CLEAVE_DEVICE void finish_cell(const chain_airfoil &a, int c, real *sum, real adt, real &total,
                               real &most)
{
    if constexpr (RES) {
        const state before = cleave_load<4>(a.res + 4 * (size_t)c);
        for (int n = 0; n < 4; n++) {
            sum[n] += before[n];
        }
    }
    const state old = cleave_load<4>(a.qold + 4 * (size_t)c);
    const state next = next_state(old.v, sum, adt, total, most);
    cleave_store(a.q_next + 4 * (size_t)c, next);
    if constexpr (RES) {
        cleave_store(a.res + 4 * (size_t)c, state{});
    }
    if constexpr (NEXT) {
        a.adt_next[c] = time_step(a, c, next.v);
    }
}

/* ---- by slices ---------------------------------------------------------------------------------
 */

CLEAVE_DEVICE void add_item(const chain_airfoil &a, const chain_item &item, const state &own,
                            real adt, real *sum)
{
    if (item[1] >= 0) {
        const bool second = (item[0] & 1) != 0;
        const auto n = cleave_load<2>(a.edge + 2 * (size_t)(item[0] >> 1));
        const state other = cleave_load<4>(a.q + 4 * (size_t)item[1]);
        state q1, q2;
        for (int k = 0; k < 4; k++) {
            q1.v[k] = second ? other[k] : own[k];
            q2.v[k] = second ? own[k] : other[k];
        }
        add_flux(cleave_load<2>(a.x + 2 * (size_t)n[0]), cleave_load<2>(a.x + 2 * (size_t)n[1]),
                 q1.v, q2.v, real(0.5) * (adt + a.adt[item[1]]) * EPS, second ? real(-1) : real(1),
                 sum);
    } else if (item[1] < -1) {
        const auto n = cleave_load<2>(a.bedge + 2 * (size_t)item[0]);
        add_boundary(cleave_load<2>(a.x + 2 * (size_t)n[0]), cleave_load<2>(a.x + 2 * (size_t)n[1]),
                     own.v, adt, -1 - item[1], a.infinity, sum);
    }
}

/* The lane's item in a row; none behind the last. */
CLEAVE_DEVICE chain_item item_at(const chain_items &items, int row, int last)
{
    const chain_item none = {{0, -1}};
    return row < last ? cleave_load<2>(items.item + 2 * ((size_t)row * CLEAVE_WARP + cleave_lane()))
                      : none;
}

/* sum += the fluxes through the cell's boundary edges, which have slices of their own. */
CLEAVE_DEVICE void add_boundary_items(const chain_airfoil &a, const chain_items &rest, int c,
                                      real *sum)
{
    const int last = rest.start[c / CLEAVE_WARP + 1];
    for (int row = rest.start[c / CLEAVE_WARP]; row < last; row++) {
        add_item(a, item_at(rest, row, last), cleave_load<4>(a.q + 4 * (size_t)c), a.adt[c], sum);
    }
}

template <int REGISTERS, bool RES, bool NEXT>
CLEAVE_KERNEL void CLEAVE_REGISTERS(REGISTERS) chain_step(chain_airfoil a, chain_items items)
{
    const int block = cleave_block();
    const int c = block * CHAIN_BLOCK + cleave_thread();
    real total = 0, most = 0;
    if (c < a.cells) {
        const int last = items.start[c / CLEAVE_WARP + 1];
        const state own = cleave_load<4>(a.q + 4 * (size_t)c);
        const real adt = a.adt[c];
        real sum[4] = {};
        int r = items.start[c / CLEAVE_WARP];
        chain_item next = item_at(items, r, last);
        while (r < last) {
            const chain_item now = next;
            next = item_at(items, ++r, last);
            add_item(a, now, own, adt, sum);
        }
        finish_cell<RES, NEXT>(a, c, sum, adt, total, most);
    }
    chain_total(total, most, a.totals, block, 0);
}

/* ---- by the runtime's plans --------------------------------------------------------------------
 */

/* The flux that edge e adds to the cell in this column. */
CLEAVE_DEVICE void add_edge(const chain_airfoil &a, int e, int column, real *sum)
{
    const auto n = cleave_load<2>(a.edge + 2 * (size_t)e);
    const auto c = cleave_load<2>(a.ecell + 2 * (size_t)e);
    const auto x1 = cleave_load<2>(a.x + 2 * (size_t)n[0]);
    const auto x2 = cleave_load<2>(a.x + 2 * (size_t)n[1]);
    const auto q1 = cleave_load<4>(a.q + 4 * (size_t)c[0]);
    const auto q2 = cleave_load<4>(a.q + 4 * (size_t)c[1]);
    add_flux(x1, x2, q1.v, q2.v, real(0.5) * (a.adt[c[0]] + a.adt[c[1]]) * EPS,
             column == 1 ? real(-1) : real(1), sum);
}

/* The variant `owner` of res_calc, with update behind the sums. rest: boundary edges, none if RES.
 */
template <bool RES, bool NEXT>
CLEAVE_KERNEL void chain_step_points(chain_airfoil a, cleave_plan_list list, chain_items rest)
{
    const int block = cleave_block();
    const int p = block * cleave_threads() + cleave_thread();
    real total = 0, most = 0;
    if (p < list.points) {
        const int first = list.item_start[p];
        const int last = list.item_start[p + 1];
        real sum[4] = {};
        for (int i = first; i < last; i++) {
            add_edge(a, list.item_element[i], list.item_column[i], sum);
        }
        if constexpr (!RES) {
            add_boundary_items(a, rest, p, sum);
        }
        finish_cell<RES, NEXT>(a, p, sum, a.adt[p], total, most);
    }
    chain_total(total, most, a.totals, block, 0);
}

/* Does a step as chain_step_points does, from the items of blocks of points, which lanes read side
 * by side. */
CLEAVE_KERNEL void chain_step_rows(chain_airfoil a, cleave_plan_list list)
{
    const cleave_owner own = cleave_owner_of(list, CHAIN_BLOCK);
    real sum[4] = {};
    real total = 0, most = 0;
    for (int row = own.row; row < own.last; row++) {
        const size_t at = (size_t)row * CLEAVE_WARP + cleave_lane();
        const int e = list.slice_element[at];
        if (e >= 0) {
            add_edge(a, e, list.slice_column[at], sum);
        }
    }
    if (cleave_thread() < own.owned) {
        const int p = own.first + cleave_thread();
        finish_cell<true, false>(a, p, sum, a.adt[p], total, most);
    }
    chain_total(total, most, a.totals, own.first / CHAIN_BLOCK, 0);
}

/* The variant `owner_staged` of res_calc, with update behind the sums. adt lies behind q's records,
 * the reduction's scratch over both. rest: boundary edges, none if RES. */
template <int REGISTERS, bool RES, bool NEXT>
CLEAVE_KERNEL void CLEAVE_REGISTERS(REGISTERS)
    chain_step_blocks(chain_airfoil a, cleave_plan_list list, chain_items rest, unsigned adt_byte)
{
    const cleave_owner own = cleave_owner_of(list, CHAIN_BLOCK);
    constexpr int apart = sizeof(real) == 8 ? 6 : 4; /* odd numbers of 16 bytes */
    const auto in_q = cleave_stage_around<real, 4, apart>(0, a.q, own);
    const auto in_adt = cleave_stage_around<real, 1, 1>(adt_byte, a.adt, own);
    auto next = cleave_item_of<2>(list, own, own.row);
    real sum[4] = {};
    real total = 0, most = 0;
    cleave_copy_wait();
    cleave_barrier();
    for (int row = own.row; row < own.last; row++) {
        const auto now = next;
        next = cleave_item_of<2>(list, own, row + 1);
        if (now.element >= 0) {
            const auto n = cleave_load<2>(a.edge + 2 * (size_t)now.element);
            const auto x1 = cleave_load<2>(a.x + 2 * (size_t)n[0]);
            const auto x2 = cleave_load<2>(a.x + 2 * (size_t)n[1]);
            const auto q1 = cleave_load<4>(in_q + apart * now.local[0]);
            const auto q2 = cleave_load<4>(in_q + apart * now.local[1]);
            add_flux(x1, x2, q1.v, q2.v,
                     real(0.5) * (in_adt[now.local[0]] + in_adt[now.local[1]]) * EPS,
                     now.column == 1 ? real(-1) : real(1), sum);
        }
    }
    if (cleave_thread() < own.owned) {
        const int p = own.first + cleave_thread();
        if constexpr (!RES) {
            add_boundary_items(a, rest, p, sum);
        }
        finish_cell<RES, NEXT>(a, p, sum, a.adt[p], total, most);
    }
    chain_total(total, most, a.totals, own.first / CHAIN_BLOCK, 0);
}

/* ---- loops one by one --------------------------------------------------------------------------
 */

CLEAVE_KERNEL void chain_save(chain_airfoil a)
{
    const int c = cleave_block() * CHAIN_BLOCK + cleave_thread();
    if (c < a.cells) {
        cleave_store(a.q_next + 4 * (size_t)c, cleave_load<4>(a.q + 4 * (size_t)c));
    }
}

CLEAVE_KERNEL void chain_adt(chain_airfoil a)
{
    const int c = cleave_block() * CHAIN_BLOCK + cleave_thread();
    if (c < a.cells) {
        const state own = cleave_load<4>(a.q + 4 * (size_t)c);
        a.adt_next[c] = time_step(a, c, own.v);
    }
}

/* res_calc by slices. */
CLEAVE_KERNEL void chain_residual(chain_airfoil a, chain_items items)
{
    const int c = cleave_block() * CHAIN_BLOCK + cleave_thread();
    if (c < a.cells) {
        const int last = items.start[c / CLEAVE_WARP + 1];
        const state own = cleave_load<4>(a.q + 4 * (size_t)c);
        state res = cleave_load<4>(a.res + 4 * (size_t)c);
        real sum[4] = {};
        for (int r = items.start[c / CLEAVE_WARP]; r < last; r++) {
            add_item(a, cleave_load<2>(items.item + 2 * ((size_t)r * CLEAVE_WARP + cleave_lane())),
                     own, a.adt[c], sum);
        }
        for (int k = 0; k < 4; k++) {
            res.v[k] += sum[k];
        }
        cleave_store(a.res + 4 * (size_t)c, res);
    }
}

/* bres_calc: boundary edges of one cell add to it atomically. */
CLEAVE_KERNEL void chain_boundary(chain_airfoil a, int bedges, const int *becell, const int *bound)
{
    const int b = cleave_block() * CHAIN_BLOCK + cleave_thread();
    if (b < bedges) {
        const int c = becell[b];
        const auto n = cleave_load<2>(a.bedge + 2 * (size_t)b);
        const state q = cleave_load<4>(a.q + 4 * (size_t)c);
        real sum[4] = {};
        add_boundary(cleave_load<2>(a.x + 2 * (size_t)n[0]), cleave_load<2>(a.x + 2 * (size_t)n[1]),
                     q.v, a.adt[c], bound[b], a.infinity, sum);
        for (int k = 0; k < 4; k++) {
            cleave_add(a.res + 4 * (size_t)c + k, sum[k]);
        }
    }
}

CLEAVE_KERNEL void chain_update(chain_airfoil a)
{
    const int block = cleave_block();
    const int c = block * CHAIN_BLOCK + cleave_thread();
    real total = 0, most = 0;
    if (c < a.cells) {
        real sum[4] = {};
        finish_cell<true, false>(a, c, sum, a.adt[c], total, most);
    }
    chain_total(total, most, a.totals, block, 0);
}

#endif
