/* bodies.c: nodes become statements that read as written: one if for what runs under one condition,
 * with an else; a declaration where the value is made, and before the if where it is read outside
 * of it; what lives across stages is assigned, not declared; regions keep their statements.
 */
#include "splitter/schedule/schedules.h"

#include <stdlib.h>

#include "check.h"
#include "hand.h"

enum { Q, R, S };

/* q read and r incremented through a map, s written directly. */
static struct hand *small(void)
{
    struct hand *hand = hand_new();
    hand_arg(hand, "q", 0, 0, 0, 4, ACCESS_READ);
    hand_arg(hand, "r", 1, 0, 0, 4, ACCESS_INC);
    hand_arg(hand, "s", 2, -1, 0, 2, ACCESS_WRITE);
    return hand;
}

static struct expr *q(struct hand *hand, int component)
{
    return hand_place(hand, Q, component);
}

static void under(struct hand *hand, int condition, bool when, const struct guard *outer)
{
    struct guard *guard = arena_alloc(hand->arena, sizeof(*guard));
    *guard = (struct guard){condition, when, outer};
    hand->guard = guard;
}

/* The body of the nodes whose number is in `nodes`, with one variable that is not its own; -1:
 * none. */
static void check_body(struct hand *hand, const char *nodes, int outside, const char *expected)
{
    const struct graph *graph = hand->graph;
    bool in[32] = {false};
    for (const char *n = nodes; *n != '\0'; n++) {
        in[*n - '0'] = true;
    }
    struct var *var = outside >= 0 ? graph->node[outside].var : NULL;
    bodies_prepare(graph);
    struct stmt *body = body_build(graph, in, outside >= 0, &var);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    print_c_stmt(file, body, 0, NULL);
    fclose(file);
    CHECK_TEXT(text, expected);
    free(text);
}

static void straight_line(void)
{
    struct hand *h = small();
    int a = hand_value(h, "a", hand_op(h, BINARY_MUL, q(h, 0), q(h, 1)));
    int b = hand_value(h, "b", hand_op(h, BINARY_ADD, hand_read(h, a), q(h, 2)));
    hand_store(h, S, 0, hand_read(h, b), -1);
    check_body(h, "012", -1,
               "{\n    double a = q[0] * q[1];\n    double b = a + q[2];\n    s[0] = b;\n}\n");
    check_body(h, "01", b, "{\n    double a = q[0] * q[1];\n    b = a + q[2];\n}\n");
    check_body(h, "12", a, "{\n    double b = a + q[2];\n    s[0] = b;\n}\n");
    hand_free(h);
}

/* c; [c] f, [!c] g; v is one of them; [c] w is of the branch alone. */
static struct hand *branches(void)
{
    struct hand *h = small();
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, q(h, 0), hand_number(h, 0)));
    under(h, c, true, NULL);
    int w = hand_value(h, "w", hand_op(h, BINARY_MUL, q(h, 1), q(h, 1)));
    int f = hand_value(h, "f", hand_op(h, BINARY_ADD, hand_read(h, w), q(h, 2)));
    under(h, c, false, NULL);
    int g = hand_value(h, "g", hand_op(h, BINARY_SUB, q(h, 2), q(h, 3)));
    h->guard = NULL;
    struct expr *v = hand_cond(h, hand_read(h, c), hand_read(h, f), hand_read(h, g));
    hand_value(h, "v", v);
    return h;
}

/* The branches set v: there is no f and no g. */
static void if_and_else(void)
{
    struct hand *h = branches();
    const char *both = "    double c = q[0] > 0.0;\n"
                       "    if (c) {\n"
                       "        double w = q[1] * q[1];\n"
                       "        v = w + q[2];\n"
                       "    } else {\n"
                       "        v = q[2] - q[3];\n"
                       "    }\n";
    check_body(h, "01234", 4, arena_format(h->arena, "{\n%s}\n", both));
    int v = 4;
    hand_store(h, S, 0, hand_read(h, v), -1);
    check_body(h, "3", 0,
               "{\n    if (!c) {\n        double g = 0.0;\n        g = q[2] - q[3];\n    }\n}\n");
    check_body(h, "0345", 2, /* f is of an earlier stage */
               "{\n"
               "    double c = q[0] > 0.0;\n"
               "    double v;\n"
               "    if (!c) {\n"
               "        v = q[2] - q[3];\n"
               "    } else {\n"
               "        v = f;\n"
               "    }\n"
               "    s[0] = v;\n"
               "}\n");
    check_body(h, "45", 0, "{\n    double v;\n    v = c ? f : g;\n    s[0] = v;\n}\n");
    hand_free(h);
}

/* A value that something else reads too stays apart from the select. */
static void selects_kept(void)
{
    struct hand *h = branches();
    hand_store(h, S, 0, hand_read(h, 2), -1);
    hand_store(h, S, 1, hand_read(h, 3), 5);
    check_body(h, "01234", 4,
               "{\n"
               "    double c = q[0] > 0.0;\n"
               "    double f = 0.0;\n"
               "    double g = 0.0;\n"
               "    if (c) {\n"
               "        double w = q[1] * q[1];\n"
               "        f = w + q[2];\n"
               "    } else {\n"
               "        g = q[2] - q[3];\n"
               "    }\n"
               "    v = c ? f : g;\n"
               "}\n");
    hand_free(h);
}

/* if (c) { if (d) v = a; else v = b; } with v = 1 before: selects of selects. */
static void selects_nested(void)
{
    struct hand *h = small();
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, q(h, 0), hand_number(h, 0)));
    under(h, c, true, NULL);
    const struct guard *outer = h->guard;
    int d = hand_value(h, "d", hand_op(h, BINARY_GT, q(h, 1), hand_number(h, 0)));
    under(h, d, true, outer);
    int a = hand_value(h, "a", hand_op(h, BINARY_ADD, q(h, 2), q(h, 2)));
    under(h, d, false, outer);
    int b = hand_value(h, "b", hand_op(h, BINARY_SUB, q(h, 2), q(h, 3)));
    h->guard = outer;
    int inner =
        hand_value(h, "inner", hand_cond(h, hand_read(h, d), hand_read(h, a), hand_read(h, b)));
    h->guard = NULL;
    int v =
        hand_value(h, "v", hand_cond(h, hand_read(h, c), hand_read(h, inner), hand_number(h, 1)));
    hand_store(h, S, 0, hand_read(h, v), -1);
    const char *inside = "    if (c) {\n"
                         "        double d = q[1] > 0.0;\n"
                         "        if (d) {\n"
                         "            v = q[2] + q[2];\n"
                         "        } else {\n"
                         "            v = q[2] - q[3];\n"
                         "        }\n"
                         "    }";
    check_body(h, "0123456", -1,
               arena_format(h->arena,
                            "{\n    double c = q[0] > 0.0;\n    double v = 1.0;\n"
                            "%s\n    s[0] = v;\n}\n",
                            inside));
    check_body(h, "012345", v, /* a variable of all stages begins as nothing */
               arena_format(h->arena,
                            "{\n    double c = q[0] > 0.0;\n"
                            "%s else {\n        v = 1.0;\n    }\n}\n",
                            inside));
    hand_free(h);
}

/* An if is not carried on when something ran since: what both parts name is declared before both.
 */
static void interrupted(void)
{
    struct hand *h = small();
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, q(h, 0), hand_number(h, 0)));
    under(h, c, true, NULL);
    const struct guard *inside = h->guard;
    int a = hand_value(h, "a", hand_op(h, BINARY_ADD, q(h, 1), q(h, 1)));
    h->guard = NULL;
    int store = hand_store(h, S, 0, q(h, 2), -1);
    h->guard = inside;
    hand_store(h, S, 1, hand_read(h, a), store);
    check_body(h, "0123", -1,
               "{\n"
               "    double c = q[0] > 0.0;\n"
               "    double a = 0.0;\n"
               "    if (c) {\n"
               "        a = q[1] + q[1];\n"
               "    }\n"
               "    s[0] = q[2];\n"
               "    if (c) {\n"
               "        s[1] = a;\n"
               "    }\n"
               "}\n");
    check_body(h, "013", -1, /* nothing runs in between */
               "{\n"
               "    double c = q[0] > 0.0;\n"
               "    if (c) {\n"
               "        double a = 0.0;\n"
               "        a = q[1] + q[1];\n"
               "        s[1] = a;\n"
               "    }\n"
               "}\n");
    hand_free(h);
}

static void nested(void)
{
    struct hand *h = small();
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, q(h, 0), hand_number(h, 0)));
    under(h, c, true, NULL);
    const struct guard *outer = h->guard;
    int d = hand_value(h, "d", hand_op(h, BINARY_GT, q(h, 1), hand_number(h, 0)));
    under(h, d, false, outer);
    int a = hand_value(h, "a", hand_op(h, BINARY_ADD, q(h, 2), q(h, 2)));
    h->guard = outer;
    hand_store(h, S, 0, hand_read(h, a), -1);
    check_body(h, "0123", -1,
               "{\n"
               "    double c = q[0] > 0.0;\n"
               "    if (c) {\n"
               "        double d = q[1] > 0.0;\n"
               "        double a = 0.0;\n"
               "        if (!d) {\n"
               "            a = q[2] + q[2];\n"
               "        }\n"
               "        s[0] = a;\n"
               "    }\n"
               "}\n");
    hand_free(h);
}

/* A loop that sums into a variable: its block needs no braces. */
static void region(void)
{
    struct hand *h = small();
    int a = hand_value(h, "a", q(h, 0));
    int store = hand_store(h, S, 0, hand_read(h, a), -1);
    struct node *node = &h->graph->node[store];
    struct stmt *block = arena_alloc(h->arena, sizeof(*block));
    struct stmt *two[] = {node->stmt, node->stmt};
    struct var *sum = arena_alloc(h->arena, sizeof(*sum));
    *sum = (struct var){.name = "sum", .type = h->graph->node[a].var->type};
    sum->storage = STORAGE_LOCAL;
    *block = (struct stmt){.kind = STMT_BLOCK, .kids = 2, .kid = two};
    node->kind = NODE_REGION;
    node->stmt = block;
    node->define = &sum;
    node->defines = 1;
    check_body(h, "01", -1,
               "{\n    double a = q[0];\n    double sum;\n    s[0] = a;\n    s[0] = a;\n}\n");
    CHECK(node->stmt->kids == 2 && node->stmt->kid == two); /* the graph's own is not changed */
    hand_free(h);
}

int main(void)
{
    straight_line();
    if_and_else();
    selects_kept();
    selects_nested();
    interrupted();
    nested();
    region();
    return CHECK_RESULT();
}
