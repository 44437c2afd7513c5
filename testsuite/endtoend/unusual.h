/* unusual.h: mesh and loop of unusual.c and unusual.cpp: programs that are right, but not what most
 * programs look like. Each kernel gets i and w of the link, a and b of its points, and adds to p
 * and q of other points.
 */
#ifndef CLEAVE_TEST_UNUSUAL_H
#define CLEAVE_TEST_UNUSUAL_H

#include "mesh.h"

#define KERNEL(name)                                                                               \
    static void name(const int *i, double *w, const double *a, const double *b, double *p,         \
                     double *q)

/* Arguments of the loop, the dats being made for it. */
#define LOOP(kernel)                                                                               \
    do {                                                                                           \
        op_dat i = mesh_dat_int(links, 4, "i"), w = mesh_dat_double(links, 4, "w");                \
        op_dat x = mesh_dat_double(points, 4, "x"), y = mesh_dat_double(points, 4, "y");           \
        op_par_loop(kernel, #kernel, links, op_arg_dat(i, -1, OP_ID, 4, "int", OP_READ),           \
                    op_arg_dat(w, -1, OP_ID, 4, "double", OP_RW),                                  \
                    op_arg_dat(x, 0, ends, 4, "double", OP_READ),                                  \
                    op_arg_dat(x, 1, ends, 4, "double", OP_READ),                                  \
                    op_arg_dat(y, 0, others, 4, "double", OP_INC),                                 \
                    op_arg_dat(y, 1, others, 4, "double", OP_INC));                                \
        mesh_show_double(#kernel, w);                                                              \
        mesh_show_double(#kernel, y);                                                              \
    } while (0)

/* Kernels of links alone, which are cheaper to compile. */
#define DIRECT_KERNEL(name) static void name(const int *i, double *w)
#define DIRECT(kernel)                                                                             \
    do {                                                                                           \
        op_dat i = mesh_dat_int(links, 4, "i"), w = mesh_dat_double(links, 4, "w");                \
        op_par_loop(kernel, #kernel, links, op_arg_dat(i, -1, OP_ID, 4, "int", OP_READ),           \
                    op_arg_dat(w, -1, OP_ID, 4, "double", OP_RW));                                 \
        mesh_show_double(#kernel, w);                                                              \
    } while (0)

#endif
