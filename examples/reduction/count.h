// Kernels of the reduction example.

// For one edge: adds one to each component of its two cells, and counts the edge.
inline void res_calc(double *left, double *right, int *edges)
{
    for (int k = 0; k < 4; k++) {
        left[k] += 1.0;
        right[k] += 1.0;
    }
    *edges += 1;
}

// For one cell: takes the number of its edges, clears it, and counts the cell.
inline void update(double *res, double *sides, int *cells)
{
    for (int k = 0; k < 4; k++) {
        *sides += res[k];
        res[k] = 0.0;
    }
    *cells += 1;
}
