/* common_output.c: the permutations of examples/common, and its files for ParaView: a .vtu file is
 * taken apart by its own header, a .vtkhdf file is read by HDF5. */
#include "check.h"
#include "examples/common/output.h"
#include "examples/common/permute.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef WITH_HDF5
#include <hdf5.h>
#endif

static void permutations(void)
{
    enum { N = 1000 };
    unsigned char seen[N] = {0};
    int fixed = 0;
    int *to = permutation_new(N, 7);
    int *again = permutation_new(N, 7);
    int *other = permutation_new(N, 8);
    for (int i = 0; i < N; i++) {
        CHECK(to[i] >= 0 && to[i] < N);
        seen[to[i]]++;
        fixed += to[i] == i;
    }
    for (int i = 0; i < N; i++) {
        CHECK(seen[i] == 1);
    }
    CHECK(fixed < 10); /* one is expected */
    CHECK(memcmp(to, again, sizeof *to * N) == 0);
    CHECK(memcmp(to, other, sizeof *to * N) != 0);
    free(to);
    free(again);
    free(other);
    int *five = permutation_new(5, 3); /* the same on every machine */
    CHECK(five[0] == 2 && five[1] == 4 && five[2] == 0 && five[3] == 3 && five[4] == 1);
    free(five);
    free(permutation_new(0, 1));
}

static void rows_and_entries(void)
{
    const int to[3] = {2, 0, 1};
    char rows[3][2] = {"a", "b", "c"};
    int map[4] = {0, 1, 2, 1};
    permute_rows(rows, 3, sizeof rows[0], to);
    CHECK(rows[2][0] == 'a' && rows[0][0] == 'b' && rows[1][0] == 'c');
    permute_entries(map, 4, to);
    CHECK(map[0] == 2 && map[1] == 0 && map[2] == 1 && map[3] == 0);
    permute_rows(rows, 0, 2, to);
    permute_entries(map, 0, to);
}

/* ---- two meshes: a plane one of two quadrilaterals, and one tetrahedron ------------------------
 */

static const double PLANE_X[6][2] = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}};
static const int PLANE_CELL[2][4] = {{0, 1, 4, 3}, {1, 2, 5, 4}};
static const struct output_mesh PLANE = {6, 2, &PLANE_X[0][0], 2, 4, &PLANE_CELL[0][0]};
static const double SOLID_X[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int SOLID_CELL[4] = {0, 1, 2, 3};
static const struct output_mesh SOLID = {4, 3, &SOLID_X[0][0], 1, 4, SOLID_CELL};
static const double HEIGHT[6] = {0.5, 1.5, 2.5, 3.5, 4.5, 5.5};
static const double FLOW[2][3] = {{1, 2, 3}, {4, 5, 6}};
static const struct output_field FIELDS[2] = {{"flow", 1, 3, &FLOW[0][0]},
                                              {"height", 0, 1, HEIGHT}};

/* Reads a file whole; the caller frees it. */
static char *contents(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = (char *)calloc(1, 100000);
    if (file != NULL) {
        CHECK(fread(text, 1, 99999, file) > 0);
        fclose(file);
    }
    return text;
}

/* The array that the header of a .vtu file declares by this name, when it has `bytes` bytes. */
static const void *array(const char *text, const char *name, uint64_t bytes)
{
    char quoted[64];
    uint64_t length = 0;
    snprintf(quoted, sizeof quoted, "Name=\"%s\"", name);
    const char *declared = strstr(text, quoted);
    const char *offset = declared ? strstr(declared, "offset=\"") : NULL;
    const char *data = strstr(text, "<AppendedData encoding=\"raw\">\n_");
    if (offset == NULL || data == NULL) {
        return NULL;
    }
    const char *begin = strchr(data, '_') + 1 + strtoul(offset + 8, NULL, 10);
    memcpy(&length, begin, sizeof length);
    return length == bytes ? begin + sizeof length : NULL;
}

static void has(const char *text, const char *name, const void *expected, size_t bytes)
{
    const void *found = array(text, name, bytes);
    CHECK(found != NULL);
    CHECK(found != NULL && memcmp(found, expected, bytes) == 0);
}

static void vtu(void)
{
    const double points[6][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}};
    const int64_t ends[2] = {4, 8};
    CHECK(output_write("plane.vtu", &PLANE, FIELDS, 2) == 0);
    char *text = contents("plane.vtu");
    CHECK(strstr(text, "NumberOfPoints=\"6\" NumberOfCells=\"2\"") != NULL);
    has(text, "Points", points, sizeof points);
    has(text, "connectivity", PLANE_CELL, sizeof PLANE_CELL);
    has(text, "offsets", ends, sizeof ends);
    has(text, "types", "\x09\x09", 2);
    has(text, "flow", FLOW, sizeof FLOW);
    has(text, "height", HEIGHT, sizeof HEIGHT);
    const char *cells = strstr(text, "<CellData>"); /* each field where it belongs */
    CHECK(cells != NULL && strstr(cells, "\"flow\"") != NULL &&
          strstr(cells, "\"height\"") == NULL);
    free(text);

    CHECK(output_write("solid.vtu", &SOLID, NULL, 0) == 0);
    text = contents("solid.vtu");
    has(text, "Points", SOLID_X, sizeof SOLID_X);
    has(text, "types", "\x0a", 1);
    free(text);
    CHECK(access("plane.vtu.part", F_OK) != 0);
}

/* A file that cannot be written is refused, and the one that was there stays. */
static void refused(void)
{
    struct output_mesh pentagons = PLANE;
    pentagons.corners = 5;
    CHECK(output_write("plane.vtu", &pentagons, NULL, 0) == -1);
    CHECK(output_write("nowhere/plane.vtu", &PLANE, FIELDS, 2) == -1);
    CHECK(output_write("plane.txt", &PLANE, FIELDS, 2) == -1);
    CHECK(output_write("/dev/full/x.vtu", &PLANE, FIELDS, 2) == -1);
    CHECK(output_check("plane") == -1);
    CHECK(output_check(".vtu") == -1);
    char *text = contents("plane.vtu");
    CHECK(strstr(text, "\"flow\"") != NULL);
    free(text);
    CHECK(symlink("/dev/full", "full.vtu.part") == 0);
    CHECK(output_write("full.vtu", &PLANE, FIELDS, 2) == -1);
    CHECK(access("full.vtu", F_OK) != 0);
}

#ifdef WITH_HDF5
/* Compares a dataset with what is expected: its type in memory, its number of values. */
static void holds(hid_t file, const char *name, hid_t type, const void *expected, size_t count)
{
    char values[256] = {0};
    const size_t bytes = count * H5Tget_size(type);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    CHECK(set >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)count);
    CHECK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    CHECK(memcmp(values, expected, bytes) == 0);
    H5Sclose(space);
    H5Dclose(set);
}

static void vtkhdf(void)
{
    const double points[6][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}};
    const long long sizes[3] = {6, 2, 8};
    const long long begin[3] = {0, 4, 8};
    const unsigned char shapes[2] = {9, 9};
    char kind[17] = {0};
    long long version[2] = {0, 0};
    CHECK(output_write("plane.vtkhdf", &PLANE, FIELDS, 2) == 0);
    const hid_t file = H5Fopen("plane.vtkhdf", H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(file >= 0);
    const hid_t attribute = H5Aopen_by_name(file, "VTKHDF", "Version", H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Aread(attribute, H5T_NATIVE_LLONG, version) >= 0 && version[0] == 2);
    H5Aclose(attribute);
    const hid_t type = H5Aopen_by_name(file, "VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT);
    const hid_t text = H5Aget_type(type);
    CHECK(H5Tget_size(text) == 16 && H5Aread(type, text, kind) >= 0);
    CHECK_TEXT(kind, "UnstructuredGrid");
    H5Tclose(text);
    H5Aclose(type);
    holds(file, "VTKHDF/NumberOfPoints", H5T_NATIVE_LLONG, &sizes[0], 1);
    holds(file, "VTKHDF/NumberOfCells", H5T_NATIVE_LLONG, &sizes[1], 1);
    holds(file, "VTKHDF/NumberOfConnectivityIds", H5T_NATIVE_LLONG, &sizes[2], 1);
    holds(file, "VTKHDF/Points", H5T_NATIVE_DOUBLE, points, 18);
    holds(file, "VTKHDF/Connectivity", H5T_NATIVE_INT, PLANE_CELL, 8);
    holds(file, "VTKHDF/Offsets", H5T_NATIVE_LLONG, begin, 3);
    holds(file, "VTKHDF/Types", H5T_NATIVE_UCHAR, shapes, 2);
    holds(file, "VTKHDF/CellData/flow", H5T_NATIVE_DOUBLE, FLOW, 6);
    holds(file, "VTKHDF/PointData/height", H5T_NATIVE_DOUBLE, HEIGHT, 6);
    H5Fclose(file);
    CHECK(output_write("nowhere/plane.vtkhdf", &PLANE, FIELDS, 2) == -1);
}
#else
static void vtkhdf(void)
{
    CHECK(output_check("plane.vtkhdf") == -1);
    CHECK(output_write("plane.vtkhdf", &PLANE, FIELDS, 2) == -1);
    CHECK(access("plane.vtkhdf", F_OK) != 0);
}
#endif

int main(void)
{
    char folder[] = "/tmp/cleave-test-output.XXXXXX";
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
    permutations();
    rows_and_entries();
    vtu();
    refused();
    vtkhdf();
    const char *const made[] = {"plane.vtu", "solid.vtu", "full.vtu.part", "plane.vtkhdf"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        unlink(made[i]);
    }
    CHECK(chdir("/") == 0 && rmdir(folder) == 0);
    return CHECK_RESULT();
}
