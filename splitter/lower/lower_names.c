/* lower_names.c: names of the graph's variables: f, f_2, f_3 ... after the user's, each once in the
 * graph, and none that a parameter, a global, a function or the languages have.
 */
#include <string.h>

#include "splitter/lower/lower_impl.h"

struct name {
    const char *text;
    int last; /* number that the last name made from it has */
};

struct names {
    int count;
    int size; /* a power of two */
    struct name *slot;
};

static unsigned hash(const char *text)
{
    unsigned value = 2166136261u;

    for (; *text != '\0'; text++) {
        value = (value ^ (unsigned char)*text) * 16777619u;
    }
    return value;
}

static struct name *find(struct names *names, const char *text)
{
    unsigned slot = hash(text) & (unsigned)(names->size - 1);

    while (names->slot[slot].text != NULL && strcmp(names->slot[slot].text, text) != 0) {
        slot = (slot + 1) & (unsigned)(names->size - 1);
    }
    return &names->slot[slot];
}

static void grow(struct lower *lower, struct names *names)
{
    struct names old = *names;

    names->size = old.size == 0 ? 256 : 2 * old.size;
    names->slot = arena_alloc(lower->arena, (size_t)names->size * sizeof(*names->slot));
    for (int n = 0; n < old.size; n++) {
        if (old.slot[n].text != NULL) {
            *find(names, old.slot[n].text) = old.slot[n];
        }
    }
}

static struct name *enter(struct lower *lower, const char *text)
{
    struct names *names = lower->names;
    struct name *name;

    if (2 * names->count >= names->size) {
        grow(lower, names);
    }
    name = find(names, text);
    if (name->text == NULL) {
        name->text = text;
        name->last = 1;
        names->count++;
    }
    return name;
}

static void reserve_function(struct lower *lower, const struct function *function)
{
    if (function == NULL || pointer_map_get(&lower->reserved, function) >= 0) {
        return;
    }
    pointer_map_set(&lower->reserved, function, 1);
    if (function->name != NULL) {
        enter(lower, function->name);
        enter(lower, function->user_name);
    }
    for (int g = 0; g < function->globals; g++) {
        enter(lower, function->global[g]->name);
    }
    for (int c = 0; c < function->callees; c++) {
        reserve_function(lower, function->callee[c]);
    }
}

void lower_names_start(struct lower *lower)
{
    static const char *const word[] = {"restrict", "main",    "float",   "double",    "bool",
                                       "true",     "false",   "NULL",    "errno",     "assert",
                                       "min",      "max",     "I",       "threadIdx", "blockIdx",
                                       "blockDim", "gridDim", "warpSize"};
    const struct function *kernel = lower->loop->kernel;

    lower->names = arena_alloc(lower->arena, sizeof(*lower->names));
    grow(lower, lower->names);
    for (size_t n = 0; n < sizeof word / sizeof word[0]; n++) {
        enter(lower, word[n]);
    }
    reserve_function(lower, kernel);
    for (int p = 0; p < kernel->params; p++) {
        if (kernel->param[p]->name != NULL) {
            enter(lower, kernel->param[p]->name);
        }
    }
}

const char *lower_name(struct lower *lower, const char *base)
{
    struct name *name;

    if (base == NULL || base[0] == '\0') {
        base = "value";
    }
    if (strncmp(base, "cleave_", 7) == 0) {
        base = arena_format(lower->arena, "user_%s", base);
    }
    if (!is_cxx_keyword(base, strlen(base)) && find(lower->names, base)->text == NULL) {
        return enter(lower, base)->text;
    }
    name = enter(lower, base);
    for (;;) {
        char *text = arena_format(lower->arena, "%s_%d", base, ++name->last);

        if (find(lower->names, text)->text == NULL) {
            return enter(lower, text)->text;
        }
    }
}
