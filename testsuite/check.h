/* check.h: assertions for unit tests. A failed check prints where and goes on; return
 * CHECK_RESULT() from main. */
#ifndef CLEAVE_CHECK_H
#define CLEAVE_CHECK_H

#include <stdio.h>
#include <string.h>

static int check_failures;
static int check_count;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        check_count++;                                                                             \
        if (!(condition)) {                                                                        \
            check_failures++;                                                                      \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                \
        }                                                                                          \
    } while (0)

#define CHECK_TEXT(actual, expected)                                                               \
    do {                                                                                           \
        const char *check_a = (actual);                                                            \
        const char *check_e = (expected);                                                          \
        check_count++;                                                                             \
        if (check_a == NULL || strcmp(check_a, check_e) != 0) {                                    \
            check_failures++;                                                                      \
            fprintf(stderr, "%s:%d: failed: %s\n  is       \"%s\"\n  expected \"%s\"\n", __FILE__, \
                    __LINE__, #actual, check_a ? check_a : "(null)", check_e);                     \
        }                                                                                          \
    } while (0)

#define CHECK_RESULT()                                                                             \
    (printf("%d checks, %d failed\n", check_count, check_failures), check_failures != 0)

#endif
