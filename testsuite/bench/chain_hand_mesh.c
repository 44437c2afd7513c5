/* chain_hand_mesh.c: orders meshes by the planner, and lists the elements that name each point. */
#include "testsuite/bench/chain_hand_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/permute.h"
#include "runtime/planner/planner.h"

enum { LANES = 32 };

static const struct planner planner;

static void *memory(size_t count, size_t bytes)
{
    void *at = malloc(count * bytes + 1);
    if (at == NULL) {
        fprintf(stderr, "chain_hand: not enough memory\n");
        exit(1);
    }
    return at;
}

static void must(int status, const char *error)
{
    if (status != 0) {
        fprintf(stderr, "chain_hand: %s\n", error);
        exit(1);
    }
}

/* ---- orders ------------------------------------------------------------------------------------
 */

static struct plan_map whole_map(const int *row, int dim, int points, int target)
{
    struct plan_map map = {
        .row = row, .dim = dim, .points = points, .target = target, .columns = dim};
    for (int c = 0; c < dim; c++) {
        map.column[c] = c;
        map.conflicts |= target == 0 ? 1u << c : 0u;
    }
    return map;
}

/* The inverse of a permutation: the place of each item. */
static int *places_of(const int *order, int count)
{
    int *place = memory((size_t)count, sizeof *place);
    for (int i = 0; i < count; i++) {
        place[order[i]] = i;
    }
    return place;
}

static struct plan_numbering *number_elements(int elements, int maps, const struct plan_map *map,
                                              const struct plan_coordinates *at, const char *order)
{
    struct plan_numbering_options how = {.block_size = 128};
    struct plan_numbering *numbering;
    struct plan_phases phases = {0};
    char error[PLANNER_ERROR];
    if (planner_method_parse(order, &how.method) != 0) {
        fprintf(stderr, "chain_hand: --order=%s: natural, shuffled, or one of %s\n", order,
                planner_method_words());
        exit(2);
    }
    must(planner_number(&planner, &numbering, elements, maps, map, at, &how, &phases, error),
         error);
    return numbering;
}

/* The new number of each point of a set, by the numbering of the elements. */
static int *number_points(const struct plan_numbering *numbering, int points, int target, int maps,
                          const struct plan_map *map)
{
    int *order = memory((size_t)points, sizeof *order);
    struct plan_phases phases = {0};
    char error[PLANNER_ERROR];
    must(
        planner_order_points(&planner, order, points, target, numbering, maps, map, &phases, error),
        error);
    int *place = places_of(order, points);
    free(order);
    return place;
}

static void move_edges(struct mesh *mesh, const int *edge, const int *cell, const int *node)
{
    permute_rows(mesh->edge, mesh->nedge, 2 * sizeof(int), edge);
    permute_rows(mesh->ecell, mesh->nedge, 2 * sizeof(int), edge);
    permute_rows(mesh->cell, mesh->ncell, 4 * sizeof(int), cell);
    permute_rows(mesh->x, mesh->nnode, 2 * sizeof(double), node);
    permute_entries(mesh->edge, 2 * (size_t)mesh->nedge, node);
    permute_entries(mesh->cell, 4 * (size_t)mesh->ncell, node);
    permute_entries(mesh->bedge, 2 * (size_t)mesh->nbedge, node);
    permute_entries(mesh->ecell, 2 * (size_t)mesh->nedge, cell);
    permute_entries(mesh->becell, (size_t)mesh->nbedge, cell);
}

void chain_order_airfoil(struct mesh *mesh, const char *order)
{
    if (strcmp(order, "natural") == 0) {
        return;
    }
    if (strcmp(order, "shuffled") == 0) {
        mesh_shuffle(mesh, 1);
        return;
    }
    const struct plan_map map[2] = {whole_map(mesh->ecell, 2, mesh->ncell, 0),
                                    whole_map(mesh->edge, 2, mesh->nnode, 1)};
    const struct plan_coordinates at = {.at = mesh->x, .dim = 2, .target = 1};
    struct plan_numbering *numbering = number_elements(mesh->nedge, 2, map, &at, order);
    int *edge = places_of(numbering->order, mesh->nedge);
    int *cell = number_points(numbering, mesh->ncell, 0, 2, map);
    int *node = number_points(numbering, mesh->nnode, 1, 2, map);
    planner_numbering_free(numbering);
    move_edges(mesh, edge, cell, node);
    free(edge);
    free(cell);
    free(node);
}

void chain_order_graph(int nnode, int nedge, int *ends, double *a, double *at, int *number,
                       const char *order)
{
    int *edge;
    int *node;
    if (strcmp(order, "natural") == 0) {
        for (int n = 0; n < nnode; n++) {
            number[n] = n;
        }
        return;
    }
    if (strcmp(order, "shuffled") == 0) {
        edge = permutation_new(nedge, 2);
        node = permutation_new(nnode, 1);
    } else {
        const struct plan_map map = whole_map(ends, 2, nnode, 0);
        const struct plan_coordinates where = {.at = at, .dim = 2, .target = 0};
        struct plan_numbering *numbering = number_elements(nedge, 1, &map, &where, order);
        edge = places_of(numbering->order, nedge);
        node = number_points(numbering, nnode, 0, 1, &map);
        planner_numbering_free(numbering);
    }
    memcpy(number, node, (size_t)nnode * sizeof *number);
    permute_rows(ends, nedge, 2 * sizeof(int), edge);
    permute_rows(a, nedge, sizeof(double), edge);
    permute_rows(at, nnode, 2 * sizeof(double), node);
    permute_entries(ends, 2 * (size_t)nedge, node);
    free(edge);
    free(node);
}

/* ---- items -------------------------------------------------------------------------------------
 */

/* How many items each point gets, then their rows: the most of 32 points. */
static void set_rows(struct chain_slices *slices, const int *count, int points)
{
    slices->slices = (points + LANES - 1) / LANES;
    slices->start = memory((size_t)slices->slices + 1, sizeof(int));
    slices->start[0] = 0;
    for (int s = 0; s < slices->slices; s++) {
        int rows = 0;
        for (int p = LANES * s; p < LANES * (s + 1) && p < points; p++) {
            rows = count[p] > rows ? count[p] : rows;
        }
        slices->start[s + 1] = slices->start[s] + rows;
    }
    const size_t entries = (size_t)slices->start[slices->slices] * LANES;
    slices->item = memory(2 * entries, sizeof(int));
    for (size_t i = 0; i < 2 * entries; i++) {
        slices->item[i] = -1;
    }
}

/* filled: [points] items that each has so far. */
static void add_item(struct chain_slices *slices, int *filled, int point, int what, int other)
{
    const size_t row = (size_t)slices->start[point / LANES] + (size_t)filled[point]++;
    int *item = &slices->item[2 * (row * LANES + (size_t)(point % LANES))];
    item[0] = what;
    item[1] = other;
}

static void count_items(int *count, int elements, const int *map, unsigned modified)
{
    for (int e = 0; e < elements; e++) {
        for (int c = 0; c < 2; c++) {
            count[map[2 * (size_t)e + c]] += (int)(modified >> c & 1);
        }
    }
}

static void add_items(struct chain_slices *slices, int *filled, int elements, const int *map,
                      unsigned modified)
{
    for (int e = 0; e < elements; e++) {
        for (int c = 0; c < 2; c++) {
            if ((modified >> c & 1) != 0) {
                add_item(slices, filled, map[2 * (size_t)e + c], 2 * e + c,
                         map[2 * (size_t)e + 1 - c]);
            }
        }
    }
}

static int *zeros(int count)
{
    int *zero = memory((size_t)count, sizeof *zero);
    memset(zero, 0, (size_t)count * sizeof *zero);
    return zero;
}

struct chain_slices chain_slices_of(int points, int elements, const int *map, unsigned modified)
{
    struct chain_slices slices;
    int *count = zeros(points);
    count_items(count, elements, map, modified);
    set_rows(&slices, count, points);
    memset(count, 0, (size_t)points * sizeof *count);
    add_items(&slices, count, elements, map, modified);
    free(count);
    return slices;
}

struct chain_slices chain_slices_of_cells(const struct mesh *mesh)
{
    struct chain_slices slices;
    int *count = zeros(mesh->ncell);
    count_items(count, mesh->nedge, mesh->ecell, 3u);
    for (int b = 0; b < mesh->nbedge; b++) {
        count[mesh->becell[b]]++;
    }
    set_rows(&slices, count, mesh->ncell);
    memset(count, 0, (size_t)mesh->ncell * sizeof *count);
    add_items(&slices, count, mesh->nedge, mesh->ecell, 3u);
    for (int b = 0; b < mesh->nbedge; b++) {
        add_item(&slices, count, mesh->becell[b], b, -1 - mesh->bound[b]);
    }
    free(count);
    return slices;
}

struct chain_slices chain_slices_of_boundary(const struct mesh *mesh)
{
    struct chain_slices slices;
    int *count = zeros(mesh->ncell);
    for (int b = 0; b < mesh->nbedge; b++) {
        count[mesh->becell[b]]++;
    }
    set_rows(&slices, count, mesh->ncell);
    memset(count, 0, (size_t)mesh->ncell * sizeof *count);
    for (int b = 0; b < mesh->nbedge; b++) {
        add_item(&slices, count, mesh->becell[b], b, -1 - mesh->bound[b]);
    }
    free(count);
    return slices;
}

void chain_slices_free(struct chain_slices *slices)
{
    free(slices->start);
    free(slices->item);
}

/* ---- plans -------------------------------------------------------------------------------------
 */

struct cleave_plan *chain_plan(int elements, int points, const int *map, unsigned modified,
                               int block_size)
{
    struct plan_map modified_map = whole_map(map, 2, points, 0);
    struct cleave_plan *plan;
    char error[PLANNER_ERROR];
    modified_map.conflicts = modified;
    must(block_size == 0 ? planner_points_build(&planner, &plan, elements, 1, &modified_map, error)
                         : planner_owners_build(&planner, &plan, elements, block_size, LANES, 1,
                                                &modified_map, error),
         error);
    return plan;
}

void chain_plan_free(struct cleave_plan *plan)
{
    planner_free(plan);
}
