/* rows.h: records of calls, put together for tables: a row has all call sites of a loop that ran
 * the same variant. Bytes are the useful ones: every component that a loop names is read or written
 * once per call, however many elements share it. */
#ifndef CLEAVE_ROWS_H
#define CLEAVE_ROWS_H

#include "runtime/report/report.h"

struct cleave_row {
    const struct cleave_record *record; /* the first of them */
    long count;
    double seconds;
    double bytes;
    double plan_seconds;
    double predicted;        /* seconds of a call, by the model; 0: unknown */
    enum cleave_limit limit; /* what takes longest in it */
    double median_seconds;   /* of single calls, with CLEAVE_TIMING=1; else 0 */
};

/* Adds the times on the device so far to the records, and makes the rows of all loops that ran, in
 * the order of their first calls. Sets *count; the caller frees the array. */
struct cleave_row *cleave_rows(int *count);
/* Finds the device resources of the row's kernel. 0: it runs on the host, or they are unknown; all
 * members are 0 then. */
int cleave_row_takes(const struct cleave_row *row, struct target_kernel *takes);

static inline double cleave_gigabytes_per_second(double bytes, double seconds)
{
    return seconds > 0.0 ? bytes / seconds * 1e-9 : 0.0;
}

#endif
