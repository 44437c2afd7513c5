/* groups.c: the unit's table of groups: which loops a joined loop runs, and where their arguments
 * are among its own.
 *
 * In: the program's groups, and the variants that its loops got. Out: a group whose joined loop has
 * variants, as all its members have; there is no use for others.
 */
#include "codegen/emit.h"
#include "pass/ir/arena.h"
#include "pass/ir/group.h"

static bool is_listed(const struct emit *emit, const struct group *group)
{
    const struct generated_file *file = emit->file;
    bool listed = group->loop >= 0 && file->loops[group->loop].variants > 0;
    for (int m = 0; m < group->members && listed; m++) {
        listed = file->loops[group->member[m].loop].variants > 0;
    }
    return listed;
}

static void print_positions(struct emit *emit, int g, int m)
{
    const struct program *program = emit->file->program;
    const struct group_member *member = &program->group[g].member[m];
    int items = 0;
    out_format(emit->out, "static const int cleave_group_%d_args_%d[] = {", g, m);
    for (int a = 0; a < program->loop[member->loop].args; a++) {
        out_item(emit->out, &items, "%d", member->arg[a]);
    }
    out_text(emit->out, "};\n");
}

static void print_members(struct emit *emit, int g)
{
    const struct group *group = &emit->file->program->group[g];
    for (int m = 0; m < group->members; m++) {
        if (group->member[m].arg != NULL) {
            print_positions(emit, g, m);
        }
    }
    out_line(emit->out, "static const struct cleave_member cleave_group_%d[] = {", g);
    for (int m = 0; m < group->members; m++) {
        const char *args = group->member[m].arg != NULL
                               ? emit_format(emit, "cleave_group_%d_args_%d", g, m)
                               : "NULL";
        out_line(emit->out, "    {%d, %s},", group->member[m].loop, args);
    }
    out_text(emit->out, "};\n");
}

static int count_groups(const struct emit *emit)
{
    const struct program *program = emit->file->program;
    int count = 0;
    for (int g = 0; g < program->groups; g++) {
        count += is_listed(emit, &program->group[g]);
    }
    return count;
}

void groups_print(struct emit *emit)
{
    const struct program *program = emit->file->program;
    dat_records_print(emit);
    tiled_print_sequences(emit);
    if (count_groups(emit) == 0) {
        return;
    }
    for (int g = 0; g < program->groups; g++) {
        if (is_listed(emit, &program->group[g])) {
            print_members(emit, g);
        }
    }
    out_text(emit->out, "static const struct cleave_group cleave_groups[] = {\n");
    for (int g = 0; g < program->groups; g++) {
        const struct group *group = &program->group[g];
        if (is_listed(emit, group)) {
            const int ahead = group->member[group->members - 1].place == GROUP_AHEAD;
            out_line(emit->out, "    {%d, %d, cleave_group_%d, %d, %d, %d},", group->loop,
                     group->members - ahead, g, group->exact, ahead, group->tame);
        }
    }
    out_text(emit->out, "};\n");
}

void groups_print_table(struct emit *emit)
{
    int groups = count_groups(emit);
    out_format(emit->out, "%d, %s", groups, groups > 0 ? "cleave_groups" : "NULL");
}
