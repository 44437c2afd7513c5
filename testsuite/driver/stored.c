/* A ring of points, numbered at random, in an HDF5 file: `stored make FILE` declares and dumps it,
 * `stored run FILE` reads it, adds up over its edges and stores the sums beside what was there. */
#include "op_hdf5.h"

enum { POINTS = 1000 };

static inline void add(const double *a, const double *b, double *sum_a, double *sum_b)
{
    *sum_a += *b;
    *sum_b += *a;
}

static void make(const char *file)
{
    static int map[2 * POINTS];
    static double value[POINTS];
    int gain = 3;
    int i;
    op_set points;
    op_set edges;
    for (i = 0; i < POINTS; i++) {
        map[2 * i] = (i * 7) % POINTS;
        map[2 * i + 1] = ((i + 1) * 7) % POINTS;
        value[i] = i;
    }
    points = op_decl_set(POINTS, "points");
    edges = op_decl_set(POINTS, "edges");
    op_decl_map(edges, points, 2, map, "ends");
    op_decl_dat(points, 1, "double", value, "value");
    op_dump_to_hdf5(file);
    op_write_const_hdf5("gain", 1, "int", (char *)&gain, file);
}

static void run(const char *file)
{
    op_set points = op_decl_set_hdf5(file, "points");
    op_set edges = op_decl_set_hdf5_infer_size(file, "edges", "ends");
    op_map ends = op_decl_map_hdf5(edges, points, 2, file, "ends");
    op_dat value = op_decl_dat_hdf5(points, 1, "double", file, "value");
    op_dat sum = op_decl_dat(points, 1, "double", (double *)NULL, "sum");
    double *result = (double *)malloc(POINTS * sizeof(double));
    int gain = 0;
    int i;
    op_get_const_hdf5("gain", 1, "int", (char *)&gain, file);
    op_par_loop(add, "add", edges, op_arg_dat(value, 0, ends, 1, "double", OP_READ),
                op_arg_dat(value, 1, ends, 1, "double", OP_READ),
                op_arg_dat(sum, 0, ends, 1, "double", OP_INC),
                op_arg_dat(sum, 1, ends, 1, "double", OP_INC));
    op_fetch_data_hdf5_file_path(sum, file, "results/sum");
    sum = op_decl_dat_hdf5(points, 1, "double", file, "results/sum");
    op_fetch_data(sum, result);
    for (i = 7; i < POINTS - 7 && result[i] == 2.0 * i; i++) {
    }
    printf("%s %d\n", i == POINTS - 7 ? "right" : "wrong", gain);
    free(result);
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    if (strcmp(argv[1], "make") == 0) {
        make(argv[2]);
    } else {
        run(argv[2]);
    }
    op_exit();
    return 0;
}
