/* restart.c: a heat flow that keeps its mesh and its state in HDF5 files, as OP2 programs do: the first run makes a
 * mesh and writes it, a second one reads it, goes on from where the first stopped, and writes its result.
 *
 *   restart [SIDE [STEPS]]   (default: 8 4; makes restart_mesh.h5 and restart_result.h5 here)
 */
#include <stdio.h>
#include <stdlib.h>

#include "op_hdf5.h"
#include "op_seq.h"

static double conductivity = 0.1;

static inline void flow(const double *left, const double *right, const double *area, double *heat_left,
                        double *heat_right)
{
    const double f = conductivity * *area * (*left - *right);
    *heat_left -= f;
    *heat_right += f;
}

static inline void advance(double *heat, double *temperature, double *total)
{
    *temperature += *heat;
    *heat = 0.0;
    *total += *temperature;
}

static op_set cells, faces;
static op_map sides;
static op_dat temperature, area, heat;

static void *array(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);
    if (memory == NULL) {
        fprintf(stderr, "restart: not enough memory for %zu values\n", count);
        exit(1);
    }
    return memory;
}

static void make_mesh(int side)
{
    const int size = side * side;
    int *row = array(4 * (size_t)size, sizeof *row);
    double *a = array(2 * (size_t)size, sizeof *a);
    double *t = array((size_t)size, sizeof *t);
    int count = 0;
    for (int c = 0; c < size; c++) {
        t[c] = c * 13 % 7;
        for (int d = 0; d < 2; d++) {
            if (d == 0 ? c % side + 1 < side : c / side + 1 < side) {
                a[count] = 1.0 + 0.1 * (c % 3);
                row[2 * count] = c;
                row[2 * count++ + 1] = d == 0 ? c + 1 : c + side;
            }
        }
    }
    cells = op_decl_set(size, "cells");
    faces = op_decl_set(count, "faces");
    sides = op_decl_map(faces, cells, 2, row, "sides");
    area = op_decl_dat(faces, 1, "double", a, "area");
    temperature = op_decl_dat(cells, 1, "double", t, "temperature");
    heat = op_decl_dat(cells, 1, "double", (double *)NULL, "heat");
    free(row);
    free(a);
    free(t);
}

static void read_mesh(const char *file)
{
    conductivity = 0.0;
    op_get_const_hdf5("conductivity", 1, "double", (char *)&conductivity, file);
    cells = op_decl_set_hdf5(file, "cells");
    faces = op_decl_set_hdf5_infer_size(file, "faces", "sides");
    sides = op_decl_map_hdf5(faces, cells, 2, file, "sides");
    area = op_decl_dat_hdf5(faces, 1, "double", file, "area");
    temperature = op_decl_dat_hdf5(cells, 1, "double", file, "temperature");
    heat = op_decl_dat_hdf5(cells, 1, "double", file, "heat");
}

static void run(int steps)
{
    op_decl_const(1, "double", &conductivity);
    op_partition("PTSCOTCH", "KWAY", faces, sides, NULL);
    for (int step = 1; step <= steps; step++) {
        double total = 0.0;
        op_par_loop(flow, "flow", faces, op_arg_dat(temperature, 0, sides, 1, "double", OP_READ),
                    op_arg_dat(temperature, 1, sides, 1, "double", OP_READ),
                    op_arg_dat(area, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(heat, 0, sides, 1, "double", OP_INC),
                    op_arg_dat(heat, 1, sides, 1, "double", OP_INC));
        op_par_loop(advance, "advance", cells, op_arg_dat(heat, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_dat(temperature, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_gbl(&total, 1, "double", OP_INC));
        op_printf("step %d total %.12e\n", step, total);
    }
}

/* Prints some of the values, in the order of the mesh. */
static void print_cells(void)
{
    const int size = (int)op_get_size(cells);
    double *t = array((size_t)size, sizeof *t);
    op_fetch_data(temperature, t);
    for (int c = 0; c < size; c += 1 + size / 7) {
        op_printf("cell %d %.12e\n", c, t[c]);
    }
    free(t);
}

int main(int argc, char **argv)
{
    const int side = argc > 1 ? atoi(argv[1]) : 8;
    const int steps = argc > 2 ? atoi(argv[2]) : 4;
    if (side < 1 || side > 5000 || steps < 1) {
        fprintf(stderr, "usage: restart [SIDE [STEPS]]; SIDE from 1 to 5000\n");
        return 2;
    }
    op_init(argc, argv, 1);
    make_mesh(side);
    run(steps);
    op_dump_to_hdf5("restart_mesh.h5");
    op_write_const_hdf5("conductivity", 1, "double", (char *)&conductivity, "restart_mesh.h5");
    op_exit();

    op_init(argc, argv, 1);
    read_mesh("restart_mesh.h5");
    run(steps);
    op_fetch_data_hdf5_file(temperature, "restart_result.h5");
    print_cells();
    op_exit();
    return 0;
}
