/* reports.c: the tables and files that the runtime writes: times, useful bytes, diagnostics,
 * profiles and dats. */
#include "ring.h"

#include "check.h"
#include "written.h"

#include <unistd.h>

/* The segments of all blocks, in the order of the colours. */
static void flux_range_run(const struct cleave_launch *l)
{
    const struct cleave_plan *plan = l->plan;
    const double *in = l->data[0];
    double *out = l->data[2];
    CHECK(l->blocks == plan->blocks);
    for (int k = 0; k < plan->blocks; k++) {
        const int block = plan->colour_block[k];
        for (int s = plan->segment_start[block]; s < plan->segment_start[block + 1]; s++) {
            for (int e = plan->segment_first[s]; e < plan->segment_last[s]; e++) {
                const int *row = l->map[0] + (ptrdiff_t)e * l->map_dim[0];
                const double flow = gam_copy * (in[row[0]] - in[row[1]]);
                out[row[0]] += flow;
                out[row[1]] -= flow;
            }
        }
    }
}

static const struct cleave_variant variants[] = {
    {"flux_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     flux_fused_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_fused_atomic", CLEAVE_FUSED, 0, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 0, NULL,
     flux_atomic_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, CLEAVE_WORST_RANK, 0},
    {"flux_fused_range", CLEAVE_FUSED, 0, CLEAVE_RACE_RANGE, CLEAVE_PLAN_RANGES, 0, NULL,
     flux_range_run, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, CLEAVE_WORST_RANK, 0}};
static const struct cleave_loop loops[] = {{FLUX_LOOP(3, variants)}};
static const struct cleave_unit ring_unit = {RING_UNIT(CLEAVE_TARGET_OPENMP, 1, loops)};

static char text[8192];

/* Returns what `write` prints to stdout. */
static const char *printed(void (*write)(void))
{
    FILE *file = tmpfile();
    int keep = dup(STDOUT_FILENO);
    size_t length;
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    write();
    fflush(stdout);
    dup2(keep, STDOUT_FILENO);
    close(keep);
    rewind(file);
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static const char *content(const char *name)
{
    return take_file(name, text, sizeof text);
}

static void far_end(const double *a)
{
    (void)a;
}

static void test_times(void)
{
    const char *name = "cleave_test_times.csv";
    char line[128];
    call_flux();
    call_flux();
    op_par_loop(far_end, "corner", edges, op_arg_dat(q, 1, ends, 1, "double", OP_READ));
    op_par_loop(far_end, "corners, \"all\"", edges, op_arg_dat(q, 1, ends, 1, "double", OP_READ));
    op_timings_to_csv(name);
    content(name);
    CHECK(strncmp(text,
                  "loop,kernel,variant,target,count,seconds,bytes,gb_per_second,plan_seconds,"
                  "median_seconds,block_size,registers,local_bytes,static_shared_bytes,"
                  "dynamic_shared_bytes,resident_threads\n",
                  175) == 0);
    CHECK(strstr(text, "\nflux,flux,flux_fused_colour,openmp,2,") != NULL);
    /* Two calls: q read, res read and written, both columns of the map. */
    snprintf(line, sizeof line, ",%d,", 2 * (RING * 8 + 2 * RING * 8 + 2 * RING * 4));
    CHECK(strstr(text, line) != NULL);
    CHECK(strstr(text, ",0,0,0,0,0,0\ncorner,far_end,sequential,seq,1,") != NULL);
    CHECK(strstr(text, "\n\"corners, \"\"all\"\"\",far_end,sequential,seq,1,") != NULL);
    printed(op_timing_output);
    CHECK(strstr(text, "flux_fused_colour (openmp)") != NULL);
    CHECK(strstr(text, "sequential (seq)") != NULL);
    CHECK(strstr(text, "\ntotal ") != NULL);
    CHECK(strstr(text, "times: wall time of each loop\n") != NULL);
}

/* Each variant that a loop ran has a row; call sites that ran the same one share it. */
static void test_variants(void)
{
    cleave_force_variant("*_atomic");
    call_flux();
    cleave_force_variant(NULL);
    op_par_loop(far_end, "corner", edges, op_arg_dat(q, 1, ends, 1, "double", OP_READ));
    op_timings_to_csv("cleave_test_times.csv");
    content("cleave_test_times.csv");
    CHECK(strstr(text, "\nflux,flux,flux_fused_colour,openmp,2,") != NULL);
    CHECK(strstr(text, "\nflux,flux,flux_fused_atomic,openmp,1,") != NULL);
    CHECK(strstr(text, "\ncorner,far_end,sequential,seq,2,") != NULL);
}

static void test_diagnostics(void)
{
    printed(op_diagnostic_output);
    CHECK(strstr(text, "ends             from edges to points, dimension 2") != NULL);
    CHECK(strstr(text, "res              on points, 1 double") != NULL);
    CHECK(strstr(text, "plan for loop 'flux' over set 'edges', block size 256, through 'ends'") !=
          NULL);
    CHECK(strstr(text, "blocks 4 (runs of consecutive elements), block colours ") != NULL);
    CHECK(strstr(text, "backend            openmp") != NULL);
}

static void test_files(void)
{
    int value[4] = {1, -2, 3, 4};
    double real[2] = {0.5, -1e-300};
    op_set two = op_decl_set(2, "two");
    op_dat whole = op_decl_dat(two, 2, "int", value, "whole");
    op_dat broken = op_decl_dat(two, 1, "double", real, "broken");
    op_print_dat_to_txtfile(whole, "cleave_test.txt");
    CHECK_TEXT(content("cleave_test.txt"), "2 2\n+1 -2 \n+3 +4 \n");
    op_print_dat_to_txtfile(broken, "cleave_test.txt");
    CHECK_TEXT(content("cleave_test.txt"),
               "2 1\n+5.000000000000000e-01 \n-1.000000000000000e-300 \n");
    op_print_dat_to_binfile(whole, "cleave_test.bin");
    content("cleave_test.bin");
    CHECK(((int *)(void *)text)[0] == 2 && ((int *)(void *)text)[1] == 2);
    CHECK(memcmp(text + 8, value, sizeof value) == 0);
}

static void test_profile(void)
{
    op_profile_exit(); /* nothing is open: harmless */
    op_profile_next("first");
    op_profile_exit();
    op_profile_exit();
    op_profile_end();
    op_profile_output();
    op_profile_start("again");
    op_profile_enter("outer");
    op_profile_enter("inner");
    op_profile_next("inner \"2\"");
    op_profile_exit();
    op_profile_enter_kernel("flux", "openmp", "fused");
    op_profile_exit();
    op_profile_exit();
    op_profile_enter("outer");
    op_profile_output(); /* with something open */
    op_profile_end();
    op_profile_finish();
    printed(op_profile_output);
    CHECK(strstr(text, "\n  outer                                                   2 ") != NULL);
    CHECK(strstr(text, "\n    inner \"2\"  ") != NULL);
    CHECK(strstr(text, "\n    flux [openmp, fused]  ") != NULL);
    op_profile_output_json("cleave_test.json");
    content("cleave_test.json");
    CHECK(strstr(text, "{\"name\": \"inner \\\"2\\\"\", \"count\": 1, \"seconds\": ") != NULL);
}

/* The ring in an order of its own. */
static void order_ring(void)
{
    declare_ring();
    op_decl_const(1, "double", &gam);
    call_flux();
}

static void test_order(void)
{
    setenv("OP_DIAGS", "2", 1);
    setenv("CLEAVE_PARTITION", "default", 1);
    setenv("CLEAVE_RENUMBER", "on", 1);
    setenv("CLEAVE_PLAN_JSON", "cleave_test.json", 1);
    setenv("CLEAVE_BLOCK_SIZE", "100", 1);
    op_init(0, NULL, 0);
    printed(order_ring);
    CHECK(strncmp(text, "mesh order: set 'edges' in ", 27) == 0);
    CHECK(strstr(text, " of at most 100 elements (") != NULL);
    CHECK(strstr(text, "), 2 sets renumbered, coordinates not needed, made in ") != NULL);
    CHECK(strstr(text, "\nplan for loop 'flux' over set 'edges', block size 100, ") != NULL);
    CHECK(strstr(text, " (those of the mesh's order), block colours ") != NULL);
    CHECK(flux_is_right(1.5));
    printed(op_diagnostic_output);
    CHECK(strstr(text, "points                   1000 elements, renumbered\n") != NULL);
    CHECK(strstr(text, "\nmesh order: set 'edges' in ") != NULL);
    op_exit();
    content("cleave_test.json");
    CHECK(strstr(text, "{\n\"order\": {\"primary\": \"edges\", \"method\": \"") == text);
    CHECK(strstr(text, "\"sets\": 2, \"blocks\": ") != NULL);
    CHECK(strstr(text, "{\"loop\": \"flux\", \"set\": \"edges\", \"elements\": 1000, "
                       "\"block_size\": 100, \"maps\": [{\"name\": \"ends\", \"columns\": 2}], "
                       "\"source\": \"those of the mesh's order\", \"blocks\": ") != NULL);
    CHECK(strcmp(text + strlen(text) - 6, "}\n]\n}\n") == 0);
}

/* A plan for ranges of the ring in the program's order: element 999 shares a point with element 0.
 */
static void test_ranges(void)
{
    char *arguments[] = {"reports", "-OP_DIAGS=2"};
    setenv("OP_DIAGS", "0", 1); /* the argument has the last word */
    setenv("CLEAVE_RENUMBER", "off", 1);
    setenv("CLEAVE_RACES", "range", 1);
    setenv("CLEAVE_BLOCK_SIZE", "100", 1);
    setenv("CLEAVE_CHECK_PLAN", "1", 1);
    setenv("CLEAVE_PLAN_JSON", "cleave_test.json", 1);
    op_init(2, arguments, 0);
    unsetenv("OP_DIAGS");
    printed(order_ring);
    CHECK(strstr(text,
                 "plan for loop 'flux' over set 'edges', ranges of elements, through 'ends'\n"
                 "  ranges 8, border elements 0.8% in 7 blocks and 1 colours; run of consecutive "
                 "elements 62.5 on average\n  plan ") != NULL);
    CHECK(flux_is_right(1.5));
    op_exit();
    content("cleave_test.json");
    CHECK(strstr(text, "\"blocks\": 15, \"block_colours\": 2, \"ranges\": 8, \"border\": 0.008, "
                       "\"segment\": 62.5, \"distinct\": 0, \"plan_bytes\": ") != NULL);
    unsetenv("CLEAVE_RACES");
    unsetenv("CLEAVE_BLOCK_SIZE");
    unsetenv("CLEAVE_CHECK_PLAN");
    unsetenv("CLEAVE_PLAN_JSON");
}

/* CLEAVE_VERIFY=1: the reference that the variant is compared with is no call of its own, also
 * where the loop has run on an empty set before. */
static void test_verified(void)
{
    setenv("CLEAVE_VERIFY", "1", 1);
    start_ring();
    const op_set all_edges = edges;
    const op_map all_ends = ends;
    edges = op_decl_set(0, "no edges");
    ends = op_decl_map(edges, points, 2, (int *)NULL, "no ends");
    call_flux();
    edges = all_edges;
    ends = all_ends;
    call_flux();
    printed(op_timing_output);
    CHECK(strstr(text, "sequential") == NULL);
    CHECK(strstr(text, "\nflux          2 ") != NULL);
    op_exit();
    unsetenv("CLEAVE_VERIFY");
}

int main(void)
{
    cleave_register(&ring_unit);
    setenv("CLEAVE_PARTITION", "chunks", 1);
    start_ring();
    test_times();
    test_variants();
    test_diagnostics();
    test_files();
    test_profile();
    op_exit();
    test_order();
    test_ranges();
    test_verified();
    CHECK(access("cleave_test.json", F_OK) != 0); /* nothing stays behind */
    return CHECK_RESULT();
}
