/* slow.c: whether a joined loop is likely to be slower than its members. In: a group whose joined
 * loop has its schedules. Out: a reason, or none. */
#include "pass/ir/arena.h"
#include "pass/ir/machine.h"
#include "splitter/graph/graph.h"
#include "splitter/group/group_find.h"
#include "splitter/group/group_impl.h"

static double time_of(const struct loop *loop)
{
    return loop->schedule[loop->predicted].estimate.time;
}

/* A group that gathers runs by owners alone, which compute a contribution once for each point that
 * gets it. */
static double joined_time(const struct group *group, const struct loop *joined)
{
    return group->form == GROUP_GATHER ? joined->schedule[AT_OWNER_GATHER].estimate.time
                                       : time_of(joined);
}

static bool has_map(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        if (loop->arg[a].is_indirect) {
            return true;
        }
    }
    return false;
}

static int registers_of(const struct loop *loop)
{
    return machines[MACHINE_GPU].base_registers + graph_live_bytes(loop->graph) / 4;
}

/* Why the joined loop would run too few threads at a time. One member that needs many registers by
 * itself is no reason. */
static const char *why_many_registers(const struct program *program, const struct group *group,
                                      const struct loop *joined)
{
    const struct machine *gpu = &machines[MACHINE_GPU];
    int registers = registers_of(joined);
    int heavy = 0;

    for (int m = 0; m < group->members; m++) {
        const struct group_member *member = &group->member[m];

        heavy += member->place == GROUP_IS_JOINED &&
                 registers_of(&program->loop[member->loop]) > gpu->light_registers;
    }
    return registers <= gpu->joined_registers || heavy < 2
               ? NULL
               : arena_format(program->arena,
                              "'%s' would need some %d registers for each thread as one kernel: "
                              "too few threads would run at a time",
                              group->name, registers);
}

const char *group_why_slow(const struct program *program, const struct group *group,
                           const struct loop *joined)
{
    double time = joined_time(group, joined);
    double apart = 0;

    for (int m = 0; m < group->members; m++) {
        const struct group_member *member = &group->member[m];

        apart += member->place != GROUP_BEFORE ? time_of(&program->loop[member->loop]) : 0;
    }
    if (has_map(joined) && time > (1 - LEAST_SAVED) * apart) {
        return arena_format(program->arena,
                            "'%s' would take %.2f of its loops' time as one kernel, by the cost "
                            "model: too little is saved",
                            group->name, time / apart);
    }
    return why_many_registers(program, group, joined);
}
