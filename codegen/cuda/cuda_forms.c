/* cuda_forms.c: the forms that kernels have: skeletons and parameters of each. */
#include "codegen/cuda/cuda.h"

static const struct cuda_form_row forms[FORMS] = {
    [FORM_ELEMENTS] = {.skeleton = template_cuda_elements,
                       .reduces = template_cuda_elements_reduce,
                       .launch = template_cuda_launch,
                       .updates = "atomic updates of memory",
                       .tmp_format = "cleave_tmp_%s[cleave_e]",
                       .block_size = true},
    [FORM_WARPS] = {.skeleton = template_cuda_warps,
                    .launch = template_cuda_launch,
                    .block_size = true},
    [FORM_GLOBAL] = {.skeleton = template_cuda_global,
                     .launch = template_cuda_launch_global,
                     .updates = "global colouring",
                     .tmp_format = "cleave_tmp_%s[cleave_e]",
                     .plan = true,
                     .block_size = true},
    [FORM_BLOCKS] = {.skeleton = template_cuda_blocks,
                     .launch = template_cuda_launch,
                     .blocks = true,
                     .stages = true,
                     .plan = true},
    [FORM_COLOURS] = {.skeleton = template_cuda_blocks,
                      .launch = template_cuda_launch_colours,
                      .updates = "hierarchical colouring",
                      .tmp_format = "%s",
                      .blocks = true,
                      .stages = true,
                      .plan = true},
    [FORM_TURNS] = {.skeleton = template_cuda_turns,
                    .launch = template_cuda_launch_colours,
                    .blocks = true,
                    .plan = true},
    [FORM_POINTS] = {.skeleton = template_cuda_points,
                     .launch = template_cuda_launch,
                     .updates = "one thread per point",
                     .tmp_format = "cleave_tmp_%s[cleave_e]",
                     .plan = true},
    [FORM_OWNERS] = {.skeleton = template_cuda_owners,
                     .launch = template_cuda_launch,
                     .updates = "one thread per point",
                     .stages = true,
                     .plan = true},
    [FORM_SUMS] = {.skeleton = template_cuda_sums, .launch = template_cuda_launch, .plan = true},
};

const struct cuda_form_row *cuda_form(enum cuda_form form)
{
    return &forms[form];
}
