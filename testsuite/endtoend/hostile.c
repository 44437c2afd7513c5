/* hostile.c: runs the loops of hostile.h. Prints lines "= name value..." that must not depend on
 * the schedule. */
#include "hostile.h"
#include "mesh.h"

#define DIRECT(dat, dim, type, access) op_arg_dat(dat, -1, OP_ID, dim, type, access)
#define OWN(dat, dim) DIRECT(dat, dim, "double", OP_READ)
#define READ(dat, column, map, dim) THROUGH(dat, column, map, dim, "double", OP_READ)
#define ADD(dat, column, map, dim) THROUGH(dat, column, map, dim, "double", OP_INC)
#define THROUGH(dat, column, map, dim, type, access) op_arg_dat(dat, column, map, dim, type, access)

/* Loops whose globals must be counted once. */
static void reduce(op_dat x2, op_dat w2, op_dat v2, op_dat y2, op_dat z2)
{
    double g[2] = {1, 2};
    double least = 1e30;
    double most = -1e30;
    int count = 0;
    op_par_loop(between, "between", links, READ(x2, 0, ends, 2), DIRECT(v2, 2, "double", OP_RW),
                ADD(y2, 0, ends, 2), ADD(z2, 1, others, 2), op_arg_gbl(g, 2, "double", OP_INC),
                op_arg_gbl(&least, 1, "double", OP_MIN), op_arg_gbl(&most, 1, "double", OP_MAX));
    op_par_loop(effects, "effects", links, READ(x2, 0, ends, 2), READ(x2, 1, ends, 2), OWN(w2, 2),
                DIRECT(v2, 2, "double", OP_WRITE), ADD(y2, 0, ends, 2), ADD(y2, 1, ends, 2),
                op_arg_gbl(g, 1, "double", OP_INC), op_arg_gbl(&least, 1, "double", OP_MIN),
                op_arg_gbl(&count, 1, "int", OP_INC));
    printf("= reduced %.9g %.9g %g %g %d\n", g[0], g[1], least, most, count);
    double factor[2] = {3, 2}, sum[3] = {0, 1, 2}, lowest[2] = {1e9, 1e9};
    float single = 0;
    op_par_loop(globals, "globals", links, op_arg_gbl(factor, 2, "double", OP_READ),
                READ(x2, 0, ends, 2), op_arg_idx(1, ends), ADD(y2, 1, ends, 2),
                ADD(z2, 0, others, 2), op_arg_gbl(sum, 3, "double", OP_INC),
                op_arg_gbl(lowest, 2, "double", OP_MIN), op_arg_gbl(&single, 1, "float", OP_INC));
    printf("= globals %g %g %g %g %g %g\n", sum[0], sum[1], sum[2], lowest[0], lowest[1], single);
    mesh_show_double("reduced", v2);
}

/* Sets of few points, some of which no element has. */
static void small_sets(void)
{
    enum { CELLS = 7, FACES = 40, NODES = 3 };
    static int face_cells[2 * FACES], face_node[FACES], last[2] = {POINTS - 1, POINTS - 1};
    for (int e = 0; e < FACES; e++) {
        face_cells[2 * e] = e % 5;
        face_cells[2 * e + 1] = e % 3 == 0 ? e % 5 : (e * 3) % 6;
        face_node[e] = e * e % 2;
    }
    op_set cells = op_decl_set(CELLS, "cells"), faces = op_decl_set(FACES, "faces"),
           nodes = op_decl_set(NODES, "nodes");
    op_set none = op_decl_set(0, "none"), one = op_decl_set(1, "one");
    op_map f2c = op_decl_map(faces, cells, 2, face_cells, "f2c"),
           f2n = op_decl_map(faces, nodes, 1, face_node, "f2n");
    op_map n2 = op_decl_map(none, points, 2, last, "n2"),
           o2 = op_decl_map(one, points, 2, last, "o2");
    op_dat a = mesh_dat_double(faces, 2, "a"), c = mesh_dat_double(cells, 2, "c"),
           n = mesh_dat_double(nodes, 2, "n");
    op_dat cr = mesh_dat_double(cells, 2, "cr"), nr = mesh_dat_double(nodes, 2, "nr"),
           nm = mesh_dat_double(nodes, 1, "nm");
    op_dat x2 = mesh_dat_double(points, 2, "x2"), y2 = mesh_dat_double(points, 2, "y2");
    op_par_loop(two_sets, "two_sets", faces, OWN(a, 2), READ(c, 0, f2c, 2), READ(n, 0, f2n, 2),
                ADD(cr, 0, f2c, 2), ADD(cr, 1, f2c, 2), ADD(nr, 0, f2n, 2),
                THROUGH(nm, 0, f2n, 1, "double", OP_MAX));
    op_par_loop(divs, "divs_none", none, READ(x2, 0, n2, 2), READ(x2, 1, n2, 2), ADD(y2, 0, n2, 2),
                ADD(y2, 1, n2, 2));
    op_par_loop(divs, "divs_one", one, READ(x2, 0, o2, 2), READ(x2, 1, o2, 2), ADD(y2, 0, o2, 2),
                ADD(y2, 1, o2, 2));
    mesh_show_double("cells", cr);
    mesh_show_double("nodes", nr);
    mesh_show_double("nodes", nm);
    mesh_show_double("one", y2);
}

/* Whole numbers, minima and maxima: the same whatever the order. */
static void exact(op_dat x2, op_dat w2, op_dat i2)
{
    op_dat u2 = mesh_dat_uint(links, 2, "u2"), uy = mesh_dat_uint(points, 2, "uy"),
           uz = mesh_dat_uint(points, 2, "uz"), ul = mesh_dat_ull(points, 3, "ul");
    op_dat l2 = mesh_dat_int(points, 2, "l2"), j2 = mesh_dat_int(points, 2, "j2"),
           k2 = mesh_dat_int(points, 2, "k2");
    op_dat lo = mesh_dat_double(points, 2, "lo"), hi = mesh_dat_double(points, 2, "hi"),
           z2 = mesh_dat_double(points, 2, "z2");
    op_dat il = mesh_dat_int(points, 1, "il"), lh = mesh_dat_ll(points, 1, "lh"),
           fl = mesh_dat_float(points, 1, "fl");
    op_par_loop(wraps, "wraps", links, DIRECT(u2, 2, "uint", OP_READ),
                THROUGH(uy, 0, ends, 2, "uint", OP_INC), THROUGH(uz, 1, ends, 2, "uint", OP_INC),
                THROUGH(ul, 3, wide, 3, "ull", OP_INC));
    mesh_show_uint("wraps", uy);
    mesh_show_uint("wraps", uz);
    mesh_show_ull("wraps", ul);
    op_par_loop(divzero, "divzero", links, DIRECT(i2, 2, "int", OP_READ),
                THROUGH(l2, 0, ends, 2, "int", OP_READ), THROUGH(j2, 1, ends, 2, "int", OP_INC),
                THROUGH(k2, 0, others, 2, "int", OP_INC));
    mesh_show_int("divzero", j2);
    mesh_show_int("divzero", k2);
    op_par_loop(extrema, "extrema", links, OWN(w2, 2), READ(x2, 0, ends, 2),
                THROUGH(lo, 0, ends, 2, "double", OP_MIN),
                THROUGH(hi, 1, others, 2, "double", OP_MAX), ADD(z2, 1, ends, 2),
                THROUGH(il, 4, wide, 1, "int", OP_MIN), THROUGH(lh, 1, ends, 1, "ll", OP_MAX),
                THROUGH(fl, 1, ends, 1, "float", OP_MIN));
    mesh_show_double("extrema", lo);
    mesh_show_double("extrema", hi);
    mesh_show_double("extrema", z2);
    mesh_show_int("extrema", il);
    mesh_show_ll("extrema", lh);
    mesh_show_float("extrema", fl);
    op_par_loop(bounds, "bounds", links, OWN(w2, 2), READ(x2, 0, ends, 2),
                THROUGH(lo, 0, ends, 2, "double", OP_MIN),
                THROUGH(hi, 1, others, 2, "double", OP_MAX), THROUGH(il, 4, wide, 1, "int", OP_MIN),
                THROUGH(fl, 1, ends, 1, "float", OP_MIN));
    mesh_show_double("extrema bounds", lo);
    mesh_show_double("extrema bounds", hi);
    mesh_show_int("extrema bounds", il);
    mesh_show_float("extrema bounds", fl);
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    op_decl_const(1, "double", &f_2);
    op_decl_const(3, "double", kappa);
    op_decl_const(1, "int", &mode);
    op_dat x2 = mesh_dat_double(points, 2, "x2"), y2 = mesh_dat_double(points, 2, "y2"),
           z2 = mesh_dat_double(points, 2, "z2");
    op_dat w2 = mesh_dat_double(links, 2, "w2"), v2 = mesh_dat_double(links, 2, "v2"),
           i2 = mesh_dat_int(links, 2, "i2"), f2 = mesh_dat_float(points, 2, "f2");
    op_dat a6 = mesh_dat_double(points, 6, "a6"), b6 = mesh_dat_double(points, 6, "b6"),
           c6 = mesh_dat_double(points, 6, "c6"), y6 = mesh_dat_double(points, 6, "y6");
    exact(x2, w2, i2);
    op_par_loop(guards, "guards", links, READ(x2, 0, ends, 2), OWN(w2, 2), ADD(y2, 0, ends, 2),
                ADD(z2, 1, others, 2));
    op_par_loop(divs, "divs", links, READ(x2, 0, ends, 2), READ(x2, 1, ends, 2),
                ADD(y2, 0, ends, 2), ADD(y2, 1, ends, 2));
    op_par_loop(scales, "scales", links, READ(x2, 0, ends, 2), READ(x2, 1, ends, 2),
                ADD(y2, 0, ends, 2), ADD(z2, 1, ends, 2), THROUGH(f2, 1, ends, 2, "float", OP_INC));
    op_par_loop(selects, "selects", links, READ(x2, 0, ends, 2), READ(x2, 1, ends, 2), OWN(w2, 2),
                ADD(y2, 0, ends, 2), ADD(y2, 1, ends, 2));
    op_par_loop(twice, "twice", links, READ(x2, 0, ends, 2), READ(x2, 1, others, 2),
                READ(x2, 0, ends, 2), ADD(y2, 0, ends, 2), ADD(y2, 1, others, 2),
                ADD(y2, 0, ends, 2));
    reduce(x2, w2, v2, y2, z2);
    for (int n = -1; n < 9; n += 3) {
        op_par_loop(runtime, "runtime", links, op_arg_gbl(&n, 1, "int", OP_READ),
                    READ(x2, 0, ends, 2), ADD(y2, 1, ends, 2), ADD(z2, 0, others, 2),
                    DIRECT(v2, 2, "double", OP_RW));
    }
    op_par_loop(cudaFree_names, "names", links, READ(x2, 0, ends, 2), READ(x2, 1, ends, 2),
                ADD(y2, 0, ends, 2), ADD(z2, 0, others, 2), DIRECT(i2, 2, "int", OP_READ));
    op_par_loop(records, "records", links, READ(a6, 0, ends, 6), READ(b6, 1, ends, 6),
                READ(c6, 0, others, 6), DIRECT(i2, 2, "int", OP_READ), ADD(y6, 0, ends, 6),
                ADD(y6, 1, ends, 6));
    op_par_loop(numbers, "numbers", links, op_arg_idx(-1, OP_ID), op_arg_idx(1, ends),
                READ(x2, 0, ends, 2), ADD(y2, 0, ends, 2), ADD(z2, 0, others, 2));
    op_par_loop(prints, "prints", links, READ(x2, 0, ends, 2), op_arg_idx(-1, OP_ID),
                ADD(y2, 0, ends, 2), ADD(z2, 0, others, 2));
    op_par_loop(vector, "vector", links, READ(x2, -2, ends, 2), READ(x2, 1, others, 2),
                ADD(y2, -2, ends, 2), ADD(y2, 1, ends, 2), ADD(z2, 1, others, 2));
    op_par_loop(control, "control", links, READ(x2, 0, ends, 2), DIRECT(i2, 2, "int", OP_READ),
                ADD(y2, 1, ends, 2), ADD(z2, 0, others, 2));
    op_par_loop(library, "library", links, READ(x2, 0, ends, 2), DIRECT(i2, 2, "int", OP_READ),
                ADD(y2, 1, ends, 2), ADD(z2, 0, others, 2));
    op_par_loop(eight, "eight", links, READ(x2, -8, wide, 2), DIRECT(i2, 2, "int", OP_READ),
                ADD(y2, -8, wide, 2), ADD(z2, 0, ends, 2));
    small_sets();
    mesh_show_double("all", y2);
    mesh_show_double("all", z2);
    mesh_show_double("all", y6);
    mesh_show_double("all", v2);
    op_exit();
    return 0;
}
