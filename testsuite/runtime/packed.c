/* packed.c: records that the runtime has packed for a variant: every component is where it belongs,
 * and what lies behind them is zero, as records are copied as a whole; again when the dat has
 * changed, or when something else took their memory. */
#include "ring.h"

#include "check.h"
#include "runtime/exec/exec.h"
#include "fake_device.h"

static const struct cleave_packed part[] = {{0, 0}};
/* A component and three of padding; and none of it. */
static const struct cleave_dat_copy copies[] = {{0, -1, 4, 1, part}, {0, -1, 1, 1, part}};

static int wrong;

static void flux_packed_run(const struct cleave_launch *l)
{
    const double *const in = l->data[0];
    const double *const padded = l->copy[0];
    const double *const dense = l->copy[1];
    for (int p = 0; p < RING; p++) {
        wrong += padded[4 * p] != in[p] || dense[p] != in[p];
        for (int c = 1; c < 4; c++) {
            wrong += padded[4 * p + c] != 0.0;
        }
    }
    flux_fused_run(l);
}

/* Does on the host what runtime/device/packed.cuh does. */
static void make_copy(const struct cleave_copy_request *made)
{
    double *to = made->to;
    const double *from = made->from;
    for (int e = 0; e < made->count; e++) {
        for (int c = 0; c < made->components + made->padding; c++) {
            to[e * made->to_dim + c] =
                c < made->components ? from[e * made->dim + made->first + c] : 0.0;
        }
    }
}

/* The kernel also reaches a constant through a pointer, whose values take memory of the device. */
static const double *table;

static void set_table(const void *value)
{
    memcpy(&table, value, sizeof table);
}

static const struct cleave_constant constants[] = {
    {"gam", "double", 1, sizeof(double), 1, set_gam, 0, NULL},
    {"table", "double", 0, 0, 1, set_table, 0, NULL}};
static const int used_constants[] = {0, 1};

static const struct cleave_variant variants[] = {
    {"flux_packed", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_packed_run, 0, 0, NULL, NULL, 2, copies, NULL, NULL, 0, CLEAVE_WORST_RANK, 0}};
static const struct cleave_loop loops[] = {{TEXT(FLUX_CALL), FLUX_SIGNATURE, "flux", "ring.h:1",
                                            NULL, 1, flux_lists, 2, used_constants, 1, variants, 0,
                                            NULL, NULL, 0, 0, NULL, 0, NULL}};
static const struct cleave_unit unit = {
    .abi = CLEAVE_ABI,
    .target = CLEAVE_TARGET_CUDA,
    .id = "ring",
    .source = "ring.c",
    .loops = 1,
    .loop = loops,
    .constants = 2,
    .constant = constants,
    .make_copy = make_copy,
    .key = &cleave_unit_key,
};

static long made(void)
{
    size_t bytes;
    return cleave_copies_made(&bytes);
}

/* The device is full of copies when a constant needs memory there: those that the loop reads are
 * made again. */
static void test_constant_takes_memory(void)
{
    static double more[2 * RING] = {4.0};
    const op_dat keep = q;
    q = op_decl_dat(points, 1, "double", (double *)NULL, "another");
    call_flux();
    q = keep;
    budget = in_use;
    op_decl_const_char(2 * RING, "double", sizeof(double), more, "table");
    call_flux();
    CHECK(table[0] == 4.0);
    CHECK(flux_runs == 5 && wrong == 0);
    budget = (size_t)1 << 30;
}

int main(void)
{
    static const double one = 3.0;
    target_provide(&ops);
    cleave_register(&unit);
    start_ring();
    op_decl_const_char(1, "double", sizeof one, &one, "table");
    call_flux();
    call_flux();
    CHECK(flux_runs == 2 && made() == 2);
    op_get_data(q);
    ((double *)(void *)q->data)[7] += 1.0;
    op_put_data(q);
    call_flux();
    CHECK(flux_runs == 3 && made() == 4);
    CHECK(wrong == 0);
    test_constant_takes_memory();
    op_exit();
    CHECK(in_use == 0);
    return CHECK_RESULT();
}
