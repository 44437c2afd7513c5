/* candidates.c: which variants and block sizes could run a call instead of what the rule chooses:
 * what tuning tries. A candidate reads dats in the layouts of the rule's choice, since another
 * layout would have to be converted there and back for loops that share the dats; and what a
 * setting asks for stays as it is. */
#include "runtime/base/machine.h"
#include "runtime/choose/variants.h"

/* 1: both variants read the dats of all arguments in the same layouts. */
static int same_layouts(const struct cleave_call *call, const struct cleave_variant *a,
                        const struct cleave_variant *b)
{
    for (int n = 0; n < call->args; n++) {
        const int one = a->soa != NULL && a->soa[n];
        const int other = b->soa != NULL && b->soa[n];
        if (one != other) {
            return 0;
        }
    }
    return 1;
}

/* 1: the two agree in what settings ask for. */
static int same_wishes(const struct cleave_variant *a, const struct cleave_variant *b)
{
    const struct cleave_settings *set = &cleave_settings;
    return (set->schedule < 0 || (a->schedule == b->schedule && a->cuts == b->cuts)) &&
           (set->race < 0 || a->race == b->race) && (set->reads < 0 || a->reads == b->reads) &&
           (set->lanes == CLEAVE_LANES_AUTO || (a->lanes != 0) == (b->lanes != 0));
}

/* 1: the variant may run instead of choice->variant. */
static int is_candidate(const struct cleave_call *call, const struct cleave_choice *choice,
                        const struct cleave_variant *other)
{
    return other != choice->variant && cleave_variant_may_run(call, other) &&
           same_layouts(call, choice->variant, other) && same_wishes(choice->variant, other);
}

/* 1: loop l of the match is compiled for the target of the choice. */
static int is_of_target(const struct cleave_call *call, const struct cleave_choice *choice, int l)
{
    return call->match->unit[l]->unit->target == choice->target;
}

int cleave_candidates(const struct cleave_call *call, const struct cleave_choice *choice,
                      const struct cleave_variant **variant, int most)
{
    const int ordered = cleave_must_be_ordered(call);
    const int schedule = cleave_wanted_schedule(call, choice, ordered);
    int count = 0;
    variant[count++] = choice->variant;
    for (int level = CLEAVE_BEST_FIT; level >= 0; level--) {
        for (int l = 0; l < call->match->loops; l++) {
            const struct cleave_loop *loop = call->match->loop[l];
            for (int v = 0; v < loop->variants && is_of_target(call, choice, l); v++) {
                const struct cleave_variant *other = &loop->variant[v];
                if (count < most && is_candidate(call, choice, other) &&
                    cleave_variant_fitness(call, choice, other, schedule, ordered) == level) {
                    variant[count++] = other;
                }
            }
        }
    }
    return count;
}

int cleave_candidates_further(const struct cleave_call *call, const struct cleave_choice *choice,
                              const struct cleave_variant **variant, int most)
{
    int count = 0;
    for (int v = 0; v < choice->loop->further; v++) {
        const struct cleave_variant *other = &choice->loop->further_variant[v];
        if (count < most && is_candidate(call, choice, other)) {
            variant[count++] = other;
        }
    }
    return count;
}

int cleave_choose_named(const struct cleave_call *call, struct cleave_choice *choice,
                        const char *name)
{
    for (int l = 0; l < call->match->loops; l++) {
        const struct cleave_loop *loop = call->match->loop[l];
        for (int v = 0; v < loop->variants && is_of_target(call, choice, l); v++) {
            if (strcmp(loop->variant[v].name, name) == 0) {
                choice->unit = call->match->unit[l];
                choice->loop = loop;
                choice->variant = &loop->variant[v];
                return 1;
            }
        }
    }
    return 0;
}

/* Block sizes that are tried besides the usual one. */
static const int device_sizes[] = {64, 128, 256, 512};
static const int host_sizes[] = {256, 1024};

/* The most threads that a block of the variant's kernel may have. */
static int most_threads(const struct cleave_choice *choice)
{
    const struct target_ops *device = choice->device;
    const int most =
        device != NULL && device->most_threads != NULL && choice->variant->kernel != NULL
            ? device->most_threads(choice->variant->kernel)
            : 0;
    return most > 0 ? most : 1024;
}

int cleave_candidate_blocks(const struct cleave_call *call, const struct cleave_choice *choice,
                            int size[CLEAVE_BLOCK_SIZES])
{
    const int on_device = choice->device != NULL;
    const int *sizes = on_device ? device_sizes : host_sizes;
    const int all = (int)(on_device ? sizeof device_sizes : sizeof host_sizes) / (int)sizeof(int);
    int count = 0;
    size[count++] = cleave_usual_block(call, choice);
    if (cleave_settings.block_size > 0 || (!on_device && !cleave_size_matters(choice->variant))) {
        return count;
    }
    for (int s = 0; s < all; s++) {
        if (sizes[s] != size[0] && sizes[s] <= most_threads(choice) && sizes[s] < call->set->size) {
            size[count++] = sizes[s];
        }
    }
    return count;
}
