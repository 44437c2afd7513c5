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
    size_t shared_bytes;             /* dynamic shared memory of a block */
};

/* Fills the choice for a call whose match is known, and makes the plan that it needs. 0: no variant
 * can run, which was said once for the call site. */
int cleave_choose(struct cleave_call *call, struct cleave_choice *choice);

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

/* The variant's rank (cleave_gen.h) for this call: the compiler's, except that global colours are
 * best for loops in place while the call's data fit into the cache. */
int cleave_variant_rank(const struct cleave_call *call, const struct cleave_loop *loop,
                        const struct cleave_variant *variant);

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
