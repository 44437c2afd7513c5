/* arrays.c: the arrays of a numbering as a table, and what is done with all of them. */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/number/number.h"

static size_t starts(const struct plan_numbering *numbering)
{
    return (size_t)numbering->blocks + 1;
}

static size_t orders(const struct plan_numbering *numbering)
{
    return (size_t)numbering->elements;
}

const struct numbering_array planner_numbering_arrays[NUMBERING_ARRAYS] = {
    {"the blocks of a numbering", offsetof(struct plan_numbering, start), starts},
    {"an order of elements", offsetof(struct plan_numbering, order), orders},
};

int *planner_numbering_array(const struct plan_numbering *numbering, int a)
{
    int *array;
    memcpy(&array, (const char *)numbering + planner_numbering_arrays[a].offset, sizeof array);
    return array;
}

size_t planner_numbering_bytes(const struct plan_numbering *numbering, int a)
{
    return planner_numbering_arrays[a].count(numbering) * sizeof(int);
}

int planner_numbering_reserve(struct plan_numbering *numbering, char *error)
{
    for (int a = 0; a < NUMBERING_ARRAYS; a++) {
        const struct numbering_array *row = &planner_numbering_arrays[a];
        int *array = planner_memory(row->count(numbering), sizeof *array, row->what, error);
        memcpy((char *)numbering + row->offset, &array, sizeof array);
        if (array == NULL) {
            return -1;
        }
    }
    return 0;
}

void planner_numbering_free(struct plan_numbering *numbering)
{
    for (int a = 0; numbering != NULL && a < NUMBERING_ARRAYS; a++) {
        free(planner_numbering_array(numbering, a));
    }
    free(numbering);
}

uint64_t planner_numbering_hash(const struct plan_numbering *numbering)
{
    uint64_t hash = PLANNER_HASH;
    planner_hash_number(&hash, numbering->elements);
    planner_hash_number(&hash, numbering->blocks);
    planner_hash_number(&hash, numbering->block_size);
    planner_hash_number(&hash, (int)numbering->method.start);
    planner_hash_number(&hash, (int)numbering->method.improve);
    for (int a = 0; a < NUMBERING_ARRAYS; a++) {
        const int *array = planner_numbering_array(numbering, a);
        if (array != NULL) {
            planner_hash_bytes(&hash, array, planner_numbering_bytes(numbering, a));
        }
    }
    return hash;
}
