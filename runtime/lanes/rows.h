/* rows.h: records of consecutive elements e, e + 1, ..., the arguments without a map, of one type.
 * Included by typed.h. */

/* Records of elements e, e + 1, ... */
CLEAVE_LANE_INLINE void CLEAVE_T(rows)(CLEAVE_VECTOR *out, const CLEAVE_SCALAR *p, int dim, int e)
{
    if (dim == 1) {
        out[0] = *(const CLEAVE_MEMORY(CLEAVE_VECTOR) *)(p + e);
    } else {
        CLEAVE_T(load_part)(out, p, dim, dim, CLEAVE_V(elements)(e));
    }
}

CLEAVE_LANE_INLINE void CLEAVE_T(store_rows)(CLEAVE_SCALAR *p, int dim, int e,
                                             const CLEAVE_VECTOR *v)
{
    if (dim == 1) {
        *(CLEAVE_MEMORY(CLEAVE_VECTOR) *)(p + e) = v[0];
    } else {
        CLEAVE_T(put_lanes)(CLEAVE_PUT_STORE, CLEAVE_EVERY_LANE, p, dim, CLEAVE_V(elements)(e), v);
    }
}

CLEAVE_LANE_INLINE void CLEAVE_T(store_rows_masked)(CLEAVE_V(mask) mask, CLEAVE_SCALAR *p, int dim,
                                                    int e, const CLEAVE_VECTOR *v)
{
    CLEAVE_T(put_lanes)(CLEAVE_PUT_STORE, CLEAVE_V(bits)(mask), p, dim, CLEAVE_V(elements)(e), v);
}
