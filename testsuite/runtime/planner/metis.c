/* metis.c: how METIS is found, called and done without.
 * FAKE_NARROW, FAKE_WIDE, NOT_METIS: paths of the libraries built beside this program. */
#include "library_cases.h"

typedef int method(struct blocks *blocks, const struct plan_mesh *mesh,
                   const struct planner *planner, char *error);

static void partition(struct blocks *blocks, const struct plan_mesh *mesh, int block_size,
                      method *method)
{
    char error[PLANNER_ERROR] = "";
    *blocks = graph_blocks(mesh, block_size);
    CHECK(method(blocks, mesh, &test_planner, error) == 0);
    CHECK_TEXT(error, "");
    graph_check(blocks, mesh);
}

/* Twice, because what was said once is not said again. */
static void fails(const char *expected)
{
    struct plan_mesh mesh;
    chain_case(&mesh, 1000);
    for (int i = 0; i < 2; i++) {
        char error[PLANNER_ERROR] = "";
        struct blocks blocks = graph_blocks(&mesh, 100);
        CHECK(planner_blocks_metis(&blocks, &mesh, &test_planner, error) == -1);
        CHECK_TEXT(error, expected);
        free(blocks.of);
    }
    planner_mesh_free(&mesh);
}

/* ---- cases, in a child ---------------------------------------------------------------------- */

static void is_absent(void)
{
    CHECK(!planner_blocks_metis_available(&test_planner));
    fails("METIS is not available; use another planning method");
}

static void returns_code(void)
{
    CHECK(planner_blocks_metis_available(&test_planner));
    fails("METIS failed with code -4; use another planning method");
}

static void lacks_memory(void)
{
    fails("METIS ran out of memory; use another planning method");
}

static void is_wrong(void)
{
    fails("METIS returned parts that do not exist; use another planning method, or check the "
          "library");
}

/* ceil(1000 / 97) parts, element e in part e % 11, one later when there are weights. */
static void strides(void)
{
    struct plan_mesh mesh;
    struct blocks blocks;
    chain_case(&mesh, 1000);
    for (int weighted = 0; weighted < 2; weighted++) {
        partition(&blocks, &mesh, 100,
                  weighted ? planner_blocks_metis_weighted : planner_blocks_metis);
        CHECK(blocks.count == 11);
        CHECK(blocks.of[0] == weighted && blocks.of[10] == (10 + weighted) % 11);
        free(blocks.of);
    }
    partition(&blocks, &mesh, 100, planner_blocks_metis_recursive);
    CHECK(blocks.count == 11 && blocks.of[90] == 0 && blocks.of[91] == 1);
    free(blocks.of);
    planner_mesh_free(&mesh);
}

/* One part of 1000, the other ten empty: cut into ten of 100. With blocks of 300: four of 250. */
static void splits_and_drops(void)
{
    struct plan_mesh mesh;
    struct blocks blocks;
    chain_case(&mesh, 1000);
    partition(&blocks, &mesh, 100, planner_blocks_metis);
    CHECK(blocks.count == 10 && blocks.of[99] == 0 && blocks.of[100] == 1);
    free(blocks.of);
    partition(&blocks, &mesh, 300, planner_blocks_metis);
    CHECK(blocks.count == 4 && blocks.of[249] == 0 && blocks.of[250] == 1);
    free(blocks.of);
    planner_mesh_free(&mesh);
}

/* The fake refuses graphs that are not sound: sharing through two maps of one set, points named
 * twice, and a hub that most elements name. */
static void graphs_are_sound(void)
{
    static const enum test_mesh_kind kinds[] = {TEST_MESH_QUAD_NODES, TEST_MESH_HEX, TEST_MESH_TET};
    struct plan_mesh mesh;
    struct blocks blocks;
    for (int i = 0; i < 6; i++) {
        graph_case(&mesh, kinds[i / 2], 1000, 0);
        partition(&blocks, &mesh, 100,
                  i % 2 ? planner_blocks_metis_weighted : planner_blocks_metis);
        CHECK(blocks.of[0] != blocks.of[1]);
        free(blocks.of);
        planner_mesh_free(&mesh);
    }
    int row[2 * 5000];
    for (int e = 0; e < 5000; e++) {
        row[2 * e] = 0;
        row[2 * e + 1] = e % 3 ? e / 5 : 0;
    }
    graph_case_rows(&mesh, 5000, 2, 1000, row);
    partition(&blocks, &mesh, 100, planner_blocks_metis_weighted);
    CHECK(blocks.of[0] != blocks.of[1]);
    free(blocks.of);
    planner_mesh_free(&mesh);
}

/* The program's own rand() goes on as if nothing had happened. */
static void leaves_rand(void)
{
    struct plan_mesh mesh;
    struct blocks blocks;
    srand(7);
    int first = rand();
    int second = rand();
    srand(7);
    CHECK(rand() == first);
    chain_case(&mesh, 1000);
    partition(&blocks, &mesh, 100, planner_blocks_metis);
    CHECK(rand() == second);
    free(blocks.of);
    planner_mesh_free(&mesh);
}

/* No shared point, few elements, blocks of one: METIS, which would fail, is not called. */
static void is_not_needed(void)
{
    struct plan_mesh mesh;
    struct blocks blocks;
    int row[1000];
    for (int e = 0; e < 1000; e++) {
        row[e] = e;
    }
    graph_case_rows(&mesh, 1000, 1, 1000, row);
    partition(&blocks, &mesh, 100, planner_blocks_metis);
    CHECK(blocks.count == 10 && blocks.of[99] == 0 && blocks.of[100] == 1);
    free(blocks.of);
    planner_mesh_free(&mesh);
    chain_case(&mesh, 90);
    partition(&blocks, &mesh, 100, planner_blocks_metis);
    CHECK(blocks.count == 1);
    free(blocks.of);
    partition(&blocks, &mesh, 1, planner_blocks_metis);
    CHECK(blocks.count == 90);
    free(blocks.of);
    planner_mesh_free(&mesh);
}

/* METIS itself, where it is installed: paper 000's tolerance, and what it is known to reach. */
static void real_metis(void)
{
    static method *const methods[] = {planner_blocks_metis, planner_blocks_metis_weighted,
                                      planner_blocks_metis_recursive};
    struct plan_mesh mesh;
    if (!planner_blocks_metis_available(&test_planner)) {
        return;
    }
    graph_case(&mesh, TEST_MESH_HEX, 20000, 0);
    for (int i = 0; i < 3; i++) {
        struct blocks blocks;
        partition(&blocks, &mesh, 256, methods[i]);
        CHECK(graph_reuse(&blocks, &mesh, NULL) > 4.4);
        CHECK((double)mesh.elements / blocks.count > 0.95 * 256);
        free(blocks.of);
    }
    planner_mesh_free(&mesh);
}

/* ---- running them -------------------------------------------------------------------------- */

static void with(void (*run)(void), const char *library, const char *mode, const char *expected)
{
    in_child(run, &test_planner.metis, library, "FAKE_METIS", mode, expected);
}

int main(void)
{
    with(is_absent, "/nonexistent", "stride",
         "cleave: note: METIS (/nonexistent) not found; install it, or set CLEAVE_METIS to its "
         "file\n");
    with(is_absent, "none", "stride", "");
    with(is_absent, NOT_METIS, "stride",
         "cleave: note: '" NOT_METIS "' is not METIS (no METIS_SetDefaultOptions in it)\n");
    with(is_absent, "/dev/null", "stride",
         "cleave: note: METIS (/dev/null) cannot be loaded: /dev/null: file too short\n");
    with(strides, FAKE_NARROW, "stride", "");
    with(strides, FAKE_WIDE, "stride", "");
    with(splits_and_drops, FAKE_NARROW, "one", "");
    with(splits_and_drops, FAKE_WIDE, "one", "");
    with(graphs_are_sound, FAKE_NARROW, "stride", "");
    with(graphs_are_sound, FAKE_WIDE, "stride", "");
    with(leaves_rand, FAKE_NARROW, "stride", "");
    with(returns_code, FAKE_NARROW, "fail", "");
    with(lacks_memory, FAKE_NARROW, "memory", "");
    with(is_wrong, FAKE_NARROW, "outside", "");
    with(is_wrong, FAKE_WIDE, "outside", "");
    with(is_not_needed, FAKE_NARROW, "fail", "");
    real_metis();
    return CHECK_RESULT();
}
