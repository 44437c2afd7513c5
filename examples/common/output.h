/* output.h: writes a mesh with fields to a file that ParaView and VTK read. C11 and C++17. */
#ifndef EXAMPLES_OUTPUT_H
#define EXAMPLES_OUTPUT_H

#ifdef __cplusplus
extern "C" {
#endif

/* One value, or a vector of values, at each node or in each cell. */
struct output_field {
    const char *name;     /* letters, digits and _ */
    int on_cells;         /* 1: values in cells; 0: at nodes */
    int components;       /* from 1 on */
    const double *values; /* [cells or nodes][components] */
};

/* A mesh whose cells all have one shape, with corners in VTK's order: polygons all the way round;
 * of a tetrahedron the fourth on the side to which the normal of the first three points; of a
 * hexahedron the lower face all the way round, then the upper one above it. */
struct output_mesh {
    int nodes;
    int dimensions;  /* 2 or 3 */
    const double *x; /* [nodes][dimensions] */
    int cells;
    int corners; /* 3: triangles; 4: quadrilaterals, or tetrahedra in three dimensions; 8: hexahedra
                  */
    const int *cell; /* [cells][corners] nodes, each from 0 to nodes - 1 */
};

/* Writes `count` fields. FILE.vtu is VTK XML with binary data, FILE.vtkhdf is VTKHDF; the latter
 * needs a program that was compiled with -DWITH_HDF5 and linked with HDF5. A file of that name is
 * replaced when the new one is complete. Returns 0, or -1 after a message on stderr. */
int output_write(const char *file, const struct output_mesh *mesh,
                 const struct output_field *fields, int count);

/* Whether this program can write a file of that name: 0, or -1 after a message. Ask before a long
 * run. */
int output_check(const char *file);

#ifdef __cplusplus
}
#endif
#endif
