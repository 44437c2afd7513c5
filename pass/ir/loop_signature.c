/* loop_signature.c: the pattern of a loop's arguments, by which the runtime finds the loop. */
#include "pass/ir/arena.h"
#include "pass/ir/loop_ir.h"
#include "runtime/api/cleave_gen.h"

static char dat_letter(const struct arg *arg)
{
    if (!arg->is_indirect) {
        return arg->is_point ? 'p' : 'd';
    }
    if (arg->is_vector) {
        return arg->is_point ? 'w' : 'v';
    }
    return arg->is_point ? 'q' : 'i';
}

static char kind_letter(const struct arg *arg)
{
    switch (arg->kind) {
    case ARG_GLOBAL:
        return 'g';
    case ARG_INDEX:
        return 'x';
    case ARG_INFO:
        return 'n';
    default:
        return dat_letter(arg);
    }
}

static char declared_letter(const struct arg *arg)
{
    bool is_read = arg->kind == ARG_INDEX || arg->kind == ARG_INFO;

    return access_letter(arg->is_work ? ACCESS_WORK : is_read ? ACCESS_READ : arg->declared);
}

static int index_of(const struct arg *arg)
{
    if (arg->kind == ARG_INFO) {
        return arg->info_of;
    }
    if (arg->is_vector) {
        return arg->columns;
    }
    return arg->is_indirect ? arg->map_index : 0;
}

const char *loop_signature(struct arena *arena, const struct loop *loop)
{
    struct cleave_sigarg *sig = arena_alloc(arena, (size_t)loop->args * sizeof(*sig));

    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];

        sig[a].kind = kind_letter(arg);
        sig[a].access = declared_letter(arg);
        sig[a].dat = arg->dat;
        sig[a].map = arg->map;
        sig[a].set = arg->set;
        sig[a].index = index_of(arg);
        sig[a].dim = arg->dim;
        sig[a].type = arg->type_name != NULL ? arg->type_name : "";
        sig[a].optional = arg->is_optional;
    }
    int length = cleave_signature(NULL, 0, sig, loop->args);
    char *text = arena_alloc(arena, (size_t)length + 1);
    cleave_signature(text, (size_t)length + 1, sig, loop->args);
    return text;
}
