/* mesh.h: a small mesh, whole-number data and exact printing for the programs of this folder; valid
 * as C11 and as C++17. Every program prints lines "= name value..." that must not depend on
 * backend, schedule or race resolution. */
#ifndef CLEAVE_TEST_MESH_H
#define CLEAVE_TEST_MESH_H

#include "op_seq.h"

enum { SIDE = 9, POINTS = SIDE * SIDE, LINKS = 2 * SIDE * (SIDE - 1), WIDE = 10 };

static op_set points;
static op_set links;
static op_map ends;   /* 2 points of a link */
static op_map others; /* 2 other points of it, some of them its ends */
static op_map wide;   /* WIDE points of it, all different */

static inline void mesh_make(void)
{
    static int end[2 * LINKS];
    static int other[2 * LINKS];
    static int far[WIDE * LINKS];
    int n = 0;
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            int p = i + j * SIDE;
            if (i + 1 < SIDE) {
                end[2 * n] = p;
                end[2 * n++ + 1] = p + 1;
            }
            if (j + 1 < SIDE) {
                end[2 * n] = p + SIDE;
                end[2 * n++ + 1] = p;
            }
        }
    }
    for (int e = 0; e < LINKS; e++) {
        other[2 * e] = (e * 7) % POINTS;
        other[2 * e + 1] = end[2 * e];
        for (int c = 0; c < WIDE; c++) {
            far[WIDE * e + c] = (end[2 * e] + 3 * c) % POINTS;
        }
    }
    points = op_decl_set(POINTS, "points");
    links = op_decl_set(LINKS, "links");
    ends = op_decl_map(links, points, 2, end, "ends");
    others = op_decl_map(links, points, 2, other, "others");
    wide = op_decl_map(links, points, WIDE, far, "wide");
}

/* A dat of `type` with small whole numbers. */
#define MESH_DAT(set, dim, type, word, name) mesh_dat_##word((set), (dim), (name))
#define MESH_DAT_OF(type, word, text)                                                              \
    static inline op_dat mesh_dat_##word(op_set set, int dim, const char *name)                    \
    {                                                                                              \
        type *value = (type *)malloc(sizeof(type) * (size_t)(set->size * dim) + 1);                \
        for (int i = 0; i < set->size * dim; i++) {                                                \
            value[i] = (type)((i * 13 + dim) % 7);                                                 \
        }                                                                                          \
        op_dat dat = op_decl_dat(set, dim, text, value, name);                                     \
        free(value);                                                                               \
        return dat;                                                                                \
    }                                                                                              \
    static inline void mesh_show_##word(const char *name, op_dat dat)                              \
    {                                                                                              \
        type *value = (type *)malloc((size_t)(dat->set->size * dat->size) + 1);                    \
        op_fetch_data(dat, value);                                                                 \
        long first = 0;                                                                            \
        long second = 0;                                                                           \
        for (int i = 0; i < dat->set->size * dat->dim; i++) {                                      \
            first += (long)value[i];                                                               \
            second += (long)value[i] * (i % 101 + 1);                                              \
        }                                                                                          \
        printf("= %s %s %ld %ld\n", name, text, first, second);                                    \
        free(value);                                                                               \
    }
MESH_DAT_OF(double, double, "double")
MESH_DAT_OF(float, float, "float")
MESH_DAT_OF(int, int, "int")
MESH_DAT_OF(unsigned int, uint, "uint")
MESH_DAT_OF(long, long, "long")
MESH_DAT_OF(ll, ll, "ll")
MESH_DAT_OF(ull, ull, "ull")
MESH_DAT_OF(bool, bool, "bool")

#endif
