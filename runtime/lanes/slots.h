/* slots.h: reductions of one type. Included by typed.h.
 *
 * A component of a reduction has CLEAVE_SLOTS partial results, whatever the width, so that every
 * width joins the same values in the same order. Lane l works on slot + l; slot is a multiple of
 * CLEAVE_LANES. Lanes that are off leave theirs as it is.
 */

CLEAVE_LANE_INLINE void CLEAVE_T(slots_add)(CLEAVE_SCALAR *slots, int slot, CLEAVE_VECTOR v)
{
    *(CLEAVE_MEMORY(CLEAVE_VECTOR) *)(slots + slot) += v;
}

CLEAVE_LANE_INLINE void CLEAVE_T(slots_subtract)(CLEAVE_SCALAR *slots, int slot, CLEAVE_VECTOR v)
{
    *(CLEAVE_MEMORY(CLEAVE_VECTOR) *)(slots + slot) -= v;
}

CLEAVE_LANE_INLINE void CLEAVE_T(slots_min)(CLEAVE_SCALAR *slots, int slot, CLEAVE_VECTOR v)
{
    CLEAVE_MEMORY(CLEAVE_VECTOR) *at = (CLEAVE_MEMORY(CLEAVE_VECTOR) *)(slots + slot);
    const CLEAVE_VECTOR old = *at;
    *at = CLEAVE_PICK(CLEAVE_VECTOR, CLEAVE_INTS, v < old, v, old);
}

CLEAVE_LANE_INLINE void CLEAVE_T(slots_max)(CLEAVE_SCALAR *slots, int slot, CLEAVE_VECTOR v)
{
    CLEAVE_MEMORY(CLEAVE_VECTOR) *at = (CLEAVE_MEMORY(CLEAVE_VECTOR) *)(slots + slot);
    const CLEAVE_VECTOR old = *at;
    *at = CLEAVE_PICK(CLEAVE_VECTOR, CLEAVE_INTS, v > old, v, old);
}

/* Lanes that are off compute with zeros, which cannot trap. */
#define CLEAVE_DEFINE_SLOTS(name)                                                                  \
    CLEAVE_LANE_INLINE void CLEAVE_T(name##_masked)(CLEAVE_V(mask) mask, CLEAVE_SCALAR * slots,    \
                                                    int slot, CLEAVE_VECTOR v)                     \
    {                                                                                              \
        CLEAVE_MEMORY(CLEAVE_VECTOR) *at = (CLEAVE_MEMORY(CLEAVE_VECTOR) *)(slots + slot);         \
        const CLEAVE_VECTOR zero = CLEAVE_T(set)(0);                                               \
        const CLEAVE_VECTOR old = *at;                                                             \
        CLEAVE_SCALAR now[CLEAVE_LANES];                                                           \
        *(CLEAVE_MEMORY(CLEAVE_VECTOR) *)now = CLEAVE_T(select)(mask, old, zero);                  \
        CLEAVE_T(name)(now, 0, CLEAVE_T(select)(mask, v, zero));                                   \
        *at = CLEAVE_T(select)(mask, *(CLEAVE_MEMORY(CLEAVE_VECTOR) *)now, old);                   \
    }
CLEAVE_DEFINE_SLOTS(slots_add)
CLEAVE_DEFINE_SLOTS(slots_subtract)
CLEAVE_DEFINE_SLOTS(slots_min)
CLEAVE_DEFINE_SLOTS(slots_max)
#undef CLEAVE_DEFINE_SLOTS
