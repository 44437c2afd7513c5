/* dispatch.c: which variant runs for a call: units, text, pattern, settings; plans, constants and
 * reductions of OpenMP variants; warnings when nothing fits; CLEAVE_VERIFY. */
#include "ring.h"

#include "check.h"
#include "child.h"
#include "runtime/base/settings.h"

static const struct cleave_loop loops[] = {{FLUX_LOOP(5, flux_variants)},
                                           {NORM_LOOP(TEXT(NORM_CALL), norm_variants)}};
static struct cleave_unit ring_unit = {RING_UNIT(CLEAVE_TARGET_OPENMP, 2, loops)};

/* The loops again, with tables that do not fit the calls. */
static const struct cleave_loop wrong_loops[] = {{FLUX_LOOP(1, wrong_variants)}};
#define MAX_CALL                                                                                   \
    flux, "max", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),                              \
        op_arg_dat(q, 1, ends, 1, "double", OP_READ),                                              \
        op_arg_dat(res, 0, ends, 1, "double", OP_MAX),                                             \
        op_arg_dat(res, 1, ends, 1, "double", OP_MAX)
static const struct cleave_loop wrong_max_loops[] = {
    {TEXT(MAX_CALL), "i0.0.0:1:double:R i0.0.1:1:double:R i2.0.0:1:double:M i2.0.1:1:double:M",
     "flux", "ring.h:1", NULL, 1, flux_lists, 1, flux_constants, 1, wrong_variants, 0, NULL, NULL,
     0, 0, NULL, 0, NULL}};
static const struct cleave_loop reason_loops[] = {
    {TEXT(FLUX_CALL), "", "flux", "ring.h:1", "its body calls a function of the system", 0, NULL, 0,
     NULL, 0, NULL, 0, NULL, NULL, 0, 0, NULL, 0, NULL}};

/* A unit with a static variable that is called as the external one of the ring's. */
static const struct cleave_constant static_constants[] = {
    {"gam", "double", 1, sizeof(double), 0, set_gam, 0, NULL}};
static const struct cleave_unit_key static_key = {"static"};
static const struct cleave_unit static_unit = {
    .abi = CLEAVE_ABI,
    .target = CLEAVE_TARGET_OPENMP,
    .id = "static",
    .source = "static.c",
    .constants = 1,
    .constant = static_constants,
    .key = &static_key,
};

static void start_with(const char *variable, const char *value)
{
    setenv(variable, value, 1);
    start_ring();
    unsetenv(variable);
}

static void test_variant_runs(void)
{
    start_ring();
    call_flux();
    CHECK(flux_runs == 1);
    CHECK_TEXT(flux_variant, "flux_fused_colour");
    CHECK(flux_block_size == 256);
    CHECK(gam_copy == 1.5);
    CHECK(flux_is_right(1.5));
    op_exit();
}

static void test_settings(void)
{
    start_with("CLEAVE_BACKEND", "seq");
    call_flux();
    CHECK(flux_runs == 0 && flux_is_right(1.5));
    op_exit();
    start_with("CLEAVE_SCHEDULE", "split");
    call_flux();
    CHECK_TEXT(flux_variant, "flux_split_colour");
    op_exit();
    start_with("CLEAVE_SCHEDULE", "split3");
    call_flux();
    CHECK_TEXT(flux_variant, "flux_split3_colour");
    op_exit();
    setenv("CLEAVE_CHECK_PLAN", "1", 1);
    start_with("CLEAVE_SCHEDULE", "twopass");
    call_flux();
    CHECK_TEXT(flux_variant, "flux_twopass");
    CHECK(flux_is_right(1.5));
    op_exit();
    unsetenv("CLEAVE_CHECK_PLAN");
    start_with("CLEAVE_SCHEDULE", "owner"); /* not there: the first that fits otherwise */
    call_flux();
    CHECK_TEXT(flux_variant, "flux_fused_colour");
    op_exit();
    start_with("CLEAVE_RACES", "atomic");
    call_flux();
    CHECK_TEXT(flux_variant, "flux_fused_atomic");
    op_exit();
    start_with("CLEAVE_BLOCK_SIZE", "64");
    call_flux();
    CHECK(flux_block_size == 64 && flux_is_right(1.5));
    op_exit();
    setenv("CLEAVE_ORDER", "reverse", 1);
    setenv("CLEAVE_PARTITION", "chunks", 1);
    start_with("CLEAVE_CHECK_PLAN", "1");
    call_flux();
    CHECK(flux_is_right(1.5));
    op_exit();
    unsetenv("CLEAVE_ORDER");
    unsetenv("CLEAVE_PARTITION");
}

/* Atomic operations are left out, and the size of blocks is the default one where it shows. */
static void test_deterministic(void)
{
    setenv("CLEAVE_DETERMINISTIC", "1", 1);
    start_with("CLEAVE_BLOCK_SIZE", "64");
    call_flux();
    CHECK_TEXT(flux_variant, "flux_fused_colour");
    CHECK(flux_block_size == 256 && flux_is_right(1.5));
    double sum = 0.0;
    double least = 100.0;
    double most = 0.0;
    LOOP(NORM_CALL);
    CHECK(norm_block_size == 256);
    op_exit();
    setenv("CLEAVE_SCHEDULE", "twopass", 1);
    start_with("CLEAVE_BLOCK_SIZE", "64");
    call_flux();
    CHECK_TEXT(flux_variant, "flux_twopass");
    CHECK(flux_is_right(1.5));
    op_exit();
    unsetenv("CLEAVE_SCHEDULE");
    unsetenv("CLEAVE_DETERMINISTIC");
}

static void test_reductions(void)
{
    double sum = 10.0;
    double least = 1.25;
    double most = 2.0;
    double expected = 10.0;
    start_with("CLEAVE_BLOCK_SIZE", "128");
    for (int p = 0; p < RING; p++) {
        expected += ((double *)(void *)q->data)[p] * ((double *)(void *)q->data)[p];
    }
    LOOP(NORM_CALL);
    CHECK(norm_runs == 1);
    CHECK(fabs(sum - expected) < 1e-9 && least == 1.0 && most == 5.0);
    op_exit();
}

static void test_constants(void)
{
    double later = 4.0;
    start_ring();
    call_flux();
    gam = 3.0; /* counts only when it is declared again */
    call_flux();
    CHECK(gam_copy == 1.5);
    op_decl_const(1, "double", &gam);
    call_flux();
    CHECK(gam_copy == 3.0);
    op_decl_const_char(1, "double", 8, &later, "gam");
    call_flux();
    CHECK(gam_copy == 3.0); /* this unit's own comes first */
    int sets = gam_sets;
    for (int i = 0; i < 3; i++) {
        op_decl_const(1, "double", &gam); /* nothing new: nothing is copied */
        call_flux();
    }
    CHECK(gam_sets == sets);
    gam = 2.0;
    op_decl_const(1, "double", &gam);
    gam = 3.0;
    op_decl_const(1, "double", &gam);
    call_flux();
    CHECK(gam_sets <= sets + 1 && gam_copy == 3.0);
    gam = 1.5;
    op_exit();
}

/* ---- what ends the program or is said ---------------------------------------------------- */

static void without_constant(void)
{
    op_init(0, NULL, 0);
    declare_ring();
    call_flux();
}

static void with_wrong_constant(void)
{
    float gam = 1.0f;
    op_init(0, NULL, 0);
    declare_ring();
    op_decl_const(1, "float", &gam);
    call_flux();
}

static void with_external_constant(void)
{
    double value = 2.5;
    op_init(0, NULL, 0);
    declare_ring();
    op_decl_const_char(1, "double", 8, &value, "gam");
    call_flux();
    exit(gam_copy == 2.5 ? 0 : 3);
}

static void with_static_constant(void)
{
    double value = 2.5;
    double of_other_unit = 7.5;
    cleave_register(&static_unit);
    op_init(0, NULL, 0);
    declare_ring();
    op_decl_const_char(1, "double", 8, &value, "gam");
    cleave_decl_const(&static_key, "&gam", 1, "double", "double", &of_other_unit);
    call_flux();
    exit(gam_copy == 2.5 ? 0 : 3);
}

/* Through a pointer, kernels may use as many values as were declared before. */
static void with_fewer_values(void)
{
    static const double table[4] = {1.0, 2.0, 3.0, 4.0};
    static const struct cleave_constant pointers[] = {
        {"Dr", "double", 0, sizeof(double *), 0, set_gam, 0, NULL}};
    struct cleave_unit unit = static_unit;
    unit.constant = pointers;
    cleave_register(&unit);
    op_init(0, NULL, 0);
    for (int i = 0; i < 2; i++) {
        cleave_decl_const(&static_key, "Dr", 2, "double", "double", table);
        cleave_decl_const(&static_key, "Dr", 4, "double", "double", table);
        cleave_decl_const(&static_key, "gam", 2 - i, "double", "double", table);
    }
    cleave_decl_const(&static_key, "Dr", 3, "double", "double", table);
    exit(0);
}

static void with_alias(void)
{
    start_ring();
    for (int i = 0; i < 3; i++) {
        op_dat keep = res;
        res = other;
        call_flux(); /* another dat, the same pattern */
        res = q;
        call_flux(); /* the pattern that the compiler did not see */
        res = keep;
    }
    exit(flux_runs == 3 ? 0 : 3);
}

static void with_unknown_text(void)
{
    start_ring();
    for (int i = 0; i < 2; i++) {
        op_par_loop(flux, "unknown", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                    op_arg_dat(q, 1, ends, 1, "double", OP_READ),
                    op_arg_dat(res, 0, ends, 1, "double", OP_INC),
                    op_arg_dat(res, 1, ends, 1, "double", OP_INC));
    }
    exit(flux_is_right(3.0) ? 0 : 3);
}

static void with_reason(void)
{
    ring_unit.loops = 1;
    ring_unit.loop = reason_loops;
    start_ring();
    call_flux();
    call_flux();
    exit(flux_is_right(3.0) ? 0 : 3);
}

static void with_old_unit(void)
{
    ring_unit.abi = CLEAVE_ABI + 1;
    op_init(0, NULL, 0);
}

static void with_verification(void)
{
    double sum = 0.0;
    double least = 100.0;
    double most = 0.0;
    setenv("CLEAVE_VERIFY", "1", 1);
    start_ring();
    call_flux();
    LOOP(NORM_CALL);
    if (flux_runs != 1 || norm_runs != 1 || !flux_is_right(1.5) || most != 5.0) {
        exit(3);
    }
    op_exit();
}

/* CLEAVE_VARIANT names what must not run. */
static void with_left_out_variant(void)
{
    setenv("CLEAVE_DETERMINISTIC", "1", 1);
    start_with("CLEAVE_VARIANT", "*_atomic");
    call_flux();
    call_flux();
    exit(strcmp(flux_variant, "flux_fused_colour") == 0 ? 0 : 3);
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static int lane_bytes;

static void flux_lanes_run(const struct cleave_launch *l)
{
    flux_fused_run(l);
    flux_variant = "flux_fused_lanes";
    lane_bytes = l->lane_bytes;
}

static struct cleave_variant lane_variants[] = {
    {"flux_fused_lanes", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, NULL,
     flux_lanes_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 16 | 64},
    {"flux_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, NULL,
     flux_fused_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0}};
static const struct cleave_loop lane_loops[] = {{FLUX_LOOP(2, lane_variants)}};

static void call_with_lanes(const char *lanes)
{
    ring_unit.loops = 1;
    ring_unit.loop = lane_loops;
    start_with("CLEAVE_LANES", lanes);
    lane_bytes = 0;
    call_flux();
    op_exit();
    ring_unit.loops = 2;
    ring_unit.loop = loops;
}

/* Variants with lanes get a width that the machine has, unless they are switched off. */
static void test_lanes(void)
{
    call_with_lanes("auto");
    CHECK_TEXT(flux_variant, "flux_fused_lanes");
    CHECK(lane_bytes >= 16 && lane_bytes == cleave_lane_bytes(lane_bytes, lane_bytes));
    call_with_lanes("16");
    CHECK_TEXT(flux_variant, "flux_fused_lanes");
    CHECK(lane_bytes == 16);
    call_with_lanes("off");
    CHECK_TEXT(flux_variant, "flux_fused_colour");
}

/* `auto` takes the widest of a variant's widths that the machine has. */
static void test_widths(void)
{
    cleave_settings.lanes = CLEAVE_LANES_AUTO;
    CHECK(cleave_lane_bytes(32 | 64, 64) == 64 && cleave_lane_bytes(32 | 64, 32) == 32);
    CHECK(cleave_lane_bytes(16 | 64, 32) == 16 && cleave_lane_bytes(16, 64) == 16);
    CHECK(cleave_lane_bytes(32 | 64, 16) == 0 && cleave_lane_bytes(0, 64) == 0);
    cleave_settings.lanes = CLEAVE_LANES_OFF;
    CHECK(cleave_lane_bytes(16 | 32 | 64, 64) == 0);
    cleave_settings.lanes = 16;
    CHECK(cleave_lane_bytes(16 | 32, 64) == 16 && cleave_lane_bytes(32, 64) == 0);
}

static void with_missing_width(void)
{
    lane_variants[0].lanes = 32 | 64;
    call_with_lanes("16");
}

static void with_lanes_off(void)
{
    setenv("CLEAVE_VARIANT", "*_lanes", 1);
    call_with_lanes("off");
    exit(strcmp(flux_variant, "flux_fused_colour") == 0 ? 0 : 3);
}

static void with_wide_lanes(void)
{
    setenv("CLEAVE_LANES", "64", 1);
    cleave_settings_read(0, NULL, 0);
    cleave_lanes_check(64);
    cleave_lanes_check(32);
}

static void with_wrong_variant(void)
{
    setenv("CLEAVE_VERIFY", "1", 1);
    ring_unit.loops = 1;
    ring_unit.loop = wrong_loops;
    start_ring();
    call_flux();
}

/* The variant is wrong at the last point: only a NaN among that point's own values excuses that. */
static void with_nan_at(int point)
{
    setenv("CLEAVE_VERIFY", "1", 1);
    ring_unit.loops = 1;
    ring_unit.loop = wrong_max_loops;
    start_ring();
    ((double *)(void *)q->data)[point] = NAN;
    LOOP(MAX_CALL);
}

static void with_nan_elsewhere(void)
{
    with_nan_at(5);
}

static void with_nan_beside(void)
{
    with_nan_at(0);
}

static void with_tolerance(void)
{
    setenv("CLEAVE_VERIFY_TOLERANCE", "0.1", 1);
    with_wrong_variant();
}

static void test_said(void)
{
    char said[4096];
    expect_child(without_constant, 1,
                 "kernel 'flux' uses 'gam', which no op_decl_const has given a value");
    expect_child(with_wrong_constant, 1,
                 "kernel 'flux' uses 'gam' as 1 double, but op_decl_const gives it 1 float");
    expect_child(with_fewer_values, 0,
                 "op_decl_const 'Dr': 2 values are declared now, 4 were before");
    expect_child(
        with_alias, 0,
        "argument 3 was compiled as (indirect, map of argument 1, index 0, dat of argument 3, 1 "
        "double, OP_INC), called as (indirect, map of argument 1, index 0, dat of argument 1, 1 "
        "double, OP_INC)");
    expect_child(with_unknown_text, 0, "the program holds no compiled variant of this call");
    expect_child(with_reason, 0, "runs sequentially: its body calls a function of the system");
    expect_child(with_old_unit, 1, "'ring.c' was compiled by a cleavecc of another version");
    expect_child(with_verification, 0, "2 calls of compiled loops agree with the reference");
    expect_child(with_left_out_variant, 0,
                 "runs as 'flux_fused_colour' and not as 'flux_fused_atomic', which CLEAVE_VARIANT "
                 "names: the order of its sums changes from run to run");
    expect_child(with_lanes_off, 0,
                 "runs as 'flux_fused_colour' and not as 'flux_fused_lanes', which CLEAVE_VARIANT "
                 "names: it computes several elements at once, and CLEAVE_LANES=off is set");
    expect_child(
        with_missing_width, 1,
        "is not compiled for registers of 16 bytes; set CLEAVE_LANES=auto, or compile it with "
        "--cleave-emit=comparisons");
    expect_child(with_wide_lanes, 1,
                 "CLEAVE_LANES=64: this machine has no registers of 64 bytes that loops can use "
                 "(AVX-512 F, VL, DQ and BW); set CLEAVE_LANES=32 or auto");
    expect_child(with_wrong_variant, 1,
                 "variant 'flux_wrong' on openmp: dat 'res' element 999 component 0 is");
    CHECK(child_run(with_tolerance, said, sizeof said) == 0);
    expect_child(with_nan_elsewhere, 1, "dat 'res' element 999 component 0 is");
    CHECK(child_run(with_nan_beside, said, sizeof said) == 0);
}

int main(void)
{
    char said[512];
    cleave_register(&ring_unit);
    cleave_register(&ring_unit); /* twice does no harm */
    test_variant_runs();
    test_settings();
    test_deterministic();
    test_lanes();
    test_widths();
    test_reductions();
    test_constants();
    CHECK(child_run(with_external_constant, said, sizeof said) == 0);
    CHECK(child_run(with_static_constant, said, sizeof said) == 0);
    test_said();
    return CHECK_RESULT();
}
