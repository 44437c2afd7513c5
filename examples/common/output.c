/* output.c: a mesh with fields as VTK XML (.vtu): a header in XML that says at which byte each
 * array begins, then all arrays in binary, each after its length. output_hdf5.c writes the other
 * format. Valid C and C++.
 *
 * A new file is written beside the one that it replaces, and takes its name when it is complete.
 */
#include "output.h"

#include "output_hdf5.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* VTK's numbers for shapes of cells. */
enum shape { SHAPE_NONE = 0, SHAPE_TRIANGLE = 5, SHAPE_QUAD = 9, SHAPE_TETRA = 10, SHAPE_HEX = 12 };

enum { CHUNK = 4096 }; /* cells or nodes that are converted at a time */

static enum shape mesh_shape(const struct output_mesh *mesh)
{
    const int plane = mesh->dimensions == 2;
    switch (mesh->corners) {
    case 3:
        return SHAPE_TRIANGLE;
    case 4:
        return plane ? SHAPE_QUAD : SHAPE_TETRA;
    case 8:
        return plane ? SHAPE_NONE : SHAPE_HEX;
    default:
        return SHAPE_NONE;
    }
}

static int ends_in(const char *file, const char *suffix)
{
    const size_t length = strlen(file);
    const size_t end = strlen(suffix);
    return length > end && strcmp(file + length - end, suffix) == 0;
}

int output_check(const char *file)
{
    if (ends_in(file, ".vtu") || (ends_in(file, ".vtkhdf") && output_has_hdf5())) {
        return 0;
    }
    fprintf(stderr, "cannot write '%s': %s\n", file,
            ends_in(file, ".vtkhdf")
                ? "this program was built without HDF5 (-DWITH_HDF5); a .vtu file needs none"
                : "the name must end in .vtu (VTK XML) or .vtkhdf");
    return -1;
}

/* ---- arrays --------------------------------------------------------------------------------- */

/* Bytes of the arrays, in their order in the file. */
static uint64_t point_bytes(const struct output_mesh *mesh)
{
    return (uint64_t)mesh->nodes * 3 * sizeof(double);
}

static uint64_t corner_bytes(const struct output_mesh *mesh)
{
    return (uint64_t)mesh->cells * (uint64_t)mesh->corners * sizeof(int32_t);
}

static uint64_t field_bytes(const struct output_mesh *mesh, const struct output_field *field)
{
    return (uint64_t)(field->on_cells ? mesh->cells : mesh->nodes) * (uint64_t)field->components *
           sizeof(double);
}

/* The length that precedes an array. */
static void write_length(FILE *out, uint64_t bytes)
{
    fwrite(&bytes, sizeof bytes, 1, out);
}

/* VTK's points have three coordinates: the third is 0 in the plane. */
static void write_points(FILE *out, const struct output_mesh *mesh)
{
    double point[CHUNK][3];
    write_length(out, point_bytes(mesh));
    for (int first = 0; first < mesh->nodes; first += CHUNK) {
        const int count = mesh->nodes - first < CHUNK ? mesh->nodes - first : CHUNK;
        for (int i = 0; i < count; i++) {
            const double *x = mesh->x + (size_t)(first + i) * (size_t)mesh->dimensions;
            point[i][0] = x[0];
            point[i][1] = x[1];
            point[i][2] = mesh->dimensions == 3 ? x[2] : 0.0;
        }
        fwrite(point, sizeof point[0], (size_t)count, out);
    }
}

/* The end of each cell's corners, and its shape. */
static void write_ends_and_shapes(FILE *out, const struct output_mesh *mesh, enum shape shape)
{
    int64_t end[CHUNK];
    unsigned char shapes[CHUNK];
    write_length(out, (uint64_t)mesh->cells * sizeof end[0]);
    for (int first = 0; first < mesh->cells; first += CHUNK) {
        const int count = mesh->cells - first < CHUNK ? mesh->cells - first : CHUNK;
        for (int i = 0; i < count; i++) {
            end[i] = ((int64_t)first + i + 1) * mesh->corners;
        }
        fwrite(end, sizeof end[0], (size_t)count, out);
    }
    memset(shapes, (int)shape, sizeof shapes);
    write_length(out, (uint64_t)mesh->cells);
    for (int first = 0; first < mesh->cells; first += CHUNK) {
        fwrite(shapes, 1, (size_t)(mesh->cells - first < CHUNK ? mesh->cells - first : CHUNK), out);
    }
}

/* ---- the header ----------------------------------------------------------------------------- */

/* Declares an array that begins at *offset, and moves *offset behind it. */
static void declare_array(FILE *out, const char *type, const char *name, int components,
                          uint64_t bytes, uint64_t *offset)
{
    fprintf(out,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%llu\"/>\n",
            type, name, components, (unsigned long long)*offset);
    *offset += sizeof(uint64_t) + bytes;
}

static void declare_fields(FILE *out, const struct output_mesh *mesh,
                           const struct output_field *fields, int count, int on_cells,
                           uint64_t *offset)
{
    fprintf(out, on_cells ? "<CellData>\n" : "<PointData>\n");
    for (int f = 0; f < count; f++) {
        if (!fields[f].on_cells == !on_cells) {
            declare_array(out, "Float64", fields[f].name, fields[f].components,
                          field_bytes(mesh, &fields[f]), offset);
        }
    }
    fprintf(out, on_cells ? "</CellData>\n" : "</PointData>\n");
}

static void write_header(FILE *out, const struct output_mesh *mesh,
                         const struct output_field *fields, int count)
{
    const uint16_t one = 1;
    uint64_t offset = 0;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n"
            "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n",
            *(const unsigned char *)&one == 1 ? "LittleEndian" : "BigEndian", mesh->nodes,
            mesh->cells);
    declare_array(out, "Float64", "Points", 3, point_bytes(mesh), &offset);
    fprintf(out, "</Points>\n<Cells>\n");
    declare_array(out, "Int32", "connectivity", 1, corner_bytes(mesh), &offset);
    declare_array(out, "Int64", "offsets", 1, (uint64_t)mesh->cells * sizeof(int64_t), &offset);
    declare_array(out, "UInt8", "types", 1, (uint64_t)mesh->cells, &offset);
    fprintf(out, "</Cells>\n");
    declare_fields(out, mesh, fields, count, 0, &offset);
    declare_fields(out, mesh, fields, count, 1, &offset);
    fprintf(out, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
}

static void write_fields(FILE *out, const struct output_mesh *mesh,
                         const struct output_field *fields, int count, int on_cells)
{
    for (int f = 0; f < count; f++) {
        if (!fields[f].on_cells == !on_cells) {
            const uint64_t bytes = field_bytes(mesh, &fields[f]);
            write_length(out, bytes);
            fwrite(fields[f].values, 1, (size_t)bytes, out);
        }
    }
}

/* Returns 0, or -1 with the cause in errno. */
static int write_vtu(const char *file, const struct output_mesh *mesh, enum shape shape,
                     const struct output_field *fields, int count)
{
    FILE *out = fopen(file, "wb");
    if (out == NULL) {
        return -1;
    }
    write_header(out, mesh, fields, count);
    write_points(out, mesh);
    write_length(out, corner_bytes(mesh));
    fwrite(mesh->cell, 1, (size_t)corner_bytes(mesh), out);
    write_ends_and_shapes(out, mesh, shape);
    write_fields(out, mesh, fields, count, 0);
    write_fields(out, mesh, fields, count, 1);
    fprintf(out, "\n</AppendedData>\n</VTKFile>\n");
    const int failed = ferror(out);
    return fclose(out) != 0 || failed ? -1 : 0;
}

/* ---- one file ---------------------------------------------------------------------------------
 */

/* Replaces `file` by the complete `part`, or removes the part. */
static int finish(const char *file, const char *part, const char *problem)
{
    if (problem == NULL && rename(part, file) == 0) {
        return 0;
    }
    fprintf(stderr, "cannot write '%s': %s\n", file, problem != NULL ? problem : strerror(errno));
    remove(part);
    return -1;
}

int output_write(const char *file, const struct output_mesh *mesh,
                 const struct output_field *fields, int count)
{
    const enum shape shape = mesh_shape(mesh);
    if (output_check(file) != 0) {
        return -1;
    }
    if ((mesh->dimensions != 2 && mesh->dimensions != 3) || shape == SHAPE_NONE) {
        fprintf(stderr, "cannot write '%s': no cell has %d corners in %d dimensions\n", file,
                mesh->corners, mesh->dimensions);
        return -1;
    }
    char *part = (char *)malloc(strlen(file) + sizeof ".part");
    if (part == NULL) {
        fprintf(stderr, "cannot write '%s': not enough memory\n", file);
        return -1;
    }
    sprintf(part, "%s.part", file);
    const char *problem = NULL;
    if (ends_in(file, ".vtkhdf")) {
        output_hdf5(part, mesh, (int)shape, fields, count, &problem);
    } else if (write_vtu(part, mesh, shape, fields, count) != 0) {
        problem = strerror(errno);
    }
    const int status = finish(file, part, problem);
    free(part);
    return status;
}
