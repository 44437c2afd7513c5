/* output_hdf5.c: a mesh with fields in VTKHDF (version 2.0 of the format): one group "VTKHDF" with
 * the mesh, and in it the groups "PointData" and "CellData". Without -DWITH_HDF5 the program has no
 * HDF5, and output.c says so. Valid C and C++.
 */
#include "output_hdf5.h"

#ifdef WITH_HDF5
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

int output_has_hdf5(void)
{
    return 1;
}

/* Writes an array of `count` rows of `width` values: of one dimension for width 0. */
static int write_array(hid_t group, const char *name, hid_t type, size_t count, int width,
                       const void *values)
{
    const hsize_t size[2] = {count, (hsize_t)width};
    const hid_t space = H5Screate_simple(width > 0 ? 2 : 1, size, NULL);
    const hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const int failed =
        set < 0 || (count > 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0);
    if (set >= 0) {
        H5Dclose(set);
    }
    H5Sclose(space);
    return failed;
}

/* A size, which VTKHDF keeps for each of its parts: there is one. */
static int write_size(hid_t group, const char *name, long long value)
{
    return write_array(group, name, H5T_NATIVE_LLONG, 1, 0, &value);
}

static int write_attribute(hid_t group, const char *name, hid_t type, hid_t space,
                           const void *value)
{
    const hid_t attribute = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const int failed = attribute < 0 || H5Awrite(attribute, type, value) < 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    return failed;
}

/* The kind of the file: attributes Version and Type. */
static int write_kind(hid_t group)
{
    const char kind[] = "UnstructuredGrid";
    const long long version[2] = {2, 0};
    const hsize_t two = 2;
    const hid_t numbers = H5Screate_simple(1, &two, NULL);
    const hid_t scalar = H5Screate(H5S_SCALAR);
    const hid_t text = H5Tcopy(H5T_C_S1);
    int failed = H5Tset_size(text, strlen(kind)) < 0 || H5Tset_strpad(text, H5T_STR_NULLPAD) < 0;
    failed |= write_attribute(group, "Version", H5T_NATIVE_LLONG, numbers, version);
    failed |= write_attribute(group, "Type", text, scalar, kind);
    H5Tclose(text);
    H5Sclose(scalar);
    H5Sclose(numbers);
    return failed;
}

/* VTK's points have three coordinates: the third is 0 in the plane. */
static int write_points(hid_t group, const struct output_mesh *mesh)
{
    const size_t nodes = (size_t)mesh->nodes;
    double *point = (double *)malloc((nodes + 1) * 3 * sizeof *point);
    if (point == NULL) {
        return 1;
    }
    for (size_t i = 0; i < nodes; i++) {
        const double *x = mesh->x + i * (size_t)mesh->dimensions;
        point[3 * i] = x[0];
        point[3 * i + 1] = x[1];
        point[3 * i + 2] = mesh->dimensions == 3 ? x[2] : 0.0;
    }
    const int failed = write_size(group, "NumberOfPoints", mesh->nodes) ||
                       write_array(group, "Points", H5T_NATIVE_DOUBLE, nodes, 3, point);
    free(point);
    return failed;
}

/* Corners, where those of each cell begin (and the last end), and shapes. */
static int write_cells(hid_t group, const struct output_mesh *mesh, int shape)
{
    const size_t cells = (size_t)mesh->cells;
    const size_t corners = cells * (size_t)mesh->corners;
    long long *begin = (long long *)malloc((cells + 1) * sizeof *begin);
    unsigned char *shapes = (unsigned char *)malloc(cells + 1);
    int failed = begin == NULL || shapes == NULL;
    for (size_t c = 0; !failed && c <= cells; c++) {
        begin[c] = (long long)(c * (size_t)mesh->corners);
        shapes[c] = (unsigned char)shape;
    }
    failed = failed || write_size(group, "NumberOfCells", mesh->cells) ||
             write_size(group, "NumberOfConnectivityIds", (long long)corners) ||
             write_array(group, "Connectivity", H5T_NATIVE_INT, corners, 0, mesh->cell) ||
             write_array(group, "Offsets", H5T_NATIVE_LLONG, cells + 1, 0, begin) ||
             write_array(group, "Types", H5T_NATIVE_UCHAR, cells, 0, shapes);
    free(begin);
    free(shapes);
    return failed;
}

static int write_fields(hid_t root, const struct output_mesh *mesh,
                        const struct output_field *fields, int count, int on_cells)
{
    const hid_t group = H5Gcreate2(root, on_cells ? "CellData" : "PointData", H5P_DEFAULT,
                                   H5P_DEFAULT, H5P_DEFAULT);
    int failed = group < 0;
    for (int f = 0; !failed && f < count; f++) {
        const struct output_field *field = &fields[f];
        if (!field->on_cells == !on_cells) {
            failed = write_array(group, field->name, H5T_NATIVE_DOUBLE,
                                 (size_t)(on_cells ? mesh->cells : mesh->nodes),
                                 field->components > 1 ? field->components : 0, field->values);
        }
    }
    if (group >= 0) {
        H5Gclose(group);
    }
    return failed;
}

static int create_file(const char *file, const struct output_mesh *mesh, int shape,
                       const struct output_field *fields, int count, const char **problem)
{
    const hid_t out = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (out < 0) {
        *problem = "HDF5 cannot create the file";
        return -1;
    }
    const hid_t group = H5Gcreate2(out, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int failed = group < 0 || write_kind(group) || write_points(group, mesh) ||
                 write_cells(group, mesh, shape) || write_fields(group, mesh, fields, count, 0) ||
                 write_fields(group, mesh, fields, count, 1);
    if (group >= 0) {
        H5Gclose(group);
    }
    failed = H5Fclose(out) < 0 || failed;
    if (failed) {
        *problem = "HDF5 cannot write all of it: no space, or not enough memory";
        return -1;
    }
    return 0;
}

/* HDF5 prints its stack of errors by default: the caller reports in one line instead. */
int output_hdf5(const char *file, const struct output_mesh *mesh, int shape,
                const struct output_field *fields, int count, const char **problem)
{
    int status = -1;
    H5E_BEGIN_TRY
    {
        status = create_file(file, mesh, shape, fields, count, problem);
    }
    H5E_END_TRY;
    return status;
}

#else

int output_has_hdf5(void)
{
    return 0;
}

/* Not called: output_check() refuses such a file. */
int output_hdf5(const char *file, const struct output_mesh *mesh, int shape,
                const struct output_field *fields, int count, const char **problem)
{
    (void)file;
    (void)mesh;
    (void)shape;
    (void)fields;
    (void)count;
    *problem = "this program was built without HDF5";
    return -1;
}

#endif
