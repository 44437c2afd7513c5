/* puts.h: increments and extrema of one type, by put_lanes. Included by records.h and
 * narrow_type.h.
 *
 * Records are changed in the order of the lanes; lanes that are off touch no memory.
 */
#define CLEAVE_DEFINE_PUT(name, how)                                                               \
    CLEAVE_LANE_INLINE void CLEAVE_T(name)(CLEAVE_SCALAR * p, int dim, CLEAVE_V(index) index,      \
                                           const CLEAVE_VECTOR *v)                                 \
    {                                                                                              \
        CLEAVE_T(put_lanes)(how, CLEAVE_EVERY_LANE, p, dim, index, v);                             \
    }                                                                                              \
    CLEAVE_LANE_INLINE void CLEAVE_T(name##_masked)(CLEAVE_V(mask) mask, CLEAVE_SCALAR * p,        \
                                                    int dim, CLEAVE_V(index) index,                \
                                                    const CLEAVE_VECTOR *v)                        \
    {                                                                                              \
        CLEAVE_T(put_lanes)(how, CLEAVE_V(bits)(mask), p, dim, index, v);                          \
    }
/* `count` components of the records at p + dim*index.at[l]: p may point at any component. */
CLEAVE_LANE_INLINE void CLEAVE_T(store_part)(CLEAVE_SCALAR *p, int dim, int count,
                                             CLEAVE_V(index) index, const CLEAVE_VECTOR *v)
{
    CLEAVE_T(put_part)(CLEAVE_PUT_STORE, CLEAVE_EVERY_LANE, p, dim, count, index, v);
}
CLEAVE_DEFINE_PUT(add, CLEAVE_PUT_ADD)
CLEAVE_DEFINE_PUT(subtract, CLEAVE_PUT_SUBTRACT)
CLEAVE_DEFINE_PUT(min, CLEAVE_PUT_LOWER)
CLEAVE_DEFINE_PUT(max, CLEAVE_PUT_RAISE)
#undef CLEAVE_DEFINE_PUT
