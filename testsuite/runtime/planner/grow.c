/* grow.c: blocks grown inside chunks: complete, within size and points, good, the same for any
 * number of threads, and in linear time at points that very many elements share. */
#include <omp.h>
#include <time.h>

#include "graph_cases.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Grows in `chunks` chunks of equal size and checks the result, also that no block crosses a chunk.
 */
static struct blocks grow(const struct plan_mesh *mesh, int chunks, int block_size, int max_points)
{
    struct blocks blocks = graph_blocks(mesh, block_size);
    int *start = malloc(((size_t)chunks + 1) * sizeof *start);
    char error[PLANNER_ERROR] = "";
    for (int i = 0; i <= chunks; i++) {
        start[i] = (int)((int64_t)mesh->elements * i / chunks);
    }
    CHECK(planner_blocks_grow(&blocks, mesh, chunks, start, max_points, error) == 0);
    CHECK_TEXT(error, "");
    graph_check(&blocks, mesh);
    int crossed = 0;
    int largest = -1;
    for (int i = 0; i < chunks; i++) {
        int before = largest;
        for (int e = start[i]; e < start[i + 1]; e++) {
            crossed += blocks.of[e] <= before;
            largest = blocks.of[e] > largest ? blocks.of[e] : largest;
        }
    }
    CHECK(crossed == 0);
    free(start);
    return blocks;
}

/* The shuffled mesh as one chunk. METIS k-way reaches 5.5, 3.4 and 4.6 on such meshes. */
static void is_good(enum test_mesh_kind kind, double least)
{
    struct plan_mesh mesh;
    graph_case(&mesh, kind, 60000, 2);
    struct blocks blocks = grow(&mesh, 1, 256, 0);
    double reuse = graph_reuse(&blocks, &mesh, NULL);
    if (reuse < least) {
        fprintf(stderr, "%s: reuse %.3f\n", test_mesh_name(kind), reuse);
    }
    CHECK(reuse >= least);
    double fill = (double)mesh.elements / blocks.count / blocks.block_size;
    CHECK(fill > 0.96 && fill < 0.98);
    free(blocks.of);
    planner_mesh_free(&mesh);
}

static void keeps_max_points(void)
{
    struct plan_mesh mesh;
    int most = 0;
    graph_case(&mesh, TEST_MESH_TET, 30000, 0);
    for (int limit = 2; limit <= 90; limit += 22) {
        struct blocks blocks = grow(&mesh, 3, 256, limit);
        CHECK(graph_reuse(&blocks, &mesh, &most) > 0);
        CHECK(most <= limit);
        free(blocks.of);
    }
    /* An element with more points than the limit has a block of its own. */
    struct blocks alone = grow(&mesh, 1, 256, 1);
    CHECK(alone.count == mesh.elements);
    free(alone.of);
    planner_mesh_free(&mesh);
}

static void same_for_any_threads(void)
{
    static const int threads[] = {1, 2, 3, 8};
    struct plan_mesh mesh;
    uint64_t first = 0;
    graph_case(&mesh, TEST_MESH_HEX, 30000, 0);
    for (int i = 0; i < 4; i++) {
        omp_set_num_threads(threads[i]);
        struct blocks blocks = grow(&mesh, 7, 128, 0);
        uint64_t hash = graph_hash(blocks.of, (size_t)mesh.elements * sizeof(int));
        first = i == 0 ? hash : first;
        CHECK(hash == first);
        free(blocks.of);
    }
    omp_set_num_threads(2);
    planner_mesh_free(&mesh);
}

static void any_block_size(void)
{
    static const int sizes[] = {1, 2, 3, 33, 1000, 1024};
    struct plan_mesh mesh;
    graph_case(&mesh, TEST_MESH_QUAD_NODES, 5000, 0);
    for (int i = 0; i < 6; i++) {
        struct blocks blocks = grow(&mesh, 2, sizes[i], 0);
        CHECK(blocks.count >= (mesh.elements - 1) / sizes[i] + 1);
        free(blocks.of);
    }
    planner_mesh_free(&mesh);
}

static void odd_elements(void)
{
    static const int repeats[] = {0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 0, 2, 3, 4, 3};
    static const int alone[] = {5, 5, 0, 5, 3, 4};
    struct plan_mesh mesh;
    graph_case_rows(&mesh, 5, 3, 6, repeats);
    struct blocks blocks = grow(&mesh, 1, 4, 0);
    free(blocks.of);
    planner_mesh_free(&mesh);
    graph_case_rows(&mesh, 6, 1, 6, alone);
    blocks = grow(&mesh, 1, 3, 0);
    /* The three of point 5 stay together. */
    CHECK(blocks.of[0] == blocks.of[1] && blocks.of[1] == blocks.of[3]);
    CHECK(blocks.of[2] != blocks.of[0] && blocks.of[4] == blocks.of[2] &&
          blocks.of[5] == blocks.of[2]);
    free(blocks.of);
    planner_mesh_free(&mesh);
    graph_case_rows(&mesh, 1, 1, 6, alone);
    blocks = grow(&mesh, 3, 256, 0); /* two of the chunks are empty */
    CHECK(blocks.count == 1 && blocks.of[0] == 0);
    free(blocks.of);
    planner_mesh_free(&mesh);
}

/* A wheel: element e joins a hub and the rim points e and e+1. Whatever the hub, blocks are pieces
 * of the rim, and four times the elements take about four times as long. */
static void hub(void)
{
    double spent[2];
    for (int i = 0; i < 2; i++) {
        struct plan_mesh mesh;
        int elements = i == 0 ? 50000 : 200000;
        int *row = malloc((size_t)elements * 3 * sizeof *row);
        for (int e = 0; e < elements; e++) {
            row[3 * e] = 0;
            row[3 * e + 1] = 1 + e;
            row[3 * e + 2] = 1 + (e + 1) % elements;
        }
        graph_case_rows(&mesh, elements, 3, elements + 1, row);
        double begin = seconds();
        struct blocks blocks = grow(&mesh, 1, 256, 0);
        spent[i] = seconds() - begin;
        CHECK(graph_reuse(&blocks, &mesh, NULL) > 3 * 248 / 252.0);
        free(blocks.of);
        free(row);
        planner_mesh_free(&mesh);
    }
    CHECK(spent[1] < 12 * spent[0] + 0.5);
}

int main(void)
{
    is_good(TEST_MESH_TET, 6.5);
    is_good(TEST_MESH_QUAD, 3.4);
    is_good(TEST_MESH_HEX, 4.5);
    is_good(TEST_MESH_ANNULUS, 3.35);
    keeps_max_points();
    same_for_any_threads();
    any_block_size();
    odd_elements();
    hub();
    return CHECK_RESULT();
}
