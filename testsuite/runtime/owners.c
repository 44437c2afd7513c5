/* owners.c: variants that take their elements from blocks of points, or from items that name what
 * elements read: the plan that they get, which calls share, and what runs where a mesh does not
 * allow such a plan. */
#include "ring.h"

#include "check.h"

#define SPOKES 70000 /* more than a neighbourhood holds */

static int flux_words; /* of an item */

/* Behind an element's number, if items have one, stand the point's other end and its column. */
static void named_run(const struct cleave_launch *l, int numbered)
{
    const struct cleave_plan_list *list = &l->plan->list[0];
    const double *in = l->data[0];
    double *out = l->data[2];
    flux_runs++;
    flux_words = list->words;
    for (int p = 0; p < list->points; p++) {
        const int chunk = p / CLEAVE_NAMED_LANES;
        for (int row = list->named_start[chunk]; row < list->named_start[chunk + 1]; row++) {
            const int *item = list->named_item;
            const int lane = p % CLEAVE_NAMED_LANES;
            const int first = item[CLEAVE_NAMED_AT(list->words, row, lane, 0)];
            const int other =
                numbered ? item[CLEAVE_NAMED_AT(list->words, row, lane, 1)] : first >> 1;
            out[p] += first >= 0 ? gam_copy * (in[p] - in[other]) : 0.0;
        }
    }
}

static void flux_named_run(const struct cleave_launch *l)
{
    flux_variant = "flux_named";
    named_run(l, 0);
}

static void flux_numbered_run(const struct cleave_launch *l)
{
    flux_variant = "flux_numbered";
    named_run(l, 1);
}

#define NAMED(name, parts, run)                                                                    \
    {name,                                                                                         \
     CLEAVE_OWNER_GATHER,                                                                          \
     0,                                                                                            \
     CLEAVE_RACE_NONE,                                                                             \
     CLEAVE_PLAN_NAMED,                                                                            \
     0,                                                                                            \
     NULL,                                                                                         \
     run,                                                                                          \
     0,                                                                                            \
     parts,                                                                                        \
     NULL,                                                                                         \
     NULL,                                                                                         \
     0,                                                                                            \
     NULL,                                                                                         \
     NULL,                                                                                         \
     NULL,                                                                                         \
     0,                                                                                            \
     0,                                                                                            \
     0}

/* Items cannot name the points of a list through which data is modified, so the first variant runs
 * nowhere. */
static const struct cleave_variant variants[] = {
    NAMED("flux_impossible", CLEAVE_PART_NAMES(0), flux_named_run),
    {"flux_owner", CLEAVE_OWNER_GATHER, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_OWNERS, 0,
     flux_owner_shared, flux_owner_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_fused_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    NAMED("flux_numbered", CLEAVE_PART_NUMBERED, flux_numbered_run),
    NAMED("flux_named", 0, flux_named_run)};

static struct cleave_loop loops[] = {{FLUX_LOOP(2, owner_variants)},
                                     {NORM_LOOP(TEXT(NORM_CALL), norm_variants)}};
static const struct cleave_unit ring_unit = {RING_UNIT(CLEAVE_TARGET_OPENMP, 2, loops)};

static void call_norm(void)
{
    double sum = 0.0;
    double least = 0.0;
    double most = 0.0;
    LOOP(NORM_CALL);
}

static void test_block_size(const char *block_size)
{
    setenv("CLEAVE_BLOCK_SIZE", block_size, 1);
    start_ring();
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
    start_ring();
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

/* Variants whose items have other words have other plans, in any order of calls. */
static void test_words(void)
{
    static const char *const names[] = {"flux_numbered", "flux_named", "flux_numbered"};
    loops[0].variant = variants;
    loops[0].variants = sizeof variants / sizeof variants[0];
    start_ring();
    call_flux();
    CHECK_TEXT(flux_variant, "flux_owner");
    for (int i = 0; i < 3; i++) {
        cleave_force_variant(names[i]);
        call_flux();
        CHECK_TEXT(flux_variant, names[i]);
        CHECK(flux_words == (i == 1 ? 1 : 2) && flux_is_right(1.5 * (i + 2)));
    }
    cleave_force_variant(NULL);
    op_exit();
    loops[0].variant = owner_variants;
    loops[0].variants = 2;
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
    op_init(0, NULL, 0);
    op_decl_const(1, "double", &gam);
    flux_runs = 0;
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
    test_words();
    test_hub();
    return CHECK_RESULT();
}
