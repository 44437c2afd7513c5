/* template.h: skeletons of generated text, with named holes.
 *
 * A template is a file codegen/templates/NAME.tpl that CMake embeds as template_NAME; the list of
 * them is in codegen/CMakeLists.txt. {{hole}} in it is replaced by what the hole's function prints.
 * A hole alone on its line prints whole lines, indented like the hole; when it prints nothing, the
 * line is gone. Templates have no conditions and no loops: a variant of another structure is
 * another template.
 */
#ifndef CLEAVE_CODEGEN_TEMPLATE_H
#define CLEAVE_CODEGEN_TEMPLATE_H

#include "codegen/out.h"
#include "templates.h" /* made from the list: template_NAME of each */

struct emit;

struct hole {
    const char *name;
    void (*print)(struct emit *emit);
};

/* Prints `text`; `hole` ends with a NULL name. A hole that the list does not have makes
 * out->failed. */
void template_print(struct emit *emit, const char *text, const struct hole *hole);
/* template_print() for a function whose parameters or locals depend on its text: see
 * emit_mentions(). */
void template_function(struct emit *emit, const char *text, const struct hole *hole);

#define TEMPLATE(name) extern const char template_##name[]
TEMPLATE(openmp_direct);
TEMPLATE(openmp_colour);
TEMPLATE(openmp_direct_lanes);
TEMPLATE(openmp_range);
TEMPLATE(openmp_range_lanes);
TEMPLATE(openmp_rest);
TEMPLATE(openmp_run_lanes);
TEMPLATE(openmp_split);
TEMPLATE(openmp_piece);
TEMPLATE(openmp_loops);
TEMPLATE(openmp_update);
TEMPLATE(openmp_points);
TEMPLATE(openmp_run);
TEMPLATE(openmp_elements);
TEMPLATE(openmp_nothing);
TEMPLATE(openmp_gather);
TEMPLATE(cuda_elements);
TEMPLATE(cuda_warps);
TEMPLATE(cuda_elements_reduce);
TEMPLATE(cuda_blocks);
TEMPLATE(cuda_turns);
TEMPLATE(cuda_points);
TEMPLATE(cuda_owners);
TEMPLATE(cuda_global);
TEMPLATE(cuda_sums);
TEMPLATE(cuda_sums_bytes);
TEMPLATE(cuda_whole);
TEMPLATE(cuda_contribution);
TEMPLATE(cuda_update_colour);
TEMPLATE(cuda_update_atomic);
TEMPLATE(cuda_space);
TEMPLATE(cuda_scratch);
TEMPLATE(cuda_run);
TEMPLATE(cuda_launch);
TEMPLATE(cuda_launch_colours);
TEMPLATE(cuda_launch_global);
TEMPLATE(lane_passes);
TEMPLATE(unit);
#undef TEMPLATE

#endif
