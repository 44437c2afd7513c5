/* cpu_bench.h: what the programs that cpu_bench.sh compiles and runs share: their options, the
 * clock and their output.
 *
 * A program prints one line per fact, which the script reads:
 *   setup MS                        declarations and op_partition, where the program has them
 *   loop NAME FIRST STEADY BYTES    milliseconds of the first call, median of the later ones; the
 *                                   least bytes that a call moves
 *   iteration FIRST STEADY BYTES    the sums over all loops of an iteration
 *   value NAME X                    a result, for comparison with other programs
 */
#ifndef CLEAVE_CPU_BENCH_H
#define CLEAVE_CPU_BENCH_H

struct cpu_bench_options {
    int size[2];    /* of the mesh: what they mean is the program's; size[1] 0: not used */
    int shuffled;   /* 1: numbered at random */
    int iterations; /* after the first one; at least 1 */
};

struct cpu_bench_loop {
    const char *name;
    void (*run)(void);
    double bytes; /* the least that a call moves: each dat once, twice where it is modified, and the
                   * maps */
};

enum { CPU_BENCH_LOOPS = 16 };

/* Reads --size=N[,M], --shuffled and --iterations=K into `options`, which holds the defaults. Ends
 * the program with exit code 2 for anything else, or sizes outside 1..most. */
void cpu_bench_options(struct cpu_bench_options *options, int most, int argc, char **argv);

/* Runs step[0..steps-1], numbers of loops, once and then options->iterations times more, and prints
 * the times. At most CPU_BENCH_LOOPS loops. */
void cpu_bench_run(const struct cpu_bench_loop *loop, int loops, const int *step, int steps,
                   const struct cpu_bench_options *options);

void cpu_bench_setup(double seconds);
void cpu_bench_value(const char *name, double value);
/* The Euclidean norm of `count` doubles, as a value. */
void cpu_bench_norm(const char *name, const double *value, long long count);
/* Sorts times and returns their median. */
double cpu_bench_median(double *times, int count);
/* Wall clock in seconds. */
double cpu_bench_clock(void);
/* Zeroed memory for `count` elements, aligned to 64 bytes; ends the program where there is none. */
void *cpu_bench_memory(long long count, int bytes);

#endif
