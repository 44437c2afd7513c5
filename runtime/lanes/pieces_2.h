/* pieces_2.h: pieces of four components where a shape moves two. Included by typed.h. */

CLEAVE_LANE_INLINE void CLEAVE_T(get4)(CLEAVE_VECTOR *out, const CLEAVE_SCALAR *p, int dim,
                                       const int *at)
{
    CLEAVE_T(get2)(out, p, dim, at);
    CLEAVE_T(get2)(out + 2, p + 2, dim, at);
}

CLEAVE_LANE_INLINE void CLEAVE_T(turn4)(CLEAVE_VECTOR *t, const CLEAVE_VECTOR *v)
{
    CLEAVE_T(turn2)(t, v);
    CLEAVE_T(turn2)(t + 2, v + 2);
}

CLEAVE_LANE_INLINE void CLEAVE_T(put4)(CLEAVE_SCALAR *p, const CLEAVE_VECTOR *t, int lane,
                                       enum cleave_lane_put how)
{
    CLEAVE_T(put2)(p, t, lane, how);
    CLEAVE_T(put2)(p + 2, t + 2, lane, how);
}
