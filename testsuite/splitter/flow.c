/* flow.c: which loop follows which, for each kind of control; what variables of called functions
 * stand for; and that long chains of calls end. */
#include <stdlib.h>

#include "check.h"
#include "pass/ir/build.h"
#include "splitter/group/flow.h"

static struct program *program;
static struct flow *flow;
static int flows;

/* Loops a_1, b_2, c_3, ... without arguments; their chains are the text's. */
static void begin(int loops, const char *text)
{
    program = b_program();
    for (int l = 0; l < loops; l++) {
        const char *name = arena_format(b_arena, "%c", 'a' + l);
        struct function *kernel = b_function(name, b_type(TYPE_VOID), 0, NULL, NULL);

        b_body(program, kernel, B_BLOCK(b_stmt(STMT_NOTHING, 0, NULL)));
        b_loop(program, kernel);
    }
    CHECK(chain_read(program, text) == NULL);
    CHECK(chain_check(program) == NULL);
    flows = flows_make(program, &flow);
}

/* Notes the loops that may come behind a node. */
static void follow(const struct flow *of, int node, bool *seen, bool *next)
{
    for (int n = 0; n < of->node[node].nexts; n++) {
        int to = of->node[node].next[n];

        if (of->node[to].kind == FLOW_LOOP) {
            next[flow_step(of, to)->loop] = true;
        } else if (!seen[to]) {
            seen[to] = true;
            follow(of, to, seen, next);
        }
    }
}

/* "a>b b>bc": for each call of a loop in a flow, the loops that come next. */
static const char *nexts_of(const struct flow *of)
{
    const char *text = "";

    for (int n = 0; n < of->nodes; n++) {
        bool *seen = arena_alloc(b_arena, (size_t)of->nodes * sizeof(*seen));
        bool next[26] = {false};

        if (of->node[n].kind != FLOW_LOOP) {
            continue;
        }
        text = arena_format(b_arena, "%s%s%c>", text, *text != '\0' ? " " : "",
                            'a' + flow_step(of, n)->loop);
        follow(of, n, seen, next);
        for (int l = 0; l < 26; l++) {
            text = next[l] ? arena_format(b_arena, "%s%c", text, 'a' + l) : text;
        }
    }
    return text;
}

/* The loops a_1, b_2, ... of one function with these steps follow one another so. */
static void expect(int loops, const char *steps, const char *nexts)
{
    char text[1024];

    snprintf(text, sizeof(text), "chain 0 \"f\"\n%s", steps);
    begin(loops, text);
    CHECK(flows == 1);
    CHECK_TEXT(nexts_of(&flow[0]), nexts);
    b_program_free(program);
}

#define A "  loop a_1 set -\n"
#define B "  loop b_2 set -\n"
#define C "  loop c_3 set -\n"
#define D "  loop d_4 set -\n"

static void test_control(void)
{
    expect(2, A B, "a>b b>");
    expect(2, A "  repeat \"for\"\n  " B, "a>b b>b");
    expect(3, A "  repeat \"for\"\n  " B C, "a>b b>bc c>"); /* it runs once at least */
    expect(3, A "  choice \"if\"\n    branch\n    " B C, "a>bc b>c c>");
    expect(4, A "  choice \"if\" always\n    branch\n    " B "    branch\n    " C D,
           "a>bc b>d c>d d>");
    expect(4, A "  switch \"switch\"\n    branch\n    " B "    branch\n    " C D,
           "a>bcd b>c c>d d>"); /* falls through */
    expect(4,
           A "  switch \"switch\" always\n    branch\n    " B "      break\n    branch\n    " C D,
           "a>bc b>d c>d d>");
    expect(3, A "  leave \"return\"\n" B C, "a> b>c c>");
    expect(3, A "  leave \"exit\"\n  label \"here\"\n" B C, "a> b>c c>");
    expect(3, A "  goto \"here\"\n" B "  label \"here\"\n" C, "a> b>c c>");
}

static void test_turns(void)
{
    expect(4, "  repeat \"for\"\n  " A "    choice \"if\"\n      branch\n        break\n  " B C D,
           "a>bc b>ac c>d d>");
    expect(4,
           "  repeat \"for\"\n  " A "    choice \"if\"\n      branch\n        continue\n  " B
           "    next\n  " C D,
           "a>bc b>c c>ad d>");
    expect(3, "  repeat \"for\"\n    repeat \"while\"\n    " A "  " B C, "a>ab b>ac c>");
    /* break leaves a switch, continue the repetition around it */
    expect(3,
           "  repeat \"for\"\n    switch \"switch\"\n      branch\n      " A
           "        break\n      branch\n        continue\n  " B "    next\n" C,
           "a>b b>abc c>");
}

/* Steps of a called function stand in the caller's flow, each call by itself. */
static void test_calls(void)
{
    const struct flow_node *node;
    struct flow_var inner;

    begin(3, "host 0 dat \"x\" param 0 0\n"
             "host 1 dat \"p\" static\n"
             "host 2 dat \"list[]\" static varies\n"
             "host 3 dat \"y\" local 0\n"
             "chain 0 \"inner\" internal\n" A
             "  choice \"if\"\n    branch\n      leave \"return\"\n" B "chain 1 \"outer\"\n"
             "  call \"inner\" 0 binds 0=1\n" C "  call \"inner\" 0 binds 0=2\n");
    CHECK(flows == 1);
    CHECK_TEXT(nexts_of(&flow[0]), "a>bc b>c c>a a>b b>");
    for (int n = 0, calls = 0; n < flow[0].nodes; n++) {
        node = &flow[0].node[n];
        if (node->kind != FLOW_LOOP || flow_step(&flow[0], n)->loop != 0) {
            continue;
        }
        inner = flow_resolve(&flow[0], node->frame, 0);
        /* bound to a static dat; bound to what may be another dat each time: the parameter */
        CHECK(calls == 0 ? inner.var == 1 && inner.frame == -1
                         : inner.var == 0 && inner.frame == node->frame);
        inner = flow_resolve(&flow[0], node->frame, 3);
        CHECK(inner.var == 3 && inner.frame == node->frame);
        CHECK(!flow_var_same(inner, (struct flow_var){-1, 3}));
        calls++;
    }
    inner = flow_resolve(&flow[0], 0, HOST_NONE);
    CHECK(!flow_var_same(inner, inner));
    b_program_free(program);
}

/* A repetition around nodes, and the depth of repetitions. */
static void test_repetitions(void)
{
    int first = -1;
    int last = -1;

    begin(2, "chain 0 \"f\"\n  repeat \"for\"\n    repeat \"for\"\n    " A "  " B);
    for (int n = 0; n < flow[0].nodes; n++) {
        int loop = flow[0].node[n].kind == FLOW_LOOP ? flow_step(&flow[0], n)->loop : -1;

        first = loop == 0 ? n : first;
        last = loop == 1 ? n : last;
    }
    CHECK(flow[0].node[first].depth == 2 && flow[0].node[last].depth == 1);
    CHECK(flow_is_in(&flow[0], first, flow[0].node[last].repeat));
    CHECK(!flow_is_in(&flow[0], last, flow[0].node[first].repeat));
    b_program_free(program);
}

/* Each function calls the one before twice: functions whose calls are not followed get flows of
 * their own, and all flows together have a bounded size. */
static void test_many_calls(void)
{
    enum { DEPTH = 60 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool has_loop = false;
    int nodes = 0;

    fputs("chain 0 \"f0\"\n" A, out);
    for (int c = 1; c <= DEPTH; c++) {
        fprintf(out, "chain %d \"f%d\"\n  call \"f%d\" %d\n  call \"f%d\" %d\n", c, c, c - 1, c - 1,
                c - 1, c - 1);
    }
    fclose(out);
    begin(1, text);
    free(text);
    CHECK(flows > 1);
    for (int f = 0; f < flows; f++) {
        CHECK(flow[f].nodes <= FLOW_MOST_NODES + 2 * FLOW_MOST_FRAMES);
        nodes += flow[f].nodes;
        for (int n = 0; n < flow[f].nodes; n++) {
            has_loop = has_loop || flow[f].node[n].kind == FLOW_LOOP;
        }
    }
    CHECK(has_loop && nodes <= 2 * FLOW_MOST_ALL_NODES);
    b_program_free(program);
}

int main(void)
{
    test_control();
    test_turns();
    test_calls();
    test_repetitions();
    test_many_calls();
    return CHECK_RESULT();
}
