/* records_body.h: records.c for one class of one pass. */
#define TEST_VECTOR CLEAVE_V(TEST_TYPE)
#define TEST_ELEMENT TEST_SCALAR
#if TEST_CLASS == 8
#define TEST_TYPE f64
#define TEST_DIM 7
#define TEST_SCALAR double
#include "records_type.h"
#define TEST_TYPE i64
#define TEST_DIM 3
#define TEST_SCALAR long
#include "records_type.h"
#define TEST_TYPE u64
#define TEST_DIM 3
#define TEST_SCALAR unsigned long
#include "records_type.h"
#endif
#define TEST_TYPE f32
#define TEST_DIM 7
#define TEST_SCALAR float
#include "records_type.h"
#define TEST_TYPE i32
#define TEST_DIM 3
#define TEST_SCALAR int
#include "records_type.h"
#define TEST_TYPE u32
#define TEST_DIM 3
#define TEST_SCALAR unsigned
#include "records_type.h"
#undef TEST_VECTOR
#undef TEST_ELEMENT

static void TEST_NAME(test)(void)
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
