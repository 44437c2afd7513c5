/* plan_bench.h: what the files of plan_bench share: what to run, and what came out. */
#ifndef CLEAVE_PLAN_BENCH_H
#define CLEAVE_PLAN_BENCH_H

#include <stdio.h>

#include "meshes/meshes.h"

#define BENCH_METHODS 32
#define BENCH_THREADS 8
#define BENCH_PHASES 64

/* A method as the user wrote it. */
struct bench_method {
    char name[40]; /* "rcb+refine", "default/graph" */
    struct plan_method method;
    int graph; /* 1: the method is not told the coordinates ("/graph", --no-coordinates) */
};

struct bench_options {
    int meshes;
    enum test_mesh_kind mesh[TEST_MESH_KINDS];
    int elements; /* about; 0: of each kind of mesh the number that the goals are stated for */
    int arity;    /* of the stencil mesh */
    int shuffled;
    uint64_t seed;
    int block_size;
    int max_points; /* as plan_numbering_options */
    int methods;
    struct bench_method method[BENCH_METHODS];
    int thread_counts;
    int threads[BENCH_THREADS]; /* every method runs with each of these */
    int banks;                  /* 1: elements inside blocks are ordered for the banks of shared memory */
    int no_coordinates;         /* 1: method[].graph is set for all */
    int repeat;                 /* the run with the least CPU time of so many is kept */
    int check;
    int phases; /* 1: the table lists phases */
    int accept;
    const char *json; /* file; NULL: none */
};

/* Steps of the line from raw maps to a finished plan. */
enum bench_step { BENCH_NUMBER, BENCH_ORDER, BENCH_RENUMBER, BENCH_PLAN, BENCH_STEPS };

struct bench_phase {
    char name[32];
    enum bench_step step;
    double seconds; /* wall */
    int serial;
};

/* One method on one mesh with one number of threads. Plain data: it comes through a pipe. */
struct bench_result {
    int failed; /* 1: error says why, and the rest is not set */
    char error[512];
    char done[40]; /* the method that was really used, as planner_method_name */
    struct plan_method method;
    int threads;
    int elements;
    double cpu[BENCH_STEPS]; /* seconds, user and system, all threads */
    double wall[BENCH_STEPS];
    double total_cpu;
    double total_wall;
    double peak; /* bytes above the input */
    uint64_t numbering_hash;
    uint64_t plan_hash;
    struct plan_metrics metrics; /* its phases are in phase[] */
    /* The plan for ranges, in the same numbering. It counts in no total. */
    struct plan_metrics ranges;
    uint64_t ranges_hash;
    double ranges_wall;
    int phases;
    struct bench_phase phase[BENCH_PHASES];
};

/* All results of one mesh: result[m * thread_counts + t]. */
struct bench_table {
    const struct bench_options *options;
    const struct test_mesh *mesh;
    const struct bench_result *result;
};

/* plan_bench_options.c: fills options from the command line; ends the program for --help (0) and
 * for what it cannot make sense of (message, 2). */
void bench_parse(struct bench_options *options, int argc, char **argv);
/* How many elements `kind` has unless the user says so. */
int bench_default_elements(enum test_mesh_kind kind);

/* plan_bench_measure.c: runs one method in a process of its own. */
void bench_measure(struct bench_result *result, const struct bench_options *options,
                   const struct test_mesh *mesh, const struct bench_method *method, int threads);

/* The result of the method named so, with the first number of threads; NULL when it was not run,
 * failed or another one had to take its place. */
const struct bench_result *bench_find(const struct bench_table *table, const char *name);
/* The wall time of phases that ran on one thread, as a share of the total. */
double bench_serial_share(const struct bench_result *result);

/* plan_bench_report.c, plan_bench_json.c */
void bench_print(const struct bench_table *table);
void bench_json_begin(FILE *file);
void bench_json(FILE *file, const struct bench_table *table, int first);
void bench_json_end(FILE *file);

/* plan_bench_accept.c: prints each goal that the mesh and the methods allow to judge as met or not
 * met. Counts both. */
struct bench_verdict {
    int met;
    int not_met;
};
void bench_accept(struct bench_verdict *verdict, const struct bench_table *table);

#endif
