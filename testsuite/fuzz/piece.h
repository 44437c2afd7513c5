/* piece.h: the text of a generated program as a tree that can lose parts.
 *
 * A piece is text with '@' where its kids stand. A piece with a unit can be dropped: then something
 * simpler is printed in its place. The reduction of reduce.c looks for the units that a
 * disagreement needs. All memory comes from an arena.
 */
#ifndef CLEAVE_FUZZ_PIECE_H
#define CLEAVE_FUZZ_PIECE_H

#include <stdbool.h>
#include <stdio.h>

#include "pass/ir/arena.h"

struct piece {
    const char *text; /* NULL: the kids, one after another, without those that print as nothing */
    const char *separator; /* between them; NULL: none */
    int unit;              /* -1: always there */
    const char *simple;    /* what a dropped unit prints; NULL: kid number `instead` */
    int instead;
    int kids;
    int capacity;
    struct piece **kid;
};

/* The units that are dropped, and those of the others that the last printing came across. */
struct selection {
    int units;
    bool *dropped;
    bool *met;
};

struct piece *piece_new(struct arena *arena, const char *text, struct piece *const *kid);
struct piece *piece_list(struct arena *arena, const char *separator);
void piece_add(struct arena *arena, struct piece *list, struct piece *kid);

/* Writes the program with its lines indented; selection may be NULL: everything. */
void piece_print(FILE *out, const struct piece *piece, struct selection *selection);

#endif
