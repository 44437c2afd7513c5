/* group_text.c: the text of --cleave-dump=groups, written and read back; pass/ir/FORMAT.md
 * describes it.
 */
#include <limits.h>
#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/group.h"
#include "pass/ir/lines.h"
#include "pass/ir/tiled.h"

static const char *const form_word[] = {"set", "gather"};
static const char *const place_word[] = {"joins", "before", "ahead"};

static const char *const access_word[] = {
#define CLEAVE_ACCESS(name, letter, meaning) "OP_" #name,
#include "runtime/api/cleave_words.def"
};
enum { ACCESS_WORDS = sizeof(access_word) / sizeof(*access_word) };

/* ---- printing -----------------------------------------------------------------------------------
 */

static void print_class(FILE *out, const char *word, int class)
{
    fprintf(out, " %s ", word);
    if (class < 0) {
        fputc('-', out);
    } else {
        fprintf(out, "%d", class);
    }
}

static void print_member(FILE *out, const struct program *program,
                         const struct group_member *member)
{
    const struct loop *loop = &program->loop[member->loop];

    fprintf(out, "  member %s %s", loop->id, place_word[member->place]);
    for (int a = 0; a < loop->args && member->arg != NULL; a++) {
        fprintf(out, " %d", member->arg[a]);
    }
    fputc('\n', out);
}

static void print_group(FILE *out, const struct program *program, int number)
{
    const struct group *group = &program->group[number];

    fprintf(out, "group %d", number);
    lines_print_quoted(out, group->name);
    fprintf(out, " %s loop %s saves %d", form_word[group->form],
            group->loop >= 0 ? program->loop[group->loop].id : "-", group->saved_bytes);
    lines_print_place(out, group->loc);
    for (int m = 0; m < group->members; m++) {
        print_member(out, program, &group->member[m]);
    }
    for (int a = 0; a < group->args; a++) {
        const struct group_arg *arg = &group->arg[a];

        fprintf(out, "  arg %d of %d:%d %s", a, arg->member, arg->arg, access_word[arg->access]);
        print_class(out, "dat", arg->dat);
        print_class(out, "map", arg->map);
        if (arg->set > 0) {
            fprintf(out, " set %d", arg->set);
        }
        fputc('\n', out);
    }
}

void group_print(FILE *out, const struct program *program)
{
    for (int g = 0; g < program->groups; g++) {
        print_group(out, program, g);
    }
    for (int r = 0; r < program->refusals; r++) {
        const struct group_refusal *refusal = &program->refusal[r];

        fprintf(out, "refusal %s %s", program->loop[refusal->first].id,
                program->loop[refusal->second].id);
        lines_print_quoted(out, refusal->reason);
        lines_print_place(out, refusal->loc);
    }
    tiled_print(out, program);
}

/* ---- reading ------------------------------------------------------------------------------------
 */

struct reader {
    struct lines lines;
    const struct program *program; /* its loops */
    struct group *group;
    int groups;
    int group_room;
    int member_room; /* capacities of the last group's lists */
    int arg_room;
    struct group_refusal *refusal;
    int refusals;
    int refusal_room;
};

/* A loop's id; -1, after a failure, when there is none. */
static int read_loop(struct reader *reader)
{
    const char *id = lines_word(&reader->lines);

    for (int l = 0; l < reader->program->loops && id != NULL; l++) {
        if (strcmp(reader->program->loop[l].id, id) == 0) {
            return l;
        }
    }
    lines_fail(&reader->lines, "there is no such loop in the program");
    return -1;
}

static int read_class(struct lines *lines, const char *word)
{
    if (!lines_take(lines, word)) {
        lines_fail(lines, "the classes of a dat and a map are missing");
        return -1;
    }
    return lines_take(lines, "-") ? -1 : (int)lines_number(lines, 0, INT_MAX - 1, " ");
}

static void read_group(struct reader *reader)
{
    struct lines *lines = &reader->lines;
    struct group group = {.loop = -1};

    lines_number(lines, reader->groups, reader->groups, " ");
    group.name = lines_quoted(lines);
    group.form = lines_choice(lines, form_word, 2, "set or gather") == 1 ? GROUP_GATHER : GROUP_SET;
    if (!lines_take(lines, "loop")) {
        lines_fail(lines, "the group's loop is missing");
    } else if (!lines_take(lines, "-")) {
        group.loop = read_loop(reader);
    }
    if (!lines_take(lines, "saves")) {
        lines_fail(lines, "the bytes that the group saves are missing");
    }
    group.saved_bytes = (int)lines_number(lines, 0, INT_MAX - 1, " ");
    group.loc = lines_place(lines);
    if (lines->message != NULL) {
        return;
    }
    reader->member_room = 0;
    reader->arg_room = 0;
    reader->group =
        arena_grow(lines->arena, reader->group, reader->groups, &reader->group_room, sizeof(group));
    reader->group[reader->groups++] = group;
}

static void read_member(struct reader *reader, struct group *group)
{
    struct lines *lines = &reader->lines;
    struct group_member member = {.loop = read_loop(reader)};
    int place = lines_choice(lines, place_word, 3, "joins, before or ahead");
    int args = member.loop >= 0 ? reader->program->loop[member.loop].args : 0;

    if (place == GROUP_IS_JOINED || place == GROUP_AHEAD) {
        int *position = arena_alloc(lines->arena, (size_t)args * sizeof(*position));

        for (int a = 0; a < args && lines->message == NULL; a++) {
            position[a] = (int)lines_number(lines, 0, INT_MAX - 1, " ");
        }
        member.arg = position;
    }
    lines_place(lines);
    if (lines->message != NULL) {
        return;
    }
    member.place = (enum group_place)place;
    group->member = arena_grow(lines->arena, group->member, group->members, &reader->member_room,
                               sizeof(member));
    group->member[group->members++] = member;
}

static void read_arg(struct reader *reader, struct group *group)
{
    struct lines *lines = &reader->lines;
    struct group_arg arg = {0};
    int access;

    lines_number(lines, group->args, group->args, " ");
    if (!lines_take(lines, "of")) {
        lines_fail(lines, "the argument that it stands for is missing");
    }
    arg.member = (int)lines_number(lines, 0, INT_MAX - 1, ":");
    lines->at += *lines->at == ':';
    arg.arg = (int)lines_number(lines, 0, INT_MAX - 1, " ");
    access = lines_choice(lines, access_word, ACCESS_WORDS, "an access");
    arg.dat = read_class(lines, "dat");
    arg.map = read_class(lines, "map");
    if (lines_take(lines, "set")) {
        arg.set = (int)lines_number(lines, 1, GROUP_MOST_PHASES, " ");
    }
    lines_place(lines);
    if (lines->message != NULL) {
        return;
    }
    arg.access = (enum access)access;
    group->arg = arena_grow(lines->arena, group->arg, group->args, &reader->arg_room, sizeof(arg));
    group->arg[group->args++] = arg;
}

static void read_refusal(struct reader *reader)
{
    struct lines *lines = &reader->lines;
    struct group_refusal refusal;

    refusal.first = read_loop(reader);
    refusal.second = read_loop(reader);
    refusal.reason = lines_quoted(lines);
    refusal.loc = lines_place(lines);
    if (lines->message != NULL) {
        return;
    }
    reader->refusal = arena_grow(lines->arena, reader->refusal, reader->refusals,
                                 &reader->refusal_room, sizeof(refusal));
    reader->refusal[reader->refusals++] = refusal;
}

static void read_inside(struct reader *reader, size_t indent)
{
    struct lines *lines = &reader->lines;
    struct group *group = reader->groups > 0 ? &reader->group[reader->groups - 1] : NULL;

    lines->at += indent;
    if (indent != 2 || group == NULL || reader->refusals > 0) {
        lines_fail(lines, "the line is not inside of a group");
    } else if (lines_take(lines, "member")) {
        read_member(reader, group);
    } else if (lines_take(lines, "arg")) {
        read_arg(reader, group);
    } else {
        lines_fail(lines, "it begins with neither 'member' nor 'arg'");
    }
}

const char *group_read(struct program *program, const char *text)
{
    struct reader reader = {.program = program, .lines = {.arena = program->arena, .text = text}};

    while (lines_next(&reader.lines)) {
        size_t indent = strspn(reader.lines.line, " ");

        if (indent > 0) {
            read_inside(&reader, indent);
        } else if (lines_take(&reader.lines, "group")) {
            read_group(&reader);
        } else if (lines_take(&reader.lines, "refusal")) {
            read_refusal(&reader);
        } else {
            lines_fail(&reader.lines, "it begins with neither 'group' nor 'refusal'");
        }
    }
    if (reader.lines.message != NULL) {
        return reader.lines.message;
    }
    program->group = reader.group;
    program->groups = reader.groups;
    program->refusal = reader.refusal;
    program->refusals = reader.refusals;
    return NULL;
}
