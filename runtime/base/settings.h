/* settings.h: what the environment and the command line ask for. */
#ifndef CLEAVE_SETTINGS_H
#define CLEAVE_SETTINGS_H

#include "runtime/base/base.h"
#include "runtime/planner/planner.h"

/* ---- settings.c ----------------------------------------------------------------------------- */

enum cleave_backend { BACKEND_AUTO, BACKEND_SEQ, BACKEND_OPENMP, BACKEND_CUDA };

struct cleave_settings {
    int diags;                   /* third argument of op_init */
    enum cleave_backend backend; /* CLEAVE_BACKEND */
    int schedule;                /* CLEAVE_SCHEDULE: as launch.c numbers them, -1: no preference */
    int race;                    /* CLEAVE_RACES: enum cleave_race, -1: the target's default */
    int reads;                   /* CLEAVE_READS: enum cleave_reads, -1: no preference */
    const char *variant;         /* CLEAVE_VARIANT: a pattern for their names, or NULL */
    int block_size;              /* CLEAVE_BLOCK_SIZE, OP_BLOCK_SIZE=; 0: the target's default */
    struct plan_method method;   /* CLEAVE_PARTITION */
    int renumber;                /* CLEAVE_RENUMBER: 1 on, 0 off, -1: when it is worth it */
    int bank_order;              /* CLEAVE_BANK_ORDER: 1 on, 0 off, -1: on a GPU */
    const char *coordinates;     /* CLEAVE_COORDINATES: the name of a dat, or NULL */
    const char *plan_json;       /* CLEAVE_PLAN_JSON: a file, or NULL */
    const char *metis;           /* CLEAVE_METIS: the library's file, "none", or NULL */
    const char *scotch;          /* CLEAVE_SCOTCH: likewise */
    int cache_off;               /* CLEAVE_PLAN_CACHE=off */
    const char *cache_folder;    /* CLEAVE_PLAN_CACHE, XDG_CACHE_HOME or HOME; NULL: none is set */
    const char *cache_below;     /* from there to the cache: "", "/cleave" or "/.cache/cleave" */
    uint64_t cache_bytes;        /* CLEAVE_PLAN_CACHE_MB, in bytes */
    int reverse;                 /* CLEAVE_ORDER=reverse */
    int check_plan;              /* CLEAVE_CHECK_PLAN */
    int deterministic;           /* CLEAVE_DETERMINISTIC */
    int verify;                  /* CLEAVE_VERIFY */
    int watch;                   /* CLEAVE_WATCH */
    double tolerance;            /* CLEAVE_VERIFY_TOLERANCE; negative: by type */
    int timing;                  /* CLEAVE_TIMING: time every call */
    int user_waits;              /* OMP_WAIT_POLICY or GOMP_SPINCOUNT is set: see waiting.h */
    int no_device;               /* op_disable_device_execution */
};
extern struct cleave_settings cleave_settings;

void cleave_settings_read(int argc, char **argv, int diags);
void cleave_settings_print(void);
int cleave_block_size(enum cleave_target target);
/* The same, but with CLEAVE_DETERMINISTIC=1 whatever the user asks for: of what shows in results.
 */
int cleave_steady_block_size(enum cleave_target target);
/* 1: blocks by this method are runs of consecutive elements; "none+refine" only begins with them.
 */
static inline int cleave_is_runs(struct plan_method method)
{
    return method.start == PLAN_START_NONE &&
           (method.improve == PLAN_IMPROVE_DEFAULT || method.improve == PLAN_IMPROVE_NONE);
}

/* ---- op_words.c: OP2's words in the environment and on the command line --------------------- */

struct cleave_call;
void cleave_op_words_read(int argc, char **argv);
void cleave_op_words_free(void);
/* 1: OP_NO_REALLOC: dats lie in the program's own arrays, and the mesh keeps the program's order. */
int cleave_no_copies(void);
/* 1: OP_WHITELIST lets the loop run compiled. */
int cleave_whitelisted(const struct cleave_call *call);
/* The call runs sequentially: OP_FALLBACK_MODE, once per loop. */
void cleave_fallback(const struct cleave_call *call);

#endif
