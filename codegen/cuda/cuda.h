/* cuda.h: what the files of codegen/cuda/ share.
 *
 * cuda.c chooses variants and skeletons, cuda_params.c passes what a kernel needs, cuda_stages.c
 * writes what moves through shared memory.
 */
#ifndef CLEAVE_CODEGEN_CUDA_H
#define CLEAVE_CODEGEN_CUDA_H

#include "codegen/emit.h"
#include "codegen/template.h"

/* What a kernel is launched over, which decides its first parameters. */
enum cuda_form {
    FORM_ELEMENTS, /* (size, chunk): chunks of elements, no plan */
    FORM_BLOCKS,   /* (plan, space): all blocks of the plan at once */
    FORM_COLOURS,  /* (plan, space, first): the blocks of one colour */
    FORM_TURNS     /* (plan, first): likewise, and nothing is staged */
};

enum cuda_form cuda_form(const struct emit *emit);

/* cuda_params.c: the same list, in the same order, as parameters and as arguments. */
void cuda_params(struct emit *emit);
void cuda_arguments(struct emit *emit);
/* Locals of the launching function: READ globals and start values, copied at the call. */
void cuda_values(struct emit *emit);

/* cuda_stages.c */
void cuda_lists(struct emit *emit);
void cuda_stage_in(struct emit *emit);
void cuda_stage_in_barrier(struct emit *emit);
void cuda_zero(struct emit *emit);
void cuda_views(struct emit *emit);
void cuda_shared_adds(struct emit *emit);
void cuda_stage_out(struct emit *emit);
void cuda_updates(struct emit *emit);
/* "res_calc_split": one layout for all variants of a schedule. */
const char *cuda_space_name(struct emit *emit);
void cuda_space_fields(struct emit *emit);
void cuda_space_offsets(struct emit *emit);
void cuda_space_others(struct emit *emit);
/* Bytes of shared memory that reductions exchange values in; 0 without reductions. */
size_t cuda_scratch_bytes(const struct loop *loop);
bool cuda_stages_in(const struct emit *emit);

#endif
