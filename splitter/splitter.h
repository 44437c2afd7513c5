/* splitter.h: Program in, Program with schedules out.
 *
 * The splitter decides, for each loop, which stages there are, what each stages into fast memory and
 * what crosses between them. It looks only at the loop IR.
 */
#ifndef CLEAVE_SPLITTER_H
#define CLEAVE_SPLITTER_H

#include "pass/loop_ir.h"

/* Fills stmt->increments_arg/increments_component of every kernel body and loop->schedule of every
 * loop without a sequential_reason.
 *
 * requires: loop_ir_check() passes.
 * ensures:  schedule[0] is SCHEDULE_FUSED and legal; schedule[1] is SCHEDULE_SPLIT, legal or with the
 *           reason why not; splitter_check() passes.
 * A loop is split when it increments indirectly and modifies nothing indirectly in another way. In
 * the form made here tmp(e) is the zero-initialised full increment of each incremented argument
 * (every component of every column), into which the body adds: right whatever the body looks like,
 * because an OP_INC argument may not be read (architecture of paper 001, section 4). */
void splitter_run(struct program *program);

/* NULL when every schedule keeps the rules (each argument staged where it is used and only there,
 * tmp made before it is used and used wholly), else a message in the program's arena. */
const char *splitter_check(const struct program *program);

/* The text of --cleave-dump=stages. */
void splitter_print(FILE *out, const struct program *program);

#endif
