/* start.c: what happens on a device before the first loop. The code of the kernels that run first
 * is loaded first. Maps go there while the program declares its mesh, once the device and its
 * buffers are there; not where loops wait for plans. op_partition leaves them there, and they give
 * way to what loops need.
 */
#include "background.h"

static struct target_ops starting; /* a device that starts while the program declares its mesh */

static int is_ready = 1;

static int is_prepared(void)
{
    return is_ready;
}

static const void *prepared[8];
static int prepares;

static void prepare(const void *const *kernel, int kernels)
{
    CHECK(kernels < 8);
    memcpy(prepared, kernel, (size_t)kernels * sizeof *kernel);
    prepares = kernels;
}

/* The variant without a plan comes before the one that is preferred, each once. */
static void test_kernels(void)
{
    op_init(0, NULL, 0);
    op_exit();
    CHECK(prepares == 2 && prepared[0] == &heavy && prepared[1] == &threads);
}

/* The map of the ring is there before the dats, another one at once. */
static void test_declared(void)
{
    static int entry[RING];
    op_init(0, NULL, 0);
    uploads = 0;
    points = op_decl_set(RING, "points");
    op_set few = op_decl_set(100, "few");
    op_decl_map(points, points, 1, entry, "before");
    op_decl_map(few, points, 1, entry, "few");
    CHECK(uploads == 0); /* the device may not have started */
    op_decl_dat(few, 1, "int", entry, "begins");
    CHECK(uploads == 1);
    op_decl_map(points, points, 1, entry, "behind");
    CHECK(uploads == 2);
    finish();
}

/* No declaration waits for buffers. */
static void test_buffers(void)
{
    is_ready = 0;
    start_ring_of(1);
    CHECK(uploads == 0 && in_use == 0);
    is_ready = 1;
    op_decl_dat(points, 1, "int", NULL, "later");
    CHECK(uploads == 1);
    expect_flux("flux_fused_atomic");
    CHECK(uploads == 2 && flux_is_right(1.5));
    finish();
    is_ready = 0;
    start_ring_of(1);
    expect_flux("flux_fused_atomic");
    CHECK(uploads == 2);
    is_ready = 1;
    op_decl_dat(points, 1, "int", NULL, "later");
    CHECK(uploads == 2 && flux_is_right(1.5)); /* the loop has asked for the map */
    finish();
}

/* The first loop copies q alone. res is made of zeros. */
static void test_first_loop(void)
{
    start_ring_of(1);
    CHECK(uploads == 0 && in_use > 0);
    expect_flux("flux_fused_atomic");
    CHECK(uploads == 1 && flux_is_right(1.5));
    finish();
}

/* Maps stay where they are if no order goes. */
static void test_partition(void)
{
    setenv("CLEAVE_RENUMBER", "off", 1);
    start_ring_of(1);
    op_partition("", "", NULL, ends, NULL);
    expect_flux("flux_fused_atomic");
    CHECK(uploads == 1);
    op_partition("", "", NULL, ends, NULL);
    uploads = 0;
    expect_flux("flux_fused_atomic");
    CHECK(uploads == 2); /* dats have come back to the program */
    CHECK(flux_is_right(3.0));
    finish();
    unsetenv("CLEAVE_RENUMBER");
}

/* The copy moves with an order that comes later, and goes with it. */
static void test_order(void)
{
    setenv("CLEAVE_RENUMBER", "on", 1);
    start_ring_of(7919);
    expect_flux("flux_fused_atomic");
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && permutes > 0 && flux_is_right(3.0));
    op_partition("", "", NULL, ends, NULL);
    CHECK(cleave_order.primary == NULL);
    call_flux();
    CHECK(flux_is_right(4.5));
    let_worker_end();
    call_flux();
    CHECK(flux_is_right(6.0));
    finish();
    unsetenv("CLEAVE_RENUMBER");
}

static void test_waits_for_plans(void)
{
    setenv("CLEAVE_PLAN", "wait", 1);
    start_ring_of(1);
    CHECK(in_use == 0);
    call_flux();
    CHECK(flux_is_right(1.5));
    finish();
    unsetenv("CLEAVE_PLAN");
}

/* There is room for one map and two dats: a map that no loop asks for leaves. */
static void test_room(void)
{
    static int entry[2 * RING];
    const size_t map = sizeof entry;
    const size_t dat = RING * sizeof(double);
    const size_t before = budget;
    setenv("CLEAVE_RENUMBER", "off", 1);
    budget = 2 * map + dat + dat / 2;
    op_init(0, NULL, 0);
    op_decl_dat(op_decl_set(1, "one"), 1, "int", entry, "begins");
    op_exit();
    start_ring_of(1);
    op_decl_map(edges, points, 2, entry, "unused");
    CHECK(in_use == 2 * map);
    expect_flux("flux_fused_atomic");
    CHECK(uploads == 2); /* `unused` and q: what the loop has asked for stays */
    CHECK(flux_is_right(1.5) && in_use <= map + 2 * dat + dat / 2);
    finish();
    budget = before;
    unsetenv("CLEAVE_RENUMBER");
}

/* Without memory for it a map waits until a loop asks. */
static void test_no_memory(void)
{
    const size_t before = budget;
    budget = 1000;
    start_ring_of(1);
    CHECK(in_use == 0);
    budget = before;
    call_flux();
    CHECK(flux_is_right(1.5));
    finish();
}

int main(void)
{
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    starting = ops;
    starting.prepare = prepare;
    starting.is_prepared = is_prepared;
    target_provide(&starting);
    variants[0].kernel = &threads;
    variants[1].kernel = &heavy;
    cleave_register(&unit);
    test_kernels();
    test_declared();
    test_buffers();
    test_first_loop();
    test_partition();
    test_order();
    test_waits_for_plans();
    test_room();
    test_no_memory();
    return CHECK_RESULT();
}
