/* background.c: the order of the mesh and plans that are made while loops run: when loops take them
 * over, and where data moves then. */
#include "background.h"
#include "runtime/base/worker.h"
#include "runtime/planner/base/base.h"

/* ---- orders and plans -------------------------------------------------------------------------
 */

static void test_one_after_the_other(void)
{
    start();
    expect_flux("flux_fused_atomic");
    CHECK(cleave_order.primary == NULL && cleave_order_is_awaited());
    CHECK(cleave_set_of(points)->to_user == NULL && cleave_plans == NULL);
    let_worker_end();
    const int up = uploads;
    expect_flux("flux_fused_atomic"); /* in the order; its plan is being made */
    CHECK(cleave_order.primary == edges && cleave_order.in_background);
    CHECK(cleave_set_of(points)->to_user != NULL && !cleave_order_is_awaited());
    CHECK(permutes == 3 && downloads == 0); /* q, res, ends */
    CHECK(uploads == up + 3); /* the numbers of the two sets, to and from the user's */
    CHECK(cleave_order.moved_bytes == 2.0 * RING * sizeof(double));
    CHECK(cleave_background.calls == 1);
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_background.plans == 1 && cleave_plans != NULL);
    CHECK(flux_is_right(4.5));
    finish();
}

static void test_through_host(void)
{
    unit.permute = NULL;
    start();
    call_flux();
    let_worker_end();
    call_flux();
    CHECK(permutes == 0 && downloads == 1); /* res; q is on the host */
    CHECK(cleave_order.moved_bytes == 0.0);
    CHECK(flux_is_right(3.0));
    finish();
    unit.permute = permute;
}

static void relayout(const struct cleave_relayout *r)
{
    for (int p = 0; p < r->count; p++) {
        for (int c = 0; c < r->dim; c++) {
            const size_t record = ((size_t)p * (size_t)r->dim + (size_t)c) * r->component;
            const size_t apart = ((size_t)c * (size_t)r->stride + (size_t)p) * r->component;
            memcpy((char *)r->to + (r->to_soa ? apart : record),
                   (const char *)r->from + (r->to_soa ? record : apart), r->component);
        }
    }
}

/* Structures of arrays, single bytes and pairs of floats move on the device, too. */
static void test_layouts(void)
{
    static double wide[3 * RING];
    static unsigned char flag[RING];
    static float pair[2 * RING];
    unit.relayout = relayout;
    start();
    for (int i = 0; i < 3 * RING; i++) {
        wide[i] = i;
        flag[i % RING] = (unsigned char)(i % 251);
        pair[i % (2 * RING)] = (float)(i % (2 * RING));
    }
    op_dat dat[] = {op_decl_dat(points, 3, "double", wide, "wide"),
                    op_decl_dat_char(edges, 1, "bool", 1, (char *)flag, "flag"),
                    op_decl_dat(points, 2, "float", pair, "pair")};
    call_flux();
    for (int d = 0; d < 3; d++) {
        cleave_dat_on_device(dat[d], d == 0);
        cleave_dat_written(dat[d], COPY_DEVICE); /* as a loop does: it is nowhere else */
    }
    downloads = 0;
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && downloads == 0 && permutes == 3 + 3 + 2);
    CHECK(cleave_dat_of(dat[0])->soa == 1);
    for (int d = 0; d < 3; d++) {
        op_get_data(dat[d]);
    }
    CHECK(memcmp(dat[0]->data, wide, sizeof wide) == 0);
    CHECK(memcmp(dat[1]->data, flag, sizeof flag) == 0);
    CHECK(memcmp(dat[2]->data, pair, sizeof pair) == 0);
    finish();
    unit.relayout = NULL;
}

/* A move waits until the run has lasted for ten times as long as it will take. */
static void test_repays(void)
{
    start();
    call_flux();
    cleave_jobs_wait();
    const double begin = cleave_seconds();
    call_flux();
    while (cleave_order.primary == NULL && cleave_seconds() < begin + 10.0) {
        call_flux();
    }
    CHECK(cleave_order.primary == edges);
    CHECK(cleave_background.waited > 4.0 * RING * sizeof(int) / 10e9 / 0.1);
    CHECK(cleave_background_order() == BACKGROUND_ADOPTED);
    CHECK(cleave_background.calls == flux_runs - 1);
    finish();
}

static int waits;

static int count_wait(void)
{
    waits++;
    return ops.wait();
}

/* While an order is awaited, the host does not launch many loops ahead of the device. */
static void test_pace(void)
{
    start();
    block_worker();
    waits = 0;
    for (int i = 0; i < 100; i++) {
        call_flux();
    }
    CHECK(cleave_order_is_awaited() && waits >= 10 && waits <= 40);
    atomic_store(&may_go_on, 1);
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && flux_is_right(1.5 * 101));
    finish();
}

/* Without memory for second copies data goes through the host. */
static void test_little_memory(void)
{
    start();
    call_flux();
    let_worker_end();
    const size_t before = budget;
    budget = in_use;
    call_flux();
    budget = before;
    CHECK(cleave_order.primary == edges && permutes == 0 && downloads == 1);
    CHECK(flux_is_right(3.0));
    finish();
}

/* A dat that is current on the host takes the new order with its next upload. */
static void test_on_host(void)
{
    start();
    call_flux();
    ((double *)(void *)q->data)[5] += 1.0;
    op_put_data(q);
    op_get_data(res);
    op_put_data(res);
    downloads = 0;
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && permutes == 1 && downloads == 0); /* ends */
    finish();
}

static void test_waits(void)
{
    static const char *const wait[][2] = {{"CLEAVE_PLAN", "wait"},
                                          {"CLEAVE_DETERMINISTIC", "1"},
                                          {"CLEAVE_VERIFY", "1"},
                                          {"CLEAVE_VARIANT", "*_colour"},
                                          {"CLEAVE_RACES", "colour"}};
    for (size_t i = 0; i < sizeof wait / sizeof *wait; i++) {
        setenv(wait[i][0], wait[i][1], 1);
        start();
        expect_flux("flux_fused_colour");
        CHECK(cleave_order.primary == edges && !cleave_order.in_background);
        CHECK(cleave_background.plans == 0 && permutes == 0);
        finish();
        unsetenv(wait[i][0]);
    }
}

/* A loop that needs a plan has it made at once, in the program's order. */
static void test_needs_plan(void)
{
    loops[0].variants = 1;
    start();
    expect_flux("flux_fused_colour");
    CHECK(cleave_order_is_awaited() && cleave_plans != NULL);
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_order.primary == edges && cleave_plans != NULL && cleave_plans->next == NULL);
    CHECK(flux_is_right(3.0));
    finish();
    loops[0].variants = 2;
}

/* A variant that is asked for later makes its loop wait for order and plan. */
static void test_forced_later(void)
{
    start();
    expect_flux("flux_fused_atomic");
    cleave_force_variant("*_colour");
    expect_flux("flux_fused_colour");
    CHECK(cleave_order.primary == edges && !cleave_order_is_awaited());
    cleave_force_variant(NULL);
    CHECK(flux_is_right(3.0));
    finish();
}

static void test_plan_without_order(void)
{
    setenv("CLEAVE_RENUMBER", "off", 1);
    start();
    expect_flux("flux_fused_atomic");
    CHECK(!cleave_order_is_awaited() && cleave_plans == NULL);
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(flux_is_right(3.0));
    finish();
    unsetenv("CLEAVE_RENUMBER");
}

/* ---- orders that are kept ----------------------------------------------------------------------
 */

static char folder[] = "/tmp/cleave-orders-XXXXXX";

/* Runs until the order is adopted; hash: of the order of the points. */
static void run_with_store(int from_cache, uint64_t *hash)
{
    start();
    call_flux();
    cleave_jobs_wait();
    call_flux(); /* an order of the store need not wait until the move repays */
    CHECK(cleave_order.primary == edges || !from_cache);
    usleep(2000);
    call_flux();
    CHECK(cleave_order.primary == edges && cleave_order.in_background);
    CHECK(cleave_order.from_cache == from_cache && cleave_order.sets == 2);
    CHECK(cleave_order_blocks(edges, cleave_order.block_size)->order == NULL);
    CHECK(flux_is_right(4.5));
    *hash = planner_numbering_hash(cleave_order.numbering);
    planner_hash_bytes(hash, cleave_set_of(points)->to_user, RING * sizeof(int));
    planner_hash_bytes(hash, cleave_set_of(edges)->to_user, RING * sizeof(int));
    finish();
}

/* Changes a byte of each kept order. */
static void damage(long at)
{
    char command[256];
    snprintf(
        command, sizeof command,
        "for f in %s/orders-1/*; do printf X | dd of=$f bs=1 seek=%ld conv=notrunc 2>/dev/null; "
        "done",
        folder, at);
    CHECK(system(command) == 0);
}

static void test_kept(void)
{
    char command[64];
    uint64_t made;
    uint64_t kept;
    CHECK(mkdtemp(folder) != NULL);
    setenv("CLEAVE_PLAN_CACHE", folder, 1);
    run_with_store(0, &made);
    run_with_store(1, &kept);
    CHECK(kept == made);
    damage(20000); /* in an order */
    run_with_store(0, &kept);
    CHECK(kept == made);
    damage(90); /* in the header of the content */
    run_with_store(0, &kept);
    run_with_store(1, &kept);
    CHECK(kept == made);
    setenv("CLEAVE_BLOCK_SIZE", "64", 1); /* other blocks: another order */
    run_with_store(0, &kept);
    unsetenv("CLEAVE_BLOCK_SIZE");
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

/* ---- meshes that need no order ------------------------------------------------------------------
 */

static int point_values = 40; /* of 8 bytes */

/* Edge i of so many goes from point i * stride to the next: 1 in two columns. */
static int is_ordered(int edge_count, int stride, int point_count)
{
    int *map = malloc(2 * (size_t)edge_count * sizeof *map);
    for (int e = 0; e < edge_count; e++) {
        map[2 * e] = (int)((long)e * stride % point_count);
        map[2 * e + 1] = (map[2 * e] + 1) % point_count;
    }
    unsetenv("CLEAVE_RENUMBER");
    op_init(0, NULL, 0);
    op_set to = op_decl_set(point_count, "to");
    op_set from = op_decl_set(edge_count, "from");
    op_map named = op_decl_map(from, to, 2, map, "named");
    op_decl_dat(to, point_values, "double", (double *)NULL, "values");
    op_partition("", "", NULL, named, NULL);
    const int ordered = cleave_order_is_awaited() || cleave_order.primary != NULL;
    finish();
    free(map);
    return ordered;
}

static void test_suits(void)
{
    CHECK(!is_ordered(RING, 1, RING));
    CHECK(!is_ordered(RING, RING - 1, RING)); /* backwards */
    CHECK(!is_ordered(RING, 2, RING));
    CHECK(is_ordered(RING, 19, RING)); /* each point in a line of its own */
    CHECK(is_ordered(RING, 7919, RING));
    CHECK(!is_ordered(9000, 1, 1900)); /* points of 9 elements */
    CHECK(!is_ordered(9000, 1, 1700)); /* of 11 */
    point_values = 41;
    CHECK(!is_ordered(9000, 1, 1900));
    CHECK(is_ordered(9000, 1, 1700)); /* with so many data, loops that gather want good blocks */
    point_values = 40;
    CHECK(!is_ordered(8000, 19, 8000)); /* small */
    setenv("CLEAVE_DETERMINISTIC", "1", 1);
    CHECK(is_ordered(RING, 1, RING));
    unsetenv("CLEAVE_DETERMINISTIC");
    setenv("CLEAVE_PARTITION", "rcm", 1);
    CHECK(is_ordered(RING, 1, RING));
    unsetenv("CLEAVE_PARTITION");
    setenv("CLEAVE_PLAN", "wait", 1);
    CHECK(!is_ordered(RING, 1, RING) && is_ordered(RING, 7919, RING));
    unsetenv("CLEAVE_PLAN");
}

int main(void)
{
    static struct target_ops device;
    device = ops;
    device.wait = count_wait;
    target_provide(&device);
    cleave_register(&unit);
    test_one_after_the_other();
    test_through_host();
    test_layouts();
    test_repays();
    test_pace();
    test_little_memory();
    test_on_host();
    test_waits();
    test_needs_plan();
    test_forced_later();
    test_plan_without_order();
    test_kept();
    test_suits();
    return check_failures != 0;
}
