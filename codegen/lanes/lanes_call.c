/* lanes_call.c: functions of libm that are computed on vectors.
 *
 * They give libm's bits, also for NaN, infinities and zeros. All other functions are called lane by
 * lane (lanes_lift.c).
 */
#include <string.h>

#include "codegen/lanes/lanes_impl.h"

/* A function, by the name that generated code calls it by, and its vector form's. */
struct vector_call {
    const char *name;
    const char *vector;
};

static const struct vector_call *find(const struct expr *call)
{
    static const struct vector_call known[] = {
        {"sqrt", "sqrt_f64"},       {"sqrtf", "sqrt_f32"},      {"fabs", "fabs_f64"},
        {"fabsf", "fabs_f32"},      {"fmin", "fmin_f64"},       {"fminf", "fmin_f32"},
        {"fmax", "fmax_f64"},       {"fmaxf", "fmax_f32"},      {"cleave_min_double", "<"},
        {"cleave_min_float", "<"},  {"cleave_min_int", "<"},    {"cleave_min_uint", "<"},
        {"cleave_min_long", "<"},   {"cleave_min_ulong", "<"},  {"cleave_min_llong", "<"},
        {"cleave_min_ullong", "<"}, {"cleave_max_double", ">"}, {"cleave_max_float", ">"},
        {"cleave_max_int", ">"},    {"cleave_max_uint", ">"},   {"cleave_max_long", ">"},
        {"cleave_max_ulong", ">"},  {"cleave_max_llong", ">"},  {"cleave_max_ullong", ">"},
    };
    for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++) {
        if (call->callee->kind == FUNCTION_MATH && strcmp(call->callee->name, known[k].name) == 0) {
            return &known[k];
        }
    }
    return NULL;
}

bool lanes_calls_vector(const struct expr *call)
{
    return find(call) != NULL;
}

/* std::min: b < a ? b : a. std::max: a < b ? b : a. */
static const char *standard_min_max(struct lanes *lanes, const struct expr *call, bool min)
{
    const char *word = lanes_type_word(call->type);
    const char *a = lanes_vector(lanes, call->kid[0]);
    const char *b = lanes_vector(lanes, call->kid[1]);
    return lanes_format(lanes, "CLEAVE_V(select_%s)(CLEAVE_V(mask_of_%s)(%s < %s), %s, %s)", word,
                        word, min ? b : a, min ? a : b, b, a);
}

struct lane_value lanes_call(struct lanes *lanes, const struct expr *call)
{
    const char *vector = find(call)->vector;
    const char *text;
    if (vector[0] == '<' || vector[0] == '>') {
        text = standard_min_max(lanes, call, vector[0] == '<');
    } else if (call->kids == 1) {
        text = lanes_format(lanes, "CLEAVE_V(%s)(%s)", vector, lanes_vector(lanes, call->kid[0]));
    } else {
        text = lanes_format(lanes, "CLEAVE_V(%s)(%s, %s)", vector,
                            lanes_vector(lanes, call->kid[0]), lanes_vector(lanes, call->kid[1]));
    }
    return (struct lane_value){text, BINDS_TIGHT, FORM_VECTOR};
}
