/* values_body.h: values.c for one class of one pass. */

static CLEAVE_V(mask) TEST_NAME(mask)(unsigned bits)
{
    CLEAVE_V(mask) mask = {0};
    for (int l = 0; l < CLEAVE_LANES; l++) {
        mask[l] = (bits >> l & 1) != 0 ? -1 : 0;
    }
    return mask;
}

static void TEST_NAME(check_masks)(void)
{
    const unsigned full = (1u << CLEAVE_LANES) - 1;
    const int kind = test_below(4);
    const unsigned bits = kind == 0 ? 0 : kind == 1 ? full : test_bits(CLEAVE_LANES);
    const CLEAVE_V(mask) mask = TEST_NAME(mask)(bits);
    CHECK(CLEAVE_V(any)(mask) == (bits != 0));
    CHECK(CLEAVE_V(all)(mask) == (bits == full));
    CHECK(CLEAVE_V(bits)(mask) == bits);
    CHECK(bits == 0 || CLEAVE_V(first)(mask) == __builtin_ctz(bits));
    const unsigned other = test_bits(CLEAVE_LANES);
    const CLEAVE_V(mask) second = TEST_NAME(mask)(other);
    const CLEAVE_V(mask) none = CLEAVE_V(set_mask)(0);
    CHECK(CLEAVE_V(bits)(CLEAVE_V(select_mask)(mask, second, none)) == (bits & other));
    CHECK(CLEAVE_V(bits)(CLEAVE_V(select_mask)(mask, none, second)) == (~bits & other));
    if (bits != 0) {
        const unsigned off = (other >> __builtin_ctz(bits) & 1) != 0 ? full & ~bits : 0;
        CHECK(CLEAVE_V(bits)(CLEAVE_V(fill_mask)(mask, second)) == ((bits & other) | off));
    }
    CHECK(CLEAVE_V(bits)(CLEAVE_V(set_mask)(1)) == full);
    CHECK(CLEAVE_V(bits)(CLEAVE_V(set_mask)(0)) == 0);
}

static void TEST_NAME(check_indices)(void)
{
    int map[3 * 16];
    const int column = test_below(3);
    for (int i = 0; i < 3 * CLEAVE_LANES; i++) {
        map[i] = test_below(1000);
    }
    const CLEAVE_V(index) points = CLEAVE_V(column)(map, 3, column, 0);
    const CLEAVE_V(index) elements = CLEAVE_V(elements)(column);
    const unsigned bits = test_bits(CLEAVE_LANES);
    const CLEAVE_V(index) filled = CLEAVE_V(fill_index)(TEST_NAME(mask)(bits), points);
    for (int l = 0; l < CLEAVE_LANES; l++) {
        const int from = (bits >> l & 1) != 0 ? l : __builtin_ctz(bits);
        CHECK(points.at[l] == map[3 * l + column]);
        CHECK(elements.at[l] == column + l);
        CHECK(filled.at[l] == points.at[from]);
    }
}

/* Lanes that are off divide by zero, take roots of negative numbers and overflow, unless filled. */
static void TEST_NAME(check_traps)(void)
{
    const unsigned bits = test_bits(CLEAVE_LANES);
    const CLEAVE_V(mask) mask = TEST_NAME(mask)(bits);
    CLEAVE_V(f32) v = {0}, w, root, sum;
    CLEAVE_V(i32) n = {0}, quotient;
    for (int l = 0; l < CLEAVE_LANES; l++) {
        const int on = (bits >> l & 1) != 0;
        v[l] = on ? 2 : l % 4 == 0 ? 0 : l % 4 == 1 ? INFINITY : l % 4 == 2 ? 3e38f : -1;
        n[l] = on;
    }
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    w = CLEAVE_V(fill_f32)(mask, v);
    root = CLEAVE_V(sqrt_f32)(w) / w;
    sum = (w - w) * w * w;
    quotient = 6 / CLEAVE_V(fill_i32)(mask, n);
    fedisableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    for (int l = 0; l < CLEAVE_LANES; l++) {
        CHECK(root[l] == sqrtf(2.0f) / 2.0f && sum[l] == 0 && quotient[l] == 6);
    }
}

#define TEST_TYPE_BODY "values_type.h"
#include "types.h"
#undef TEST_TYPE_BODY
#include "conversions.h"

static void TEST_NAME(test)(void)
{
    TEST_NAME(check_masks)();
    TEST_NAME(check_indices)();
    TEST_NAME(check_traps)();
    TEST_NAME(check_conversions)();
    TEST_NAME(check_functions)();
    TEST_NAME(test_types)();
}
