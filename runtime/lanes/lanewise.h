/* lanewise.h: statements and lists that are written once and stand there for each lane of
 * CLEAVE_LANES. Included once.
 *
 * CLEAVE_EACH_LANE(statements) repeats them with the constant cleave_l = 0, 1, ...: no loop, so
 * that vectors that it indexes stay in registers. CLEAVE_LANE_LIST(f): f(0), f(1), ...
 */
#ifndef CLEAVE_LANES_LANEWISE_H
#define CLEAVE_LANES_LANEWISE_H

#define CLEAVE_BY_LANES(name, lanes) name##lanes
#define CLEAVE_BY_LANES_OF(name, lanes) CLEAVE_BY_LANES(name, lanes)

#define CLEAVE_EACH_LANE(...)                                                                      \
    do {                                                                                           \
        CLEAVE_BY_LANES_OF(CLEAVE_EACH_LANE_, CLEAVE_LANES)(__VA_ARGS__)                           \
    } while (0)
#define CLEAVE_ONE_LANE(l, ...)                                                                    \
    {                                                                                              \
        const int cleave_l = l;                                                                    \
        (void)cleave_l;                                                                            \
        __VA_ARGS__;                                                                               \
    }
#define CLEAVE_TWO_LANES(l, ...) CLEAVE_ONE_LANE(l, __VA_ARGS__) CLEAVE_ONE_LANE(l + 1, __VA_ARGS__)
#define CLEAVE_FOUR_LANES(l, ...)                                                                  \
    CLEAVE_TWO_LANES(l, __VA_ARGS__) CLEAVE_TWO_LANES(l + 2, __VA_ARGS__)
#define CLEAVE_EIGHT_LANES(l, ...)                                                                 \
    CLEAVE_FOUR_LANES(l, __VA_ARGS__) CLEAVE_FOUR_LANES(l + 4, __VA_ARGS__)
#define CLEAVE_EACH_LANE_2(...) CLEAVE_TWO_LANES(0, __VA_ARGS__)
#define CLEAVE_EACH_LANE_4(...) CLEAVE_FOUR_LANES(0, __VA_ARGS__)
#define CLEAVE_EACH_LANE_8(...) CLEAVE_EIGHT_LANES(0, __VA_ARGS__)
#define CLEAVE_EACH_LANE_16(...)                                                                   \
    CLEAVE_EIGHT_LANES(0, __VA_ARGS__) CLEAVE_EIGHT_LANES(8, __VA_ARGS__)

#define CLEAVE_LANE_LIST(f) CLEAVE_BY_LANES_OF(CLEAVE_LANE_LIST_, CLEAVE_LANES)(f)
#define CLEAVE_LANE_LIST_2(f) f(0), f(1)
#define CLEAVE_LANE_LIST_4(f) CLEAVE_LANE_LIST_2(f), f(2), f(3)
#define CLEAVE_LANE_LIST_8(f) CLEAVE_LANE_LIST_4(f), f(4), f(5), f(6), f(7)
#define CLEAVE_LANE_LIST_16(f)                                                                     \
    CLEAVE_LANE_LIST_8(f), f(8), f(9), f(10), f(11), f(12), f(13), f(14), f(15)

#define CLEAVE_MASK_NAME(type) convert_##type##_mask
#define CLEAVE_TO_MASK(type) CLEAVE_MASK_NAME(type)

/* CLEAVE_LANEWISE(out, expression): out[l] = expression for each lane, in which cleave_l is the
 * lane; for functions that are called lane by lane. CLEAVE_LANEWISE_IF leaves lanes alone that are
 * off, and computes nothing for them. */
#define CLEAVE_LANEWISE(out, ...) CLEAVE_EACH_LANE((out)[cleave_l] = (__VA_ARGS__))
#define CLEAVE_LANEWISE_IF(mask, out, ...)                                                         \
    CLEAVE_EACH_LANE(if ((mask)[cleave_l] != 0)(out)[cleave_l] = (__VA_ARGS__))

#endif
