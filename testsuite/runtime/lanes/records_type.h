/* records_type.h: records_body.h for one type, TEST_TYPE, and records of TEST_DIM components:
 * values TEST_SCALAR in memory, TEST_VECTOR of TEST_ELEMENT in registers. */
#define TEST_TYPED_NAME(name, type) name##_##type
#define TEST_TYPED(name, type) TEST_TYPED_NAME(name, type)
#define TEST_T(name) TEST_NAME(TEST_TYPED(name, TEST_TYPE))
#define TEST_VALUE TEST_TYPED(test, TEST_TYPE)

enum { TEST_T(points) = 23, TEST_T(most) = 18, TEST_T(dim) = TEST_DIM };

static TEST_SCALAR *TEST_T(records)(int dim)
{
    const size_t count = (size_t)TEST_T(points) * (size_t)dim;
    TEST_SCALAR *p = (TEST_SCALAR *)test_memory(count * sizeof(*p));
    for (size_t i = 0; i < count; i++) {
        p[i] = TEST_VALUE();
    }
    return p;
}

/* Points for the lanes of `bits`, the last point among them; for others, points that there are not.
 */
static CLEAVE_V(index) TEST_T(index)(unsigned bits)
{
    CLEAVE_V(index) index;
    for (int l = 0; l < CLEAVE_LANES; l++) {
        index.at[l] = test_below(3) == 0 ? TEST_T(points) - 1 : test_below(TEST_T(points));
        index.at[l] += (bits >> l & 1) != 0 ? 0 : TEST_T(points) + test_below(5000);
    }
    return index;
}

static CLEAVE_V(mask) TEST_T(mask)(unsigned bits)
{
    CLEAVE_V(mask) mask = {0};
    for (int l = 0; l < CLEAVE_LANES; l++) {
        mask[l] = (bits >> l & 1) != 0 ? -1 : 0;
    }
    return mask;
}

static void TEST_T(check_read)(const TEST_VECTOR *out, const TEST_SCALAR *p, int dim, int count,
                               CLEAVE_V(index) index)
{
    for (int c = 0; c < count; c++) {
        for (int l = 0; l < CLEAVE_LANES; l++) {
            const TEST_ELEMENT is = out[c][l];
            const TEST_ELEMENT expected = p[index.at[l] * dim + c];
            CHECK(TEST_SAME(is, expected));
        }
    }
}

/* A row of consecutive values, read and written. */
static void TEST_T(check_row)(TEST_VECTOR *out, const TEST_SCALAR *p)
{
#if TEST_PIECE > 1
    TEST_SCALAR *copy = TEST_T(records)(1);
    out[0] = TEST_ROW(TEST_TYPE, p + 1);
    TEST_T(check_read)(out, p + 1, 1, 1, CLEAVE_V(elements)(0));
    TEST_PUT_ROW(TEST_TYPE, copy + TEST_T(points) - CLEAVE_LANES, out[0]);
    TEST_T(check_read)(out, copy, 1, 1, CLEAVE_V(elements)(TEST_T(points) - CLEAVE_LANES));
#else
    (void)out, (void)p;
#endif
}

#if TEST_PIECE > 1
#define TEST_LOAD_PIECES                                                                           \
    for (; to - c >= 4; c += 4) {                                                                  \
        TEST_GET4(TEST_TYPE, out + c, p + c, dim, index.at);                                       \
    }                                                                                              \
    for (; to - c >= 2; c += 2) {                                                                  \
        TEST_GET2(TEST_TYPE, out + c, p + c, dim, index.at);                                       \
    }
#define TEST_PUT_PIECES(how)                                                                       \
    for (TEST_VECTOR t[4]; dim - c >= 4; c += 4) {                                                 \
        TEST_TURN4(TEST_TYPE, t, v + c);                                                           \
        TEST_LIVE_LANES(TEST_PUT4(TEST_TYPE, how, TEST_RECORD + c, t, cleave_l));                  \
    }                                                                                              \
    for (TEST_VECTOR t[2]; dim - c >= 2; c += 2) {                                                 \
        TEST_TURN2(TEST_TYPE, t, v + c);                                                           \
        TEST_LIVE_LANES(TEST_PUT2(TEST_TYPE, how, TEST_RECORD + c, t, cleave_l));                  \
    }
#else
#define TEST_LOAD_PIECES
#define TEST_PUT_PIECES(how)
#endif
#define TEST_RECORD p + dim *index.at[cleave_l]
#define TEST_LIVE_LANES(...) CLEAVE_EACH_LANE(if ((bits >> cleave_l & 1) != 0) { __VA_ARGS__; })

/* Components `from` to `to` - 1 of records of `dim`, piece by piece. */
static void TEST_T(load)(TEST_VECTOR *out, const TEST_SCALAR *p, int dim, int from, int to,
                         CLEAVE_V(index) index)
{
    int c = from;
    TEST_LOAD_PIECES
    for (; c < to; c++) {
        TEST_GET1(TEST_TYPE, out + c, p + c, dim, index.at);
    }
}

static void TEST_T(check_loads)(void)
{
    enum { dim = TEST_T(dim), from = dim > 1 };
    const TEST_SCALAR *p = TEST_T(records)(dim);
    const unsigned bits = test_bits(CLEAVE_LANES);
    TEST_VECTOR out[TEST_T(most)];
    CLEAVE_V(index) index = TEST_T(index)(~0u);
    TEST_T(load)(out, p, dim, 0, dim, index);
    TEST_T(check_read)(out, p, dim, dim, index);
    TEST_T(load)(out, p, dim, from, dim, index);
    TEST_T(check_read)(out + from, p + from, dim, dim - from, index);

    index = TEST_T(index)(bits);
    TEST_T(load)(out, p, dim, 0, dim, CLEAVE_V(fill_index)(TEST_T(mask)(bits), index));
    for (int l = 0; l < CLEAVE_LANES; l++) {
        index.at[l] = (bits >> l & 1) != 0 ? index.at[l] : index.at[__builtin_ctz(bits)];
    }
    TEST_T(check_read)(out, p, dim, dim, index);
    TEST_T(check_row)(out, p);
}

/* The record of a lane after its increments, as the scalar kernel has it. */
static void TEST_T(put_expected)(int how, TEST_SCALAR *to, const TEST_VECTOR *v, int dim, int lane)
{
    for (int c = 0; c < dim; c++) {
        const TEST_ELEMENT now = v[c][lane];
        if (how == TEST_ADD) {
            to[c] = (TEST_SCALAR)(to[c] + now);
        } else if (how == TEST_SUBTRACT) {
            to[c] = (TEST_SCALAR)(to[c] - now);
        } else if (how == TEST_STORE || (how == TEST_LOWER && now < to[c]) ||
                   (how == TEST_RAISE && now > to[c])) {
            to[c] = (TEST_SCALAR)now;
        }
    }
}

#define TEST_PUT(how)                                                                              \
    TEST_PUT_PIECES(how)                                                                           \
    for (; c < dim; c++) {                                                                         \
        TEST_LIVE_LANES(TEST_PUT1(TEST_TYPE, how, TEST_RECORD + c, v + c, cleave_l));              \
    }

/* Each way to put records, for the lanes of `bits`. */
static void TEST_T(put)(int how, unsigned bits, TEST_SCALAR *p, int dim, CLEAVE_V(index) index,
                        const TEST_VECTOR *v)
{
    int c = 0;
    if (how == TEST_STORE) {
        TEST_PUT(STORE)
    } else if (how == TEST_ADD) {
        TEST_PUT(ADD)
    } else if (how == TEST_SUBTRACT) {
        TEST_PUT(SUBTRACT)
    } else if (how == TEST_LOWER) {
        TEST_PUT(LOWER)
    } else {
        TEST_PUT(RAISE)
    }
}
#undef TEST_PUT
#undef TEST_PUT_PIECES
#undef TEST_LOAD_PIECES
#undef TEST_RECORD
#undef TEST_LIVE_LANES

static void TEST_T(check_memory)(const TEST_SCALAR *p, const TEST_SCALAR *expected, int dim)
{
    for (int i = 0; i < TEST_T(points) * dim; i++) {
        CHECK(TEST_SAME(p[i], expected[i]));
    }
}

/* `bits`: lanes that are on; of the others, the index names no record. */
static void TEST_T(check_put)(int how, int dim, unsigned bits)
{
    static TEST_SCALAR expected[TEST_T(points) * TEST_T(most)];
    TEST_SCALAR *p = TEST_T(records)(dim);
    const CLEAVE_V(index) index = TEST_T(index)(bits);
    TEST_VECTOR v[TEST_T(most)];
    for (int c = 0; c < dim; c++) {
        CLEAVE_LANEWISE(v[c], TEST_VALUE());
    }
    memcpy(expected, p, sizeof(*p) * (size_t)(TEST_T(points) * dim));
    for (int l = 0; l < CLEAVE_LANES; l++) {
        if ((bits >> l & 1) != 0) {
            TEST_T(put_expected)(how, expected + index.at[l] * dim, v, dim, l);
        }
    }
    TEST_T(put)(how, bits, p, dim, index, v);
    TEST_T(check_memory)(p, expected, dim);
}

static void TEST_T(test)(void)
{
    for (int round = 0; round < 10; round++) {
        TEST_T(check_loads)();
        for (int how = TEST_STORE; how <= TEST_RAISE; how++) {
            TEST_T(check_put)(how, TEST_T(dim), ~0u);
            TEST_T(check_put)(how, TEST_T(dim), test_bits(CLEAVE_LANES));
        }
    }
    for (int dim = 1; dim <= TEST_T(dim); dim++) {
        TEST_T(check_put)(TEST_ADD, dim, ~0u);
    }
}

#undef TEST_TYPED_NAME
#undef TEST_TYPED
#undef TEST_T
#undef TEST_VALUE
#undef TEST_TYPE
#undef TEST_SCALAR
#undef TEST_DIM
