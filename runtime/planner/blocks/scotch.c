/* scotch.c: the order of points by Gibbs, Poole and Stockmeyer, from Scotch, a library that is
 * looked for at run time.
 *
 * In: a mesh. Out: runs of elements sorted by their points (levels.c). Scotch exists with integers
 * of 32 and of 64 bits; both work here. Its structures are opaque: it allocates them itself.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/planner/blocks/levels.h"
#include "runtime/planner/blocks/outside.h"

/* Scotch's name for the method, as an ordering strategy. */
#define STRATEGY "g"

/* SCOTCH_graphBuild(graph, baseval, vertnbr, verttab, vendtab, velotab, vlbltab, edgenbr, edgetab,
 * edlotab), in either width. */
typedef int narrow_build(void *, int32_t, int32_t, const void *, const void *, const void *,
                         const void *, int32_t, const void *, const void *);
typedef int wide_build(void *, int64_t, int64_t, const void *, const void *, const void *,
                       const void *, int64_t, const void *, const void *);

/* The library, loaded for one call of the planner. */
struct scotch {
    int wide; /* integers have 64 bits */
    int (*integer_size)(void);
    void *(*graph_new)(void);
    int (*graph_begin)(void *);
    void (*graph_end)(void *);
    void *graph_build; /* narrow_build or wide_build */
    /* graph, strategy, permtab, peritab, cblkptr, rangtab, treetab */
    int (*graph_order)(const void *, const void *, void *, void *, void *, void *, void *);
    void *(*strategy_new)(void);
    int (*strategy_begin)(void *);
    void (*strategy_end)(void *);
    int (*strategy_set)(void *, const char *);
    void (*random_reset)(void);
    void (*release)(void *);
};

/* 1, or 0 when there is no Scotch. */
static int load(struct scotch *scotch, const struct planner *planner)
{
    static const char *const names[] = {"libscotch-7.0.so", "libscotch.so.7.0", "libscotch.so.6",
                                        "libscotch.so", NULL};
    const struct outside_library library = {"Scotch", planner->scotch, "CLEAVE_SCOTCH", names,
                                            PLAN_NOTE_SCOTCH_LIBRARY};
    const struct outside_symbol symbols[] = {
        {"SCOTCH_graphAlloc", (void **)&scotch->graph_new},
        {"SCOTCH_numSizeof", (void **)&scotch->integer_size},
        {"SCOTCH_graphInit", (void **)&scotch->graph_begin},
        {"SCOTCH_graphExit", (void **)&scotch->graph_end},
        {"SCOTCH_graphBuild", &scotch->graph_build},
        {"SCOTCH_graphOrder", (void **)&scotch->graph_order},
        {"SCOTCH_stratAlloc", (void **)&scotch->strategy_new},
        {"SCOTCH_stratInit", (void **)&scotch->strategy_begin},
        {"SCOTCH_stratExit", (void **)&scotch->strategy_end},
        {"SCOTCH_stratGraphOrder", (void **)&scotch->strategy_set},
        {"SCOTCH_randomReset", (void **)&scotch->random_reset},
        {"SCOTCH_memFree", (void **)&scotch->release},
        {NULL, NULL},
    };
    int loaded = planner_outside_load(planner, &library, symbols);
    scotch->wide = loaded && scotch->integer_size() == 8;
    return loaded;
}

int planner_blocks_gps_available(const struct planner *planner)
{
    struct scotch scotch;
    return load(&scotch, planner);
}

/* ---- the graph of points -------------------------------------------------------------------- */

/* Points that share an element, in Scotch's integers. */
struct point_graph {
    int wide; /* Scotch's integers have 64 bits */
    int points;
    int64_t links;
    void *start; /* [points+1] */
    void *link;  /* [links] */
    void *place; /* [points] the order that Scotch finds */
};

static void *integers(const struct point_graph *graph, int64_t count, char *error)
{
    return planner_memory((size_t)count, graph->wide ? sizeof(int64_t) : sizeof(int32_t),
                          "the graph of points for Scotch", error);
}

static void put(int wide, void *integers, int64_t i, int64_t value)
{
    if (wide) {
        ((int64_t *)integers)[i] = value;
    } else {
        ((int32_t *)integers)[i] = (int32_t)value;
    }
}

static int64_t get(int wide, const void *integers, int64_t i)
{
    return wide ? ((const int64_t *)integers)[i] : ((const int32_t *)integers)[i];
}

/* Adds the neighbours of p that come for the first time, known by joined[] == p+1; counts only
 * while link is NULL. */
static int64_t join_point(int wide, void *link, int64_t links, int *joined,
                          const struct plan_mesh *mesh, int p)
{
    joined[p] = p + 1;
    for (int64_t i = mesh->touch_start[p]; i < mesh->touch_start[p + 1]; i++) {
        const int *point = mesh->point + (int64_t)mesh->touch[i] * mesh->arity;
        for (int c = 0; c < mesh->arity; c++) {
            if (joined[point[c]] == p + 1) {
                continue;
            }
            joined[point[c]] = p + 1;
            if (link != NULL) {
                put(wide, link, links, point[c]);
            }
            links++;
        }
    }
    return links;
}

static int make_point_graph(struct point_graph *graph, const struct plan_mesh *mesh, int wide,
                            char *error)
{
    int *joined =
        planner_zeroed((size_t)mesh->points, sizeof *joined, "neighbours of points", error);
    *graph = (struct point_graph){.wide = wide, .points = mesh->points};
    if (joined == NULL) {
        return -1;
    }
    for (int p = 0; p < mesh->points; p++) {
        graph->links = join_point(wide, NULL, graph->links, joined, mesh, p);
        joined[p] = 0;
    }
    int status = -1;
    if (!wide && graph->links > INT_MAX) {
        snprintf(error, PLANNER_ERROR,
                 "the graph of points has %lld links, more than Scotch with 32-bit integers takes; "
                 "use another planning method, or a Scotch with 64-bit integers",
                 (long long)graph->links);
    } else {
        graph->start = integers(graph, (int64_t)mesh->points + 1, error);
        graph->link = integers(graph, graph->links, error);
        graph->place = integers(graph, mesh->points, error);
        status = graph->start != NULL && graph->link != NULL && graph->place != NULL ? 0 : -1;
    }
    int64_t links = 0;
    for (int p = 0; p < mesh->points; p++) {
        joined[p] = 0;
    }
    for (int p = 0; p < mesh->points && status == 0; p++) {
        put(wide, graph->start, p, links);
        links = join_point(wide, graph->link, links, joined, mesh, p);
    }
    if (status == 0) {
        put(wide, graph->start, mesh->points, links);
    }
    free(joined);
    return status;
}

static void free_point_graph(struct point_graph *graph)
{
    free(graph->start);
    free(graph->link);
    free(graph->place);
}

/* ---- calling it ---------------------------------------------------------------------------- */

static int build(const struct scotch *scotch, void *scotch_graph, const struct point_graph *graph)
{
    if (scotch->wide) {
        wide_build *function;
        *(void **)&function = scotch->graph_build;
        return function(scotch_graph, 0, graph->points, graph->start, NULL, NULL, NULL,
                        graph->links, graph->link, NULL);
    }
    narrow_build *function;
    *(void **)&function = scotch->graph_build;
    return function(scotch_graph, 0, graph->points, graph->start, NULL, NULL, NULL,
                    (int32_t)graph->links, graph->link, NULL);
}

static int order_with(const struct scotch *scotch, void *scotch_graph, void *strategy,
                      struct point_graph *graph)
{
    scotch->random_reset();
    return build(scotch, scotch_graph, graph) != 0 ||
           scotch->strategy_set(strategy, STRATEGY) != 0 ||
           scotch->graph_order(scotch_graph, strategy, graph->place, NULL, NULL, NULL, NULL) != 0;
}

static int order_points(const struct scotch *scotch, struct point_graph *graph, char *error)
{
    void *scotch_graph = scotch->graph_new();
    void *strategy = scotch->strategy_new();
    int failed = 1;
    if (scotch_graph != NULL && strategy != NULL && scotch->graph_begin(scotch_graph) == 0) {
        if (scotch->strategy_begin(strategy) == 0) {
            failed = order_with(scotch, scotch_graph, strategy, graph);
            scotch->strategy_end(strategy);
        }
        scotch->graph_end(scotch_graph);
    }
    scotch->release(scotch_graph);
    scotch->release(strategy);
    if (failed) {
        snprintf(error, PLANNER_ERROR,
                 "Scotch could not order the points; use another planning "
                 "method, such as rcm");
    }
    return failed ? -1 : 0;
}

/* Scotch's order as numbers of ours; -1 when it is no order. */
static int take_places(int *place, const struct point_graph *graph, char *error)
{
    for (int p = 0; p < graph->points; p++) {
        int64_t at = get(graph->wide, graph->place, p);
        if (at < 0 || at >= graph->points) {
            snprintf(error, PLANNER_ERROR,
                     "Scotch put point %d of %d at place %lld; use another planning method", p,
                     graph->points, (long long)at);
            return -1;
        }
        place[p] = (int)at;
    }
    return 0;
}

int planner_blocks_gps(struct blocks *blocks, const struct plan_mesh *mesh,
                       const struct planner *planner, char error[PLANNER_ERROR])
{
    struct scotch scotch;
    struct point_graph graph;
    if (!load(&scotch, planner)) {
        snprintf(error, PLANNER_ERROR, "Scotch is not available; use another planning method");
        return -1;
    }
    int *place = planner_memory((size_t)mesh->points, sizeof *place, "Scotch's order", error);
    int status = -1;
    if (place != NULL) {
        status = make_point_graph(&graph, mesh, scotch.wide, error);
        if (status == 0 && mesh->points > 0) {
            status = order_points(&scotch, &graph, error);
        }
        if (status == 0) {
            status = take_places(place, &graph, error);
        }
        free_point_graph(&graph);
    }
    if (status == 0) {
        status = planner_levels_make_blocks(blocks, mesh, place, error);
    }
    free(place);
    return status;
}
