/* group_explain.c: a part of --cleave-explain: which loops run as one kernel, what that saves, and
 * why others that follow one another do not.
 *
 *   groups: loops that run as one kernel where their calls follow one another
 *     save_soln+adt_calc (airfoil.c:81): over cells, saves 32 bytes of memory per element
 *     not together:
 *       adt_calc and res_calc (airfoil.c:92): 'adt_calc' runs over 'cells', ...
 */
#include "splitter/group/group_find.h"

static const char *file_of(struct loc loc)
{
    return loc.file != NULL ? loc.file : "?";
}

/* "; 'move_nodes' runs before it", "; 'adt_calc' is run ahead of its call" */
static void explain_places(FILE *out, const struct program *program, const struct group *group)
{
    static const char *const where[] = {
        [GROUP_BEFORE] = "runs before it", [GROUP_AHEAD] = "is run ahead of its call"};

    for (int m = 0; m < group->members; m++) {
        if (group->member[m].place != GROUP_IS_JOINED) {
            fprintf(out, "; '%s' %s", program->loop[group->member[m].loop].name,
                    where[group->member[m].place]);
        }
    }
}

/* "; points also get what 'bres_calc' adds over bedges" */
static void explain_phases(FILE *out, const struct program *program, const struct group *group)
{
    for (int m = 0; m < group->members; m++) {
        if (group_is_phase(program, group, m)) {
            const struct loop *loop = &program->loop[group->member[m].loop];

            fprintf(out, "; points also get what '%s' adds over %s", loop->name, loop->set_text);
        }
    }
}

/* The set of the last member: that of all, or of the points that the first one adds to. */
static void explain_group(FILE *out, const struct program *program, const struct group *group)
{
    const struct loop *last = &program->loop[group->member[group->members - 1].loop];

    fprintf(out, "  %s (%s:%d): over %s, ", group->name, file_of(group->loc), group->loc.line,
            last->set_text);
    if (group->saved_bytes > 0) {
        fprintf(out, "saves %d bytes of memory per element", group->saved_bytes);
    } else {
        fputs("saves the time of a launch", out);
    }
    explain_phases(out, program, group);
    explain_places(out, program, group);
    fputc('\n', out);
}

void groups_explain(FILE *out, const struct program *program)
{
    if (program->groups + program->refusals == 0) {
        return;
    }
    fputs("groups: loops that run as one kernel where their calls follow one another\n", out);
    for (int g = 0; g < program->groups; g++) {
        explain_group(out, program, &program->group[g]);
    }
    fputs(program->groups == 0 ? "  none\n" : "", out);
    fputs(program->refusals > 0 ? "  not together:\n" : "", out);
    for (int r = 0; r < program->refusals; r++) {
        const struct group_refusal *refusal = &program->refusal[r];

        fprintf(out, "    %s and %s (%s:%d): %s\n", program->loop[refusal->first].name,
                program->loop[refusal->second].name, file_of(refusal->loc), refusal->loc.line,
                refusal->reason);
    }
    fputc('\n', out);
}
