/* check_impl.h: shared by the files of the check. */
#ifndef CLEAVE_SPLITTER_CHECK_IMPL_H
#define CLEAVE_SPLITTER_CHECK_IMPL_H

#include "splitter/graph/graph_impl.h"
#include "splitter/graph/selects.h"
#include "splitter/schedule/schedules.h"

struct check {
    struct arena *arena;
    const struct loop *loop;
    const struct schedule *schedule;
    int stage;         /* being checked; -1: none */
    const char *error; /* the first found */
    bool whole;        /* loop->whole is checked, which stages nothing */
};

/* Notes a broken rule, unless one was found before. */
void broken(struct check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline const struct stage *checked_stage(const struct check *check)
{
    return &check->schedule->stage[check->stage];
}

/* check_moves.c */
void check_transfers(struct check *check); /* of the stage: well formed, bytes right */
void check_updates(struct check *check);   /* of the schedule: each once, in a stage that fits */

/* check_body.c: of the schedule: every node, every variable, every place read. */
void check_bodies(struct check *check);

/* check_nodes.c: which nodes a schedule's bodies compute, in which order. */
struct occurrences {
    struct pointer_map value;     /* variable of a VALUE -> node */
    struct pointer_map statement; /* first expression of a statement of another node -> node */
    const struct side *side;      /* [nodes] selects that branches may set (selects.h) */
    int sequence;                 /* statements met so far */
    int *times;                   /* [nodes] */
    int *first;                   /* [nodes] when it was met first and last */
    int *last;
    int *stage;  /* [nodes] in which it was met last */
    int *taken;  /* [nodes] of a select, in this stage: kids set by branches, as bits */
    int *within; /* [nodes] of a select that another passes its target to: the other */
    int *within_kid;
};
struct occurrences occurrences_new(struct check *check);

/* The node that a statement belongs to. */
struct occurrence {
    int node;                  /* -1: of no node */
    const struct guard *guard; /* it must run under this */
    bool begins;               /* the first statement of the node that computes anything */
    int select; /* it sets this select's variable to its kid `kid`, in a branch; -1: it does not */
    int kid;
};
/* guard: the one of the statement; it distinguishes statements that set one variable in several
 * branches. */
struct occurrence occurrences_find(struct check *check, struct occurrences *occurrences,
                                   const struct stmt *stmt, const struct guard *guard);
/* The statement was met. */
void occurrences_add(struct check *check, struct occurrences *occurrences,
                     const struct occurrence *met);
/* Call after a stage was walked: checks that its selects were set completely. declared[n]: the
 * variable of node n is declared in the stage. */
void occurrences_leave_stage(struct check *check, struct occurrences *occurrences,
                             const bool *declared);
/* When all bodies were walked: each node as often as its schedule allows, and in order. */
void occurrences_check(struct check *check, const struct occurrences *occurrences);

#endif
