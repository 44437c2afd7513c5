/* exec.h: how a loop call runs. op_par_loop (op_lib_loop.h) -> loop.c finds the call (call/calls.c,
 * call/match.c) and submits it -> launch.c takes the choice of an earlier call like it, or has one
 * made (cleave_choose, choose/choice.c), and launch_args.c gathers the data of its arguments ->
 * queue.c, which starts launches on the device (base/target.h), at the latest when somebody looks
 * at their results (cleave_flush, base/flush.c). Where no variant can run, reference.c sets up the
 * sequential loop; verify.c runs both. Calls that one kernel runs together are found before they
 * are prepared, and replaced in the queue (group.h). */
#ifndef CLEAVE_EXEC_H
#define CLEAVE_EXEC_H

#include "runtime/choose/choose.h"
#include "runtime/report/report.h"
#include "runtime/tune/tune.h"

/* ---- targets.c ------------------------------------------------------------------------------ */

/* At op_init: chooses among the targets that units have brought, or begins with the start of the
 * device, after which the next function that needs targets chooses (cleave_settle). */
void cleave_targets_start(void);
/* 1: a device begins, and nobody has waited for its start. */
int cleave_targets_begin(void);
/* Ends the program where the user asks for a backend or a variant that no unit has. */
void cleave_targets_check(void);
/* Before a call that is new: takes in the units of libraries that were opened since. */
void cleave_targets_require(void);
/* Goes on without the device, in a child of fork(): its memory is forgotten, not released. */
void cleave_device_lost(void);

/* ---- queue.c -------------------------------------------------------------------------------- */

/* At op_init: from now on cleave_flush() starts the launches that wait. */
void cleave_queue_start(void);
/* Runs a call whose loop was compiled, on the device at the next flush at the latest. 0: no variant
 * can run (said once), and the reference has to. */
int cleave_submit(struct cleave_call *call);
/* Forgets launches that wait, in a child of fork(), whose parent starts them. */
void cleave_queue_forget(void);
/* At op_exit, after the last flush. */
void cleave_queue_free(void);
/* At op_exit: the next mesh gets a trial of its order (order_trial.c). */
void cleave_order_trial_reset(void);

/* ---- graph.c -------------------------------------------------------------------------------- */

/* Call before a unit is unloaded: forgets the sequences of launches, which lead into its code. */
void cleave_graphs_unload(struct cleave_unit_entry *entry);

/* ---- group.c -------------------------------------------------------------------------------- */

/* At op_exit, when all times of launches have come: keeps for later runs which groups were faster
 * as one kernel. */
void cleave_groups_end(void);
/* Call before a dat is freed: forgets what was computed, or started, for calls with it. */
void cleave_ahead_forget(op_dat dat);
/* Call when a unit is unloaded, after cleave_sites_unload(): forgets its groups. */
void cleave_groups_unload(struct cleave_unit_entry *entry);

/* ---- unstored.c ----------------------------------------------------------------------------- */

/* At op_init: from now on values that were not stored can be computed. */
void cleave_unstored_start(void);
/* Call before a loop is called, once it is known what was compiled for it: computes what it reads,
 * or what could not be computed behind it. */
void cleave_unstored_before(const struct cleave_call *call);

/* ---- reference.c ---------------------------------------------------------------------------- */

void cleave_reference_begin(struct cleave_run *run, struct cleave_call *call);
void cleave_reference_end(struct cleave_call *call);

/* ---- launch.c ------------------------------------------------------------------------------- */

/* Runs a variant of the call, or queues its launch; 0 when none of them can run (said once). */
int cleave_launch_call(struct cleave_call *call);

/* ---- combine.c: reductions ------------------------------------------------------------------ */

/* Memory for each argument's results, [args]; NULL if it is not reduced. */
struct cleave_parts {
    void **value;
    int **element; /* element numbers, of extrema with op_arg_info */
    size_t bytes;  /* of all of them */
};
/* The bytes that results of so many blocks take. Sets parts.value and parts.element to NULL. */
size_t cleave_partials_bytes(const struct cleave_call *call, int blocks, struct cleave_parts parts);
/* Memory for the partial results of launch->blocks blocks and, on a device, for the results: fills
 * both, of which `bytes` is known, and launch->arrived. */
void cleave_partials_place(const struct cleave_call *call, const struct target_ops *device,
                           struct cleave_launch *launch, struct cleave_parts partial,
                           struct cleave_parts result);
/* Memory for the results of a launch on the device alone, in a slot; sets launch->done, too. What
 * is in the slot stays until the next function is called. */
enum { CLEAVE_RESULT_SLOTS = 3 };
void cleave_results_place(const struct cleave_call *call, const struct target_ops *device,
                          struct cleave_launch *launch, struct cleave_parts result, int slot);
/* Before the launch starts: its results are not there. */
void cleave_results_reset(const struct cleave_launch *launch);
/* 1: its results are in another slot than 0. */
int cleave_results_are_apart(const struct cleave_launch *launch);
/* Joins the launch's results with the user's variables; waits for the device if there are any. */
void cleave_partials_combine(const struct cleave_call *call, const struct target_ops *device,
                             const struct cleave_loop *loop, const struct cleave_launch *launch);
/* Returns `bytes` bytes for tmp(e) or the sums of blocks. All loops share this memory: its content
 * lasts for one call. what: for messages, "contributions". */
void *cleave_tmp(const struct cleave_call *call, const struct target_ops *device, size_t bytes,
                 const char *what);
/* Returns the bytes that cleave_tmp() is going to take on the device for so many; 0: it has them.
 */
size_t cleave_tmp_bytes(size_t bytes);
void cleave_partials_free(void);

/* ---- verify_sums.c ---------------------------------------------------------------------------
 */

/* From now on adds up the magnitudes of what the reference adds to each value. Call it when the
 * reference is set up, before its first element. */
void cleave_verify_watch(struct cleave_run *run, struct cleave_call *call);
/* Before the kernel runs for an element of a verified call: run->pointer are the element's. */
void cleave_verify_element(const struct cleave_run *run);

/* ---- verify.c ------------------------------------------------------------------------------- */

/* Keeps what the loop is going to change, before the reference runs. */
void cleave_verify_begin(struct cleave_call *call);
/* After the reference: runs a variant on the same input. 1: it differs, and the reference is to run
 * again, on data that differ in their last bits; then call this once more. */
int cleave_verify_again(struct cleave_call *call);
/* Compares the results; runs a variant if nothing else did. */
void cleave_verify_end(struct cleave_call *call);
/* Says how many calls agreed, when CLEAVE_VERIFY is on. */
void cleave_verify_summary(void);

/* ---- fork.c --------------------------------------------------------------------------------- */

/* Prepares for fork(): a child will find its data on the host and will not wait for threads. */
void cleave_fork_watch(void);
/* 1: this is a child, whose parent uses the device. */
int cleave_fork_lost_device(void);
/* Says once, before the first loop of a child, how it runs; ends the program where it cannot. */
void cleave_fork_say(void);

#endif
