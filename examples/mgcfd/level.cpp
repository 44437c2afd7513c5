// level.cpp: makes and shuffles the meshes of the levels (level.h).
#include "level.h"

#include <cmath>
#include <cstdlib>

#include "../common/permute.h"
#include "../common/run.h"

namespace
{

enum { WALL = 1, FAR_FIELD = 3 };

// The unit cube becomes the channel.
void place_nodes(tet_box &box, bool bump)
{
    for (int v = 0; v < box.nodes; v++) {
        double *x = &box.x[3 * size_t(v)];
        x[0] *= 3.0;
        if (bump) {
            const double dx = x[0] - 1.5, dy = x[1] - 0.5;
            const double floor = 0.1 * std::exp(-16.0 * (dx * dx + dy * dy));
            x[2] = floor + (1.0 - floor) * x[2];
        }
    }
}

void make_mesh(Mesh &mesh, const int cubes[3], bool bump, bool with_cells)
{
    tet_box *box = &mesh.box;
    int status = tet_box_nodes(box, cubes);
    if (status == 0) {
        place_nodes(*box, bump);
        status = tet_box_edges(box);
    }
    if (status == 0) {
        status = tet_box_triangles(box);
    }
    if (status == 0) {
        status = tet_box_boundary(box);
    }
    if (status == 0 && with_cells) {
        status = tet_box_tets(box);
    }
    if (status != 0) {
        std::exit(status);
    }
    mesh.group.resize(size_t(box->boundary_nodes));
    for (int b = 0; b < box->boundary_nodes; b++) {
        mesh.group[size_t(b)] = bump && box->side[b] > TET_BOX_X_HIGH ? WALL : FAR_FIELD;
    }
}

// Node (i, j, k) belongs to node (i/2, j/2, k/2).
void make_coarse(Mesh &mesh, const tet_box &below)
{
    mesh.coarse.resize(size_t(mesh.box.nodes));
    for (int v = 0; v < mesh.box.nodes; v++) {
        int place[3];
        tet_box_place(&mesh.box, v, place);
        mesh.coarse[size_t(v)] =
            place[0] / 2 + (below.n[0] + 1) * (place[1] / 2 + (below.n[1] + 1) * (place[2] / 2));
    }
}

template <typename Row> void permute(Row *rows, int n, int width, const int *to)
{
    permute_rows(rows, n, size_t(width) * sizeof(Row), to);
}

void shuffle_edges(tet_box &box, int seed)
{
    int *edge = permutation_new(box.edges, seed);
    permute(box.edge, box.edges, 2, edge);
    permute(box.area, box.edges, 3, edge);
    std::free(edge);
}

void shuffle_boundary(Mesh &mesh, int seed)
{
    tet_box &box = mesh.box;
    int *boundary = permutation_new(box.boundary_nodes, seed);
    permute(box.boundary_node, box.boundary_nodes, 1, boundary);
    permute(box.boundary_area, box.boundary_nodes, 3, boundary);
    permute(mesh.group.data(), box.boundary_nodes, 1, boundary);
    std::free(boundary);
}

// `above`: the next finer level, whose map leads here; nullptr on the finest.
void shuffle_nodes(Mesh &mesh, Mesh *above, int seed)
{
    tet_box &box = mesh.box;
    int *node = permutation_new(box.nodes, seed);
    permute(box.x, box.nodes, 3, node);
    permute(box.volume, box.nodes, 1, node);
    permute_entries(box.edge, 2 * size_t(box.edges), node);
    permute_entries(box.boundary_node, size_t(box.boundary_nodes), node);
    permute_entries(box.tet, 4 * size_t(box.tets), node);
    if (!mesh.coarse.empty()) {
        permute(mesh.coarse.data(), box.nodes, 1, node);
    }
    if (above != nullptr) {
        permute_entries(above->coarse.data(), above->coarse.size(), node);
    }
    std::free(node);
}

} // namespace

void make_meshes(std::vector<Mesh> &meshes, int n, bool bump, bool with_cells)
{
    if (n > 1000000) {
        run_refused("mgcfd", "--n=%d: that many cubes have more nodes than an int can count", n);
    }
    int cubes[3] = {3 * n, n, n};
    for (size_t l = 0; l < meshes.size(); l++) {
        if (cubes[1] < 1) {
            run_refused("mgcfd", "%zu levels: %d cubes can be halved %zu times only", meshes.size(),
                        n, l - 1);
        }
        make_mesh(meshes[l], cubes, bump, with_cells && l == 0);
        if (l > 0) {
            make_coarse(meshes[l - 1], meshes[l].box);
        }
        for (int &count : cubes) {
            count /= 2;
        }
    }
}

void shuffle_meshes(std::vector<Mesh> &meshes, int seed)
{
    for (size_t l = 0; l < meshes.size(); l++) {
        const int first = seed + 3 * int(l);
        shuffle_nodes(meshes[l], l > 0 ? &meshes[l - 1] : nullptr, first);
        shuffle_edges(meshes[l].box, first + 1);
        shuffle_boundary(meshes[l], first + 2);
    }
}
