/* gpu_bench.h: how fast single loops of applications are, in every compiled variant: the part that
 * all gpu_bench_ programs share.
 *
 * A program is an ordinary OP2 program that declares its mesh and dats, and describes each loop to
 * measure by a struct gpu_bench_loop. gpu_bench_measure() then runs the loop in each variant that
 * the options choose: outputs to their start, some calls that are timed one by one, and a
 * comparison of every value with a reference that the program has from elsewhere. Results go to
 * stdout as a table, and as one JSON object per line to the file that --json names.
 */
#ifndef CLEAVE_GPU_BENCH_H
#define CLEAVE_GPU_BENCH_H

#include "op_seq.h"

#define GPU_BENCH_PATTERNS 64
#define GPU_BENCH_OUTPUTS 2
/* Components of an output. */
#define GPU_BENCH_COMPONENTS 32

/* A deliberate mistake of the program, to show that its checks find it. */
enum gpu_bench_fault {
    GPU_BENCH_FAULT_NONE,
    GPU_BENCH_FAULT_NORM,  /* one value of the input */
    GPU_BENCH_FAULT_RESULT /* one value of each reference */
};

struct gpu_bench_options {
    int size[2]; /* of the mesh; what they mean is the program's; size[1] is 0 where it has only one
                  */
    int mode;    /* which fields: the program's */
    int shuffled;
    unsigned long long seed;
    int calls;        /* timed ones */
    double seconds;   /* no new variant is begun after so many since the start; 0: no limit */
    double copy;      /* GB/s of a copy on the device, for per cents; 0: not known */
    const char *only; /* pattern for PROGRAM/SIZE/ORDER/LOOP; NULL: all */
    const char *done; /* file of variants that are not measured again; NULL: none */
    const char *json; /* file to append to; NULL: none */
    int patterns;
    const char
        *pattern[GPU_BENCH_PATTERNS]; /* for names of variants; none: all of the list, or one */
    enum gpu_bench_fault fault;
};

/* One line of a list of variants. */
struct gpu_bench_variant {
    char target[16]; /* "openmp" or "cuda" */
    char loop[64];
    char name[128];
};

/* A dat that a loop modifies, with what one call makes of it when it starts from `prepare`. */
struct gpu_bench_output {
    op_dat dat;            /* double or float, up to GPU_BENCH_COMPONENTS components */
    const void *reference; /* borrowed, [size*dim] of the dat's type in the user's order */
    /* 1: prepare sets it to zero, so that n calls make n times the reference of it: compared after
     * all of them. 0: compared after the first call. */
    int adds;
};

struct gpu_bench_loop {
    const char *name; /* of the kernel and of the loop: op_par_loop's second argument */
    /* Bytes that one call has to move at least: every dat once, twice where it is read and written,
     * and the maps. */
    double bytes;
    void (*prepare)(void); /* sets the outputs to their start; NULL: nothing to do */
    void (*run)(void);     /* one op_par_loop */
    int outputs;
    struct gpu_bench_output output[GPU_BENCH_OUTPUTS];
    /* 1: the host waits for what the loop reduces. On a device the time is that of its kernels
     * then, and the time until the host goes on is told besides. `prepare` must be loops without
     * reductions. */
    int reduces;
};

/* Resources of a variant's first kernel; all 0 on the host. */
struct gpu_bench_kernel {
    int block_size;       /* threads of a block */
    int registers;        /* of a thread */
    int local_bytes;      /* of a thread: arrays in memory, spilled registers */
    int static_shared;    /* bytes of a block, which the kernel declares */
    int dynamic_shared;   /* bytes of a block, which the launch asks for */
    int resident_threads; /* that a multiprocessor holds at once */
};

/* The result of one variant. */
struct gpu_bench_result {
    char variant[128]; /* that really ran */
    char target[16];
    struct gpu_bench_kernel kernel;
    double bytes;           /* useful ones of a call, as the runtime counts them */
    double microseconds[3]; /* median, least and most of the timed calls */
    double waited; /* median until the host has what is reduced; 0: nothing is, or no device */
    double remade; /* microseconds that a call takes more which copies dats again; 0: none does */
    double error;  /* worst of all outputs, relative; infinity for a NaN */
    int passed;
    int deterministic; /* 1: the variant that CLEAVE_DETERMINISTIC=1 chooses */
    double of_fastest; /* then: its time by that of the fastest variant; 0: there is none */
};

/* One run of a program. */
struct gpu_bench {
    const char *program;   /* "hydra" */
    const char *precision; /* "double" or "float" */
    double tolerance;      /* of outputs, relative to the largest value of the component */
    struct gpu_bench_options options;
    int variants;
    struct gpu_bench_variant *variant; /* owned: what --list gave */
    double start;                      /* op_timers' wall clock */
    struct gpu_bench_result fastest; /* variant of the current loop so far; microseconds 0: none */
    int measured;
    int left_out; /* for lack of time */
    int failed;
};

/* Reads the command line, before op_init, and sets CLEAVE_FUSE=off unless the environment says
 * otherwise. Bad options end the program with exit code 2, --help with 0.
 *
 *   sizes   how many numbers --size takes, 1 or 2; bench->options holds the defaults
 *   most    the largest legal size
 *   loops   names, NULL behind the last; if --only matches none of them the program ends with 0 */
void gpu_bench_begin(struct gpu_bench *bench, int argc, char **argv, int sizes, int most,
                     const char *const *loops);
/* 1: --only lets this loop be measured. */
int gpu_bench_wants(const struct gpu_bench *bench, const char *loop);
/* Measures a loop in every chosen variant; nothing when it is not wanted. */
void gpu_bench_measure(struct gpu_bench *bench, const struct gpu_bench_loop *loop);
/* Compares a dat with its reference and says so under `name`. Differences, up to `tolerance`, are
 * relative to the dat's largest value, of any component: for derivatives, some of which are nearly
 * zero everywhere and nothing but rounding of larger sums. */
void gpu_bench_compare(struct gpu_bench *bench, const char *name,
                       const struct gpu_bench_output *output, double tolerance);
/* Compares a number with the known one, to `tolerance` relative; expected 0: not known, printed
 * only. */
void gpu_bench_known(struct gpu_bench *bench, const char *name, double value, double expected,
                     double tolerance);
/* Checks that a number which would be 0 without rounding is at most `bound`. */
void gpu_bench_small(struct gpu_bench *bench, const char *name, double value, double bound);
/* Euclidean norm of `count` doubles. */
double gpu_bench_norm(const double *value, size_t count);
/* Prints what was done, frees; returns the exit code: 1 when any check failed. */
int gpu_bench_end(struct gpu_bench *bench);

/* ---- between the files of the harness ---------------------------------------------------------
 */

/* Seconds of one call: by the device's clock for loops that run on one, else wall time. */
double gpu_bench_time_call(void (*run)(void), int on_device);
/* Seconds that the kernels of one call take on the device, which the loops of `before` keep at work
 * until they are there: without the wait of a loop with reductions. */
double gpu_bench_time_kernels(void (*before)(void), void (*run)(void));
/* Seconds of one call on the device before which all that was copied for blocks to read has become
 * old; 0 when nothing had to be copied again. */
double gpu_bench_time_remade(void (*run)(void));
/* 1: from the next call on as with CLEAVE_DETERMINISTIC=1, but for the order of the mesh, which is
 * made; 0: as the user says. */
void gpu_bench_deterministic(int on);
/* The device that loops may run on, or "host". */
const char *gpu_bench_device(void);
/* The target of the variants that run, with such a device or on the host: "cuda" or "openmp". */
const char *gpu_bench_target(void);
/* Worst difference of a dat from scale times its reference, relative to the component's largest
 * value. */
double gpu_bench_worst(const struct gpu_bench_output *output, double scale);
void gpu_bench_table_head(void);
void gpu_bench_report(struct gpu_bench *bench, const struct gpu_bench_loop *loop,
                      const struct gpu_bench_result *result);
/* "70" or "400,600". */
void gpu_bench_size_text(const struct gpu_bench *bench, char *text, size_t capacity);

#endif
