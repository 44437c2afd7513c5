/* pieces_4.h: pieces of four components. Included by typed.h. */

CLEAVE_DEFINE_JOIN(CLEAVE_T(join4), CLEAVE_PART(4), CLEAVE_PART_INTS(4), CLEAVE_PICK)

CLEAVE_LANE_INLINE void CLEAVE_T(get4)(CLEAVE_VECTOR *out, const CLEAVE_SCALAR *p, int dim,
                                       const int *at)
{
    CLEAVE_WORDS words[4];
    CLEAVE_W(load4)(words, (const char *)p, (size_t)dim * sizeof(CLEAVE_SCALAR), at);
    out[0] = (CLEAVE_VECTOR)words[0];
    out[1] = (CLEAVE_VECTOR)words[1];
    out[2] = (CLEAVE_VECTOR)words[2];
    out[3] = (CLEAVE_VECTOR)words[3];
}

CLEAVE_LANE_INLINE void CLEAVE_T(turn4)(CLEAVE_VECTOR *t, const CLEAVE_VECTOR *v)
{
    CLEAVE_WORDS words[4] = {(CLEAVE_WORDS)v[0], (CLEAVE_WORDS)v[1], (CLEAVE_WORDS)v[2],
                             (CLEAVE_WORDS)v[3]};
    CLEAVE_W(turn4)(words, words);
    t[0] = (CLEAVE_VECTOR)words[0];
    t[1] = (CLEAVE_VECTOR)words[1];
    t[2] = (CLEAVE_VECTOR)words[2];
    t[3] = (CLEAVE_VECTOR)words[3];
}

CLEAVE_LANE_INLINE void CLEAVE_T(put4)(CLEAVE_SCALAR *p, const CLEAVE_VECTOR *t, int lane,
                                       enum cleave_lane_put how)
{
    const CLEAVE_WORDS words[4] = {(CLEAVE_WORDS)t[0], (CLEAVE_WORDS)t[1], (CLEAVE_WORDS)t[2],
                                   (CLEAVE_WORDS)t[3]};
    const CLEAVE_PART(4) now = (CLEAVE_PART(4))CLEAVE_W(part4)(words, lane);
    CLEAVE_MEMORY(CLEAVE_PART(4)) *to = (CLEAVE_MEMORY(CLEAVE_PART(4)) *)p;
    *to = CLEAVE_T(join4)(*to, now, how);
}
