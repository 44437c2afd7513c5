/* kernels.h: what kernels.c and kernels.cpp have in common with compare.c. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
#include <stdlib.h>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* 4 doubles and 4 ints in, 8 doubles and 8 ints out. */
typedef void kernel_function(const double *a, const int *n, double *b, int *m);

struct kernel_entry {
    const char *name;
    kernel_function *function;
};

/* Ended by a null name. */
extern const struct kernel_entry written[]; /* by hand */
extern const struct kernel_entry printed[]; /* by the front end */

#ifdef __cplusplus
}
#endif

#define KERNEL(name) static void name(const double *a, const int *n, double *b, int *m)

#ifndef __cplusplus
#define KERNELS                                                                                    \
    X(straight)                                                                                    \
    X(integers) X(conversions) X(branches) X(loops) X(calls) X(arrays) X(pointers) X(records)      \
        X(enums) X(library) X(macros) X(locals) X(choice) X(jumps) X(rows) X(foreign) X(extension)      \
        X(switches) X(literals) X(conditions) X(lazy) X(elvis) X(memory)
#endif

#endif
