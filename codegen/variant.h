/* variant.h: one variant of a loop: how it is written, and the row of the loop's table that
 * describes it to the runtime.
 */
#ifndef CLEAVE_CODEGEN_VARIANT_H
#define CLEAVE_CODEGEN_VARIANT_H

#include "pass/ir/loop_ir.h"
#include "runtime/api/cleave_gen.h"

/* How a body accesses an argument. */
enum binding {
    BIND_DIRECT,  /* the element's own record of a dat */
    BIND_MAP,     /* a dat's record through the map */
    BIND_STAGED,  /* shared memory: the stage's IN group of it */
    BIND_FETCHED, /* a copy of the element's own record, cleave_now_DAT.v */
    BIND_PRIVATE, /* a private array of increments, for a kernel called whole; stages do not name
                      the data that they update */
    BIND_TMP,     /* increments in the OpenMP block's tmp(e) */
    BIND_VALUE,   /* a READ global */
    BIND_REDUCE,  /* a reduction's private copy */
    BIND_SLOT,    /* a reduction's slot, cleave_gbl_NAME[component][cleave_slot]; stages only */
    BIND_INDEX    /* op_arg_idx */
};

/* Groups of a stage, through one map and of one type, of which the runtime packs the components
 * into one record for each point: in memory, and in the same order in shared memory. */
struct pack {
    const char *label; /* "packed1_pecell": of the stage that is the schedule's first */
    const struct type *type;
    const struct transfer
        *leader; /* the first of the groups in the stage; it has the pack's place */
    int groups;
    const struct transfer **group; /* [groups] in the order of the record */
    int *slot;                     /* [groups] first component in the record */
    int dim;    /* components of a record in memory, a multiple of 16 bytes, the last ones unused;
                 * for bulk copies the stride */
    int stride; /* of records in shared memory, see place_stride() */
};

/* A copy that a variant asks the runtime for (struct cleave_dat_copy). */
struct emitted_copy {
    int arg;
    int list;
    const struct pack *pack; /* NULL: records in the order of the list's items */
};

/* A row of the loop's table, as tables.c prints it. */
struct emitted {
    const char *name;
    const char *run;    /* function that starts it */
    const char *shared; /* function that counts shared memory, or NULL */
    const char *kernel; /* address of a kernel that it starts, the one with most to do, or NULL */
    enum cleave_schedule schedule;
    int cuts;
    enum cleave_race race;
    enum cleave_plan_kind plan;
    enum cleave_reads reads;
    unsigned parts;   /* of the plan */
    const char *sums; /* function that counts the bytes of blocks' sums, or NULL */
    size_t tmp_bytes;
    const struct cleave_cost *cost; /* cleave_variant.cost */
    int components;                 /* cleave_variant.components */
    int rank;                       /* cleave_variant.rank */
    int lanes;                      /* cleave_variant.lanes */
    int early;                      /* cleave_variant.early */
    unsigned long long starts;      /* cleave_variant.starts */
    int copies;
    struct emitted_copy *copy;
    const char *copies_name; /* of their table; rows for other registers have the same */
    /* Kernels that it starts; other variants of the loop may start them too. In the target's
     * form. */
    int kernels;
    const struct cuda_kernel *started;
    /* In a text of further variants: the object has the variant already, so that it is not listed;
     * `unprinted`: nor is there any text of it. */
    bool compiled;
    bool unprinted;
};

/* A loop's table. */
struct emitted_loop {
    const char *refusal; /* why there are no variants */
    struct shape *shape;
    bool *global_used; /* [program->globals] mentioned by the variants' text */
    int variants;
    struct emitted **variant; /* [variants] */
    int further;
    struct emitted **further_variant; /* [further] cleave_loop.further_variant; variants.c */
};

/* Properties of the variant that is being written. They do not change meanwhile; only its row is
 * filled in. */
struct variant {
    const char *name; /* "res_calc_split2_colour" */
    const char *what; /* OpenMP: the comment above it; CUDA's kernels have their own */
    enum cleave_race race;
    enum cleave_reads reads;
    /* OpenMP: elements are computed as lanes compute them, so that both give the same bits: from
     * the body as one stage, globals in CLEAVE_SLOTS parts (openmp/openmp_slots.c). */
    bool as_lanes;
    bool rows;    /* CUDA: warps move long records of their elements (records.c) */
    bool gathers; /* points of a block sum up what its elements put into shared memory for them */
    int packs;    /* packs, each of which replaces several groups of stages */
    const struct pack *pack;
    const struct recipe *recipe; /* CUDA: the row that it is made from (cuda/recipes.h) */
    struct emitted *row;
};

#endif
