/* prepared.c: what the runtime keeps of a call site is used again only where it is still right:
 * other dats, freed ones whose memory is another's, maps that were declared later, plans and orders
 * that were dropped, other variants, constants, globals that lie elsewhere. */
#include "ring.h"

#include "check.h"
#include "child.h"

#define NORM_AT_CALL                                                                               \
    norm, "norm", points, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),                          \
        op_arg_gbl(sum, 1, "double", OP_INC), op_arg_gbl(least, 1, "double", OP_MIN),              \
        op_arg_gbl(&most, 1, "double", OP_MAX)

static const struct cleave_loop loops[] = {{FLUX_LOOP(5, flux_variants)},
                                           {NORM_LOOP(TEXT(NORM_AT_CALL), norm_variants)}};
static const struct cleave_unit ring_unit = {RING_UNIT(CLEAVE_TARGET_OPENMP, 2, loops)};

/* Takes turns between dats: each call adds to its own. */
static void test_other_dats(void)
{
    start_ring();
    op_dat keep = res;
    op_dat second = op_decl_dat(points, 1, "double", (double *)NULL, "second");
    for (int i = 0; i < 4; i++) {
        res = i % 2 ? second : keep;
        call_flux();
    }
    CHECK(flux_runs == 4);
    res = keep;
    CHECK(flux_is_right(3.0));
    res = second;
    CHECK(flux_is_right(3.0));
    op_exit();
}

/* More dats than a site keeps, each at memory that earlier ones had. */
static void test_temporary_dats(void)
{
    start_ring();
    op_dat keep = res;
    for (int i = 0; i < 3000; i++) {
        res = op_decl_dat_temp(points, 1, "double", (double *)NULL, "temporary");
        call_flux();
        if (i % 100 == 0) {
            CHECK(flux_is_right(1.5));
        }
        op_free_dat_temp(res);
    }
    CHECK(flux_runs == 3000);
    res = keep;
    call_flux();
    CHECK(flux_is_right(1.5));
    op_exit();
}

/* A dat in the place of one that was freed is checked again where its shape differs. */
static void other_shape(void)
{
    start_ring();
    res = op_decl_dat_temp(points, 1, "double", (double *)NULL, "narrow");
    call_flux();
    op_free_dat_temp(res);
    res = op_decl_dat_temp(points, 2, "double", (double *)NULL, "wide");
    call_flux();
}

static void freed_dat(void)
{
    start_ring();
    res = op_decl_dat_temp(points, 1, "double", (double *)NULL, "gone");
    call_flux();
    op_free_dat_temp(res);
    call_flux();
}

/* The least and the most of q; its sum of squares is added to *sum. */
static double norm_at(double *sum, double *least)
{
    double most = 0.0;
    LOOP(NORM_AT_CALL);
    return most;
}

/* The address of a global is no part of what is kept; whether two share memory is asked anew. */
static void test_globals(void)
{
    double sum[2] = {0.0, 0.0};
    double least = 100.0;
    start_ring();
    CHECK(norm_at(&sum[0], &least) == 5.0 && least == 1.0);
    CHECK(norm_at(&sum[1], &least) == 5.0 && sum[0] == sum[1] && sum[0] > 0.0);
    op_exit();
}

static void null_global(void)
{
    double sum = 0.0;
    double least = 100.0;
    start_ring();
    norm_at(&sum, &least);
    norm_at(NULL, &least);
}

static void common_global(void)
{
    double sum = 0.0;
    double least = 100.0;
    start_ring();
    norm_at(&sum, &least);
    norm_at(&sum, &sum);
    norm_at(&sum, &least);
    exit(norm_runs == 2 ? 0 : 3);
}

/* A sum that grows in the array which the loop reads: only one element after the other sees it. */
static void global_in_dat(void)
{
    double least = 100.0;
    start_ring();
    double *data = (double *)(void *)q->data;
    double *elsewhere = (double *)(void *)res->data;
    double expected = data[3];
    for (int p = 0; p < RING; p++) {
        expected += p == 3 ? expected * expected : data[p] * data[p];
    }
    norm_at(&elsewhere[3], &least);
    norm_at(&data[3], &least);
    norm_at(&elsewhere[3], &least);
    exit(norm_runs == 2 && data[3] == expected ? 0 : 3);
}

static void test_settings(void)
{
    start_ring();
    call_flux();
    CHECK_TEXT(flux_variant, "flux_fused_colour");
    cleave_force_variant("*_twopass");
    call_flux();
    CHECK_TEXT(flux_variant, "flux_twopass");
    cleave_force_variant(NULL);
    call_flux();
    CHECK_TEXT(flux_variant, "flux_fused_colour");
    CHECK(flux_is_right(4.5));
    gam = 3.0;
    op_decl_const(1, "double", &gam);
    call_flux();
    CHECK(gam_copy == 3.0);
    gam = 1.5;
    op_exit();
    start_ring(); /* another life: nothing is left of the first */
    call_flux();
    CHECK(gam_copy == 1.5 && flux_runs == 1 && flux_is_right(1.5));
    op_exit();
}

/* Maps and orders change between calls of one site. */
static void test_orders(void)
{
    static int swapped[2 * RING];
    setenv("CLEAVE_RENUMBER", "on", 1);
    start_ring();
    unsetenv("CLEAVE_RENUMBER");
    call_flux();
    op_partition("hilbert", "", edges, ends, NULL);
    call_flux();
    CHECK(flux_runs == 2 && flux_is_right(3.0));
    op_map keep = ends;
    for (int e = 0; e < RING; e++) {
        swapped[2 * e] = (e + 1) % RING;
        swapped[2 * e + 1] = e;
    }
    ends = op_decl_map(edges, points, 2, swapped, "swapped");
    call_flux(); /* both signs change: the same again */
    ends = keep;
    call_flux();
    CHECK(flux_runs == 4 && flux_is_right(6.0));
    op_exit();
}

int main(void)
{
    cleave_register(&ring_unit);
    test_other_dats();
    test_temporary_dats();
    test_globals();
    test_settings();
    test_orders();
    expect_child(freed_dat, 1, "argument 3: dat 'gone' was freed by op_free_dat_temp");
    expect_child(other_shape, 1, "dat 'wide'");
    expect_child(null_global, 1, "argument 2: the global is a null pointer");
    expect_child(common_global, 0, "are the same global, OP_INC and OP_MIN; pass a copy");
    expect_child(global_in_dat, 0,
                 "(op_arg_gbl of a part of dat->data), OP_READ and OP_INC; pass a copy");
    return CHECK_RESULT();
}
