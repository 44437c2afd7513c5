/* graph_dot.c: a loop's dependence graph as a Graphviz digraph (--cleave-dump=dot).
 *
 * Boxes are nodes, ellipses the arguments that are read and the places that are added to; values
 * flow along solid edges, dashed edges only order nodes. The nodes that only one part needs stand
 * in a box of their own.
 */
#include "splitter/graph/graph_impl.h"

/* `text` between quotes; lines are aligned to the left. */
static void print_label(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            fputs("\\l", out);
            continue;
        }
        if (*text == '"' || *text == '\\') {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
    fputc('"', out);
}

static void print_node(FILE *out, const struct graph *graph, int n)
{
    const struct node *node = &graph->node[n];
    char *text = node_text(graph, node);
    if (node->guard != NULL) {
        text = arena_format(graph->arena, "if %s:\n%s", guard_text(graph, node->guard), text);
    }
    fprintf(out, "    n%d [shape=box%s, label=", n, node->once ? ", style=bold" : "");
    print_label(out, text);
    fputs("];\n", out);
}

static void print_update(FILE *out, const struct graph *graph, int c)
{
    fprintf(out, "    c%d [shape=ellipse, label=", c);
    print_label(out, update_text(graph->arena, graph->loop, &graph->contribution[c].update));
    fputs("];\n", out);
}

/* ---- parts ------------------------------------------------------------------------------- */

enum { SHARED = -1, NOBODY = -2 };

/* The group that alone needs each node. */
static int *node_groups(const struct graph *graph, const int *group)
{
    int *owner = arena_alloc(graph->arena, sizeof(*owner) * (size_t)graph->nodes);
    for (int n = 0; n < graph->nodes; n++) {
        owner[n] = graph->node[n].once ? SHARED : NOBODY;
    }
    for (int c = 0; c < graph->contributions; c++) {
        int n = graph->contribution[c].node;
        if (n >= 0) {
            owner[n] = owner[n] == NOBODY || owner[n] == group[c] ? group[c] : SHARED;
        }
    }
    for (int n = graph->nodes - 1; n >= 0; n--) {
        for (int u = 0; u < graph->node[n].uses; u++) {
            int *used = &owner[graph->node[n].use[u].node];
            *used = *used == NOBODY || *used == owner[n] ? owner[n] : SHARED;
        }
    }
    return owner;
}

static void print_cluster(FILE *out, const struct graph *graph, int own, const int *owner,
                          const int *group)
{
    fprintf(out, "  subgraph cluster_%d {\n    label=\"part %d\";\n", own, own + 1);
    for (int n = 0; n < graph->nodes; n++) {
        if (owner[n] == own) {
            print_node(out, graph, n);
        }
    }
    for (int c = 0; c < graph->contributions; c++) {
        if (group[c] == own) {
            print_update(out, graph, c);
        }
    }
    fputs("  }\n", out);
}

static void print_nodes(FILE *out, const struct graph *graph)
{
    int *group = arena_alloc(graph->arena, sizeof(*group) * (size_t)graph->contributions);
    bool by_component;
    int groups = graph_groups(graph, group, &by_component);
    int *owner = node_groups(graph, group);
    for (int g = 0; g < groups; g++) {
        print_cluster(out, graph, g, owner, group);
    }
    for (int n = 0; n < graph->nodes; n++) {
        if (owner[n] < 0) {
            print_node(out, graph, n);
        }
    }
}

/* ---- arguments and edges ----------------------------------------------------------------- */

static void print_arguments(FILE *out, const struct graph *graph)
{
    for (int a = 0; a < graph->loop->args; a++) {
        size_t bytes;
        char *components = components_read(graph, a, &bytes);
        if (bytes > 0) {
            fprintf(out, "  a%d [shape=ellipse, style=filled, label=", a);
            print_label(out, arena_format(graph->arena, "%s[%s]",
                                          graph->loop->kernel->param[a]->name, components));
            fputs("];\n", out);
        }
    }
}

/* The argument is read, so it gets a node in the drawing; arguments that are only written have
 * none. */
static bool is_read(const struct graph *graph, int a)
{
    size_t bytes;
    components_read(graph, a, &bytes);
    return bytes > 0;
}

static void print_edges(FILE *out, const struct graph *graph, int n)
{
    const struct node *node = &graph->node[n];
    for (int p = 0; p < node->places; p++) {
        int a = node->place[p].arg;
        if ((p == 0 || a != node->place[p - 1].arg) && is_read(graph, a)) {
            fprintf(out, "  a%d -> n%d;\n", a, n);
        }
    }
    for (int u = 0; u < node->uses; u++) {
        if (u == 0 || node->use[u].node != node->use[u - 1].node) {
            fprintf(out, "  n%d -> n%d;\n", node->use[u].node, n);
        }
    }
    for (int a = 0; a < node->afters; a++) {
        fprintf(out, "  n%d -> n%d [style=dashed];\n", node->after[a], n);
    }
}

static void print_update_edge(FILE *out, const struct graph *graph, int c)
{
    const struct contribution *own = &graph->contribution[c];
    if (own->node >= 0) {
        fprintf(out, "  n%d -> c%d;\n", own->node, c);
    }
}

void graph_print_dot(FILE *out, const struct loop *loop)
{
    const struct graph *graph = loop->graph;
    if (graph == NULL) {
        return;
    }
    fputs("digraph ", out);
    print_label(out, loop->id);
    fputs(" {\n", out);
    print_arguments(out, graph);
    print_nodes(out, graph);
    for (int n = 0; n < graph->nodes; n++) {
        print_edges(out, graph, n);
    }
    for (int c = 0; c < graph->contributions; c++) {
        print_update_edge(out, graph, c);
    }
    fputs("}\n", out);
}

void graph_print_dot_all(FILE *out, const struct program *program)
{
    for (int l = 0; l < program->loops; l++) {
        graph_print_dot(out, &program->loop[l]);
    }
}
