/* settings.h: what users ask for in the environment and on the command line, by the rows of
 * api/settings.def.
 *
 * variables.c alone calls getenv; settings.c fills cleave_settings, op_words.c reads OP2's words.
 */
#ifndef CLEAVE_SETTINGS_H
#define CLEAVE_SETTINGS_H

#include "runtime/base/base.h"
#include "runtime/planner/planner.h"

/* ---- variables.c ---------------------------------------------------------------------------- */

/* Environment variables that programs read. */
enum cleave_variable {
#define RUN_CHOICE(field, NAME, unset, usual, meaning) VARIABLE_##NAME,
#define RUN_TEXT(field, NAME, shown, usual, meaning) VARIABLE_##NAME,
#define RUN_NUMBER(field, NAME, least, most, usual, meaning) VARIABLE_##NAME,
#define RUN_OWN(NAME, shown, usual, meaning) VARIABLE_##NAME,
#define RUN_OUTSIDE(NAME, meaning) VARIABLE_##NAME,
#define OP2_WORD(name, place, why, meaning) VARIABLE_##name,
#include "runtime/api/settings.def"
    VARIABLES
};

/* The variable's value, borrowed from the environment; NULL when it is unset or empty. */
const char *cleave_variable(enum cleave_variable variable);
/* "CLEAVE_BACKEND" */
const char *cleave_variable_name(enum cleave_variable variable);
/* Warns of each CLEAVE_* variable in the environment that neither programs nor cleavecc read. */
void cleave_variables_check(void);

/* ---- settings.c ----------------------------------------------------------------------------- */

enum cleave_backend {
    BACKEND_AUTO,
    BACKEND_SEQ,
    BACKEND_TARGETS,
    BACKEND_BEFORE_TARGETS = BACKEND_TARGETS - 1,
#define CLEAVE_TARGET(name, word, spelling, lanes, block_size, builder, meaning) BACKEND_##name,
#include "runtime/api/cleave_words.def"
};

/* The values of cleave_settings.lanes besides bytes of a register. */
enum { CLEAVE_LANES_AUTO = -1, CLEAVE_LANES_OFF = 0 };

/* The values of cleave_settings.fuse. */
enum { CLEAVE_FUSE_OFF, CLEAVE_FUSE_CALLED, CLEAVE_FUSE_AUTO, CLEAVE_FUSE_ON };

/* The values of cleave_settings.graph. */
enum { CLEAVE_GRAPHS_OFF, CLEAVE_GRAPHS_AUTO, CLEAVE_GRAPHS_ON };
enum { CLEAVE_EARLY_OFF, CLEAVE_EARLY_AUTO };

/* The values of cleave_settings.tune. */
enum { CLEAVE_TUNE_UNSET = -1, CLEAVE_TUNE_OFF, CLEAVE_TUNE_AUTO, CLEAVE_TUNE_FULL };

/* The values of cleave_settings.schedule: rows of CLEAVE_SCHEDULE. */
enum cleave_schedule_place {
#define CLEAVE_SCHEDULE(place, kind, cuts, word, meaning) CLEAVE_AT_##place,
#include "runtime/api/cleave_words.def"
};

struct cleave_settings {
    /* A field for each choice, text and number of settings.def: one of the constants there, or its
     * value for unset. */
#define RUN_CHOICE(field, NAME, unset, usual, meaning) int field;
#define RUN_TEXT(field, NAME, shown, usual, meaning) const char *field;
#define RUN_NUMBER(field, NAME, least, most, usual, meaning) int field;
#include "runtime/api/settings.def"
    int diags;                 /* third argument of op_init */
    struct plan_method method; /* CLEAVE_PARTITION */
    int cache_off;             /* CLEAVE_PLAN_CACHE=off */
    const char *cache_folder;  /* from CLEAVE_PLAN_CACHE, XDG_CACHE_HOME or HOME; NULL: none */
    uint64_t cache_bytes;      /* CLEAVE_PLAN_CACHE_MB, in bytes */
    double tolerance;          /* CLEAVE_VERIFY_TOLERANCE; negative: by type */
    int user_waits;            /* OMP_WAIT_POLICY or GOMP_SPINCOUNT is set: see waiting.h */
    int no_device;             /* op_disable_device_execution */
};
extern struct cleave_settings cleave_settings;

/* Fills cleave_settings; ends the program when a value is invalid. diags: op_init's. */
void cleave_settings_read(int argc, char **argv, int diags);
void cleave_settings_print(void);
/* How loops are tuned: CLEAVE_TUNE_OFF, CLEAVE_TUNE_AUTO or CLEAVE_TUNE_FULL. */
int cleave_tuning(void);
/* 1: CLEAVE_VARIANT is a pattern of the variant's name. */
int cleave_variant_is_named(const struct cleave_variant *variant);
/* 1: of the name of one of the loop's variants. */
int cleave_loop_is_named(const struct cleave_loop *loop);
/* The enum cleave_target that CLEAVE_BACKEND names; negative: it names none. */
int cleave_wanted_target(void);
/* Rules for the order in which a race resolution adds the contributions to a point. */
enum cleave_sums {
    CLEAVE_SUMS_VARY,      /* it changes from run to run */
    CLEAVE_SUMS_BY_BLOCKS, /* the blocks of the plan */
    CLEAVE_SUMS_FIXED      /* the order of the elements alone */
};
enum cleave_sums cleave_race_sums(enum cleave_race race);
/* 1: contributions are added in the same order in every run. */
int cleave_race_is_ordered(enum cleave_race race);
/* Elements per block: CLEAVE_BLOCK_SIZE, else OP2's setting, else the target's default. */
int cleave_block_size(enum cleave_target target);
/* cleave_block_size(), but with CLEAVE_DETERMINISTIC=1 always the target's default: for loops whose
 * results depend on the block size. */
int cleave_steady_block_size(enum cleave_target target);
/* 1: the method's blocks are runs of consecutive elements. "none+refine" changes them, so it is not
 * one of these methods. */
static inline int cleave_is_runs(struct plan_method method)
{
    return method.start == PLAN_START_NONE &&
           (method.improve == PLAN_IMPROVE_DEFAULT || method.improve == PLAN_IMPROVE_NONE);
}

/* ---- lanes.c -------------------------------------------------------------------------------- */

/* Bytes of the widest registers of this machine: 16, 32 or 64. */
int cleave_lanes_most(void);
/* Ends the program where CLEAVE_LANES asks for more than `most` bytes. */
void cleave_lanes_check(int most);
/* Bytes of the registers of a variant that is compiled for `widths`, a sum of 16, 32 and 64, on a
 * machine whose widest have `most` bytes; 0: the variant cannot run, or CLEAVE_LANES switches it
 * off. */
int cleave_lane_bytes(int widths, int most);

/* ---- op_words.c: OP2's words in the environment and on the command line ---------------------- */

void cleave_op_words_read(int argc, char **argv);
void cleave_op_words_free(void);
/* 1: OP_NO_REALLOC: dats lie in the program's own arrays, and the mesh keeps the program's order.
 */
int cleave_no_copies(void);
/* 1: OP_WHITELIST lets the loop run compiled. */
int cleave_whitelisted(const char *loop, const char *kernel);
/* 1: OP_FALLBACK_MODE asks for op_check_fallback_mode() when a loop runs sequentially. */
int cleave_fallback_is_said(void);

#endif
