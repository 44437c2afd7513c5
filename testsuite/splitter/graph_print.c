/* graph_print.c: the parts of a body, the terms of its sums, and both dumps of a graph.
 */
#include <ctype.h>
#include <stdlib.h>

#include "splitter/graph/graph_impl.h"
#include "splitter/schedule/schedules.h"

#include "check.h"
#include "hand.h"

enum { X1, X2, Q1, Q2, S, W, G1, G2, L1, L2 };

static struct expr *both(struct hand *h, enum binary_op op, int a, int b, int component)
{
    return hand_op(h, op, hand_place(h, a, component), hand_place(h, b, component));
}

/* The gradient loop of a flow solver: sums of q over both ends times the face's area, and
 * differences of q over the distance; and a flag of the element is stored. */
static struct hand *gradients(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "x1", 0, 0, 0, 3, ACCESS_READ);
    hand_arg(h, "x2", 0, 0, 1, 3, ACCESS_READ);
    hand_arg(h, "q1", 1, 0, 0, 2, ACCESS_READ);
    hand_arg(h, "q2", 1, 0, 1, 2, ACCESS_READ);
    hand_arg(h, "s", 2, -1, 0, 1, ACCESS_READ);
    hand_arg(h, "w", 3, -1, 0, 1, ACCESS_WRITE);
    hand_arg(h, "g1", 4, 0, 0, 2, ACCESS_INC);
    hand_arg(h, "g2", 4, 0, 1, 2, ACCESS_INC);
    hand_arg(h, "l1", 5, 0, 0, 2, ACCESS_INC);
    hand_arg(h, "l2", 5, 0, 1, 2, ACCESS_INC);
    int dx = hand_value(h, "dx", both(h, BINARY_SUB, X2, X1, 0));
    int d = hand_value(
        h, "d", hand_call(h, "sqrt", hand_op(h, BINARY_MUL, hand_read(h, dx), hand_read(h, dx))));
    h->graph->node[d].flops = 20; /* not cheap */
    hand_store(h, W, 0, hand_read(h, d), -1);
    for (int i = 0; i < 2; i++) {
        struct expr *s = hand_place(h, S, 0);
        hand_value(h, i == 0 ? "g" : "g_2",
                   hand_op(h, BINARY_MUL, both(h, BINARY_ADD, Q1, Q2, i), s));
        hand_value(h, i == 0 ? "ng" : "ng_2",
                   hand_neg(h, hand_op(h, BINARY_MUL, both(h, BINARY_ADD, Q1, Q2, i), s)));
        hand_value(h, i == 0 ? "l" : "l_2",
                   hand_op(h, BINARY_DIV, both(h, BINARY_SUB, Q2, Q1, i), hand_read(h, d)));
    }
    hand_add(h, G1, 0, 3);
    hand_add(h, G1, 1, 6);
    hand_add(h, G2, 0, 4);
    hand_add(h, G2, 1, 7);
    hand_add(h, L1, 0, 5);
    hand_add(h, L1, 1, 8);
    hand_add(h, L2, 0, 5);
    hand_add(h, L2, 1, 8);
    CHECK(graph_check(h->graph) == NULL);
    graph_merge(h->graph);
    CHECK(graph_check(h->graph) == NULL);
    return h;
}

static char *printed(void (*print)(FILE *out, const struct loop *loop), const struct loop *loop)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print(out, loop);
    fclose(out);
    return text;
}

static void parts(void)
{
    struct hand *h = gradients();
    int part[8];
    int group[8];
    CHECK(graph_parts(h->graph, 4, part) == 3); /* g, g_2 apart; l and l_2 share d */
    CHECK(part[0] == 0 && part[1] == 1 && part[2] == 0 && part[3] == 1);
    CHECK(part[4] == 2 && part[5] == 2 && part[6] == 2 && part[7] == 2);
    CHECK(graph_parts(h->graph, 100, part) == 4); /* d is cheap now */
    bool by_component;
    CHECK(graph_groups(h->graph, group, &by_component) == 2); /* g and g_2 read the same */
    CHECK(!by_component);
    CHECK(group[0] == 0 && group[1] == 0 && group[4] == 1 && group[7] == 1);
    hand_free(h);
}

/* Components tell parts apart where arguments do not: three forces from one vector, at two points.
 */
static void parts_by_component(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "x", 0, 0, 0, 3, ACCESS_READ);
    hand_arg(h, "f1", 1, 0, 0, 3, ACCESS_INC);
    hand_arg(h, "f2", 1, 0, 1, 3, ACCESS_INC);
    int group[6];
    bool by_component;
    for (int i = 0; i < 3; i++) {
        struct expr *next = hand_place(h, 0, (i + 1) % 3);
        hand_value(h, "f", hand_op(h, BINARY_MUL, hand_place(h, 0, i), next));
    }
    for (int i = 0; i < 6; i++) {
        hand_add(h, 1 + i / 3, i % 3, i % 3);
    }
    CHECK(graph_groups(h->graph, group, &by_component) == 3 && by_component);
    CHECK(group[0] == 0 && group[4] == 1 && group[5] == 2);
    CHECK_TEXT(group_text(h->graph, group, 1), "p_x[1..2]");
    CHECK_TEXT(group_targets(h->graph, group, 1), "p_f1[1]");
    h->graph->contributions = 3; /* one increment each: not worth parts */
    CHECK(graph_groups(h->graph, group, &by_component) == 1 && group[2] == 0);
    hand_free(h);
}

static const char *const expected_text =
    "graph by_hand (hand.c:1)\n"
    "  reads\n"
    "    x1 = p_x1 through map0[0]: 0; 8 bytes\n"
    "    x2 = p_x2 through map0[1]: 0; 8 bytes\n"
    "    q1 = p_q1 through map0[0]: 0..1; 16 bytes\n"
    "    q2 = p_q2 through map0[1]: 0..1; 16 bytes\n"
    "    s = p_s: 0; 8 bytes\n"
    "  computes\n"
    "    0   dx = x2[0] - x1[0]; 1 flop\n"
    "    1   d = sqrt(dx * dx); from 0; 20 flops\n"
    "    2   w[0] = d; from 1\n"
    "    3   g = (q1[0] + q2[0]) * s[0]; 2 flops\n"
    "    4   l = (q2[0] - q1[0]) / d; from 1; 2 flops\n"
    "    5   g_2 = (q1[1] + q2[1]) * s[0]; 2 flops\n"
    "    6   l_2 = (q2[1] - q1[1]) / d; from 1; 2 flops\n"
    "  adds: tmp(e) takes 4 values (32 bytes) for 8 increments\n"
    "    g1[0] += g\n"
    "    g1[1] += g_2\n"
    "    g2[0] -= g, as g1[0]\n"
    "    g2[1] -= g_2, as g1[1]\n"
    "    l1[0] += l\n"
    "    l1[1] += l_2\n"
    "    l2[0] += l, as l1[0]\n"
    "    l2[1] += l_2, as l1[1]\n"
    "  in 2 parts that can be computed apart\n"
    "    part 1: 4 increments of p_g1[0..1] by 2 values; reads p_q1, p_s\n"
    "    part 2: 4 increments of p_l1[0..1] by 2 values; reads p_x1, p_q1\n";

static void text(void)
{
    struct hand *h = gradients();
    char *dump = printed(graph_print, h->loop);
    CHECK_TEXT(dump, expected_text);
    free(dump);
    hand_free(h);
}

/* A flux from w and a smoothing from q meet in one sum. */
static void sums(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "w", 0, 0, 0, 1, ACCESS_READ);
    hand_arg(h, "q", 1, 0, 0, 1, ACCESS_READ);
    hand_arg(h, "r", 2, 0, 0, 1, ACCESS_INC);
    int flux = hand_value(h, "flux", hand_call(h, "sqrt", hand_place(h, 0, 0)));
    int more =
        hand_value(h, "more",
                   hand_op(h, BINARY_ADD, hand_read(h, flux),
                           hand_op(h, BINARY_MUL, hand_place(h, 0, 0), hand_place(h, 0, 0))));
    int smooth = hand_value(h, "smooth", hand_call(h, "sqrt", hand_place(h, 1, 0)));
    int sum = hand_value(
        h, "sum", hand_neg(h, hand_op(h, BINARY_SUB, hand_read(h, more), hand_read(h, smooth))));
    hand_add(h, 2, 0, sum);
    char *dump = printed(graph_print, h->loop);
    CHECK(strstr(dump, "  sums whose terms read different data\n"
                       "    r[0]: a term from p_w + a term from p_q\n") != NULL);
    free(dump);
    hand_free(h);
}

/* ---- the digraph: a reader of the part of Graphviz's language that is written ------------ */

struct reader {
    const char *at;
    bool failed;
};

static void skip_space(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at)) {
        reader->at++;
    }
}

static bool take(struct reader *reader, const char *word)
{
    skip_space(reader);
    size_t length = strlen(word);
    if (strncmp(reader->at, word, length) != 0) {
        return false;
    }
    reader->at += length;
    return true;
}

static void demand(struct reader *reader, bool holds)
{
    reader->failed = reader->failed || !holds;
}

/* A name, a number or a quoted text. */
static bool take_id(struct reader *reader)
{
    skip_space(reader);
    const char *start = reader->at;
    if (*reader->at == '"') {
        for (reader->at++; *reader->at != '"' && *reader->at != '\0'; reader->at++) {
            reader->at += *reader->at == '\\' && reader->at[1] != '\0';
        }
        reader->at += *reader->at == '"';
        return reader->at[-1] == '"' && reader->at > start + 1;
    }
    while (isalnum((unsigned char)*reader->at) || *reader->at == '_') {
        reader->at++;
    }
    return reader->at > start;
}

static void read_attributes(struct reader *reader)
{
    if (!take(reader, "[")) {
        return;
    }
    do {
        demand(reader, take_id(reader) && take(reader, "=") && take_id(reader));
    } while (take(reader, ","));
    demand(reader, take(reader, "]"));
}

static void read_block(struct reader *reader)
{
    demand(reader, take(reader, "{"));
    while (!reader->failed && !take(reader, "}")) {
        if (take(reader, "subgraph")) {
            demand(reader, take_id(reader));
            read_block(reader);
            continue;
        }
        demand(reader, take_id(reader));
        if (take(reader, "->") || take(reader, "=")) {
            demand(reader, take_id(reader));
        }
        read_attributes(reader);
        demand(reader, take(reader, ";"));
    }
}

static bool is_digraph(const char *text)
{
    struct reader reader = {text, false};
    demand(&reader, take(&reader, "digraph") && take_id(&reader));
    read_block(&reader);
    skip_space(&reader);
    return !reader.failed && *reader.at == '\0';
}

static void digraph(void)
{
    struct hand *h = gradients();
    h->graph->node[3].afters = 1;
    h->graph->node[3].after = (int[]){2};
    h->graph->node[0].var->name = "a \"quoted\\ name";
    char *dump = printed(graph_print_dot, h->loop);
    CHECK(is_digraph(dump));
    CHECK(strstr(dump, "digraph \"by_hand\" {\n") == dump);
    CHECK(strstr(dump, "label=\"a \\\"quoted\\\\ name = x2[0] - x1[0]\"") != NULL);
    CHECK(strstr(dump, "  n2 -> n3 [style=dashed];\n") != NULL);
    CHECK(strstr(dump, "  n3 -> c0;\n") != NULL);
    CHECK(strstr(dump, "  a0 -> n0;\n") != NULL);
    const char *second = strstr(dump, "  subgraph cluster_1 {\n    label=\"part 2\";\n");
    CHECK(second != NULL && strstr(second, "l_2 = (q2[1] - q1[1]) / d") != NULL);
    CHECK(second != NULL && strstr(second, "g_2 = ") == NULL);
    CHECK(!is_digraph("digraph \"a\" { n0 [label=\"b\"; }"));
    CHECK(!is_digraph("digraph \"a\" { n0 -> ; }"));
    free(dump);
    hand_free(h);
}

int main(void)
{
    parts();
    parts_by_component();
    text();
    sums();
    digraph();
    return CHECK_RESULT();
}
