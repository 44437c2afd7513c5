/* args.c: the arguments of loops: makes them, checks them against their objects, and writes the
 * pattern by which compiled variants are found. */
#include "runtime/call/call.h"

/* ---- making ------------------------------------------------------------------------------ */

op_arg cleave_arg_none(void)
{
    op_arg arg;
    memset(&arg, 0, sizeof arg);
    arg.index = -1;
    return arg;
}

op_arg op_opt_arg_dat(int opt, op_dat dat, int idx, op_map map, int dim, const char *type,
                      op_access acc)
{
    op_arg arg = op_arg_dat(dat, idx, map, dim, type, acc);
    arg.opt = opt != 0;
    arg.option = 1;
    return arg;
}

op_arg op_arg_dat(op_dat dat, int idx, op_map map, int dim, const char *type, op_access acc)
{
    cleave_require_init(); /* behind op_exit the dat is gone */
    return (op_arg){.argtype = CLEAVE_ARG_DAT,
                    .data = dat != NULL ? dat->data : NULL,
                    .map_data = map != NULL ? map->map : NULL,
                    .index = -1,
                    .dat = dat,
                    .map = map,
                    .idx = idx,
                    .dim = dim,
                    .size = dat != NULL ? dat->size : 0,
                    .opt = 1,
                    .type = type,
                    .acc = acc,
                    .pointer_type = ""};
}

/* A global or a payload. size: bytes of a component, 0 when the type tells it. */
static op_arg variable_arg(int argtype, const void *data, int dim, const char *type, int size,
                           const char *pointer_type)
{
    op_arg arg = cleave_arg_none();
    const struct cleave_type *known = type != NULL ? cleave_type_find(type) : NULL;
    arg.argtype = argtype;
    arg.data = (char *)(uintptr_t)data;
    arg.dim = dim;
    arg.opt = 1;
    arg.type = type;
    arg.pointer_type = pointer_type;
    if (size == 0 && known != NULL) {
        size = (int)known->size;
    }
    arg.size = dim > 0 ? size * dim : 0;
    return arg;
}

op_arg cleave_arg_gbl(int option, int opt, const void *data, int dim, const char *type,
                      const char *pointer_type, op_access acc)
{
    op_arg arg = variable_arg(CLEAVE_ARG_GBL, data, dim, type, 0, pointer_type);
    arg.opt = opt != 0;
    arg.option = option;
    arg.acc = acc;
    return arg;
}

op_arg op_arg_gbl(const void *data, int dim, const char *type, op_access acc)
{
    return cleave_arg_gbl(0, 1, data, dim, type, "", acc);
}

op_arg op_opt_arg_gbl(int opt, const void *data, int dim, const char *type, op_access acc)
{
    return cleave_arg_gbl(1, opt, data, dim, type, "", acc);
}

op_arg op_arg_gbl_char(const void *data, int dim, const char *type, int size, op_access acc)
{
    op_arg arg = variable_arg(CLEAVE_ARG_GBL, data, dim, type, size, "");
    arg.acc = acc;
    return arg;
}

op_arg op_opt_arg_gbl_char(int opt, const void *data, int dim, const char *type, int size,
                           op_access acc)
{
    op_arg arg = op_arg_gbl_char(data, dim, type, size, acc);
    arg.opt = opt != 0;
    arg.option = 1;
    return arg;
}

op_arg op_arg_idx(int idx, op_map map)
{
    op_arg arg = cleave_arg_none();
    arg.argtype = CLEAVE_ARG_IDX;
    arg.map = map;
    arg.map_data = map != NULL ? map->map : NULL;
    arg.idx = idx;
    arg.dim = 1;
    arg.opt = 1;
    arg.type = "int";
    arg.size = (int)sizeof(int);
    arg.pointer_type = "";
    return arg;
}

op_arg cleave_arg_info(const void *data, int dim, const char *type, const char *pointer_type,
                       int ref)
{
    op_arg arg = variable_arg(CLEAVE_ARG_INFO, data, dim, type, 0, pointer_type);
    arg.idx = ref;
    return arg;
}

op_arg op_arg_info(const void *data, int dim, const char *type, int ref)
{
    return cleave_arg_info(data, dim, type, "", ref);
}

op_arg op_arg_info_char(const void *data, int dim, const char *type, int size, int ref)
{
    op_arg arg = variable_arg(CLEAVE_ARG_INFO, data, dim, type, size, "");
    arg.idx = ref;
    return arg;
}

/* ---- checking ---------------------------------------------------------------------------- */

const char *cleave_access_name(op_access access)
{
    static const char *const name[] = {
#define CLEAVE_ACCESS(name, letter, meaning) [OP_##name] = "OP_" #name,
#include "runtime/api/cleave_words.def"
    };
    return access >= OP_READ && access <= OP_WORK ? name[access] : "(unknown access)";
}

/* cleavecc uses OP_READ, OP_WRITE, ... as indices into this table. */
enum {
#define CLEAVE_ACCESS(name, letter, meaning) POSITION_##name,
#include "runtime/api/cleave_words.def"
};
#define CLEAVE_ACCESS(name, letter, meaning)                                                       \
    _Static_assert((int)POSITION_##name == OP_##name, "OP_" #name);
#include "runtime/api/cleave_words.def"

static const char access_letters[] = {
#define CLEAVE_ACCESS(name, letter, meaning) [OP_##name] = letter,
#include "runtime/api/cleave_words.def"
    '\0'};

op_access cleave_access_of_letter(char letter)
{
    const char *found = letter != '\0' ? strchr(access_letters, letter) : NULL;
    return found != NULL ? (op_access)(found - access_letters) : -1;
}

/* The set that the call's increments go to; NULL: it has none through a map. */
static op_set incremented_set(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (cleave_arg_uses_dat(arg) && arg->map != NULL &&
            (arg->acc == OP_INC || arg->acc == OP_MIN || arg->acc == OP_MAX)) {
            return arg->map->to;
        }
    }
    return NULL;
}

int cleave_arg_is_point(const struct cleave_call *call, int a)
{
    const op_arg *arg = &call->arg[a];
    if (!cleave_site_is_group(call->site) || !cleave_arg_uses_dat(arg) || arg->dat == NULL) {
        return 0;
    }
    const op_set set = arg->map != NULL ? arg->map->from : arg->dat->set;
    return set != call->set && set == incremented_set(call);
}

int cleave_arg_is_ahead(const struct cleave_call *call, int a)
{
    return call->ahead != NULL && call->ahead[a];
}

int cleave_arg_is_doubled(const struct cleave_call *call, int a)
{
    if (cleave_arg_is_ahead(call, a)) {
        return 1;
    }
    if (call->arg[a].acc == OP_READ || call->arg[a].map != NULL || !cleave_arg_is_point(call, a)) {
        return 0;
    }
    for (int b = 0; b < call->args; b++) {
        const op_arg *arg = &call->arg[b];
        if (cleave_arg_uses_dat(arg) && arg->dat == call->arg[a].dat && arg->map != NULL &&
            arg->acc == OP_READ && !cleave_arg_is_point(call, b)) {
            return 1;
        }
    }
    return 0;
}

op_set cleave_arg_set(const struct cleave_call *call, int a)
{
    const op_arg *arg = &call->arg[a];
    if (arg->map != NULL) {
        return arg->map->from;
    }
    return cleave_arg_uses_dat(arg) ? arg->dat->set : call->set;
}

/* 1: the elements of the argument are on neither the call's set nor its points. */
static int is_apart(const struct cleave_call *call, int a)
{
    return cleave_site_is_group(call->site) && cleave_arg_set(call, a) != call->set &&
           !cleave_arg_is_point(call, a);
}

/* Number of the set that the elements of the argument are on, see cleave_sigarg.set. */
static int set_number(const struct cleave_call *call, int a)
{
    int sets = 0;
    for (int b = 0; b < a && is_apart(call, a); b++) {
        int first = 0;
        while (first < b && cleave_arg_set(call, first) != cleave_arg_set(call, b)) {
            first++;
        }
        if (is_apart(call, b) && cleave_arg_set(call, b) == cleave_arg_set(call, a)) {
            return set_number(call, b);
        }
        sets += first == b && is_apart(call, b);
    }
    return is_apart(call, a) ? sets + 1 : 0;
}

/* Ends the program with an error in argument a (from 0) of the call. */
#define ARG_ERROR(call, a, format, ...)                                                            \
    cleave_fatal("loop '%s' (%s:%d), argument %d: " format, (call)->name, (call)->site->file,      \
                 (call)->site->line, (a) + 1, __VA_ARGS__)

static void check_through_map(const struct cleave_call *call, int a)
{
    const op_arg *arg = &call->arg[a];
    op_map map = arg->map;
    if (map->from != call->set && !cleave_site_is_group(call->site)) {
        ARG_ERROR(call, a, "map '%s' goes from set '%s', but the loop is over set '%s'", map->name,
                  map->from->name, call->set->name);
    }
    if (arg->argtype == CLEAVE_ARG_DAT && arg->idx < 0 && arg->idx >= -map->dim) {
        return;
    }
    if (arg->argtype == CLEAVE_ARG_DAT && arg->idx < -map->dim) {
        ARG_ERROR(call, a, "index %d asks for %d columns, but map '%s' has %d", arg->idx, -arg->idx,
                  map->name, map->dim);
    }
    if (arg->idx < 0 || arg->idx >= map->dim) {
        ARG_ERROR(call, a, "index %d is outside map '%s', which has %d columns", arg->idx,
                  map->name, map->dim);
    }
}

static void check_shape(const struct cleave_call *call, int a)
{
    const op_arg *arg = &call->arg[a];
    op_dat dat = arg->dat;
    if (arg->dim != dat->dim) {
        ARG_ERROR(call, a, "dimension %d is given, but dat '%s' has %d", arg->dim, dat->name,
                  dat->dim);
    }
    if (arg->type == NULL || !cleave_type_same(arg->type, dat->type)) {
        ARG_ERROR(call, a, "type \"%s\" is given, but dat '%s' is of type \"%s\"",
                  arg->type != NULL ? arg->type : "(null)", dat->name, dat->type);
    }
}

static void check_dat_arg(const struct cleave_call *call, int a)
{
    const op_arg *arg = &call->arg[a];
    op_dat dat = arg->dat;
    if (arg->map != NULL) {
        check_through_map(call, a);
    }
    if (!cleave_arg_on(arg)) {
        return;
    }
    if (dat == NULL) {
        ARG_ERROR(call, a, "the dat is a null pointer%s", "");
    }
    if (cleave_dat_of(dat)->freed) {
        ARG_ERROR(call, a, "dat '%s' was freed by op_free_dat_temp", dat->name);
    }
    if (arg->map == NULL && dat->set != call->set && !cleave_site_is_group(call->site)) {
        ARG_ERROR(call, a,
                  "dat '%s' is on set '%s', but the loop is over set '%s' and no map is given",
                  dat->name, dat->set->name, call->set->name);
    }
    if (arg->map != NULL && arg->map->to != dat->set) {
        ARG_ERROR(call, a, "map '%s' goes to set '%s', but dat '%s' is on set '%s'", arg->map->name,
                  arg->map->to->name, dat->name, dat->set->name);
    }
    check_shape(call, a);
}

static void check_variable(const struct cleave_call *call, int a)
{
    const op_arg *arg = &call->arg[a];
    const char *type = arg->type != NULL ? arg->type : "(null)";
    if (!cleave_arg_on(arg)) {
        return;
    }
    if (arg->data == NULL) {
        ARG_ERROR(call, a, "the global is a null pointer%s", "");
    }
    if (arg->dim <= 0) {
        ARG_ERROR(call, a, "the dimension of the global is %d, must be at least 1", arg->dim);
    }
    if (arg->size <= 0) {
        ARG_ERROR(call, a,
                  "type \"%s\" is not known; known are double, float, int, uint, long, ll, "
                  "ull, bool",
                  type);
    }
    if (!cleave_type_fits(type, arg->pointer_type)) {
        ARG_ERROR(call, a, "type \"%s\" is given, but the global is of type %s", type,
                  arg->pointer_type);
    }
}

static void check_info(const struct cleave_call *call, int a)
{
    int ref = call->arg[a].idx;
    const op_arg *of = ref >= 0 && ref < call->args ? &call->arg[ref] : NULL;
    check_variable(call, a);
    if (of == NULL || of->argtype != CLEAVE_ARG_GBL || (of->acc != OP_MIN && of->acc != OP_MAX)) {
        ARG_ERROR(call, a,
                  "op_arg_info refers to argument number %d, counted from 0, which is no "
                  "op_arg_gbl with OP_MIN or OP_MAX",
                  ref);
    }
}

void cleave_arg_check(const struct cleave_call *call, int a)
{
    const op_arg *arg = &call->arg[a];
    if (arg->acc < OP_READ || arg->acc > OP_WORK) {
        ARG_ERROR(call, a,
                  "access %d is none of OP_READ, OP_WRITE, OP_RW, OP_INC, OP_MIN, OP_MAX, OP_WORK",
                  arg->acc);
    }
    if (arg->acc == OP_WORK && arg->map != NULL) {
        ARG_ERROR(call, a,
                  "OP_WORK is scratch of one element, but map '%s' leads to points that "
                  "elements share; use op_arg_gbl or a dat on the loop's set",
                  arg->map->name);
    }
    if (arg->argtype == CLEAVE_ARG_DAT) {
        check_dat_arg(call, a);
    } else if (arg->argtype == CLEAVE_ARG_GBL) {
        check_variable(call, a);
    } else if (arg->argtype == CLEAVE_ARG_INFO) {
        check_info(call, a);
    } else if (arg->map != NULL) {
        check_through_map(call, a);
    }
}

void cleave_args_check(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        cleave_arg_check(call, a);
    }
}

/* ---- pattern ----------------------------------------------------------------------------- */

/* A switched-off argument may have no dat at all: -1. */
static int first_with_dat(const struct cleave_call *call, int a)
{
    if (call->arg[a].dat == NULL) {
        return -1;
    }
    for (int i = 0; i < a; i++) {
        if (call->arg[i].argtype == CLEAVE_ARG_DAT && call->arg[i].dat == call->arg[a].dat) {
            return i;
        }
    }
    return a;
}

static int first_with_map(const struct cleave_call *call, int a)
{
    for (int i = 0; i < a; i++) {
        if (call->arg[i].map == call->arg[a].map) {
            return i;
        }
    }
    return a;
}

/* cleave_sigarg.kind of a dat. */
static char letter_of(const struct cleave_call *call, int a)
{
    static const char letter[][2] = {{'d', 'p'}, {'i', 'q'}, {'v', 'w'}};
    const op_arg *arg = &call->arg[a];
    return letter[arg->map == NULL ? 0 : arg->idx < 0 ? 2 : 1][cleave_arg_is_point(call, a)];
}

static void pattern_of(const struct cleave_call *call, int a, struct cleave_sigarg *sig)
{
    const op_arg *arg = &call->arg[a];
    const struct cleave_type *type = arg->type != NULL ? cleave_type_find(arg->type) : NULL;
    sig->access = access_letters[arg->acc];
    sig->dat = -1;
    sig->map = arg->map != NULL ? first_with_map(call, a) : -1;
    sig->set = set_number(call, a);
    sig->index = 0;
    sig->dim = arg->dim;
    sig->type = type != NULL ? type->name : arg->type;
    sig->optional = arg->option;
    if (sig->type == NULL) {
        sig->type = "";
    }
    if (arg->argtype == CLEAVE_ARG_GBL) {
        sig->kind = 'g';
    } else if (arg->argtype == CLEAVE_ARG_INFO) {
        sig->kind = 'n';
        sig->index = arg->idx;
    } else if (arg->argtype == CLEAVE_ARG_IDX) {
        sig->kind = 'x';
        sig->index = arg->map != NULL ? arg->idx : 0;
    } else {
        sig->kind = letter_of(call, a);
        sig->dat = first_with_dat(call, a);
        if (arg->map != NULL) {
            sig->index = abs(arg->idx);
        }
    }
}

void cleave_args_pattern(const struct cleave_call *call, struct cleave_sigarg *sig)
{
    for (int a = 0; a < call->args; a++) {
        pattern_of(call, a, &sig[a]);
    }
}
