/* mesh.c: the planner's view of maps: points of all sets together, the elements of each point,
 * other orders of elements and points, centres; what is refused; the names of methods. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "check.h"
#include "runtime/planner/mesh/mesh.h"

static char error[PLANNER_ERROR];

/* Two maps to set 7 (4 points) and one to set 9 (3 points); element 1 names point 2 of set 7 twice.
 */
static const int ROW_A[] = {0, 9, 1, /**/ 2, 9, 2, /**/ 1, 9, 3};
static const int ROW_B[] = {2, 0, 1};
static const int ROW_C[] = {3, 2, 0};

static void make_maps(struct plan_map map[3])
{
    map[0] = (struct plan_map){
        .row = ROW_A, .dim = 3, .points = 4, .target = 7, .columns = 2, .column = {0, 2}};
    map[1] = (struct plan_map){
        .row = ROW_B, .dim = 1, .points = 3, .target = 9, .columns = 1, .column = {0}};
    map[2] = (struct plan_map){
        .row = ROW_C, .dim = 1, .points = 4, .target = 7, .columns = 1, .column = {0}};
}

static int same(const int *actual, const int *expected, int count)
{
    return memcmp(actual, expected, (size_t)count * sizeof *actual) == 0;
}

static void test_points_together(void)
{
    struct plan_map map[3];
    struct plan_mesh mesh;
    make_maps(map);
    CHECK(planner_mesh_make(&mesh, 3, 3, map, error) == 0);
    CHECK(mesh.elements == 3 && mesh.arity == 4 && mesh.points == 7 && mesh.user == NULL);
    CHECK(same(mesh.point, (int[]){0, 1, 6, 3, 2, 2, 4, 2, 1, 3, 5, 0}, 12));
    CHECK(planner_mesh_touch(&mesh, error) == 0);
    static const int64_t START[] = {0, 2, 4, 5, 7, 8, 9, 10};
    CHECK(memcmp(mesh.touch_start, START, sizeof START) == 0);
    CHECK(same(mesh.touch, (int[]){0, 2, 0, 2, 1, 0, 2, 1, 2, 0}, 10));

    CHECK(planner_mesh_permute(&mesh, (int[]){2, 0, 1}, error) == 0);
    CHECK(mesh.touch == NULL && same(mesh.user, (int[]){2, 0, 1}, 3));
    CHECK(same(mesh.point, (int[]){1, 3, 5, 0, 0, 1, 6, 3, 2, 2, 4, 2}, 12));
    CHECK(planner_mesh_permute(&mesh, (int[]){1, 0, 2}, error) == 0);
    CHECK(same(mesh.user, (int[]){0, 2, 1}, 3));

    CHECK(planner_mesh_renumber_points(&mesh, error) == 0);
    CHECK(mesh.points == 7);
    CHECK(same(mesh.point, (int[]){0, 1, 2, 3, 1, 3, 4, 0, 5, 5, 6, 5}, 12));
    planner_mesh_free(&mesh);
}

/* Elements at random: every touch list is ascending, complete and without repeats, for any number
 * of threads; renumbering forgets what nothing touches. */
static void test_many(int threads)
{
    enum { ELEMENTS = 200000, DIM = 3, POINTS = 50000 };
    struct plan_mesh mesh;
    int *row = malloc(sizeof *row * ELEMENTS * DIM);
    uint64_t state = 5;
    for (int i = 0; i < ELEMENTS * DIM; i++) {
        state = state * UINT64_C(6364136223846793005) + 1;
        row[i] = i % 40 == 0 ? 77 : 2 * (int)((state >> 33) % (POINTS / 2));
    }
    struct plan_map map = {
        .row = row, .dim = DIM, .points = POINTS, .columns = DIM, .column = {0, 1, 2}};
    omp_set_num_threads(threads);
    CHECK(planner_mesh_make(&mesh, ELEMENTS, 1, &map, error) == 0 &&
          planner_mesh_touch(&mesh, error) == 0);
    int64_t expected = 0;
    int wrong = 0;
    for (int e = 0; e < ELEMENTS; e++) {
        const int *at = row + (size_t)e * DIM;
        expected += 1 + (at[1] != at[0]) + (at[2] != at[0] && at[2] != at[1]);
    }
    CHECK(mesh.touch_start[0] == 0 && mesh.touch_start[POINTS] == expected);
    for (int p = 0; p < POINTS; p++) {
        for (int64_t i = mesh.touch_start[p]; i < mesh.touch_start[p + 1]; i++) {
            const int *at = row + (size_t)mesh.touch[i] * DIM;
            wrong += at[0] != p && at[1] != p && at[2] != p;
            wrong += i > mesh.touch_start[p] && mesh.touch[i - 1] >= mesh.touch[i];
        }
    }
    CHECK(wrong == 0);
    CHECK(planner_mesh_renumber_points(&mesh, error) == 0);
    CHECK(mesh.points <= POINTS / 2 + 1);
    int highest = -1;
    for (int i = 0; i < ELEMENTS * DIM; i++) {
        wrong += mesh.point[i] > highest + 1;
        highest = mesh.point[i] > highest ? mesh.point[i] : highest;
    }
    CHECK(wrong == 0 && highest == mesh.points - 1);
    planner_mesh_free(&mesh);
    free(row);
}

static double apart(const float *a, const float *b, int dim)
{
    double sum = 0;
    for (int d = 0; d < dim; d++) {
        sum += ((double)a[d] - b[d]) * ((double)a[d] - b[d]);
    }
    return sqrt(sum);
}

/* Centres keep distances up to one factor; of element 1 point 2 is not a number and counts as the
 * middle. */
static void test_centres(void)
{
    struct plan_map map[3];
    struct plan_mesh mesh;
    float *centre;
    double at[] = {0, 0, 10, 0, NAN, 4, 10, 6};
    struct plan_coordinates coordinates = {at, 0, 2, 7};
    make_maps(map);
    CHECK(planner_mesh_make(&mesh, 3, 2, map, error) == 0);
    CHECK(planner_mesh_centres(&centre, &mesh, 2, map, &coordinates, error) == 0 && centre != NULL);
    /* (5,0), (5,4) by the middle in x, (10,3); the half side is 5. */
    CHECK(fabs(apart(centre, centre + 2, 2) - 4.0 / 5) < 1e-6);
    CHECK(fabs(apart(centre, centre + 4, 2) - sqrt(25 + 9) / 5) < 1e-6);
    free(centre);
    CHECK(planner_mesh_permute(&mesh, (int[]){2, 1, 0}, error) == 0);
    CHECK(planner_mesh_centres(&centre, &mesh, 2, map, &coordinates, error) == 0 && centre != NULL);
    CHECK(fabs(apart(centre, centre + 2, 2) - sqrt(25 + 1) / 5) < 1e-6);
    free(centre);
    coordinates.target = 8;
    CHECK(planner_mesh_centres(&centre, &mesh, 2, map, &coordinates, error) == 0 && centre == NULL);
    CHECK(planner_mesh_centres(&centre, &mesh, 2, map, NULL, error) == 0 && centre == NULL);
    planner_mesh_free(&mesh);
}

/* Numbers near the largest double, equal ones, and floats. */
static void test_odd_coordinates(void)
{
    static const int ROW[] = {0, 1, 2, 3};
    struct plan_map map = {.row = ROW, .dim = 1, .points = 4, .columns = 1};
    struct plan_mesh mesh;
    struct place *place;
    double huge[] = {-1.7e308, 0, 0, 1.7e308, 0, 0, INFINITY, 0, 0, -1.7e308, -INFINITY, NAN};
    float same_place[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    CHECK(planner_mesh_make(&mesh, 4, 1, &map, error) == 0);
    CHECK(planner_mesh_places(&place, &mesh, 1, &map, &(struct plan_coordinates){huge, 0, 3, 0},
                              error) == 0);
    CHECK(place[0].at[0] != place[1].at[0] && place[0].element == 0 && place[3].element == 3);
    CHECK(place[2].at[0] == 0 && place[2].at[1] == 0 && place[2].at[2] == 0);
    CHECK(memcmp(place[0].at, place[3].at, sizeof place[0].at) == 0);
    free(place);
    CHECK(planner_mesh_places(&place, &mesh, 1, &map,
                              &(struct plan_coordinates){same_place, 1, 3, 0}, error) == 0);
    CHECK(place[0].at[0] == 0 && place[3].at[2] == 0);
    free(place);
    CHECK(planner_mesh_places_of_centres(&place, 2, (float[]){NAN, 8, INFINITY, -16}, 2, error) ==
          0);
    CHECK(place[0].at[0] == 0 && place[0].at[1] == 1 << 29 && place[1].at[1] == -(1 << 30));
    free(place);
    planner_mesh_free(&mesh);
}

static void test_refusals(void)
{
    struct plan_map map[3];
    make_maps(map);
    CHECK(planner_check_input(3, 3, map, 256, error) == 0);
    CHECK(planner_check_input(3, 3, map, 0, error) == -1);
    CHECK_TEXT(error, "the block size is 0; it must be 1 to 1024");
    CHECK(planner_check_input(3, 17, map, 1, error) == -1);
    CHECK_TEXT(error, "a plan for 3 elements through 17 maps; at most 16 maps");
    map[2].points = 5;
    CHECK(planner_check_input(3, 3, map, 1, error) == -1);
    CHECK_TEXT(error, "maps 0 and 2 lead to set 7, with 4 and with 5 points");
    make_maps(map);
    map[0].points = map[2].points = 3;
    CHECK(planner_check_input(3, 3, map, 1, error) == -1);
    CHECK_TEXT(error, "map 0, row 2, column 2 is 3; its set has 3 points");
    make_maps(map);
    map[0].column[1] = 3;
    CHECK(planner_check_input(3, 3, map, 1, error) == -1);
    CHECK_TEXT(error, "map 0 has 3 columns; column 3 does not exist");
    make_maps(map);
    map[1].row = NULL;
    CHECK(planner_check_input(3, 3, map, 1, error) == -1);
    CHECK(strstr(error, "map 1") != NULL && strstr(error, "no entries") != NULL);

    struct plan_mesh mesh;
    static const int NONE[1] = {0};
    struct plan_map huge[2] = {{.row = NONE, .dim = 1, .points = INT32_MAX, .columns = 1},
                               {.row = NONE, .dim = 1, .points = 1, .target = 1, .columns = 1}};
    CHECK(planner_mesh_make(&mesh, 1, 2, huge, error) == -1);
    CHECK_TEXT(error,
               "the sets that a loop's maps lead to have 2147483648 points together; at most "
               "2147483647");
}

static void test_methods(void)
{
    static const char *const GOOD[] = {"default",
                                       "hard",
                                       "none",
                                       "rcm",
                                       "gps+refine",
                                       "hilbert",
                                       "rcb+refine",
                                       "grow+anneal",
                                       "chunks",
                                       "metis+refine",
                                       "metis",
                                       "metis-weighted",
                                       "metis-weighted+anneal",
                                       "metis-recursive"};
    static const char *const BAD[] = {
        "",       "rcb+",  "+refine",           "default+refine", "hard+refine",
        "metis+", "Metis", "rcb+refine+anneal", "rcb refine"};
    struct plan_method method;
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        CHECK(planner_method_parse(GOOD[i], &method) == 0);
        CHECK_TEXT(planner_method_name(method), GOOD[i]);
    }
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        CHECK(planner_method_parse(BAD[i], &method) == -1);
    }
    CHECK(planner_method_parse("hard", &method) == 0);
    CHECK(method.start == PLAN_START_DEFAULT && method.improve == PLAN_IMPROVE_ANNEAL);
}

int main(void)
{
    test_points_together();
    for (int threads = 1; threads <= 4; threads += threads) {
        test_many(threads);
    }
    test_centres();
    test_odd_coordinates();
    test_refusals();
    test_methods();
    return CHECK_RESULT();
}
