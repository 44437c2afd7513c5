// level.h: the meshes of the levels, from the finest to the coarsest: boxes of tetrahedra.
#ifndef MGCFD_LEVEL_H
#define MGCFD_LEVEL_H

#include <vector>

#include "../common/tet_box.h"

struct Mesh {
    tet_box box;             // nodes, edges, boundary nodes; of the finest level tetrahedra
    std::vector<int> group;  // of each boundary node
    std::vector<int> coarse; // of each node the one on the next level; empty on the last
    Mesh() : box()
    {
    }
    Mesh(const Mesh &) = delete;
    Mesh &operator=(const Mesh &) = delete;
    ~Mesh()
    {
        tet_box_free(&box);
    }
};

// Makes so many levels of a channel of length 3 with 3n * n * n cubes; each level has half of the
// cubes along each axis. With `bump` its floor has one and its sides along x alone are far field;
// else all sides are. Ends the program with 1 or 2 and a message when that is not possible.
void make_meshes(std::vector<Mesh> &meshes, int n, bool bump, bool with_cells);

// Numbers all levels at random.
void shuffle_meshes(std::vector<Mesh> &meshes, int seed);

#endif
