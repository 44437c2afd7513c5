/* openmp_direct.c: a loop that modifies nothing through a map needs no plan: threads take blocks of consecutive
 * elements.
 * RUN: openmp=OPENMP -O0 --cleave-emit=fused
 */
#include "op_seq.h"

static void save(const float *q, double *old)
{
    old[0] = q[0];
    old[1] = q[1];
}

static void mean(const float *left, const float *right, double *at)
{
    at[0] = 0.5 * (left[0] + right[0]);
}

void loops(op_set cells, op_set edges, op_map ends, op_dat q, op_dat old, op_dat at)
{
    op_par_loop(save, "save", cells, op_arg_dat(q, -1, OP_ID, 2, "float", OP_READ),
                op_arg_dat(old, -1, OP_ID, 2, "double", OP_WRITE));
    op_par_loop(mean, "mean", edges, op_arg_dat(q, 0, ends, 2, "float", OP_READ),
                op_arg_dat(q, 1, ends, 2, "float", OP_READ),
                op_arg_dat(at, -1, OP_ID, 1, "double", OP_WRITE));
}

// OPENMP-LABEL: static void save_direct(
// OPENMP-NOT: cleave_plan
// OPENMP: cleave_block_size = cleave_launch->block_size;
// OPENMP-NEXT: const float *const cleave_dat_q = (const float *)cleave_launch->data[0];
// OPENMP-NEXT: {{^ *}}double *const cleave_dat_old = (double *)cleave_launch->data[1];
// OPENMP: cleave_blocks = cleave_part_of(0, cleave_launch->blocks, cleave_thread);
// OPENMP-NEXT: for (int cleave_b = cleave_blocks.first; cleave_b < cleave_blocks.last; cleave_b++) {
// OPENMP-NEXT: cleave_begin = cleave_launch->begin + cleave_b * cleave_block_size;
// OPENMP-NEXT: cleave_left = cleave_launch->end - cleave_begin;
// OPENMP-NEXT: cleave_count = cleave_left < cleave_block_size ? cleave_left : cleave_block_size;
// OPENMP-NEXT: cleave_end = cleave_begin + cleave_count;
// OPENMP: for (int cleave_e = cleave_begin; cleave_e < cleave_end; cleave_e++) {
// OPENMP-NEXT: save_body(cleave_dat_q + 2 * (size_t)cleave_e, cleave_dat_old + 2 * (size_t)cleave_e);
// MUTATE OPENMP s/cleave_launch->begin \+ //
// MUTATE OPENMP s/cleave_left < cleave_block_size/cleave_left <= 0/
// MUTATE OPENMP s/cleave_dat_q \+ 2 \* .size_t./cleave_dat_q + 2 * /

// Reading through a map makes no race.
// OPENMP-LABEL: static void mean_direct(
// OPENMP-NOT: cleave_plan
// OPENMP: mean_body(cleave_dat_q + 2 * (size_t)cleave_point_ends_0, cleave_dat_q + 2 * (size_t)cleave_point_ends_1, cleave_dat_at + cleave_e);
// OPENMP: {"save_direct", CLEAVE_FUSED, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_NONE, 0, NULL, save_direct_run,
// OPENMP: {"mean_direct", CLEAVE_FUSED, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_NONE, 0, NULL, mean_direct_run,
// MUTATE OPENMP s/cleave_dat_at \+ cleave_e/cleave_dat_at/
// MUTATE OPENMP s/("mean_direct", CLEAVE_FUSED, 0,) CLEAVE_RACE_NONE, CLEAVE_PLAN_NONE/\1 CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS/
