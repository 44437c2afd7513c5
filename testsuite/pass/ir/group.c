/* group.c: the text of groups reads back as it was written, whatever is damaged in it is refused,
 * broken rules are named, and a joined loop's arguments are those of the members. */
#include <stdlib.h>

#include "build.h"
#include "check.h"
#include "pass/ir/group.h"

static const char text[] = "group 0 \"copy+flow+sum\" set loop - saves 16 at k.c:21:5\n"
                           "  member copy_1 joins 0 1\n"
                           "  member flow_2 before\n"
                           "  member flow_2 joins 2 0 3\n"
                           "  arg 0 of 0:0 OP_READ dat 0 map -\n"
                           "  arg 1 of 0:1 OP_WRITE dat 1 map -\n"
                           "  arg 2 of 2:0 OP_READ dat 2 map 0\n"
                           "  arg 3 of 2:2 OP_INC dat - map -\n"
                           "group 1 \"a \\\"name\\\"\" gather loop - saves 0\n"
                           "  member flow_2 joins 0 1 2\n"
                           "  member rim_3 joins 3 4\n"
                           "  member copy_1 joins 1 5\n"
                           "  member copy_1 before\n"
                           "  arg 0 of 0:0 OP_READ dat 0 map 0\n"
                           "  arg 1 of 0:1 OP_RW dat 1 map -\n"
                           "  arg 2 of 0:2 OP_INC dat - map -\n"
                           "  arg 3 of 1:0 OP_READ dat 2 map 1 set 1\n"
                           "  arg 4 of 1:1 OP_INC dat 3 map 1 set 1\n"
                           "  arg 5 of 2:1 OP_WRITE dat 4 map -\n"
                           "refusal flow_2 copy_1 \"'flow' does \\\"it\\\"\" at k.c:22:5\n"
                           "refusal copy_1 copy_1 \"no place\"\n";

static struct program *program;

/* copy(q, qold): READ, WRITE. flow(x through a map, q, sum): READ, RW, INC of a global. rim(x, r),
 * both through a map: READ, INC. */
static void begin(void)
{
    const struct type *type[3];
    const char *const name[] = {"a", "b", "c"};
    struct function *kernel;
    struct loop *loop;

    program = b_program();
    type[0] = type[1] = type[2] = b_pointer(B_DOUBLE);
    kernel = b_function("copy", b_type(TYPE_VOID), 2, name, type);
    b_body(program, kernel, B_BLOCK(b_stmt(STMT_NOTHING, 0, NULL)));
    loop = b_loop(program, kernel);
    b_arg(loop, ACCESS_READ, 1);
    b_arg(loop, ACCESS_WRITE, 1);
    kernel = b_function("flow", b_type(TYPE_VOID), 3, name, type);
    b_body(program, kernel, B_BLOCK(b_stmt(STMT_NOTHING, 0, NULL)));
    loop = b_loop(program, kernel);
    b_indirect(b_arg(loop, ACCESS_READ, 2), 0, 1);
    b_arg(loop, ACCESS_RW, 1);
    b_arg(loop, ACCESS_INC, 1)->kind = ARG_GLOBAL;
    loop->arg[2].dat = -1;
    kernel = b_function("rim", b_type(TYPE_VOID), 2, name, type);
    b_body(program, kernel, B_BLOCK(b_stmt(STMT_NOTHING, 0, NULL)));
    loop = b_loop(program, kernel);
    b_indirect(b_arg(loop, ACCESS_READ, 1), 0, 0);
    b_indirect(b_arg(loop, ACCESS_INC, 1), 0, 0);
}

static char *printed(void)
{
    char *out = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&out, &size);

    group_print(file, program);
    fclose(file);
    return out;
}

static void test_round_trip(void)
{
    const char *message;
    struct arg arg;
    char *again;

    begin();
    message = group_read(program, text);
    CHECK(message == NULL);
    CHECK(loop_ir_check(program) == NULL);
    again = printed();
    CHECK_TEXT(again, text);
    free(again);
    CHECK(program->groups == 2 && program->refusals == 2);
    CHECK(program->group[0].member[1].arg == NULL && program->group[0].member[2].loop == 1);
    arg = group_joined_arg(program, &program->group[0], 2);
    CHECK(arg.is_indirect && arg.map_index == 1 && arg.dim == 2 && arg.dat == 2 && arg.map == 0);
    arg = group_joined_arg(program, &program->group[1], 1);
    CHECK(arg.access == ACCESS_RW && arg.declared == ACCESS_RW && arg.dat == 1 && arg.map == -1);
    arg = group_joined_arg(program, &program->group[1], 3);
    CHECK(arg.set == 1 && !arg.is_point && arg.is_indirect);
    arg = group_joined_arg(program, &program->group[1], 5);
    CHECK(arg.set == 0 && arg.is_point);
    CHECK(!group_is_phase(program, &program->group[1], 0) &&
          group_is_phase(program, &program->group[1], 1) &&
          !group_is_phase(program, &program->group[1], 2));
    b_program_free(program);
}

/* A payload of an extremum goes with the joined loop's argument. */
static void test_payload(void)
{
    struct arg arg;

    begin();
    program->loop[1].arg[1].kind = ARG_INFO;
    program->loop[1].arg[1].info_of = 2;
    CHECK(group_read(program, text) == NULL);
    arg = group_joined_arg(program, &program->group[1], 1);
    CHECK(arg.info_of == 2);
    program->group[1].member[0].arg = (const int[]){0, 1, 3};
    arg = group_joined_arg(program, &program->group[1], 1);
    CHECK(arg.info_of == 3);
    b_program_free(program);
}

/* The text with the first `from` in it replaced. */
static char *changed(const char *from, const char *to)
{
    const char *at = strstr(text, from);
    size_t before = at != NULL ? (size_t)(at - text) : 0;
    char *result = malloc(sizeof(text) + strlen(to) + 1);

    CHECK(at != NULL);
    memcpy(result, text, before);
    strcpy(result + before, to);
    strcat(result, text + before + (at != NULL ? strlen(from) : 0));
    return result;
}

/* Reading the changed text, or the check behind it, gives a message with this part. */
static void expect_at(int line, const char *from, const char *to, const char *part)
{
    char *other = changed(from, to);
    const char *message;
    bool ok;

    begin();
    message = group_read(program, other);
    message = message == NULL ? loop_ir_check(program) : message;
    ok = message != NULL && strstr(message, part) != NULL;
    if (!ok) {
        fprintf(stderr, "group.c:%d: \"%s\", not \"%s\"\n", line,
                message != NULL ? message : "(null)", part);
    }
    CHECK(ok);
    b_program_free(program);
    free(other);
}
#define EXPECT(from, to, part) expect_at(__LINE__, from, to, part)

static void test_damaged(void)
{
    EXPECT("group 0", "group 1", "line 1: a number is not in its list");
    EXPECT("group 0", "grup 0", "line 1: it begins with neither 'group' nor 'refusal'");
    EXPECT("\"copy+flow+sum\"", "copy", "line 1: a text in quotes is missing");
    EXPECT(" set", " sets", "line 1: ' sets loop - saves 16 at k.c:21:5' does not begin with set");
    EXPECT(" loop -", "", "line 1: the group's loop is missing");
    EXPECT("loop -", "loop x", "line 1: there is no such loop");
    EXPECT(" saves 16", "", "line 1: the bytes that the group saves are missing");
    EXPECT("saves 16", "saves 99999999999", "line 1: a number is not in its list");
    EXPECT("member copy_1", "member copy_3", "line 2: there is no such loop");
    EXPECT("joins 0 1", "joins 0", "line 2: a number is missing");
    EXPECT("joins 0 1", "joins 0 1 2", "line 2: ' 2' has no meaning here");
    EXPECT("before", "beside", "line 3: ' beside' does not begin with joins, before or ahead");
    EXPECT("arg 0 of", "arg 1 of", "line 5: a number is not in its list");
    EXPECT("of 0:0", "0:0", "line 5: the argument that it stands for is missing");
    EXPECT("OP_READ", "OP_LOOK", "line 5: ' OP_LOOK dat 0 map -' does not begin with an access");
    EXPECT(" dat 0", "", "line 5: the classes of a dat and a map are missing");
    EXPECT(" dat 0", " dat x", "line 5: a number is missing");
    EXPECT("  arg 0", "   arg 0", "line 5: the line is not inside of a group");
    EXPECT("  arg 0", "  args 0", "line 5: it begins with neither 'member' nor 'arg'");
    EXPECT("set 1", "set 4", "line 17: a number is not in its list");
    EXPECT("set 1", "set", "line 17: a number is missing");
    EXPECT("refusal flow_2 copy_1", "refusal flow_2", "line 20: there is no such loop");
    EXPECT("refusal copy_1 copy_1 \"no place\"", "  arg 4 of 0:0", "line 21: the line is not");
}

static void test_rules(void)
{
    EXPECT("\"copy+flow+sum\"", "\"\"", "group 0 '': it has no name");
    EXPECT("loop -", "loop copy_1", "'copy+flow+sum': its joined loop does not stand behind");
    EXPECT("  member copy_1 joins 0 1\n  member flow_2 before\n", "", "it has less than two");
    EXPECT("member copy_1 joins 0 1", "member copy_1 before", "less than two members are joined");
    EXPECT("member copy_1 joins 1 5", "member copy_1 ahead 1 5", "only the last member of a group");
    EXPECT("joins 0 1", "joins 0 9", "an argument of a member is none of the joined loop's");
    EXPECT("joins 0 1", "joins 1 0", "not in the order of their first use");
    EXPECT("of 0:0", "of 2:1", "does not name the first one");
    EXPECT("joins 2 0 3", "joins 2 0 0", "belongs to no member");
    EXPECT("joins 2 0 3", "joins 2 3 0", "does not name the first one");
    EXPECT("joins 2 0 3\n", "joins 0 1 2\n", "does not name the first one");
    EXPECT("member copy_1 joins 1 5", "member copy_1 joins 0 5", "differ in kind, type, dim");
    EXPECT("OP_WRITE dat 1", "OP_WRITE dat 2", "numbered in order");
    EXPECT("OP_WRITE dat 1", "OP_WRITE dat -", "numbered in order");
    EXPECT("dat 2 map 0", "dat 2 map -", "numbered in order");
    EXPECT("dat 4 map -", "dat 4 map - set 1", "only arguments of phases have a set");
    EXPECT("map 1 set 1", "map 1", "the dats of a phase are on one set");
    EXPECT("map 1 set 1", "map 1 set 2", "the dats of a phase are on one set");
    EXPECT("map 1 set 1\n  arg 4 of 1:1 OP_INC dat 3 map 1 set 1",
           "map 1 set 2\n  arg 4 of 1:1 OP_INC dat 3 map 1 set 2", "sets of phases are numbered");
    EXPECT("  member rim_3 joins 3 4\n  member copy_1 joins 1 5\n",
           "  member copy_1 joins 1 3\n  member rim_3 joins 4 5\n", "does not name the first one");
    EXPECT("  member rim_3 joins 3 4\n", "  member copy_1 joins 1 5\n  member rim_3 joins 3 4\n",
           "not in the order");
    EXPECT("\"no place\"", "\"\"", "refusal 1 has no reason");
}

/* A joined loop stands behind the user's and belongs to one group, with as many arguments. */
static void test_joined(void)
{
    struct loop *joined;

    begin();
    CHECK(group_read(program, text) == NULL);
    joined = b_loop(program, program->loop[0].kernel);
    joined->id = "joined";
    program->chains--;
    program->user_loops--;
    b_arg(joined, ACCESS_READ, 1);
    b_arg(joined, ACCESS_READ, 1);
    CHECK(strstr(group_check(program), "loop 'joined' is joined for 0 groups") != NULL);
    program->group[0].loop = 3;
    CHECK(strstr(group_check(program), "has another number of arguments") != NULL);
    joined->args = 4;
    CHECK(group_check(program) == NULL);
    program->group[1] = program->group[0];
    CHECK(strstr(group_check(program), "loop 'joined' is joined for 2 groups") != NULL);
    b_program_free(program);
}

/* Any byte may be missing or another one, and the text may end anywhere: what is read is printed
 * and read again, or refused. */
static void read_any(const char *damaged)
{
    begin();
    if (group_read(program, damaged) == NULL && group_check(program) == NULL) {
        char *once = printed();

        CHECK(group_read(program, once) == NULL);
        free(once);
    }
    b_program_free(program);
}

static void test_any_damage(void)
{
    static const char bytes[] = "0 9\n\"-x";
    char damaged[sizeof(text)];

    for (size_t at = 0; at + 1 < sizeof(text); at++) {
        strcpy(damaged, text);
        damaged[at] = '\0';
        read_any(damaged);
        strcpy(damaged, text);
        memmove(damaged + at, damaged + at + 1, sizeof(text) - at - 1);
        read_any(damaged);
        for (const char *byte = bytes; *byte != '\0'; byte++) {
            strcpy(damaged, text);
            damaged[at] = *byte;
            read_any(damaged);
        }
    }
}

int main(void)
{
    test_round_trip();
    test_payload();
    test_damaged();
    test_rules();
    test_joined();
    test_any_damage();
    return CHECK_RESULT();
}
