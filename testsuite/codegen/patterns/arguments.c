/* arguments.c: vectors of records, indices of elements, optional arguments, and what is modified in place.
 * RUN: openmp=OPENMP -O0 --cleave-emit=fused,split,twopass
 * RUN: cuda=CUDA cuda=TURNS --cleave-emit=fused
 */
#include "op_seq.h"

static void corners(const double *x[4], double *centre, double *node[4])
{
    centre[0] = x[0][0] + x[3][1];
    node[0][0] += x[0][0];
    node[3][0] += x[2][0];
    node[1][1] += 1.0;
}

static void number(const int *self, const int *left, int *out)
{
    out[0] = *self;
    out[1] = *left;
}

static void maybe(const int *on, const double *node, const double *w, double *res, double *other)
{
    res[0] += 1.0;
    if (*on) {
        res[0] += node[0] + w[0];
        other[0] += w[0];
    }
}

static void fill(const double *x, double *node)
{
    node[0] = x[0];
}

void loops(op_set cells, op_set edges, op_map pcell, op_map ends, op_map sides, op_dat x, op_dat centre,
           op_dat node, op_dat count, op_dat out, op_dat w, op_dat res, int on)
{
    op_par_loop(corners, "corners", cells, op_arg_dat(x, -4, pcell, 2, "double", OP_READ),
                op_arg_dat(centre, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(node, -4, pcell, 2, "double", OP_INC));
    op_par_loop(number, "number", edges, op_arg_idx(-1, OP_ID), op_arg_idx(1, ends),
                op_arg_dat(out, -1, OP_ID, 2, "int", OP_WRITE));
    op_par_loop(maybe, "maybe", edges, op_arg_gbl(&on, 1, "int", OP_READ),
                op_opt_arg_dat(on, node, 0, ends, 2, "double", OP_READ),
                op_opt_arg_dat(on, w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(res, 0, sides, 4, "double", OP_INC),
                op_opt_arg_dat(on, count, 1, sides, 1, "double", OP_INC));
    op_par_loop(fill, "fill", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(node, 1, ends, 2, "double", OP_WRITE));
}

// ---- vectors: the whole kernel gets an array of pointers, stages a pointer for each column that they use
// OPENMP-LABEL: static void corners_fused_range(
// OPENMP: const double *cleave_vec_x[4] = {cleave_dat_x + 2 * (size_t)cleave_point_pcell_0, {{.*}}cleave_point_pcell_1, {{.*}}cleave_point_pcell_2, cleave_dat_x + 2 * (size_t)cleave_point_pcell_3};
// OPENMP: {{^ *}}double *cleave_vec_node[4] = {cleave_dat_node + 2 * (size_t)cleave_point_pcell_0,
// OPENMP: corners_body(cleave_vec_x, cleave_dat_centre + cleave_e, cleave_vec_node);
// OPENMP-LABEL: static void corners_split_colour(
// OPENMP: // stage 1: contribution
// OPENMP-NOT: cleave_point_pcell_1
// OPENMP: const double *const x_3 = cleave_dat_x + 2 * (size_t)cleave_point_pcell_3;
// A direct dat is written by the stage that knows the value.
// OPENMP: double *const centre = cleave_dat_centre + cleave_e;
// OPENMP: double centre_2 = x_0[0] + x_3[1];
// OPENMP-NEXT: centre[0] = centre_2;
// OPENMP: // stage 2: update through pcell[0]
// A constant needs no room in the arrays; nothing is added through column 2.
// OPENMP: // stage 3: update through pcell[1]
// OPENMP: cleave_to_node[1] += 1.0;
// OPENMP: // stage 4: update through pcell[3]
// OPENMP: cleave_to_node[0] += cleave_tmp_node_6[cleave_i];
// OPENMP-LABEL: static void corners_twopass(
// OPENMP: case 0:
// OPENMP-NEXT: cleave_to_node[0] += cleave_tmp_node_0[cleave_e];
// OPENMP: case 1:
// OPENMP-NEXT: cleave_to_node[1] += 1.0;
// OPENMP-NEXT: break;
// OPENMP-NEXT: case 3:
// OPENMP-NEXT: cleave_to_node[0] += cleave_tmp_node_6[cleave_e];
// MUTATE OPENMP s/, cleave_dat_x \+ 2 \* .size_t.cleave_point_pcell_3\};/};/
// MUTATE OPENMP s/x_3 = cleave_dat_x \+ 2 \* .size_t.cleave_point_pcell_3/x_3 = cleave_dat_x + 2 * (size_t)cleave_point_pcell_2/
// MUTATE OPENMP s/cleave_to_node\[1\] \+= 1.0;/cleave_to_node[1] += cleave_tmp_node_3[cleave_i];/
// MUTATE OPENMP s/centre\[0\] = centre_2;//

// ---- indices are the user's numbers, not those that the mesh was renumbered to
// OPENMP-LABEL: static void number_direct(
// OPENMP-DAG: cleave_number_self = cleave_launch->number[0];
// OPENMP-DAG: cleave_number_left = cleave_launch->number[1];
// OPENMP: cleave_idx_self = cleave_number_self != NULL ? cleave_number_self[cleave_e] : cleave_e;
// OPENMP: cleave_idx_left = cleave_number_left != NULL ? cleave_number_left[cleave_point_ends_1] : cleave_point_ends_1;
// OPENMP: number_body(&cleave_idx_self, &cleave_idx_left, cleave_dat_out + 2 * (size_t)cleave_e);
// MUTATE OPENMP s/cleave_number_self\[cleave_e\] : cleave_e/cleave_e : cleave_e/
// MUTATE OPENMP s/cleave_launch->number\[1\]/cleave_launch->number[0]/

// ---- optional arguments: NULL where they are off, which also must not be added to
// OPENMP-LABEL: static void maybe_fused_range(
// OPENMP: maybe_body(cleave_gbl_on, cleave_dat_node != NULL ? cleave_dat_node + 2 * (size_t)cleave_point_ends_0 : NULL,
// OPENMP-SAME: cleave_dat_w != NULL ? cleave_dat_w + cleave_e : NULL, cleave_dat_res + 4 * (size_t)cleave_point_sides_0,
// OPENMP-SAME: cleave_dat_count != NULL ? cleave_dat_count + cleave_point_sides_1 : NULL);
// The body is not taken apart: it adds to private copies, which begin at zero.
// OPENMP-LABEL: static void maybe_split_colour(
// OPENMP: double cleave_tmp_res[819][4];
// OPENMP: double cleave_tmp_other[819][1];
// OPENMP: memset(cleave_tmp_res[cleave_i], 0, sizeof cleave_tmp_res[cleave_i]);
// OPENMP: memset(cleave_tmp_other[cleave_i], 0, sizeof cleave_tmp_other[cleave_i]);
// OPENMP: maybe_body(
// OPENMP-SAME: cleave_tmp_res[cleave_i], cleave_dat_count != NULL ? cleave_tmp_other[cleave_i] : NULL);
// OPENMP: // stage 2: update through sides[0]
// OPENMP: for (int cleave_d = 0; cleave_d < 4; cleave_d++) {
// OPENMP-NEXT: cleave_to_res[cleave_d] += cleave_tmp_res[cleave_i][cleave_d];
// OPENMP: // stage 3: update of count through sides[1]
// OPENMP: cleave_to_count = cleave_dat_count != NULL ? cleave_dat_count + cleave_point_sides_1 : NULL;
// OPENMP-NEXT: if (cleave_to_count != NULL) {
// OPENMP-NEXT: cleave_to_count[0] += cleave_tmp_other[cleave_i][0];
// MUTATE OPENMP s/cleave_dat_w != NULL \? (cleave_dat_w \+ cleave_e) : NULL/\1/
// MUTATE OPENMP s/memset\(cleave_tmp_other.*//
// MUTATE OPENMP s/if \(cleave_to_count != NULL\) \{/{/

// ---- in place, by ranges or colours alone: what elements write has no sums that could be split off
// OPENMP-LABEL: static void fill_fused_range(
// OPENMP: fill_body(cleave_dat_x + 2 * (size_t)cleave_point_ends_0, cleave_dat_node + 2 * (size_t)cleave_point_ends_1);
// OPENMP-NOT: static void fill_{{(split|twopass)}}

// The columns of each map that the loop goes through; a bit for each that it modifies through.
// OPENMP: corners_lists[] = {
// OPENMP-NEXT: {0, 4, {0, 1, 2, 3}, 0xfu}, // pcell
// OPENMP: maybe_lists[] = {
// OPENMP-NEXT: {1, 1, {0}, 0x0u}, // ends
// OPENMP-NEXT: {3, 2, {0, 1}, 0x3u}, // sides
// OPENMP: fill_lists[] = {
// OPENMP-NEXT: {0, 2, {0, 1}, 0x2u}, // ends
// MUTATE OPENMP s/0x2u/0x3u/
// MUTATE OPENMP s/\{3, 2, \{0, 1\}/{3, 2, {1, 0}/

// ---- on a GPU
// CUDA-LABEL: CLEAVE_KERNEL void number_direct(
// CUDA: cleave_idx_self = cleave_number_self != NULL ? cleave_number_self[cleave_e] : cleave_e;
// CUDA: cleave_idx_left = cleave_number_left != NULL ? cleave_number_left[cleave_point_ends_1] : cleave_point_ends_1;
// CUDA-LABEL: static void number_direct_run(
// CUDA: CLEAVE_LAUNCH(
// CUDA-SAME: cleave_launch->number[0], cleave_launch->number[1]);
// MUTATE CUDA s/cleave_launch->number\[0\], cleave_launch->number\[1\]/cleave_launch->number[1], cleave_launch->number[0]/

// An optional dat has its room, and is staged where it is there. Where a loop has none, its map may be missing, too.
// CUDA-LABEL: CLEAVE_KERNEL void maybe_fused_colour(
// CUDA: cleave_in_node_ends = cleave_shared<const double>(0);
// CUDA-NEXT: if (cleave_dat_node != NULL) {
// CUDA-NEXT: cleave_stage_in<double, 2>(0, cleave_dat_node, cleave_points_ends);
// CUDA-NEXT: {{^ *[}]$}}
// CUDA: if (cleave_dat_count != NULL) {
// CUDA-NEXT: cleave_stage_zero<double, 1>(cleave_space.out1_count_sides, cleave_points_sides);
// CUDA-NEXT: }
// CUDA-NEXT: cleave_barrier();
// CUDA: maybe_body(cleave_gbl_on.v, cleave_dat_node != NULL ? (const double *)(cleave_in_node_ends + 2 * cleave_local_ends_0) : NULL,
// CUDA-SAME: cleave_inc_res, cleave_dat_count != NULL ? cleave_inc_other : NULL);
// CUDA: cleave_out_res_sides[4 * cleave_local_sides_0 + cleave_d] += cleave_inc_res[cleave_d];
// CUDA: if (cleave_dat_count != NULL) {
// CUDA-NEXT: cleave_out_count_sides[cleave_local_sides_1] += cleave_inc_other[0];
// CUDA: if (cleave_dat_count != NULL) {
// CUDA-NEXT: cleave_stage_out_add<double, 1>(cleave_dat_count, cleave_out_count_sides, cleave_points_sides);
// CUDA-LABEL: CLEAVE_KERNEL void maybe_fused_atomic(
// CUDA: cleave_point_ends_0 = cleave_map_ends != NULL ? cleave_map_ends[(size_t)cleave_e * cleave_width_ends + 0] : 0;
// MUTATE CUDA /void maybe_fused_colour\(/,/^}/ { /stage_in<double, 2>/,/}/ s/^( *)\}/\1cleave_barrier(); }/ }
// MUTATE CUDA /void maybe_fused_colour\(/,/^}/ { /Staged out/,$ s/if \(cleave_dat_count != NULL\) // }
// MUTATE CUDA s/cleave_map_ends != NULL \? (.*) : 0;/\1;/

// In place: elements of one colour in a block take turns, blocks of one colour run in one launch.
// TURNS-LABEL: CLEAVE_KERNEL void fill_fused_colour(
// TURNS-NOT: cleave_stage_
// TURNS: for (int cleave_colour = 0; cleave_colour < cleave_colours; cleave_colour++) {
// TURNS-NEXT: if (cleave_turn == cleave_colour) {
// TURNS: fill_body(cleave_dat_x + 2 * (size_t)cleave_point_ends_0, cleave_dat_node + 2 * (size_t)cleave_point_ends_1);
// TURNS-NEXT: }
// TURNS-NEXT: cleave_barrier();
// TURNS-LABEL: static void fill_fused_colour_run(
// TURNS: for (int cleave_colour = 0; cleave_colour < cleave_plan->colours; cleave_colour++) {
// TURNS-LABEL: CLEAVE_KERNEL void fill_fused_global_colour(
// TURNS: cleave_e = cleave_element[cleave_position];
// TURNS: fill_body(cleave_dat_x + 2 * (size_t)cleave_point_ends_0, cleave_dat_node + 2 * (size_t)cleave_point_ends_1);
// MUTATE TURNS /void fill_fused_colour\(/,/^}/ s/cleave_barrier\(\);//
// MUTATE TURNS /void fill_fused_colour\(/,/^}/ s/if \(cleave_turn == cleave_colour\) //
