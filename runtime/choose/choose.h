/* choose.h: the one place where the runtime decides what runs a call: which variant, on which target, with
 * blocks of which size, by how many threads of the host. */
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
int cleave_choose(const struct cleave_call *call, struct cleave_choice *choice);

/* ---- copies.c --------------------------------------------------------------------------------- */

/* 1: what the variant asks for pays for the call's loop as far as is known, or the user names it. */
int cleave_derived_allowed(const struct cleave_call *call, const struct cleave_variant *variant);
/* Makes the copies current that the variant asks for, and sets derived[0..variant->deriveds-1] to them.
 * plan: the variant's, whose arrays are on the device; the dats' copies there are current. 0: there is
 * not enough memory, and the loop does without from now on (cleave_generation has grown). */
int cleave_derived_require(const struct cleave_call *call, const struct cleave_variant *variant,
                           const struct cleave_plan_entry *plan, const void **derived);

/* ---- race.c --------------------------------------------------------------------------------- */

/* The variant's rank (cleave_gen.h) for this call: the compiler's; but for loops in place, global colours are
 * the best while the cache holds what the call moves. */
int cleave_variant_rank(const struct cleave_call *call, const struct cleave_loop *loop,
                        const struct cleave_variant *variant);

/* ---- deterministic.c ------------------------------------------------------------------------ */

/* 1: the order in which elements modify points shows in this call's result, and the user wants it
 * to be the same in every run: only variants that are ordered may run. */
int cleave_must_be_ordered(const struct cleave_call *call);
/* Warns where the call must be ordered and no variant of the loop is, as in programs compiled with
 * --cleave-emit=fast. Returns 1 when it warned. device: its name. */
int cleave_say_unordered(const struct cleave_call *call, const struct cleave_loop *loop,
                         const char *device);
/* 1: the points that the call modifies are very many, and its elements name nearly none of them: on
 * a GPU colours are faster than visiting points, and steadier than sums of blocks. */
int cleave_few_points_named(const struct cleave_call *call);
/* 1: elements have so many points that every point summing up its own is slower than colours. */
int cleave_many_points_each(const struct cleave_call *call);
/* 1: it joins values of its elements in a global. */
int cleave_call_reduces(const struct cleave_call *call);
/* 1: results must be the same for all block sizes, and the variant's are not. */
int cleave_blocks_show(const struct cleave_call *call, const struct cleave_variant *variant);

#endif
