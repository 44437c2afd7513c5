/* pieces.h: pieces of the records of one type: two components, and one. Included by typed.h.
 *
 * Records are moved in pieces of four, two and one component, so that nothing beyond a record is
 * touched: five components as four and one. getK reads a piece of every lane's record, turnK makes
 * whole records of a piece of vectors, and putK puts one lane's piece into memory. pieces_2.h and
 * pieces_4.h have those of four.
 */

CLEAVE_DEFINE_JOIN(CLEAVE_T(join1), CLEAVE_SCALAR, CLEAVE_SCALAR, CLEAVE_PICK_ONE)
CLEAVE_DEFINE_JOIN(CLEAVE_T(join2), CLEAVE_PART(2), CLEAVE_PART_INTS(2), CLEAVE_PICK)

#define CLEAVE_AT(l) ((const CLEAVE_MEMORY(CLEAVE_SCALAR) *)p)[(size_t)dim * (size_t)at[l]]
CLEAVE_LANE_INLINE void CLEAVE_T(get1)(CLEAVE_VECTOR *out, const CLEAVE_SCALAR *p, int dim,
                                       const int *at)
{
    out[0] = CLEAVE_LITERAL(CLEAVE_VECTOR, CLEAVE_LANE_LIST(CLEAVE_AT));
}
#undef CLEAVE_AT

CLEAVE_LANE_INLINE void CLEAVE_T(put1)(CLEAVE_SCALAR *p, const CLEAVE_VECTOR *t, int lane,
                                       enum cleave_lane_put how)
{
    CLEAVE_MEMORY(CLEAVE_SCALAR) *to = (CLEAVE_MEMORY(CLEAVE_SCALAR) *)p;
    *to = CLEAVE_T(join1)(*to, t[0][lane], how);
}

CLEAVE_LANE_INLINE void CLEAVE_T(get2)(CLEAVE_VECTOR *out, const CLEAVE_SCALAR *p, int dim,
                                       const int *at)
{
    CLEAVE_WORDS words[2];
    CLEAVE_W(load2)(words, (const char *)p, (size_t)dim * sizeof(CLEAVE_SCALAR), at);
    out[0] = (CLEAVE_VECTOR)words[0];
    out[1] = (CLEAVE_VECTOR)words[1];
}

CLEAVE_LANE_INLINE void CLEAVE_T(turn2)(CLEAVE_VECTOR *t, const CLEAVE_VECTOR *v)
{
    CLEAVE_WORDS words[2] = {(CLEAVE_WORDS)v[0], (CLEAVE_WORDS)v[1]};
    CLEAVE_W(turn2)(words, words);
    t[0] = (CLEAVE_VECTOR)words[0];
    t[1] = (CLEAVE_VECTOR)words[1];
}

CLEAVE_LANE_INLINE void CLEAVE_T(put2)(CLEAVE_SCALAR *p, const CLEAVE_VECTOR *t, int lane,
                                       enum cleave_lane_put how)
{
    const CLEAVE_WORDS words[2] = {(CLEAVE_WORDS)t[0], (CLEAVE_WORDS)t[1]};
    const CLEAVE_PART(2) now = (CLEAVE_PART(2))CLEAVE_W(part2)(words, lane);
    CLEAVE_MEMORY(CLEAVE_PART(2)) *to = (CLEAVE_MEMORY(CLEAVE_PART(2)) *)p;
    *to = CLEAVE_T(join2)(*to, now, how);
}
