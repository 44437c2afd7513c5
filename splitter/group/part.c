/* part.c: a part of a group, for groups that are not worth it as a whole. */
#include "pass/ir/arena.h"
#include "splitter/group/group_find.h"
#include "splitter/group/group_impl.h"

struct taking {
    const struct program *program;
    const struct group *whole;
    struct group *part;
    int *place; /* [arguments of the whole] among those of the part; -1: not there yet */
    int first;  /* member */
};

static const struct loop *loop_of(const struct taking *taking, int member)
{
    return &taking->program->loop[taking->part->member[member].loop];
}

/* The class that an argument of the whole has in the part, where classes are numbered anew. */
static int class_of(const struct taking *taking, int class, bool map)
{
    int classes = 0;

    for (int a = 0; a < taking->whole->args; a++) {
        const struct group_arg *old = &taking->whole->arg[a];
        const struct group_arg *own =
            taking->place[a] >= 0 ? &taking->part->arg[taking->place[a]] : NULL;
        int other = own == NULL ? -1 : map ? own->map : own->dat;

        if (other >= 0 && (map ? old->map : old->dat) == class) {
            return other;
        }
        classes = other >= classes ? other + 1 : classes;
    }
    return classes;
}

static void add_arg(struct taking *taking, int member, int arg, int old)
{
    const struct group_arg *whole = &taking->whole->arg[old];
    struct group_arg own = {
        .member = member, .arg = arg, .access = loop_of(taking, member)->arg[arg].access};

    own.dat = whole->dat >= 0 ? class_of(taking, whole->dat, false) : -1;
    own.map = whole->map >= 0 ? class_of(taking, whole->map, true) : -1;
    own.set = whole->set;
    taking->place[old] = taking->part->args;
    taking->part->arg[taking->part->args++] = own;
}

static void add_member(struct taking *taking, int member)
{
    const struct group_member *whole = &taking->whole->member[taking->first + member];
    const struct loop *loop = &taking->program->loop[whole->loop];
    int *position = arena_alloc(taking->program->arena, (size_t)loop->args * sizeof(*position));

    taking->part->member[member] = *whole;
    if (whole->arg == NULL) {
        return;
    }
    taking->part->member[member].arg = position;
    for (int a = 0; a < loop->args; a++) {
        int old = whole->arg[a];

        if (taking->place[old] < 0) {
            add_arg(taking, member, a, old);
        } else {
            struct group_arg *own = &taking->part->arg[taking->place[old]];

            own->access = join_access(loop_of(taking, own->member), own->arg, own->access,
                                      loop->arg[a].access);
        }
        position[a] = taking->place[old];
    }
}

/* Names of the joined members. */
static const char *name_of(const struct taking *taking)
{
    const char *name = loop_of(taking, 0)->name;

    for (int m = 1; m < taking->part->members; m++) {
        if (taking->part->member[m].arg != NULL) {
            name = arena_format(taking->program->arena, "%s+%s", name, loop_of(taking, m)->name);
        }
    }
    return name;
}

static int count_joined(const struct group *group, int first, int members)
{
    int joined = 0;

    for (int m = 0; m < members; m++) {
        joined += group->member[first + m].arg != NULL;
    }
    return joined;
}

bool group_part(const struct program *program, const struct group *whole, int first, int members,
                struct group *part)
{
    struct arena *arena = program->arena;
    struct taking taking = {program, whole, part, NULL, first};

    if (count_joined(whole, first, members) < 2) {
        return false;
    }
    while (whole->member[taking.first].arg == NULL) {
        taking.first++;
        members--;
    }
    while (whole->member[taking.first + members - 1].arg == NULL) {
        members--;
    }
    taking.place = arena_alloc(arena, (size_t)whole->args * sizeof(*taking.place));
    for (int a = 0; a < whole->args; a++) {
        taking.place[a] = -1;
    }
    *part = (struct group){.form = whole->form,
                           .members = members,
                           .loop = -1,
                           .loc = program->loop[whole->member[taking.first].loop].loc};
    part->member = arena_alloc(arena, (size_t)members * sizeof(*part->member));
    part->arg = arena_alloc(arena, (size_t)whole->args * sizeof(*part->arg));
    for (int m = 0; m < members; m++) {
        add_member(&taking, m);
    }
    part->name = name_of(&taking);
    part->saved_bytes = group_saved_bytes(program, part);
    return true;
}
