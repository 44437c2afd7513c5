/* splitter_impl.h: what the files of splitter/ share. */
#ifndef CLEAVE_SPLITTER_IMPL_H
#define CLEAVE_SPLITTER_IMPL_H

#include "splitter/splitter.h"

/* increments.c: marks the statements of the loop's kernel that only add to an OP_INC argument. */
void increments_mark(struct loop *loop);

/* schedules.c: fills loop->schedule[0] (fused) and [1] (split). */
void schedules_build(struct arena *arena, struct loop *loop);

/* Why the loop cannot be split; NULL when it can. */
const char *schedules_split_refusal(struct arena *arena, const struct loop *loop);

/* An indirect argument whose increments cross from the contribution stage to an update stage. */
bool arg_is_indirect_inc(const struct arg *arg);
/* An indirect argument that a stage may read from fast memory. */
bool arg_is_indirect_read(const struct arg *arg);
/* Components of all columns that the argument uses. */
int arg_values(const struct arg *arg);
/* Component numbers of a vector argument run over its columns: column c is [c*dim, (c+1)*dim). */
int transfer_column(const struct arg *arg, const struct transfer *transfer);

#endif
