/* rows.c: from records of single call sites to rows of tables. */
#include "runtime/report/rows.h"

static int compare_times(const void *a, const void *b)
{
    float x = *(const float *)a;
    float y = *(const float *)b;
    return (x > y) - (x < y);
}

static int is_same_row(const struct cleave_record *a, const struct cleave_record *b)
{
    return a->first == b->first && strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->target, b->target) == 0;
}

/* 1: the record begins a row. Records of variants that never ran to the end have none. */
static int begins_row(const struct cleave_record *record)
{
    const struct cleave_record *earlier = cleave_records;
    while (earlier != record && (earlier->count == 0 || !is_same_row(earlier, record))) {
        earlier = earlier->next;
    }
    return earlier == record && record->count > 0;
}

/* Times of single calls. */
struct times {
    float *seconds;
    size_t count;
};

static void add_times(struct times *times, const struct cleave_record *record)
{
    const size_t count = (size_t)MIN(record->timed, CLEAVE_RECORD_TIMES);
    if (count == 0) {
        return;
    }
    float *all = cleave_alloc((times->count + count) * sizeof *all, "a loop's times");
    if (times->count > 0) {
        memcpy(all, times->seconds, times->count * sizeof *all);
    }
    memcpy(all + times->count, record->times, count * sizeof *all);
    free(times->seconds);
    times->seconds = all;
    times->count += count;
}

/* The mean of the two in the middle when their number is even; 0 when no call was timed by itself.
 * Frees the times. */
static double median_of(struct times times)
{
    double median = 0.0;
    if (times.count > 0) {
        qsort(times.seconds, times.count, sizeof *times.seconds, compare_times);
        median = 0.5 * ((double)times.seconds[(times.count - 1) / 2] +
                        (double)times.seconds[times.count / 2]);
    }
    free(times.seconds);
    return median;
}

/* Predicts the calls of the row's records, and what limits those that take longest. */
static void predict(struct cleave_row *row)
{
    double seconds = 0.0;
    double longest = 0.0;
    long count = 0;
    for (const struct cleave_record *r = row->record; r != NULL; r = r->next) {
        struct cleave_limits why;
        if (is_same_row(row->record, r) && cleave_load_is_known(&r->load)) {
            const double one = cleave_load_seconds(&r->load, cleave_rates_for(&r->load), &why);
            seconds += one * (double)r->count;
            count += r->count;
            row->limit = one * (double)r->count > longest ? why.most : row->limit;
            longest = fmax(longest, one * (double)r->count);
        }
    }
    row->predicted = count > 0 ? seconds / (double)count : 0.0;
}

static struct cleave_row row_of(const struct cleave_record *first)
{
    struct cleave_row row = {.record = first};
    struct times times = {NULL, 0};
    predict(&row);
    for (const struct cleave_record *r = first; r != NULL; r = r->next) {
        if (is_same_row(first, r)) {
            row.count += r->count;
            row.seconds += cleave_record_seconds(r);
            row.bytes += r->bytes;
            row.plan_seconds += r->plan_seconds;
            add_times(&times, r);
        }
    }
    row.median_seconds = median_of(times);
    return row;
}

struct cleave_row *cleave_rows(int *count)
{
    int records = 0;
    cleave_timers_collect();
    for (const struct cleave_record *r = cleave_records; r != NULL; r = r->next) {
        records++;
    }
    struct cleave_row *rows = cleave_alloc((size_t)records * sizeof *rows, "a table of loops");
    *count = 0;
    for (const struct cleave_record *r = cleave_records; r != NULL; r = r->next) {
        if (begins_row(r)) {
            rows[(*count)++] = row_of(r);
        }
    }
    return rows;
}

int cleave_row_takes(const struct cleave_row *row, struct target_kernel *takes)
{
    const struct cleave_record *record = row->record;
    *takes = record->takes;
    if (!record->unloaded && (record->started == NULL || cleave_device == NULL)) {
        return 0;
    }
    if (!record->unloaded) {
        cleave_record_takes(record, takes);
    }
    return 1;
}
