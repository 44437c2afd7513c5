/* records.h: whole records of one type in and out of vectors. Included by typed.h.
 *
 * `dim` is the number of components of a record, a constant in all calls; v[c] and out[c] are
 * component c of all lanes. Lane l has the record p + dim * index.at[l].
 */

/* Runs four, two or one for each piece of `count` components, those from `d` on. */
#define CLEAVE_EACH_PIECE(count, four, two, one)                                                   \
    do {                                                                                           \
        CLEAVE_FOUR_AT(0, count, four)                                                             \
        CLEAVE_FOUR_AT(4, count, four)                                                             \
        CLEAVE_FOUR_AT(8, count, four)                                                             \
        CLEAVE_FOUR_AT(12, count, four)                                                            \
        for (int d = 16; d + 4 <= count; d += 4) {                                                 \
            four;                                                                                  \
        }                                                                                          \
        if ((count & 2) != 0) {                                                                    \
            const int d = count & ~3;                                                              \
            two;                                                                                   \
        }                                                                                          \
        if ((count & 1) != 0) {                                                                    \
            const int d = count - 1;                                                               \
            one;                                                                                   \
        }                                                                                          \
    } while (0)
#define CLEAVE_FOUR_AT(first, count, four)                                                         \
    if (first + 4 <= count) {                                                                      \
        const int d = first;                                                                       \
        four;                                                                                      \
    }

/* The first `count` components of records: p may point at any component of them. */
CLEAVE_LANE_INLINE void CLEAVE_T(load_part)(CLEAVE_VECTOR *out, const CLEAVE_SCALAR *p, int dim,
                                            int count, CLEAVE_V(index) index)
{
    CLEAVE_EACH_PIECE(count, CLEAVE_T(get4)(out + d, p + d, dim, index.at),
                      CLEAVE_T(get2)(out + d, p + d, dim, index.at),
                      CLEAVE_T(get1)(out + d, p + d, dim, index.at));
}

CLEAVE_LANE_INLINE void CLEAVE_T(load)(CLEAVE_VECTOR *out, const CLEAVE_SCALAR *p, int dim,
                                       CLEAVE_V(index) index)
{
    CLEAVE_T(load_part)(out, p, dim, dim, index);
}

/* Lanes that are off get the record of the first lane that is on; there must be one. */
CLEAVE_LANE_INLINE void CLEAVE_T(load_masked)(CLEAVE_V(mask) mask, CLEAVE_VECTOR *out,
                                              const CLEAVE_SCALAR *p, int dim,
                                              CLEAVE_V(index) index)
{
    CLEAVE_T(load_part)(out, p, dim, dim, CLEAVE_V(fill_index)(mask, index));
}

/* Turns component vectors into records: t[0..count-1] is then for `put` alone. */
CLEAVE_LANE_INLINE void CLEAVE_T(turn)(CLEAVE_VECTOR *t, const CLEAVE_VECTOR *v, int count)
{
    CLEAVE_EACH_PIECE(count, CLEAVE_T(turn4)(t + d, v + d), CLEAVE_T(turn2)(t + d, v + d),
                      t[d] = v[d]);
}

/* Puts the record of one lane, a constant, to p. Where elements change one dat through several
 * columns, generated text turns the increments of each column and puts them lane by lane, so that
 * sums have the order of the elements. */
CLEAVE_LANE_INLINE void CLEAVE_T(put)(enum cleave_lane_put how, CLEAVE_SCALAR *p,
                                      const CLEAVE_VECTOR *t, int count, int lane)
{
    CLEAVE_EACH_PIECE(count, CLEAVE_T(put4)(p + d, t + d, lane, how),
                      CLEAVE_T(put2)(p + d, t + d, lane, how),
                      CLEAVE_T(put1)(p + d, t + d, lane, how));
}

/* putK for each lane whose bit is set in `on`. */
#define CLEAVE_DEFINE_PUT_LANES(name, put)                                                         \
    CLEAVE_LANE_INLINE void name(enum cleave_lane_put how, unsigned on, CLEAVE_SCALAR *p, int dim, \
                                 CLEAVE_V(index) index, const CLEAVE_VECTOR *t)                    \
    {                                                                                              \
        CLEAVE_EACH_LANE(if ((on >> cleave_l & 1) != 0) {                                          \
            put(p + (size_t)dim * (size_t)index.at[cleave_l], t, cleave_l, how);                   \
        });                                                                                        \
    }
CLEAVE_DEFINE_PUT_LANES(CLEAVE_T(put4_lanes), CLEAVE_T(put4))
CLEAVE_DEFINE_PUT_LANES(CLEAVE_T(put2_lanes), CLEAVE_T(put2))
CLEAVE_DEFINE_PUT_LANES(CLEAVE_T(put1_lanes), CLEAVE_T(put1))
#undef CLEAVE_DEFINE_PUT_LANES

/* Puts `count` components of the records of lanes whose bit is set in `on`, in the order of the
 * lanes: they may share records. The others touch no memory. p may point at any component. */
CLEAVE_LANE_INLINE void CLEAVE_T(put_part)(enum cleave_lane_put how, unsigned on, CLEAVE_SCALAR *p,
                                           int dim, int count, CLEAVE_V(index) index,
                                           const CLEAVE_VECTOR *v)
{
    CLEAVE_VECTOR t[4];
    CLEAVE_EACH_PIECE(count, CLEAVE_T(turn4)(t, v + d);
                      CLEAVE_T(put4_lanes)(how, on, p + d, dim, index, t),
                      CLEAVE_T(turn2)(t, v + d);
                      CLEAVE_T(put2_lanes)(how, on, p + d, dim, index, t),
                      CLEAVE_T(put1_lanes)(how, on, p + d, dim, index, v + d));
}

CLEAVE_LANE_INLINE void CLEAVE_T(put_lanes)(enum cleave_lane_put how, unsigned on, CLEAVE_SCALAR *p,
                                            int dim, CLEAVE_V(index) index, const CLEAVE_VECTOR *v)
{
    CLEAVE_T(put_part)(how, on, p, dim, dim, index, v);
}

#include "puts.h"

#undef CLEAVE_EACH_PIECE
#undef CLEAVE_FOUR_AT
