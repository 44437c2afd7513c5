/* embed.c: places for clusters: pivot MDS on their graph, one connected component after the other.
 *
 * In: the graph of clusters. Out: three coordinates of each. Distances from some pivots far from
 * each other, squared and centred, have the coordinates of classical scaling as their principal
 * components. Components are laid side by side.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/blocks/clusters.h"

#define PIVOTS 24
/* Sweeps of Jacobi's rotations; a symmetric matrix of 24 rows needs about 6. */
#define ROTATION_SWEEPS 12
/* Steps left between components. */
#define GAP 2

struct embedding {
    const struct clusters *graph;
    float *at;           /* [count*3] */
    float *far;          /* [largest component*PIVOTS] squared distances to pivots, then centred */
    int *row;            /* [count] place in the component: the row in far */
    int *steps;          /* [count] steps from the last pivot; -1: not reached */
    int *nearest;        /* [count] steps to the nearest pivot so far */
    int *member;         /* [count] of the component, breadth first from the last pivot */
    unsigned char *done; /* [count] belongs to an earlier component */
    double product[PIVOTS][PIVOTS]; /* of the columns of far; its eigenvalues in the end */
    double vector[PIVOTS][PIVOTS];  /* its eigenvectors, in columns */
    float edge;                     /* where the next component begins on the first axis */
};

/* ---- distances ----------------------------------------------------------------------------- */

static float *distances_of(const struct embedding *embedding, int cluster)
{
    return embedding->far + (size_t)embedding->row[cluster] * PIVOTS;
}

/* Breadth first from `from`: fills steps and member[0..], returns how many were reached. */
static int walk(struct embedding *embedding, int *member, int from)
{
    const struct clusters *graph = embedding->graph;
    int count = 1;
    member[0] = from;
    embedding->steps[from] = 0;
    for (int i = 0; i < count; i++) {
        int a = member[i];
        for (int64_t k = graph->start[a]; k < graph->start[a + 1]; k++) {
            int b = graph->link[k];
            if (embedding->steps[b] < 0) {
                embedding->steps[b] = embedding->steps[a] + 1;
                member[count++] = b;
            }
        }
    }
    return count;
}

static void forget_steps(struct embedding *embedding, const int *member, int count)
{
    for (int i = 0; i < count; i++) {
        embedding->steps[member[i]] = -1;
    }
}

/* The member that is farthest from all pivots, the one of the smallest number of those. */
static int farthest(const struct embedding *embedding, const int *member, int count)
{
    int best = member[0];
    for (int i = 1; i < count; i++) {
        int a = member[i];
        int further = embedding->nearest[a] - embedding->nearest[best];
        if (further > 0 || (further == 0 && a < best)) {
            best = a;
        }
    }
    return best;
}

/* Squared distances from up to PIVOTS pivots of a component. Returns how many. */
static int measure_distances(struct embedding *embedding, int *member, int count)
{
    int pivots = count < PIVOTS ? count : PIVOTS;
    int pivot = member[count - 1];
    for (int i = 0; i < count; i++) {
        embedding->nearest[member[i]] = count;
        embedding->row[member[i]] = i;
    }
    for (int k = 0; k < pivots; k++) {
        forget_steps(embedding, member, count);
        walk(embedding, member, pivot);
        for (int i = 0; i < count; i++) {
            int a = member[i];
            float steps = (float)embedding->steps[a];
            distances_of(embedding, a)[k] = steps * steps;
            if (embedding->steps[a] < embedding->nearest[a]) {
                embedding->nearest[a] = embedding->steps[a];
            }
        }
        pivot = farthest(embedding, member, count);
    }
    return pivots;
}

/* Rows and columns get mean 0; -1/2 as in classical scaling. */
static void centre_distances(struct embedding *embedding, const int *member, int count, int pivots)
{
    double column[PIVOTS] = {0};
    double all = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < pivots; k++) {
            column[k] += distances_of(embedding, member[i])[k];
        }
    }
    for (int k = 0; k < pivots; k++) {
        column[k] /= count;
        all += column[k] / pivots;
    }
    for (int i = 0; i < count; i++) {
        float *far = distances_of(embedding, member[i]);
        double row = 0;
        for (int k = 0; k < pivots; k++) {
            row += far[k] / pivots;
        }
        for (int k = 0; k < pivots; k++) {
            far[k] = (float)(-0.5 * (far[k] - row - column[k] + all));
        }
    }
}

/* ---- principal components -------------------------------------------------------------------- */

static void multiply(struct embedding *embedding, const int *member, int count, int pivots)
{
    memset(embedding->product, 0, sizeof embedding->product);
    memset(embedding->vector, 0, sizeof embedding->vector);
    for (int i = 0; i < count; i++) {
        const float *far = distances_of(embedding, member[i]);
        for (int k = 0; k < pivots; k++) {
            for (int l = 0; l <= k; l++) {
                embedding->product[k][l] += (double)far[k] * far[l];
            }
        }
    }
    for (int k = 0; k < pivots; k++) {
        embedding->vector[k][k] = 1;
        for (int l = 0; l < k; l++) {
            embedding->product[l][k] = embedding->product[k][l];
        }
    }
}

/* Turns rows and columns k and l so that product[k][l] becomes 0. */
static void rotate(struct embedding *embedding, int pivots, int k, int l)
{
    double(*product)[PIVOTS] = embedding->product;
    double(*vector)[PIVOTS] = embedding->vector;
    double ratio = (product[l][l] - product[k][k]) / (2 * product[k][l]);
    double tangent = (ratio < 0 ? -1 : 1) / (fabs(ratio) + sqrt(1 + ratio * ratio));
    double cosine = 1 / sqrt(1 + tangent * tangent);
    double sine = tangent * cosine;
    for (int i = 0; i < pivots; i++) {
        double a = product[i][k];
        double b = product[i][l];
        product[i][k] = cosine * a - sine * b;
        product[i][l] = sine * a + cosine * b;
        a = vector[i][k];
        b = vector[i][l];
        vector[i][k] = cosine * a - sine * b;
        vector[i][l] = sine * a + cosine * b;
    }
    for (int i = 0; i < pivots; i++) {
        double a = product[k][i];
        double b = product[l][i];
        product[k][i] = cosine * a - sine * b;
        product[l][i] = sine * a + cosine * b;
    }
}

static void diagonalize(struct embedding *embedding, int pivots)
{
    for (int sweep = 0; sweep < ROTATION_SWEEPS; sweep++) {
        for (int k = 0; k < pivots; k++) {
            for (int l = k + 1; l < pivots; l++) {
                double scale = embedding->product[k][k] + embedding->product[l][l];
                if (fabs(embedding->product[k][l]) > DBL_EPSILON * scale) {
                    rotate(embedding, pivots, k, l);
                }
            }
        }
    }
}

/* axis[3] becomes the numbers of the largest eigenvalues, falling; -1 where there are fewer. */
static void largest_axes(int axis[3], const struct embedding *embedding, int pivots)
{
    for (int d = 0; d < 3; d++) {
        axis[d] = -1;
        for (int k = 0; k < pivots; k++) {
            int is_used = (d > 0 && axis[0] == k) || (d > 1 && axis[1] == k);
            double value = embedding->product[k][k];
            if (!is_used && value > 0 &&
                (axis[d] < 0 || value > embedding->product[axis[d]][axis[d]])) {
                axis[d] = k;
            }
        }
    }
}

/* The columns of far on one axis, stretched so that the unit is one step. */
static void project(struct embedding *embedding, const int *member, int count, int pivots, int d,
                    int axis)
{
    double weight[PIVOTS] = {0};
    double stretch = 0;
    if (axis >= 0) {
        stretch = pow(count / (pivots * embedding->product[axis][axis]), 0.25);
    }
    for (int k = 0; k < pivots && axis >= 0; k++) {
        weight[k] = stretch * embedding->vector[k][axis];
    }
    for (int i = 0; i < count; i++) {
        const float *far = distances_of(embedding, member[i]);
        double at = 0;
        for (int k = 0; k < pivots; k++) {
            at += weight[k] * far[k];
        }
        embedding->at[(size_t)member[i] * 3 + (size_t)d] = (float)at;
    }
}

/* ---- components ---------------------------------------------------------------------------- */

/* Moves a component along the first axis, behind those before it. */
static void set_aside(struct embedding *embedding, const int *member, int count)
{
    float low = FLT_MAX;
    float high = -FLT_MAX;
    for (int i = 0; i < count; i++) {
        float at = embedding->at[(size_t)member[i] * 3];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    for (int i = 0; i < count; i++) {
        embedding->at[(size_t)member[i] * 3] += embedding->edge - low;
        embedding->done[member[i]] = 1;
    }
    embedding->edge += high - low + GAP;
}

static void embed_component(struct embedding *embedding, int from)
{
    int *member = embedding->member;
    int count = walk(embedding, member, from);
    if (count > 1) {
        int axis[3];
        int pivots = measure_distances(embedding, member, count);
        centre_distances(embedding, member, count, pivots);
        multiply(embedding, member, count, pivots);
        diagonalize(embedding, pivots);
        largest_axes(axis, embedding, pivots);
        for (int d = 0; d < 3; d++) {
            project(embedding, member, count, pivots, d, axis[d]);
        }
    } else {
        memset(embedding->at + (size_t)from * 3, 0, 3 * sizeof *embedding->at);
    }
    set_aside(embedding, member, count);
}

/* Leaves all steps at -1. */
static int largest_component(struct embedding *embedding)
{
    int largest = 0;
    for (int i = 0; i < embedding->graph->count; i++) {
        embedding->steps[i] = -1;
    }
    for (int i = 0; i < embedding->graph->count; i++) {
        if (embedding->steps[i] < 0) {
            int count = walk(embedding, embedding->member, i);
            largest = count > largest ? count : largest;
        }
    }
    for (int i = 0; i < embedding->graph->count; i++) {
        embedding->steps[i] = -1;
    }
    return largest;
}

static int embed(struct embedding *embedding, char *error)
{
    size_t rows = (size_t)largest_component(embedding);
    embedding->far =
        planner_memory(rows * PIVOTS, sizeof *embedding->far, "places of clusters", error);
    for (int i = 0; i < embedding->graph->count && embedding->far != NULL; i++) {
        if (!embedding->done[i]) {
            embed_component(embedding, i);
        }
    }
    return embedding->far != NULL ? 0 : -1;
}

int planner_clusters_embed(float **at, const struct clusters *clusters, char *error)
{
    const char *what = "places of clusters";
    size_t count = (size_t)clusters->count;
    struct embedding embedding = {.graph = clusters};
    embedding.at = planner_memory(count * 3, sizeof *embedding.at, what, error);
    embedding.row = planner_memory(count, sizeof *embedding.row, what, error);
    embedding.steps = planner_memory(count, sizeof *embedding.steps, what, error);
    embedding.nearest = planner_memory(count, sizeof *embedding.nearest, what, error);
    embedding.member = planner_memory(count, sizeof *embedding.member, what, error);
    embedding.done = planner_zeroed(count, sizeof *embedding.done, what, error);
    int status = -1;
    if (embedding.at != NULL && embedding.row != NULL && embedding.steps != NULL &&
        embedding.nearest != NULL && embedding.member != NULL && embedding.done != NULL) {
        status = embed(&embedding, error);
    }
    free(embedding.far);
    free(embedding.row);
    free(embedding.steps);
    free(embedding.nearest);
    free(embedding.member);
    free(embedding.done);
    if (status != 0) {
        free(embedding.at);
        embedding.at = NULL;
    }
    *at = embedding.at;
    return status;
}
