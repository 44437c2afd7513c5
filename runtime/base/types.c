/* types.c: OP2's type strings: their sizes, which pointers fit them, and arithmetic on values whose
 * type is known only as a string (reductions, comparison). */
#include "runtime/base/settings.h"

static const struct cleave_type types[] = {
#define CLEAVE_TYPE(word, kind) {#word, BASE_##kind, sizeof(word)},
#include "runtime/api/cleave_words.def"
};

enum { TYPES = sizeof types / sizeof types[0] };

/* Length of a type string without ":soa". */
static size_t plain_length(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ":soa") == 0 ? length - 4 : length;
}

const struct cleave_type *cleave_type_find(const char *name)
{
    size_t length = plain_length(name);
    for (int i = 0; i < TYPES; i++) {
        const char *known = types[i].name;
        if (known[0] == name[0] && strlen(known) == length && memcmp(known, name, length) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

int cleave_type_same(const char *a, const char *b)
{
    size_t length = plain_length(a);
    return a == b || (length == plain_length(b) && strncmp(a, b, length) == 0);
}

int cleave_type_fits(const char *type, const char *pointer_type)
{
    const struct cleave_type *t = cleave_type_find(type);
    const struct cleave_type *p = cleave_type_find(pointer_type);
    if (pointer_type[0] == '\0' || t == NULL || p == NULL || t == p) {
        return 1;
    }
    /* int64_t is either of them, depending on the system. */
    return sizeof(long) == sizeof(ll) && (t->base == BASE_LONG || t->base == BASE_LLONG) &&
           (p->base == BASE_LONG || p->base == BASE_LLONG);
}

/* Any number replaces a NaN, as with fmin and fmax. */
#define COMBINE(T)                                                                                 \
    do {                                                                                           \
        T *to = (T *)into;                                                                         \
        const T *add = (const T *)from;                                                            \
        for (int d = 0; d < dim; d++) {                                                            \
            const T held = to[d];                                                                  \
            const int is_number = held == to[d];                                                   \
            if (access == OP_INC)                                                                  \
                to[d] = (T)(to[d] + add[d]);                                                       \
            else if (access == OP_MIN)                                                             \
                to[d] = add[d] < to[d] || !is_number ? add[d] : to[d];                             \
            else                                                                                   \
                to[d] = add[d] > to[d] || !is_number ? add[d] : to[d];                             \
        }                                                                                          \
    } while (0)

void cleave_type_combine(enum cleave_base base, op_access access, void *into, const void *from,
                         int dim)
{
    switch (base) {
    case BASE_DOUBLE:
        COMBINE(double);
        break;
    case BASE_FLOAT:
        COMBINE(float);
        break;
    case BASE_INT:
        COMBINE(int);
        break;
    case BASE_UINT:
        COMBINE(uint);
        break;
    case BASE_LONG:
        COMBINE(long);
        break;
    case BASE_LLONG:
        COMBINE(ll);
        break;
    case BASE_ULLONG:
        COMBINE(ull);
        break;
    case BASE_BOOL:
        COMBINE(bool);
        break;
    case BASE_OTHER:
        break;
    }
}

#define BEATS(T) access == OP_MIN ? *(const T *)a<*(const T *)b : *(const T *)a> *(const T *)b

int cleave_type_beats(enum cleave_base base, op_access access, const void *a, const void *b)
{
    switch (base) {
    case BASE_DOUBLE:
        return BEATS(double);
    case BASE_FLOAT:
        return BEATS(float);
    case BASE_INT:
        return BEATS(int);
    case BASE_UINT:
        return BEATS(uint);
    case BASE_LONG:
        return BEATS(long);
    case BASE_LLONG:
        return BEATS(ll);
    case BASE_ULLONG:
        return BEATS(ull);
    case BASE_BOOL:
        return BEATS(bool);
    case BASE_OTHER:
        break;
    }
    return 0;
}

double cleave_type_value(enum cleave_base base, const void *value)
{
    switch (base) {
    case BASE_DOUBLE:
        return *(const double *)value;
    case BASE_FLOAT:
        return (double)*(const float *)value;
    case BASE_INT:
        return *(const int *)value;
    case BASE_UINT:
        return *(const uint *)value;
    case BASE_LONG:
        return (double)*(const long *)value;
    case BASE_LLONG:
        return (double)*(const ll *)value;
    case BASE_ULLONG:
        return (double)*(const ull *)value;
    case BASE_BOOL:
        return *(const bool *)value ? 1.0 : 0.0;
    case BASE_OTHER:
        break;
    }
    return 0.0;
}
