/* sample.c: how elements that are near each other in the order of the mesh share points, from some
 * windows of consecutive elements: what plans that do not exist yet would find, and what the caches
 * find for variants without a plan. */
#include "runtime/model/model.h"

enum { WINDOWS = 48, MOST_WINDOW = 1024 };

/* Samples that were taken, the latest of them. */
static struct sample {
    const int *row;           /* of the map in the runtime's order; NULL: none */
    unsigned long generation; /* cleave_generation when it was taken */
    int columns;
    int column[CLEAVE_MAX_COLUMNS];
    int window;
    double points;
    double changes;
} samples[16];
static int next_sample;

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

static int distinct(int *point, int count)
{
    int different = 0;
    qsort(point, (size_t)count, sizeof *point, compare_ints);
    for (int i = 0; i < count; i++) {
        different += i == 0 || point[i] != point[i - 1];
    }
    return different;
}

/* Fills the sample from its map, whose rows have `dim` columns. */
static void take(struct sample *sample, int elements, int dim)
{
    const int window = MIN(sample->window, elements);
    const int windows = MIN(WINDOWS, elements / window);
    int *point = cleave_alloc((size_t)window * (size_t)sample->columns * sizeof *point, "a sample");
    double points = 0.0;
    double changes = 0.0;
    for (int w = 0; w < windows; w++) {
        const int first = (int)((long)(elements - window) * w / MAX(windows - 1, 1));
        int count = 0;
        for (int e = first; e < first + window; e++) {
            const int *row = sample->row + (size_t)e * (size_t)dim;
            for (int c = 0; c < sample->columns; c++) {
                point[count++] = row[sample->column[c]];
                changes += e == first || row[sample->column[c]] != row[sample->column[c] - dim];
            }
        }
        points += distinct(point, count);
    }
    sample->points = points / ((double)windows * window);
    sample->changes = changes / ((double)windows * window * sample->columns);
    free(point);
}

static int is_same(const struct sample *a, const struct sample *b)
{
    return a->row == b->row && a->generation == b->generation && a->window == b->window &&
           a->columns == b->columns &&
           memcmp(a->column, b->column, (size_t)a->columns * sizeof a->column[0]) == 0;
}

static const struct sample *sample_of(const struct cleave_call *call,
                                      const struct cleave_list *list, int window)
{
    enum { SAMPLES = sizeof samples / sizeof samples[0] };
    const op_map map = call->arg[list->arg].map;
    struct sample wanted = {.row = cleave_map_current(map, COPY_HOST),
                            .generation = cleave_generation,
                            .columns = list->columns,
                            .window = MAX(1, MIN(window, MOST_WINDOW))};
    memcpy(wanted.column, list->column, sizeof wanted.column);
    for (int s = 0; s < SAMPLES; s++) {
        if (is_same(&samples[s], &wanted)) {
            return &samples[s];
        }
    }
    struct sample *sample = &samples[next_sample];
    next_sample = (next_sample + 1) % SAMPLES;
    *sample = wanted;
    take(sample, call->set->size, map->dim);
    return sample;
}

double cleave_sample_points(const struct cleave_call *call, const struct cleave_list *list,
                            int window)
{
    return call->set->size > 0 ? sample_of(call, list, window)->points : 0.0;
}

double cleave_sample_changes(const struct cleave_call *call, const struct cleave_list *list)
{
    return call->set->size > 0 ? sample_of(call, list, 32)->changes : 1.0;
}
