/* cpu_hand_lanes.h: vectors of doubles of neighbouring elements, for the hand-written kernels of
 * cpu_bench. Included once per number of lanes, with CPU_HAND_LANES 4 (AVX2) or 8 (AVX-512), inside
 * a region that allows the instructions; HAND(name) ends a name in that number.
 *
 * Records of points are loaded whole and transposed in registers, so that vector d holds component
 * d of all lanes. Increments are transposed back and added record by record in the order of the
 * elements: what a lane does is what the scalar kernel does, operation by operation.
 */
typedef double HAND(vector) __attribute__((vector_size(8 * CPU_HAND_LANES)));

#define V HAND(vector)
#define HAND_WIDE (16 / CPU_HAND_LANES) /* vectors for 16 components of one record */
#define HAND_UNROLL _Pragma("GCC unroll 32")

/* Record of `dim` doubles that lane l names; `column` points to the map's entry of lane 0, and rows
 * have two entries. */
#define RECORD(l) (dat + dim * (size_t)column[2 * (l)])

#if CPU_HAND_LANES == 8

HAND_INLINE __m512d HAND(join)(const double *low, const double *high)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(low)), _mm256_loadu_pd(high),
                              1);
}

/* Four components of each lane's record. */
HAND_INLINE void HAND(load4)(V *out, const double *dat, size_t dim, const int *column)
{
    const __m512d a = HAND(join)(RECORD(0), RECORD(2)), b = HAND(join)(RECORD(1), RECORD(3));
    const __m512d c = HAND(join)(RECORD(4), RECORD(6)), d = HAND(join)(RECORD(5), RECORD(7));
    const __m512d ab0 = _mm512_unpacklo_pd(a, b), ab1 = _mm512_unpackhi_pd(a, b);
    const __m512d cd0 = _mm512_unpacklo_pd(c, d), cd1 = _mm512_unpackhi_pd(c, d);
    out[0] = _mm512_shuffle_f64x2(ab0, cd0, 0x88);
    out[1] = _mm512_shuffle_f64x2(ab1, cd1, 0x88);
    out[2] = _mm512_shuffle_f64x2(ab0, cd0, 0xdd);
    out[3] = _mm512_shuffle_f64x2(ab1, cd1, 0xdd);
}

HAND_INLINE __m512d HAND(quarters)(__m128d a, __m128d b, __m128d c, __m128d d)
{
    const __m256d low = _mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1);
    const __m256d high = _mm256_insertf128_pd(_mm256_castpd128_pd256(c), d, 1);
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}

HAND_INLINE void HAND(load2)(V *out, const double *dat, size_t dim, const int *column)
{
    const __m512d even = HAND(quarters)(_mm_loadu_pd(RECORD(0)), _mm_loadu_pd(RECORD(2)),
                                        _mm_loadu_pd(RECORD(4)), _mm_loadu_pd(RECORD(6)));
    const __m512d odd = HAND(quarters)(_mm_loadu_pd(RECORD(1)), _mm_loadu_pd(RECORD(3)),
                                       _mm_loadu_pd(RECORD(5)), _mm_loadu_pd(RECORD(7)));
    out[0] = _mm512_unpacklo_pd(even, odd);
    out[1] = _mm512_unpackhi_pd(even, odd);
}

HAND_INLINE __m128d HAND(pair)(const double *low, const double *high)
{
    return _mm_loadh_pd(_mm_load_sd(low), high);
}

HAND_INLINE V HAND(load1)(const double *dat, size_t dim, const int *column)
{
    return HAND(quarters)(HAND(pair)(RECORD(0), RECORD(1)), HAND(pair)(RECORD(2), RECORD(3)),
                          HAND(pair)(RECORD(4), RECORD(5)), HAND(pair)(RECORD(6), RECORD(7)));
}

/* Four components of each lane, as records: lane l's in record[l]. */
HAND_INLINE void HAND(back4)(__m256d *record, const V *in)
{
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const __m512d a0 = _mm512_unpacklo_pd(in[0], in[1]), a1 = _mm512_unpackhi_pd(in[0], in[1]);
    const __m512d b0 = _mm512_unpacklo_pd(in[2], in[3]), b1 = _mm512_unpackhi_pd(in[2], in[3]);
    const __m512d r02 = _mm512_permutex2var_pd(a0, low, b0);
    const __m512d r13 = _mm512_permutex2var_pd(a1, low, b1);
    const __m512d r46 = _mm512_permutex2var_pd(a0, high, b0);
    const __m512d r57 = _mm512_permutex2var_pd(a1, high, b1);
    record[0] = _mm512_castpd512_pd256(r02);
    record[1] = _mm512_castpd512_pd256(r13);
    record[2] = _mm512_extractf64x4_pd(r02, 1);
    record[3] = _mm512_extractf64x4_pd(r13, 1);
    record[4] = _mm512_castpd512_pd256(r46);
    record[5] = _mm512_castpd512_pd256(r57);
    record[6] = _mm512_extractf64x4_pd(r46, 1);
    record[7] = _mm512_extractf64x4_pd(r57, 1);
}

HAND_INLINE void HAND(back2)(__m128d *record, const V *in)
{
    const __m512d even = _mm512_unpacklo_pd(in[0], in[1]), odd = _mm512_unpackhi_pd(in[0], in[1]);
    record[0] = _mm512_castpd512_pd128(even);
    record[1] = _mm512_castpd512_pd128(odd);
    record[2] = _mm512_extractf64x2_pd(even, 1);
    record[3] = _mm512_extractf64x2_pd(odd, 1);
    record[4] = _mm512_extractf64x2_pd(even, 2);
    record[5] = _mm512_extractf64x2_pd(odd, 2);
    record[6] = _mm512_extractf64x2_pd(even, 3);
    record[7] = _mm512_extractf64x2_pd(odd, 3);
}

/* Eight components of each lane, as records. */
HAND_INLINE void HAND(back_all)(V *record, const V *in)
{
    for (int odd = 0; odd < 2; odd++) {
        __m512d pair[4];
        for (int p = 0; p < 4; p++) {
            pair[p] = odd ? _mm512_unpackhi_pd(in[2 * p], in[2 * p + 1])
                          : _mm512_unpacklo_pd(in[2 * p], in[2 * p + 1]);
        }
        const __m512d a = _mm512_shuffle_f64x2(pair[0], pair[1], 0x44);
        const __m512d b = _mm512_shuffle_f64x2(pair[2], pair[3], 0x44);
        const __m512d c = _mm512_shuffle_f64x2(pair[0], pair[1], 0xee);
        const __m512d d = _mm512_shuffle_f64x2(pair[2], pair[3], 0xee);
        record[odd] = _mm512_shuffle_f64x2(a, b, 0x88);
        record[2 + odd] = _mm512_shuffle_f64x2(a, b, 0xdd);
        record[4 + odd] = _mm512_shuffle_f64x2(c, d, 0x88);
        record[6 + odd] = _mm512_shuffle_f64x2(c, d, 0xdd);
    }
}

/* Records of 3 doubles of consecutive elements. */
HAND_INLINE void HAND(rows3)(V *out, const double *row)
{
    const __m512d a = _mm512_loadu_pd(row), b = _mm512_loadu_pd(row + 8),
                  c = _mm512_loadu_pd(row + 16);
    const __m512d x = _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0), b);
    const __m512d y = _mm512_permutex2var_pd(a, _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0), b);
    const __m512d z = _mm512_permutex2var_pd(a, _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0), b);
    out[0] = _mm512_permutex2var_pd(x, _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13), c);
    out[1] = _mm512_permutex2var_pd(y, _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14), c);
    out[2] = _mm512_permutex2var_pd(z, _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15), c);
}

HAND_INLINE V HAND(root)(V a)
{
    return _mm512_sqrt_pd(a);
}

HAND_INLINE V HAND(absolute)(V a)
{
    return _mm512_abs_pd(a);
}

HAND_INLINE V HAND(least)(V a, V b)
{
    return _mm512_min_pd(a, b);
}

HAND_INLINE V HAND(most)(V a, V b)
{
    return _mm512_max_pd(a, b);
}

/* a < b ? yes : no, lane by lane. */
HAND_INLINE V HAND(if_less)(V a, V b, V yes, V no)
{
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ), no, yes);
}

#else /* 4 lanes */

HAND_INLINE __m256d HAND(join)(const double *low, const double *high)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(low)), _mm_loadu_pd(high), 1);
}

HAND_INLINE void HAND(load2)(V *out, const double *dat, size_t dim, const int *column)
{
    const __m256d even = HAND(join)(RECORD(0), RECORD(2));
    const __m256d odd = HAND(join)(RECORD(1), RECORD(3));
    out[0] = _mm256_unpacklo_pd(even, odd);
    out[1] = _mm256_unpackhi_pd(even, odd);
}

HAND_INLINE void HAND(load4)(V *out, const double *dat, size_t dim, const int *column)
{
    HAND(load2)(out, dat, dim, column);
    HAND(load2)(out + 2, dat + 2, dim, column);
}

HAND_INLINE V HAND(load1)(const double *dat, size_t dim, const int *column)
{
    const __m128d low = _mm_loadh_pd(_mm_load_sd(RECORD(0)), RECORD(1));
    const __m128d high = _mm_loadh_pd(_mm_load_sd(RECORD(2)), RECORD(3));
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}

HAND_INLINE void HAND(back4)(__m256d *record, const V *in)
{
    const __m256d a0 = _mm256_unpacklo_pd(in[0], in[1]), a1 = _mm256_unpackhi_pd(in[0], in[1]);
    const __m256d b0 = _mm256_unpacklo_pd(in[2], in[3]), b1 = _mm256_unpackhi_pd(in[2], in[3]);
    record[0] = _mm256_permute2f128_pd(a0, b0, 0x20);
    record[1] = _mm256_permute2f128_pd(a1, b1, 0x20);
    record[2] = _mm256_permute2f128_pd(a0, b0, 0x31);
    record[3] = _mm256_permute2f128_pd(a1, b1, 0x31);
}

HAND_INLINE void HAND(back2)(__m128d *record, const V *in)
{
    const __m256d even = _mm256_unpacklo_pd(in[0], in[1]), odd = _mm256_unpackhi_pd(in[0], in[1]);
    record[0] = _mm256_castpd256_pd128(even);
    record[1] = _mm256_castpd256_pd128(odd);
    record[2] = _mm256_extractf128_pd(even, 1);
    record[3] = _mm256_extractf128_pd(odd, 1);
}

HAND_INLINE void HAND(back_all)(V *record, const V *in)
{
    HAND(back4)(record, in);
}

HAND_INLINE void HAND(rows3)(V *out, const double *row)
{
    const __m256d a = HAND(join)(row, row + 6), b = HAND(join)(row + 2, row + 8);
    const __m256d c = HAND(join)(row + 4, row + 10);
    out[0] =
        _mm256_shuffle_pd(a, b, 0xa); /* a: x0 y0 | x2 y2, b: z0 x1 | z2 x3, c: y1 z1 | y3 z3 */
    out[1] = _mm256_shuffle_pd(a, c, 0x5);
    out[2] = _mm256_shuffle_pd(b, c, 0xa);
}

HAND_INLINE V HAND(root)(V a)
{
    return _mm256_sqrt_pd(a);
}

HAND_INLINE V HAND(absolute)(V a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

HAND_INLINE V HAND(least)(V a, V b)
{
    return _mm256_min_pd(a, b);
}

HAND_INLINE V HAND(most)(V a, V b)
{
    return _mm256_max_pd(a, b);
}

HAND_INLINE V HAND(if_less)(V a, V b, V yes, V no)
{
    return _mm256_blendv_pd(no, yes, _mm256_cmp_pd(a, b, _CMP_LT_OQ));
}

#endif

/* All components of the records of `dim` doubles, dim a constant. */
HAND_INLINE void HAND(load)(V *out, const double *dat, int dim, const int *column)
{
    const size_t size = (size_t)dim;
    HAND_UNROLL
    for (int d = 0; d + 4 <= dim; d += 4) {
        HAND(load4)(out + d, dat + d, size, column);
    }
    const int rest = dim & ~3;
    if (dim & 2) {
        HAND(load2)(out + rest, dat + rest, size, column);
    }
    if (dim & 1) {
        out[dim - 1] = HAND(load1)(dat + dim - 1, size, column);
    }
}

/* A record of 6 components: the first 4 and the last 2. */
struct HAND(six) {
    __m256d low;
    __m128d high;
};

HAND_INLINE struct HAND(six) HAND(six_at)(const double *record)
{
    return (struct HAND(six)){_mm256_loadu_pd(record), _mm_loadu_pd(record + 4)};
}

HAND_INLINE void HAND(six_to)(double *record, struct HAND(six) value)
{
    _mm256_storeu_pd(record, value.low);
    _mm_storeu_pd(record + 4, value.high);
}

/* Records of 6 components of each lane. */
HAND_INLINE void HAND(back6)(struct HAND(six) * record, const V *in)
{
    __m256d low[CPU_HAND_LANES];
    __m128d high[CPU_HAND_LANES];
    HAND(back4)(low, in);
    HAND(back2)(high, in + 4);
    HAND_UNROLL
    for (int l = 0; l < CPU_HAND_LANES; l++) {
        record[l] = (struct HAND(six)){low[l], high[l]};
    }
}

/* Adds each lane's 4 components to the record of its first end and takes them from that of its
 * second, lane after lane. */
HAND_INLINE void HAND(exchange4)(double *dat, const int *column, const V *f)
{
    const size_t dim = 4;
    __m256d change[CPU_HAND_LANES];
    HAND(back4)(change, f);
    HAND_UNROLL
    for (int l = 0; l < CPU_HAND_LANES; l++) {
        double *to = RECORD(l);
        _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), change[l]));
        to = dat + dim * (size_t)column[2 * l + 1];
        _mm256_storeu_pd(to, _mm256_sub_pd(_mm256_loadu_pd(to), change[l]));
    }
}

/* Does so for 6 components. Edges are sorted by their first end: its record stays in registers
 * while neighbouring edges have the same one. No edge has the same end twice. */
HAND_INLINE void HAND(exchange6)(double *dat, const int *column, const V *f)
{
    const size_t dim = 6;
    struct HAND(six) change[CPU_HAND_LANES];
    HAND(back6)(change, f);
    double *held = RECORD(0);
    struct HAND(six) sum = HAND(six_at)(held);
    HAND_UNROLL
    for (int l = 0; l < CPU_HAND_LANES; l++) {
        double *first = RECORD(l), *second = dat + dim * (size_t)column[2 * l + 1];
        if (first != held) {
            HAND(six_to)(held, sum);
            held = first;
            sum = HAND(six_at)(held);
        }
        sum.low = _mm256_add_pd(sum.low, change[l].low);
        sum.high = _mm_add_pd(sum.high, change[l].high);
        struct HAND(six) other = HAND(six_at)(second);
        other.low = _mm256_sub_pd(other.low, change[l].low);
        other.high = _mm_sub_pd(other.high, change[l].high);
        HAND(six_to)(second, other);
    }
    HAND(six_to)(held, sum);
}
