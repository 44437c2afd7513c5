/* element_graph.c: the element graph of paper 000, which METIS partitions.
 *
 * In: a mesh. Out: for each element the others that share a point with it. Two passes in parallel:
 * count, then fill. The neighbours of one element are told apart in a small hash table.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/blocks/element_graph.h"

/* The neighbours of one element, in the order in which they were found. */
struct neighbours {
    int *table;  /* [size] the place of a neighbour in found[]; -1: free */
    int size;    /* power of two, at least twice as many as an element can have */
    int *found;  /* [size] */
    int *shared; /* [size] points shared with each */
    int count;
};

static int neighbours_make(struct neighbours *neighbours, const struct plan_mesh *mesh, char *error)
{
    const char *what = "the neighbours of an element";
    neighbours->size = 1;
    neighbours->count = 0;
    while (neighbours->size < 2 * RING_ABOVE * mesh->arity) {
        neighbours->size *= 2;
    }
    size_t size = (size_t)neighbours->size;
    neighbours->table = planner_memory(size, sizeof(int), what, error);
    neighbours->found = planner_memory(size, sizeof(int), what, error);
    neighbours->shared = planner_memory(size, sizeof(int), what, error);
    if (neighbours->table == NULL || neighbours->found == NULL || neighbours->shared == NULL) {
        return -1;
    }
    memset(neighbours->table, 0xff, size * sizeof(int));
    return 0;
}

static void neighbours_free(struct neighbours *neighbours)
{
    free(neighbours->table);
    free(neighbours->found);
    free(neighbours->shared);
}

static unsigned slot_of(const struct neighbours *neighbours, int other)
{
    unsigned mask = (unsigned)neighbours->size - 1;
    unsigned slot = (unsigned)other * 2654435769u >> 7 & mask;
    while (neighbours->table[slot] >= 0 && neighbours->found[neighbours->table[slot]] != other) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static void add(struct neighbours *neighbours, int other)
{
    unsigned slot = slot_of(neighbours, other);
    if (neighbours->table[slot] < 0) {
        neighbours->table[slot] = neighbours->count;
        neighbours->found[neighbours->count] = other;
        neighbours->shared[neighbours->count++] = 0;
    }
    neighbours->shared[neighbours->table[slot]]++;
}

/* In reverse, so that no entry is looked for past one that is free already. */
static void forget(struct neighbours *neighbours)
{
    while (neighbours->count > 0) {
        int last = neighbours->found[neighbours->count - 1];
        neighbours->table[slot_of(neighbours, last)] = -1;
        neighbours->count--;
    }
}

/* The place of an element in the ascending list of a point. */
static int64_t place_in(const int *list, int64_t length, int element)
{
    int64_t low = 0;
    int64_t high = length - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (list[middle] < element) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void add_point(struct neighbours *neighbours, const struct plan_mesh *mesh, int e, int point)
{
    const int *list = mesh->touch + mesh->touch_start[point];
    int64_t length = mesh->touch_start[point + 1] - mesh->touch_start[point];
    if (length <= RING_ABOVE) {
        for (int64_t i = 0; i < length; i++) {
            if (list[i] != e) {
                add(neighbours, list[i]);
            }
        }
        return;
    }
    int64_t i = place_in(list, length, e);
    add(neighbours, list[i == 0 ? length - 1 : i - 1]);
    add(neighbours, list[i == length - 1 ? 0 : i + 1]);
}

static int is_repeat(const int *point, int c)
{
    for (int k = 0; k < c; k++) {
        if (point[k] == point[c]) {
            return 1;
        }
    }
    return 0;
}

/* Counts into graph->start[e] while graph->link is NULL, else fills. */
static void find(struct neighbours *neighbours, struct element_graph *graph,
                 const struct plan_mesh *mesh, int e)
{
    const int *point = mesh->point + (int64_t)e * mesh->arity;
    for (int c = 0; c < mesh->arity; c++) {
        if (!is_repeat(point, c)) {
            add_point(neighbours, mesh, e, point[c]);
        }
    }
    if (graph->link == NULL) {
        graph->start[e] = neighbours->count;
    } else {
        size_t bytes = (size_t)neighbours->count * sizeof(int);
        memcpy(graph->link + graph->start[e], neighbours->found, bytes);
        if (graph->weight != NULL) {
            memcpy(graph->weight + graph->start[e], neighbours->shared, bytes);
        }
    }
    forget(neighbours);
}

static int walk(struct element_graph *graph, const struct plan_mesh *mesh, char *error)
{
    int status = 0;
#pragma omp parallel
    {
        struct neighbours neighbours;
        char message[PLANNER_ERROR] = "";
        int made = neighbours_make(&neighbours, mesh, message) == 0;
#pragma omp for schedule(dynamic, 4096)
        for (int e = 0; e < mesh->elements; e++) {
            if (made) {
                find(&neighbours, graph, mesh, e);
            }
        }
        if (!made) {
#pragma omp critical(cleave_element_graph)
            {
                status = -1;
                memcpy(error, message, sizeof message);
            }
        }
        neighbours_free(&neighbours);
    }
    return status;
}

static int build(struct element_graph *graph, const struct plan_mesh *mesh, int weighted,
                 char *error)
{
    const char *what = "the element graph";
    graph->start = planner_memory((size_t)graph->elements + 1, sizeof *graph->start, what, error);
    if (graph->start == NULL || walk(graph, mesh, error) != 0) {
        return -1;
    }
    planner_prefix(graph->start, graph->elements);
    size_t links = (size_t)graph->start[graph->elements];
    graph->link = planner_memory(links, sizeof *graph->link, what, error);
    graph->weight = weighted ? planner_memory(links, sizeof *graph->weight, what, error) : NULL;
    if (graph->link == NULL || (weighted && graph->weight == NULL)) {
        return -1;
    }
    return walk(graph, mesh, error);
}

int planner_element_graph_make(struct element_graph *graph, const struct plan_mesh *mesh,
                               int weighted, char *error)
{
    *graph = (struct element_graph){.elements = mesh->elements};
    int status = build(graph, mesh, weighted, error);
    if (status != 0) {
        planner_element_graph_free(graph);
    }
    return status;
}

void planner_element_graph_free(struct element_graph *graph)
{
    free(graph->start);
    free(graph->link);
    free(graph->weight);
    *graph = (struct element_graph){0};
}
