/* records_type.h: records_body.h for one type, TEST_TYPE, and records of TEST_DIM components:
 * values TEST_SCALAR in memory, TEST_VECTOR of TEST_ELEMENT in registers. */
#define TEST_TYPED_NAME(name, type) name##_##type
#define TEST_TYPED(name, type) TEST_TYPED_NAME(name, type)
#define TEST_V(name) CLEAVE_V(TEST_TYPED(name, TEST_TYPE))
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

static void TEST_T(check_loads)(void)
{
    enum { dim = TEST_T(dim), from = dim > 1 };
    const TEST_SCALAR *p = TEST_T(records)(dim);
    const unsigned bits = test_bits(CLEAVE_LANES);
    TEST_VECTOR out[TEST_T(most)];
    CLEAVE_V(index) index = TEST_T(index)(~0u);
    TEST_V(load)(out, p, dim, index);
    TEST_T(check_read)(out, p, dim, dim, index);
    TEST_V(load_part)(out, p + from, dim, dim - from, index);
    TEST_T(check_read)(out, p + from, dim, dim - from, index);

    index = TEST_T(index)(bits);
    TEST_V(load_masked)(TEST_T(mask)(bits), out, p, dim, index);
    for (int l = 0; l < CLEAVE_LANES; l++) {
        index.at[l] = (bits >> l & 1) != 0 ? index.at[l] : index.at[__builtin_ctz(bits)];
    }
    TEST_T(check_read)(out, p, dim, dim, index);

    TEST_V(rows)(out, p, dim, TEST_T(points) - CLEAVE_LANES);
    TEST_T(check_read)(out, p, dim, dim, CLEAVE_V(elements)(TEST_T(points) - CLEAVE_LANES));
}

/* The record of a lane after its increments, as the scalar kernel has it. */
static void TEST_T(put_expected)(enum cleave_lane_put how, TEST_SCALAR *to, const TEST_VECTOR *v,
                                 int dim, int lane)
{
    for (int c = 0; c < dim; c++) {
        const TEST_ELEMENT now = v[c][lane];
        if (how == CLEAVE_PUT_ADD) {
            to[c] = (TEST_SCALAR)(to[c] + now);
        } else if (how == CLEAVE_PUT_SUBTRACT) {
            to[c] = (TEST_SCALAR)(to[c] - now);
        } else if (how == CLEAVE_PUT_STORE || (how == CLEAVE_PUT_LOWER && now < to[c]) ||
                   (how == CLEAVE_PUT_RAISE && now > to[c])) {
            to[c] = (TEST_SCALAR)now;
        }
    }
}

static void TEST_T(put_lanewise)(TEST_SCALAR *p, CLEAVE_V(index) index, const TEST_VECTOR *v)
{
    enum { dim = TEST_T(dim) };
    TEST_VECTOR t[dim];
    TEST_V(turn)(t, v, dim);
    CLEAVE_EACH_LANE(TEST_V(put)(CLEAVE_PUT_ADD, p + dim * index.at[cleave_l], t, dim, cleave_l));
}

/* Each way to put records, for all lanes and for those that are on. */
static void TEST_T(put)(int way, unsigned bits, TEST_SCALAR *p, CLEAVE_V(index) index,
                        const TEST_VECTOR *v)
{
    enum { dim = TEST_T(dim) };
    const CLEAVE_V(mask) mask = TEST_T(mask)(bits);
    switch (way) {
    case CLEAVE_PUT_ADD:
        TEST_V(add)(p, dim, index, v);
        break;
    case CLEAVE_PUT_SUBTRACT:
        TEST_V(subtract)(p, dim, index, v);
        break;
    case CLEAVE_PUT_LOWER:
        TEST_V(min)(p, dim, index, v);
        break;
    case CLEAVE_PUT_RAISE:
        TEST_V(max)(p, dim, index, v);
        break;
    case 8 + CLEAVE_PUT_ADD:
        TEST_V(add_masked)(mask, p, dim, index, v);
        break;
    case 8 + CLEAVE_PUT_SUBTRACT:
        TEST_V(subtract_masked)(mask, p, dim, index, v);
        break;
    case 8 + CLEAVE_PUT_LOWER:
        TEST_V(min_masked)(mask, p, dim, index, v);
        break;
    case 8 + CLEAVE_PUT_RAISE:
        TEST_V(max_masked)(mask, p, dim, index, v);
        break;
    default:
        TEST_T(put_lanewise)(p, index, v);
    }
}

static void TEST_T(check_memory)(const TEST_SCALAR *p, const TEST_SCALAR *expected, int dim)
{
    for (int i = 0; i < TEST_T(points) * dim; i++) {
        CHECK(TEST_SAME(p[i], expected[i]));
    }
}

static void TEST_T(check_put)(int way)
{
    enum { dim = TEST_T(dim) };
    static TEST_SCALAR expected[TEST_T(points) * TEST_T(most)];
    TEST_SCALAR *p = TEST_T(records)(dim);
    const unsigned bits = way / 8 != 1 ? ~0u : test_bits(CLEAVE_LANES);
    const CLEAVE_V(index) index = TEST_T(index)(bits);
    TEST_VECTOR v[TEST_T(most)];
    for (int c = 0; c < dim; c++) {
        CLEAVE_LANEWISE(v[c], TEST_VALUE());
    }
    memcpy(expected, p, sizeof(*p) * (size_t)(TEST_T(points) * dim));
    for (int l = 0; l < CLEAVE_LANES; l++) {
        if ((bits >> l & 1) != 0) {
            TEST_T(put_expected)((enum cleave_lane_put)(way % 8), expected + index.at[l] * dim, v,
                                 dim, l);
        }
    }
    TEST_T(put)(way, bits, p, index, v);
    TEST_T(check_memory)(p, expected, dim);
}

static void TEST_T(check_store_rows)(void)
{
    enum { dim = TEST_T(dim) };
    static TEST_SCALAR expected[TEST_T(points) * TEST_T(most)];
    TEST_SCALAR *p = TEST_T(records)(dim);
    const unsigned bits = test_bits(CLEAVE_LANES);
    const int e = TEST_T(points) - CLEAVE_LANES;
    TEST_VECTOR v[TEST_T(most)];
    for (int round = 0; round < 2; round++) {
        for (int c = 0; c < dim; c++) {
            CLEAVE_LANEWISE(v[c], TEST_VALUE());
        }
        memcpy(expected, p, sizeof(*p) * (size_t)(TEST_T(points) * dim));
        for (int l = 0; l < CLEAVE_LANES; l++) {
            if (round == 0 || (bits >> l & 1) != 0) {
                TEST_T(put_expected)(CLEAVE_PUT_STORE, expected + (e + l) * dim, v, dim, l);
            }
        }
        if (round == 0) {
            TEST_V(store_rows)(p, dim, e, v);
        } else {
            TEST_V(store_rows_masked)(TEST_T(mask)(bits), p, dim, e, v);
        }
        TEST_T(check_memory)(p, expected, dim);
    }
}

#if TEST_DIM == 7
/* Other numbers of components, not known to the compiler. */
static void TEST_T(check_dim)(int dim)
{
    static TEST_SCALAR expected[TEST_T(points) * TEST_T(most)];
    TEST_SCALAR *p = TEST_T(records)(dim);
    const CLEAVE_V(index) index = TEST_T(index)(~0u);
    TEST_VECTOR v[TEST_T(most)];
    TEST_V(load)(v, p, dim, index);
    TEST_T(check_read)(v, p, dim, dim, index);
    memcpy(expected, p, sizeof(*p) * (size_t)(TEST_T(points) * dim));
    for (int l = 0; l < CLEAVE_LANES; l++) {
        TEST_T(put_expected)(CLEAVE_PUT_ADD, expected + index.at[l] * dim, v, dim, l);
    }
    TEST_V(add)(p, dim, index, v);
    TEST_T(check_memory)(p, expected, dim);
}
#else
static void TEST_T(check_dim)(int dim)
{
    (void)dim;
}
#endif

static void TEST_T(test)(void)
{
    for (int round = 0; round < 10; round++) {
        TEST_T(check_loads)();
        for (int how = CLEAVE_PUT_ADD; how <= CLEAVE_PUT_RAISE; how++) {
            TEST_T(check_put)(how);
            TEST_T(check_put)(8 + how);
        }
        TEST_T(check_put)(16 + CLEAVE_PUT_ADD);
        TEST_T(check_store_rows)();
    }
    for (int dim = 1; dim <= TEST_T(most); dim++) {
        TEST_T(check_dim)(dim);
    }
}

#undef TEST_TYPED_NAME
#undef TEST_TYPED
#undef TEST_V
#undef TEST_T
#undef TEST_VALUE
#undef TEST_TYPE
#undef TEST_SCALAR
#undef TEST_DIM
