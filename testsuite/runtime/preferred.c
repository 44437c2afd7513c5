/* preferred.c: which variant a device runs, in blocks of which size, where a mesh decides: plans
 * for blocks of points, few elements, few points that elements name, elements that share points. */
#include "ring.h"

#include "check.h"
#include "runtime/choose/variants.h"
#include "runtime/exec/exec.h"
#include "fake_device.h"

static struct cleave_loop loops[] = {{FLUX_LOOP(2, owner_variants)}};
static struct cleave_unit unit = {RING_UNIT(CLEAVE_TARGET_CUDA, 1, loops)};

/* Declares the loops' mesh with so many points and edges; map: [2*all_edges]. */
static void start_with(int all_points, int all_edges, int *map)
{
    op_init(0, NULL, 0);
    op_decl_const(1, "double", &gam);
    points = op_decl_set(all_points, "points");
    edges = op_decl_set(all_edges, "edges");
    ends = op_decl_map(edges, points, 2, map, "ends");
    q = op_decl_dat(points, 1, "double", (double *)NULL, "q");
    res = op_decl_dat(points, 1, "double", (double *)NULL, "res");
}

/* A plan for blocks of points is in the device's memory, and its blocks, too, get smaller. */
static void test_owners(void)
{
    loops[0].variant = owner_variants;
    start_ring();
    call_flux();
    CHECK_TEXT(flux_variant, "flux_owner");
    CHECK(flux_runs == 1 && flux_block_size == 128);
    call_flux();
    CHECK(flux_is_right(3.0));
    op_exit();
    CHECK(in_use == 0);
    shared_bytes = 100 * 16; /* blocks of 64 have 66 points near or a few more */
    start_ring();
    call_flux();
    CHECK_TEXT(flux_variant, "flux_owner");
    CHECK(flux_block_size == 64 && flux_is_right(1.5));
    op_exit();
    CHECK(in_use == 0);
    shared_bytes = (size_t)1 << 20;
}

/* Points do not look for elements where most have none, unless that is asked for. */
static void test_few_elements(void)
{
    enum { FEW = RING - 1 };
    static int map[2 * FEW];
    for (int e = 0; e < FEW; e++) {
        map[2 * e] = e;
        map[2 * e + 1] = e + 1;
    }
    loops[0].variant = owner_variants;
    for (int asked = 0; asked < 2; asked++) {
        start_with(RING, FEW, map);
        cleave_force_variant(asked ? "flux_owner" : NULL);
        call_flux();
        CHECK_TEXT(flux_variant, asked ? "flux_owner" : "flux_fused_colour");
        cleave_force_variant(NULL);
        op_exit();
    }
    CHECK(in_use == 0);
}

/* Nor do they where each would have to look for very many. */
static void test_crowded_points(void)
{
    enum { CROWDED = 10, MOST = 64 * CROWDED / 2 };
    static int map[2 * (MOST + 1)];
    for (int e = 0; e <= MOST; e++) {
        map[2 * e] = e % CROWDED;
        map[2 * e + 1] = (e + 1) % CROWDED;
    }
    loops[0].variant = owner_variants;
    for (int more = 0; more < 2; more++) {
        start_with(CROWDED, MOST + more, map);
        call_flux();
        CHECK_TEXT(flux_variant, more ? "flux_fused_colour" : "flux_owner");
        op_exit();
    }
    CHECK(in_use == 0);
}

/* The first spills; the second is the same with more registers. */
static const struct cleave_variant spilling_variants[] = {
    {"flux_fused_atomic_r64", CLEAVE_FUSED, 0, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 0,
     flux_shared, flux_atomic_run, 0, 0, &spills, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_fused_atomic", CLEAVE_FUSED, 0, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_atomic_run, 0, 0, &threads, NULL, 0, NULL, NULL, NULL, 0, 0, 0}};

static const struct cleave_variant spilling_owners[] = {
    {"flux_owner_r64", CLEAVE_OWNER_GATHER, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_OWNERS, 0,
     flux_owner_shared, flux_owner_run, 0, 0, &spills, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_owner", CLEAVE_OWNER_GATHER, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_OWNERS, 0,
     flux_owner_shared, flux_owner_run, 0, 0, &threads, NULL, 0, NULL, NULL, NULL, 0, 0, 0}};

/* If two variants differ in registers alone, the one that spills runs only if it is named. */
static void test_spills(void)
{
    loops[0].variant = spilling_variants;
    for (int named = 0; named < 2; named++) {
        start_ring();
        cleave_force_variant(named ? "flux_fused_atomic_r64" : NULL);
        call_flux();
        CHECK_TEXT(cleave_records->variant, named ? "flux_fused_atomic_r64" : "flux_fused_atomic");
        cleave_force_variant(NULL);
        op_exit();
    }
    CHECK(in_use == 0);
}

/* Points that gather spill for each of their items: fewer bytes are too many. */
static void test_spilling_points(void)
{
    const int usual = spills;
    for (int points = 0; points < 2; points++) {
        for (spills = 90; spills < 400; spills += 60) {
            const int too_many = spills > (points ? 100 : 200);
            loops[0].variant = points ? spilling_owners : spilling_variants;
            start_ring();
            call_flux();
            CHECK((strstr(cleave_records->variant, "_r64") == NULL) == too_many);
            op_exit();
        }
    }
    spills = usual;
    CHECK(in_use == 0);
}

/* Stands for sums of blocks. */
static const struct cleave_variant ordered_variants[] = {
    {"flux_fused_atomic", CLEAVE_SPLIT, 1, CLEAVE_RACE_ORDERED, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_atomic_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_fused_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0}};

/* Nor do they, or blocks of them, where the order is fixed and nearly all of many have none. */
static void test_few_points_named(void)
{
    enum { MANY = (1 << 20) + 64, FEW = 30, ENOUGH = MANY / 64 + 1 };
    static int map[2 * ENOUGH];
    static const struct {
        int points, edges;
        const struct cleave_variant *variants;
        const char *runs;
    } mesh[] = {{MANY, FEW, owner_variants, "flux_fused_colour"},
                {MANY, FEW, ordered_variants, "flux_fused_colour"},
                {MANY, ENOUGH, owner_variants, "flux_owner"},
                {MANY, ENOUGH, ordered_variants, "flux_fused_atomic"},
                {100, FEW, owner_variants, "flux_owner"},
                {100, FEW, ordered_variants, "flux_fused_atomic"}};
    for (int e = 0; e < ENOUGH; e++) {
        map[2 * e] = e % 100;
        map[2 * e + 1] = (e + 1) % 100;
    }
    setenv("CLEAVE_DETERMINISTIC", "1", 1);
    for (size_t m = 0; m < sizeof mesh / sizeof mesh[0]; m++) {
        loops[0].variant = mesh[m].variants;
        start_with(mesh[m].points, mesh[m].edges, map);
        call_flux();
        CHECK_TEXT(flux_variant, mesh[m].runs);
        op_exit();
    }
    unsetenv("CLEAVE_DETERMINISTIC");
    CHECK(in_use == 0);
}

/* The place of calls that are made by hand. */
static struct cleave_site no_group = {.text = "f, \"f\", set"};

/* The rank of the variant for a loop that writes one point of each of `many` elements, of which
 * `uses` share a point. */
static int rank_of_one_point(const struct cleave_choice *choice,
                             const struct cleave_variant *variant, int many, int uses)
{
    static int to[64];
    op_set elements = op_decl_set(many, "elements");
    op_set coarse = op_decl_set(many / uses, "coarse");
    for (int e = 0; e < many; e++) {
        to[e] = e / uses;
    }
    op_map map = op_decl_map(elements, coarse, 1, to, "to");
    op_dat dat = op_decl_dat(coarse, 1, "double", (double *)NULL, "coarse values");
    op_arg arg = op_arg_dat(dat, 0, map, 1, "double", OP_WRITE);
    const struct cleave_call call = {.site = &no_group, .set = elements, .args = 1, .arg = &arg};
    return cleave_variant_rank(&call, choice, variant);
}

/* In place, colours of the whole set suit calls that a cache holds, unless each element modifies
 * one point that many share; other calls run as the compiler says. */
static void test_in_place(void)
{
    static const struct cleave_variant variants[] = {
        {"f_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, NULL,
         flux_fused_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
        {"f_fused_global_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_GLOBAL, CLEAVE_PLAN_COLOURS, 0, NULL,
         flux_fused_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, CLEAVE_WORST_RANK, 0}};
    struct cleave_loop loop = {.variants = 2, .variant = variants};
    enum { MEGABYTE = 1 << 17 };
    op_init(0, NULL, 0);
    op_set few = op_decl_set(100, "few");
    op_dat small = op_decl_dat(few, MEGABYTE / 2, "double", (double *)NULL, "small");
    op_dat large = op_decl_dat(few, 2 * MEGABYTE, "double", (double *)NULL, "large");
    op_arg arg = op_arg_dat(small, -1, OP_ID, MEGABYTE / 2, "double", OP_READ);
    struct cleave_call call = {.site = &no_group, .set = few, .args = 1, .arg = &arg};
    const struct cleave_choice choice = {.loop = &loop, .target = CLEAVE_TARGET_CUDA};
    CHECK(cleave_variant_rank(&call, &choice, &variants[0]) == CLEAVE_WORST_RANK);
    CHECK(cleave_variant_rank(&call, &choice, &variants[1]) == 0);
    arg = op_arg_dat(large, -1, OP_ID, 2 * MEGABYTE, "double", OP_READ);
    CHECK(cleave_variant_rank(&call, &choice, &variants[0]) == 0);
    CHECK(cleave_variant_rank(&call, &choice, &variants[1]) == CLEAVE_WORST_RANK);
    CHECK(rank_of_one_point(&choice, &variants[1], 64, 1) == 0);
    CHECK(rank_of_one_point(&choice, &variants[1], 64, 2) == 0);
    CHECK(rank_of_one_point(&choice, &variants[1], 64, 8) == CLEAVE_WORST_RANK);
    CHECK(rank_of_one_point(&choice, &variants[0], 64, 8) == 0);
    loop.variants = 1;
    arg = op_arg_dat(small, -1, OP_ID, MEGABYTE / 2, "double", OP_READ);
    CHECK(cleave_variant_rank(&call, &choice, &variants[0]) == 0);
    op_exit();
}

static int block_size_of(op_set set, op_arg *arg, int args, enum cleave_race race,
                         const void *kernel)
{
    const struct cleave_variant variant = {
        .schedule = CLEAVE_FUSED, .race = race, .kernel = kernel};
    const struct cleave_call call = {.site = &no_group, .set = set, .args = args, .arg = arg};
    const struct cleave_choice choice = {
        .variant = &variant, .target = CLEAVE_TARGET_CUDA, .device = &ops};
    return cleave_usual_block(&call, &choice);
}

/* Small blocks suit kernels of which more threads fit then, and whole warps; light elements want
 * large blocks, those of reductions if there are many, others if they read through no map. */
static void test_block_sizes(void)
{
    enum { MANY = 500000 };
    static int rows[MANY];
    double sum = 0.0;
    op_init(0, NULL, 0);
    op_set many = op_decl_set(MANY, "many"), few = op_decl_set(MANY - 1, "few");
    op_dat dat[2][2] = {{op_decl_dat(few, 3, "double", (double *)NULL, "a"),
                         op_decl_dat(few, 18, "double", (double *)NULL, "b")},
                        {op_decl_dat(many, 3, "double", (double *)NULL, "c"),
                         op_decl_dat(many, 18, "double", (double *)NULL, "d")}};
    op_arg light[2] = {op_arg_dat(dat[1][0], -1, OP_ID, 3, "double", OP_READ),
                       op_arg_gbl(&sum, 1, "double", OP_INC)};
    op_arg long_record[2] = {op_arg_dat(dat[1][1], -1, OP_ID, 18, "double", OP_READ), light[1]};
    op_arg of_few[2] = {op_arg_dat(dat[0][0], -1, OP_ID, 3, "double", OP_READ), light[1]};
    op_arg through_map[2] = {
        op_arg_dat(dat[0][0], 0, op_decl_map(many, few, 1, rows, "rows"), 3, "double", OP_READ),
        light[0]};
    CHECK(block_size_of(many, light, 1, CLEAVE_RACE_NONE, &threads) == 256);
    CHECK(block_size_of(many, light, 1, CLEAVE_RACE_NONE, &heavy) == 64);
    CHECK(block_size_of(many, light, 1, CLEAVE_RACE_NONE, NULL) == 256);
    CHECK(block_size_of(many, light, 2, CLEAVE_RACE_NONE, &threads) == 256);
    CHECK(block_size_of(many, long_record, 2, CLEAVE_RACE_NONE, &threads) == 128);
    CHECK(block_size_of(few, of_few, 2, CLEAVE_RACE_NONE, &threads) == 128);
    CHECK(block_size_of(many, light, 1, CLEAVE_RACE_TRANSPOSE, &threads) == 256);
    CHECK(block_size_of(many, long_record, 1, CLEAVE_RACE_TRANSPOSE, &threads) == 64);
    CHECK(block_size_of(many, light, 1, CLEAVE_RACE_ATOMIC, &threads) == 128);
    CHECK(block_size_of(many, through_map, 2, CLEAVE_RACE_NONE, &threads) == 128);
    CHECK(block_size_of(many, through_map, 2, CLEAVE_RACE_NONE, &heavy) == 64);
    op_exit();
    setenv("CLEAVE_DETERMINISTIC", "1", 1);
    op_init(0, NULL, 0);
    many = op_decl_set(MANY, "many");
    light[0] = op_arg_dat(op_decl_dat(many, 3, "double", (double *)NULL, "c"), -1, OP_ID, 3,
                          "double", OP_READ);
    CHECK(block_size_of(many, light, 2, CLEAVE_RACE_NONE, &threads) == 128);
    op_exit();
    unsetenv("CLEAVE_DETERMINISTIC");
}

static const struct cleave_variant split_variants[] = {
    {.schedule = CLEAVE_SPLIT, .cuts = 1, .race = CLEAVE_RACE_ATOMIC, .rank = 1},
    {.schedule = CLEAVE_SPLIT, .cuts = 1, .race = CLEAVE_RACE_GATHER, .rank = 0},
    {.schedule = CLEAVE_SPLIT, .cuts = 1, .race = CLEAVE_RACE_TRANSPOSE, .rank = CLEAVE_WORST_RANK},
    {.schedule = CLEAVE_SPLIT, .cuts = 2, .race = CLEAVE_RACE_GATHER, .rank = 0}};
enum { ATOMIC_SPLIT, GATHERING, WARPS, GATHERING_IN_PARTS };

/* Ranks of the variants above for elements with so many points, of which the loop increments the
 * first `columns`; as a vector argument or one by one. */
static void check_ranks(int all_points, int all_elements, int columns, int as_vector, int gathering,
                        int warps)
{
    const struct cleave_loop loop = {.variants = 4, .variant = split_variants};
    op_arg arg[8];
    op_init(0, NULL, 0);
    op_set to = op_decl_set(all_points, "to"), from = op_decl_set(all_elements, "from");
    int *table = calloc((size_t)all_elements * 8, sizeof *table);
    op_map map = op_decl_map(from, to, 8, table, "map");
    op_dat dat = op_decl_dat(to, 2, "double", (double *)NULL, "dat");
    const int args = as_vector ? 1 : columns;
    for (int a = 0; a < args; a++) {
        arg[a] = op_arg_dat(dat, as_vector ? -columns : a, map, 2, "double", OP_INC);
    }
    const struct cleave_call call = {.site = &no_group, .set = from, .args = args, .arg = arg};
    const struct cleave_choice choice = {
        .loop = &loop, .target = CLEAVE_TARGET_CUDA, .device = &ops};
    CHECK(cleave_variant_rank(&call, &choice, &split_variants[ATOMIC_SPLIT]) == 1);
    CHECK(cleave_variant_rank(&call, &choice, &split_variants[GATHERING]) == gathering);
    CHECK(cleave_variant_rank(&call, &choice, &split_variants[WARPS]) == warps);
    CHECK(cleave_variant_rank(&call, &choice, &split_variants[GATHERING_IN_PARTS]) == 0);
    op_exit();
    free(table);
}

/* Seconds that a planted model expects of whole warps; gathers take 1. */
static double seconds_of_warps;

static double expect(const struct cleave_call *call, const struct cleave_choice *choice)
{
    CHECK(call->set->size > 0 && choice->block_size > 0 && choice->device == &ops);
    return choice->variant->race == CLEAVE_RACE_TRANSPOSE ? seconds_of_warps : 1.0;
}

/* The model decides for elements of many points in large sets, if it expects something of both. */
static void test_expectations(void)
{
    enum { MANY = 20000 };
    cleave_choose_by(expect);
    seconds_of_warps = 0.9;
    check_ranks(MANY, MANY, 4, 1, CLEAVE_WORST_RANK, 0);
    check_ranks(MANY, MANY, 8, 1, CLEAVE_WORST_RANK, 0);
    check_ranks(MANY, 100, 4, 1, 0, CLEAVE_WORST_RANK);
    check_ranks(100, MANY, 2, 1, 0, CLEAVE_WORST_RANK);
    seconds_of_warps = 1.1;
    check_ranks(MANY, MANY, 4, 1, 0, CLEAVE_WORST_RANK);
    seconds_of_warps = 0.0;
    check_ranks(MANY, MANY, 4, 1, 0, CLEAVE_WORST_RANK);
    cleave_choose_by(NULL);
}

/* Seconds that a planted model expects of points that gather; other variants take 1. */
static double seconds_of_points;

static double expect_of_points(const struct cleave_call *call, const struct cleave_choice *choice)
{
    CHECK(call->args == 2 && choice->block_size > 0);
    return choice->variant->schedule == CLEAVE_OWNER_GATHER ? seconds_of_points : 1.0;
}

/* The schedule of a loop that increments a dat of so many components at 10,000 points. */
static int schedule_for(int dim, unsigned expects, unsigned long long starts)
{
    enum { MANY = 10000 };
    const struct cleave_variant variant[] = {
        {.name = "warps", .schedule = CLEAVE_SPLIT, .cuts = 1, .race = CLEAVE_RACE_TRANSPOSE},
        {.name = "points",
         .schedule = CLEAVE_OWNER_GATHER,
         .plan = CLEAVE_PLAN_POINTS,
         .starts = starts}};
    const struct cleave_loop loop = {.variants = 2, .variant = variant};
    const unsigned char record[] = {(unsigned char)expects, (unsigned char)expects};
    const struct cleave_records records = {record, 0, 0};
    const struct cleave_unit own = {.loops = 1, .loop = &loop, .records = &records};
    struct cleave_unit_entry entry = {.unit = &own};
    op_init(0, NULL, 0);
    op_set to = op_decl_set(MANY, "to");
    int *table = calloc((size_t)MANY * 2, sizeof *table);
    op_map map = op_decl_map(to, to, 2, table, "map");
    op_dat dat = op_decl_dat(to, dim, "double", (double *)NULL, "dat");
    op_arg arg[] = {op_arg_dat(dat, 0, map, dim, "double", OP_INC),
                    op_arg_dat(dat, 1, map, dim, "double", OP_INC)};
    const struct cleave_call call = {.site = &no_group, .set = to, .args = 2, .arg = arg};
    const struct cleave_choice choice = {
        .unit = &entry, .loop = &loop, .target = CLEAVE_TARGET_CUDA, .device = &ops};
    const int schedule = cleave_wanted_schedule(&call, &choice, 0);
    op_exit();
    free(table);
    return schedule;
}

/* Points gather where the call is large, the compiler expects zeros that they need not read, and
 * the model expects them to be faster. */
static void test_zeros(void)
{
    enum { LARGE = 1000, SMALL = 10, BOTH = 3 };
    const int warps = schedule_for(SMALL, 0, 0);
    cleave_choose_by(expect_of_points);
    seconds_of_points = 0.9;
    CHECK(schedule_for(LARGE, CLEAVE_RECORD_EXPECTS, BOTH) != warps);
    CHECK(schedule_for(SMALL, CLEAVE_RECORD_EXPECTS, BOTH) == warps);
    CHECK(schedule_for(LARGE, 0, BOTH) == warps);
    CHECK(schedule_for(LARGE, CLEAVE_RECORD_EXPECTS, 0) == warps);
    seconds_of_points = 1.1;
    CHECK(schedule_for(LARGE, CLEAVE_RECORD_EXPECTS, BOTH) == warps);
    seconds_of_points = 0.0;
    CHECK(schedule_for(LARGE, CLEAVE_RECORD_EXPECTS, BOTH) == warps);
    cleave_choose_by(NULL);
    CHECK(schedule_for(LARGE, CLEAVE_RECORD_EXPECTS, BOTH) == warps);
}

/* Edges of tetrahedra gather, faces of hexahedra do not; elements of four points do as the compiler
 * says, and so does a schedule that has one race alone. */
static void test_uses(void)
{
    for (int as_vector = 0; as_vector < 2; as_vector++) {
        check_ranks(100, 500, 2, as_vector, 0, CLEAVE_WORST_RANK);
        check_ranks(100, 499, 2, as_vector, CLEAVE_WORST_RANK, 0);
        check_ranks(100, 1000, 1, as_vector, 0, CLEAVE_WORST_RANK);
        check_ranks(100, 999, 1, as_vector, CLEAVE_WORST_RANK, 0);
        check_ranks(100, 50, 4, as_vector, 0, CLEAVE_WORST_RANK);
        check_ranks(100, 500, 4, as_vector, 0, CLEAVE_WORST_RANK);
    }
}

int main(void)
{
    target_provide(&ops);
    cleave_register(&unit);
    test_owners();
    test_few_elements();
    test_crowded_points();
    test_spills();
    test_spilling_points();
    test_few_points_named();
    test_in_place();
    test_block_sizes();
    test_uses();
    test_expectations();
    test_zeros();
    return CHECK_RESULT();
}
