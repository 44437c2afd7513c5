/* cuda_unstaged.c: variants that stage nothing: direct loops, and loops that modify data in place through a
 * map, which only colours can run in parallel; and the fused schedule by colours of the whole set. */
#include "codegen/cuda/cuda.h"
#include "splitter/graph/graph.h"

void cuda_print_global_colour(struct emit *emit, struct emitted_loop *loop,
                              const struct schedule *fused)
{
    struct cuda_variant variant = cuda_start_variant(
        emit, loop, fused, fused == NULL ? "_fused_global_colour" : "_global_colour",
        CLEAVE_RACE_GLOBAL, CLEAVE_PLAN_COLOURS);
    cuda_add_kernel(&variant, FORM_GLOBAL, 0, fused == NULL ? 0 : 1,
                    fused == NULL ? "in place, global colouring" : "fused, global colouring");
    cuda_add_scratch(&variant);
    cuda_finish_variant(&variant);
}

/* One thread per element, in place or nothing through a map. */
static void print_in_turns(struct emit *emit, struct emitted_loop *loop)
{
    bool in_place = emit->shape->in_place;
    struct cuda_variant variant =
        cuda_start_variant(emit, loop, NULL, in_place ? "_fused_colour" : "_direct",
                           in_place ? CLEAVE_RACE_COLOUR : CLEAVE_RACE_NONE,
                           in_place ? CLEAVE_PLAN_BLOCKS : CLEAVE_PLAN_NONE);
    cuda_add_kernel(&variant, in_place ? FORM_TURNS : FORM_ELEMENTS, 0, 0,
                    in_place ? "in place, hierarchical colouring" : "one thread per element");
    cuda_add_scratch(&variant);
    cuda_finish_variant(&variant);
}

/* 1: the body computes so much that its turns in a block, one after the other, take longer than what
 * colours of the whole set read again. On an H200, 4.1 million hexahedra (testsuite/bench/results,
 * inplace-h200): a body of 48 flops on 48 components 1.04 ms in blocks and 1.74 ms by global colours, one
 * of 240 flops 2.88 and 0.98 ms. Bodies that are not taken apart are large. */
static bool computes_much(const struct loop *loop)
{
    enum { FLOPS_PER_COMPONENT = 2 };
    double flops = 0;
    double components = 0;
    for (int n = 0; loop->graph != NULL && n < loop->graph->nodes; n++) {
        flops += loop->graph->node[n].flops;
    }
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        components += arg->kind == ARG_DAT && arg->is_indirect ? place_columns(arg) * arg->dim : 0;
    }
    return loop->graph == NULL || flops > FLOPS_PER_COMPONENT * components;
}

/* Loops that add nothing through a map. Those in place exist by both kinds of colours, the one that is
 * better on large meshes first. */
void cuda_print_unstaged(struct emit *emit, struct emitted_loop *loop)
{
    bool in_place = emit->shape->in_place;
    bool global_first = in_place && computes_much(emit->loop);
    if (global_first) {
        cuda_print_global_colour(emit, loop, NULL);
    }
    print_in_turns(emit, loop);
    if (in_place && !global_first) {
        cuda_print_global_colour(emit, loop, NULL);
    }
}
