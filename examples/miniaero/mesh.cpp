/* mesh.cpp: makes the mesh of mesh.h: the geometry of cells and faces. */
#include "mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "../common/permute.h"

namespace
{

using vector3 = double[3];

double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cross(const double *a, const double *b, double *product)
{
    for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3;
        const int f = (d + 2) % 3;
        product[d] = a[e] * b[f] - a[f] * b[e];
    }
}

/* Lowers what lies above the ramp: rows of nodes divide the height that is left evenly. */
void raise_ramp(hex_box &box, const double size[3], double angle)
{
    const double slope = std::tan(angle * 3.14159265 / 180.0);
    for (int node = 0; node < box.nodes; node++) {
        double *x = box.x + 3 * static_cast<size_t>(node);
        const double floor = (x[0] - size[0] / 2.0) * slope;
        if (x[0] >= size[0] / 2.0) {
            const int j = node / (box.n[0] + 1) % (box.n[1] + 1);
            x[1] = floor + j * (size[1] - floor) / box.n[1];
        }
    }
}

/* Volume of a hexahedron by 2*2*2 Gauss points, and the mean of its corners. */
double measure_cell(const double *x, const int *corner, double *centre)
{
    static const int sign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    std::fill_n(centre, 3, 0.0);
    for (int c = 0; c < 8; c++) {
        for (int d = 0; d < 3; d++) {
            centre[d] += 0.125 * x[3 * static_cast<size_t>(corner[c]) + d];
        }
    }
    double volume = 0.0;
    for (int point = 0; point < 8; point++) {
        vector3 along[3] = {}; /* derivatives of the position by the three local coordinates */
        for (int c = 0; c < 8; c++) {
            double factor[3];
            for (int e = 0; e < 3; e++) {
                factor[e] = 0.5 * (1.0 + sign[c][e] * sign[point][e] / std::sqrt(3.0));
            }
            for (int e = 0; e < 3; e++) {
                const double weight = 0.5 * sign[c][e] * factor[(e + 1) % 3] * factor[(e + 2) % 3];
                for (int d = 0; d < 3; d++) {
                    along[e][d] += weight * x[3 * static_cast<size_t>(corner[c]) + d];
                }
            }
        }
        vector3 normal;
        cross(along[0], along[1], normal);
        volume += dot(normal, along[2]);
    }
    return volume;
}

void measure_face(const double *x, const int *node, double *centre, double *S, double *T, double *B)
{
    const double *corner[4];
    for (int c = 0; c < 4; c++) {
        corner[c] = x + 3 * static_cast<size_t>(node[c]);
    }
    vector3 diagonal[2];
    for (int d = 0; d < 3; d++) {
        centre[d] = 0.25 * (corner[0][d] + corner[1][d] + corner[2][d] + corner[3][d]);
        diagonal[0][d] = 0.5 * (corner[2][d] - corner[0][d]);
        diagonal[1][d] = corner[3][d] - corner[1][d];
    }
    cross(diagonal[0], diagonal[1], S);
    const auto shorter = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
    const int i = static_cast<int>(std::max_element(S, S + 3, shorter) - S);
    const int j = (i + 2) % 3;
    const double length = std::sqrt(S[i] * S[i] + S[j] * S[j]);
    std::fill_n(T, 3, 0.0);
    T[i] = S[j] / length;
    T[j] = -S[i] / length;
    cross(S, T, B);
}

void measure_faces(face_set &faces, const double *x, int size, const int *cell, int cells_of_face,
                   const int *node)
{
    const size_t values = 3 * static_cast<size_t>(size);
    faces.size = size;
    faces.cell.assign(cell, cell + static_cast<size_t>(size) * cells_of_face);
    for (auto *dat : {&faces.centre, &faces.S, &faces.T, &faces.B}) {
        dat->resize(values);
    }
    for (size_t f = 0; f < values; f += 3) {
        measure_face(x, node + f / 3 * 4, &faces.centre[f], &faces.S[f], &faces.T[f], &faces.B[f]);
    }
}

void measure_cells(mesh &mesh, const hex_box &box)
{
    const size_t cells = static_cast<size_t>(box.cells);
    mesh.centre.resize(3 * cells);
    mesh.volume.resize(cells);
    mesh.number.resize(cells);
    for (size_t c = 0; c < cells; c++) {
        mesh.volume[c] = measure_cell(box.x, box.cell + 8 * c, &mesh.centre[3 * c]);
        mesh.number[c] = static_cast<int>(c);
    }
}

/* New numbers for n things at random. */
using numbering = std::unique_ptr<int, decltype(&std::free)>;

void shuffle_faces(face_set &faces, const int *cell_number, int cells_of_face, int seed)
{
    const numbering number(permutation_new(faces.size, seed), std::free);
    permute_entries(faces.cell.data(), faces.cell.size(), cell_number);
    permute_rows(faces.cell.data(), faces.size, cells_of_face * sizeof(int), number.get());
    for (auto *dat : {&faces.centre, &faces.S, &faces.T, &faces.B}) {
        permute_rows(dat->data(), faces.size, 3 * sizeof(double), number.get());
    }
}

} // namespace

int mesh_make(mesh &mesh, const int n[3], const double size[3], double angle)
{
    if (std::tan(angle * 3.14159265 / 180.0) * size[0] / 2.0 >= size[1]) {
        std::fprintf(stderr, "miniaero: a ramp of %g degrees reaches the upper side\n", angle);
        return 2;
    }
    hex_box box;
    hex_faces faces;
    int status = hex_box_make(&box, n, size);
    if (status == 0) {
        raise_ramp(box, size, angle);
        status = hex_faces_make(&faces, &box);
    }
    if (status != 0) {
        hex_box_free(&box);
        return status;
    }
    std::copy_n(n, 3, mesh.n);
    mesh.cells = box.cells;
    measure_cells(mesh, box);
    measure_faces(mesh.inner, box.x, faces.faces, faces.cell, 2, faces.node);
    for (int side = 0; side < HEX_SIDES; side++) {
        const hex_side_faces &of = faces.side[side];
        measure_faces(mesh.side[side], box.x, of.faces, of.cell, 1, of.node);
    }
    mesh.x.assign(box.x, box.x + 3 * static_cast<size_t>(box.nodes));
    mesh.corners.assign(box.cell, box.cell + 8 * static_cast<size_t>(box.cells));
    hex_faces_free(&faces);
    hex_box_free(&box);
    return 0;
}

void mesh_shuffle(mesh &mesh, int seed)
{
    const numbering number(permutation_new(mesh.cells, seed++), std::free);
    shuffle_faces(mesh.inner, number.get(), 2, seed++);
    for (face_set &side : mesh.side) {
        shuffle_faces(side, number.get(), 1, seed++);
    }
    permute_rows(mesh.centre.data(), mesh.cells, 3 * sizeof(double), number.get());
    permute_rows(mesh.volume.data(), mesh.cells, sizeof(double), number.get());
    mesh.number.assign(number.get(), number.get() + mesh.cells);
}
