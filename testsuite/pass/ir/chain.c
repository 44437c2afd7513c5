/* chain.c: the text of chains reads back as it was written, whatever is damaged in it is refused,
 * broken rules are named, and step_touches() answers for each kind of step. */
#include <stdlib.h>

#include "build.h"
#include "check.h"
#include "pass/ir/chain.h"

static const char text[] = "host 0 set \"cells\" static at k.c:1:8\n"
                           "host 1 dat \"p_q\" static at k.c:2:8\n"
                           "host 2 dat \"dats[]\" static varies at k.c:2:20\n"
                           "host 3 map \"pcell\" static\n"
                           "host 4 value \"*rms\" param 0 1\n"
                           "host 5 value \"rms\" local 1 private at k.c:40:3\n"
                           "host 6 value \"gam\" static constant 0 at k.c:3:8\n"
                           "host 7 dat \"a \\\"name\\\"\\012 with \\\\\" this 0\n"
                           "chain 0 \"step\" internal at k.c:20:13\n"
                           "  loop first_1 set 0 args 1:- 2:3 at k.c:21:5\n"
                           "  repeat \"for\" trips 2 always at k.c:22:5\n"
                           "    code at k.c:23:9\n"
                           "      change 4 at k.c:23:9\n"
                           "      change pointed by \"memset\"\n"
                           "    loop second_2 set 0 args 7:- 4:-\n"
                           "    choice \"if\"\n"
                           "      branch\n"
                           "        continue\n"
                           "      branch\n"
                           "        break\n"
                           "    next\n"
                           "  leave \"return\" at k.c:30:5\n"
                           "chain 1 \"main\" at a folder:x/k.c:38:5\n"
                           "  label \"again\"\n"
                           "  call \"step\" 0 binds 4=5 7=1 at k.c:41:9\n"
                           "    look 5 by \"step\"\n"
                           "    unknown all by \"f\" at k.c:41:9\n"
                           "  switch \"switch\" always\n"
                           "    branch\n"
                           "      code\n"
                           "        rebind 1\n"
                           "        look 1 by \"op_fetch_data\"\n"
                           "        rebind pointed\n"
                           "        order all by \"op_partition\"\n"
                           "        clock all\n"
                           "        look all\n"
                           "  goto \"again\"\n"
                           "  goto \"*\"\n";

static struct program *program;

/* first(q, x): direct WRITE and READ through a map, with the constant gam; second(q, rms): RW, INC.
 */
static void begin(void)
{
    const struct type *type[2];
    const char *const name[] = {"a", "b"};
    struct function *kernel;
    struct var *gam;
    struct loop *loop;

    program = b_program();
    type[0] = b_pointer(B_DOUBLE);
    type[1] = type[0];
    gam = b_global(program, "gam", B_DOUBLE);
    kernel = b_function("first", b_type(TYPE_VOID), 2, name, type);
    b_body(program, kernel, B_BLOCK(b_do(b_assign(b_at_index(kernel->param[0], 0), b_var(gam)))));
    loop = b_loop(program, kernel);
    b_arg(loop, ACCESS_WRITE, 1);
    b_indirect(b_arg(loop, ACCESS_READ, 1), 0, 1);
    kernel = b_function("second", b_type(TYPE_VOID), 2, name, type);
    b_body(program, kernel, B_BLOCK(b_stmt(STMT_NOTHING, 0, NULL)));
    loop = b_loop(program, kernel);
    b_arg(loop, ACCESS_RW, 1);
    b_arg(loop, ACCESS_INC, 1)->kind = ARG_GLOBAL;
}

static char *printed(void)
{
    char *out = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&out, &size);

    chain_print(file, program);
    fclose(file);
    return out;
}

static void test_round_trip(void)
{
    char *again;

    begin();
    CHECK(chain_check(program) == NULL); /* as b_loop() made them */
    CHECK(chain_read(program, text) == NULL);
    CHECK(chain_check(program) == NULL);
    again = printed();
    CHECK_TEXT(again, text);
    free(again);
    CHECK(program->chains == 2 && program->host_vars == 8);
    CHECK(program->chain[0].steps == 11 && program->chain[0].step[1].end == 10);
    CHECK_TEXT(program->chain[1].loc.file, "a folder:x/k.c");
    CHECK_TEXT(program->host_var[7].text, "a \"name\"\n with \\");
    b_program_free(program);
}

/* The text with the first `from` in it replaced. */
static char *changed(const char *from, const char *to)
{
    const char *at = strstr(text, from);
    size_t before = at != NULL ? (size_t)(at - text) : 0;
    char *result = malloc(sizeof(text) + strlen(to) + 1);

    CHECK(at != NULL);
    if (at == NULL) {
        strcpy(result, text);
        return result;
    }
    memcpy(result, text, before);
    strcpy(result + before, to);
    strcat(result, at + strlen(from));
    return result;
}

/* Reading the changed text, or the check behind it, gives a message with this part. */
static void expect_at(int line, const char *from, const char *to, const char *part)
{
    char *other = changed(from, to);
    const char *message;
    bool ok;

    begin();
    message = chain_read(program, other);
    message = message == NULL ? loop_ir_check(program) : message;
    ok = message != NULL && strstr(message, part) != NULL;
    if (!ok) {
        fprintf(stderr, "chain.c:%d: \"%s\", not \"%s\"\n", line,
                message != NULL ? message : "(null)", part);
    }
    CHECK(ok);
    b_program_free(program);
    free(other);
}
#define EXPECT(from, to, part) expect_at(__LINE__, from, to, part)

static void test_damaged(void)
{
    EXPECT("host 1", "host 2", "line 2: a number is not in its list");
    EXPECT("host 0 set", "host 0 sets",
           "line 1: ' sets \"cells\" static at k.c:1:8' does not begin with set");
    EXPECT("\"cells\"", "cells", "line 1: a text in quotes is missing");
    EXPECT("\"cells\"", "\"cells", "line 1: a text in quotes has no end");
    EXPECT("\\012", "\\912", "line 8: a backslash");
    EXPECT("k.c:1:8", "k.c:1", "line 1: a place is not FILE:LINE:COLUMN");
    EXPECT("k.c:1:8", "k.c:0:8", "line 1: a place is not FILE:LINE:COLUMN");
    EXPECT("static varies", "static often", "line 3: ' often at k.c:2:20' has no meaning here");
    EXPECT("constant 0", "constant 1", "line 7: a number is not in its list");
    EXPECT("first_1", "first_9", "line 10: there is no such loop");
    EXPECT("args 1:- 2:3", "args 1:-", "line 10: a number is missing");
    EXPECT("args 1:- 2:3", "args 1:- 2:8", "line 10: a number is not in its list");
    EXPECT("args 1:- 2:3 ", "", "line 10: the loop has arguments");
    EXPECT("    code at", "     code at", "line 12: the indentation");
    EXPECT("    code at", "        code at", "line 12: the indentation");
    EXPECT("    code at", "    break at", "line 13: an effect stands below a step that has none");
    EXPECT("    next", "    nexts",
           "line 21: 'nexts' does not begin with a kind of step or effect");
    EXPECT("trips 2", "trips 99999999999999999999999", "line 11: a number is not in its list");
    EXPECT("chain 0", "chain 1", "line 9: a number is not in its list");
    EXPECT("chain 1 ", "host 8 ", "line 23: host variables stand before all chains");
    EXPECT("\"step\" 0 binds", "\"step\" 1 binds", "line 25: a number is not in its list");
    EXPECT("host 0", "most 0", "line 1: it begins with neither");
}

static void test_rules(void)
{
    EXPECT("this 0", "this 2", "host variable 7: its chain is not in the program's list");
    EXPECT("\"cells\" static", "\"cells\" static private", "host variable 0: a static variable is");
    EXPECT("host 0 set \"cells\" static", "host 0 set \"cells\" static constant 0",
           "host variable 0: its constant");
    EXPECT("\"p_q\"", "\"\"", "host variable 1: it has no text");
    EXPECT("set 0 args 1:-", "set 1 args 1:-", "'step', step 0: its set is none");
    EXPECT("args 1:-", "args 4:-", "'step', step 0: an argument names a variable of another kind");
    EXPECT("args 1:-", "args 1:2", "'step', step 0: an argument names a variable of another kind");
    EXPECT("change 4", "change 5", "'step', step 2: an effect is on a variable that its function");
    EXPECT("change 4", "change 3", "'step', step 2: sets and maps have no values");
    EXPECT("order all", "order pointed", "'main', step 4: this effect is on all");
    EXPECT("rebind pointed", "rebind all", "'main', step 4: an effect is on a variable");
    EXPECT("      change 4 at k.c:23:9\n      change pointed by \"memset\"\n", "",
           "'step', step 2: code has effects");
    EXPECT("    next\n", "", "'step', step 6: there is no repetition around it");
    EXPECT("    next\n", "    next\n    choice \"if\"\n      branch\n        next\n",
           "it does not stand directly in a repetition");
    EXPECT("    choice \"if\"\n      branch\n        continue\n", "    choice \"if\"\n      next\n",
           "'step', step 5: a branch stands directly below");
    EXPECT("  leave \"return\"", "  break\n  leave \"return\"", "it leaves neither a repetition");
    EXPECT("goto \"again\"", "goto \"away\"", "it goes to a label that the chain does not have");
    EXPECT("  label \"again\"\n", "  label \"again\"\n    label \"inside\"\n",
           "'main', step 0: steps are inside of it");
    EXPECT("binds 4=5 7=1", "binds 4=5", "'main', step 1: it binds another number");
    EXPECT("binds 4=5 7=1", "binds 4=5 4=5", "'main', step 1: it binds a variable twice");
    EXPECT("binds 4=5 7=1", "binds 4=5 7=5", "'main', step 1: it binds a variable that the callee");
    EXPECT("    loop second_2 set 0 args 7:- 4:-\n", "", "loop 'second_2' stands in no chain");
}

/* Any byte may be missing or another one, and the text may end anywhere: what is read is printed
 * and read again, or refused. */
static void read_any(const char *damaged)
{
    begin();
    if (chain_read(program, damaged) == NULL && chain_check(program) == NULL) {
        char *once = printed();

        CHECK(chain_read(program, once) == NULL);
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

static unsigned touches(int chain, int step, int var)
{
    return step_touches(program, &program->chain[chain], step, var);
}

enum { CELLS, Q, DATS, PCELL, POINTED_RMS, RMS, GAM, OF_THIS };

static void test_touches(void)
{
    begin();
    CHECK(chain_read(program, text) == NULL);
    CHECK(touches(0, 0, Q) == TOUCH_CHANGE);
    CHECK(touches(0, 0, DATS) == TOUCH_LOOK);
    CHECK(touches(0, 0, CELLS) == TOUCH_LOOK && touches(0, 0, PCELL) == TOUCH_LOOK);
    CHECK(touches(0, 0, GAM) == TOUCH_LOOK && touches(0, 3, GAM) == 0);
    CHECK(touches(0, 3, OF_THIS) == (TOUCH_LOOK | TOUCH_CHANGE));
    CHECK(touches(0, 2, POINTED_RMS) == TOUCH_CHANGE);
    CHECK(touches(0, 2, GAM) == TOUCH_CHANGE);                 /* what a pointer leads to */
    CHECK(touches(0, 2, Q) == (TOUCH_CHANGE | TOUCH_WATCHED)); /* its data */
    CHECK(touches(0, 2, CELLS) == 0);
    CHECK(touches(0, 1, POINTED_RMS) == (TOUCH_LOOK | TOUCH_CHANGE)); /* the steps inside */
    CHECK(touches(1, 1, RMS) == (TOUCH_LOOK | TOUCH_CHANGE));         /* bound to *rms */
    CHECK((touches(1, 1, Q) & TOUCH_REBIND) != 0);                    /* code that is not known */
    CHECK((touches(1, 1, CELLS) & TOUCH_REBIND) != 0);
    CHECK(touches(1, 4, Q) == (TOUCH_REBIND | TOUCH_LOOK));
    CHECK(touches(1, 4, RMS) == 0); /* private */
    CHECK(touches(1, 4, GAM) == TOUCH_LOOK);
    CHECK(touches(1, 4, CELLS) == TOUCH_REBIND);
    CHECK(step_has_effect(&program->chain[1], 2, EFFECT_ORDER));
    CHECK(step_has_effect(&program->chain[1], 1, EFFECT_UNKNOWN));
    CHECK(!step_has_effect(&program->chain[0], 1, EFFECT_UNKNOWN));
    b_program_free(program);
}

/* A loop of which nothing is known may name any dat. */
static void test_loose(void)
{
    begin();
    CHECK(chain_read(program, "host 0 dat \"p_q\" static\nhost 1 set \"cells\" static\n") == NULL);
    CHECK(strstr(chain_check(program), "stands in no chain") != NULL);
    chain_add_loose(program);
    CHECK(chain_check(program) == NULL);
    CHECK(program->chains == 2 && program->chain[0].is_loose);
    CHECK(touches(0, 1, 0) == (TOUCH_LOOK | TOUCH_CHANGE));
    CHECK((touches(0, 0, 1) & TOUCH_REBIND) != 0);
    b_program_free(program);
}

/* Each chain calls the one before twice, and so do the kernel's helpers: 2 to the power of 30 ways
 * lead to the loop and to the constant. */
static void test_many_ways(void)
{
    enum { DEPTH = 30 };
    const char *const name[] = {"a"};
    struct function *helper = NULL;
    char *many = NULL;
    size_t size = 0;
    FILE *out;

    begin();
    for (int f = 0; f < DEPTH; f++) {
        struct function *caller = b_function(arena_format(b_arena, "f%d", f), b_type(TYPE_VOID), 1,
                                             name, (const struct type *[]){b_pointer(B_DOUBLE)});

        caller->callee = arena_alloc(b_arena, 2 * sizeof(*caller->callee));
        caller->callee[0] = caller->callee[1] = helper;
        caller->callees = helper != NULL ? 2 : 0;
        helper = caller;
    }
    program->loop[1].kernel->callee = &helper;
    program->loop[1].kernel->callees = 1;
    out = open_memstream(&many, &size);
    fputs("host 0 dat \"p\" param 0 0\nhost 1 value \"gam\" static constant 0\n", out);
    for (int c = 1; c < DEPTH; c++) {
        fprintf(out, "host %d dat \"p\" param %d 0\n", c + 1, c);
    }
    fputs("chain 0 \"f0\"\n  loop second_2 set - args 0:- -:-\n  loop first_1 set - args 0:- 0:-\n",
          out);
    for (int c = 1; c < DEPTH; c++) {
        int inner = c == 1 ? 0 : c;

        fprintf(out, "chain %d \"f%d\"\n", c, c);
        for (int twice = 0; twice < 2; twice++) {
            fprintf(out, "  call \"f%d\" %d binds %d=%d\n", c - 1, c - 1, inner, c + 1);
        }
    }
    fclose(out);
    CHECK(chain_read(program, many) == NULL);
    CHECK(chain_check(program) == NULL);
    CHECK(touches(DEPTH - 1, 1, DEPTH) == (TOUCH_LOOK | TOUCH_CHANGE));
    CHECK(touches(DEPTH - 1, 0, 1) == (TOUCH_LOOK | TOUCH_CHANGE)); /* any value may be reduced */
    CHECK(touches(0, 1, 1) == TOUCH_LOOK);
    program->loop[0].kernel->globals = 0;
    CHECK(touches(0, 1, 1) == 0);
    free(many);
    b_program_free(program);
}

int main(void)
{
    test_round_trip();
    test_damaged();
    test_rules();
    test_any_damage();
    test_touches();
    test_loose();
    test_many_ways();
    return CHECK_RESULT();
}
