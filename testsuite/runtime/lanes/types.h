/* types.h: includes TEST_TYPE_BODY, the name of a file, for each type that has vectors in the
 * class. */
#if TEST_CLASS == 8
#define TEST_TYPE f64
#define TEST_SCALAR double
#include TEST_TYPE_BODY
#define TEST_TYPE i64
#define TEST_SCALAR long
#include TEST_TYPE_BODY
#define TEST_TYPE u64
#define TEST_SCALAR unsigned long
#include TEST_TYPE_BODY
#endif
#define TEST_TYPE f32
#define TEST_SCALAR float
#include TEST_TYPE_BODY
#define TEST_TYPE i32
#define TEST_SCALAR int
#include TEST_TYPE_BODY
#define TEST_TYPE u32
#define TEST_SCALAR unsigned
#include TEST_TYPE_BODY

/* The tests of all types. */
static void TEST_NAME(test_types)(void)
{
#if TEST_CLASS == 8
    TEST_NAME(test_f64)();
    TEST_NAME(test_i64)();
    TEST_NAME(test_u64)();
#endif
    TEST_NAME(test_f32)();
    TEST_NAME(test_i32)();
    TEST_NAME(test_u32)();
}
