/* packed.c: records that the runtime has packed for a variant: every component is where it belongs,
 * and what lies behind them is zero, as records are copied as a whole; again when the dat has
 * changed. */
#include "ring.h"

#include "check.h"
#include "runtime/exec/exec.h"
#include "fake_device.h"

static const struct cleave_packed part[] = {{0, 0}};
/* A component and three of padding; and none of it. */
static const struct cleave_derived deriveds[] = {{0, -1, 4, 1, part}, {0, -1, 1, 1, part}};

static int wrong;

static void flux_packed_run(const struct cleave_launch *l)
{
    const double *const in = l->data[0];
    const double *const padded = l->derived[0];
    const double *const dense = l->derived[1];
    for (int p = 0; p < RING; p++) {
        wrong += padded[4 * p] != in[p] || dense[p] != in[p];
        for (int c = 1; c < 4; c++) {
            wrong += padded[4 * p + c] != 0.0;
        }
    }
    flux_fused_run(l);
}

/* Does on the host what runtime/device/packed.cuh does. */
static void derive(const struct cleave_derivation *made)
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

static const struct cleave_variant variants[] = {
    {"flux_packed", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_packed_run, 0, 0, NULL, NULL, 2, deriveds, NULL, CLEAVE_WORST_RANK}};
static const struct cleave_loop loops[] = {{TEXT(FLUX_CALL), FLUX_SIGNATURE, "flux", "ring.h:1",
                                            NULL, 1, flux_lists, 1, flux_constants, 1, variants, 0,
                                            NULL, NULL, 0}};
static const struct cleave_unit unit = {
    CLEAVE_ABI, CLEAVE_TARGET_CUDA, "ring", "ring.c", 1, loops, 1, ring_constants, NULL,
    derive,     &cleave_unit_key,   NULL};

static long made(void)
{
    size_t bytes;
    return cleave_derived_made(&bytes);
}

int main(void)
{
    target_provide(&ops);
    cleave_register(&unit);
    op_init(0, NULL, 0);
    declare_ring();
    op_decl_const(1, "double", &gam);
    call_flux();
    call_flux();
    CHECK(flux_runs == 2 && made() == 2);
    op_get_data(q);
    ((double *)(void *)q->data)[7] += 1.0;
    op_put_data(q);
    call_flux();
    CHECK(flux_runs == 3 && made() == 4);
    CHECK(wrong == 0);
    op_exit();
    CHECK(in_use == 0);
    return CHECK_RESULT();
}
