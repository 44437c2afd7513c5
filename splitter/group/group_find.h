/* group_find.h: which loops of a program run as one kernel, and why others do not. */
#ifndef CLEAVE_SPLITTER_GROUP_FIND_H
#define CLEAVE_SPLITTER_GROUP_FIND_H

#include "pass/ir/group.h"

/* Fills program->group and program->refusal from the program's chains: GROUP_SETs whose members may
 * be computed together, element by element (legality.c), and whose calls follow one another on some
 * way through the program; with `gathers`, GROUP_GATHERs, too (gather.c). Where ways differ, a
 * group holds for one of them.
 *
 * requires: the user's loops have their graphs and schedules.
 * ensures:  group_check() passes; at most GROUP_MOST groups, those that save most first chosen, in
 *           the order of their first members; no group has a joined loop yet (group.loop is -1). */
void groups_find(struct program *program, bool gathers);

/* Makes a group of some members of a GROUP_SET, from member `first` on, without members at the ends
 * that are not joined. False: fewer than two are. */
bool group_part(const struct program *program, const struct group *whole, int first, int members,
                struct group *part);

/* Why a group is not worth it, once its joined loop has its schedules: the cost model expects it to
 * take about as long as the members, or it needs so many registers that few threads run. NULL: it
 * is. */
const char *group_why_slow(const struct program *program, const struct group *group,
                           const struct loop *joined);

/* A part of --cleave-explain: groups and refusals in sentences. */
void groups_explain(FILE *out, const struct program *program);

#endif
