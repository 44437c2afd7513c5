/* openmp_lanes.c: loops whose elements are computed several at once: the file includes itself for each width of
 * registers, and sees the functions of one thread then. What is left of a run of elements, and the variants
 * without lanes, compute one element by the same stage, so that all give the same bits. Reductions are made in
 * CLEAVE_SLOTS parts. Loops in place have vectors where these modify different points.
 * RUN: openmp=OPENMP --cleave-emit=fused
 * RUN: openmp=FAST --cleave-emit=fast
 * RUN: openmp=WHOLE -O0 --cleave-emit=fused
 * RUN: openmp=WHOLE -O1 -fsanitize=address
 * RUN: openmp=SANE -O1 -fsanitize=address --cleave-emit=fused
 * RUN: openmp=EVERY --cleave-emit=fused,comparisons
 */
#include "op_seq.h"

static void flux(const double *x1, const double *x2, double *res1, double *res2, double *sum,
                 double *high)
{
    double f = x1[0] * x2[1];
    res1[0] += f;
    res2[0] -= f;
    sum[0] += f;
    sum[1] += 2.0 * f;
    high[0] = fmax(high[0], f);
}

static void many(const double *x, double *bins)
{
    bins[8] += x[0];
}

static void scale(float *x)
{
    x[0] = 2.0f * x[0];
}

static void relax(const double *x, double *p)
{
    p[1] = 0.5 * (p[1] + x[0]);
    p[2] = x[1];
    if (p[2] > 0) {
        p[4] = 1.0;
    }
}

static void turns(const double **x, const int *which, double *into)
{
    if (which[0] >= 0) {
        into[0] += x[1][which[0]] + x[which[0]][0];
    }
}

static void halves(const double *x, const int *limit, double *into)
{
    double f = x[0];
    for (int k = 0; k < limit[0]; k++) {
        f = f / x[1];
        if (f < 1.0) {
            break;
        }
        f -= 0.5;
    }
    into[0] += f;
}

void loop(op_set edges, op_map ends, op_dat x, op_dat res, op_dat y, double *sum, double *high, double *bins,
          op_dat p, op_dat which)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(res, 0, ends, 1, "double", OP_INC),
                op_arg_dat(res, 1, ends, 1, "double", OP_INC), op_arg_gbl(sum, 2, "double", OP_INC),
                op_arg_gbl(high, 1, "double", OP_MAX));
    op_par_loop(many, "many", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_gbl(bins, 9, "double", OP_INC));
    op_par_loop(scale, "scale", edges, op_arg_dat(y, -1, OP_ID, 1, "float", OP_RW));
    op_par_loop(relax, "relax", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(p, 1, ends, 5, "double", OP_RW));
    op_par_loop(turns, "turns", edges, op_arg_dat(x, -2, ends, 2, "double", OP_READ),
                op_arg_dat(which, -1, OP_ID, 1, "int", OP_READ), op_arg_dat(res, 0, ends, 1, "double", OP_INC));
    op_par_loop(halves, "halves", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(which, -1, OP_ID, 1, "int", OP_READ), op_arg_dat(res, 0, ends, 1, "double", OP_INC));
}

// Nothing but lane functions is seen by the inclusions.
// OPENMP: {{^}}#ifdef CLEAVE_LANE_BYTES
// OPENMP-NOT: #include
// OPENMP: #define CLEAVE_LANES CLEAVE_LANES_OF_8
// OPENMP-LABEL: static void CLEAVE_LANE_NAME(flux_fused_range_lanes)(const struct cleave_launch *cleave_launch,
// OPENMP: double cleave_gbl_sum[][CLEAVE_SLOTS],
// OPENMP-NOT: cleave_plan
// OPENMP: for (; cleave_end - cleave_e >= CLEAVE_LANES; cleave_e += CLEAVE_LANES) {
// OPENMP-NEXT: cleave_slot = (cleave_e - cleave_begin) & (CLEAVE_SLOTS - 1);
// OPENMP: CLEAVE_V(f64)
// Both columns' increments are added lane after lane; what fills no vector is a call.
// OPENMP: CLEAVE_EACH_LANE(
// OPENMP: CLEAVE_PUT1(f64, ADD, cleave_dat_res + cleave_point_ends_0.at[cleave_l], cleave_to_res1, cleave_l);
// OPENMP: CLEAVE_PUT1(f64, SUBTRACT, cleave_dat_res + cleave_point_ends_1.at[cleave_l], cleave_to_res1, cleave_l));
// OPENMP: if (cleave_e < cleave_end) {
// OPENMP-NEXT: flux_fused_range_rest(cleave_launch, cleave_begin, cleave_e, cleave_end, cleave_gbl_sum, cleave_gbl_high);
// MUTATE OPENMP s/f64, SUBTRACT/f64, ADD/
// MUTATE OPENMP s/>= CLEAVE_LANES/>= 0/
// MUTATE OPENMP s/cleave_e - cleave_begin\)/cleave_e)/

// Values of 4 bytes alone: twice as many lanes.
// OPENMP: #define CLEAVE_LANES CLEAVE_LANES_OF_4
// OPENMP-LABEL: static void CLEAVE_LANE_NAME(scale_direct_lanes)(
// OPENMP: for (; cleave_end - cleave_e >= CLEAVE_LANES; cleave_e += CLEAVE_LANES) {
// MUTATE OPENMP s/CLEAVE_LANES_OF_4/CLEAVE_LANES_OF_8/

// In place: elements of a vector modify different points, all others run one at a time. Components that are not
// assigned stay as they are.
// OPENMP-LABEL: static void CLEAVE_LANE_NAME(relax_fused_range_lanes)(
// OPENMP: cleave_distinct = cleave_launch->plan->distinct;
// OPENMP: while (cleave_e < cleave_end) {
// OPENMP-NEXT: cleave_next = cleave_next_distinct(cleave_distinct, cleave_e, cleave_end, CLEAVE_LANES);
// OPENMP-NEXT: if (cleave_e < cleave_next) {
// OPENMP-NEXT: relax_fused_range_rest(cleave_launch, cleave_begin, cleave_e, cleave_next);
// OPENMP-NEXT: }
// OPENMP-NEXT: cleave_e = cleave_next;
// OPENMP-NEXT: while (cleave_end - cleave_e >= CLEAVE_LANES && cleave_distinct[cleave_e] >= CLEAVE_LANES) {
// OPENMP: CLEAVE_GET4(f64, p + 1, cleave_dat_p + 1, 5, cleave_point_ends_1.at);
// OPENMP: CLEAVE_TURN2(f64, cleave_turned_p_1, p + 1);
// OPENMP: CLEAVE_PUT2(f64, STORE, cleave_dat_p + 5 * (size_t)cleave_point_ends_1.at[cleave_l] + 1, cleave_turned_p_1, cleave_l));
// OPENMP: CLEAVE_PUT1(f64, STORE, cleave_dat_p + 5 * (size_t)cleave_point_ends_1.at[cleave_l] + 4, p + 4, cleave_l));
// OPENMP: cleave_e += CLEAVE_LANES;
// MUTATE OPENMP s/ && cleave_distinct\[cleave_e\] >= CLEAVE_LANES//
// MUTATE OPENMP s/cleave_begin, cleave_e, cleave_next/cleave_begin, cleave_e, cleave_end/
// MUTATE OPENMP s/PUT2\(f64, STORE, cleave_dat_p/PUT4(f64, STORE, cleave_dat_p/

// Columns and components that are found at run time are read lane by lane, by lanes that are on: the others have the
// subscripts of one that is.
// OPENMP-LABEL: static void CLEAVE_LANE_NAME(turns_fused_range_lanes)(
// OPENMP-NOT: CLEAVE_GET
// OPENMP: = CLEAVE_V(fill_i32)({{.*}}, which[0]);
// OPENMP: CLEAVE_LANEWISE([[VALUE:[a-z_0-9]+]], (cleave_dat_x + 2 * (size_t)cleave_point_ends_1.at[cleave_l])[{{.*}}[cleave_l]]);
// OPENMP-NEXT: [[VALUE]] = CLEAVE_V(fill_f64)({{.*}}, [[VALUE]]);
// OPENMP: CLEAVE_LANEWISE({{.*}}, (cleave_dat_x + 2 * (size_t)cleave_map_ends[cleave_width_ends * (size_t)(cleave_e + cleave_l) + (size_t)({{.*}}[cleave_l])])[0]);
// MUTATE OPENMP s/^.*= CLEAVE_V\(fill_f64\)\(.*, value\);$//
// MUTATE OPENMP s/cleave_e \+ cleave_l\) \+ /cleave_e) + /

// A loop of unknown trip count runs until no lane is in it. What a lane computes after it has left is thrown away, and
// computed from values of a lane that is in the loop.
// OPENMP-LABEL: static void CLEAVE_LANE_NAME(halves_fused_range_lanes)(
// OPENMP: CLEAVE_V(mask) looping = CLEAVE_V(set_mask)(true);
// OPENMP-NEXT: while (CLEAVE_V(any)(looping)) {
// OPENMP-NEXT: const CLEAVE_V(mask) [[TEST:cleave_if_[0-9]+]] = looping;
// OPENMP-NEXT: looping = CLEAVE_V(select_mask)([[TEST]], CLEAVE_V(mask_of_i32)({{k.*}} < limit[0]), looping);
// OPENMP-NEXT: const CLEAVE_V(mask) [[TRIP:cleave_if_[0-9]+]] = looping;
// OPENMP: = CLEAVE_V(fill_f64)([[TRIP]], [[F:f_[0-9]+]]);
// OPENMP: [[F]] = CLEAVE_V(select_f64)([[TRIP]], {{.*}} / {{.*}}, [[F]]);
// OPENMP: looping = CLEAVE_V(select_mask)({{.*}}, CLEAVE_V(set_mask)(false), looping);
// OPENMP: const CLEAVE_V(mask) [[REST:cleave_on_[0-9]+]] = [[TRIP]] & {{.*}}looping{{.*}};
// OPENMP: [[F]] = CLEAVE_V(select_f64)([[REST]], {{.*}} - 0.5, [[F]]);
// MUTATE OPENMP s/while \(CLEAVE_V\(any\)\(looping\)\)/if (CLEAVE_V(any)(looping))/
// MUTATE OPENMP s/CLEAVE_V\(set_mask\)\(false\), looping/CLEAVE_V(set_mask)(true), looping/

// OPENMP: {{^}}#else
// OPENMP-NOT: #define CLEAVE_LANE_WIDTHS
// The rest is compiled once, before the passes.
// OPENMP-LABEL: flux_fused_range_rest(
// OPENMP: for (; cleave_e < cleave_end; cleave_e++) {
// OPENMP-NEXT: cleave_slot = (cleave_e - cleave_begin) & (CLEAVE_SLOTS - 1);
// OPENMP-NOT: CLEAVE_V
// OPENMP: cleave_gbl_sum[1][cleave_slot]
// OPENMP: #if (CLEAVE_LANE_WIDTHS & 16) != 0
// OPENMP-NEXT: #define CLEAVE_LANE_BYTES 16
// OPENMP: #define CLEAVE_LANE_BYTES 64
// Both variants share the function of one thread, which chooses by the runtime's width of registers.
// OPENMP-LABEL: static void flux_fused_range(
// OPENMP: __typeof__(flux_fused_range_rest) *const cleave_compute = CLEAVE_LANE_AT(cleave_launch->lane_bytes, flux_fused_range_lanes, flux_fused_range_rest);
// OPENMP: for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
// OPENMP-NEXT: if (cleave_colour > 0) {
// OPENMP-NEXT: cleave_wait_for_all(cleave_thread);
// OPENMP: double cleave_gbl_sum[2][CLEAVE_SLOTS] = {{[{][{]0[}][}]}};
// OPENMP: cleave_gbl_high[cleave_d][cleave_slot] = cleave_start_high[cleave_d];
// OPENMP: cleave_begin = cleave_plan->segment_first[cleave_s];
// OPENMP-NEXT: cleave_end = cleave_plan->segment_last[cleave_s];
// OPENMP-NEXT: int cleave_e = cleave_begin;
// OPENMP-NEXT: cleave_compute(cleave_launch, cleave_begin, cleave_e, cleave_end, cleave_gbl_sum, cleave_gbl_high);
// At the end of a block its slots are joined in their order.
// OPENMP: cleave_all = cleave_gbl_sum[cleave_d][0];
// OPENMP-NEXT: for (int cleave_slot = 1; cleave_slot < CLEAVE_SLOTS; cleave_slot++) {
// OPENMP-NEXT: cleave_all += cleave_gbl_sum[cleave_d][cleave_slot];
// OPENMP-NEXT: }
// OPENMP-NEXT: cleave_partial_sum[2 * (size_t)cleave_b + cleave_d] = cleave_all;
// OPENMP: if (cleave_gbl_high[cleave_d][cleave_slot] > cleave_all) {
// OPENMP: cleave_partial_high[cleave_b + cleave_d] = cleave_all;
// OPENMP: cleave_run_on_threads(cleave_launch, flux_fused_range);
// MUTATE OPENMP s/int cleave_slot = 1/int cleave_slot = 0/
// MUTATE OPENMP s/cleave_gbl_high.*> cleave_all/cleave_gbl_high[cleave_d][cleave_slot] < cleave_all/
// MUTATE OPENMP s/cleave_plan->segment_last/cleave_plan->segment_first/
// MUTATE OPENMP s/CLEAVE_LANE_AT\(cleave_launch->lane_bytes, flux_fused_range_lanes,/CLEAVE_LANE_AT(0, flux_fused_range_lanes,/
// Many components would take long to join: they have no slots, and the loop has no lanes.
// OPENMP-LABEL: static void many_direct(
// OPENMP: double cleave_gbl_bins[9] = {0};
// OPENMP: many_body(
// MUTATE OPENMP s/cleave_gbl_bins\[9\]/cleave_gbl_bins[9][CLEAVE_SLOTS]/

// OPENMP: {"flux_fused_range_lanes", CLEAVE_FUSED, 0, CLEAVE_RACE_RANGE, CLEAVE_PLAN_RANGES, 0, NULL, flux_fused_range_run, {{.*}} 0, CLEAVE_LANE_WIDTHS, 0, 0},
// OPENMP-NEXT: {"flux_fused_range", CLEAVE_FUSED, 0, CLEAVE_RACE_RANGE, CLEAVE_PLAN_RANGES, 0, NULL, flux_fused_range_run, {{.*}} 0, 0, 0, 0},
// OPENMP: many_variants[] = {
// OPENMP-NEXT: {"many_direct",
// OPENMP-NEXT: };
// OPENMP: scale_variants[] = {
// OPENMP-NEXT: {"scale_direct_lanes", {{.*}} 0, CLEAVE_LANE_WIDTHS, 0, 0},
// OPENMP-NEXT: {"scale_direct", {{.*}} 0, 0, 0, 0},
// OPENMP: relax_variants[] = {
// OPENMP-NEXT: {"relax_fused_range_lanes", CLEAVE_FUSED, 0, CLEAVE_RACE_RANGE, CLEAVE_PLAN_RANGES, 0, NULL, relax_fused_range_run, CLEAVE_READS_STAGED, 16, {{.*}} 0, CLEAVE_LANE_WIDTHS, 0, 0},
// OPENMP-NEXT: {"relax_fused_range", {{.*}} CLEAVE_READS_STAGED, 0, {{.*}} 0, 0, 0, 0},
// OPENMP-NEXT: };
// MUTATE OPENMP s/(relax_fused_range_run, CLEAVE_READS_STAGED,) 16/\1 0/
// MUTATE OPENMP s/(.flux_fused_range_lanes".*) 0, CLEAVE_LANE_WIDTHS, 0, 0\}/\1 0, 0, 0, 0}/
// MUTATE OPENMP s/^.*"scale_direct",.*$//

// The level that compiles fastest has no lanes, but gives the same bits as a program with lanes.
// FAST-NOT: CLEAVE_LANE
// FAST-LABEL: static void flux_fused_range(
// FAST-NOT: flux_body
// FAST: double cleave_gbl_sum[2][CLEAVE_SLOTS]
// FAST-NOT: CLEAVE_LANE
// MUTATE FAST s/cleave_gbl_sum\[2\]\[CLEAVE_SLOTS\]/cleave_gbl_sum[2]/

// For debuggers and sanitizers the kernel is called as it is written.
// WHOLE-NOT: CLEAVE_LANE
// WHOLE-LABEL: static void flux_fused_range(
// WHOLE: double cleave_gbl_sum[2] = {0};
// WHOLE: flux_body({{.*}}cleave_dat_res + cleave_point_ends_1, cleave_gbl_sum, cleave_gbl_high);
// WHOLE-NOT: CLEAVE_LANE
// With schedules named, sanitizers get lanes, in vectors without intrinsics; `comparisons` compiles all widths.
// SANE-LABEL: static void CLEAVE_LANE_NAME(flux_fused_range_lanes)(
// SANE: #define CLEAVE_LANE_WIDTHS 16{{$}}
// SANE-NEXT: #include "lanes/launch.h"
// EVERY: #define CLEAVE_LANE_WIDTHS (16 | 32 | 64)
// MUTATE SANE s/LANE_WIDTHS 16$/LANE_WIDTHS 64/
// MUTATE WHOLE s/flux_body/flux_one/
