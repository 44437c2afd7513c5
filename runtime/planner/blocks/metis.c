/* metis.c: blocks by METIS, a library that is looked for at run time.
 *
 * In: a mesh. Out: the block of each element. METIS exists with 32-bit and with 64-bit indices
 * under one name; both work here. It is called with its defaults only, because the numbers of its
 * options differ between its versions; they allow parts 3 % above average, for which BLOCKS_FILL
 * leaves room. Parts that are larger all the same are cut.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/blocks/element_graph.h"
#include "runtime/planner/blocks/outside.h"

#define METIS_OPTIONS 40
#define METIS_DONE 1
#define METIS_NO_MEMORY (-3)

/* METIS_PartGraphKway(nvtxs, ncon, xadj, adjncy, vwgt, vsize, adjwgt, nparts, tpwgts, ubvec,
 * options, edgecut, part), and METIS_PartGraphRecursive: all are pointers, to integers of either
 * width or to reals. */
typedef int metis_partition(void *, void *, void *, void *, void *, void *, void *, void *, void *,
                            void *, void *, void *, void *);
typedef int metis_defaults(void *options);

/* The library, loaded for one call of the planner. */
struct metis {
    int wide; /* indices have 64 bits */
    metis_partition *kway;
    metis_partition *recursive;
};

/* METIS fills its whole array of options, so the extent that it writes tells its index width. */
static int indices_are_wide(metis_defaults *defaults)
{
    int32_t options[2 * METIS_OPTIONS];
    memset(options, 0x5a, sizeof options);
    defaults(options);
    return options[METIS_OPTIONS] != 0x5a5a5a5a;
}

/* 1, or 0 when there is no METIS. */
static int load(struct metis *metis, const struct planner *planner)
{
    static const char *const names[] = {"libmetis.so.5", "libmetis.so", NULL};
    const struct outside_library library = {"METIS", planner->metis, "CLEAVE_METIS", names,
                                            PLAN_NOTE_METIS_LIBRARY};
    metis_defaults *defaults;
    const struct outside_symbol symbols[] = {
        {"METIS_SetDefaultOptions", (void **)&defaults},
        {"METIS_PartGraphKway", (void **)&metis->kway},
        {"METIS_PartGraphRecursive", (void **)&metis->recursive},
        {NULL, NULL},
    };
    int loaded = planner_outside_load(planner, &library, symbols);
    metis->wide = loaded && indices_are_wide(defaults);
    return loaded;
}

int planner_blocks_metis_available(const struct planner *planner)
{
    struct metis metis;
    return load(&metis, planner);
}

/* ---- calling it ---------------------------------------------------------------------------- */

/* The arguments of METIS, in its own integers. */
struct call {
    metis_partition *partition;
    void *elements;
    void *constraints;
    void *start;
    void *link;
    void *weight; /* NULL: 1 each */
    void *parts;
    void *cut;
    void *part;
};

/* METIS calls srand() and rand(), on a state of its own here: the program's sequence goes on as if
 * there had been no plan. It prints remarks to stdout. */
static int call_quietly(const struct call *call)
{
    char state[128];
    char *of_program = initstate(4321, state, sizeof state);
    int hidden = planner_outside_hide_stdout();
    int code =
        call->partition(call->elements, call->constraints, call->start, call->link, NULL, NULL,
                        call->weight, call->parts, NULL, NULL, NULL, call->cut, call->part);
    planner_outside_show_stdout(hidden);
    setstate(of_program);
    return code;
}

static int call_narrow(const struct element_graph *graph, metis_partition *partition, int parts,
                       int *part, int *code, char *error)
{
    int32_t elements = graph->elements;
    int32_t constraints = 1;
    int32_t narrow_parts = parts;
    int32_t cut = 0;
    int32_t *start =
        planner_memory((size_t)elements + 1, sizeof *start, "the offsets of METIS's graph", error);
    if (start == NULL) {
        return -1;
    }
    for (int e = 0; e <= elements; e++) {
        start[e] = (int32_t)graph->start[e];
    }
    *code = call_quietly(&(struct call){partition, &elements, &constraints, start, graph->link,
                                        graph->weight, &narrow_parts, &cut, part});
    free(start);
    return 0;
}

/* A copy in 64 bits; NULL for NULL or without memory. */
static int64_t *widen(const int *from, int64_t count, char *error)
{
    int64_t *wide = from == NULL ? NULL
                                 : planner_memory((size_t)count, sizeof *wide,
                                                  "METIS's graph in 64-bit integers", error);
    for (int64_t i = 0; wide != NULL && i < count; i++) {
        wide[i] = from[i];
    }
    return wide;
}

static int call_wide(const struct element_graph *graph, metis_partition *partition, int parts,
                     int *part, int *code, char *error)
{
    int64_t elements = graph->elements;
    int64_t constraints = 1;
    int64_t wide_parts = parts;
    int64_t cut = 0;
    int64_t *link = widen(graph->link, graph->start[elements], error);
    int64_t *weight = widen(graph->weight, graph->start[elements], error);
    int64_t *wide_part = planner_memory((size_t)elements, sizeof *wide_part,
                                        "METIS's partition in 64-bit integers", error);
    int failed = link == NULL || (weight == NULL && graph->weight != NULL) || wide_part == NULL;
    if (!failed) {
        *code = call_quietly(&(struct call){partition, &elements, &constraints, graph->start, link,
                                            weight, &wide_parts, &cut, wide_part});
        for (int64_t e = 0; e < elements; e++) {
            part[e] = wide_part[e] >= 0 && wide_part[e] < parts ? (int)wide_part[e] : -1;
        }
    }
    free(link);
    free(weight);
    free(wide_part);
    return failed ? -1 : 0;
}

static int parts_in_range(const int *part, int elements, int parts)
{
    for (int e = 0; e < elements; e++) {
        if (part[e] < 0 || part[e] >= parts) {
            return 0;
        }
    }
    return 1;
}

/* part[e] in 0..parts-1. wide: as struct metis has it. */
static int partition(const struct element_graph *graph, metis_partition *function, int wide,
                     int parts, int *part, char *error)
{
    int64_t links = graph->start[graph->elements];
    int code = METIS_DONE;
    if (!wide && links > INT_MAX) {
        snprintf(error, PLANNER_ERROR,
                 "the element graph has %lld links, more than METIS with 32-bit indices takes; use "
                 "another planning method, or a METIS with 64-bit indices",
                 (long long)links);
        return -1;
    }
    if ((wide ? call_wide : call_narrow)(graph, function, parts, part, &code, error) != 0) {
        return -1;
    }
    if (code == METIS_DONE && parts_in_range(part, graph->elements, parts)) {
        return 0;
    }
    if (code == METIS_DONE) {
        snprintf(error, PLANNER_ERROR,
                 "METIS returned parts that do not exist; use another planning "
                 "method, or check the library");
    } else if (code == METIS_NO_MEMORY) {
        snprintf(error, PLANNER_ERROR, "METIS ran out of memory; use another planning method");
    } else {
        snprintf(error, PLANNER_ERROR, "METIS failed with code %d; use another planning method",
                 code);
    }
    return -1;
}

/* ---- from parts to blocks ------------------------------------------------------------------- */

/* The number of parts for paper 000's tolerance, at most one per element. */
static int parts_for(const struct blocks *blocks, int elements)
{
    double parts = ceil(elements / (BLOCKS_FILL * blocks->block_size));
    return parts < elements ? (int)parts : elements;
}

/* Cuts parts above block_size into equal pieces of consecutive elements, drops empty ones. */
static int close_parts(struct blocks *blocks, int elements, int parts, char *error)
{
    int *size = planner_zeroed((size_t)parts, sizeof *size, "the sizes of parts", error);
    int *first = planner_memory((size_t)parts, sizeof *first, "the blocks of parts", error);
    int *met = planner_zeroed((size_t)parts, sizeof *met, "the sizes of parts", error);
    int status = size != NULL && first != NULL && met != NULL ? 0 : -1;
    blocks->count = 0;
    for (int e = 0; e < elements && status == 0; e++) {
        size[blocks->of[e]]++;
    }
    for (int p = 0; p < parts && status == 0; p++) {
        first[p] = blocks->count;
        blocks->count += size[p] / blocks->block_size + (size[p] % blocks->block_size != 0);
    }
    for (int e = 0; e < elements && status == 0; e++) {
        int p = blocks->of[e];
        int64_t pieces = size[p] / blocks->block_size + (size[p] % blocks->block_size != 0);
        blocks->of[e] = first[p] + (int)(met[p]++ * pieces / size[p]);
    }
    free(size);
    free(first);
    free(met);
    return status;
}

/* How METIS is to partition. */
enum { WEIGHTED = 1, RECURSIVE = 2 };

static int make_blocks(struct blocks *blocks, const struct plan_mesh *mesh,
                       const struct planner *planner, int how, char *error)
{
    struct metis metis;
    struct element_graph graph;
    int parts = parts_for(blocks, mesh->elements);
    if (!load(&metis, planner)) {
        snprintf(error, PLANNER_ERROR, "METIS is not available; use another planning method");
        return -1;
    }
    if (planner_element_graph_make(&graph, mesh, (how & WEIGHTED) != 0, error) != 0) {
        return -1;
    }
    int status = 0;
    if (graph.start[mesh->elements] == 0 || blocks->block_size == 1 || parts <= 1) {
        /* Any partition is as good as another; METIS need not be asked. */
        memset(blocks->of, 0, (size_t)mesh->elements * sizeof *blocks->of);
        parts = 1;
    } else {
        status = partition(&graph, how & RECURSIVE ? metis.recursive : metis.kway, metis.wide,
                           parts, blocks->of, error);
    }
    planner_element_graph_free(&graph);
    return status == 0 ? close_parts(blocks, mesh->elements, parts, error) : -1;
}

int planner_blocks_metis(struct blocks *blocks, const struct plan_mesh *mesh,
                         const struct planner *planner, char error[PLANNER_ERROR])
{
    return make_blocks(blocks, mesh, planner, 0, error);
}

int planner_blocks_metis_weighted(struct blocks *blocks, const struct plan_mesh *mesh,
                                  const struct planner *planner, char error[PLANNER_ERROR])
{
    return make_blocks(blocks, mesh, planner, WEIGHTED, error);
}

int planner_blocks_metis_recursive(struct blocks *blocks, const struct plan_mesh *mesh,
                                   const struct planner *planner, char error[PLANNER_ERROR])
{
    return make_blocks(blocks, mesh, planner, RECURSIVE, error);
}
