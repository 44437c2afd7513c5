/* access.h: checks what a kernel does with its arguments against how the loop declares them.
 *
 * Program in, diagnostics out; the only fields changed are arg->access (a direct OP_INC is an
 * OP_RW) and loop->sequential_reason. Called by the front end as its last step. The recogniser of
 * increments is shared with splitter/, so that both mean the same by "only adds".
 */
#ifndef CLEAVE_ACCESS_H
#define CLEAVE_ACCESS_H

#include "pass/diag.h"
#include "pass/loop_ir.h"

/* Checks every loop of the program. What has no tree is not looked into: of an opaque kernel only
 * the prototype and the calls are checked, and nothing is said about an opaque helper.
 *
 * requires: kernels and helpers are resolved (function lists, callees); a helper whose body was not
 *           found has neither body nor opaque_text.
 * refuses:  read_written, inc_read, inc_assigned, out_of_dim, out_of_rows, type_mismatch,
 *           parameter_shape, argument_count, recursion, no_device_form; warns: inc_direct,
 *           alias_in_loop.
 * ensures:  a loop with an accepted error (--cleave-access=warn) or an order-dependent alias has a
 *           sequential_reason; the first is said with a note at the loop, the second by its
 * warning. */
void access_check(struct program *program, struct diag *diag, bool accept_alias);

/* What an increment adds to: parameter `param` of the kernel, component `component` of it (-1: the
 * subscript is not constant), in row `column` of a vector argument p[column][component] (-1: not
 * constant; 0 when the argument is no vector). `value` is what is added, or what is subtracted when
 * `negative`; NULL where no one subtree is that value: for ++ and --, and for p[k] = p[k] + x + y.
 */
struct increment {
    int param;
    int component;
    int column;
    bool negative;
    const struct expr *place; /* the lvalue that is added to */
    const struct expr *value;
};

/* True when `stmt` is an EXPR statement that only adds to (or subtracts from) one component of a
 * parameter of `kernel`, and computes what it adds without reading that parameter:
 * p[k] += x, p[k] -= x, p[k] = p[k] + x, p[k] = x + p[k], p[k] = p[k] - x, ++p[k], p[k]--, with *p
 * for p[0] and p[c][k] for vector arguments. Pointers that alias a parameter are not followed. */
bool access_is_increment(const struct stmt *stmt, const struct function *kernel,
                         struct increment *increment);

#endif
