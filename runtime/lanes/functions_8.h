/* functions_8.h: functions of doubles and long integers; see functions.h. Included once for each
 * pass, after functions.h. */
CLEAVE_DEFINE_FABS(f64, i64)
CLEAVE_DEFINE_EXTREMUM(f64, i64, fmin, fmin, <, 51)
CLEAVE_DEFINE_EXTREMUM(f64, i64, fmax, fmax, >, 51)

CLEAVE_LANE_INLINE CLEAVE_V(f64) CLEAVE_V(sqrt_f64)(CLEAVE_V(f64) v)
{
    return CLEAVE_LANE_NAME(cleave_root_f64)(v);
}

CLEAVE_LANE_INLINE CLEAVE_V(i64) CLEAVE_V(abs_i64)(CLEAVE_V(i64) v)
{
    return CLEAVE_V(select_i64)(CLEAVE_V(mask_of_i64)(v < 0), -v, v);
}
