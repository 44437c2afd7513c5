/* loop_ir_check_loop.c: the invariants of loops and their arguments. See loop_ir_check_impl.h. */
#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/loop_ir_check_impl.h"

/* The first rule that an argument breaks; NULL when there is none. */
static const char *map_rule(const struct arg *arg)
{
    if (!arg->is_indirect) {
        if (arg->map != -1 || arg->is_vector) {
            return "a direct argument has no map (class -1) and is no vector";
        }
    } else if (arg->map < 0 || arg->map_text == NULL) {
        return "an indirect argument has a map";
    } else if (!arg->is_vector && arg->map_index < 0) {
        return "an indirect argument that is no vector has a column";
    }
    return arg->is_vector
               ? (arg->columns >= 1 ? NULL : "a vector argument has columns")
               : (arg->columns == 1 ? NULL : "an argument that is no vector has 1 column");
}

/* Whether `access` may hold for an argument in place of the one that was declared. */
static bool may_hold(const struct arg *arg)
{
    if (arg->kind != ARG_DAT) {
        return arg->access == arg->declared;
    }
    switch (arg->declared) {
    case ACCESS_RW:
        return arg->access == ACCESS_RW || arg->access == ACCESS_READ ||
               (arg->access == ACCESS_INC && arg->is_indirect);
    case ACCESS_WRITE:
        return arg->access == ACCESS_WRITE || arg->access == ACCESS_RW;
    case ACCESS_INC:
        return arg->access == (arg->is_indirect ? ACCESS_INC : ACCESS_RW);
    default:
        return arg->access == arg->declared;
    }
}

static const char *arg_rule(const struct loop *loop, const struct arg *arg)
{
    if (arg->kind != ARG_INDEX && arg->type == NULL) {
        return "has no type";
    }
    if (arg->dim < 1 && arg->dim != -1) {
        return "its dim is at least 1, or -1 when not known";
    }
    if (!may_hold(arg)) {
        return "its access is what was declared, or follows from what the kernel does";
    }
    if (arg->kind == ARG_DAT && arg->dat < 0) {
        return "a dat has a class";
    }
    if (arg->is_soa && arg->kind != ARG_DAT) {
        return "only a dat is a structure of arrays";
    }
    if (arg->kind != ARG_INDEX && arg->dat_text == NULL) {
        return "has the text of its dat";
    }
    if ((arg->kind == ARG_GLOBAL || arg->kind == ARG_INFO) && arg->is_indirect) {
        return "only a dat or an index has a map";
    }
    if (arg->kind == ARG_INFO && (arg->info_of < 0 || arg->info_of >= loop->args ||
                                  (loop->arg[arg->info_of].declared != ACCESS_MIN &&
                                   loop->arg[arg->info_of].declared != ACCESS_MAX))) {
        return "a payload goes with an OP_MIN or OP_MAX argument";
    }
    return map_rule(arg);
}

static bool has_function(const struct program *program, const struct function *function)
{
    for (int n = 0; n < program->functions; n++) {
        if (program->function[n] == function) {
            return true;
        }
    }
    return false;
}

static const char *loop_rule(const struct program *program, const struct loop *loop)
{
    if (loop->name == NULL || loop->call_text == NULL || loop->signature == NULL ||
        loop->set_text == NULL) {
        return "has a name, a call text, a signature and a set text";
    }
    if (loop->kernel == NULL) {
        return loop->sequential_reason != NULL
                   ? NULL
                   : "without a kernel it has a reason to be sequential";
    }
    if (loop->kernel->kind != FUNCTION_USER || !has_function(program, loop->kernel)) {
        return "its kernel is a user's function and is listed";
    }
    return loop->kernel->params == loop->args || loop->sequential_reason != NULL
               ? NULL
               : "its kernel has as many parameters as it has arguments";
}

static const char *check_stages(const struct program *program, const struct loop *loop)
{
    const char *message = NULL;

    for (int n = 0; n < loop->schedules; n++) {
        const struct schedule *schedule = &loop->schedule[n];

        for (int k = 0; k < schedule->stages && message == NULL; k++) {
            if (schedule->stage[k].body != NULL) {
                message = check_stage_body(program, loop, schedule, &schedule->stage[k]);
            }
        }
    }
    return message;
}

const char *check_loop(const struct program *program, int number)
{
    const struct loop *loop = &program->loop[number];
    const char *message = check_name(program, loop->id, "loop");
    const char *rule;

    if (message != NULL) {
        return message;
    }
    for (int n = 0; n < number; n++) {
        if (strcmp(program->loop[n].id, loop->id) == 0) {
            return arena_format(program->arena, "two loops have the id '%s'", loop->id);
        }
    }
    rule = loop_rule(program, loop);
    if (rule != NULL) {
        return arena_format(program->arena, "loop '%s': %s", loop->id, rule);
    }
    for (int n = 0; n < loop->args; n++) {
        rule = arg_rule(loop, &loop->arg[n]);
        if (rule != NULL) {
            return arena_format(program->arena, "loop '%s', arg %d: %s", loop->id, n, rule);
        }
        if (loop->arg[n].type != NULL) {
            message = check_type(program, loop->arg[n].type, loop->id);
        }
        if (message != NULL) {
            return message;
        }
    }
    return check_stages(program, loop);
}
