/* ring.h: a mesh (a ring of edges over points), its kernels and hand-written variants of its loops,
 * as generated code has them; for the tests of dispatch, launches and verification. */
#ifndef CLEAVE_TEST_RING_H
#define CLEAVE_TEST_RING_H

#define CLEAVE_UNIT "ring"
#include "cleave_gen.h"
#include "op_seq.h"

#include "call_text.h"

#ifndef RING
#define RING 1000
#endif

static double gam = 1.5;
static double gam_copy; /* what set() put into the "generated" code */
static int gam_sets;

static op_set points;
static op_set edges;
static op_map ends;
static op_dat q;
static op_dat res;
static op_dat other;

static inline void declare_ring(void)
{
    static int map[2 * RING];
    static double value[RING];
    for (int e = 0; e < RING; e++) {
        map[2 * e] = e;
        map[2 * e + 1] = (e + 1) % RING;
        value[e] = 0.25 * (e % 17) + 1.0;
    }
    points = op_decl_set(RING, "points");
    edges = op_decl_set(RING, "edges");
    ends = op_decl_map(edges, points, 2, map, "ends");
    q = op_decl_dat(points, 1, "double", value, "q");
    res = op_decl_dat(points, 1, "double", NULL, "res");
    other = op_decl_dat(points, 1, "double", value, "other");
}

/* ---- kernels ----------------------------------------------------------------------------- */

static void flux(const double *a, const double *b, double *to_a, double *to_b)
{
    double f = gam * (*a - *b);
    *to_a += f;
    *to_b -= f;
}

static void norm(const double *a, double *sum, double *least, double *most)
{
    *sum += *a * *a;
    *least = MIN(*least, *a);
    *most = MAX(*most, *a);
}

/* ---- variants ---------------------------------------------------------------------------- */

static int flux_runs;
static int norm_runs;
static int flux_block_size;
static int norm_block_size;
static const char *flux_variant;

static void flux_element(const struct cleave_launch *l, int e, double factor)
{
    const int *row = l->map[0] + (ptrdiff_t)e * l->map_dim[0];
    const double *in = l->data[0];
    double *out = l->data[2];
    double f = factor * gam_copy * (in[row[0]] - in[row[1]]);
    out[row[0]] += f;
    out[row[1]] -= f;
}

static void flux_blocks(const struct cleave_launch *l, double factor)
{
    const struct cleave_plan *plan = l->plan;
    flux_runs++;
    flux_block_size = plan->block_size;
    for (int c = 0; c < plan->colours; c++) {
        for (int k = plan->colour_start[c]; k < plan->colour_start[c + 1]; k++) {
            int b = plan->colour_block[k];
            for (int i = plan->start[b]; i < plan->start[b + 1]; i++) {
                flux_element(l, plan->order != NULL ? plan->order[i] : i, factor);
            }
        }
    }
}

static void flux_fused_run(const struct cleave_launch *l)
{
    flux_variant = "flux_fused_colour";
    flux_blocks(l, 1.0);
}

static void flux_atomic_run(const struct cleave_launch *l)
{
    flux_variant = "flux_fused_atomic";
    flux_blocks(l, 1.0);
}

static void flux_split_run(const struct cleave_launch *l)
{
    flux_variant = "flux_split_colour";
    flux_blocks(l, 1.0);
}

/* Each edge writes its contributions to memory, and each point adds its own. */
static void flux_twopass_run(const struct cleave_launch *l)
{
    const struct cleave_plan_list *list = &l->plan->list[0];
    const double *in = l->data[0];
    double *out = l->data[2];
    double *tmp = l->tmp;
    flux_variant = "flux_twopass";
    flux_runs++;
    for (int e = 0; e < l->size; e++) {
        const int *row = l->map[0] + (ptrdiff_t)e * l->map_dim[0];
        tmp[e] = gam_copy * (in[row[0]] - in[row[1]]);
    }
    for (int p = 0; p < list->points; p++) {
        for (int i = list->item_start[p]; i < list->item_start[p + 1]; i++) {
            out[p] += (list->item_column[i] == 0 ? 1.0 : -1.0) * tmp[list->item_element[i]];
        }
    }
}

/* The work of one thread of a block of points: its column of entries of its warp's slice. */
static void flux_take(const struct cleave_launch *l, int block, int thread)
{
    const struct cleave_plan_list *list = &l->plan->list[0];
    const double *in = l->data[0];
    double *out = l->data[2];
    const int *around = list->around_point + list->around_start[block];
    const int lanes = l->plan->lanes;
    int slice = block * ((l->block_size - 1) / lanes + 1) + thread / lanes;
    int point = around[list->around_own[block] + thread];
    for (int row = list->slice_start[slice]; row < list->slice_start[slice + 1]; row++) {
        size_t at = (size_t)row * (size_t)lanes + (size_t)(thread % lanes);
        if (list->slice_element[at] < 0) {
            break;
        }
        double f = gam_copy * (in[around[list->slice_local[at]]] -
                               in[around[list->slice_local[(size_t)(list->rows * lanes) + at]]]);
        out[point] += list->slice_column[at] == 0 ? f : -f;
    }
}

static void flux_owner_run(const struct cleave_launch *l)
{
    const struct cleave_plan_list *list = &l->plan->list[0];
    flux_variant = "flux_owner";
    flux_runs++;
    flux_block_size = l->plan->block_size;
    for (int p = 0; p < list->points; p++) {
        flux_take(l, p / l->block_size, p % l->block_size);
    }
}

static void flux_split3_run(const struct cleave_launch *l)
{
    flux_variant = "flux_split3_colour";
    flux_blocks(l, 1.0);
}

/* Wrong at the last element only. */
static void flux_wrong_run(const struct cleave_launch *l)
{
    flux_blocks(l, 1.0);
    ((double *)l->data[2])[RING - 1] += 1e-6;
}

static void norm_run(const struct cleave_launch *l)
{
    const double *in = l->data[0];
    double *sum = l->partial[1];
    double *least = l->partial[2];
    double *most = l->partial[3];
    norm_runs++;
    norm_block_size = l->block_size;
    for (int b = 0; b < l->blocks; b++) {
        sum[b] = 0.0;
        least[b] = *(const double *)l->data[2];
        most[b] = *(const double *)l->data[3];
        for (int e = b * l->block_size; e < l->size && e < (b + 1) * l->block_size; e++) {
            norm(&in[e], &sum[b], &least[b], &most[b]);
        }
    }
}

static void set_gam(const void *value)
{
    gam_sets++;
    memcpy(&gam_copy, value, sizeof gam_copy);
}

static size_t flux_shared(const struct cleave_plan *plan)
{
    return (size_t)plan->list[0].max_points * 16;
}

static size_t flux_owner_shared(const struct cleave_plan *plan)
{
    return (size_t)plan->list[0].max_around * 16;
}

/* ---- tables ------------------------------------------------------------------------------ */

#define FLUX_CALL                                                                                  \
    flux, "flux", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),                             \
        op_arg_dat(q, 1, ends, 1, "double", OP_READ),                                              \
        op_arg_dat(res, 0, ends, 1, "double", OP_INC),                                             \
        op_arg_dat(res, 1, ends, 1, "double", OP_INC)
#define NORM_CALL                                                                                  \
    norm, "norm", points, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),                          \
        op_arg_gbl(&sum, 1, "double", OP_INC), op_arg_gbl(&least, 1, "double", OP_MIN),            \
        op_arg_gbl(&most, 1, "double", OP_MAX)

#define FLUX_SIGNATURE "i0.0.0:1:double:R i0.0.1:1:double:R i2.0.0:1:double:I i2.0.1:1:double:I"
#define NORM_SIGNATURE                                                                             \
    "d0.-1.0:1:double:R g-1.-1.0:1:double:I g-1.-1.0:1:double:m g-1.-1.0:1:double:M"

static const struct cleave_list flux_lists[] = {{0, 2, {0, 1}, 3u}};
static const int flux_constants[] = {0};
static const struct cleave_constant ring_constants[] = {
    {"gam", "double", 1, sizeof(double), 1, set_gam, 0, NULL}};

static const struct cleave_variant flux_variants[] = {
    {"flux_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_fused_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_fused_atomic", CLEAVE_FUSED, 0, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 0, NULL,
     flux_atomic_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, CLEAVE_WORST_RANK, 0},
    {"flux_split_colour", CLEAVE_SPLIT, 1, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_split_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_split3_colour", CLEAVE_SPLIT, 3, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_split3_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_twopass", CLEAVE_TWO_PASS, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_POINTS, 8, NULL,
     flux_twopass_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0}};
static const struct cleave_variant owner_variants[] = {
    {"flux_owner", CLEAVE_OWNER_GATHER, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_OWNERS, 0,
     flux_owner_shared, flux_owner_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_fused_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0}};
static const struct cleave_variant wrong_variants[] = {
    {"flux_wrong", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, NULL, flux_wrong_run,
     0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0}};
static const struct cleave_variant norm_variants[] = {
    {"norm_fused", CLEAVE_FUSED, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_NONE, 0, NULL, norm_run, 0, 0,
     NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0}};

/* A loop with the first `count` variants from `of`. */
#define FLUX_LOOP(count, of)                                                                       \
    .call = TEXT(FLUX_CALL), .signature = FLUX_SIGNATURE, .kernel = "flux",                        \
    .location = "ring.h:1", .lists = 1, .list = flux_lists, .constants = 1,                        \
    .constant = flux_constants, .variants = (count), .variant = (of)
/* A loop with one variant; `text` is that of its call. */
#define NORM_LOOP(text, of)                                                                        \
    .call = (text), .signature = NORM_SIGNATURE, .kernel = "norm", .location = "ring.h:2",         \
    .variants = 1, .variant = (of)
/* A unit for `of_target` with the first `count` of these loops. */
#define RING_UNIT(of_target, count, of)                                                            \
    .abi = CLEAVE_ABI, .target = (of_target), .id = "ring", .source = "ring.c", .loops = (count),  \
    .loop = (of), .constants = 1, .constant = ring_constants, .key = &cleave_unit_key

/* Begins a program with the mesh; variants have not run yet. */
static inline void start_ring(void)
{
    op_init(0, NULL, 0);
    declare_ring();
    op_decl_const(1, "double", &gam);
    flux_runs = norm_runs = 0;
}

static void call_flux(void)
{
    LOOP(FLUX_CALL);
}

/* Sum over the ring of what flux makes: res after one call, by hand. */
static inline int flux_is_right(double factor)
{
    double got[RING];
    double in[RING];
    op_fetch_data(res, got);
    op_fetch_data(q, in);
    for (int p = 0; p < RING; p++) {
        double f = factor * ((in[p] - in[(p + 1) % RING]) - (in[(p + RING - 1) % RING] - in[p]));
        if (fabs(got[p] - f) > 1e-12) {
            return 0;
        }
    }
    return 1;
}

#endif
