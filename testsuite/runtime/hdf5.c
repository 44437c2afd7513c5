/* HDF5 files: what is written is read again, in OP2's layout; and every file, dataset or value that
 * does not fit ends in a message, with the file as it was. */
#include "op_hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <setjmp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "runtime/base/base.h"

/* ---- failures ---------------------------------------------------------------------------- */

static jmp_buf back;
static char said[1024];

static void keep_message(const char *message)
{
    snprintf(said, sizeof said, "%s", message);
    longjmp(back, 1);
}

/* The call must fail with a message that has all three texts. */
#define CHECK_FAILS(call, a, b, c)                                                                 \
    do {                                                                                           \
        said[0] = '\0';                                                                            \
        if (setjmp(back) == 0) {                                                                   \
            call;                                                                                  \
        }                                                                                          \
        check_said(__LINE__, a, b, c);                                                             \
    } while (0)

static void check_said(int line, const char *a, const char *b, const char *c)
{
    check_count++;
    if (strstr(said, a) == NULL || strstr(said, b) == NULL || strstr(said, c) == NULL) {
        check_failures++;
        fprintf(stderr, "line %d: said \"%s\", without \"%s\", \"%s\" or \"%s\"\n", line, said, a,
                b, c);
    }
}

/* In the place of the C library's for HDF5, too: kept.h5 is on a disk that is full from this size
 * of a write on. */
static size_t full_from = SIZE_MAX;

ssize_t pwrite(int file, const void *from, size_t size, off_t offset)
{
    char link[64];
    char name[512] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (size >= full_from && readlink(link, name, sizeof name - 1) > 0 &&
        strstr(name, "/kept.h5")) {
        errno = ENOSPC;
        return -1;
    }
    return lseek(file, offset, SEEK_SET) < 0 ? -1 : write(file, from, size);
}

/* ---- files ------------------------------------------------------------------------------- */

static long file_size(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 ? (long)status.st_size : -1;
}

static hid_t open_file(const char *name)
{
    return access(name, F_OK) == 0 ? H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT)
                                   : H5Fcreate(name, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
}

static void put(const char *file_name, const char *path, hid_t type, int rank,
                const hsize_t *extent, hid_t memory_type, const void *value)
{
    hid_t file = open_file(file_name);
    hid_t space = H5Screate_simple(rank, extent, NULL);
    hid_t data = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Dwrite(data, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(data);
    H5Sclose(space);
    H5Fclose(file);
}

static int attribute_int(hid_t data, const char *name)
{
    int value = -1;
    hid_t attribute = H5Aopen(data, name, H5P_DEFAULT);
    H5Aread(attribute, H5T_NATIVE_INT, &value);
    H5Aclose(attribute);
    return value;
}

/* The dataset has these extents, this type and, where `word` is not NULL, OP2's attributes. */
static void check_dataset(hid_t file, const char *path, hid_t type, int rank, int rows, int dim,
                          int size, const char *word)
{
    hsize_t extent[2] = {0, 0};
    char text[11] = "";
    hid_t data = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(data);
    hid_t found = H5Dget_type(data);
    CHECK(H5Tequal(found, type) > 0);
    CHECK(H5Sget_simple_extent_ndims(space) == rank);
    H5Sget_simple_extent_dims(space, extent, NULL);
    CHECK(extent[0] == (hsize_t)rows && (rank == 1 || extent[1] == (hsize_t)dim));
    if (word != NULL) {
        hid_t attribute = H5Aopen(data, "type", H5P_DEFAULT);
        hid_t string = H5Aget_type(attribute);
        CHECK(H5Tget_size(string) == 10 && H5Aread(attribute, string, text) >= 0);
        CHECK_TEXT(text, word);
        CHECK(attribute_int(data, "dim") == dim);
        CHECK(rank == 1 || attribute_int(data, "size") == size);
        H5Tclose(string);
        H5Aclose(attribute);
    }
    H5Tclose(found);
    H5Sclose(space);
    H5Dclose(data);
}

/* ---- a mesh ------------------------------------------------------------------------------ */

enum { CELLS = 3, EDGES = 4 };

static op_set cells;
static op_set edges;
static op_map to_cells;
static op_dat q;

static void declare(void)
{
    const int map[EDGES * 2] = {0, 1, 1, 2, 2, 0, 0, 2};
    const double value[CELLS * 2] = {0.5, 1.5, 2.5, 3.5, 4.5, 5.5};
    const float weight[EDGES] = {1, 2, 3, 4};
    const ll mark[CELLS] = {1LL << 40, -1, 7};
    cells = op_decl_set(CELLS, "cells");
    edges = op_decl_set(EDGES, "edges");
    to_cells = op_decl_map(edges, cells, 2, map, "to_cells");
    q = op_decl_dat(cells, 2, "double:soa", value, "q");
    op_decl_dat(edges, 1, "float", weight, "on/edges/weight");
    op_decl_dat(cells, 1, "ll", mark, "mark");
    op_decl_dat(op_decl_set(0, "nothing"), 3, "int", (int *)NULL, "empty");
}

static void restart(int argc, char **argv)
{
    op_exit();
    OP_maps_base_index = 0;
    op_init(argc, argv, 0);
}

static void check_layout(void)
{
    declare();
    op_dump_to_hdf5("mesh.h5");
    hid_t file = open_file("mesh.h5");
    check_dataset(file, "cells", H5T_NATIVE_INT, 1, 1, 1, 0, NULL);
    check_dataset(file, "to_cells", H5T_NATIVE_INT, 2, EDGES, 2, EDGES, "int");
    check_dataset(file, "q", H5T_NATIVE_DOUBLE, 2, CELLS, 2, 16, "double");
    check_dataset(file, "/on/edges/weight", H5T_NATIVE_FLOAT, 2, EDGES, 1, 4, "float");
    check_dataset(file, "mark", H5T_NATIVE_LLONG, 2, CELLS, 1, 8, "long long");
    H5Fclose(file);
}

static void check_read(void)
{
    double value[CELLS * 2];
    ll mark[CELLS];
    restart(0, NULL);
    cells = op_decl_set_hdf5("mesh.h5", "cells");
    edges = op_decl_set_hdf5_infer_size("mesh.h5", "edges", "on/edges/weight");
    CHECK(op_get_size(cells) == CELLS && op_get_size(edges) == EDGES);
    CHECK_TEXT(edges->name, "edges");
    to_cells = op_decl_map_hdf5(edges, cells, 2, "mesh.h5", "to_cells");
    CHECK(to_cells->map[1] == 1 && to_cells->map[7] == 2);
    q = op_decl_dat_hdf5(cells, 2, "real (kind=8)", "mesh.h5", "q");
    CHECK_TEXT(q->type, "double");
    op_fetch_data(q, value);
    CHECK(value[0] == 0.5 && value[5] == 5.5);
    op_fetch_data(op_decl_dat_hdf5(cells, 1, "long long", "mesh.h5", "mark"), mark);
    CHECK(mark[0] == 1LL << 40 && mark[2] == 7);
    CHECK(op_get_size(op_decl_set_hdf5("mesh.h5", "nothing")) == 0);
    op_decl_dat_hdf5(op_decl_set(0, "none"), 3, "int", "mesh.h5", "empty");
}

/* A program that counts from 1 reads what it wrote, and so does one that counts from 0. */
static void check_base(void)
{
    char *argv[] = {"test", "OP_MAPS_BASE_INDEX=1", NULL};
    const int map[EDGES * 2] = {1, 2, 2, 3, 3, 1, 1, 3};
    restart(2, argv);
    cells = op_decl_set(CELLS, "cells");
    edges = op_decl_set(EDGES, "edges");
    op_decl_map(edges, cells, 2, map, "to_cells");
    op_dump_to_hdf5("base.h5");
    to_cells = op_decl_map_hdf5(edges, cells, 2, "base.h5", "to_cells");
    int *again = malloc((size_t)edges->size * 2 * sizeof *again); /* most often where it was read to */
    CHECK(op_search_map_ptr(again) == NULL);
    free(again);
    CHECK(to_cells->map[0] == 0 && to_cells->map[7] == 2);
    restart(0, NULL);
    cells = op_decl_set(CELLS, "cells");
    edges = op_decl_set(EDGES, "edges");
    q = op_decl_dat(cells, 1, "int", (int *)NULL, "q");
    CHECK_FAILS(op_decl_map_hdf5(edges, cells, 2, "base.h5", "to_cells"), "row 1 column 1 = 3",
                "'base.h5'", "set 'cells' has 3 elements");
}

/* ---- constants and conversion ------------------------------------------------------------ */

static void check_constants(void)
{
    double gas[3] = {1.4, -2.75, 1e300};
    double back_again[3] = {0, 0, 0};
    float narrow[3];
    int whole[2];
    ll wide[2] = {5, 1LL << 40};
    op_write_const_hdf5("physics/gas", 3, "double precision", (char *)gas, "constants.h5");
    op_write_const_hdf5("wide", 2, "integer(8)", (char *)wide, "constants.h5");
    op_get_const_hdf5("physics/gas", 3, "double:soa", (char *)back_again, "constants.h5");
    CHECK(memcmp(gas, back_again, sizeof gas) == 0);
    CHECK_FAILS(op_get_const_hdf5("physics/gas", 3, "real(4)", (char *)narrow, "constants.h5"),
                "op_get_const_hdf5 'physics/gas' in 'constants.h5'", "does not fit", "to float");
    CHECK_FAILS(op_get_const_hdf5("wide", 2, "int", (char *)whole, "constants.h5"), "'wide'",
                "does not fit", "8-byte integers to int");
    gas[2] = INFINITY;
    op_write_const_hdf5("physics/gas", 3, "double", (char *)gas, "constants.h5"); /* in place */
    op_get_const_hdf5("physics/gas", 3, "float", (char *)narrow, "constants.h5");
    CHECK(narrow[0] == 1.4F && isinf(narrow[2]));
    hid_t file = open_file("constants.h5");
    check_dataset(file, "physics/gas", H5T_NATIVE_DOUBLE, 1, 3, 3, 0, "double");
    check_dataset(file, "wide", H5T_NATIVE_LLONG, 1, 2, 2, 0, "long long");
    H5Fclose(file);
    CHECK_FAILS(op_get_const_hdf5("wide", 3, "ll", (char *)gas, "constants.h5"), "'wide'",
                "dataset is 2", "dim is 3");
    CHECK_FAILS(op_write_const_hdf5("wide", 1, "ll", (char *)wide, "constants.h5"),
                "exists and is 2", "not 1", "'constants.h5'");
    CHECK_FAILS(op_write_const_hdf5("c", 1, "struct x", (char *)wide, "constants.h5"), "struct x",
                "no form in HDF5", "'constants.h5'");
}

/* Maps of long, dats of another type, rows in the order of the file. */
static void check_other_types(void)
{
    const hsize_t pairs[2] = {EDGES, 2};
    const hsize_t list[1] = {EDGES};
    long map[EDGES * 2] = {0, 1, 1, 2, 2, 0, 0, 2};
    const double mixed[EDGES] = {1, 2.5, 3, 4};
    int rounded[EDGES];
    bool flag[EDGES] = {1, 0, 1, 1};
    put("others.h5", "long_map", H5T_STD_I64BE, 2, pairs, H5T_NATIVE_LONG, map);
    map[3] = 1L << 35;
    put("others.h5", "too_long", H5T_NATIVE_LONG, 2, pairs, H5T_NATIVE_LONG, map);
    put("others.h5", "mixed", H5T_NATIVE_DOUBLE, 1, list, H5T_NATIVE_DOUBLE, mixed);
    CHECK(op_decl_map_hdf5(edges, cells, 2, "others.h5", "long_map")->map[3] == 2);
    CHECK_FAILS(op_decl_map_hdf5(edges, cells, 2, "others.h5", "too_long"), "'too_long'",
                "'others.h5'", "does not fit");
    op_fetch_data(op_decl_dat_hdf5(edges, 1, "int", "others.h5", "mixed"), rounded);
    CHECK(rounded[1] == 2 && rounded[3] == 4);
    op_dat flags = op_decl_dat(edges, 1, "bool", flag, "flags");
    op_fetch_data_hdf5_file(flags, "others.h5");
    flag[0] = 0;
    op_fetch_data(op_decl_dat_hdf5(edges, 1, "bool", "others.h5", "flags"), flag);
    CHECK(flag[0] && !flag[1]);
}

/* ---- what does not fit ------------------------------------------------------------------- */

static void check_wrong_data(void)
{
    const hsize_t one = 1;
    const int negative = -4;
    char text[4] = "abc";
    hid_t string = H5Tcopy(H5T_C_S1);
    H5Tset_size(string, sizeof text);
    put("mesh.h5", "text", string, 1, &one, string, text);
    put("mesh.h5", "negative", H5T_NATIVE_INT, 1, &one, H5T_NATIVE_INT, &negative);
    H5Tclose(string);
    CHECK_FAILS(op_decl_set_hdf5("mesh.h5", "nodes"), "no dataset 'nodes'", "it has 'cells'",
                "'edges'");
    CHECK_FAILS(op_decl_set_hdf5("mesh.h5", "on/nodes"), "in the group 'on'", "it has 'edges'", "");
    CHECK_FAILS(op_decl_set_hdf5("mesh.h5", "q/nodes"), "'q' is not a group", "mesh.h5", "");
    CHECK_FAILS(op_decl_set_hdf5("mesh.h5", "on"), "'on' is a group, not a dataset", "mesh.h5", "");
    CHECK_FAILS(op_decl_set_hdf5("mesh.h5", "on//edges"), "is no path", "", "");
    CHECK_FAILS(op_decl_set_hdf5("mesh.h5", "q"), "a set is one number", "has 6", "'q'");
    CHECK_FAILS(op_decl_set_hdf5("mesh.h5", "text"), "'text'", "holds no numbers", "");
    CHECK_FAILS(op_decl_set_hdf5("mesh.h5", "negative"), "-4 is not one", "'negative'", "");
    CHECK_FAILS(op_decl_set_hdf5(NULL, "q"), "op_decl_set_hdf5 'q'", "null pointer", "");
    CHECK_FAILS(op_decl_map_hdf5(edges, cells, 3, "mesh.h5", "to_cells"), "'to_cells'", "is 4 x 2",
                "4 x 3");
    CHECK_FAILS(op_decl_map_hdf5(cells, cells, 2, "mesh.h5", "to_cells"), "is 4 x 2",
                "set 'cells' has 3 elements", "mesh.h5");
    CHECK_FAILS(op_decl_dat_hdf5(edges, 2, "double", "mesh.h5", "q"), "'q'", "is 3 x 2",
                "'edges' has 4");
    CHECK_FAILS(op_decl_dat_hdf5(cells, 1, "double", "mesh.h5", "q"), "dim is 1", "3 x 2", "");
    CHECK_FAILS(op_decl_dat_hdf5(NULL, 1, "double", "mesh.h5", "q"), "set is a null", "'q'", "");
}

static void copy_part(const char *to, const char *from, long size)
{
    char *bytes = malloc((size_t)size);
    FILE *file = fopen(from, "rb");
    CHECK(file != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    file = fopen(to, "wb");
    fwrite(bytes, 1, (size_t)size, file);
    fclose(file);
    free(bytes);
}

static void check_wrong_files(void)
{
    copy_part("short.h5", "mesh.h5", file_size("mesh.h5") - 100);
    copy_part("tiny.h5", "mesh.h5", 5);
    mkdir("folder.h5", 0700);
    CHECK_FAILS(op_decl_set_hdf5("short.h5", "cells"), "'cells' in 'short.h5'", "truncated", "");
    CHECK_FAILS(op_decl_set_hdf5("tiny.h5", "cells"), "'tiny.h5'", "not an HDF5 file", "");
    CHECK_FAILS(op_decl_set_hdf5("none.h5", "cells"), "'none.h5'", "No such file", "");
    CHECK_FAILS(op_decl_set_hdf5("folder.h5", "cells"), "'folder.h5'", "a folder", "");
    CHECK_FAILS(op_dump_to_hdf5("no/such/mesh.h5"), "'no/such/mesh.h5'", "No such file", "");
    CHECK_FAILS(op_dump_to_hdf5("/dev/null"), "'/dev/null'", "a device", "");
    CHECK_FAILS(op_fetch_data_hdf5_file(q, "tiny.h5"), "op_fetch_data_hdf5_file 'q' in 'tiny.h5'",
                "not an HDF5 file", "");
    CHECK(file_size("tiny.h5") == 5);
}

/* ---- replacing a file -------------------------------------------------------------------- */

/* A file that could not be written is the old one, and nothing lies beside it. */
static void check_kept(long size)
{
    CHECK(file_size("kept.h5") == size);
    CHECK(op_get_size(op_decl_set_hdf5("kept.h5", "cells")) == CELLS);
    CHECK(system("ls kept.h5.* 2>/dev/null | grep -q .") != 0);
}

static void check_full_disk(void)
{
    static double big[100000];
    restart(0, NULL);
    op_set many = op_decl_set(100000, "many");
    op_dat heavy = op_decl_dat(many, 1, "double", big, "heavy");
    copy_part("kept.h5", "base.h5", file_size("base.h5"));
    long size = file_size("kept.h5");

    /* Before HDF5 writes: the room is not there. */
    struct rlimit old;
    getrlimit(RLIMIT_FSIZE, &old);
    struct rlimit small = {.rlim_cur = 100000, .rlim_max = old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    CHECK_FAILS(op_fetch_data_hdf5_file(heavy, "kept.h5"), "'heavy' in 'kept.h5'", "cannot write",
                "File too large");
    CHECK_FAILS(op_dump_to_hdf5("kept.h5"), "op_dump_to_hdf5 in 'kept.h5'", "File too large", "");
    setrlimit(RLIMIT_FSIZE, &old);

    /* While it writes values, and, at the end, its own tables. */
    full_from = 100000;
    CHECK_FAILS(op_fetch_data_hdf5_file(heavy, "kept.h5"), "'heavy' in 'kept.h5'", "No space left",
                "");
    full_from = 400;
    CHECK_FAILS(op_dump_to_hdf5("kept.h5"), "'kept.h5'", "No space left", "");
    full_from = SIZE_MAX;
    check_kept(size);
}

static void check_replacing(void)
{
    double other[CELLS * 2] = {9, 8, 7, 6, 5, 4};
    double value[CELLS * 2] = {0};
    struct stat status;
    cells = op_decl_set(CELLS, "cells");
    symlink("base.h5", "link.h5");
    symlink("new.h5", "nowhere.h5");
    chmod("base.h5", 0640);
    op_dat r = op_decl_dat(cells, 2, "double", other, "r");
    op_fetch_data_hdf5_file_path(r, "link.h5", "step/0/r");
    op_fetch_data_hdf5_file_path(r, "nowhere.h5", "r");
    CHECK(lstat("link.h5", &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(stat("base.h5", &status) == 0 && (status.st_mode & 0777) == 0640);
    CHECK(op_get_size(op_decl_set_hdf5("base.h5", "cells")) == CELLS); /* what was there stays */
    long size = file_size("base.h5");
    op_fetch_data_hdf5_file_path(r, "base.h5", "step/0/r");
    CHECK(file_size("base.h5") == size); /* written in place */
    op_fetch_data(op_decl_dat_hdf5(cells, 2, "double", "base.h5", "/step/0/r"), value);
    CHECK(memcmp(value, other, sizeof value) == 0);
    op_fetch_data(op_decl_dat_hdf5(cells, 2, "double", "new.h5", "r"), value);
    CHECK(memcmp(value, other, sizeof value) == 0);
    CHECK_FAILS(op_fetch_data_hdf5_file_path(r, "base.h5", "step"), "'step' is a group", "'r'", "");
    CHECK_FAILS(op_fetch_data_hdf5_file_path(r, "base.h5", "step/"), "'step/' is no path", "", "");
    op_decl_dat(cells, 1, "double", other, "cells");
    CHECK_FAILS(op_dump_to_hdf5("base.h5"), "op_dump_to_hdf5 'cells' in 'base.h5'",
                "another set, map or dat", "");
}

/* HDF5's own report is the program's affair again after each call. */
static herr_t own_report(hid_t stack, void *data)
{
    (void)stack;
    (void)data;
    return 0;
}

static void check_own_report(void)
{
    H5E_auto2_t report;
    void *data;
    H5Eset_auto2(H5E_DEFAULT, own_report, said);
    CHECK_FAILS(op_decl_set_hdf5("none.h5", "cells"), "none.h5", "", "");
    op_decl_set_hdf5("mesh.h5", "cells");
    H5Eget_auto2(H5E_DEFAULT, &report, &data);
    CHECK(report == own_report && data == said);
}

static int flushes;

static void count_flush(void)
{
    flushes++;
}

/* Loops that were called and have not run do so before their results go to a file. */
static void check_flush(void)
{
    op_dat dat = op_decl_dat(op_decl_set(2, "two"), 1, "int", (int *)NULL, "written");
    CLEAVE_ENTER("a test"); /* the holder of the runtime flushes */
    cleave_flush_by(count_flush, NULL);
    op_fetch_data_hdf5_file(dat, "flush.h5");
    CHECK(flushes == 1);
    op_fetch_data_hdf5_file_path(dat, "flush.h5", "again");
    CHECK(flushes == 2);
}

static void remove_folder(const char *folder)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK(chdir("/") == 0 && system(command) == 0);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/cleave-hdf5-XXXXXX";
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
    op_init(argc, argv, 0);
    cleave_set_error_handler(keep_message);
    check_layout();
    check_read();
    check_base();
    check_constants();
    check_other_types();
    check_wrong_data();
    check_wrong_files();
    check_full_disk();
    check_replacing();
    check_own_report();
    check_flush();
    op_exit();
    remove_folder(folder);
    return CHECK_RESULT();
}
