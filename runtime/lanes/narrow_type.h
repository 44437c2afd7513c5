/* narrow_type.h: records of one type of one or two bytes. Included by narrow.h.
 *
 * The functions are those of records.h. Components are moved one by one: `turn` has nothing to do.
 */
#define CLEAVE_TYPED_NAME(name, type, lanes, bytes) cleave_##name##_##type##_##lanes##_##bytes
#define CLEAVE_TYPED(name, type, lanes, bytes) CLEAVE_TYPED_NAME(name, type, lanes, bytes)
#define CLEAVE_T(name) CLEAVE_TYPED(name, CLEAVE_TYPE, CLEAVE_LANES, CLEAVE_LANE_BYTES)
#define CLEAVE_VECTOR CLEAVE_V(i32)

#define CLEAVE_AT(l) p[c + (size_t)dim * (size_t)index.at[l]]
CLEAVE_LANE_INLINE void CLEAVE_T(load_part)(CLEAVE_VECTOR *out, const CLEAVE_SCALAR *p, int dim,
                                            int count, CLEAVE_V(index) index)
{
    for (int c = 0; c < count; c++) {
        out[c] = CLEAVE_LITERAL(CLEAVE_VECTOR, CLEAVE_LANE_LIST(CLEAVE_AT));
    }
}
#undef CLEAVE_AT

CLEAVE_LANE_INLINE void CLEAVE_T(load)(CLEAVE_VECTOR *out, const CLEAVE_SCALAR *p, int dim,
                                       CLEAVE_V(index) index)
{
    CLEAVE_T(load_part)(out, p, dim, dim, index);
}

CLEAVE_LANE_INLINE void CLEAVE_T(load_masked)(CLEAVE_V(mask) mask, CLEAVE_VECTOR *out,
                                              const CLEAVE_SCALAR *p, int dim,
                                              CLEAVE_V(index) index)
{
    CLEAVE_T(load_part)(out, p, dim, dim, CLEAVE_V(fill_index)(mask, index));
}

CLEAVE_LANE_INLINE void CLEAVE_T(turn)(CLEAVE_VECTOR *t, const CLEAVE_VECTOR *v, int count)
{
    for (int c = 0; c < count; c++) {
        t[c] = v[c];
    }
}

CLEAVE_LANE_INLINE void CLEAVE_T(put)(enum cleave_lane_put how, CLEAVE_SCALAR *p,
                                      const CLEAVE_VECTOR *t, int count, int lane)
{
    for (int c = 0; c < count; c++) {
        const int old = how == CLEAVE_PUT_STORE ? 0 : p[c];
        p[c] = (CLEAVE_SCALAR)cleave_join_int(old, t[c][lane], how);
    }
}

CLEAVE_LANE_INLINE void CLEAVE_T(put_part)(enum cleave_lane_put how, unsigned on, CLEAVE_SCALAR *p,
                                           int dim, int count, CLEAVE_V(index) index,
                                           const CLEAVE_VECTOR *v)
{
    CLEAVE_EACH_LANE(if ((on >> cleave_l & 1) != 0) {
        CLEAVE_T(put)(how, p + (size_t)dim * (size_t)index.at[cleave_l], v, count, cleave_l);
    });
}

CLEAVE_LANE_INLINE void CLEAVE_T(put_lanes)(enum cleave_lane_put how, unsigned on, CLEAVE_SCALAR *p,
                                            int dim, CLEAVE_V(index) index, const CLEAVE_VECTOR *v)
{
    CLEAVE_T(put_part)(how, on, p, dim, dim, index, v);
}

#include "puts.h"

CLEAVE_LANE_INLINE void CLEAVE_T(rows)(CLEAVE_VECTOR *out, const CLEAVE_SCALAR *p, int dim, int e)
{
    CLEAVE_T(load_part)(out, p, dim, dim, CLEAVE_V(elements)(e));
}

CLEAVE_LANE_INLINE void CLEAVE_T(store_rows)(CLEAVE_SCALAR *p, int dim, int e,
                                             const CLEAVE_VECTOR *v)
{
    CLEAVE_T(put_lanes)(CLEAVE_PUT_STORE, CLEAVE_EVERY_LANE, p, dim, CLEAVE_V(elements)(e), v);
}

CLEAVE_LANE_INLINE void CLEAVE_T(store_rows_masked)(CLEAVE_V(mask) mask, CLEAVE_SCALAR *p, int dim,
                                                    int e, const CLEAVE_VECTOR *v)
{
    CLEAVE_T(put_lanes)(CLEAVE_PUT_STORE, CLEAVE_V(bits)(mask), p, dim, CLEAVE_V(elements)(e), v);
}

#undef CLEAVE_TYPED_NAME
#undef CLEAVE_TYPED
#undef CLEAVE_T
#undef CLEAVE_VECTOR
#undef CLEAVE_SCALAR
#undef CLEAVE_TYPE
