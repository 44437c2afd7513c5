/* records.h: what loops do to all records of the dats that they use directly. */
#ifndef CLEAVE_SPLITTER_RECORDS_H
#define CLEAVE_SPLITTER_RECORDS_H

#include "pass/ir/group.h"

/* Sets arg.sets_whole and arg.sets_zeros of all arguments, and copy_from and copy_to.
 *
 * requires: the loop has its graph, or NULL.
 * ensures:  all are false or 0 where the graph leaves a doubt. */
void records_find(struct arena *arena, struct loop *loop);

/* Sets arg.expects_zeros of all loops' arguments.
 *
 * requires: records_find() for all loops. */
void records_expect(struct program *program);

/* Sets what records_find() does for the joined loop of a GROUP_GATHER, by what its members do.
 *
 * requires: records_find() for its members. */
void records_join(const struct program *program, const struct group *group, struct loop *joined);

/* Sets arg.is_recomputable of the joined loop's arguments.
 *
 * requires: records_find() for its members and for itself. */
void records_recompute(const struct program *program, const struct group *group,
                       struct loop *joined);

#endif
