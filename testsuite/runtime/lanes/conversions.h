/* conversions.h: values_body.h, conversions between types and functions of floats. */

/* Numbers that both types hold: C leaves others open. */
#define TEST_CONVERT(from, scalar_from, to, scalar_to, value)                                      \
    {                                                                                              \
        CLEAVE_V(from) v = {0};                                                                    \
        for (int l = 0; l < CLEAVE_LANES; l++) {                                                   \
            v[l] = (scalar_from)(value);                                                           \
        }                                                                                          \
        const CLEAVE_V(to) is = CLEAVE_V(convert_##from##_##to)(v);                                \
        for (int l = 0; l < CLEAVE_LANES; l++) {                                                   \
            const scalar_to got = is[l], expected = (scalar_to)v[l];                               \
            CHECK(TEST_SAME(got, expected));                                                       \
        }                                                                                          \
    }

static void TEST_NAME(check_conversions)(void)
{
    TEST_CONVERT(f32, float, i32, int, (test_below(2000) - 1000) / 7.0)
    TEST_CONVERT(f32, float, u32, unsigned, test_below(2000) * 2000003.7)
    TEST_CONVERT(i32, int, f32, float, test_random())
    TEST_CONVERT(u32, unsigned, f32, float, test_random())
    TEST_CONVERT(i32, int, u32, unsigned, test_random())
    TEST_CONVERT(u32, unsigned, i32, int, test_random())
#if TEST_CLASS == 8
    TEST_CONVERT(f64, double, f32, float, test_f64())
    TEST_CONVERT(f64, double, i32, int, (test_below(2000) - 1000) * 2000003.7)
    TEST_CONVERT(f64, double, i64, long, (test_below(2000) - 1000) * 4e15)
    TEST_CONVERT(f64, double, u32, unsigned, test_below(2000) * 2000003.7)
    TEST_CONVERT(f64, double, u64, unsigned long, test_below(2000) * 9e15)
    TEST_CONVERT(f32, float, f64, double, test_f32())
    TEST_CONVERT(f32, float, i64, long, (test_below(2000) - 1000) * 4e15f)
    TEST_CONVERT(f32, float, u64, unsigned long, test_below(2000) * 9e15f)
    TEST_CONVERT(i32, int, f64, double, test_random())
    TEST_CONVERT(i32, int, i64, long, test_random())
    TEST_CONVERT(i32, int, u64, unsigned long, test_random())
    TEST_CONVERT(u32, unsigned, f64, double, test_random())
    TEST_CONVERT(u32, unsigned, i64, long, test_random())
    TEST_CONVERT(u32, unsigned, u64, unsigned long, test_random())
    TEST_CONVERT(i64, long, f64, double, test_random())
    TEST_CONVERT(i64, long, f32, float, test_random())
    TEST_CONVERT(i64, long, i32, int, test_random())
    TEST_CONVERT(i64, long, u32, unsigned, test_random())
    TEST_CONVERT(i64, long, u64, unsigned long, test_random())
    TEST_CONVERT(u64, unsigned long, f64, double, test_random())
    TEST_CONVERT(u64, unsigned long, f32, float, test_random())
    TEST_CONVERT(u64, unsigned long, i32, int, test_random())
    TEST_CONVERT(u64, unsigned long, u32, unsigned, test_random())
    TEST_CONVERT(u64, unsigned long, i64, long, test_random())
#endif
}
#undef TEST_CONVERT

/* `call` computes lane l of `is`. Which of two zeros is the less is the compiler's choice. */
#define TEST_LANES(scalar, is, call)                                                               \
    for (int l = 0; l < CLEAVE_LANES; l++) {                                                       \
        const scalar got = (is)[l], expected = call;                                               \
        CHECK(TEST_SAME(got, expected));                                                           \
    }
#define TEST_EXTREMUM(scalar, is, call)                                                            \
    for (int l = 0; l < CLEAVE_LANES; l++) {                                                       \
        const scalar got = (is)[l], expected = call;                                               \
        CHECK(TEST_SAME(got, expected) || (got == 0 && expected == 0));                            \
    }
#define TEST_REAL(type, scalar, suffix)                                                            \
    {                                                                                              \
        CLEAVE_V(type) a = {0}, b = {0}, c = {0};                                                  \
        for (int l = 0; l < CLEAVE_LANES; l++) {                                                   \
            a[l] = test_##type();                                                                  \
            b[l] = test_below(4) == 0 ? -a[l] : test_##type();                                     \
        }                                                                                          \
        TEST_LANES(scalar, CLEAVE_V(sqrt_##type)(a), sqrt##suffix(a[l]))                           \
        TEST_LANES(scalar, CLEAVE_V(fabs_##type)(a), fabs##suffix(a[l]))                           \
        TEST_EXTREMUM(scalar, CLEAVE_V(fmin_##type)(a, b), fmin##suffix(a[l], b[l]))               \
        TEST_EXTREMUM(scalar, CLEAVE_V(fmax_##type)(a, b), fmax##suffix(a[l], b[l]))               \
        CLEAVE_LANEWISE(c, exp##suffix(a[cleave_l]));                                              \
        TEST_LANES(scalar, c, exp##suffix(a[l]))                                                   \
    }

static void TEST_NAME(check_functions)(void)
{
    const unsigned bits = test_bits(CLEAVE_LANES);
    CLEAVE_V(i32) n = {0}, quotient = {0}, narrow[6];
    TEST_REAL(f32, float, f)
#if TEST_CLASS == 8
    CLEAVE_V(i64) m = {0};
    TEST_REAL(f64, double, )
    CLEAVE_LANEWISE(m, test_i64());
    TEST_LANES(long, CLEAVE_V(abs_i64)(m), labs(m[l]))
#endif
    for (int l = 0; l < CLEAVE_LANES; l++) {
        n[l] = (bits >> l & 1) != 0 ? test_i32() | 1 : 0;
    }
    TEST_LANES(int, CLEAVE_V(abs_i32)(n), abs(n[l]))
    CLEAVE_LANEWISE_IF(CLEAVE_V(mask_of_i32)(n != 0), quotient, 1000000 / n[cleave_l]);
    TEST_LANES(int, quotient, n[l] != 0 ? 1000000 / n[l] : 0)
    narrow[0] = CLEAVE_V(narrow_c8)(n);
    narrow[1] = CLEAVE_V(narrow_i8)(n);
    narrow[2] = CLEAVE_V(narrow_u8)(n);
    narrow[3] = CLEAVE_V(narrow_i16)(n);
    narrow[4] = CLEAVE_V(narrow_u16)(n);
    narrow[5] = CLEAVE_V(narrow_b8)(n);
    TEST_LANES(int, narrow[0], (char)n[l])
    TEST_LANES(int, narrow[1], (signed char)n[l])
    TEST_LANES(int, narrow[2], (unsigned char)n[l])
    TEST_LANES(int, narrow[3], (short)n[l])
    TEST_LANES(int, narrow[4], (unsigned short)n[l])
    TEST_LANES(int, narrow[5], n[l] != 0)
}
#undef TEST_REAL
#undef TEST_LANES
#undef TEST_EXTREMUM
