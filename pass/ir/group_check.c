/* group_check.c: the invariants that pass/ir/group.h states; a part of loop_ir_check().
 *
 * Every rule returns NULL, or what is broken; group_check() adds the group.
 */
#include "pass/ir/arena.h"
#include "pass/ir/group.h"

static bool is_user_loop(const struct program *program, int loop)
{
    return loop >= 0 && loop < program->user_loops;
}

/* ---- members and arguments ----------------------------------------------------------------------
 */

static const char *member_rule(const struct program *program, const struct group *group, int number)
{
    const struct group_member *member = &group->member[number];

    if (!is_user_loop(program, member->loop)) {
        return "a member is none of the user's loops";
    }
    if ((member->place == GROUP_IS_JOINED || member->place == GROUP_AHEAD) !=
        (member->arg != NULL)) {
        return "a member has arguments in the joined loop exactly if it is a part of it";
    }
    if (member->place == GROUP_AHEAD &&
        (number != group->members - 1 || group->form != GROUP_GATHER)) {
        return "only the last member of a group that gathers runs ahead of its call";
    }
    for (int a = 0; member->arg != NULL && a < program->loop[member->loop].args; a++) {
        if (member->arg[a] < 0 || member->arg[a] >= group->args) {
            return "an argument of a member is none of the joined loop's";
        }
    }
    return NULL;
}

/* The argument that a joined one stands for is the first that leads to it, and the joined ones
 * stand in the order of these. */
static const char *arg_rule(const struct program *program, const struct group *group)
{
    int next = 0;

    for (int m = 0; m < group->members; m++) {
        const struct group_member *member = &group->member[m];

        for (int a = 0; member->arg != NULL && a < program->loop[member->loop].args; a++) {
            int joined = member->arg[a];

            if (joined > next) {
                return "the joined loop's arguments are not in the order of their first use";
            }
            if (joined == next && (group->arg[next].member != m || group->arg[next].arg != a)) {
                return "a joined argument does not name the first one that it stands for";
            }
            next += joined == next;
        }
    }
    return next == group->args ? NULL : "an argument of the joined loop belongs to no member";
}

/* All arguments that one joined argument stands for are of the same kind, type, dim and column. */
static const char *common_rule(const struct program *program, const struct group *group)
{
    for (int m = 0; m < group->members; m++) {
        const struct group_member *member = &group->member[m];

        for (int a = 0; member->arg != NULL && a < program->loop[member->loop].args; a++) {
            const struct arg *arg = &program->loop[member->loop].arg[a];
            struct arg joined = group_joined_arg(program, group, member->arg[a]);

            if (arg->kind != joined.kind || arg->dim != joined.dim ||
                (arg->type != NULL && !type_same(arg->type, joined.type)) ||
                arg->is_indirect != joined.is_indirect || arg->is_vector != joined.is_vector ||
                arg->is_optional != joined.is_optional || arg->map_index != joined.map_index ||
                arg->columns != joined.columns) {
                return "arguments that have one in common differ in kind, type, dim or column";
            }
        }
    }
    return NULL;
}

static const char *class_rule(const struct program *program, const struct group *group)
{
    int dats = 0;
    int maps = 0;

    for (int a = 0; a < group->args; a++) {
        const struct group_arg *arg = &group->arg[a];
        const struct arg *first = &program->loop[group->member[arg->member].loop].arg[arg->arg];

        if ((arg->dat >= 0) != (first->dat >= 0) || (arg->map >= 0) != (first->map >= 0) ||
            arg->dat > dats || arg->map > maps) {
            return "classes of dats and maps are numbered in order, and only dats have them";
        }
        dats += arg->dat == dats;
        maps += arg->map == maps;
    }
    return NULL;
}

/* ---- sets -------------------------------------------------------------------------------------
 */

/* The set that an argument of a phase's elements is on; *set is that of the ones before, 0: none.
 */
static const char *phase_arg_rule(const struct group *group, const struct arg *arg, int joined,
                                  int *set)
{
    int own = group->arg[joined].set;

    if ((own > 0) != (arg->kind == ARG_DAT) || (own > 0 && *set > 0 && own != *set)) {
        return "the dats of a phase are on one set, which is not the first member's";
    }
    *set = own > 0 ? own : *set;
    return arg->kind == ARG_INDEX || arg->kind == ARG_INFO ||
                   (arg->access != ACCESS_READ && !(arg->access == ACCESS_INC && arg->is_indirect))
               ? "a phase does more than increment through a map"
               : NULL;
}

static const char *member_set_rule(const struct program *program, const struct group *group, int m)
{
    const struct group_member *member = &group->member[m];
    bool is_phase = group_is_phase(program, group, m);
    int set = 0;

    for (int a = 0; member->arg != NULL && a < program->loop[member->loop].args; a++) {
        const char *rule =
            is_phase
                ? phase_arg_rule(group, &program->loop[member->loop].arg[a], member->arg[a], &set)
            : group->arg[member->arg[a]].set != 0 ? "only arguments of phases have a set"
                                                  : NULL;

        if (rule != NULL) {
            return rule;
        }
    }
    return NULL;
}

/* Phases stand before all members over points, and sets are numbered in order. */
static const char *set_rule(const struct program *program, const struct group *group)
{
    const char *rule = NULL;
    bool is_behind = false;
    int sets = 0;

    for (int m = 0; m < group->members && rule == NULL; m++) {
        bool is_phase = group_is_phase(program, group, m);

        rule = member_set_rule(program, group, m);
        if (is_phase && is_behind) {
            rule = "a phase stands behind a loop over points";
        }
        is_behind = is_behind ||
                    (group->form == GROUP_GATHER && !is_phase &&
                     group->member[m].place == GROUP_IS_JOINED && m != group_first_joined(group));
    }
    for (int a = 0; a < group->args && rule == NULL; a++) {
        rule = group->arg[a].set > sets + 1 ? "sets of phases are numbered in order" : NULL;
        sets = group->arg[a].set > sets ? group->arg[a].set : sets;
    }
    return rule;
}

/* ---- groups -------------------------------------------------------------------------------------
 */

static const char *group_rule(const struct program *program, const struct group *group)
{
    const char *rule = NULL;
    int joined = 0;

    if (group->name == NULL || group->name[0] == '\0') {
        return "it has no name";
    }
    if (group->members < 2 || group->members > GROUP_MOST_MEMBERS) {
        return "it has less than two members, or too many";
    }
    if (group->loop != -1 && (group->loop < program->user_loops || group->loop >= program->loops)) {
        return "its joined loop does not stand behind the user's loops";
    }
    for (int m = 0; m < group->members && rule == NULL; m++) {
        rule = member_rule(program, group, m);
        joined += group->member[m].place == GROUP_IS_JOINED;
    }
    if (rule == NULL && joined < 2) {
        rule = "less than two members are joined";
    }
    rule = rule == NULL ? arg_rule(program, group) : rule;
    rule = rule == NULL ? common_rule(program, group) : rule;
    rule = rule == NULL ? class_rule(program, group) : rule;
    rule = rule == NULL ? set_rule(program, group) : rule;
    if (rule == NULL && group->loop >= 0 && program->loop[group->loop].args != group->args) {
        rule = "its joined loop has another number of arguments";
    }
    return rule;
}

/* Each joined loop belongs to one group. */
static const char *check_joined(const struct program *program)
{
    for (int l = program->user_loops; l < program->loops && program->groups > 0; l++) {
        int owners = 0;

        for (int g = 0; g < program->groups; g++) {
            owners += program->group[g].loop == l;
        }
        if (owners != 1) {
            return arena_format(program->arena, "loop '%s' is joined for %d groups, not for one",
                                program->loop[l].id, owners);
        }
    }
    return NULL;
}

const char *group_check(const struct program *program)
{
    if (program->user_loops < 0 || program->user_loops > program->loops) {
        return "the user's loops are a part of the program's";
    }
    if (program->groups > GROUP_MOST) {
        return arena_format(program->arena, "there are more than %d groups", GROUP_MOST);
    }
    for (int g = 0; g < program->groups; g++) {
        const char *rule = group_rule(program, &program->group[g]);

        if (rule != NULL) {
            return arena_format(program->arena, "group %d '%s': %s", g, program->group[g].name,
                                rule);
        }
    }
    for (int r = 0; r < program->refusals; r++) {
        const struct group_refusal *refusal = &program->refusal[r];

        if (!is_user_loop(program, refusal->first) || !is_user_loop(program, refusal->second) ||
            refusal->reason == NULL || refusal->reason[0] == '\0') {
            return arena_format(program->arena,
                                "refusal %d has no reason, or is not between the user's loops", r);
        }
    }
    return check_joined(program);
}
