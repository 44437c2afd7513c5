/* emit.c: which variants --cleave-emit=... compiles, in the order in which they are best in their situation, and their
 * ranks, which the runtime compares where no setting says how races are resolved: 0 first.
 * RUN: cuda=AUTO openmp=AUTO_CPU --cleave-emit=auto
 * RUN: cuda=FAST openmp=FAST_CPU --cleave-emit=fast
 * RUN: cuda=WORDS openmp=WORDS_CPU --cleave-emit=split,loops
 * RUN: cuda=COMPARED openmp=COMPARED_CPU --cleave-emit=fused,loops,comparisons
 * RUN: cuda=CANDIDATES --cleave-emit=split,candidates
 * RUN: cuda=EXHAUSTIVE openmp=EXHAUSTIVE_CPU --cleave-emit=exhaustive
 * RUN: cuda=OWNER --cleave-emit=owner
 * RUN: messages=EXPLAIN --cleave-emit=owner --cleave-explain
 */
#include "flux.h"

static void peak(const double *x, const double *w, double *high)
{
    high[0] = fmax(high[0], x[0] * w[0]);
}

static void touch(double *node, double *count)
{
    node[0] = 2.0 * node[0];
    count[0] += 2.0;
}

/* It reads little and adds much: points that compute their elements again are predicted to be best. */
static void gradient(const double *q1, const double *q2, const double *w, double *g1, double *g2)
{
    for (int k = 0; k < 6; k++) {
        for (int d = 0; d < 3; d++) {
            double f = (q1[k] + q2[k]) * w[d];
            g1[3 * k + d] += f;
            g2[3 * k + d] -= f;
        }
    }
}

void others(op_set edges, op_map ends, op_dat x, op_dat w, op_dat node, op_dat count, op_dat q, op_dat g);

void others(op_set edges, op_map ends, op_dat x, op_dat w, op_dat node, op_dat count, op_dat q, op_dat g)
{
    op_par_loop(peak, "peak", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(node, 1, ends, 1, "double", OP_MAX));
    op_par_loop(touch, "touch", edges, op_arg_dat(node, 0, ends, 1, "double", OP_RW),
                op_arg_dat(count, 1, ends, 1, "double", OP_INC));
    op_par_loop(gradient, "gradient", edges, op_arg_dat(q, 0, ends, 6, "double", OP_READ),
                op_arg_dat(q, 1, ends, 6, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(g, 0, ends, 18, "double", OP_INC),
                op_arg_dat(g, 1, ends, 18, "double", OP_INC));
}

// ---- auto: of ways to add one alternative, split and fused, and one that gives the same bits in every run. It comes
// first, in all its forms, where elements do little more than add; blocks that stage do not pay there.
// AUTO-LABEL: flux_variants[] = {
// AUTO-NEXT: {"flux_owner", {{.*}} 0, 0, 0, {{[1-9][0-9]*}}},
// AUTO-NEXT: {"flux_owner_staged_r128", {{.*}} 0, 0, 0, {{[1-9][0-9]*}}},
// AUTO-NEXT: {"flux_split_colour", {{.*}} 2, 0, 0, 0},
// AUTO-NEXT: {"flux_split_atomic", {{.*}} 1, 0, 0, 0},
// AUTO-NEXT: {"flux_split_transpose_merge", {{.*}} 0, 0, 0, 0},
// AUTO-NEXT: {"flux_split_gather_direct_c2_r64", {{.*}} 2, 0, 0, 0},
// AUTO-NEXT: {"flux_fused_colour", {{.*}} 2, 0, 0, 0},
// AUTO-NEXT: {"flux_fused_atomic", {{.*}} 1, 0, 0, 0},
// AUTO-NEXT: };
// What candidates would add is described, without code.
// AUTO-LABEL: flux_further_variants[] = {
// AUTO: {"flux_split_transpose", CLEAVE_SPLIT, 1, CLEAVE_RACE_TRANSPOSE, CLEAVE_PLAN_NONE, 0, NULL, NULL, CLEAVE_READS_DIRECT, 0, NULL,
// AUTO: {"flux_split_gather_direct_c2_r72", {{.*}} NULL, NULL, CLEAVE_READS_DIRECT, 1, NULL,
// Extrema come first by one thread per element.
// AUTO-LABEL: peak_variants[] = {
// AUTO-NEXT: {"peak_fused_colour", {{.*}} 2, 0, 0, 0},
// AUTO-NEXT: {"peak_fused_atomic", {{.*}} 1, 0, 0, 0},
// AUTO: {"peak_split_transpose", {{.*}} 0, 0, 0, 0},
// AUTO-NOT: merge
// AUTO-LABEL: peak_further_variants[] = {
// Loops in place have variants for both kinds of colours.
// AUTO-LABEL: touch_variants[] = {
// AUTO-NEXT: {"touch_fused_colour", {{.*}} 0, 0, 0, 0},
// AUTO-NEXT: {"touch_fused_global_colour", {{.*}} 2, 0, 0, 0},
// AUTO-NEXT: };
// MUTATE AUTO s/(.flux_split_transpose_merge.*) 0, 0\}/\1 2, 0}/
// MUTATE AUTO s/^.*"flux_owner",.*$//
// MUTATE AUTO s/(.flux_split_transpose",.*) NULL, NULL, CLEAVE/\1 NULL, run, CLEAVE/
// MUTATE AUTO s/^.*"peak_fused_colour",.*$//
// MUTATE AUTO s/(.touch_fused_global_colour.*) 2, 0, 0, 0\}/\1 0, 0, 0, 0}/
// On the CPU fused over ranges is the fastest: neither split nor the predicted schedule is compiled.
// AUTO_CPU-LABEL: flux_variants[] = {
// AUTO_CPU-NEXT: {"flux_fused_range_lanes", {{.*}} 0, CLEAVE_LANE_WIDTHS, 0, 0},
// AUTO_CPU-NEXT: {"flux_fused_range", {{.*}} 0, 0, 0, 0},
// AUTO_CPU-NEXT: };
// AUTO_CPU-LABEL: gradient_variants[] = {
// AUTO_CPU-NOT: gradient_{{split|owner}}
// AUTO_CPU: };
// MUTATE AUTO_CPU s/"flux_fused_range"/"flux_split_colour"/

// ---- fast: what compiles fastest
// FAST-LABEL: flux_variants[] = {
// FAST-NEXT: {"flux_fused_atomic", {{.*}} 1, 0, 0, 0},
// FAST-NEXT: };
// FAST_CPU-NOT: flux_{{(split|loops|twopass|owner)}}
// FAST_CPU: {"flux_fused_range",
// FAST_CPU-NOT: flux_{{(split|loops|twopass|owner)}}
// FAST_CPU: cleave_unit = {
// MUTATE FAST s/^.*"flux_fused_atomic".*$/&\n&/
// MUTATE FAST_CPU s/^.*"flux_fused_range".*$/&\n{"flux_owner"}/

// ---- schedules by their words: nothing besides, but all alternatives. Blocks make sums where a deterministic form
// of a split is missing.
// WORDS-LABEL: flux_variants[] = {
// WORDS-NEXT: {"flux_split_colour",
// WORDS-NEXT: {"flux_split_atomic",
// WORDS-NEXT: {"flux_split_transpose_merge", {{.*}} 0, 0, 0, 0},
// WORDS-NEXT: {"flux_split_transpose", {{.*}} 0, 0, 0, 0},
// WORDS-NEXT: {"flux_split_gather_direct_c2_r64",
// WORDS-NEXT: {"flux_split_gather_c2_r64",
// WORDS-NEXT: {"flux_loops_colour",
// WORDS-NEXT: {"flux_loops_atomic",
// WORDS-NEXT: {"flux_split_ordered_c2_r72",
// WORDS-NEXT: };
// For loops that cannot be cut, the fused variant is compiled all the same.
// WORDS-LABEL: touch_variants[] = {
// WORDS-NEXT: {"touch_fused_colour",
// WORDS_CPU-LABEL: flux_variants[] = {
// WORDS_CPU-NOT: "flux_{{(fused|split2|twopass|owner)}}
// WORDS_CPU-DAG: {"flux_split_colour",
// WORDS_CPU-DAG: {"flux_loops_colour",
// WORDS_CPU-NOT: "flux_{{(fused|split2|twopass|owner)}}
// WORDS_CPU-LABEL: touch_variants[] = {
// WORDS_CPU-NEXT: {"touch_fused_
// MUTATE WORDS s/^.*"flux_split_ordered_c2_r72".*$//
// MUTATE WORDS s/^.*"touch_fused_colour".*$//
// MUTATE WORDS_CPU s/^.*"flux_loops_colour".*$/&\n{"flux_twopass"}/

// ---- comparisons: forms that others are compared with
// COMPARED-LABEL: flux_variants[] = {
// COMPARED-NEXT: {"flux_loops_colour",
// COMPARED-NEXT: {"flux_loops_atomic",
// COMPARED-NEXT: {"flux_loops_global_colour", CLEAVE_LOOPS, 0, CLEAVE_RACE_GLOBAL, CLEAVE_PLAN_COLOURS, 16,
// COMPARED-NEXT: {"flux_fused_colour",
// COMPARED-NEXT: {"flux_fused_atomic",
// COMPARED-NEXT: {"flux_fused_global_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_GLOBAL, CLEAVE_PLAN_COLOURS, 0,
// COMPARED-NEXT: };
// COMPARED_CPU-LABEL: flux_variants[] = {
// COMPARED_CPU: {"flux_fused_range", {{.*}} 0, 0, 0, 0},
// COMPARED_CPU: {"flux_fused_colour", {{.*}} 1, 0, 0, 0},
// COMPARED_CPU-LABEL: touch_variants[] = {
// COMPARED_CPU-NEXT: {"touch_fused_range_lanes", {{.*}} 0, CLEAVE_LANE_WIDTHS, 0, 0},
// COMPARED_CPU-NEXT: {"touch_fused_range", {{.*}} 0, 0, 0, 0},
// COMPARED_CPU-NEXT: {"touch_fused_colour", {{.*}} 1, 0, 0, 0},
// MUTATE COMPARED_CPU s/^.*"flux_fused_colour".*$//
// MUTATE COMPARED_CPU s/(.touch_fused_colour.*) 1, 0, 0, 0\}/\1 0, 0, 0, 0}/
// MUTATE COMPARED s/^.*"flux_loops_global_colour".*$//

// ---- candidates and exhaustive: other components at a time and registers; without a limit of registers, the
// name has none
// CANDIDATES: {"flux_split_gather_c2_r64",
// CANDIDATES: {"flux_split_gather_c2", {{.*}} flux_split_gather_run<2, 255>,
// CANDIDATES: {"flux_split_gather_c2_r96",
// CANDIDATES: {"flux_split_ordered_c2_r72",
// CANDIDATES-NOT: "flux_split_ordered
// CANDIDATES: cleave_unit = {
// MUTATE CANDIDATES s/flux_split_gather_run<2, 255>/flux_split_gather_run<2, 64>/
// EXHAUSTIVE: {"flux_owner_staged_r168",
// EXHAUSTIVE: {"flux_split_gather_c2_r40",
// EXHAUSTIVE: {"flux_split2_gather_ahead_c2_r96",
// EXHAUSTIVE: {"flux_split_ordered_c4_r80",
// MUTATE EXHAUSTIVE s/^.*"flux_owner_staged_r168".*$//
// EXHAUSTIVE_CPU-NOT: {{ordered|global_colour|_gather|transpose}}
// EXHAUSTIVE_CPU: cleave_unit = {
// MUTATE EXHAUSTIVE_CPU s/"flux_fused_colour"/"flux_fused_global_colour"/

// ---- owners: what is the elements' own is copied into the points' order where there is anything; if elements only
// add it up, blocks come first
// OWNER-LABEL: flux_variants[] = {
// OWNER-NEXT: {"flux_owner", {{.*}} 0, 0, 0, {{[1-9][0-9]*}}},
// OWNER-NEXT: {"flux_owner_staged_r128", {{.*}} 0, 0, 0, {{[1-9][0-9]*}}},
// OWNER-NEXT: };
// OWNER-LABEL: peak_variants[] = {
// OWNER-NEXT: {"peak_owner_staged_items_r128",
// OWNER-NEXT: {"peak_owner_staged_r128",
// OWNER-NEXT: {"peak_owner",
// OWNER-NEXT: };
// MUTATE OWNER s/^.*"peak_owner_staged_items_r128".*$//

// ---- --cleave-explain: what a loop lacks, and why
// EXPLAIN: how loops run
// EXPLAIN: {{^ *}}flux (
// EXPLAIN: CPU: 2 elements at once in registers of 16 bytes, 4 of 32 (AVX2), 8 of 64 (AVX-512)
// EXPLAIN: GPU: no owner_staged_items: it reads nothing of the elements' own by constant subscripts
// MUTATE EXPLAIN s/CPU: 2 elements/CPU: 4 elements/
// MUTATE EXPLAIN s/^.*no owner_staged_items.*$//
