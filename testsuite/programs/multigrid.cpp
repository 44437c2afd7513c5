// multigrid.cpp: a V-cycle on nested grids in OP2's C++ interface: sets, maps and dats of all levels in vectors, so
// that the arguments of a loop are expressions of the level. Jacobi on the edges of each level, residuals added to
// the coarse cell, corrections read from it; the convergence as a maximum.
//
//   multigrid [SIDE [CYCLES]]   (default: 16 3; SIDE a power of two, 4 and more)

#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static double omega = 0.8;

inline void clear(double *value)
{
    *value = 0.0;
}

inline void edge_sums(const double *left, const double *right, double *sum_left, double *sum_right,
                      int *degree_left, int *degree_right)
{
    *sum_left += *right;
    *sum_right += *left;
    *degree_left += 1;
    *degree_right += 1;
}

inline void relax(const double *f, const double *sum, int *degree, double *u, double *residual)
{
    const double diagonal = *degree + 0.5;
    *residual = *f + *sum - diagonal * *u;
    *u += omega * *residual / diagonal;
    *degree = 0;
}

inline void restrict_residual(const double *residual, double *coarse)
{
    *coarse += 0.25 * *residual;
}

inline void prolong(const double *correction, double *u)
{
    *u += *correction;
}

inline void largest(const double *residual, double *most)
{
    *most = std::fmax(*most, std::fabs(*residual));
}

struct Grid {
    std::vector<op_set> cells, edges;
    std::vector<op_map> edge_cells, to_coarse;
    std::vector<op_dat> u, f, sum, degree, residual;
};

static op_map declare_edges(Grid &grid, int level, int side)
{
    std::vector<int> row;
    for (int c = 0; c < side * side; c++) {
        if (c % side + 1 < side) {
            row.insert(row.end(), {c, c + 1});
        }
        if (c / side + 1 < side) {
            row.insert(row.end(), {c, c + side});
        }
    }
    grid.edges.push_back(op_decl_set(int(row.size() / 2), ("edges " + std::to_string(level)).c_str()));
    return op_decl_map(grid.edges[level], grid.cells[level], 2, row.data(), "edge_cells");
}

static void declare_level(Grid &grid, int level, int side)
{
    std::vector<double> f(size_t(side) * side), zero(f.size(), 0.0);
    for (size_t c = 0; c < f.size(); c++) {
        f[c] = level == 0 ? std::sin(0.37 * double(c)) : 0.0;
    }
    std::vector<int> none(f.size(), 0);
    grid.cells.push_back(op_decl_set(side * side, ("cells " + std::to_string(level)).c_str()));
    grid.edge_cells.push_back(declare_edges(grid, level, side));
    grid.u.push_back(op_decl_dat(grid.cells[level], 1, "double", zero.data(), "u"));
    grid.f.push_back(op_decl_dat(grid.cells[level], 1, "double", f.data(), "f"));
    grid.sum.push_back(op_decl_dat(grid.cells[level], 1, "double", zero.data(), "sum"));
    grid.degree.push_back(op_decl_dat(grid.cells[level], 1, "int", none.data(), "degree"));
    grid.residual.push_back(op_decl_dat(grid.cells[level], 1, "double", zero.data(), "residual"));
}

static void declare_coarsening(Grid &grid, int level, int side)
{
    std::vector<int> row(size_t(side) * side);
    for (int c = 0; c < side * side; c++) {
        row[c] = c % side / 2 + c / side / 2 * (side / 2);
    }
    grid.to_coarse.push_back(
        op_decl_map(grid.cells[level], grid.cells[level + 1], 1, row.data(), "to_coarse"));
}

static void smooth(const Grid &grid, int l)
{
    op_par_loop(clear, "clear", grid.cells[l], op_arg_dat(grid.sum[l], -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(edge_sums, "edge_sums", grid.edges[l],
                op_arg_dat(grid.u[l], 0, grid.edge_cells[l], 1, "double", OP_READ),
                op_arg_dat(grid.u[l], 1, grid.edge_cells[l], 1, "double", OP_READ),
                op_arg_dat(grid.sum[l], 0, grid.edge_cells[l], 1, "double", OP_INC),
                op_arg_dat(grid.sum[l], 1, grid.edge_cells[l], 1, "double", OP_INC),
                op_arg_dat(grid.degree[l], 0, grid.edge_cells[l], 1, "int", OP_INC),
                op_arg_dat(grid.degree[l], 1, grid.edge_cells[l], 1, "int", OP_INC));
    op_par_loop(relax, "relax", grid.cells[l], op_arg_dat(grid.f[l], -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(grid.sum[l], -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(grid.degree[l], -1, OP_ID, 1, "int", OP_RW),
                op_arg_dat(grid.u[l], -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(grid.residual[l], -1, OP_ID, 1, "double", OP_WRITE));
}

static void cycle(const Grid &grid, int levels)
{
    for (int level = 0; level + 1 < levels; level++) {
        smooth(grid, level);
        op_par_loop(clear, "clear_f", grid.cells[level + 1],
                    op_arg_dat(grid.f[level + 1], -1, OP_ID, 1, "double", OP_WRITE));
        op_par_loop(clear, "clear_u", grid.cells[level + 1],
                    op_arg_dat(grid.u[level + 1], -1, OP_ID, 1, "double", OP_WRITE));
        op_par_loop(restrict_residual, "restrict_residual", grid.cells[level],
                    op_arg_dat(grid.residual[level], -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(grid.f[level + 1], 0, grid.to_coarse[level], 1, "double", OP_INC));
    }
    for (int level = levels - 1; level >= 0; level--) {
        smooth(grid, level);
        if (level > 0) {
            op_par_loop(prolong, "prolong", grid.cells[level - 1],
                        op_arg_dat(grid.u[level], 0, grid.to_coarse[level - 1], 1, "double", OP_READ),
                        op_arg_dat(grid.u[level - 1], -1, OP_ID, 1, "double", OP_RW));
        }
    }
}

int main(int argc, char **argv)
{
    const int side = argc > 1 ? std::atoi(argv[1]) : 16;
    const int cycles = argc > 2 ? std::atoi(argv[2]) : 3;
    if (side < 4 || side > 4096 || (side & (side - 1)) != 0 || cycles < 1) {
        std::fprintf(stderr, "usage: multigrid [SIDE [CYCLES]]; SIDE a power of two from 4 to 4096\n");
        return 2;
    }
    op_init(argc, argv, 1);
    op_decl_const(1, "double", &omega);
    Grid grid;
    int levels = 0;
    for (int width = side; width >= 4; width /= 2) {
        declare_level(grid, levels, width);
        levels++;
    }
    for (int level = 0, width = side; level + 1 < levels; level++, width /= 2) {
        declare_coarsening(grid, level, width);
    }
    op_partition("PTSCOTCH", "KWAY", grid.edges[0], grid.edge_cells[0], NULL);
    for (int c = 1; c <= cycles; c++) {
        double most = 0.0;
        cycle(grid, levels);
        op_par_loop(largest, "largest", grid.cells[0],
                    op_arg_dat(grid.residual[0], -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(&most, 1, "double", OP_MAX));
        op_printf("cycle %d largest residual %.15e\n", c, most);
    }
    op_exit();
    return 0;
}
