/* shape.h: properties of a loop that do not depend on the target: its distinct dats and maps, and
 * questions about its arguments.
 */
#ifndef CLEAVE_CODEGEN_SHAPE_H
#define CLEAVE_CODEGEN_SHAPE_H

#include "pass/ir/loop_ir.h"
#include "runtime/api/cleave_gen.h"

/* A dat as a variant's parameter: one for all arguments that name it; an optional argument has its
 * own, since it may be switched off alone. */
struct shape_dat {
    int arg;           /* the first argument */
    const char *name;  /* "cleave_dat_p_x" */
    const char *label; /* "p_x" */
    const struct type *type;
    int dim;
    bool modified;    /* in place */
    bool doubled;     /* epilogues modify it in a second buffer, `next`, while elements read it */
    const char *next; /* "cleave_next_p_x" */
    int next_arg;     /* the first argument that modifies it there */
    bool optional;
    /* Zeros that the loop leaves in the dat, and records that can be recomputed, are stored as
     * cleave_launch.zeros says: "cleave_zeros_p_res" has the bits; NULL: all is stored. */
    const char *zeros;
    bool starts;        /* likewise, epilogues load what is in the dat besides the loop's sums */
    bool sums;          /* the loop only increments it, by one map: points that gather need not load
                           what is in it (cuda_begins_with_zeros) */
    bool soa;           /* CUDA: a structure of arrays (layout.c); name is component 0 of point 0 */
    const char *stride; /* "cleave_stride_p_x": elements from one component to the next */
};

struct shape_map {
    int arg;           /* the first argument through it, if possible one that is not optional */
    const char *label; /* "pecell" */
    bool optional;     /* only optional arguments go through it */
    int columns;       /* columns that dats are reached through, ascending; also the plan's list */
    int column[CLEAVE_MAX_COLUMNS];
    unsigned conflicts;
    int list; /* position among the plan's lists; -1: only op_arg_idx or epilogues use it */
};

struct shape {
    const struct loop *loop;
    int dats;
    struct shape_dat *dat;
    int maps;
    struct shape_map *map;
    int lists;
    int *list;          /* [lists] index into map */
    int *dat_of;        /* [args] index into dat, -1 */
    int *map_of;        /* [args] index into map, -1 */
    const char **label; /* [args] parameter's name, or "argN" */
    bool updates;       /* some dat is incremented, lowered or raised through a map */
    bool in_place;      /* loop->in_place: modified through a map in another way */
    bool reduces;       /* some global is INC, MIN or MAX */
};

struct target_row;

struct shape *shape_new(const struct program *program, const struct loop *loop);
/* Why no variant is generated for the loop on this target; NULL: variants are generated. */
const char *shape_refusal(const struct program *program, const struct loop *loop,
                          const struct target_row *target);
bool arg_is_reduction(const struct arg *arg);
/* An extremum with a payload, or a payload: elements work on copies of their own, see carried.c. */
bool arg_is_carried(const struct arg *arg);
bool loop_carries(const struct loop *loop);
/* An element reads so little of records that a thread can load it at once and keep registers for
 * everything else; the caches then do better than staging. */
bool shape_reads_little(const struct loop *loop);
/* It increments a dat of 8-byte elements. */
bool shape_updates_doubles(const struct loop *loop);
/* A dat that is incremented through a map, or lowered or raised and not worked on in place. */
bool shape_updates_arg(const struct loop *loop, int a);

#endif
