/* graph_explain.c: what --cleave-explain says of loops made by hand: what each way stages, why a
 * way is not possible, and when splitting saves nothing.
 */
#include <stdlib.h>

#include "splitter/schedule/schedules.h"
#include "splitter/splitter.h"

#include "check.h"
#include "hand.h"

static char *explained(struct hand *h)
{
    struct program program = {.arena = h->arena, .loops = 1, .loop = h->loop};
    char *text = NULL;
    size_t size;
    CHECK(graph_check(h->graph) == NULL);
    graph_merge(h->graph);
    schedules_build(h->arena, h->loop);
    FILE *out = open_memstream(&text, &size);
    splitter_explain(out, &program);
    fclose(out);
    return text;
}

static bool says(const char *text, const char *part)
{
    bool found = strstr(text, part) != NULL;
    if (!found) {
        fprintf(stderr, "not said: %s\nin:\n%s", part, text);
    }
    return found;
}

/* A line that begins with `start` and holds `part`. */
static bool line_says(const char *text, const char *start, const char *part)
{
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *found = strstr(line, part);
        if (strncmp(line, start, strlen(start)) == 0 && found != NULL &&
            found < line + strcspn(line, "\n")) {
            return true;
        }
    }
    fprintf(stderr, "no line '%s' says '%s' in:\n%s", start, part, text);
    return false;
}

static bool is_narrow(const char *text)
{
    for (; *text != '\0'; text += text[strcspn(text, "\n")] == '\n' ? strcspn(text, "\n") + 1
                                                                    : strcspn(text, "\n")) {
        if (strcspn(text, "\n") > 100) {
            return false;
        }
    }
    return true;
}

enum { A, B, S, RA, RB };

/* ra += f, rb -= f with f from all of a and b, both ends of an edge. */
static struct hand *flux(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "a", 0, 0, 0, 6, ACCESS_READ);
    hand_arg(h, "b", 0, 0, 1, 6, ACCESS_READ);
    hand_arg(h, "s", 1, -1, 0, 3, ACCESS_READ);
    hand_arg(h, "ra", 2, 0, 0, 2, ACCESS_INC);
    hand_arg(h, "rb", 2, 0, 1, 2, ACCESS_INC);
    for (int a = 0; a < 5; a++) { /* as the front end has it */
        h->loop->arg[a].dat_text = a < 2 ? "p_q" : a == 2 ? "p_s" : "p_res";
    }
    struct expr *sum = hand_place(h, S, 1);
    for (int i = 0; i < 6; i++) {
        sum = hand_op(h, BINARY_ADD, sum,
                      hand_op(h, BINARY_MUL, hand_place(h, A, i), hand_place(h, B, i)));
    }
    int f = hand_value(h, "f", sum);
    int minus = hand_value(h, "minus", hand_neg(h, hand_read(h, f)));
    hand_add(h, RA, 0, f);
    hand_add(h, RB, 1, minus);
    return h;
}

static void explains_flux(void)
{
    struct hand *h = flux();
    char *text = explained(h);
    CHECK(says(text, "loop by_hand over edges (hand.c:1)\n"));
    CHECK(line_says(text, "  p_q ", "OP_READ  map0[0..1]                    48  0..5"));
    CHECK(line_says(text, "  p_s ", "OP_READ  direct                        24  1"));
    CHECK(line_says(text, "  p_res ", "OP_INC   map0[0..1]                    16"));
    CHECK(says(text, "  each element makes 1 contribution (8 bytes) and adds it in 2 places\n"));
    CHECK(line_says(text, "  fused ", " 64 "));
    CHECK(line_says(text, "  fused ", " 1.00 "));
    CHECK(line_says(text, "  split ", " 48/8/8 "));
    CHECK(says(text, "  split: at most 48 bytes per point are staged at a time, not 64\n"
                     "    contribution                 48  p_q[0..5]\n"
                     "    update through map0[0]        8  +p_res[0]\n"
                     "    update through map0[1]        8  +p_res[1]\n"));
    CHECK(says(text, "\n  preferred: "));
    CHECK(is_narrow(text));
    free(text);
    hand_free(h);
}

/* Nothing is read through the map: the split stages no less than fused does. */
static void explains_scatter(void)
{
    struct hand *h = hand_new();
    int s = hand_arg(h, "s", 0, -1, 0, 2, ACCESS_READ);
    int r = hand_arg(h, "r", 1, 0, 0, 2, ACCESS_INC);
    hand_add_leaf(h, r, 0, hand_place(h, s, 0), false);
    hand_add_leaf(h, r, 1, hand_place(h, s, 1), true);
    char *text = explained(h);
    CHECK(says(text, "splitting saves no shared memory: "));
    CHECK(says(text, "16 bytes per point"));
    CHECK(says(text, "  split2, split3, split4 left out: "));
    CHECK(is_narrow(text));
    free(text);
    hand_free(h);
}

/* Owner gather visits all points, of which the loop may reach a few. */
static void explains_boundary(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "q", 0, 0, 0, 1, ACCESS_READ);
    hand_arg(h, "r", 1, 0, 0, 1, ACCESS_INC);
    hand_add(h, 1, 0, hand_value(h, "f", hand_call(h, "sqrt", hand_place(h, 0, 0))));
    char *text = explained(h);
    CHECK(says(text, "\n  not preferred: owner, which visits every point of the set that map0 leads"));
    CHECK(is_narrow(text));
    free(text);
    hand_free(h);
}

/* A write of the loop's own data would be repeated for every point. */
static void explains_refusals(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "a", 0, 0, 0, 1, ACCESS_READ);
    hand_arg(h, "w", 1, -1, 0, 1, ACCESS_RW);
    hand_arg(h, "r", 2, 0, 0, 1, ACCESS_INC);
    int x = hand_value(h, "x", hand_op(h, BINARY_ADD, hand_place(h, 0, 0), hand_place(h, 1, 0)));
    hand_store(h, 1, 0, hand_read(h, x), x);
    hand_add(h, 2, 0, x);
    char *text = explained(h);
    CHECK(line_says(text, "  owner ", "left out: "));
    CHECK(line_says(text, "  owner ", "p_w"));
    CHECK(is_narrow(text));
    free(text);
    hand_free(h);
}

static void explains_other_loops(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "w", 0, -1, 0, 1, ACCESS_WRITE);
    hand_store(h, 0, 0, hand_number(h, 1), -1);
    char *text = explained(h);
    CHECK(says(text, "  fused is the only schedule: nothing is incremented through a map\n\n"));
    free(text);
    h->loop->schedules = 0;
    h->loop->sequential_reason = "it is too odd";
    h->loop->graph = NULL;
    struct program program = {.arena = h->arena, .loops = 1, .loop = h->loop};
    size_t size;
    FILE *out = open_memstream(&text, &size);
    splitter_explain(out, &program);
    fclose(out);
    CHECK(says(text, "  runs sequentially: it is too odd\n\n"));
    free(text);
    hand_free(h);
}

int main(void)
{
    explains_flux();
    explains_scatter();
    explains_boundary();
    explains_refusals();
    explains_other_loops();
    return CHECK_RESULT();
}
