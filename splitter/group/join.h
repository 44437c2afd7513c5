/* join.h: the joined loop of a group: one kernel that does what the members do one after the other.
 */
#ifndef CLEAVE_SPLITTER_JOIN_H
#define CLEAVE_SPLITTER_JOIN_H

#include "pass/ir/group.h"

/* Makes the joined loop of a group. Its kernel is a block of calls of the members' kernels,
 * which lowering inlines: their locals stay apart, and a `return` ends its own member alone. Before
 * a member reads what an earlier one wrote, each component passes cleave_stored()
 * (splitter/graph/graph.h). In a GROUP_GATHER, the kernel calls that of the first member, and those
 * of the others are the loop's phases and epilogues.
 *
 * requires: group_check() passes; no member is opaque.
 * ensures:  *loop is as the front end would have made it, with unique names; nothing of it is in
 *           program->loop or program->function yet. The text of its call equals no text that the
 *           preprocessor makes: the byte 1, the name of the group, a blank and a number.
 * refuses:  arguments that kernels take as different types; an unknown number of components where
 *           values pass from one member to another; bodies that are not taken apart, such as those
 *           with optional arguments: calling the members one after the other would save little.
 *
 * Returns false if it refuses; *reason (for users) and *where say why and at which call. */
bool group_join(const struct program *program, const struct group *group, struct loop *loop,
                const char **reason, struct loc *where);

/* join_points.c. Adds a member of a GROUP_GATHER that is joined, but not the first, to the joined
 * loop: as a phase, or as an epilogue. */
void join_behind_sums(const struct program *program, const struct group *group, int member,
                      struct loop *joined);

/* exact.c. Whether a joined loop that has its graph certainly gives the bits that its members give,
 * with equal flags of the compiler: it only works on records of its own elements, reduces no
 * floating-point sums, and no two members compute one product, which a compiler might then contract
 * otherwise. */
bool group_is_exact(const struct loop *joined);

/* ahead.c. Whether the joined loop ends and reads nothing beyond the end of anything, whatever its
 * data are: the runtime may start it before its calls. The members have their graphs. */
bool group_is_tame(const struct program *program, const struct group *group);

#endif
