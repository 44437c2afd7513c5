/* plan_graph.c: the element graph that METIS partitions.
 *
 * In: the maps. Out: for each element the other elements that share a point with it. Two passes
 * over the elements (count, then fill), each looking up the elements of its points. A point that
 * very many elements share would join all of them with all; beyond a limit they are joined in a
 * ring instead. Used by plan_partition.c only.
 */
#include <stdlib.h>
#include <string.h>

#include "plan_impl.h"

/* More elements at one point than in any mesh of tetrahedra or hexahedra; rings above. */
#define PLAN_RING_ABOVE 64

/* The elements of each point, ascending and each once. */
struct point_elements {
    size_t *start; /* [points+1] */
    int *element;  /* [start[points]] */
};

struct graph_builder {
    const struct plan_columns *columns;
    struct point_elements at;
    int *joined; /* [elements] joined[f] == e+1: f is already a neighbour of e */
};

/* last[p] becomes 1 + the last element counted at p: an element may name one point twice. */
static void count_elements(struct point_elements *at, int *last, const struct plan_columns *columns,
                           int elements)
{
    for (int e = 0; e < elements; e++) {
        for (int c = 0; c < columns->count; c++) {
            size_t point = plan_point(&columns->column[c], e);
            if (last[point] != e + 1) {
                last[point] = e + 1;
                at->start[point + 1]++;
            }
        }
    }
    for (size_t p = 0; p < columns->points; p++) {
        at->start[p + 1] += at->start[p];
    }
}

static void fill_elements(struct point_elements *at, int *filled,
                          const struct plan_columns *columns, int elements)
{
    for (int e = 0; e < elements; e++) {
        for (int c = 0; c < columns->count; c++) {
            size_t point = plan_point(&columns->column[c], e);
            int *list = at->element + at->start[point];
            int length = filled[point];
            if (length == 0 || list[length - 1] != e) {
                list[length] = e;
                filled[point] = length + 1;
            }
        }
    }
}

static int find_elements(struct point_elements *at, const struct plan_columns *columns,
                         const struct plan_input *input)
{
    int *scratch = plan_allocate(columns->points, sizeof *scratch,
                                 "counting the elements of points", input->error);
    at->start = plan_allocate(columns->points + 1, sizeof *at->start,
                              "the offsets of the elements of points", input->error);
    if (scratch == NULL || at->start == NULL) {
        free(scratch);
        return -1;
    }
    count_elements(at, scratch, columns, input->elements);
    at->element = plan_allocate(at->start[columns->points], sizeof *at->element,
                                "the elements of points", input->error);
    if (at->element != NULL) {
        memset(scratch, 0, columns->points * sizeof *scratch);
        fill_elements(at, scratch, columns, input->elements);
    }
    free(scratch);
    return at->element != NULL ? 0 : -1;
}

static int position_in(const int *list, int length, int element)
{
    int low = 0;
    int high = length - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle] < element) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Returns the number of links after joining; link is NULL while counting. */
static int64_t join(struct graph_builder *builder, int element, int other, int *link, int64_t links)
{
    if (other == element || builder->joined[other] == element + 1) {
        return links;
    }
    builder->joined[other] = element + 1;
    if (link != NULL) {
        link[links] = other;
    }
    return links + 1;
}

static int64_t join_point(struct graph_builder *builder, int element, size_t point, int *link,
                          int64_t links)
{
    const int *list = builder->at.element + builder->at.start[point];
    int length = (int)(builder->at.start[point + 1] - builder->at.start[point]);
    if (length <= PLAN_RING_ABOVE) {
        for (int i = 0; i < length; i++) {
            links = join(builder, element, list[i], link, links);
        }
        return links;
    }
    int i = position_in(list, length, element);
    links = join(builder, element, list[i == 0 ? length - 1 : i - 1], link, links);
    return join(builder, element, list[i == length - 1 ? 0 : i + 1], link, links);
}

static void join_all(struct graph_builder *builder, struct plan_graph *graph)
{
    const struct plan_columns *columns = builder->columns;
    int64_t links = 0;
    memset(builder->joined, 0, (size_t)graph->elements * sizeof *builder->joined);
    for (int e = 0; e < graph->elements; e++) {
        graph->start[e] = links;
        for (int c = 0; c < columns->count; c++) {
            links = join_point(builder, e, plan_point(&columns->column[c], e), graph->link, links);
        }
    }
    graph->start[graph->elements] = links;
}

static int build(struct plan_graph *graph, struct graph_builder *builder,
                 const struct plan_input *input)
{
    size_t elements = (size_t)input->elements;
    if (find_elements(&builder->at, builder->columns, input) != 0) {
        return -1;
    }
    builder->joined = plan_allocate(elements, sizeof *builder->joined,
                                    "marking neighbours in the element graph", input->error);
    graph->start = plan_allocate(elements + 1, sizeof *graph->start,
                                 "the offsets of the element graph", input->error);
    if (builder->joined == NULL || graph->start == NULL) {
        return -1;
    }
    join_all(builder, graph);
    graph->link = plan_allocate((size_t)graph->start[elements], sizeof *graph->link,
                                "the links of the element graph", input->error);
    if (graph->link == NULL) {
        return -1;
    }
    join_all(builder, graph);
    return 0;
}

int plan_graph_build(struct plan_graph *graph, const struct plan_input *input)
{
    struct plan_columns columns;
    struct graph_builder builder = {.columns = &columns};

    *graph = (struct plan_graph){.elements = input->elements};
    plan_columns(&columns, input, PLAN_JOINED);
    int status = build(graph, &builder, input);
    free(builder.at.start);
    free(builder.at.element);
    free(builder.joined);
    if (status != 0) {
        plan_graph_free(graph);
    }
    return status;
}

void plan_graph_free(struct plan_graph *graph)
{
    free(graph->start);
    free(graph->link);
    graph->start = NULL;
    graph->link = NULL;
}
