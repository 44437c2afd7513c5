/* choose.h: the one place where the runtime decides what runs a call: which variant of those that
 * were compiled for the targets in use, with blocks of which size, by how many threads of the host.
 */
#ifndef CLEAVE_CHOOSE_H
#define CLEAVE_CHOOSE_H

#include "runtime/call/call.h"
#include "runtime/choose/pace.h"

/* ---- choice.c ------------------------------------------------------------------------------- */

/* The decision for a call. Valid until cleave_generation grows. */
struct cleave_choice {
    struct cleave_unit_entry *unit;
    const struct cleave_loop *loop;
    const struct cleave_variant *variant;
    enum cleave_target target;
    const struct target_ops *device; /* NULL: the host */
    struct cleave_plan_entry *plan;  /* NULL: the variant needs none */
    int block_size;                  /* elements per block, at most */
    int threads; /* of the host (cleave_pace_run); 0: as measured times say, and on a device */
    size_t shared_bytes; /* dynamic shared memory of a block */
    /* cleave_plans_arrived if a variant that suits the call better waits for its plan; else 0. */
    unsigned long awaits;
};

/* 1: no plan has come since for which a better variant waits. */
static inline int cleave_choice_lasts(const struct cleave_choice *choice)
{
    return choice->awaits == 0 || choice->awaits == cleave_plans_arrived;
}

/* 1: the call can do without running now, and its choice waits for a plan. */
static inline int cleave_runs_later(const struct cleave_call *call,
                                    const struct cleave_choice *choice)
{
    return call->joins && choice->awaits != 0;
}

/* Fills the choice for a call whose match is known, and makes the plan that it needs. While the
 * worker makes plans, a variant without a plan is chosen if there is one; else the call waits,
 * unless it joins loops: these can run meanwhile. 0: not yet (cleave_runs_later), or no variant can
 * run, which was said once for the call site. */
int cleave_choose(struct cleave_call *call, struct cleave_choice *choice);

/* Chooses the best variant without a plan until the plan comes that the caller has asked for; in:
 * unit, loop, target and device. 0: there is no such variant; choice->awaits is set all the same.
 */
int cleave_choose_meanwhile(struct cleave_call *call, struct cleave_choice *choice);

/* Sets unit, loop, target and device of the choice as cleave_choose() does. 0: no target is usable.
 */
int cleave_choose_target(const struct cleave_call *call, struct cleave_choice *choice);
/* 1: no setting and no order of sums forbids the variant, and it does without copies that do not
 * pay. */
int cleave_variant_may_run(const struct cleave_call *call, const struct cleave_variant *variant);

/* ---- candidates.c ------------------------------------------------------------------------------
 */

/* Fills variant[] with the variants that may run instead of choice->variant: they read dats in its
 * layouts and agree with it in what settings ask for. Some may be of another unit of the target
 * (cleave_choose_named). choice->variant comes first, then the others,
 * those first that suit the call best by rule. Returns how many, at most `most`. */
int cleave_candidates(const struct cleave_call *call, const struct cleave_choice *choice,
                      const struct cleave_variant **variant, int most);
/* Fills variant[] with the variants of choice->loop that were not compiled (cleave_loop.further)
 * and that could run instead of choice->variant. Returns how many, at most `most`. */
int cleave_candidates_further(const struct cleave_call *call, const struct cleave_choice *choice,
                              const struct cleave_variant **variant, int most);
/* Sets unit, loop and variant of the choice to the call's variant of that name for choice->target:
 * one of the program's, or one that was compiled while it runs. 0: there is none. */
int cleave_choose_named(const struct cleave_call *call, struct cleave_choice *choice,
                        const char *name);
/* Fills size[] with the block sizes of choice->variant that may be tried, the usual one first.
 * Returns how many: 1 where the block size does not matter, or a setting gives it. */
enum { CLEAVE_BLOCK_SIZES = 5 };
int cleave_candidate_blocks(const struct cleave_call *call, const struct cleave_choice *choice,
                            int size[CLEAVE_BLOCK_SIZES]);
enum cleave_blocks {
    BLOCKS_NONE, /* there is no such plan, or its blocks need too much shared memory */
    BLOCKS_FIT,
    BLOCKS_LATER /* the worker makes the plan */
};
/* Sets block size, plan and shared memory of choice->variant for blocks of this size. If there is
 * no plan, it is made now, or, if `later` allows it, by the worker (cleave_plan_request). */
enum cleave_blocks cleave_choose_blocks(struct cleave_call *call, struct cleave_choice *choice,
                                        int block_size, int later);
/* 1: cleave_choose_blocks() would have to make a plan. */
int cleave_lacks_plan(struct cleave_call *call, const struct cleave_choice *choice, int block_size);

/* ---- copies.c ---------------------------------------------------------------------------------
 */

/* 1: the variant needs no copies of dats, its copies have paid so far, or the user names the
 * variant. */
int cleave_copies_allowed(const struct cleave_call *call, const struct cleave_variant *variant);
/* Makes the copies of dats current that the variant needs, and sets copies[variant->copies] to
 * them. plan: the variant's, with its arrays on the device; the dats must be current there. Returns
 * 0 if there is not enough memory: the loop runs without copies from now on, and cleave_generation
 * has grown. */
int cleave_copies_require(struct cleave_call *call, const struct cleave_variant *variant,
                          const struct cleave_plan_entry *plan, const void **copies);

/* ---- race.c --------------------------------------------------------------------------------- */

/* Predicted seconds of a call in choice->variant, in blocks of choice->block_size; 0: unknown. */
typedef double cleave_expecting(const struct cleave_call *call, const struct cleave_choice *choice);
/* Lets a model, which is above this folder, take part in choices. NULL: none. */
void cleave_choose_by(cleave_expecting *expecting);
/* The variant's rank (cleave_gen.h) for this call: the compiler's, with three exceptions. Global
 * colours are best for loops in place while the call's data fit into the cache; gathers are best
 * for elements of few points if many of them share a point, whole warps if few do; for elements of
 * many points and large sets the model tells which of the two. choice: unit, loop, target, device.
 */
int cleave_variant_rank(const struct cleave_call *call, const struct cleave_choice *choice,
                        const struct cleave_variant *variant);
/* How many times the call's elements modify a point through all columns of one map, on average; of
 * several maps the most; 0: it modifies none. */
double cleave_uses_of_points(const struct cleave_call *call);

/* ---- zeros.c -------------------------------------------------------------------------------- */

/* 1: choice->variant goes by CLEAVE_ZEROS_KNOWN for argument a. */
int cleave_variant_starts(const struct cleave_choice *choice, int a);
/* Bytes of the dats that the call increments and that are probably zero when it begins: those that
 * choice->variant need not read (starts: 1), or that are to be filled for it (0). */
double cleave_zero_bytes(const struct cleave_call *call, const struct cleave_choice *choice,
                         int starts);

/* ---- deterministic.c ------------------------------------------------------------------------ */

/* 1: the call's result depends on the order in which elements modify points, and the user wants
 * equal results in every run: only ordered variants may run. */
int cleave_must_be_ordered(const struct cleave_call *call);
/* Warns if the call must be ordered but the loop has no ordered variant, as with
 * --cleave-emit=fast. Returns 1 if it warned. device: name of the device. */
int cleave_say_unordered(const struct cleave_call *call, const struct cleave_loop *loop,
                         const char *device);
/* 1: the call's elements reach only a small share of a very large set of points: on a GPU, colours
 * are faster than visiting all points, and their time varies less than that of block sums. */
int cleave_few_points_named(const struct cleave_call *call);
/* 1: elements reach so many points that gathering per point is slower than colours. */
int cleave_many_points_each(const struct cleave_call *call);
/* 1: the call has a reduction into a global. */
int cleave_call_reduces(const struct cleave_call *call);
/* 1: results must not depend on the block size, but the variant's do. */
int cleave_blocks_show(const struct cleave_call *call, const struct cleave_variant *variant);

#endif
