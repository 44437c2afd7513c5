/* trial.c: bisection or growth? Both are tried in some of a mesh's chunks. */
#include <stdlib.h>

#include "runtime/planner/number/number.h"

/* Chunks tried: one in sixteen, but at least 2 and at most 8. */
#define TRIED_OF 16
#define TRIED_LEAST 2
#define TRIED_MOST 8

/* The tried chunks as a mesh of their own; elements are numbered in the order of place[]. */
struct sample {
    struct plan_mesh mesh;
    struct place *place;
    struct leaves chunks;
    struct blocks blocks;
};

static int tried_chunks(int chunks)
{
    int tried = chunks / TRIED_OF;
    tried = tried < TRIED_LEAST ? TRIED_LEAST : tried;
    tried = tried > TRIED_MOST ? TRIED_MOST : tried;
    return tried < chunks ? tried : chunks;
}

/* The k-th of `tried` chunks of all. */
static int tried_chunk(int k, int tried, int chunks)
{
    return (int)((2 * (int64_t)k + 1) * chunks / (2 * tried));
}

static int reserve_sample(struct sample *sample, const struct numbering_job *job,
                          const struct leaves *chunks, char *error)
{
    const char *what = "a sample of chunks";
    int tried = tried_chunks(chunks->count);
    *sample = (struct sample){.mesh = {.arity = job->mesh.arity, .points = job->mesh.points}};
    sample->chunks.count = tried;
    sample->chunks.start =
        planner_memory((size_t)tried + 1, sizeof *sample->chunks.start, what, error);
    if (sample->chunks.start == NULL) {
        return -1;
    }
    sample->chunks.start[0] = 0;
    for (int k = 0; k < tried; k++) {
        int chunk = tried_chunk(k, tried, chunks->count);
        sample->mesh.elements += chunks->start[chunk + 1] - chunks->start[chunk];
        sample->chunks.start[k + 1] = sample->mesh.elements;
    }
    size_t elements = (size_t)sample->mesh.elements;
    sample->place = planner_memory(elements, sizeof *sample->place, what, error);
    sample->mesh.point = planner_memory(elements * (size_t)sample->mesh.arity,
                                        sizeof *sample->mesh.point, what, error);
    sample->blocks.block_size = job->blocks.block_size;
    sample->blocks.of = planner_memory(elements, sizeof *sample->blocks.of, what, error);
    return sample->place != NULL && sample->mesh.point != NULL && sample->blocks.of != NULL ? 0
                                                                                            : -1;
}

static void free_sample(struct sample *sample)
{
    planner_mesh_free(&sample->mesh);
    free(sample->place);
    free(sample->chunks.start);
    free(sample->blocks.of);
}

static void copy_chunks(struct sample *sample, const struct plan_mesh *mesh,
                        const struct place *place, const struct leaves *chunks)
{
    size_t arity = (size_t)mesh->arity;
#pragma omp parallel for schedule(dynamic, 1)
    for (int k = 0; k < sample->chunks.count; k++) {
        int first = chunks->start[tried_chunk(k, sample->chunks.count, chunks->count)];
        for (int i = sample->chunks.start[k]; i < sample->chunks.start[k + 1]; i++) {
            const struct place *from = &place[first + i - sample->chunks.start[k]];
            sample->place[i] = *from;
            sample->place[i].element = i;
            for (size_t c = 0; c < arity; c++) {
                sample->mesh.point[(size_t)i * arity + c] =
                    mesh->point[(size_t)from->element * arity + c];
            }
        }
    }
}

static int measure(double *points, const struct sample *sample, char *error)
{
    struct blocks_quality quality;
    if (planner_blocks_measure(&quality, &sample->blocks, &sample->mesh, error) != 0) {
        return -1;
    }
    *points = quality.touches / sample->mesh.elements;
    return 0;
}

static int try_bisection(double *points, struct sample *sample, double wanted, int dim, char *error)
{
    struct leaves leaves;
    if (planner_rcb_split(&leaves, sample->place, &sample->chunks, wanted,
                          sample->blocks.block_size, dim, &sample->mesh, error) != 0) {
        return -1;
    }
    sample->blocks.count = leaves.count;
    for (int k = 0; k < leaves.count; k++) {
        for (int i = leaves.start[k]; i < leaves.start[k + 1]; i++) {
            sample->blocks.of[sample->place[i].element] = k;
        }
    }
    free(leaves.start);
    return measure(points, sample, error);
}

int planner_number_try(struct number_trial *trial, const struct numbering_job *job,
                       const struct place *place, const struct leaves *chunks, double wanted,
                       int dim, char error[PLANNER_ERROR])
{
    struct sample sample;
    int status = reserve_sample(&sample, job, chunks, error);
    if (status == 0) {
        copy_chunks(&sample, &job->mesh, place, chunks);
        status = planner_mesh_renumber_points(&sample.mesh, error);
    }
    if (status == 0) {
        status = planner_mesh_touch(&sample.mesh, error);
    }
    if (status == 0) {
        status = try_bisection(&trial->bisected, &sample, wanted, dim, error);
    }
    if (status == 0) {
        status = planner_blocks_grow(&sample.blocks, &sample.mesh, sample.chunks.count,
                                     sample.chunks.start, job->options->max_points, error);
    }
    if (status == 0) {
        status = measure(&trial->grown, &sample, error);
    }
    free_sample(&sample);
    return status;
}
