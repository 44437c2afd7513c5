/* arg.c: reads the op_arg_ calls of a loop.
 *
 * In: one argument of op_par_loop. Out: its struct arg, and keys by which its dat, global and map
 * can be compared with those of other arguments (place.c). A parameter that is not constant is no
 * error: the loop runs sequentially, and the reason says why. */
#include "pass/frontend/util.h"

#include <limits.h>
#include <string.h>

/* Positions of the parameters of each function; -1: it has none. */
static const struct shape {
    const char *name;
    enum arg_kind kind;
    bool is_optional;
    int data; /* the dat, or the pointer */
    int index;
    int map;
    int dim;
    int type;
    int access;
    int referred;
} shape[] = {
    {"op_arg_dat", ARG_DAT, false, 0, 1, 2, 3, 4, 5, -1},
    {"op_opt_arg_dat", ARG_DAT, true, 1, 2, 3, 4, 5, 6, -1},
    {"op_arg_gbl", ARG_GLOBAL, false, 0, -1, -1, 1, 2, 3, -1},
    {"op_opt_arg_gbl", ARG_GLOBAL, true, 1, -1, -1, 2, 3, 4, -1},
    {"op_arg_gbl_char", ARG_GLOBAL, false, 0, -1, -1, 1, 2, 4, -1},
    {"op_opt_arg_gbl_char", ARG_GLOBAL, true, 1, -1, -1, 2, 3, 5, -1},
    {"op_arg_idx", ARG_INDEX, false, -1, 0, 1, -1, -1, -1, -1},
    {"op_arg_info", ARG_INFO, false, 0, -1, -1, 1, 2, -1, 3},
    {"op_arg_info_char", ARG_INFO, false, 0, -1, -1, 1, 2, -1, 4},
};

struct reading {
    struct front *front;
    const struct shape *shape;
    CXCursor call;
    int position; /* from 0; messages count from 1 */
    const char *text;
    struct arg *arg;
    const char *reason; /* the first */
    bool is_open;       /* the value that the kernel gets is not known: its use is not checked */
};

static void give_up(struct reading *reading, const char *what)
{
    if (reading->reason == NULL) {
        reading->reason = arena_format(reading->front->arena,
                                       "the %s of argument %d is not known at "
                                       "compile time",
                                       what, reading->position + 1);
    }
}

static CXCursor parameter(const struct reading *reading, int k)
{
    return clang_Cursor_getArgument(reading->call, (unsigned)k);
}

static bool constant(struct reading *reading, int k, const char *what, long long *value)
{
    unsigned long long bits;

    if (!front_integer(parameter(reading, k), &bits)) {
        give_up(reading, what);
        return false;
    }
    *value = (long long)bits;
    return true;
}

/* ---- the parts ----------------------------------------------------------------------------------
 */

static const char *written(const struct reading *reading, int k)
{
    return front_written_parameter(reading->front, reading->text, reading->shape->name,
                                   reading->call, k);
}

static void read_map(struct reading *reading, struct arg_keys *keys)
{
    struct arg *arg = reading->arg;
    CXCursor map = parameter(reading, reading->shape->map);
    long long index = 0;

    if (front_is_null(reading->front, map)) {
        return; /* the index then means nothing */
    }
    arg->is_indirect = true;
    arg->map_text = written(reading, reading->shape->map);
    keys->map = front_place_key(reading->front, map);
    if (!constant(reading, reading->shape->index, "map index", &index)) {
        reading->is_open = true; /* it may be a vector argument */
        return;
    }
    if (index < -INT_MAX || index > INT_MAX) {
        reading->is_open = true;
        reading->reason =
            arena_format(reading->front->arena, "the map index of argument %d is %lld",
                         reading->position + 1, index);
        return;
    }
    if (index < 0 && arg->kind == ARG_DAT) {
        arg->is_vector = true;
        arg->columns = (int)-index;
    } else {
        arg->map_index = index < 0 ? 0 : (int)index;
    }
}

static void read_type(struct reading *reading)
{
    struct front *front = reading->front;
    struct arg *arg = reading->arg;
    CXCursor where = parameter(reading, reading->shape->type);
    const char *text = front_literal(front, where);
    struct loc loc = front_loc(front, where);

    arg->type = front_basic(front, TYPE_DOUBLE, false);
    arg->type_name = "";
    if (text == NULL) {
        give_up(reading, "type");
        return;
    }
    arg->type_name = text;
    arg->type = front_type_string(front, &arg->type_name);
    arg->is_soa = arg->kind == ARG_DAT && strcmp(arg->type_name, text) != 0;
    if (arg->type == NULL) {
        arg->type = front_basic(front, TYPE_DOUBLE, false);
        diag_report(front->diag, DIAG_unknown_type, loc, front_length(where), loc, text);
        if (reading->reason == NULL) {
            reading->reason = arena_format(front->arena, "the type of argument %d is not known",
                                           reading->position + 1);
        }
    } else if (arg->kind != ARG_DAT) {
        front_check_pointer(front, parameter(reading, reading->shape->data), arg->dat_text, text);
    }
}

static void read_dim(struct reading *reading)
{
    long long dim;

    reading->arg->dim = -1;
    if (!constant(reading, reading->shape->dim, "dimension", &dim)) {
        return;
    }
    if (dim < 1) {
        reading->reason =
            arena_format(reading->front->arena, "the dimension of argument %d is %lld",
                         reading->position + 1, dim);
        return;
    }
    reading->arg->dim = (int)dim;
}

static void read_access(struct reading *reading)
{
    long long access;

    if (!constant(reading, reading->shape->access, "access", &access)) {
        reading->arg->declared = ACCESS_RW;
    } else if (access == ACCESS_WORK && !reading->arg->is_indirect) {
        reading->arg->is_work = true;
        reading->arg->declared = reading->arg->kind == ARG_GLOBAL ? ACCESS_READ : ACCESS_RW;
    } else if (access < ACCESS_READ || access > ACCESS_MAX) {
        reading->arg->declared = ACCESS_RW;
        reading->reason = arena_format(reading->front->arena,
                                       "the access of argument %d is %lld, which "
                                       "is none",
                                       reading->position + 1, access);
    } else {
        reading->arg->declared = (enum access)access;
    }
    if (reading->arg->kind == ARG_GLOBAL && reading->reason == NULL &&
        (reading->arg->declared == ACCESS_WRITE || reading->arg->declared == ACCESS_RW)) {
        reading->reason = arena_format(reading->front->arena, "argument %d is a global with %s",
                                       reading->position + 1, access_name(reading->arg->declared));
    }
}

static void read_info(struct reading *reading)
{
    long long referred;

    reading->arg->info_of = -1;
    if (constant(reading, reading->shape->referred, "partner", &referred)) {
        reading->arg->info_of = (int)referred;
    }
}

/* The call behind the copy that C++ makes of the returned op_arg; null: there is none. */
static CXCursor find_call(struct front *front, CXCursor cursor)
{
    CXCursor inner = front_strip(front, cursor);

    while (clang_getCursorKind(inner) == CXCursor_CallExpr &&
           clang_getCursorKind(clang_getCursorReferenced(inner)) == CXCursor_Constructor &&
           clang_Cursor_getNumArguments(inner) == 1) {
        inner = front_strip(front, clang_Cursor_getArgument(inner, 0));
    }
    return clang_getCursorKind(inner) == CXCursor_CallExpr ? inner : clang_getNullCursor();
}

static const struct shape *find_shape(struct front *front, CXCursor call)
{
    const char *name;

    if (clang_Cursor_isNull(call)) {
        return NULL;
    }
    name = front_spelling(front, clang_getCursorReferenced(call));
    for (size_t s = 0; s < sizeof(shape) / sizeof(shape[0]); s++) {
        if (strcmp(shape[s].name, name) == 0) {
            return &shape[s];
        }
    }
    return NULL;
}

struct arg_parts front_arg_parts(struct front *front, CXCursor cursor)
{
    struct arg_parts parts = {.call = find_call(front, cursor), .data = -1, .map = -1};
    const struct shape *shape = find_shape(front, parts.call);

    if (shape == NULL) {
        parts.call = clang_getNullCursor();
        return parts;
    }
    parts.data = shape->data;
    parts.map = shape->map;
    parts.is_dat = shape->kind == ARG_DAT;
    return parts;
}

/* Each component may become a variable of generated code, and each column of a map a list. */
enum { MOST_COMPONENTS = 1000000 };

static void limit_size(struct reading *reading)
{
    const struct arg *arg = reading->arg;
    bool is_wide = arg->map_index >= MOST_COMPONENTS;
    long long size = is_wide ? arg->map_index : (long long)arg->columns * arg->dim;

    if (reading->reason == NULL && size > MOST_COMPONENTS - is_wide) {
        reading->reason =
            arena_format(reading->front->arena,
                         "the %s of argument %d, '%s', %s %lld; loops are compiled up to %d",
                         is_wide ? "map index" : "components", reading->position + 1, arg->dat_text,
                         is_wide ? "is" : "are", size, MOST_COMPONENTS);
    }
}

const char *front_arg(struct front *front, CXCursor cursor, int position, const char *text,
                      struct arg *arg, struct arg_keys *keys)
{
    CXCursor call = find_call(front, cursor);
    struct reading reading = {front, find_shape(front, call), call, position, text, arg, NULL,
                              false};
    const struct shape *shape = reading.shape;

    arg->loc = front_loc(front, cursor);
    arg->columns = 1;
    arg->dim = -1;
    arg->info_of = -1;
    arg->kind = ARG_INDEX;
    arg->declared = ACCESS_RW;
    arg->dat_text = text;
    if (shape == NULL) {
        return arena_format(front->arena, "argument %d is no call of an op_arg function",
                            position + 1);
    }
    arg->kind = shape->kind;
    arg->dim = 1;
    arg->is_optional = shape->is_optional;
    arg->declared = ACCESS_READ;
    if (shape->data >= 0) {
        arg->dat_text = written(&reading, shape->data);
    }
    if (arg->kind == ARG_DAT || arg->kind == ARG_GLOBAL) {
        keys->dat = front_place_key(front, parameter(&reading, shape->data));
    }
    if (shape->type >= 0) {
        read_type(&reading);
    } else {
        arg->type = front_basic(front, TYPE_INT, false);
        arg->type_name = "int";
    }
    if (shape->dim >= 0) {
        read_dim(&reading);
    }
    if (shape->map >= 0) {
        read_map(&reading, keys);
    }
    if (shape->access >= 0) {
        read_access(&reading);
    }
    if (shape->referred >= 0) {
        arg->declared = ACCESS_WRITE;
        read_info(&reading);
    }
    limit_size(&reading);
    if (reading.is_open) {
        arg->dim = -1;
        arg->type_name = "";
        arg->declared = ACCESS_RW;
    }
    return reading.reason;
}
