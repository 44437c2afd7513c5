/* values.h: making and choosing values. Included by typed.h. */

typedef CLEAVE_VECTOR CLEAVE_V(CLEAVE_TYPE);

#define CLEAVE_AT(l) x
/* x in all lanes. */
CLEAVE_LANE_INLINE CLEAVE_VECTOR CLEAVE_T(set)(CLEAVE_SCALAR x)
{
    return CLEAVE_LITERAL(CLEAVE_VECTOR, CLEAVE_LANE_LIST(CLEAVE_AT));
}
#undef CLEAVE_AT

/* The mask of a compare of two vectors, a < b. */
CLEAVE_LANE_INLINE CLEAVE_V(mask) CLEAVE_T(mask_of)(CLEAVE_INTS compare)
{
    return __builtin_convertvector(compare, CLEAVE_V(mask));
}

/* a in lanes that are on, b in the others. */
CLEAVE_LANE_INLINE CLEAVE_VECTOR CLEAVE_T(select)(CLEAVE_V(mask) mask, CLEAVE_VECTOR a,
                                                  CLEAVE_VECTOR b)
{
    const CLEAVE_INTS on = __builtin_convertvector(mask, CLEAVE_INTS);
    return CLEAVE_PICK(CLEAVE_VECTOR, CLEAVE_INTS, on, a, b);
}

#define CLEAVE_AT(l) (CLEAVE_SCALAR)(l)
/* x, x + 1, ... */
CLEAVE_LANE_INLINE CLEAVE_VECTOR CLEAVE_T(iota)(CLEAVE_SCALAR x)
{
    return CLEAVE_T(set)(x) + CLEAVE_LITERAL(CLEAVE_VECTOR, CLEAVE_LANE_LIST(CLEAVE_AT));
}
#undef CLEAVE_AT

/* Lanes that are off get the value of the first lane that is on; there must be one. What is then
 * computed in them traps only if it does so in that lane, too. */
CLEAVE_LANE_INLINE CLEAVE_VECTOR CLEAVE_T(fill)(CLEAVE_V(mask) mask, CLEAVE_VECTOR v)
{
    return CLEAVE_T(select)(mask, v, CLEAVE_T(set)(v[CLEAVE_V(first)(mask)]));
}

/* Masks as 1 and 0, and numbers as masks of those that are not 0: C's conversions. */
CLEAVE_LANE_INLINE CLEAVE_VECTOR CLEAVE_T(convert_mask)(CLEAVE_V(mask) mask)
{
    return CLEAVE_T(select)(mask, CLEAVE_T(set)(1), CLEAVE_T(set)(0));
}

CLEAVE_LANE_INLINE CLEAVE_V(mask) CLEAVE_V(CLEAVE_TO_MASK(CLEAVE_TYPE))(CLEAVE_VECTOR v)
{
    return CLEAVE_T(mask_of)(v != 0);
}
