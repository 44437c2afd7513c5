/* refine_state.c: loads a group of blocks for refine_sweep.c: small numbers for its points, and for
 * each point the blocks that touch it. See refine_state.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/blocks/refine_state.h"

#define FIRST_NAME_BITS 12
#define FIRST_POINTS (1 << (FIRST_NAME_BITS - 1))

void planner_group_release(struct group *group)
{
    free(group->of);
    free(group->row);
    free(group->point);
    free(group->toucher);
    free(group->name);
    free(group->number);
    free(group->noise);
    *group = (struct group){0};
}

int planner_group_reserve(struct group *group, const struct plan_mesh *mesh, int elements,
                          char *error)
{
    const char *what = "a group of blocks";
    size_t size = (size_t)elements;
    size_t slots = size * (size_t)mesh->arity;
    *group = (struct group){.mesh = mesh, .name_bits = FIRST_NAME_BITS, .point_room = FIRST_POINTS};
    size_t names = (size_t)1 << group->name_bits;
    group->of = planner_memory(size, sizeof *group->of, what, error);
    group->row = planner_memory(slots, sizeof *group->row, what, error);
    group->toucher = planner_memory(slots, sizeof *group->toucher, what, error);
    group->point = planner_memory(FIRST_POINTS, sizeof *group->point, what, error);
    group->name = planner_memory(names, sizeof *group->name, what, error);
    group->number = planner_memory(names, sizeof *group->number, what, error);
    group->noise = planner_memory(NOISES, sizeof *group->noise, what, error);
    if (group->of == NULL || group->noise == NULL || group->row == NULL || group->toucher == NULL ||
        group->point == NULL || group->name == NULL || group->number == NULL) {
        planner_group_release(group);
        return -1;
    }
    for (int i = 0; i < NOISES; i++) {
        group->noise[i] = -logf(-logf(((float)i + 0.5f) / NOISES));
    }
    return 0;
}

/* ---- names of points ------------------------------------------------------------------------ */

static size_t place_of_name(const struct group *group, int name)
{
    size_t mask = ((size_t)1 << group->name_bits) - 1;
    size_t at = (uint32_t)name * UINT32_C(2654435769) >> (32 - group->name_bits);
    while (group->name[at] != name && group->name[at] >= 0) {
        at = (at + 1) & mask;
    }
    return at;
}

static void clear_names(struct group *group)
{
    memset(group->name, 0xff, ((size_t)1 << group->name_bits) * sizeof *group->name);
}

/* Doubles the table and the room for points. */
static int grow_names(struct group *group, char *error)
{
    const char *what = "the points of a group of blocks";
    size_t old_names = (size_t)1 << group->name_bits;
    int *old_name = group->name;
    int *old_number = group->number;
    struct group_point *point = planner_memory(old_names, sizeof *point, what, error);
    int *name = planner_memory(2 * old_names, sizeof *name, what, error);
    int *number = planner_memory(2 * old_names, sizeof *number, what, error);
    if (point == NULL || name == NULL || number == NULL) {
        free(point);
        free(name);
        free(number);
        return -1;
    }
    memcpy(point, group->point, (size_t)group->points * sizeof *point);
    free(group->point);
    group->point = point;
    group->point_room = (int)old_names;
    group->name = name;
    group->number = number;
    group->name_bits++;
    clear_names(group);
    for (size_t i = 0; i < old_names; i++) {
        if (old_name[i] >= 0) {
            size_t at = place_of_name(group, old_name[i]);
            name[at] = old_name[i];
            number[at] = old_number[i];
        }
    }
    free(old_name);
    free(old_number);
    return 0;
}

/* The group's number of a point of the mesh, a new one if need be; -1 without memory. */
static int number_of(struct group *group, int name, char *error)
{
    size_t at = place_of_name(group, name);
    if (group->name[at] >= 0) {
        return group->number[at];
    }
    if (group->points == group->point_room) {
        if (grow_names(group, error) != 0) {
            return -1;
        }
        at = place_of_name(group, name);
    }
    group->name[at] = name;
    group->number[at] = group->points;
    group->point[group->points] = (struct group_point){0};
    return group->points++;
}

/* ---- loading -------------------------------------------------------------------------------- */

/* Fills row with each point of the element once; counts in point[].first the elements of each. */
static int load_row(struct group *group, int *row, const int *names, char *error)
{
    int count = 0;
    for (int c = 0; c < group->mesh->arity; c++) {
        int point = number_of(group, names[c], error);
        if (point < 0) {
            return -1;
        }
        int seen = 0;
        while (seen < count && row[seen] != point) {
            seen++;
        }
        if (seen == count) {
            row[count++] = point;
            group->point[point].first++;
        }
    }
    while (count < group->mesh->arity) {
        row[count++] = -1;
    }
    return 0;
}

/* From counts in point[].first to offsets. A point has at most as many touchers as elements or
 * blocks. */
static void place_touchers(struct group *group)
{
    int next = 0;
    for (int p = 0; p < group->points; p++) {
        int room = group->point[p].first;
        group->point[p].first = next;
        next += room < group->blocks ? room : group->blocks;
    }
}

/* Elements come block after block, so a point's last toucher is the block at hand or an earlier
 * one. */
static void count_touchers(struct group *group)
{
    int arity = group->mesh->arity;
    for (int i = 0; i < group->elements; i++) {
        const int *row = group->row + (size_t)i * (size_t)arity;
        for (int c = 0; c < arity && row[c] >= 0; c++) {
            struct group_point *point = &group->point[row[c]];
            struct toucher *last = &group->toucher[point->first + point->touchers];
            if (point->touchers > 0 && last[-1].block == group->of[i]) {
                last[-1].elements++;
            } else {
                *last = (struct toucher){group->of[i], 1};
                point->touchers++;
                group->uniques[group->of[i]]++;
            }
        }
    }
}

int planner_group_load(struct group *group, int blocks, const int *start, const int *element,
                       char *error)
{
    int arity = group->mesh->arity;
    group->blocks = blocks;
    group->elements = start[blocks] - start[0];
    group->element = element + start[0];
    group->points = 0;
    clear_names(group);
    memset(group->uniques, 0, sizeof group->uniques);
    for (int b = 0; b < blocks; b++) {
        group->size[b] = start[b + 1] - start[b];
        memset(group->of + (start[b] - start[0]), b, (size_t)group->size[b]);
    }
    for (int i = 0; i < group->elements; i++) {
        const int *names = group->mesh->point + (size_t)group->element[i] * (size_t)arity;
        if (load_row(group, group->row + (size_t)i * (size_t)arity, names, error) != 0) {
            return -1;
        }
    }
    place_touchers(group);
    count_touchers(group);
    return 0;
}
