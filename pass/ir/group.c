/* group.c: questions about groups. See group.h. */
#include "pass/ir/group.h"

/* Position among the joined loop's arguments of a member's argument. */
static int joined_position(const struct group *group, int member, int arg)
{
    return group->member[member].arg[arg];
}

int group_first_joined(const struct group *group)
{
    int first = 0;
    while (group->member[first].place != GROUP_IS_JOINED) {
        first++;
    }
    return first;
}

struct arg group_joined_arg(const struct program *program, const struct group *group, int arg)
{
    const struct group_arg *from = &group->arg[arg];
    struct arg joined = program->loop[group->member[from->member].loop].arg[from->arg];

    joined.declared = from->access;
    joined.access = from->access;
    joined.dat = from->dat;
    joined.map = from->map;
    joined.is_point = group->form == GROUP_GATHER && joined.kind == ARG_DAT &&
                      from->member != group_first_joined(group);
    if (joined.kind == ARG_INFO) {
        joined.info_of = joined_position(group, from->member, joined.info_of);
    }
    return joined;
}
