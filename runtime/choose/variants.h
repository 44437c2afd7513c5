/* variants.h: the two steps of a choice, for choice.c alone: which variant suits a call best
 * (variants.c), and with blocks of which size it runs (blocks.c). */
#ifndef CLEAVE_CHOOSE_VARIANTS_H
#define CLEAVE_CHOOSE_VARIANTS_H

#include "runtime/choose/choose.h"

/* ---- variants.c ----------------------------------------------------------------------------- */

/* How well a variant of choice->loop fits the call and the settings: 0 (least) to CLEAVE_BEST_FIT.
 * schedule: cleave_wanted_schedule(); ordered: cleave_must_be_ordered(). */
int cleave_variant_fitness(const struct cleave_call *call, const struct cleave_choice *choice,
                           const struct cleave_variant *variant, int schedule, int ordered);
enum { CLEAVE_BEST_FIT = 31 };
/* The enum cleave_schedule_place that the user asks for, else that of
 * the variant of choice->loop which suits the call best. */
int cleave_wanted_schedule(const struct cleave_call *call, const struct cleave_choice *choice,
                           int ordered);

/* ---- race.c --------------------------------------------------------------------------------- */

/* Seconds that the model expects of a variant of choice->loop, in its usual blocks; 0: unknown. */
double cleave_expected_of(const struct cleave_call *call, const struct cleave_choice *choice,
                          const struct cleave_variant *variant);

/* ---- zeros.c -------------------------------------------------------------------------------- */

/* The first variant of choice->loop, or the first one whose points gather, if the model expects
 * that to be faster because these need not read zeros. */
const struct cleave_variant *cleave_preferred_for_zeros(const struct cleave_call *call,
                                                        const struct cleave_choice *choice);

/* ---- blocks.c ------------------------------------------------------------------------------- */

/* Sets the block size, the plan and the shared memory of choice->variant; without success,
 * block_size and shared_bytes are those of the last attempt. later: the worker may make plans. */
enum cleave_blocks cleave_blocks_fit(struct cleave_call *call, struct cleave_choice *choice,
                                     int later);

/* The fewest elements that a block may have: smaller ones leave lanes of a warp idle. */
int cleave_least_block(const struct cleave_choice *choice);
/* Elements per block of choice->variant by rule, one thread each, before its shared memory is
 * known: fewer than usual if the kernel's registers allow no more threads. */
int cleave_usual_block(const struct cleave_call *call, const struct cleave_choice *choice);
/* 1: the variant's plan depends on the block size. */
int cleave_size_matters(const struct cleave_variant *variant);

#endif
