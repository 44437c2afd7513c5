/* access.h: checks what a kernel does with its arguments against how the loop declares them.
 *
 * Program in, diagnostics out; the only fields changed are arg->access (a direct OP_INC is an
 * OP_RW; see access_promote.c for others) and loop->sequential_reason. Called by the front end as
 * its last step.
 */
#ifndef CLEAVE_ACCESS_H
#define CLEAVE_ACCESS_H

#include "pass/ir/diag.h"
#include "pass/ir/loop_ir.h"

/* Checks every loop of the program. Only trees are looked into: for an opaque kernel only the
 * prototype and the calls are checked, and nothing is reported about an opaque helper.
 *
 * requires: kernels and helpers are resolved (function lists, callees); a helper whose body was not
 *           found has neither body nor opaque_text.
 * refuses:  read_written, inc_read, inc_assigned, inc_truncated, out_of_dim, out_of_rows,
 *           type_mismatch, parameter_shape, argument_count, recursion, calls_elsewhere.
 * warns:    inc_direct, alias_in_loop, may_exceed_dim, may_exceed_rows, write_read.
 * notes:    rw_read, rw_inc, write_may_read, constant_changed.
 * ensures:  a loop with an accepted error (--cleave-access=warn) or an order-dependent alias has a
 *           sequential_reason; a note at the loop reports the error, its own warning the alias. */
void access_check(struct program *program, struct diag *diag, bool accept_alias);

#endif
