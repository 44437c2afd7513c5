/* sample.c: how elements that are near each other in the order of the mesh share points, from some
 * windows of consecutive elements: what plans that do not exist yet would find, and what the caches
 * find for variants without a plan. */
#include "runtime/model/model.h"

enum { WINDOWS = 24, MOST_WINDOW = 1024, SECTOR = 32 };

/* Samples that were taken, the latest of them. */
static struct sample {
    const int *row;           /* of the map in the runtime's order; NULL: none */
    unsigned long generation; /* cleave_generation when it was taken */
    int columns;
    int column[CLEAVE_MAX_COLUMNS];
    struct cleave_touch touch;
    double places;  /* distinct ones, per element */
    double changes; /* share of columns that name another point than the element before them */
} samples[64];
static int next_sample;

/* A table of places; each count begins with an empty one. */
struct seen {
    unsigned mask; /* entries less 1: a power of two, at least twice as many as there are places */
    int counts;    /* so far */
    struct seen_entry {
        int count; /* the one that has the place, from 1 on; 0: none */
        long place;
    } *entry;
};

static struct seen new_seen(size_t places)
{
    struct seen seen = {.mask = 1};
    while (seen.mask < 2 * places) {
        seen.mask = 2 * seen.mask + 1;
    }
    seen.entry = cleave_alloc_zero(((size_t)seen.mask + 1) * sizeof *seen.entry, "a sample");
    return seen;
}

/* 1: the present count has not had the place before. */
static int is_new(struct seen *seen, long place)
{
    unsigned at = (unsigned)place * 2654435761u & seen->mask;
    while (seen->entry[at].count == seen->counts) {
        if (seen->entry[at].place == place) {
            return 0;
        }
        at = (at + 1) & seen->mask;
    }
    seen->entry[at] = (struct seen_entry){seen->counts, place};
    return 1;
}

static int distinct(struct seen *seen, const long *place, int count)
{
    int different = 0;
    seen->counts++;
    for (int i = 0; i < count; i++) {
        different += is_new(seen, place[i]);
    }
    return different;
}

/* Appends the sectors that the operation touches at the point. Returns their new number. */
static int add_places(const struct cleave_touch *touch, int point, long *place, int count)
{
    const long first = (long)point * touch->record / SECTOR;
    const long last = ((long)point * touch->record + touch->touched - 1) / SECTOR;
    for (long sector = first; sector <= last; sector++) {
        place[count++] = sector;
    }
    return count;
}

/* Distinct places of one window, which begins with element `first`. */
static int places_of(const struct sample *sample, int first, int window, int dim, long *place,
                     struct seen *seen)
{
    int count = 0;
    int places = 0;
    for (int c = 0; c < sample->columns; c++) {
        for (int e = first; e < first + window; e++) {
            const int point = sample->row[(size_t)e * (size_t)dim + (size_t)sample->column[c]];
            count = add_places(&sample->touch, point, place, count);
        }
        if (!sample->touch.together) {
            places += distinct(seen, place, count);
            count = 0;
        }
    }
    return places + distinct(seen, place, count);
}

static int changes_of(const struct sample *sample, int first, int window, int dim)
{
    int changes = sample->columns;
    for (int e = first + 1; e < first + window; e++) {
        const int *row = sample->row + (size_t)e * (size_t)dim;
        for (int c = 0; c < sample->columns; c++) {
            changes += row[sample->column[c]] != row[sample->column[c] - dim];
        }
    }
    return changes;
}

/* Fills the sample from its map, whose rows have `dim` columns. */
static void take(struct sample *sample, int elements, int dim)
{
    const int window = MIN(sample->touch.window, elements);
    const int windows = MIN(WINDOWS, elements / window);
    const size_t each = (size_t)sample->touch.touched / SECTOR + 2;
    long *place =
        cleave_alloc((size_t)window * (size_t)sample->columns * each * sizeof *place, "a sample");
    struct seen seen = new_seen((size_t)window * (size_t)sample->columns * each);
    double places = 0.0;
    double changes = 0.0;
    for (int w = 0; w < windows; w++) {
        const int first = (int)((long)(elements - window) * w / MAX(windows - 1, 1));
        places += places_of(sample, first, window, dim, place, &seen);
        changes += changes_of(sample, first, window, dim);
    }
    const double all = (double)windows * window;
    sample->places = places / (sample->touch.together ? all : all * sample->columns);
    sample->changes = changes / (all * sample->columns);
    free(place);
    free(seen.entry);
}

static int is_same_touch(const struct cleave_touch *a, const struct cleave_touch *b)
{
    return a->record == b->record && a->touched == b->touched && a->window == b->window &&
           a->together == b->together;
}

static int is_same(const struct sample *a, const struct sample *b)
{
    return a->row == b->row && a->generation == b->generation && a->columns == b->columns &&
           is_same_touch(&a->touch, &b->touch) &&
           memcmp(a->column, b->column, (size_t)a->columns * sizeof a->column[0]) == 0;
}

static const struct sample *sample_of(const struct cleave_call *call,
                                      const struct cleave_list *list,
                                      const struct cleave_touch *touch)
{
    enum { SAMPLES = sizeof samples / sizeof samples[0] };
    const op_map map = call->arg[list->arg].map;
    struct sample wanted = {.row = cleave_map_current(map, COPY_HOST),
                            .generation = cleave_generation,
                            .columns = list->columns,
                            .touch = *touch};
    wanted.touch.window = MAX(1, MIN(touch->window, MOST_WINDOW));
    memcpy(wanted.column, list->column, sizeof wanted.column);
    for (int s = 0; s < SAMPLES; s++) {
        if (is_same(&samples[s], &wanted)) {
            return &samples[s];
        }
    }
    struct sample *sample = &samples[next_sample];
    next_sample = (next_sample + 1) % SAMPLES;
    *sample = wanted;
    take(sample, map->from->size, map->dim);
    return sample;
}

/* Points are places that each have a sector of their own. */
static struct cleave_touch points_of(int window)
{
    return (struct cleave_touch){.record = SECTOR, .touched = 1, .window = window, .together = 1};
}

double cleave_sample_points(const struct cleave_call *call, const struct cleave_list *list,
                            int window)
{
    const struct cleave_touch points = points_of(window);
    return call->arg[list->arg].map->from->size > 0 ? sample_of(call, list, &points)->places : 0.0;
}

double cleave_sample_changes(const struct cleave_call *call, const struct cleave_list *list)
{
    const struct cleave_touch points = points_of(32);
    return call->arg[list->arg].map->from->size > 0 ? sample_of(call, list, &points)->changes : 1.0;
}

double cleave_sample_sectors(const struct cleave_call *call, const struct cleave_list *list,
                             const struct cleave_touch *touch)
{
    return call->arg[list->arg].map->from->size > 0 ? sample_of(call, list, touch)->places : 1.0;
}
