/* clusters.c: clusters of points and their graph.
 *
 * In: a mesh. Out: each point's cluster, and which clusters are neighbours. Seeds are drawn by
 * hash, and each point joins the seed that is fewest steps away, of several the one with the
 * smallest number. If seeds are too rare, as in components without one or along lines, more are
 * drawn among the points that are left. Each step is one pass over the elements, whatever their
 * order.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/blocks/clusters.h"

/* One point in so many is a seed, and one in a quarter of that among what MOST_STEPS did not reach.
 */
#define SEEDS_OF 64
#define SEEDS_MORE 4
#define MOST_STEPS 8
/* Steps are numbered from 1; these are no steps. */
#define NOT_REACHED 254
#define LEFT_OUT 255
/* Elements whose pairs are found one after the other. */
#define PAIR_CHUNK 65536
/* If there are more pairs, only those of every n-th element are kept. */
#define MOST_PAIRS (1 << 26)

struct growing {
    const struct plan_mesh *mesh;
    int *label;    /* [points] the seed of its cluster; INT_MAX: none yet */
    uint8_t *step; /* [points] when it got it */
};

/* Neighbouring pairs of clusters as keys: the smaller in the upper half. */
struct pairs {
    uint64_t *key; /* [count] */
    int *order;    /* [count] sorts them */
    int count;
    int stride; /* of the elements that were looked at */
};

int64_t planner_clusters_degree(const struct plan_mesh *mesh, int point)
{
    return mesh->touch_start[point + 1] - mesh->touch_start[point];
}

/* ---- clusters ------------------------------------------------------------------------------ */

static uint32_t hash(int point)
{
    uint64_t mixed = ((uint64_t)point + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(mixed >> 32);
}

static void lower(int *label, int value)
{
    int now = __atomic_load_n(label, __ATOMIC_RELAXED);
    while (value < now && !__atomic_compare_exchange_n(label, &now, value, 1, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
}

/* Hubs are seeds that nothing joins. */
static void begin(const struct growing *growing)
{
#pragma omp parallel for schedule(static)
    for (int p = 0; p < growing->mesh->points; p++) {
        int64_t degree = planner_clusters_degree(growing->mesh, p);
        growing->label[p] = degree > CLUSTER_HUB ? p : INT_MAX;
        growing->step[p] = degree == 0 || degree > CLUSTER_HUB ? LEFT_OUT : NOT_REACHED;
    }
}

static void draw_seeds(const struct growing *growing, uint32_t one_of, int step)
{
#pragma omp parallel for schedule(static)
    for (int p = 0; p < growing->mesh->points; p++) {
        if (growing->step[p] == NOT_REACHED && hash(p) % one_of == 0) {
            growing->label[p] = p;
            growing->step[p] = (uint8_t)step;
        }
    }
}

/* Gives the points of one element that were not reached before this step the smallest label of
 * those that were. 1 when there are any. */
static int spread_element(const struct growing *growing, const int *point, int step)
{
    int best = INT_MAX;
    int reaches = 0;
    for (int c = 0; c < growing->mesh->arity; c++) {
        int reached = __atomic_load_n(&growing->step[point[c]], __ATOMIC_RELAXED);
        if (reached < step) {
            best = growing->label[point[c]] < best ? growing->label[point[c]] : best;
        } else {
            reaches |= reached != LEFT_OUT;
        }
    }
    if (best == INT_MAX || !reaches) {
        return 0;
    }
    for (int c = 0; c < growing->mesh->arity; c++) {
        int reached = __atomic_load_n(&growing->step[point[c]], __ATOMIC_RELAXED);
        if (reached >= step && reached != LEFT_OUT) {
            lower(&growing->label[point[c]], best);
            __atomic_store_n(&growing->step[point[c]], (uint8_t)step, __ATOMIC_RELAXED);
        }
    }
    return 1;
}

static int spread(const struct growing *growing, int step)
{
    const struct plan_mesh *mesh = growing->mesh;
    int reached = 0;
#pragma omp parallel for schedule(static) reduction(| : reached)
    for (int e = 0; e < mesh->elements; e++) {
        reached |= spread_element(growing, mesh->point + (int64_t)e * mesh->arity, step);
    }
    return reached;
}

static void find_labels(const struct growing *growing)
{
    int step = 0;
    begin(growing);
    for (uint32_t one_of = SEEDS_OF; one_of > 1; one_of /= SEEDS_MORE) {
        int last = step + MOST_STEPS;
        draw_seeds(growing, one_of, step++);
        while (step <= last && spread(growing, step)) {
            step++;
        }
    }
    draw_seeds(growing, 1, step);
}

/* Numbers the clusters in the order of their seeds. */
static int number_clusters(struct clusters *clusters, const struct growing *growing, char *error)
{
    int points = growing->mesh->points;
    int64_t *number =
        planner_memory((size_t)points + 1, sizeof *number, "the clusters of points", error);
    if (number == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int p = 0; p < points; p++) {
        number[p] = growing->label[p] == p;
    }
    planner_prefix(number, points);
    clusters->count = (int)number[points];
#pragma omp parallel for schedule(static)
    for (int p = 0; p < points; p++) {
        clusters->of[p] = growing->label[p] < INT_MAX ? (int)number[growing->label[p]] : -1;
    }
    free(number);
    return 0;
}

/* ---- pairs of neighbours -------------------------------------------------------------------- */

/* The pairs of one element: along the row of its points. Writes them to key unless it is NULL. */
static int64_t pairs_of(const struct clusters *clusters, const struct plan_mesh *mesh, int e,
                        uint64_t *key)
{
    const int *point = mesh->point + (int64_t)e * mesh->arity;
    int64_t count = 0;
    int last = -1;
    for (int c = 0; c < mesh->arity; c++) {
        if (planner_clusters_degree(mesh, point[c]) > CLUSTER_HUB) {
            continue;
        }
        int cluster = clusters->of[point[c]];
        if (last >= 0 && cluster != last) {
            uint64_t low = (uint64_t)(cluster < last ? cluster : last);
            uint64_t high = (uint64_t)(cluster < last ? last : cluster);
            if (key != NULL) {
                key[count] = low << 32 | high;
            }
            count++;
        }
        last = cluster;
    }
    return count;
}

/* start[chunks+1] becomes where the pairs of each chunk begin when key is NULL; else fills key. */
static void walk_pairs(const struct clusters *clusters, const struct plan_mesh *mesh, int stride,
                       int64_t *start, uint64_t *key)
{
    int chunks = mesh->elements / PAIR_CHUNK + 1;
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < chunks; i++) {
        int64_t end = ((int64_t)i + 1) * PAIR_CHUNK;
        int64_t count = 0;
        end = end < mesh->elements ? end : mesh->elements;
        for (int64_t e = (int64_t)i * PAIR_CHUNK; e < end; e++) {
            if (e % stride == 0) {
                count +=
                    pairs_of(clusters, mesh, (int)e, key != NULL ? key + start[i] + count : NULL);
            }
        }
        if (key == NULL) {
            start[i] = count;
        }
    }
    if (key == NULL) {
        planner_prefix(start, chunks);
    }
}

static int sort_pairs(struct pairs *pairs, int clusters, char *error)
{
    int bits = 1;
    while (bits < 31 && clusters >> bits != 0) {
        bits++;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < pairs->count; i++) {
        pairs->key[i] = (pairs->key[i] >> 32) << bits | (pairs->key[i] & UINT32_MAX);
    }
    int status = planner_sort(pairs->order, pairs->key, pairs->count, 2 * bits, error);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < pairs->count; i++) {
        uint64_t low = pairs->key[i] & ((UINT64_C(1) << bits) - 1);
        pairs->key[i] = (pairs->key[i] >> bits) << 32 | low;
    }
    return status;
}

static int find_pairs(struct pairs *pairs, const struct clusters *clusters,
                      const struct plan_mesh *mesh, char *error)
{
    const char *what = "the graph of clusters";
    int chunks = mesh->elements / PAIR_CHUNK + 1;
    int64_t *start = planner_memory((size_t)chunks + 1, sizeof *start, what, error);
    *pairs = (struct pairs){.stride = 1};
    if (start == NULL) {
        return -1;
    }
    walk_pairs(clusters, mesh, 1, start, NULL);
    if (start[chunks] > MOST_PAIRS) {
        pairs->stride = (int)(start[chunks] / MOST_PAIRS) + 1;
        walk_pairs(clusters, mesh, pairs->stride, start, NULL);
    }
    pairs->count = (int)start[chunks];
    pairs->key = planner_memory((size_t)pairs->count, sizeof *pairs->key, what, error);
    pairs->order = planner_memory((size_t)pairs->count, sizeof *pairs->order, what, error);
    int status = -1;
    if (pairs->key != NULL && pairs->order != NULL) {
        walk_pairs(clusters, mesh, pairs->stride, start, pairs->key);
        status = sort_pairs(pairs, clusters->count, error);
    }
    free(start);
    return status;
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* Puts each pair once into the lists of both, or counts only when link is NULL. next[cluster]:
 * where its next neighbour comes. Neighbours come in ascending order: first all smaller ones. */
static void join_pairs(struct clusters *clusters, const struct pairs *pairs, int64_t *next)
{
    int equal;
    for (int i = 0; i < pairs->count; i += equal) {
        uint64_t key = pairs->key[pairs->order[i]];
        int side[2] = {(int)(key >> 32), (int)(key & UINT32_MAX)};
        equal = 1;
        while (i + equal < pairs->count && pairs->key[pairs->order[i + equal]] == key) {
            equal++;
        }
        for (int k = 0; k < 2; k++) {
            int64_t at = next[side[k]]++;
            if (clusters->link != NULL) {
                clusters->link[at] = side[1 - k];
                clusters->weight[at] = (float)equal;
            }
        }
    }
}

static int make_graph(struct clusters *clusters, const struct pairs *pairs, char *error)
{
    const char *what = "the graph of clusters";
    size_t count = (size_t)clusters->count;
    clusters->start = planner_memory(count + 1, sizeof *clusters->start, what, error);
    int64_t *next = planner_zeroed(count + 1, sizeof *next, what, error);
    if (clusters->start == NULL || next == NULL) {
        free(next);
        return -1;
    }
    join_pairs(clusters, pairs, next);
    planner_prefix(next, clusters->count);
    memcpy(clusters->start, next, (count + 1) * sizeof *next);
    size_t links = (size_t)next[count];
    clusters->link = planner_memory(links, sizeof *clusters->link, what, error);
    clusters->weight = planner_memory(links, sizeof *clusters->weight, what, error);
    int status = clusters->link != NULL && clusters->weight != NULL ? 0 : -1;
    if (status == 0) {
        join_pairs(clusters, pairs, next);
    }
    free(next);
    return status;
}

static int find_clusters(struct clusters *clusters, const struct plan_mesh *mesh, char *error)
{
    struct growing growing = {.mesh = mesh};
    const char *what = "the clusters of points";
    size_t points = (size_t)mesh->points;
    growing.label = planner_memory(points, sizeof *growing.label, what, error);
    growing.step = planner_memory(points, sizeof *growing.step, what, error);
    clusters->of = planner_memory(points, sizeof *clusters->of, what, error);
    int status = -1;
    if (growing.label != NULL && growing.step != NULL && clusters->of != NULL) {
        find_labels(&growing);
        status = number_clusters(clusters, &growing, error);
    }
    free(growing.label);
    free(growing.step);
    return status;
}

int planner_clusters_make(struct clusters *clusters, const struct plan_mesh *mesh, char *error)
{
    *clusters = (struct clusters){0};
    int status = find_clusters(clusters, mesh, error);
    if (status == 0) {
        struct pairs pairs;
        status = find_pairs(&pairs, clusters, mesh, error);
        if (status == 0) {
            status = make_graph(clusters, &pairs, error);
        }
        free(pairs.key);
        free(pairs.order);
    }
    if (status != 0) {
        planner_clusters_free(clusters);
    }
    return status;
}

void planner_clusters_free(struct clusters *clusters)
{
    free(clusters->of);
    free(clusters->start);
    free(clusters->link);
    free(clusters->weight);
    *clusters = (struct clusters){0};
}
