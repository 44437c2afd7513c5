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

/* Whether a member that runs ahead of its call modifies the joined argument. */
static bool is_ahead(const struct program *program, const struct group *group, int arg)
{
    const struct group_member *last = &group->member[group->members - 1];
    const struct loop *loop = &program->loop[last->loop];
    bool is = false;
    for (int a = 0; a < loop->args && last->place == GROUP_AHEAD; a++) {
        is = is || (last->arg[a] == arg && loop->arg[a].access != ACCESS_READ);
    }
    return is;
}

bool group_is_phase(const struct program *program, const struct group *group, int member)
{
    const struct group_member *own = &group->member[member];
    if (group->form != GROUP_GATHER || own->place != GROUP_IS_JOINED ||
        member == group_first_joined(group)) {
        return false;
    }
    bool increments = false;
    for (int a = 0; a < program->loop[own->loop].args; a++) {
        const struct arg *arg = &program->loop[own->loop].arg[a];
        increments =
            increments || (arg->is_indirect && arg->kind == ARG_DAT && arg->access != ACCESS_READ);
    }
    return increments;
}

struct arg group_joined_arg(const struct program *program, const struct group *group, int arg)
{
    const struct group_arg *from = &group->arg[arg];
    struct arg joined = program->loop[group->member[from->member].loop].arg[from->arg];

    joined.declared = from->access;
    joined.access = from->access;
    joined.dat = from->dat;
    joined.map = from->map;
    joined.set = from->set;
    joined.is_point = group->form == GROUP_GATHER && joined.kind == ARG_DAT && from->set == 0 &&
                      from->member != group_first_joined(group);
    joined.is_ahead = joined.is_point && is_ahead(program, group, arg);
    if (joined.kind == ARG_INFO) {
        joined.info_of = joined_position(group, from->member, joined.info_of);
    }
    return joined;
}
