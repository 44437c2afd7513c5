/* graph_print.c: the text of --cleave-dump=graph: what a loop's body computes from what, for
 * people.
 *
 *   graph res_calc (airfoil.c:120)
 *     reads
 *       x1 = p_x through pedge[0]: 0..1; 16 bytes
 *     computes
 *       0  dx = x1[0] - x2[0]; 1 flop
 *       7  f_2 = f + t; from 3, 6; if wet; 1 flop
 *     adds: tmp(e) takes 4 values (32 bytes) for 8 increments
 *       res1[0] += f_2
 *       res2[0] -= f_2, as res1[0]
 *     in 2 parts that can be computed apart
 *       part 1: 6 increments of p_res[0..2] by 3 values; reads p_x, p_q
 */
#include <string.h>

#include "splitter/graph/graph_impl.h"

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

/* ---- what is read and computed ----------------------------------------------------------- */

static void print_reads(FILE *out, const struct graph *graph)
{
    const struct loop *loop = graph->loop;
    fputs("  reads\n", out);
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        size_t bytes;
        char *components = components_read(graph, a, &bytes);
        if (bytes == 0) {
            continue;
        }
        fprintf(out, "    %s", loop->kernel->param[a]->name);
        if (arg->dat_text != NULL) {
            fprintf(out, " = %s", arg->dat_text);
        }
        if (arg->is_indirect && arg->is_vector) {
            fprintf(out, " through %s[0..%d]", arg->map_text, arg->columns - 1);
        } else if (arg->is_indirect) {
            fprintf(out, " through %s[%d]", arg->map_text, arg->map_index);
        }
        fprintf(out, ": %s; %zu bytes\n", components, bytes);
    }
}

static void print_numbers(FILE *out, const char *word, int count, const int *number)
{
    for (int i = 0; i < count; i++) {
        fprintf(out, "%s%d", i == 0 ? word : ", ", number[i]);
    }
}

static void print_uses(FILE *out, const struct graph *graph, const struct node *node)
{
    int *from = arena_alloc(graph->arena, sizeof(*from) * (size_t)node->uses);
    int count = 0;
    for (int u = 0; u < node->uses; u++) {
        if (count == 0 || from[count - 1] != node->use[u].node) {
            from[count++] = node->use[u].node;
        }
    }
    print_numbers(out, "; from ", count, from);
}

/* Text of several lines, each after the first indented. */
static void print_lines(FILE *out, const char *text, int indent)
{
    for (; *text != '\0'; text++) {
        fputc(*text, out);
        if (*text == '\n') {
            fprintf(out, "%*s", indent, "");
        }
    }
}

static void print_node(FILE *out, const struct graph *graph, int n)
{
    const struct node *node = &graph->node[n];
    fprintf(out, "    %-3d ", n);
    print_lines(out, node_text(graph, node), 8);
    print_uses(out, graph, node);
    print_numbers(out, "; after ", node->afters, node->after);
    if (node->guard != NULL) {
        fprintf(out, "; if %s", guard_text(graph, node->guard));
    }
    if (node->once && node->kind == NODE_REGION) {
        fputs("; once", out);
    }
    if (node->flops > 0) {
        fprintf(out, "; %g flop%s", node->flops, node->flops == 1 ? "" : "s");
    }
    fputc('\n', out);
}

/* ---- what is added ----------------------------------------------------------------------- */

static size_t value_bytes(const struct graph *graph)
{
    struct pointer_map seen = pointer_map_new(graph->arena);
    size_t bytes = 0;
    for (int c = 0; c < graph->contributions; c++) {
        const struct contribution *own = &graph->contribution[c];
        if (own->node >= 0 && pointer_map_get(&seen, own->update.value->var) < 0) {
            pointer_map_set(&seen, own->update.value->var, c);
            bytes += own->update.value->type->size;
        }
    }
    return bytes;
}

static void print_contributions(FILE *out, const struct graph *graph)
{
    int values = graph_tmp_values(graph);
    fprintf(out, "  adds: tmp(e) takes %d value%s (%zu bytes) for %d increment%s\n", values,
            plural(values), value_bytes(graph), graph->contributions, plural(graph->contributions));
    for (int c = 0; c < graph->contributions; c++) {
        const struct contribution *own = &graph->contribution[c];
        fprintf(out, "    %s", update_text(graph->arena, graph->loop, &own->update));
        if (own->merged != c) {
            const struct place *place = &graph->contribution[own->merged].update.place;
            fprintf(out, ", as %s", place_text(graph->arena, graph->loop, place));
        }
        fputc('\n', out);
    }
}

/* ---- parts and terms --------------------------------------------------------------------- */

/* All that the contributions of a group need. */
static bool *group_reads(const struct graph *graph, const bool *node_reads, const int *group,
                         int own)
{
    int args = graph->loop->args;
    bool *reads = arena_alloc(graph->arena, (size_t)args);
    for (int c = 0; c < graph->contributions; c++) {
        const struct contribution *contribution = &graph->contribution[c];
        const struct expr *value = contribution->update.value;
        if (group[c] != own) {
            continue;
        }
        if (value->kind == EXPR_PLACE) {
            reads[first_of_dat(graph->loop, value->place.arg)] = true;
        }
        for (int a = 0; contribution->node >= 0 && a < args; a++) {
            reads[a] = reads[a] || node_reads[contribution->node * args + a];
        }
    }
    return reads;
}

static void print_group(FILE *out, const struct graph *graph, const int *group, int own,
                        const char *reads)
{
    int increments = 0;
    int values = 0;
    for (int c = 0; c < graph->contributions; c++) {
        increments += group[c] == own;
        values += group[c] == own && graph->contribution[c].merged == c;
    }
    int column = fprintf(out, "    part %d: ", own + 1);
    char *text = arena_format(graph->arena, "%d increment%s of %s by %d value%s; reads %s",
                              increments, plural(increments), group_targets(graph, group, own),
                              values, plural(values), reads);
    print_wrapped(out, text, column, 8);
}

static void print_groups(FILE *out, const struct graph *graph, const bool *node_reads)
{
    int *group = arena_alloc(graph->arena, sizeof(*group) * (size_t)graph->contributions);
    bool by_component;
    int groups = graph_groups(graph, group, &by_component);
    if (groups < 2) {
        return;
    }
    fprintf(out, "  in %d parts that can be computed apart\n", groups);
    for (int g = 0; g < groups; g++) {
        const bool *reads = group_reads(graph, node_reads, group, g);
        print_group(out, graph, group, g,
                    by_component ? group_text(graph, group, g)
                                 : reads_text(graph->arena, graph->loop, reads));
    }
}

static bool same_terms(const struct graph *graph, int terms, const struct term *a,
                       const struct term *b)
{
    size_t args = (size_t)graph->loop->args;
    for (int t = 0; t < terms; t++) {
        if (memcmp(a[t].reads, b[t].reads, args) != 0 || memcmp(a[t].own, b[t].own, args) != 0) {
            return false;
        }
    }
    return true;
}

/* Names the data that several terms need; NULL: there are none. */
static char *shared_text(const struct graph *graph, int terms, const struct term *term)
{
    int args = graph->loop->args;
    bool *shared = arena_alloc(graph->arena, (size_t)args);
    bool any = false;
    for (int t = 0; t < terms; t++) {
        for (int a = 0; a < args; a++) {
            shared[a] = shared[a] || (term[t].reads[a] && !term[t].own[a]);
            any = any || shared[a];
        }
    }
    return any ? reads_text(graph->arena, graph->loop, shared) : NULL;
}

static void print_sum(FILE *out, const struct graph *graph, int c, int terms,
                      const struct term *term)
{
    const struct place *place = &graph->contribution[c].update.place;
    char *shared = shared_text(graph, terms, term);
    char *text = arena_format(graph->arena, "%s: ", place_text(graph->arena, graph->loop, place));
    for (int t = 0; t < terms; t++) {
        text = arena_format(graph->arena, "%s%sa term from %s", text, t == 0 ? "" : " + ",
                            reads_text(graph->arena, graph->loop, term[t].own));
    }
    if (shared != NULL) {
        text = arena_format(graph->arena, "%s; they share values from %s", text, shared);
    }
    print_wrapped(out, text, fprintf(out, "    "), 8);
}

/* Whether at least two terms need data that no other does. */
static bool is_worth_saying(const struct graph *graph, int terms, const struct term *term)
{
    int with_own = 0;
    for (int t = 0; t < terms; t++) {
        for (int a = 0; a < graph->loop->args; a++) {
            bool own = term[t].own[a];
            for (int u = 0; own && u < terms; u++) {
                own = u == t || !term[u].own[a];
            }
            if (own) {
                with_own++;
                break;
            }
        }
    }
    return with_own > 1;
}

/* Sums whose terms read the same data are printed once, for the first of them. */
static void print_sums(FILE *out, const struct graph *graph, const bool *node_reads)
{
    struct term *last = NULL;
    int last_terms = 0;
    for (int c = 0; c < graph->contributions; c++) {
        struct term *term = NULL;
        int terms =
            graph->contribution[c].merged == c ? graph_terms(graph, node_reads, c, &term) : 0;
        if (!is_worth_saying(graph, terms, term) ||
            (terms == last_terms && same_terms(graph, terms, term, last))) {
            continue;
        }
        fputs(last != NULL ? "" : "  sums whose terms read different data\n", out);
        print_sum(out, graph, c, terms, term);
        last = term;
        last_terms = terms;
    }
}

void graph_print_structure(FILE *out, const struct graph *graph)
{
    const bool *node_reads = graph_reads(graph);
    if (graph->unmerged != NULL) {
        print_wrapped(out, graph->unmerged, fprintf(out, "  note: "), 4);
    }
    print_groups(out, graph, node_reads);
    print_sums(out, graph, node_reads);
}

/* ---- entries ----------------------------------------------------------------------------- */

void graph_print(FILE *out, const struct loop *loop)
{
    const struct graph *graph = loop->graph;
    struct arena *scratch = arena_new();
    char *missing = no_graph_text(scratch, loop);
    fprintf(out, "graph %s (%s:%d)\n", loop->id, loop->loc.file, loop->loc.line);
    if (missing != NULL) {
        fprintf(out, "  %s\n", missing);
    } else {
        print_reads(out, graph);
        fprintf(out, "  computes\n");
        for (int n = 0; n < graph->nodes; n++) {
            print_node(out, graph, n);
        }
        if (graph->contributions > 0) {
            print_contributions(out, graph);
            graph_print_structure(out, graph);
        }
    }
    arena_free(scratch);
}

void graph_print_all(FILE *out, const struct program *program)
{
    for (int l = 0; l < program->loops; l++) {
        graph_print(out, &program->loop[l]);
    }
}
