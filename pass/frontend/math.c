/* math.c: the library functions that exist on every target.
 *
 * In: a function as clang names it and the type that it computes in. Out: the name that C, C++ and
 * CUDA know it by: fabs and fabsf, where C++ says std::abs for both. std::min and std::max are
 * functions of runtime/api/cleave_math.h.
 */
#include "pass/frontend/util.h"

#include <string.h>

/* Functions of double; each has a form for float, which ends in f. */
static const char *const floating[] = {
    "acos",  "acosh",     "asin",      "asinh",  "atan",   "atan2",  "atanh",   "cbrt",
    "ceil",  "copysign",  "cos",       "cosh",   "erf",    "erfc",   "exp",     "exp2",
    "expm1", "fabs",      "fdim",      "floor",  "fma",    "fmax",   "fmin",    "fmod",
    "frexp", "hypot",     "ilogb",     "ldexp",  "lgamma", "llrint", "llround", "log",
    "log10", "log1p",     "log2",      "logb",   "lrint",  "lround", "modf",    "nearbyint",
    "pow",   "nextafter", "remainder", "remquo", "rint",   "round",  "scalbln", "scalbn",
    "sin",   "sincos",    "sinh",      "sqrt",   "tan",    "tanh",   "tgamma",  "trunc",
};

/* Functions with one name for all types. */
static const char *const generic[] = {"isnan", "isinf", "isfinite", "isnormal", "signbit"};

static const struct {
    enum type_kind kind;
    const char *absolute; /* NULL: none */
    const char *suffix;   /* of cleave_min_ and cleave_max_ */
} by_type[] = {
    {TYPE_DOUBLE, "fabs", "double"}, {TYPE_FLOAT, "fabsf", "float"}, {TYPE_INT, "abs", "int"},
    {TYPE_LONG, "labs", "long"},     {TYPE_LLONG, "llabs", "llong"}, {TYPE_UINT, NULL, "uint"},
    {TYPE_ULONG, NULL, "ulong"},     {TYPE_ULLONG, NULL, "ullong"},
};

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        if (strcmp(list[n], name) == 0) {
            return true;
        }
    }
    return false;
}

static const char *by_type_name(struct front *front, const char *name, enum type_kind kind)
{
    for (size_t t = 0; t < sizeof(by_type) / sizeof(by_type[0]); t++) {
        if (by_type[t].kind != kind) {
            continue;
        }
        if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0) {
            return arena_format(front->arena, "cleave_%s_%s", name, by_type[t].suffix);
        }
        return by_type[t].absolute;
    }
    return NULL;
}

const char *math_name(struct front *front, const char *name, const struct type *argument, int args)
{
    size_t length;

    if (strncmp(name, "__builtin_", 10) == 0) {
        name += 10;
    } else if (strncmp(name, "__tg_", 5) == 0) { /* <tgmath.h> */
        name += 5;
    }
    if (strcmp(name, "isinf_sign") == 0) {
        name = "isinf";
    }
    if (is_one_of(name, generic, sizeof(generic) / sizeof(generic[0]))) {
        return args == 1 ? name : NULL;
    }
    if ((strcmp(name, "abs") == 0 && args == 1) ||
        ((strcmp(name, "min") == 0 || strcmp(name, "max") == 0) && args == 2)) {
        return by_type_name(front, name, argument->kind);
    }
    if (strcmp(name, "labs") == 0 || strcmp(name, "llabs") == 0) {
        return name;
    }
    if (is_one_of(name, floating, sizeof(floating) / sizeof(floating[0]))) {
        return argument->kind == TYPE_FLOAT ? arena_format(front->arena, "%sf", name) : name;
    }
    length = strlen(name);
    if (length > 1 && name[length - 1] == 'f' &&
        is_one_of(arena_text_part(front->arena, name, length - 1), floating,
                  sizeof(floating) / sizeof(floating[0]))) {
        return name;
    }
    return NULL;
}

bool math_is_print(const char *name)
{
    return strcmp(name, "printf") == 0;
}
