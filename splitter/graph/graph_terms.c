/* graph_terms.c: which data the terms of a sum read.
 *
 * A contribution that adds up a flux and a smoothing needs everything that either reads; its terms
 * need less each. That is where a body can be cut though its contributions hang together.
 */
#include <string.h>

#include "splitter/graph/graph_impl.h"

/* A term as it is written: an expression of a node. */
struct piece {
    int node;
    const struct expr *expr;
    int term;
};

struct terms {
    const struct graph *graph;
    const bool *node_reads;
    struct pointer_map values;
    size_t args;
    bool *seen; /* nodes whose pieces are known */
    int pieces;
    int piece_capacity;
    struct piece *piece;
    int terms;
    int term_capacity;
    struct term *term;
    int *owner; /* [nodes] the term that needs a node; FREE: none yet, SHARED: several */
};

enum { FREE = -1, SHARED = -2 };

/* Calls `visit` for places and nodes that an expression of node n names: places with from = -1,
 * nodes with arg = -1. */
static void visit_reads(struct terms *terms, int n, const struct expr *expr, bool *reads,
                        void (*visit)(struct terms *terms, int arg, int from, bool *reads))
{
    const struct node *node = &terms->graph->node[n];
    if (expr->kind == EXPR_PLACE) {
        visit(terms, expr->place.arg, -1, reads);
    } else if (expr->kind == EXPR_VAR && expr->var->storage == STORAGE_PARAM) {
        visit(terms, expr->var->index, -1, reads);
    }
    for (int u = 0; expr->kind == EXPR_VAR && u < node->uses; u++) {
        if (node->use[u].var == expr->var) {
            visit(terms, -1, node->use[u].node, reads);
        }
    }
    for (int k = 0; k < expr->kids; k++) {
        visit_reads(terms, n, expr->kid[k], reads, visit);
    }
}

static void add_all_reads(struct terms *terms, int arg, int from, bool *reads)
{
    if (from < 0) {
        reads[first_of_dat(terms->graph->loop, arg)] = true;
        return;
    }
    for (size_t a = 0; a < terms->args; a++) {
        reads[a] = reads[a] || terms->node_reads[(size_t)from * terms->args + a];
    }
}

static bool reads_any(const bool *reads, size_t args)
{
    return memchr(reads, true, args) != NULL;
}

/* The term that needs the same arguments as the piece, perhaps a new one; constants are no term. */
static void add_piece(struct terms *terms, int n, const struct expr *expr)
{
    struct arena *arena = terms->graph->arena;
    bool *reads = arena_alloc(arena, terms->args);
    visit_reads(terms, n, expr, reads, add_all_reads);
    if (!reads_any(reads, terms->args)) {
        return;
    }
    int t = 0;
    while (t < terms->terms && memcmp(terms->term[t].reads, reads, terms->args) != 0) {
        t++;
    }
    if (t == terms->terms) {
        terms->term = arena_grow(arena, terms->term, terms->terms, &terms->term_capacity,
                                 sizeof(*terms->term));
        terms->term[terms->terms].reads = reads;
        terms->term[terms->terms++].own = arena_alloc(arena, terms->args);
    }
    terms->piece = arena_grow(arena, terms->piece, terms->pieces, &terms->piece_capacity,
                              sizeof(*terms->piece));
    terms->piece[terms->pieces++] = (struct piece){n, expr, t};
}

/* Node n is needed by `term` (SHARED: by several), and so is all that it needs. */
static void claim(struct terms *terms, int n, int term)
{
    int owner = terms->owner[n];
    if (owner == term || owner == SHARED) {
        return;
    }
    terms->owner[n] = owner == FREE ? term : SHARED;
    for (int u = 0; u < terms->graph->node[n].uses; u++) {
        claim(terms, terms->graph->node[n].use[u].node, terms->owner[n]);
    }
}

/* Claims the read for the term that `own` belongs to. */
static void claim_read(struct terms *terms, int arg, int from, bool *own)
{
    if (from < 0) {
        own[first_of_dat(terms->graph->loop, arg)] = true;
        return;
    }
    for (int t = 0; t < terms->terms; t++) {
        if (terms->term[t].own == own) {
            claim(terms, from, t);
        }
    }
}

/* Data that only one term needs is its own. */
static void find_own(struct terms *terms)
{
    const struct graph *graph = terms->graph;
    for (int p = 0; p < terms->pieces; p++) {
        const struct piece *piece = &terms->piece[p];
        visit_reads(terms, piece->node, piece->expr, terms->term[piece->term].own, claim_read);
    }
    for (int n = 0; n < graph->nodes; n++) {
        for (int p = 0; terms->owner[n] >= 0 && p < graph->node[n].places; p++) {
            int arg = first_of_dat(graph->loop, graph->node[n].place[p].arg);
            terms->term[terms->owner[n]].own[arg] = true;
        }
    }
}

static bool is_sum(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY &&
           (expr->binary == BINARY_ADD || expr->binary == BINARY_SUB) &&
           expr->type->kind != TYPE_POINTER;
}

/* The expression below signs and casts. */
static const struct expr *inner(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST ||
           (expr->kind == EXPR_UNARY && (expr->unary == UNARY_NEG || expr->unary == UNARY_PLUS))) {
        expr = expr->kid[0];
    }
    return expr;
}

/* Whether a variable of this node stands for a sum. */
static bool leads_to_sum(const struct terms *terms, int node)
{
    const struct expr *expr = node >= 0 ? inner(terms->graph->node[node].expr) : NULL;
    return expr != NULL && (is_sum(expr) || expr->kind == EXPR_VAR);
}

/* expr, in node n, is a sum, a variable that is one, or a term. */
static void collect(struct terms *terms, int n, const struct expr *expr)
{
    const struct expr *own = inner(expr);
    int node = own->kind == EXPR_VAR ? pointer_map_get(&terms->values, own->var) : -1;
    if (is_sum(own)) {
        collect(terms, n, own->kid[0]);
        collect(terms, n, own->kid[1]);
    } else if (!leads_to_sum(terms, node)) {
        add_piece(terms, n, own);
    } else if (!terms->seen[node]) {
        terms->seen[node] = true;
        collect(terms, node, terms->graph->node[node].expr);
    }
}

int graph_terms(const struct graph *graph, const bool *node_reads, int contribution,
                struct term **term)
{
    struct terms terms = {.graph = graph,
                          .node_reads = node_reads,
                          .values = graph_value_nodes(graph),
                          .args = (size_t)graph->loop->args,
                          .seen = arena_alloc(graph->arena, (size_t)graph->nodes),
                          .owner = arena_alloc(graph->arena, sizeof(int) * (size_t)graph->nodes)};
    int n = graph->contribution[contribution].node;
    memset(terms.owner, FREE, sizeof(int) * (size_t)graph->nodes);
    if (n >= 0 && graph->node[n].kind == NODE_VALUE) {
        collect(&terms, n, graph->node[n].expr);
        find_own(&terms);
    }
    *term = terms.term;
    return terms.terms;
}
