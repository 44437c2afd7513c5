/* lanes_vars.c: the table of the body's locals, by address. */
#include <stdint.h>
#include <string.h>

#include "codegen/lanes/lanes_impl.h"

static int slot_of(const struct lanes *lanes, const struct var *var)
{
    size_t mask = (size_t)lanes->capacity - 1;
    size_t at = ((uintptr_t)var >> 4) * 0x9e3779b97f4a7c15u >> 20 & mask;
    while (lanes->slot[at] >= 0 && lanes->var[lanes->slot[at]].var != var) {
        at = (at + 1) & mask;
    }
    return (int)at;
}

struct lane_var *lanes_var(const struct lanes *lanes, const struct var *var)
{
    int v = lanes->capacity > 0 ? lanes->slot[slot_of(lanes, var)] : -1;
    return v >= 0 ? &lanes->var[v] : NULL;
}

/* Twice the room, for at least twice as many slots as variables. */
static void grow(struct lanes *lanes)
{
    int capacity = lanes->capacity > 0 ? 2 * lanes->capacity : 64;
    struct lane_var *var = arena_alloc(lanes->arena, (size_t)capacity / 2 * sizeof(*var));
    if (lanes->vars > 0) {
        memcpy(var, lanes->var, (size_t)lanes->vars * sizeof(*var));
    }
    lanes->var = var;
    lanes->capacity = capacity;
    lanes->slot = arena_alloc(lanes->arena, (size_t)capacity * sizeof(*lanes->slot));
    memset(lanes->slot, -1, (size_t)capacity * sizeof(*lanes->slot));
    for (int v = 0; v < lanes->vars; v++) {
        lanes->slot[slot_of(lanes, lanes->var[v].var)] = v;
    }
}

struct lane_var *lanes_add_var(struct lanes *lanes, const struct var *var)
{
    struct lane_var *known = lanes_var(lanes, var);
    if (known != NULL) {
        return known;
    }
    if (2 * (lanes->vars + 1) > lanes->capacity) {
        grow(lanes);
    }
    int v = lanes->vars++;
    lanes->slot[slot_of(lanes, var)] = v;
    lanes->var[v] = (struct lane_var){.var = var, .name = names_var(var, lanes->emit)};
    return &lanes->var[v];
}

static bool is_taken(const struct lanes *lanes, const char *name)
{
    for (int v = 0; v < lanes->vars; v++) {
        if (strcmp(names_var(lanes->var[v].var, lanes->emit), name) == 0) {
            return true;
        }
    }
    for (int d = 0; d < lanes->datas; d++) {
        if (lanes->data[d].name != NULL && strcmp(lanes->data[d].name, name) == 0) {
            return true;
        }
    }
    return false;
}

const char *lanes_free_name(const struct lanes *lanes, const char *base)
{
    const char *name = base;
    for (int again = 2; is_taken(lanes, name); again++) {
        name = lanes_format(lanes, "%s_%d", base, again);
    }
    return name;
}
