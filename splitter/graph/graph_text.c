/* graph_text.c: nodes, guards, updates and places as text, for the graph's dumps.
 */
#include <stdlib.h>
#include <string.h>

#include "splitter/graph/graph_impl.h"

/* ---- trees ------------------------------------------------------------------------------- */

struct buffer {
    char *text;
    size_t size;
    FILE *out;
};

static FILE *buffer_open(struct buffer *buffer)
{
    buffer->text = NULL;
    buffer->out = open_memstream(&buffer->text, &buffer->size);
    if (buffer->out == NULL) {
        abort(); /* no memory: as the arena */
    }
    return buffer->out;
}

static char *buffer_close(struct buffer *buffer, struct arena *arena)
{
    fclose(buffer->out);
    char *text = arena_text(arena, buffer->text);
    free(buffer->text);
    return text;
}

char *expr_text(struct arena *arena, const struct expr *expr)
{
    struct buffer buffer;
    print_c_expr(buffer_open(&buffer), expr, NULL);
    return buffer_close(&buffer, arena);
}

char *node_text(const struct graph *graph, const struct node *node)
{
    struct buffer buffer;
    if (node->kind == NODE_VALUE) {
        return arena_format(graph->arena, "%s = %s", node->var->name,
                            expr_text(graph->arena, node->expr));
    }
    print_c_stmt(buffer_open(&buffer), node->stmt, 0, NULL);
    char *text = buffer_close(&buffer, graph->arena);
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ';')) {
        text[--length] = '\0';
    }
    return text;
}

char *guard_text(const struct graph *graph, const struct guard *guard)
{
    if (guard == NULL) {
        return arena_text(graph->arena, "");
    }
    char *own = arena_format(graph->arena, "%s%s", guard->when ? "" : "not ",
                             graph->node[guard->condition].var->name);
    return guard->outer == NULL
               ? own
               : arena_format(graph->arena, "%s and %s", guard_text(graph, guard->outer), own);
}

char *update_text(struct arena *arena, const struct loop *loop, const struct update *update)
{
    enum access access = loop->arg[update->place.arg].access;
    const char *op = access == ACCESS_MIN   ? "min="
                     : access == ACCESS_MAX ? "max="
                     : update->negative     ? "-="
                                            : "+=";
    return arena_format(arena, "%s %s %s%s%s", place_text(arena, loop, &update->place), op,
                        update->scale != NULL ? expr_text(arena, update->scale) : "",
                        update->scale != NULL ? " * " : "", expr_text(arena, update->value));
}

/* ---- lines ------------------------------------------------------------------------------- */

enum { WIDTH = 96 };

void print_wrapped(FILE *out, const char *text, int column, int indent)
{
    for (bool first = true; *text != '\0'; first = false) {
        int length = (int)strcspn(text, " ");
        if (!first && column + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        column += fprintf(out, "%.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* ---- places ------------------------------------------------------------------------------ */

/* "0..3, 5" of the components that are marked. */
static char *ranges_text(struct arena *arena, const bool *marked, int count)
{
    char *text = arena_text(arena, "");
    for (int i = 0; i < count; i++) {
        int last = i;
        while (last + 1 < count && marked[i] && marked[last + 1]) {
            last++;
        }
        if (marked[i]) {
            const char *comma = text[0] != '\0' ? ", " : "";
            text = last == i ? arena_format(arena, "%s%s%d", text, comma, i)
                             : arena_format(arena, "%s%s%d..%d", text, comma, i, last);
        }
        i = last;
    }
    return text;
}

static int dim_of(const struct arg *arg)
{
    return arg->kind == ARG_INDEX || arg->dim < 0 ? 1 : arg->dim;
}

/* Marks the components of arg that `place` stands for. */
static void mark_place(const struct place *place, int arg, int dim, bool *marked)
{
    if (place->arg != arg) {
        return;
    }
    for (int i = 0; i < dim; i++) {
        marked[i] = marked[i] || place->component < 0 || place->component == i;
    }
}

char *components_read(const struct graph *graph, int arg, size_t *bytes)
{
    int dim = dim_of(&graph->loop->arg[arg]);
    bool *marked = arena_alloc(graph->arena, (size_t)dim);
    int count = 0;
    bool is_read = graph->loop->arg[arg].access != ACCESS_WRITE; /* a store names its place too */
    for (int n = 0; is_read && n < graph->nodes; n++) {
        for (int p = 0; p < graph->node[n].places; p++) {
            mark_place(&graph->node[n].place[p], arg, dim, marked);
        }
    }
    for (int c = 0; c < graph->contributions; c++) {
        const struct expr *value = graph->contribution[c].update.value;
        if (value->kind == EXPR_PLACE) {
            mark_place(&value->place, arg, dim, marked);
        }
    }
    for (int i = 0; i < dim; i++) {
        count += marked[i];
    }
    struct place one = {arg, 0, 0};
    *bytes = (size_t)count * place_bytes(graph->loop, &one);
    return ranges_text(graph->arena, marked, dim);
}

/* "x[1..2], sig[0]": the marked components. */
static char *places_text(const struct graph *graph, const bool *const *marked)
{
    const struct loop *loop = graph->loop;
    char *text = arena_text(graph->arena, "");
    for (int a = 0; a < loop->args; a++) {
        char *components = ranges_text(graph->arena, marked[a], dim_of(&loop->arg[a]));
        if (components[0] != '\0') {
            text = arena_format(graph->arena, "%s%s%s[%s]", text, text[0] != '\0' ? ", " : "",
                                loop->arg[a].dat_text, components);
        }
    }
    return text;
}

/* Marks for the components of every argument; those of one dat are kept with its first. */
static bool **new_marks(const struct graph *graph)
{
    const struct loop *loop = graph->loop;
    bool **marked = arena_alloc(graph->arena, sizeof(*marked) * (size_t)loop->args);
    for (int a = 0; a < loop->args; a++) {
        marked[a] = arena_alloc(graph->arena, (size_t)dim_of(&loop->arg[a]));
    }
    return marked;
}

static void mark_dat(const struct graph *graph, struct place place, bool **marked)
{
    place.arg = first_of_dat(graph->loop, place.arg);
    mark_place(&place, place.arg, dim_of(&graph->loop->arg[place.arg]), marked[place.arg]);
}

char *group_text(const struct graph *graph, const int *group, int own)
{
    bool *needed = arena_alloc(graph->arena, (size_t)graph->nodes);
    bool **marked = new_marks(graph);
    for (int c = 0; c < graph->contributions; c++) {
        if (group[c] == own && graph->contribution[c].node >= 0) {
            needed[graph->contribution[c].node] = true;
        }
    }
    graph_cone(graph, needed, false);
    for (int n = 0; n < graph->nodes; n++) {
        for (int p = 0; needed[n] && p < graph->node[n].places; p++) {
            mark_dat(graph, graph->node[n].place[p], marked);
        }
    }
    return places_text(graph, (const bool *const *)marked);
}

char *group_targets(const struct graph *graph, const int *group, int own)
{
    bool **marked = new_marks(graph);
    for (int c = 0; c < graph->contributions; c++) {
        if (group[c] == own) {
            mark_dat(graph, graph->contribution[c].update.place, marked);
        }
    }
    return places_text(graph, (const bool *const *)marked);
}

char *no_graph_text(struct arena *arena, const struct loop *loop)
{
    if (loop->sequential_reason != NULL) {
        return arena_format(arena, "runs sequentially: %s", loop->sequential_reason);
    }
    if (loop->kernel == NULL) {
        return arena_text(arena, "its kernel's body is not visible");
    }
    if (loop->graph == NULL) {
        return arena_format(arena, "the kernel is called whole: %s (%s:%d)",
                            loop->whole_reason != NULL ? loop->whole_reason : "not taken apart",
                            loop->whole_loc.file != NULL ? loop->whole_loc.file : "",
                            loop->whole_loc.line);
    }
    return NULL;
}
