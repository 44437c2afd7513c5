/* gpu_bench_numbers.h: arrays of records, and their renumbering, for the benchmarks' meshes. */
#ifndef CLEAVE_GPU_BENCH_NUMBERS_H
#define CLEAVE_GPU_BENCH_NUMBERS_H

#include <stddef.h>

/* `count` doubles, all 0; the caller frees them. Ends the program with exit code 2 without memory.
 */
double *numbers_zero(size_t count);
/* Moves record i, of `bytes` bytes, to place number[i]; number is a permutation of 0..count-1. */
void numbers_move(void *records, size_t bytes, int count, const int *number);
/* Replaces each of the `count` entries by its new number. */
void numbers_rename(int *entry, size_t count, const int *number);

#endif
