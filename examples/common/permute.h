/* permute.h: numbers a mesh at random. The mesh stays the same, but neighbours are far apart in
 * memory, as in meshes from generators that do not care. C11 and C++17.
 */
#ifndef EXAMPLES_PERMUTE_H
#define EXAMPLES_PERMUTE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A permutation of 0 ... n-1 at random: the new number of each of n >= 0 items. seed > 0 chooses
 * it; the numbers are the same on every machine. Sets of one size get the same numbers from the
 * same seed: give each its own. The caller frees it. Ends the program with 1 and a message without
 * memory. */
int *permutation_new(int n, int seed);

/* Moves row i of n rows of row_bytes bytes to row to[i]; to[n] is a permutation. Ends the program
 * with 1 and a message without memory. */
void permute_rows(void *rows, int n, size_t row_bytes, const int *to);

/* Replaces each of the n entries of a map by to[entry]. Entries are not negative. */
void permute_entries(int *map, size_t n, const int *to);

#ifdef __cplusplus
}
#endif
#endif
