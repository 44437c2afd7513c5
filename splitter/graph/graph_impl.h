/* graph_impl.h: shared by the files that work on graphs, in addition to graph.h: a map from
 * addresses, lists of variables, and pieces of text.
 */
#ifndef CLEAVE_GRAPH_IMPL_H
#define CLEAVE_GRAPH_IMPL_H

#include "splitter/graph/graph.h"

/* From an address (of a variable, a guard) to a number that is not negative. */
struct pointer_map {
    struct arena *arena;
    int capacity; /* a power of two; 0 before the first entry */
    int count;
    const void **key;
    int *value;
};

struct pointer_map pointer_map_new(struct arena *arena);
void pointer_map_set(struct pointer_map *map, const void *key, int value);
/* -1: no entry. */
int pointer_map_get(const struct pointer_map *map, const void *key);

/* Variables, each once, in the order in which they were added; all memory is the arena's. */
struct var_list {
    int vars;
    int capacity;
    struct var **var; /* [vars]; NULL while there are none */
    struct pointer_map seen;
};

struct var_list var_list_new(struct arena *arena);
bool var_list_has(const struct var_list *list, const struct var *var);
/* Adds the variable unless the list has it. */
void var_list_add(struct var_list *list, struct var *var);
/* Returns the bytes of all variables together. */
size_t var_list_bytes(const struct var_list *list);
/* The variables that updates take their values from, in the order of the contributions. */
struct var_list graph_vars_taken(const struct graph *graph, struct arena *arena);

/* The node that defines each variable of a NODE_VALUE; others have no entry. */
struct pointer_map graph_value_nodes(const struct graph *graph);

/* Arguments whose data nothing in the loop modifies: equal places of theirs hold equal values. */
bool arg_is_constant(const struct loop *loop, int arg);

/* "q[3]", "q[1][3]" for a vector argument; "*" stands for all components or columns. */
char *place_text(struct arena *arena, const struct loop *loop, const struct place *place);

/* graph_parts.c: graph_parts(), with a part joined to another one that reads all its data. Data
 * means arguments or, if all parts read the same arguments, their components (*by_component), if
 * that gives several parts with several increments. */
int graph_groups(const struct graph *graph, int *group, bool *by_component);

/* read[n * loop->args + a]: node n or what it needs reads data of argument a. The first argument
 * that names a dat stands for all that do. */
bool *graph_reads(const struct graph *graph);
int first_of_dat(const struct loop *loop, int arg);
/* "p_q, p_x": names of the dats that the arguments marked in reads[args] name; or "nothing". */
char *reads_text(struct arena *arena, const struct loop *loop, const bool *reads);

/* graph_terms.c: splits a contribution that is a sum into terms, and joins terms that need the same
 * arguments. Returns their number. node_reads: from graph_reads(). */
struct term {
    bool *reads; /* [loop->args] all data that it needs */
    bool *own;   /* [loop->args] data behind values that only this term needs */
};
int graph_terms(const struct graph *graph, const bool *node_reads, int contribution,
                struct term **term);

/* graph_text.c: prints text in lines that people can read; `column` characters of the first are
 * printed already, the others begin at `indent`. */
void print_wrapped(FILE *out, const char *text, int column, int indent);
/* Pieces of the graph's dumps, in the arena. */
char *expr_text(struct arena *arena, const struct expr *expr);
/* "dx = x1[0] - x2[0]"; a statement: its text, perhaps of several lines. */
char *node_text(const struct graph *graph, const struct node *node);
/* "c and not d"; "" without a guard. */
char *guard_text(const struct graph *graph, const struct guard *guard);
/* "res[2] -= 0.5 * f". */
char *update_text(struct arena *arena, const struct loop *loop, const struct update *update);
/* The components of arg that the body or its updates read: "0..3, 5"; *bytes of them. */
char *components_read(const struct graph *graph, int arg, size_t *bytes);
/* "x[1..2], sig[0]": data that the contributions of a group need. */
char *group_text(const struct graph *graph, const int *group, int own);
/* "f[0]": places that they are added to. */
char *group_targets(const struct graph *graph, const int *group, int own);
/* Why a loop has no graph, or NULL. */
char *no_graph_text(struct arena *arena, const struct loop *loop);

/* graph_print.c: prints the number of values that are added, the parts that can be computed
 * separately, and the sums whose terms read different data; each only where it is of interest. */
void graph_print_structure(FILE *out, const struct graph *graph);

#endif
