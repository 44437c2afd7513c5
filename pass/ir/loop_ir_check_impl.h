/* loop_ir_check_impl.h: what the parts of the checker share; nobody else includes it.
 *
 * loop_ir_check.c checks the program's lists and functions, loop_ir_check_tree.c one body,
 * loop_ir_check_loop.c one loop.
 * Every check returns NULL, or a message in the arena that names the node and the broken rule.
 */
#ifndef CLEAVE_LOOP_IR_CHECK_IMPL_H
#define CLEAVE_LOOP_IR_CHECK_IMPL_H

#include "pass/ir/loop_ir.h"

/* `what` names the owner of the type in messages. */
const char *check_type(const struct program *program, const struct type *type, const char *what);
const char *check_name(const struct program *program, const char *name, const char *what);
bool check_lists_global(const struct program *program, const struct var *var);

/* The body of a user's function. */
const char *check_body(const struct program *program, const struct function *function);
/* The body of a stage, which is not NULL. */
const char *check_stage_body(const struct program *program, const struct loop *loop,
                             const struct schedule *schedule, const struct stage *stage);
/* The initialiser of a table: constants only. */
const char *check_table(const struct program *program, const struct var *var);

const char *check_loop(const struct program *program, int number);

#endif
