/* run_mesh.h: shared by the files that run the fixture's variants: a small mesh with the data of its loops
 * (run_mesh_data.c), the loops written plainly and their calls (run_mesh_loops.c), what a launch needs besides
 * (run_mesh_plan.c). */
#ifndef CLEAVE_TEST_RUN_MESH_H
#define CLEAVE_TEST_RUN_MESH_H

#include "runtime/planner/planner.h"

enum { SIDE = 13, NODES = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1), EDGES = 2 * CELLS };
enum { MAX_ARGS = 8 };

struct data {
    double x[2 * NODES], node[2 * NODES];
    double q[4 * CELLS], qold[4 * CELLS], res[4 * CELLS], adt[CELLS], centre[CELLS];
    double w[EDGES];
    int number[2 * EDGES];
    double rms, high, low;
    int sum;
};

/* The arrays of a launch, as the runtime fills them; [argument]. */
struct call {
    int size;
    void *data[MAX_ARGS];
    const int *map[MAX_ARGS];
    int map_dim[MAX_ARGS];
    const int *number[MAX_ARGS];
    void *partial[MAX_ARGS];
    void *result[MAX_ARGS];
};

extern int pedge[2 * EDGES], pecell[2 * EDGES], pcell[4 * CELLS];
extern struct data data;
extern double step, gam; /* a READ global; the program's constant */

/* How variants are called: optional arguments are there; the runtime numbers edges and nodes in its own way, which
 * the user's numbers then show; for OpenMP, one thread runs the variant, inside of a parallel region of ours. */
extern int on, renumbered, one_thread;
extern int edge_number[EDGES], node_number[NODES];

void make_mesh(void);
void make_data(struct data *d);

/* Runs the loop of this name on d, as the sequential program would. */
void plain(struct data *d, const char *kernel);
struct call make_call(const char *kernel, struct data *d);
/* Bytes of a dat of `data`, of which loops increment all components. */
size_t bytes_of(const void *dat);

/* Partial results of reductions: poisoned before a launch, then those of OpenMP's blocks are joined (a GPU's last block
 * does that itself), and the result goes into d. */
void poison_partials(void);
void join_partials(const char *kernel, int blocks);
void combine(struct data *d, const char *kernel);

/* The plan that the variant asks for, validated; NULL if it needs none. Ends the program if there is none. */
struct cleave_plan *make_plan(const struct cleave_loop *loop, const struct call *call,
                              const struct cleave_variant *variant, int block_size);
/* Memory for tmp(e) or the sums of blocks, as much as the variant asks for: sanitizers see if it uses more. Free with
 * free(). */
void *make_tmp(const struct cleave_variant *variant, const struct cleave_plan *plan, int size);
/* Makes the copies that the variant reads in place of dats; free each with free(). */
void make_copies(const struct cleave_unit *unit, const struct cleave_variant *variant,
                 const struct call *call, const struct cleave_plan *plan, void **copy);

#endif
