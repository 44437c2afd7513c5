/* values_type.h: values_body.h for one type, TEST_TYPE. */
#define TEST_TYPED_NAME(name, type) name##_##type
#define TEST_TYPED(name, type) TEST_TYPED_NAME(name, type)
#define TEST_V(name) CLEAVE_V(TEST_TYPED(name, TEST_TYPE))
#define TEST_T(name) TEST_NAME(TEST_TYPED(name, TEST_TYPE))
#define TEST_MASK_NAME(type) convert_##type##_mask
#define TEST_MASK_OF(type) TEST_MASK_NAME(type)
#define TEST_VALUE TEST_TYPED(test, TEST_TYPE)

static void TEST_T(check_values)(void)
{
    const unsigned bits = test_bits(CLEAVE_LANES);
    const CLEAVE_V(mask) mask = TEST_NAME(mask)(bits);
    const TEST_SCALAR x = TEST_VALUE();
    CLEAVE_V(TEST_TYPE) a = {0}, b = {0};
    for (int l = 0; l < CLEAVE_LANES; l++) {
        a[l] = TEST_VALUE();
        b[l] = test_below(4) == 0 ? a[l] : TEST_VALUE();
    }
    const CLEAVE_V(TEST_TYPE) all = TEST_V(set)(x);
    const CLEAVE_V(TEST_TYPE) count = TEST_V(iota)(7);
    const CLEAVE_V(TEST_TYPE) chosen = TEST_V(select)(mask, a, b);
    const CLEAVE_V(TEST_TYPE) filled = TEST_V(fill)(mask, a);
    const CLEAVE_V(TEST_TYPE) ones = TEST_V(convert_mask)(mask);
    const unsigned less = CLEAVE_V(bits)(TEST_V(mask_of)(a < b));
    const unsigned equal = CLEAVE_V(bits)(TEST_V(mask_of)(a == b));
    const unsigned truth = CLEAVE_V(bits)(CLEAVE_V(TEST_MASK_OF(TEST_TYPE))(a));
    for (int l = 0; l < CLEAVE_LANES; l++) {
        const int on = (bits >> l & 1) != 0;
        const TEST_SCALAR is[] = {all[l], count[l], chosen[l], filled[l], ones[l]};
        const TEST_SCALAR expected[] = {x, (TEST_SCALAR)(7 + l), on ? a[l] : b[l],
                                        on ? a[l] : a[__builtin_ctz(bits)], (TEST_SCALAR)on};
        for (int k = 0; k < 5; k++) {
            CHECK(TEST_SAME(is[k], expected[k]));
        }
        CHECK((less >> l & 1) == (a[l] < b[l]) && (equal >> l & 1) == (a[l] == b[l]));
        CHECK((truth >> l & 1) == (a[l] != 0));
    }
}

static void TEST_T(test)(void)
{
    TEST_T(check_values)();
}

#undef TEST_TYPED_NAME
#undef TEST_TYPED
#undef TEST_V
#undef TEST_T
#undef TEST_MASK_NAME
#undef TEST_MASK_OF
#undef TEST_VALUE
#undef TEST_TYPE
#undef TEST_SCALAR
