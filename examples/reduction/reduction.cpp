// reduction.cpp: reductions beside increments and beside direct data, as OP2's test of that name:
// counters of type int must come to the sizes of the sets. An ordinary OP2 program in C++.
//
// The cells are those of a grid of columns x rows; an edge lies between each two neighbours.
#include "op_seq.h"

#include <new>
#include <vector>

#include "../common/permute.h"
#include "../common/run.h"

#include "count.h"

namespace
{

struct grid {
    int ncell;
    int nedge;
    std::vector<int> ecell; // [nedge][2] cells on both sides
};

grid generate(int columns, int rows)
{
    grid made;
    made.ncell = columns * rows;
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < columns; i++) {
            const int cell = i + columns * j;
            if (i + 1 < columns) {
                made.ecell.insert(made.ecell.end(), {cell, cell + 1});
            }
            if (j + 1 < rows) {
                made.ecell.insert(made.ecell.end(), {cell, cell + columns});
            }
        }
    }
    made.nedge = static_cast<int>(made.ecell.size() / 2);
    return made;
}

void shuffle(grid &on, int seed)
{
    int *cell = permutation_new(on.ncell, seed);
    int *edge = permutation_new(on.nedge, seed + 1);
    permute_entries(on.ecell.data(), on.ecell.size(), cell);
    permute_rows(on.ecell.data(), on.nedge, 2 * sizeof(int), edge);
    free(cell);
    free(edge);
}

// A mesh of that size, numbered at random where a seed asks for it. Ends the program with 2 where
// it is too large, with 1 without memory.
grid obtain(int columns, int rows, int seed)
{
    if (static_cast<long long>(columns) * rows > 400000000) {
        run_refused("reduction", "a grid of %d x %d cells is too large", columns, rows);
    }
    try {
        grid made = generate(columns, rows);
        if (seed != 0) {
            shuffle(made, seed);
        }
        return made;
    } catch (const std::bad_alloc &) {
        run_failed("reduction", "not enough memory for a grid of %d x %d cells", columns, rows);
        throw;
    }
}

// Runs both loops. Gives what the two counters came to, and the sum over the cells.
struct counts {
    int edges;
    int cells;
    double sides;
};

counts count(op_set edges, op_set cells, op_map pecell, op_dat p_res)
{
    counts found = {0, 0, 0.0};
    op_par_loop(res_calc, "res_calc", edges, op_arg_dat(p_res, 0, pecell, 4, "double", OP_INC),
                op_arg_dat(p_res, 1, pecell, 4, "double", OP_INC),
                op_arg_gbl(&found.edges, 1, "int", OP_INC));
    op_par_loop(update, "update", cells, op_arg_dat(p_res, -1, OP_ID, 4, "double", OP_RW),
                op_arg_gbl(&found.sides, 1, "double", OP_INC),
                op_arg_gbl(&found.cells, 1, "int", OP_INC));
    return found;
}

} // namespace

int main(int argc, char **argv)
{
    int size[2] = {200, 150};
    int repeat = 2;
    const option options[] = {
        {"cells", OPTION_SIZES, size, 2, nullptr, "I,J: a grid of I*J cells"},
        {"repeat", OPTION_COUNT, &repeat, 0, nullptr, "how often both loops run"},
    };
    run run;
    run_begin(&run, "reduction", "Counters beside increments and beside direct data.", options, 2,
              0, argc, argv);
    const grid mesh = obtain(size[0], size[1], run.shuffle);
    // The sizes of the sets are the known values: of grids of any size.
    const reference references[] = {
        {run.test, "edges", static_cast<double>(mesh.nedge), 0.0, 0.0},
        {run.test, "cells", static_cast<double>(mesh.ncell), 0.0, 0.0},
        {run.test, "sides", 8.0 * mesh.nedge, 0.0, 0.0},
    };
    run_references(&run, references, 3);

    op_init(argc, argv, 2);
    op_set edges = op_decl_set(mesh.nedge, "edges");
    op_set cells = op_decl_set(mesh.ncell, "cells");
    op_map pecell = op_decl_map(edges, cells, 2, mesh.ecell.data(), "pecell");
    op_dat p_res = op_decl_dat(cells, 4, "double", (double *)NULL, "p_res");

    run_progress(&run, 0, repeat);
    for (int step = 1; step <= repeat; step++) {
        const counts found = count(edges, cells, pecell, p_res);
        run_progress(&run, step, repeat);
        run_result(&run, "edges", found.edges);
        run_result(&run, "cells", found.cells);
        run_result(&run, "sides", found.sides);
    }
    op_timing_output();
    const int status = run_finish(&run);
    op_exit();
    return status;
}
