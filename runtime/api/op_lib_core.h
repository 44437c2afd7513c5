/* op_lib_core.h: op_lib.h, and OP2's small functions and macros whose names do not begin with op_:
 * they are inline, so that the library takes no names that programs may use. */
#ifndef CLEAVE_OP_LIB_CORE_H
#define CLEAVE_OP_LIB_CORE_H

#include "op_lib.h"

#include <stdarg.h>
#include <strings.h>

/* Bytes, up to the next multiple of 16 or 64. */
#define ROUND_UP(bytes) (((bytes) + 15) & ~15)
#define ROUND_UP_64(bytes) (((bytes) + 63) & ~63)

#ifdef __cplusplus
extern "C" {
#endif

/* The dat of this set, dim, type, size (bytes of a component) and name; NULL: none. */
op_dat op_search_dat(op_set set, int dim, const char *type, int size, const char *name);
/* Ends the program when an entry of map[from->size * dim] is no element of `to`. */
void op_check_map(const char *name, op_set from, op_set to, int dim, const int *map);

static inline int compare_sets(op_set a, op_set b)
{
    return a == b;
}

static inline op_dat search_dat(op_set set, int dim, const char *type, int size, const char *name)
{
    return op_search_dat(set, dim, type, size, name);
}

static inline void check_map(const char *name, op_set from, op_set to, int dim, int *map)
{
    op_check_map(name, from, to, dim, map);
}

/* Waits for all loops. */
static inline void deviceSync(void)
{
    op_timers(NULL, NULL);
}

#ifdef __cplusplus
}
#endif

#endif
