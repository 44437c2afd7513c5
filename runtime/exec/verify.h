/* verify.h: what the files of CLEAVE_VERIFY share; nobody else includes it. */
#ifndef CLEAVE_VERIFY_H
#define CLEAVE_VERIFY_H

#include "runtime/exec/exec.h"

/* A dat, a global or a payload that the loop changes. */
struct cleave_check_item {
    int arg;
    size_t bytes;
    void *before;
    void *expected;
    double terms; /* largest number of terms in any of its sums */
    /* [components] the magnitudes of all increments to each; NULL: it is not incremented */
    double *magnitudes;
    /* [points of the dat; 1 for a global] 1: an element that modifies the point has a NaN among its
     * values. NULL: not computed yet. */
    unsigned char *near_nan;
    /* [components] the largest change of each when the loop's data change in their last bit; NULL:
     * not known */
    double *moved;
};

struct cleave_check {
    int items;
    struct cleave_check_item item[CLEAVE_MAX_ARGS];
    double magnitude;
    struct cleave_check_watch *watch; /* verify_sums.c's; NULL: nothing is summed */
    struct cleave_check_moved
        *moved;   /* verify_moved.c's, while the reference runs again, else NULL */
    int has_run;  /* a variant was tried */
    int launched; /* it has run */
    int has_nan;  /* something that the loop reads or makes is not a number */
};

enum cleave_base cleave_verify_base(const op_arg *arg);
/* The memory of a dat or a global on the host, in the user's order. */
char *cleave_verify_memory(const op_arg *arg);

/* 1: two floating values differ by more than the tolerance and rounding (verify.c). */
int cleave_verify_differ(enum cleave_base base, double a, double b, double terms, double magnitude,
                         double added);
/* Writes the memory of a dat or a global on the host, in the user's order. */
void cleave_verify_put_back(const op_arg *arg, const void *memory, size_t bytes);

/* verify_group.c: before the reference runs a verified call, whose check is filled; and after its
 * results were compared. launched: a variant has run it. */
void cleave_verify_group_begin(struct cleave_call *call);
void cleave_verify_group_end(struct cleave_call *call, int launched);
/* Forgets which calls came last: the next ones begin groups anew. */
void cleave_verify_group_forget(void);
/* How many groups agreed; from then on counts anew. */
long cleave_verify_groups(void);

/* verify_sums.c: ends what cleave_verify_watch has begun: the items' magnitudes are complete. */
void cleave_verify_unwatch(struct cleave_call *call);

/* verify_moved.c: changes the loop's data in their last bits, so that the reference can run again;
 * call it when the items hold what a variant gives. */
void cleave_verify_moved_begin(struct cleave_call *call);
/* After such a run. 1: the data have changed anew for another one. */
int cleave_verify_moved_next(struct cleave_call *call);
/* Puts data and results back; the items know from then on how far their values move. */
void cleave_verify_moved_end(struct cleave_call *call);
/* 1: rounding may change value i of the item by so much. */
int cleave_verify_has_moved(const struct cleave_check_item *item, size_t i, double by);

/* verify_excuse.c: 1: a right loop may give another value than the reference at this point of the
 * item (0 for a global). Says why once for each loop. */
int cleave_verify_excused(const struct cleave_call *call, struct cleave_check_item *item,
                          size_t point);
/* Says once for each loop when a minimum or maximum is a zero of another sign than the reference's.
 */
void cleave_verify_zero(const struct cleave_call *call, const op_arg *arg, const char *actual,
                        const char *expected);

/* verify_quiet.c: discards the output of the compiled variant between the two calls, since the
 * reference has printed it already. Does nothing if the kernel does not print. Returns a token for
 * the second call. */
int cleave_verify_quiet(const struct cleave_call *call);
void cleave_verify_loud(int token);

#endif
