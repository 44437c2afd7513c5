/* levels.c: blocks by reverse Cuthill-McKee and by Scotch's order of Gibbs, Poole and Stockmeyer,
 * and how Scotch is found, called and done without. FAKE_NARROW, FAKE_WIDE, NOT_SCOTCH: paths of
 * the libraries built beside this program. */
#include <dlfcn.h>
#include <omp.h>

#include "library_cases.h"

typedef int method(struct blocks *blocks, const struct plan_mesh *mesh,
                   const struct planner *planner, char *error);

static int rcm(struct blocks *blocks, const struct plan_mesh *mesh, const struct planner *planner,
               char *error)
{
    (void)planner;
    return planner_blocks_rcm(blocks, mesh, error);
}

static struct blocks number(method *method, const struct plan_mesh *mesh, int block_size)
{
    char error[PLANNER_ERROR] = "";
    struct blocks blocks = graph_blocks(mesh, block_size);
    CHECK(method(&blocks, mesh, &test_planner, error) == 0);
    CHECK_TEXT(error, "");
    graph_check(&blocks, mesh);
    return blocks;
}

/* A shuffled chain has one best order, which both methods find: 11 points for 10 elements. */
static void finds_chain(method *method)
{
    struct plan_mesh mesh;
    graph_case(&mesh, TEST_MESH_CHAIN, 1000, 0);
    struct blocks blocks = number(method, &mesh, 10);
    CHECK(blocks.count == 100);
    CHECK(graph_reuse(&blocks, &mesh, NULL) == 20 / 11.0);
    free(blocks.of);
    planner_mesh_free(&mesh);
}

/* Levels of a mesh: most points are in two blocks (quadrilaterals: 4 accesses, reuse 2). */
static void makes_strips(method *method)
{
    struct plan_mesh mesh;
    graph_case(&mesh, TEST_MESH_QUAD, 20000, 0);
    struct blocks blocks = number(method, &mesh, 256);
    double reuse = graph_reuse(&blocks, &mesh, NULL);
    CHECK(reuse > 1.9 && reuse < 2.6);
    free(blocks.of);
    planner_mesh_free(&mesh);
    graph_case(&mesh, TEST_MESH_HEX, 8000, 0);
    blocks = number(method, &mesh, 256);
    CHECK(graph_reuse(&blocks, &mesh, NULL) > 2.5);
    free(blocks.of);
    planner_mesh_free(&mesh);
}

/* Components, isolated points, repeats, a hub. */
static void takes_odd_meshes(method *method)
{
    static const int row[] = {0, 0, 9, 9, 9, 2, 2, 9, 4, 4, 5, 5, 5, 6, 6, 4};
    struct plan_mesh mesh;
    graph_case_rows(&mesh, 8, 2, 12, row);
    struct blocks blocks = number(method, &mesh, 4);
    /* The two components fall in two blocks. */
    CHECK(blocks.count == 2 && blocks.of[1] == blocks.of[3] && blocks.of[4] == blocks.of[7]);
    CHECK(blocks.of[5] != blocks.of[2]);
    free(blocks.of);
    planner_mesh_free(&mesh);
    graph_case(&mesh, TEST_MESH_STAR, 50000, 0);
    blocks = number(method, &mesh, 100);
    CHECK(blocks.count == 500);
    free(blocks.of);
    planner_mesh_free(&mesh);
}

static void all_of(method *method)
{
    finds_chain(method);
    makes_strips(method);
    takes_odd_meshes(method);
}

/* Kept orders and plans of earlier versions stay right: elements have the places that a search on
 * one thread, point by point, gave them. */
static void keeps_order(void)
{
    static const struct {
        enum test_mesh_kind kind;
        int elements;
        uint64_t hash;
    } known[] = {{TEST_MESH_QUAD, 20000, UINT64_C(0xd965ddb7eaf81861)},
                 {TEST_MESH_TET, 20000, UINT64_C(0x1a90bedfb0dc9c1c)},
                 {TEST_MESH_HEX, 4000, UINT64_C(0x39fac7ccf0f3b865)},
                 {TEST_MESH_STAR, 5000, UINT64_C(0xf642ef63b85a3cad)},
                 {TEST_MESH_ANNULUS, 9000, UINT64_C(0xde852483e9c1ea15)}};
    const int threads = omp_get_max_threads();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct plan_mesh mesh;
        graph_case(&mesh, known[i].kind, known[i].elements, 0);
        for (int t = 1; t <= 3; t += 2) {
            omp_set_num_threads(t);
            struct blocks blocks = number(rcm, &mesh, 1);
            uint64_t hash = PLANNER_HASH;
            planner_hash_bytes(&hash, blocks.of, (size_t)mesh.elements * sizeof *blocks.of);
            CHECK(hash == known[i].hash);
            free(blocks.of);
        }
        planner_mesh_free(&mesh);
    }
    omp_set_num_threads(threads);
}

/* ---- Scotch, cases in a child --------------------------------------------------------------- */

static void fails(const char *expected)
{
    struct plan_mesh mesh;
    chain_case(&mesh, 100);
    for (int i = 0; i < 2; i++) {
        char error[PLANNER_ERROR] = "";
        struct blocks blocks = graph_blocks(&mesh, 10);
        CHECK(planner_blocks_gps(&blocks, &mesh, &test_planner, error) == -1);
        CHECK_TEXT(error, expected);
        free(blocks.of);
    }
    planner_mesh_free(&mesh);
}

static void is_absent(void)
{
    CHECK(!planner_blocks_gps_available(&test_planner));
    fails("Scotch is not available; use another planning method");
}

static void cannot_order(void)
{
    CHECK(planner_blocks_gps_available(&test_planner));
    fails("Scotch could not order the points; use another planning method, such as rcm");
    CHECK_TEXT(getenv("FAKE_SCOTCH_OBJECTS"), "0");
}

static void is_wrong(void)
{
    fails("Scotch put point 7 of 101 at place 101; use another planning method");
    CHECK_TEXT(getenv("FAKE_SCOTCH_OBJECTS"), "0");
}

/* The fake reverses the points and refuses graphs that are not sound. */
static void reverses(void)
{
    static const enum test_mesh_kind kinds[] = {TEST_MESH_QUAD_NODES, TEST_MESH_HEX,
                                                TEST_MESH_STAR};
    struct plan_mesh mesh;
    chain_case(&mesh, 100);
    struct blocks blocks = number(planner_blocks_gps, &mesh, 10);
    CHECK(blocks.count == 10 && blocks.of[0] == 9 && blocks.of[99] == 0 && blocks.of[89] == 1);
    free(blocks.of);
    planner_mesh_free(&mesh);
    for (int i = 0; i < 3; i++) {
        graph_case(&mesh, kinds[i], 1000, 0);
        blocks = number(planner_blocks_gps, &mesh, 10);
        free(blocks.of);
        planner_mesh_free(&mesh);
    }
    CHECK_TEXT(getenv("FAKE_SCOTCH_OBJECTS"), "0");
}

/* A library that is loaded is found by its name, as one in the folders of the system. */
static void is_found(void)
{
    CHECK(dlopen(FAKE_WIDE, RTLD_NOW | RTLD_LOCAL) != NULL);
    CHECK(planner_blocks_gps_available(&test_planner));
}

static void with(void (*run)(void), const char *library, const char *mode, const char *expected)
{
    in_child(run, &test_planner.scotch, library, "FAKE_SCOTCH", mode, expected);
}

int main(void)
{
    with(is_absent, "/nonexistent", "reverse",
         "cleave: note: Scotch (/nonexistent) not found; install it, or set CLEAVE_SCOTCH to its "
         "file\n");
    with(is_absent, "none", "reverse", "");
    with(is_absent, NOT_SCOTCH, "reverse",
         "cleave: note: '" NOT_SCOTCH "' is not Scotch (no SCOTCH_graphAlloc in it)\n");
    with(reverses, FAKE_NARROW, "reverse", "");
    with(reverses, FAKE_WIDE, "reverse", "");
    with(is_found, NULL, "reverse", "");
    with(cannot_order, FAKE_NARROW, "fail", "");
    with(is_wrong, FAKE_NARROW, "outside", "");
    with(is_wrong, FAKE_WIDE, "outside", "");
    all_of(rcm);
    keeps_order();
    if (planner_blocks_gps_available(&test_planner)) {
        all_of(planner_blocks_gps);
    }
    return CHECK_RESULT();
}
