/* tiled.h: which calls of loops may run tile by tile on the CPU. */
#ifndef CLEAVE_SPLITTER_TILED_H
#define CLEAVE_SPLITTER_TILED_H

#include "pass/ir/tiled.h"

/* Fills program->tiled from the program's chains, in the order of the first calls; no two sequences
 * begin with one call. */
void tiled_find(struct program *program);

/* A part of --cleave-explain: the sequences in sentences. */
void tiled_explain(FILE *out, const struct program *program);

#endif
