/* plan_impl.h: what the planner's files share; nobody else includes it.
 *
 * plan.c calls the steps in this order: plan_partition (element -> part), its own cutting of parts
 * into blocks, plan_colour_blocks and plan_colour_threads, plan_lists. Every step that can fail
 * returns -1 with a message in input->error; what it has put into the plan by then, plan_free
 * frees.
 */
#ifndef CLEAVE_PLAN_IMPL_H
#define CLEAVE_PLAN_IMPL_H

#include <stdint.h>

#include "plan.h"

#define PLAN_ERROR_BYTES 256

/* The arguments of plan_build, borrowed. */
struct plan_input {
    int elements;
    int maps;
    const struct plan_map *map;
    const struct plan_options *options;
    char *error; /* [PLAN_ERROR_BYTES] */
};

/* 0, or -1 when sizes or entries of maps are out of range. */
int plan_check_input(const struct plan_input *input);

/* count * bytes of zeroed memory, never NULL for a count of 0. NULL with a message that names the
 * size and what it is for ("the blocks of a plan") when there is not enough. */
void *plan_allocate(size_t count, size_t bytes, const char *what, char *error);

/* One way from an element to a point. The sets that a loop reaches are numbered one after the
 * other, so that a point has one number however many maps lead to it: offset + the map's entry. */
struct plan_column {
    const int *row;
    int dim;
    int column;
    size_t offset;
};

struct plan_columns {
    int count;
    size_t points; /* of all sets together */
    struct plan_column column[CLEAVE_MAX_LISTS * CLEAVE_MAX_COLUMNS];
};

enum plan_use {
    PLAN_MODIFIED, /* the columns through which data is modified */
    PLAN_JOINED    /* all columns of the maps with such a column; of all maps when there is none */
};

void plan_columns(struct plan_columns *columns, const struct plan_input *input, enum plan_use use);

static inline size_t plan_point(const struct plan_column *column, int element)
{
    return column->offset + (size_t)column->row[(size_t)element * column->dim + column->column];
}

/* The element graph in compressed rows: the neighbours of e are link[start[e]] to
 * link[start[e+1] - 1], each once, without e itself; symmetric. */
struct plan_graph {
    int elements;
    int64_t *start; /* [elements+1] */
    int *link;      /* [start[elements]] */
};

int plan_graph_build(struct plan_graph *graph, const struct plan_input *input);
void plan_graph_free(struct plan_graph *graph);

/* 1: METIS is there and could make other blocks than runs of consecutive elements. */
int plan_metis_is_useful(const struct plan_input *input);

/* part[e] in 0..*parts-1 for every element; parts may be empty and larger than a block. *used says
 * what they come from: METIS, when asked for, has nothing to do where no elements share a point. */
int plan_partition(const struct plan_input *input, int *part, int *parts, enum plan_method *used);

/* Requires start, order and blocks. */
int plan_colour_blocks(struct cleave_plan *plan, const struct plan_input *input);
int plan_colour_threads(struct cleave_plan *plan, const struct plan_input *input);

/* Requires start, order and blocks. Fills list[]. */
int plan_lists(struct cleave_plan *plan, const struct plan_input *input);

#endif
