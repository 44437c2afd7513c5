/* masks.h: masks and indices. Included once for each class of a pass.
 *
 * A mask has -1 in lanes that are on and 0 in the others; &, |, ^ and ~ join masks.
 */
typedef CLEAVE_VECTOR_OF(CLEAVE_MASK_TYPE, CLEAVE_LANES) CLEAVE_V(mask);
typedef CLEAVE_VECTOR_OF(i64, CLEAVE_LANES_OF_8) CLEAVE_V(mask_words);

/* Elements, or the points of one column of a map: one for each lane. */
typedef struct {
    int at[CLEAVE_LANES];
} CLEAVE_V(index);

/* Whether any lane is on. */
CLEAVE_LANE_INLINE int CLEAVE_V(any)(CLEAVE_V(mask) mask)
{
    return CLEAVE_LANE_NAME(cleave_any_of)((CLEAVE_V(mask_words))mask);
}

/* Whether all lanes are on. */
CLEAVE_LANE_INLINE int CLEAVE_V(all)(CLEAVE_V(mask) mask)
{
    return CLEAVE_LANE_NAME(cleave_all_of)((CLEAVE_V(mask_words))mask);
}

/* Bit l is set if lane l is on. */
CLEAVE_LANE_INLINE unsigned CLEAVE_V(bits)(CLEAVE_V(mask) mask)
{
    return CLEAVE_LANE_NAME(CLEAVE_MASK_BITS)((CLEAVE_V(mask_words))mask);
}

/* The first lane that is on; there must be one. */
CLEAVE_LANE_INLINE int CLEAVE_V(first)(CLEAVE_V(mask) mask)
{
    return __builtin_ctz(CLEAVE_V(bits)(mask));
}

/* All lanes on, if a condition that is one for all of them holds; else none. */
CLEAVE_LANE_INLINE CLEAVE_V(mask) CLEAVE_V(set_mask)(int condition)
{
    const CLEAVE_V(mask) none = {0};
    return condition ? ~none : none;
}

/* a in lanes that are on, b in the others, of conditions. */
CLEAVE_LANE_INLINE CLEAVE_V(mask)
    CLEAVE_V(select_mask)(CLEAVE_V(mask) mask, CLEAVE_V(mask) a, CLEAVE_V(mask) b)
{
    return (mask & a) | (~mask & b);
}

/* Lanes that are off get the condition of the first lane that is on; there must be one. */
CLEAVE_LANE_INLINE CLEAVE_V(mask) CLEAVE_V(fill_mask)(CLEAVE_V(mask) mask, CLEAVE_V(mask) a)
{
    return CLEAVE_V(select_mask)(mask, a, CLEAVE_V(set_mask)(a[CLEAVE_V(first)(mask)] != 0));
}

#define CLEAVE_AT(l) map[(size_t)width * (size_t)(e + l) + (size_t)column]
/* The points that a column of a map names for elements e, e + 1, ... */
CLEAVE_LANE_INLINE CLEAVE_V(index) CLEAVE_V(column)(const int *map, int width, int column, int e)
{
    const CLEAVE_V(index) index = {{CLEAVE_LANE_LIST(CLEAVE_AT)}};
    return index;
}
#undef CLEAVE_AT

#define CLEAVE_AT(l) e + l
/* Elements e, e + 1, ... */
CLEAVE_LANE_INLINE CLEAVE_V(index) CLEAVE_V(elements)(int e)
{
    const CLEAVE_V(index) index = {{CLEAVE_LANE_LIST(CLEAVE_AT)}};
    return index;
}
#undef CLEAVE_AT

/* The index with those of lanes that are off replaced by that of the first lane that is on. */
CLEAVE_LANE_INLINE CLEAVE_V(index) CLEAVE_V(fill_index)(CLEAVE_V(mask) mask, CLEAVE_V(index) index)
{
    const int live = index.at[CLEAVE_V(first)(mask)];
    CLEAVE_EACH_LANE(index.at[cleave_l] = mask[cleave_l] != 0 ? index.at[cleave_l] : live);
    return index;
}
