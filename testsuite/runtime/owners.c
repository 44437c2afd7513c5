/* owners.c: variants that take their elements from blocks of points: the plan that they get, which
 * calls share, and what runs where a mesh does not allow such a plan. */
#include "ring.h"

#include "check.h"

#define SPOKES 70000 /* more than a neighbourhood holds */

static const struct cleave_loop loops[] = {
    {TEXT(FLUX_CALL), FLUX_SIGNATURE, "flux", "ring.h:1", NULL, 1, flux_lists, 1, flux_constants, 2,
     owner_variants, 0, NULL, NULL, 0, 0, NULL, 0, NULL},
    {TEXT(NORM_CALL), NORM_SIGNATURE, "norm", "ring.h:2", NULL, 0, NULL, 0, NULL, 1, norm_variants,
     0, NULL, NULL, 0, 0, NULL, 0, NULL}};
static const struct cleave_unit ring_unit = {
    .abi = CLEAVE_ABI,
    .target = CLEAVE_TARGET_OPENMP,
    .id = "ring",
    .source = "ring.c",
    .loops = 2,
    .loop = loops,
    .constants = 1,
    .constant = ring_constants,
    .key = &cleave_unit_key,
};

static void call_norm(void)
{
    double sum = 0.0;
    double least = 0.0;
    double most = 0.0;
    LOOP(NORM_CALL);
}

static void start(void)
{
    op_init(0, NULL, 0);
    op_decl_const(1, "double", &gam);
    flux_runs = 0;
}

static void test_block_size(const char *block_size)
{
    setenv("CLEAVE_BLOCK_SIZE", block_size, 1);
    start();
    declare_ring();
    call_flux();
    CHECK_TEXT(flux_variant, "flux_owner");
    CHECK(flux_block_size == atoi(block_size) && flux_is_right(1.5));
    call_flux();
    CHECK(flux_runs == 2 && flux_is_right(3.0));
    call_norm();
    op_exit();
    unsetenv("CLEAVE_BLOCK_SIZE");
}

/* Plans of several kinds of one loop. */
static void test_kinds(void)
{
    start();
    declare_ring();
    call_flux();
    cleave_force_variant("flux_fused_colour");
    call_flux();
    CHECK_TEXT(flux_variant, "flux_fused_colour");
    cleave_force_variant("flux_owner");
    call_flux();
    CHECK_TEXT(flux_variant, "flux_owner");
    cleave_force_variant(NULL);
    CHECK(flux_runs == 3 && flux_is_right(4.5));
    op_exit();
}

static void declare_star(void)
{
    static int map[2 * SPOKES];
    static double value[SPOKES + 1];
    for (int e = 0; e < SPOKES; e++) {
        map[2 * e + 1] = e + 1;
    }
    value[0] = 1.0;
    points = op_decl_set(SPOKES + 1, "points");
    edges = op_decl_set(SPOKES, "edges");
    ends = op_decl_map(edges, points, 2, map, "ends");
    q = op_decl_dat(points, 1, "double", value, "q");
    res = op_decl_dat(points, 1, "double", NULL, "res");
}

static void test_hub(void)
{
    static double got[SPOKES + 1];
    int right = 1;
    start();
    declare_star();
    call_flux();
    CHECK_TEXT(flux_variant, "flux_fused_colour");
    CHECK(flux_runs == 1 && flux_block_size == 256);
    op_fetch_data(res, got);
    for (int p = 1; p <= SPOKES; p++) {
        right &= got[p] == -1.5;
    }
    CHECK(right && got[0] == 1.5 * SPOKES);
    op_exit();
}

int main(void)
{
    cleave_register(&ring_unit);
    setenv("CLEAVE_CHECK_PLAN", "1", 1);
    test_block_size("256");
    test_block_size("100");
    test_block_size("1024");
    test_kinds();
    test_hub();
    return CHECK_RESULT();
}
