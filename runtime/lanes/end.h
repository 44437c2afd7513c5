/* end.h: closes the pass that begin.h opened. */
#pragma GCC diagnostic pop
#if CLEAVE_LANE_BYTES > 16 && defined(__clang__)
#pragma clang attribute pop
#endif
#ifdef __clang__
#pragma float_control(pop)
#else
#pragma GCC pop_options
#endif

#undef CLEAVE_LANE_BYTES
#undef CLEAVE_LANE_NAME
#undef CLEAVE_LANES
#undef CLEAVE_LANES_OF_8
#undef CLEAVE_LANES_OF_4
#undef CLEAVE_SHAPE_8_OF_8
#undef CLEAVE_SHAPE_4_OF_8
#undef CLEAVE_SHAPE_4_OF_4
#undef CLEAVE_DEFINE_CONVERT
#undef CLEAVE_DEFINE_CONVERT_LANEWISE
#undef CLEAVE_DEFINE_FABS
#undef CLEAVE_DEFINE_EXTREMUM
#undef CLEAVE_V
#undef CLEAVE_PASTE_NAME
#undef CLEAVE_PASTE_PASS
#undef CLEAVE_PASTE_VECTOR
#undef CLEAVE_PASTE_LANES
