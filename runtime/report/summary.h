/* summary.h: what CLEAVE_REPORT says of a run, for the writers of its forms. */
#ifndef CLEAVE_SUMMARY_H
#define CLEAVE_SUMMARY_H

#include "runtime/base/timeline.h"
#include "runtime/report/rows.h"

struct cleave_summary {
    const char *device; /* where loops ran by default */
    int threads;        /* of the host, for loops that run there */
    struct cleave_total total[CLEAVE_DOINGS];
    double copy_rate;       /* cleave_copy_rate(), bytes per second; 0: unknown */
    double seconds;         /* wall time from op_init to op_exit */
    double loop_seconds;    /* of all loops, without plans */
    double rates_seconds;   /* that measuring the rates of the device took now; 0: nothing was */
    double plan_seconds;    /* of the mesh's order and all plans */
    struct cleave_row *row; /* [rows] the longest first */
    int rows;
};

/* Part of the loops' time, 0..1. */
static inline double cleave_share(const struct cleave_summary *summary,
                                  const struct cleave_row *row)
{
    return summary->loop_seconds > 0.0 ? row->seconds / summary->loop_seconds : 0.0;
}

/* Useful bytes per second by those of a copy; 0: unknown. */
static inline double cleave_of_copy(const struct cleave_summary *summary,
                                    const struct cleave_row *row)
{
    return summary->copy_rate > 0.0 && row->seconds > 0.0
               ? row->bytes / row->seconds / summary->copy_rate
               : 0.0;
}

/* report_json.c. Returns -1 if a part of it could not be written, else 0. */
int cleave_report_json(const struct cleave_summary *summary, FILE *file);
/* start.c: adds the member `start`: the time before the first loops. */
void cleave_start_to_json(struct cleave_json *json);
/* page.c: the JSON of a report as a page. Returns likewise. */
int cleave_report_page(FILE *file, const char *json);

#endif
