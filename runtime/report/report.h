/* report.h: times and profiles of loop calls, and the tables that show them. */
#ifndef CLEAVE_REPORT_H
#define CLEAVE_REPORT_H

#include "runtime/model/model.h"

/* ---- records.c, tables.c
 * ------------------------------------------------------------------------------- */

/* All calls from one site, of one loop name and kernel, that ran one variant. */
struct cleave_record {
    char *name;
    char *kernel;
    const struct cleave_site
        *site;           /* to be compared only: its library may be gone; NULL: by hand */
    const char *variant; /* "sequential" for the reference */
    const char *target;
    struct cleave_record *first; /* the loop's first: of this name and kernel, from any site */
    /* How that variant was started, where it runs on a device: its cleave_variant.kernel, or NULL,
     * threads of a block, and bytes of dynamic shared memory. */
    const void *started;
    int block_size;
    size_t shared_bytes;
    struct cleave_load load; /* of a call of that variant; all 0 if unknown */
    /* The stages of the variant's schedule, if it stages records in shared memory; else 0 and NULL.
     * own_stages: they are copies, which outlive the library. */
    int stages;
    const struct cleave_stage *stage;
    struct cleave_stage *own_stages;
    struct target_kernel takes; /* of a variant whose library is gone: `started` is NULL then */
    int unloaded;
    long count;
    double bytes;
    double plan_seconds;
    double seconds; /* wall time without plans, of the calls that were waited for */
    /* Calls on the device that nothing waited for: their number and bytes, and the sample of them
     * that was timed. */
    long device_calls;
    double device_bytes;
    long samples;
    long next_sample; /* which of device_calls */
    double sample_seconds;
    double sample_bytes;
    int in_group;  /* 1: of calls that ran as parts of groups: only their number is known */
    int warm;      /* 1: the first timed call was left out */
    int fell_back; /* in `first` only: 1: OP_FALLBACK_MODE's message was given */
    unsigned said; /* in `first` only: bits of the notes that verify_excuse.c has given */
    /* With CLEAVE_TIMING=1: the times of single calls, the latest CLEAVE_RECORD_TIMES of `timed`.
     */
    float *times;
    long timed;
    struct cleave_record *next;
};

/* How many calls of a loop a median is made of, at most. */
enum { CLEAVE_RECORD_TIMES = 65536 };

/* In order of their first calls. */
extern struct cleave_record *cleave_records;

/* A record of the call's site and loop; its variant is cleave_no_variant while it has not run. */
struct cleave_record *cleave_record_find(const struct cleave_call *call);
extern const char cleave_no_variant[];
/* Finds or makes the record of the same site and loop for another variant. Both texts must live as
 * long as the records. */
struct cleave_record *cleave_record_for(struct cleave_record *record, const char *variant,
                                        const char *target);
/* Notes the stages of the variant that the record is of. */
void cleave_record_stages(struct cleave_record *record, const struct cleave_loop *loop,
                          const struct cleave_variant *variant);
/* Sets *takes to the device resources of the record's kernel; leaves it unchanged if unknown. */
void cleave_record_takes(const struct cleave_record *record, struct target_kernel *takes);
/* 1: the call on the device that begins now is to be timed. */
int cleave_record_samples(struct cleave_record *record);
/* Adds the time of a timed call, in the order of the calls. bytes: useful bytes of that call. */
void cleave_record_sample(struct cleave_record *record, double bytes, double seconds);
/* Seconds of its calls, of those on a device in proportion to the sample of them that was timed. */
double cleave_record_seconds(const struct cleave_record *record);
/* The seconds of all records. */
double cleave_records_seconds(void);
/* Seconds that a call of so many useful bytes takes, in proportion to those so far; 0: unknown. */
double cleave_record_expects(const struct cleave_record *record, double bytes);
/* Adds the time of a call that was counted before it ran (cleave_call.held). */
void cleave_record_took(struct cleave_record *record, double seconds);
/* Takes back a call that nothing has waited for: a group has run it. bytes: as they were added. */
void cleave_record_take_back(struct cleave_record *record, double bytes);
/* Adds a loop that the program ran by itself. */
void cleave_record_by_hand(const char *name, double seconds);
/* Returns a copy of the text that lives as long as the records: names of variants must outlive
 * their library. */
const char *cleave_record_text(const char *text);
/* Saves the device resources of a unit's kernels before they are unloaded. */
void cleave_records_unload(struct cleave_unit_entry *entry);
/* Ends the measurement of a call and adds it. */
void cleave_record_add(const struct cleave_call *call);
void cleave_records_free(void);

/* Launches on the device that were started as graphs, and the calls in them. */
struct cleave_graph_use {
    long launches;
    long loops;
    long sequences; /* that had graphs */
};
extern struct cleave_graph_use cleave_graph_use;

/* Launches that started before the values of their globals were known (exec/early.c). */
struct cleave_early_use {
    long started;
    long taken; /* by a call, for which they were right */
};
extern struct cleave_early_use cleave_early_use;

/* Groups of loops that ran as one kernel. */
struct cleave_group_use {
    long launches;
    long loops;       /* that these ran */
    long missed;      /* times that launches waited for a group in vain, or too long */
    long refused;     /* times that a group was complete and could not run as one kernel */
    long apart;       /* groups whose members are faster one by one */
    long ahead;       /* launches that also computed a loop ahead of its call */
    long adopted;     /* of them, those whose values the call took over */
    long dropped;     /* of them, those whose values were dropped */
    long speculative; /* launches that started before their loops were called */
    long confirmed;   /* of them, those whose calls came */
};
extern struct cleave_group_use cleave_group_use;
/* Sequences of loops on the host that ran tile by tile. */
struct cleave_tile_use {
    long runs;
    long loops;   /* that these ran */
    long refused; /* times that calls had waited, and ran one after the other */
    long apart;   /* sequences whose loops are faster one after the other */
};
extern struct cleave_tile_use cleave_tile_use;
/* tables.c: prints them in one or two lines; nothing if there were none. */
void cleave_groups_print(FILE *file);

/* ---- timers.c ------------------------------------------------------------------------------- */

/* Who else wants the time of a launch. */
struct cleave_timed {
    void (*took)(void *about, int which, double seconds); /* NULL: nobody */
    void *about;
    int which;
};

/* 1: a launch can be timed without waiting for the time of an earlier one. */
int cleave_timer_is_free(void);
/* Before a launch on the device that is to be timed: its timer. */
int cleave_timer_begin(const struct cleave_record *record);
/* After it: its time goes to the record and to `timed` when it is known. bytes: useful bytes of the
 * call; timer -1: it is not timed. */
void cleave_timer_end(struct cleave_record *record, double bytes, int timer,
                      struct cleave_timed timed);
/* So many launches have been started. */
void cleave_timers_launched(int count);
/* Passes on the times that are known by now, the oldest first. Waits only for launches behind which
 * `ahead` others have been started: the device has enough to do meanwhile. */
void cleave_timers_poll(int ahead);
/* Waits for the device and adds all times so far to the records. */
void cleave_timers_collect(void);
/* Waits for the call that was timed last; returns its seconds, negative if unknown. */
double cleave_timers_last(void);
/* Forgets all timers; call it before the records are freed. */
void cleave_timers_forget(void);

/* ---- bandwidth.c ---------------------------------------------------------------------------- */

/* Measures how fast memory is copied where loops run, on the device or by all threads of the host:
 * bytes read and written per second; 0 if there is no memory for it. */
double cleave_copy_rate(void);

/* ---- report.c, report_json.c ---------------------------------------------------------------- */

/* At op_init: ends the program where CLEAVE_REPORT has a wrong value or a file that cannot be
 * written. */
void cleave_report_start(void);
/* 1: CLEAVE_REPORT asks for a report. */
int cleave_report_wanted(void);
/* When the program ends: warns if CLEAVE_REPORT asked for a report and op_exit was not called. */
void cleave_report_missed(void);
/* At op_exit, after all loops: reports as CLEAVE_REPORT asks. */
void cleave_report_write(void);

/* ---- trials.c ------------------------------------------------------------------------------- */

/* Prints the candidates of each loop that was tuned, with their times. */
void cleave_trials_print(FILE *file);

/* ---- profile.c ------------------------------------------------------------------------------- */

/* Reads OP_PROFILE_LEVEL and OP_PROFILE_JSON_OUTPUT. */
void cleave_profile_start(void);
/* A call of a loop has ended. */
void cleave_profile_loop(const struct cleave_call *call);
void cleave_profile_free(void);

#endif
