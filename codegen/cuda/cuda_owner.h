/* cuda_owner.h: shared by, and private to, the files that print blocks of points. */
#ifndef CLEAVE_CODEGEN_CUDA_OWNER_H
#define CLEAVE_CODEGEN_CUDA_OWNER_H

#include "codegen/cuda/cuda.h"

/* ---- cuda_owner.c -----------------------------------------------------------------------------
 */

/* For each argument: which components are read, and whether by a subscript that is not constant. */
struct owner_reads {
    const struct loop *loop;
    bool **component; /* [args][dim] */
    bool *any;        /* [args] */
    bool *itself;     /* [args] */
};

/* Returns what the body, the points' values and the updates of a stage read, in the program's
 * arena. */
struct owner_reads owner_reads_of(struct emit *emit, const struct stage *stage);

/* ---- cuda_owner_sums.c ------------------------------------------------------------------------
 */

/* One dat that the stage updates. */
struct owner_sum {
    struct cuda_update update;
    const struct shape_dat *dat;
    enum access access;
    const char *type;
    int stride;     /* of the points' records in shared memory */
    unsigned minus; /* columns that subtract what others add, cuda_owner_adds.c finds them */
    bool exchanges; /* cuda_exchanges(): likewise */
};

/* Allocates *out[0..], one for each of the stage's dats in the order of cuda_update_arg(); returns
 * how many. values: with what elements add, for which the body's pointers must have been declared.
 */
int owner_find_sums(struct emit *emit, const struct stage *stage, bool values,
                    struct owner_sum **out);
/* "cleave_p_res_2": the register of component number c of those that are updated. */
const char *owner_sum_name(struct emit *emit, const struct owner_sum *sum, int c);

/* ---- cuda_batch.c -----------------------------------------------------------------------------
 */

/* Returns how the body and the updates of a stage use the loop's arguments, [args]. */
const struct body_use *cuda_uses_in(struct emit *emit, const struct stage *stage);
/* Whether an item's records of argument a may be copies: the kernel only reads them, by constant
 * subscripts, and each lies in one piece. */
bool cuda_may_load(const struct emit *emit, const struct body_use *use, int a);
/* Whether all records of an item can be loaded before the first of them is used, and fit the
 * registers. */
bool cuda_may_load_item(struct emit *emit, const struct stage *stage);
/* Calls print for each record of an item that the stage reads: column c of argument a. */
void cuda_each_record(struct emit *emit, const struct stage *stage,
                      void (*print)(struct emit *emit, int a, int c, void *user), void *user);

/* ---- cuda_own.c -------------------------------------------------------------------------------
 */

/* Whether a stage keeps the own record of dat d in registers: its items read the dat of both their
 * points. */
bool cuda_own_has(struct emit *emit, const struct stage *stage, int d);
/* Prints the point's own records and values, before the items. */
void cuda_own_point(struct emit *emit, const struct stage *stage);
/* Prints loads of the records of an item's other point, cleave_other. */
void cuda_own_other(struct emit *emit, const struct stage *stage);
/* Prints the records of both points of an item, and the values of `stage`; `elements` is the stage
 * with the body that reads them. Marks in held[args] whose records they are. */
void cuda_own_sides(struct emit *emit, const struct stage *stage, const struct stage *elements,
                    bool *held);

/* ---- cuda_own_values.c ------------------------------------------------------------------------
 */

/* The values that a point computes once of its own record and of the other one of each item; NULL:
 * none. */
const struct point_values *cuda_own_values(struct emit *emit, const struct stage *stage);
/* Whether some of them take the place of components of dat d. */
bool cuda_own_replaces(struct emit *emit, const struct stage *stage, int d);
/* Prints them, from the records "cleave_mine_q" (whose "mine") or "cleave_theirs_q". */
void cuda_own_compute(struct emit *emit, const struct stage *stage, const char *whose);
/* Prints, for each side of an item, the values that are not in records. */
void cuda_own_choose(struct emit *emit, const struct stage *stage);
/* Whether the body of a stage adds or multiplies the dat's records of both points, and does nothing
 * else with them: it gives the same bits if both change places. */
bool cuda_own_is_symmetric(struct emit *emit, const struct stage *stage, int d);

/* ---- cuda_epilogue.c ---------------------------------------------------------------------------
 */

/* "cleave_self_q": the point's record of a dat that phases or epilogues use. */
const char *cuda_own_record(struct emit *emit, const struct shape_dat *dat);

/* ---- cuda_phases.c ----------------------------------------------------------------------------
 */

/* Prints what all phases add to the point's records. */
void cuda_phases(struct emit *emit);
/* Whether some phase adds to dat d. */
bool cuda_phase_adds(const struct emit *emit, int d);

#endif
