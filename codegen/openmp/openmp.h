/* openmp.h: what the files of codegen/openmp/ share.
 *
 * openmp.c writes the variants that recipes.c names, openmp_stages.c stages that were taken apart
 * and the updates after them.
 */
#ifndef CLEAVE_CODEGEN_OPENMP_H
#define CLEAVE_CODEGEN_OPENMP_H

#include "codegen/emit.h"
#include "codegen/template.h"

/* "stage 2: update through pecell[0]" */
void openmp_what(struct emit *emit);

/* Prints an element's work in the contribution or effects stage emit->stage: its body, or the
 * kernel called whole; then the values that it makes go to where updates find them. */
void openmp_body(struct emit *emit);
/* Updates of emit->stage for one element. */
void openmp_adds(struct emit *emit);

/* Split: tmp(e) of a piece of the block, and its stages one after another. */
void openmp_piece(struct emit *emit);
void openmp_piece_arrays(struct emit *emit);
void openmp_piece_stages(struct emit *emit);

/* Loops: the update stages, each over all elements. */
void openmp_update_loops(struct emit *emit);

/* Points: the loop over elements, unless there is nothing for it to do, and one loop per gather. */
void openmp_element_loop(struct emit *emit);
void openmp_gathers(struct emit *emit);

/* openmp_slots.c: accumulators of reductions, at the beginning of a block; what `work` prints for
 * an element, or for several, behind the slot that it needs; and the statement `to` = what the
 * slots of argument a join to, for each component cleave_d. Arguments without slots are left out.
 */
void openmp_slots_begin(struct emit *emit);
void openmp_slot_before(struct emit *emit, void (*work)(struct emit *emit));
void openmp_slots_join(struct emit *emit, int a, const char *to);

/* openmp_rest.c: for a loop with lanes, the heads of its lane function and of the function that
 * computes elements one after the other; calls of the latter for elements cleave_e to cleave_end,
 * and to cleave_next. In the function of one thread, the choice between both (nothing is printed
 * for a loop without lanes), and the elements of a run. */
void openmp_lanes_head(struct emit *emit);
void openmp_rest_head(struct emit *emit);
void openmp_rest_unused(struct emit *emit);
void openmp_rest_call(struct emit *emit);
void openmp_singles_call(struct emit *emit);
void openmp_choose_lanes(struct emit *emit);
void openmp_run_elements(struct emit *emit);
/* The name of the variant without "_lanes", and with the suffix instead. */
const char *openmp_name_without_lanes(struct emit *emit, const char *suffix);

/* openmp_cost.c: what the variants of a schedule take of a processor; NULL: a direct loop, or one
 * in place. Lives as long as the program. */
const struct cleave_cost *openmp_cost(struct emit *emit, const struct schedule *schedule);

/* openmp_explain.c */
void openmp_explain(struct emit *emit, FILE *out);

/* openmp.c */
void openmp_element_work(struct emit *emit);
void openmp_copies(struct emit *emit);
void openmp_partials(struct emit *emit);

#endif
