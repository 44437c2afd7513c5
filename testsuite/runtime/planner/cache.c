/* cache.c: kept numberings come back as they were written, and the key of a numbering depends on
 * all that decides it. */
#include <omp.h>

#include "cache_cases.h"

/* ---- round trips --------------------------------------------------------------------------- */

static void test_round_trip(void)
{
    struct stat status;
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    CHECK(reads(&any_key, numbering) == 0);
    CHECK(access(in_home("kept"), F_OK) != 0); /* reading makes no folders */
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK(stat(in_home("kept"), &status) == 0 && (status.st_mode & 0777) == 0700);
    CHECK(stat(in_home("kept/plans-2"), &status) == 0 && (status.st_mode & 0777) == 0700);
    CHECK(stat(path_of(&any_key), &status) == 0 && (status.st_mode & 0777) == 0600);
    CHECK(files_in(in_home("kept/plans-2")) == 1);
    struct store_key second = {{any_key.word[0], 43}};
    CHECK(reads(&second, numbering) == 0);
    struct plan_numbering *other = make_numbering(ELEMENTS, 2);
    planner_cache_write(&test_planner, &any_key, other);
    CHECK(reads(&any_key, other) == 1);
    CHECK(files_in(in_home("kept/plans-2")) == 1);
    CHECK_TEXT(notes(), "");
}

static void test_no_elements(void)
{
    struct plan_numbering *numbering = make_numbering(0, 1);
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK_TEXT(notes(), "");
}

/* A numbering of planner_number comes back, and its method is accepted. */
static void test_real_numbering(void)
{
    static const char *const names[] = {"default", "hard", "none", "rcb", "chunks+refine", "metis"};
    struct test_mesh mesh;
    char error[PLANNER_ERROR];
    test_mesh_make(&mesh, TEST_MESH_TET, ELEMENTS, 0, 1);
    for (int i = 0; i < 6; i++) {
        struct plan_numbering_options options = {.block_size = BLOCK};
        struct plan_numbering *numbering = NULL;
        struct store_key key;
        CHECK(planner_method_parse(names[i], &options.method) == 0);
        CHECK(planner_number(&test_planner, &numbering, mesh.elements, mesh.maps, mesh.map,
                             &mesh.coordinates, &options, NULL, error) == 0);
        forget_notes();
        planner_key(&test_planner, &key, mesh.elements, mesh.maps, mesh.map, &mesh.coordinates,
                    &options);
        CHECK(reads(&key, numbering) == 0);
        planner_cache_write(&test_planner, &key, numbering);
        CHECK(reads(&key, numbering) == 1);
        CHECK_TEXT(notes(), "");
        planner_numbering_free(numbering);
    }
    test_mesh_free(&mesh);
}

/* ---- keys ---------------------------------------------------------------------------------- */

struct key_input {
    struct test_mesh mesh;
    struct plan_numbering_options options;
    const struct plan_coordinates *coordinates;
};

static struct store_key key_of(const struct key_input *in)
{
    struct store_key key;
    planner_key(&test_planner, &key, in->mesh.elements, in->mesh.maps, in->mesh.map,
                in->coordinates, &in->options);
    return key;
}

static int same_key(const struct store_key *a, const struct store_key *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

/* The key of what `in` is now is none of those seen before. */
static void check_new(const struct key_input *in)
{
    static struct store_key seen[100];
    static int count;
    struct store_key key = key_of(in);
    for (int i = 0; i < count; i++) {
        CHECK(seen[i].word[0] != key.word[0] && seen[i].word[1] != key.word[1]);
    }
    seen[count++] = key;
}

/* With one thing changed, the key is new. */
#define CHECK_CHANGE(change)                                                                       \
    do {                                                                                           \
        change;                                                                                    \
        check_new(&in);                                                                            \
        in = first;                                                                                \
    } while (0)

static void test_keys(void)
{
    struct key_input in = {.options = {256, {PLAN_START_DEFAULT, PLAN_IMPROVE_DEFAULT}, 0}};
    test_mesh_make(&in.mesh, TEST_MESH_QUAD_NODES, ELEMENTS, 0, 1);
    in.coordinates = &in.mesh.coordinates;
    struct key_input first = in;
    check_new(&in);
    int last = 2 * in.mesh.elements - 1;
    int places[] = {0, 1, 7, 8, 15, 16, 333, last - 1, last};
    for (int i = 0; i < 9; i++) {
        in.mesh.row[i % 2][places[i]]++;
        check_new(&in);
        in.mesh.row[i % 2][places[i]]--;
    }
    CHECK_CHANGE(in.mesh.elements--);
    CHECK_CHANGE(in.mesh.maps--);
    CHECK_CHANGE(in.mesh.map[0].points++);
    CHECK_CHANGE(in.mesh.map[0].target = 1);
    CHECK_CHANGE(in.mesh.map[1].columns = 1);
    CHECK_CHANGE(in.mesh.map[1].column[0] = 1);
    CHECK_CHANGE(in.options.block_size = 128);
    CHECK_CHANGE(in.options.max_points = 128);
    CHECK_CHANGE(in.options.method.start = PLAN_START_RCB);
    CHECK_CHANGE(in.options.method.improve = PLAN_IMPROVE_ANNEAL);
    CHECK_CHANGE(in.coordinates = NULL);
    struct plan_coordinates coordinates = in.mesh.coordinates;
    first.coordinates = &coordinates;
    in = first;
    CHECK_CHANGE(coordinates.target = 0);
    coordinates.target = 1;
    CHECK_CHANGE(coordinates.is_float = 1);
    coordinates.is_float = 0;
    in.mesh.at[2 * in.mesh.map[1].points - 1] += 1e-9;
    check_new(&in);
    in.mesh.at[2 * in.mesh.map[1].points - 1] = 0. / 0.;
    check_new(&in);
    struct plan_coordinates none = {.at = NULL};
    in = first;
    in.coordinates = &none;
    struct store_key without = key_of(&in);
    in.coordinates = NULL;
    struct store_key unknown = key_of(&in);
    CHECK(same_key(&without, &unknown));
    in.mesh.map[0].conflicts = 0; /* decides nothing */
    struct store_key read = key_of(&in);
    CHECK(same_key(&read, &unknown));
    test_mesh_free(&in.mesh);
}

/* Two maps of 24 and 20 MB and coordinates: several pieces, the last of them not full. */
static void test_key_threads(void)
{
    static const int threads[] = {2, 3, 8};
    struct key_input in = {.options = {256, {PLAN_START_DEFAULT, PLAN_IMPROVE_DEFAULT}, 0}};
    test_mesh_make(&in.mesh, TEST_MESH_TET, 3000000, 0, 1);
    in.coordinates = &in.mesh.coordinates;
    omp_set_num_threads(1);
    struct store_key one = key_of(&in);
    for (int i = 0; i < 3; i++) {
        omp_set_num_threads(threads[i]);
        struct store_key many = key_of(&in);
        CHECK(same_key(&one, &many));
    }
    for (int i = 0; i < 30; i++) {
        int place = i * 200000 + 1;
        in.mesh.row[0][place] ^= 1;
        struct store_key changed = key_of(&in);
        CHECK(!same_key(&one, &changed));
        in.mesh.row[0][place] ^= 1;
    }
    test_mesh_free(&in.mesh);
}

int main(void)
{
    RUN(test_round_trip);
    RUN(test_no_elements);
    RUN(test_real_numbering);
    RUN(test_keys);
    RUN(test_key_threads);
    return CHECK_RESULT();
}
