/* op_lib_loop.h: op_par_loop and the checks of pointer types; the second half of op_lib.h, which
 * includes it. Nothing here is for programs to use by name but the macros op_par_loop,
 * op_decl_const, op_decl_dat and op_decl_dat_temp.
 *
 * op_par_loop keeps one static record per call site and asks the runtime to run the loop. When the
 * runtime has no compiled variant of it (or checks one), the user's function itself calls the
 * kernel element by element, with pointers that cleave_loop_next() moves.
 */
#ifndef CLEAVE_OP_LIB_LOOP_H
#define CLEAVE_OP_LIB_LOOP_H

/* Arguments that one loop may have. */
#define CLEAVE_MAX_ARGS 80

#ifdef __cplusplus
extern "C" {
#endif

/* cleavecc -E puts the settings that change objects here, so that compiler caches see them in the
 * preprocessed text. The word __TIME__ in this file keeps ccache from comparing files alone. */
#ifdef CLEAVE_SETTINGS
extern const char cleave_settings[sizeof(CLEAVE_SETTINGS)];
#endif

/* One object that cleavecc made. Its address ties the calls of the object to the variants that were
 * compiled for them, and to no others: two objects with equal ids have two keys. */
struct cleave_unit_key {
    const char *id; /* of the translation unit: both parts of an object have the same one */
};

/* cleavecc defines CLEAVE_UNIT as the id, and makes the key's symbol local to the object. */
#ifdef CLEAVE_UNIT
extern const struct cleave_unit_key cleave_unit_key __attribute__((visibility("hidden")));
const struct cleave_unit_key cleave_unit_key = {CLEAVE_UNIT};
#define CLEAVE_UNIT_KEY &cleave_unit_key
#else
#define CLEAVE_UNIT_KEY 0
#endif

/* One call of op_par_loop in the source. */
struct cleave_site {
    const char *text;                   /* of the call's arguments, from the preprocessor */
    const struct cleave_unit_key *unit; /* NULL: not compiled by cleavecc */
    const char *file;
    int line;
    void *found; /* the runtime's: what it knows of the site */
};

/* Address of an argument at element e: base + index[e * step] * stride. A direct argument reads the
 * element's number (step 0), a global reads zero, an indirect one its map. Addresses are integers
 * because an argument that is switched off is the null pointer. */
struct cleave_cursor {
    uintptr_t base;
    const int *index;
    uintptr_t stride;
    ptrdiff_t step;
};

struct cleave_run {
    int element;
    int size;
    int vectors; /* the runtime has something to do for each element, and behind the last one */
    void *call;  /* the runtime's */
    struct cleave_cursor cursor[CLEAVE_MAX_ARGS];
    void *pointer[CLEAVE_MAX_ARGS]; /* what the kernel gets */
};

void cleave_loop_begin(struct cleave_run *run, struct cleave_site *site, const char *name,
                       op_set set, int args, const op_arg *arg);
void cleave_loop_vectors(struct cleave_run *run);
/* Behind the last element. 1: the loop begins anew with element 0. */
int cleave_loop_again(struct cleave_run *run);
void cleave_loop_end(struct cleave_run *run);

op_arg cleave_arg_none(void);
op_dat cleave_decl_dat(op_set set, int dim, const char *type, const char *pointer_type,
                       const void *data, const char *name);
op_dat cleave_decl_dat_temp(op_set set, int dim, const char *type, const char *pointer_type,
                            const char *name);
op_arg cleave_arg_gbl(int option, int opt, const void *data, int dim, const char *type,
                      const char *pointer_type, op_access acc);
op_arg cleave_arg_info(const void *data, int dim, const char *type, const char *pointer_type,
                       int ref);
void cleave_decl_const(const struct cleave_unit_key *unit, const char *text, int dim,
                       const char *type, const char *pointer_type, const void *data);

#ifdef __cplusplus
}
#endif

/* Moves the first `args` pointers to the next element; 0 when there is none. */
static inline int cleave_loop_next(struct cleave_run *run, int args)
{
    int i;
    if (++run->element >= run->size && !(run->vectors && cleave_loop_again(run))) {
        return 0;
    }
    for (i = 0; i < args; i++) {
        struct cleave_cursor *cursor = &run->cursor[i];
        ptrdiff_t index = cursor->index[run->element * cursor->step];
        run->pointer[i] = (void *)(cursor->base + (uintptr_t)index * cursor->stride);
    }
    if (run->vectors) {
        cleave_loop_vectors(run);
    }
    return 1;
}

#ifdef __cplusplus
#include "op_lib_loop_cpp.h"
#else
#include "op_lib_loop_c.h"
#endif

#endif
