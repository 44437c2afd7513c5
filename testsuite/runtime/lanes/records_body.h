/* records_body.h: records.c for one class of one pass; with TEST_FEW for fewer types, since all
 * types take long to compile. */
#ifndef TEST_GET4
/* TEST_TYPE stands for a type of pieces.h, which is pasted there. */
#define TEST_GET4(T, ...) CLEAVE_GET4(T, __VA_ARGS__)
#define TEST_GET2(T, ...) CLEAVE_GET2(T, __VA_ARGS__)
#define TEST_GET1(T, ...) CLEAVE_GET1(T, __VA_ARGS__)
#define TEST_TURN4(T, ...) CLEAVE_TURN4(T, __VA_ARGS__)
#define TEST_TURN2(T, ...) CLEAVE_TURN2(T, __VA_ARGS__)
#define TEST_PUT4(T, ...) CLEAVE_PUT4(T, __VA_ARGS__)
#define TEST_PUT2(T, ...) CLEAVE_PUT2(T, __VA_ARGS__)
#define TEST_PUT1(T, ...) CLEAVE_PUT1(T, __VA_ARGS__)
#define TEST_ROW(T, ...) CLEAVE_ROW(T, __VA_ARGS__)
#define TEST_PUT_ROW(T, ...) CLEAVE_PUT_ROW(T, __VA_ARGS__)
enum { TEST_STORE, TEST_ADD, TEST_SUBTRACT, TEST_LOWER, TEST_RAISE };
#endif

#define TEST_PIECE 4
#define TEST_VECTOR CLEAVE_V(TEST_TYPE)
#define TEST_ELEMENT TEST_SCALAR
#if TEST_CLASS == 8
#define TEST_TYPE f64
#define TEST_DIM 7
#define TEST_SCALAR double
#include "records_type.h"
#endif
#define TEST_TYPE f32
#define TEST_DIM 7
#define TEST_SCALAR float
#include "records_type.h"
#ifndef TEST_FEW
#if TEST_CLASS == 8
#define TEST_TYPE i64
#define TEST_DIM 3
#define TEST_SCALAR long
#include "records_type.h"
#define TEST_TYPE u64
#define TEST_DIM 3
#define TEST_SCALAR unsigned long
#include "records_type.h"
#endif
#define TEST_TYPE i32
#define TEST_DIM 3
#define TEST_SCALAR int
#include "records_type.h"
#define TEST_TYPE u32
#define TEST_DIM 3
#define TEST_SCALAR unsigned
#include "records_type.h"
#endif
#undef TEST_VECTOR
#undef TEST_ELEMENT
#undef TEST_PIECE

/* Values of one and two bytes move one by one. */
#define TEST_PIECE 1
#define TEST_VECTOR CLEAVE_V(i32)
#define TEST_ELEMENT int
#define TEST_TYPE i16
#define TEST_DIM 2
#define TEST_SCALAR short
#include "records_type.h"
#ifndef TEST_FEW
#define TEST_TYPE c8
#define TEST_DIM 1
#define TEST_SCALAR char
#include "records_type.h"
#define TEST_TYPE i8
#define TEST_DIM 1
#define TEST_SCALAR signed char
#include "records_type.h"
#define TEST_TYPE u8
#define TEST_DIM 1
#define TEST_SCALAR unsigned char
#include "records_type.h"
#define TEST_TYPE u16
#define TEST_DIM 1
#define TEST_SCALAR unsigned short
#include "records_type.h"
#define TEST_TYPE b8
#define TEST_DIM 1
#define TEST_SCALAR TEST_BOOL
#include "records_type.h"
#endif
#undef TEST_VECTOR
#undef TEST_ELEMENT
#undef TEST_PIECE

#ifndef TEST_FEW
static void TEST_NAME(test_more)(void)
{
#if TEST_CLASS == 8
    TEST_NAME(test_i64)();
    TEST_NAME(test_u64)();
#endif
    TEST_NAME(test_i32)();
    TEST_NAME(test_u32)();
    TEST_NAME(test_c8)();
    TEST_NAME(test_i8)();
    TEST_NAME(test_u8)();
    TEST_NAME(test_u16)();
    TEST_NAME(test_b8)();
}
#else
static void TEST_NAME(test_more)(void)
{
}
#endif

static void TEST_NAME(test)(void)
{
#if TEST_CLASS == 8
    TEST_NAME(test_f64)();
#endif
    TEST_NAME(test_f32)();
    TEST_NAME(test_i16)();
    TEST_NAME(test_more)();
}
