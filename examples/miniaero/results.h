/* results.h: what the miniaero example prints and writes at the end, and the values that are known.
 */
#ifndef MINIAERO_RESULTS_H
#define MINIAERO_RESULTS_H

#include <vector>

#include "mesh.h"
#include "problem.h"

/* Prints the results, writes the field where --output asks, and compares with known values. sums:
 * of rho, |rho u|, |rho v| and rho E over all cells. U: [cells][5] conserved state of each cell in
 * the mesh's numbers. Returns the program's exit status. */
int results_report(run &run, const problem &problem, const mesh &mesh, const double sums[4],
                   const std::vector<double> &U);

#endif
