/* run_mesh_loops.c: see run_mesh.h. The fixture's loops, written plainly, and what a launch of each gets. */
#include <string.h>

#include "testsuite/codegen/run_mesh.h"

/* ---- plain loops ---- */

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

void plain(struct data *d, const char *kernel)
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

/* ---- calls ---- */

static double real_partial[MAX_ARGS][EDGES];
static int int_partial[EDGES];
static double real_result[MAX_ARGS];
static int int_result;


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

struct call make_call(const char *kernel, struct data *d)
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

size_t bytes_of(const void *dat)
{
    return dat == data.res    ? sizeof data.res
           : dat == data.node ? sizeof data.node
           : dat == data.adt  ? sizeof data.adt
                              : 0;
}

/* Poison shows a partial that no block wrote. */
void poison_partials(void)
{
    memset(real_partial, 0xff, sizeof real_partial);
    memset(int_partial, 0x7f, sizeof int_partial);
    memset(real_result, 0xff, sizeof real_result);
    int_result = 1 << 30;
}

/* Joins the partial results of OpenMP's blocks; CUDA's last block does it itself. */
void join_partials(const char *kernel, int blocks)
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

void combine(struct data *d, const char *kernel)
{
    if (strcmp(kernel, "update") == 0) {
        d->rms += real_result[3];
        d->high = real_result[4] > d->high ? real_result[4] : d->high;
        d->low = real_result[5] < d->low ? real_result[5] : d->low;
    } else if (strcmp(kernel, "number") == 0) {
        d->sum += int_result;
    }
}
