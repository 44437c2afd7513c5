/* regions.c: materials as sets of their own, as multi-material codes have them: each region's elements are a set,
 * and a map leads from it to the mesh's elements. Loops over a region read and write the mesh's data in place
 * through that map; functions take the number of a region, so that sets and maps are expressions.
 *
 *   regions [S [STEPS]]   (default: 6 3; S*S quadrilaterals)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "op_seq.h"

enum { REGIONS = 3 };

/* The gas constants of each region, read by the index that the host passes. */
static double gamma_of[REGIONS] = {1.4, 5.0 / 3.0, 1.2};

static inline void region_pressure(const double *gamma, const double *rho, const double *e, double *p,
                                   double *c2)
{
    *p = (*gamma - 1.0) * *rho * *e;
    *c2 = *gamma * *p / *rho;
}

static inline void region_heat(const double *share, const double *p, double *e, double *total)
{
    *e += *share * *p;
    *total += *e;
}

/* Faces: energy flows from high to low pressure. */
static inline void exchange(const double *pl, const double *pr, const double *cl, const double *cr,
                            double *el, double *er)
{
    const double flow = 0.01 * (*pl - *pr) / (1.0 + sqrt(*cl + *cr));
    *el -= flow;
    *er += flow;
}

struct region {
    op_set set;
    op_map elems;
    op_dat share;
};

static op_set elems, faces;
static op_map face_elems;
static op_dat p_rho, p_e, p_p, p_c2;
static struct region region[REGIONS];

static void *array(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);
    if (memory == NULL) {
        fprintf(stderr, "regions: not enough memory for %zu values\n", count);
        exit(1);
    }
    return memory;
}

static void declare_faces(int side)
{
    int *row = array(4 * (size_t)side * (size_t)side, sizeof *row);
    int count = 0;
    for (int e = 0; e < side * side; e++) {
        if (e % side + 1 < side) {
            row[2 * count] = e;
            row[2 * count++ + 1] = e + 1;
        }
        if (e / side + 1 < side) {
            row[2 * count] = e;
            row[2 * count++ + 1] = e + side;
        }
    }
    faces = op_decl_set(count, "faces");
    face_elems = op_decl_map(faces, elems, 2, row, "face_elems");
    free(row);
}

/* Elements in diagonal stripes; the last region of a small mesh may be empty. */
static void declare_region(int r, int side)
{
    int *row = array((size_t)side * (size_t)side, sizeof *row);
    double *share = array((size_t)side * (size_t)side, sizeof *share);
    char name[32];
    int count = 0;
    for (int e = side * side - 1; e >= 0; e--) {
        if ((e % side + e / side) / 2 % REGIONS == r) {
            share[count] = 0.01 * (1 + e % 3);
            row[count++] = e;
        }
    }
    snprintf(name, sizeof name, "region %d", r);
    region[r].set = op_decl_set(count, name);
    region[r].elems = op_decl_map(region[r].set, elems, 1, row, name);
    region[r].share = op_decl_dat(region[r].set, 1, "double", share, name);
    free(row);
    free(share);
}

static void declare_mesh(int side)
{
    const int size = side * side;
    double *rho = array((size_t)size, sizeof *rho);
    double *e = array((size_t)size, sizeof *e);
    for (int i = 0; i < size; i++) {
        rho[i] = 1.0 + 0.1 * (i % 5);
        e[i] = 2.0 + 0.3 * (i * 7 % 11);
    }
    elems = op_decl_set(size, "elems");
    p_rho = op_decl_dat(elems, 1, "double", rho, "rho");
    p_e = op_decl_dat(elems, 1, "double", e, "e");
    p_p = op_decl_dat(elems, 1, "double", (double *)NULL, "p");
    p_c2 = op_decl_dat(elems, 1, "double", (double *)NULL, "c2");
    free(rho);
    free(e);
    declare_faces(side);
    for (int r = 0; r < REGIONS; r++) {
        declare_region(r, side);
    }
}

static void state_of(int r)
{
    op_par_loop(region_pressure, "region_pressure", region[r].set,
                op_arg_gbl(&gamma_of[r], 1, "double", OP_READ),
                op_arg_dat(p_rho, 0, region[r].elems, 1, "double", OP_READ),
                op_arg_dat(p_e, 0, region[r].elems, 1, "double", OP_READ),
                op_arg_dat(p_p, 0, region[r].elems, 1, "double", OP_WRITE),
                op_arg_dat(p_c2, 0, region[r].elems, 1, "double", OP_WRITE));
}

static double heat(const struct region *part)
{
    double total = 0.0;
    op_par_loop(region_heat, "region_heat", part->set,
                op_arg_dat(part->share, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_p, 0, part->elems, 1, "double", OP_READ),
                op_arg_dat(p_e, 0, part->elems, 1, "double", OP_RW),
                op_arg_gbl(&total, 1, "double", OP_INC));
    return total;
}

int main(int argc, char **argv)
{
    const int side = argc > 1 ? atoi(argv[1]) : 6;
    const int steps = argc > 2 ? atoi(argv[2]) : 3;
    if (side < 1 || side > 5000 || steps < 1) {
        fprintf(stderr, "usage: regions [S [STEPS]]; S from 1 to 5000\n");
        return 2;
    }
    op_init(argc, argv, 1);
    declare_mesh(side);
    op_partition("PTSCOTCH", "KWAY", faces, face_elems, NULL);
    for (int step = 1; step <= steps; step++) {
        double total[REGIONS];
        for (int r = 0; r < REGIONS; r++) {
            state_of(r);
        }
        op_par_loop(exchange, "exchange", faces, op_arg_dat(p_p, 0, face_elems, 1, "double", OP_READ),
                    op_arg_dat(p_p, 1, face_elems, 1, "double", OP_READ),
                    op_arg_dat(p_c2, 0, face_elems, 1, "double", OP_READ),
                    op_arg_dat(p_c2, 1, face_elems, 1, "double", OP_READ),
                    op_arg_dat(p_e, 0, face_elems, 1, "double", OP_INC),
                    op_arg_dat(p_e, 1, face_elems, 1, "double", OP_INC));
        for (int r = 0; r < REGIONS; r++) {
            total[r] = heat(&region[r]);
        }
        op_printf("step %d energies %.15e %.15e %.15e\n", step, total[0], total[1], total[2]);
    }
    op_exit();
    return 0;
}
