/* cpu_hand_kernels.h: three loops over edges on vectors of neighbouring edges: res_calc of airfoil,
 * Edgecon and Iflux of the Navier-Stokes solver. Included once per number of lanes after
 * cpu_hand_lanes.h. Each function runs elements first..last-1; what remains of the last vector is
 * left to the scalar kernel. Expressions are those of examples/airfoil/res_calc.h and
 * examples/hydra, in the same order, so that results have the same bits.
 */

static void HAND(res_calc)(const struct cpu_hand *hand, int first, int last)
{
    const struct cpu_hand_airfoil *on = &hand->airfoil;
    const double gm1 = on->gm1, eps = on->eps;
    int e = first;
    for (; e + CPU_HAND_LANES <= last; e += CPU_HAND_LANES) {
        const int *n = on->edge + 2 * (size_t)e, *c = on->ecell + 2 * (size_t)e;
        V x1[2], x2[2], q1[4], q2[4], f[4];
        HAND(load)(x1, on->x, 2, n);
        HAND(load)(x2, on->x, 2, n + 1);
        HAND(load)(q1, on->q, 4, c);
        HAND(load)(q2, on->q, 4, c + 1);
        const V dx = x1[0] - x2[0], dy = x1[1] - x2[1];
        V ri = 1.0 / q1[0];
        const V p1 = gm1 * (q1[3] - 0.5 * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
        const V vol1 = ri * (q1[1] * dy - q1[2] * dx);
        ri = 1.0 / q2[0];
        const V p2 = gm1 * (q2[3] - 0.5 * ri * (q2[1] * q2[1] + q2[2] * q2[2]));
        const V vol2 = ri * (q2[1] * dy - q2[2] * dx);
        const V mu = 0.5 * (HAND(load1)(on->adt, 1, c) + HAND(load1)(on->adt, 1, c + 1)) * eps;
        f[0] = 0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
        f[1] = 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
        f[2] = 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
        f[3] = 0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
        HAND(exchange4)(on->res, c, f);
    }
    scalar_res_calc(hand, e, last);
}

HAND_INLINE void HAND(primitives)(const V *q, V *w)
{
    const V r = 1.0 / q[0];
    w[1] = q[1] * r;
    w[2] = q[2] * r;
    w[3] = q[3] * r;
    w[0] = gm1 * (q[4] - 0.5 * q[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]));
    w[4] = w[0] * r;
    w[5] = q[5] * r;
}

HAND_INLINE V HAND(length)(const V *a)
{
    return HAND(root)(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* The 18 components of grad and 6 of lap at one vertex. */
struct HAND(gradients) {
    V grad[HAND_WIDE];
    __m128d rest;
    struct HAND(six) lap;
};

HAND_INLINE struct HAND(gradients) HAND(gradients_at)(const double *grad, const double *lap)
{
    struct HAND(gradients) value;
    HAND_UNROLL
    for (int w = 0; w < HAND_WIDE; w++) {
        memcpy(&value.grad[w], grad + CPU_HAND_LANES * w, sizeof(V));
    }
    value.rest = _mm_loadu_pd(grad + 16);
    value.lap = HAND(six_at)(lap);
    return value;
}

HAND_INLINE void HAND(gradients_to)(double *grad, double *lap, struct HAND(gradients) value)
{
    HAND_UNROLL
    for (int w = 0; w < HAND_WIDE; w++) {
        memcpy(grad + CPU_HAND_LANES * w, &value.grad[w], sizeof(V));
    }
    _mm_storeu_pd(grad + 16, value.rest);
    HAND(six_to)(lap, value.lap);
}

/* Adds each lane's contributions to its first end and takes them from its second, as exchange6. */
HAND_INLINE void HAND(exchange_gradients)(const struct cpu_hand_hydra *on, const int *v,
                                          const V *grad, const V *lap)
{
    V wide[HAND_WIDE][CPU_HAND_LANES];
    __m128d rest[CPU_HAND_LANES];
    struct HAND(six) small[CPU_HAND_LANES];
    HAND_UNROLL
    for (int w = 0; w < HAND_WIDE; w++) {
        HAND(back_all)(wide[w], grad + CPU_HAND_LANES * w);
    }
    HAND(back2)(rest, grad + 16);
    HAND(back6)(small, lap);
    size_t held = (size_t)v[0];
    struct HAND(gradients) sum = HAND(gradients_at)(on->grad + 18 * held, on->lap + 6 * held);
    HAND_UNROLL
    for (int l = 0; l < CPU_HAND_LANES; l++) {
        const size_t first = (size_t)v[2 * l], second = (size_t)v[2 * l + 1];
        if (first != held) {
            HAND(gradients_to)(on->grad + 18 * held, on->lap + 6 * held, sum);
            held = first;
            sum = HAND(gradients_at)(on->grad + 18 * held, on->lap + 6 * held);
        }
        struct HAND(gradients) other =
            HAND(gradients_at)(on->grad + 18 * second, on->lap + 6 * second);
        HAND_UNROLL
        for (int w = 0; w < HAND_WIDE; w++) {
            sum.grad[w] += wide[w][l];
            other.grad[w] -= wide[w][l];
        }
        sum.rest += rest[l];
        other.rest -= rest[l];
        sum.lap.low += small[l].low;
        other.lap.low -= small[l].low;
        sum.lap.high += small[l].high;
        other.lap.high -= small[l].high;
        HAND(gradients_to)(on->grad + 18 * second, on->lap + 6 * second, other);
    }
    HAND(gradients_to)(on->grad + 18 * held, on->lap + 6 * held, sum);
}

static void HAND(edgecon)(const struct cpu_hand *hand, int first, int last)
{
    const struct cpu_hand_hydra *on = &hand->hydra;
    int e = first;
    for (; e + CPU_HAND_LANES <= last; e += CPU_HAND_LANES) {
        const int *v = on->edge + 2 * (size_t)e;
        V S[3], q1[6], q2[6], w1[6], w2[6], x1[3], x2[3], grad[18], lap[6];
        HAND(rows3)(S, on->S + 3 * (size_t)e);
        HAND(load)(x1, on->x, 3, v);
        HAND(load)(x2, on->x, 3, v + 1);
        HAND(load)(q1, on->q, 6, v);
        HAND(load)(q2, on->q, 6, v + 1);
        HAND_UNROLL
        for (int d = 0; d < 3; d++) {
            x2[d] = x2[d] - x1[d];
        }
        const V rl = 1.0 / HAND(length)(x2);
        HAND(primitives)(q1, w1);
        HAND(primitives)(q2, w2);
        HAND_UNROLL
        for (int k = 0; k < 6; k++) {
            lap[k] = (q2[k] - q1[k]) * rl;
            HAND_UNROLL
            for (int d = 0; d < 3; d++) {
                grad[3 * k + d] = 0.5 * (w1[k] + w2[k]) * S[d];
            }
        }
        HAND(exchange_gradients)(on, v, grad, lap);
    }
    scalar_edgecon(hand, e, last);
}

HAND_INLINE V HAND(fixed)(V l, V c, V rc)
{
    const V delta = 0.1 * c;
    l = HAND(absolute)(l);
    return HAND(if_less)(l, delta, (l * l + delta * delta) * (5.0 * rc), l);
}

/* 0.0 where both ends are on the wall, else 1.0. */
HAND_INLINE V HAND(both_on_wall)(const int *flag, const int *v)
{
    V on;
    HAND_UNROLL
    for (int l = 0; l < CPU_HAND_LANES; l++) {
        on[l] = (flag[v[2 * l]] != 2) | (flag[v[2 * l + 1]] != 2);
    }
    return on;
}

/* Vectors of |A| = l1 I + P alpha' + N beta'. */
struct HAND(roe) {
    V h, l1, P[5], N[5], alpha[5], beta[5];
};

HAND_INLINE void HAND(roe_set)(struct HAND(roe) * roe, const V *u, V h, V c, const V *n)
{
    const V rc = 1.0 / c, zero = {0};
    const V un = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
    const V lp = HAND(fixed)(un + c, c, rc), lm = HAND(fixed)(un - c, c, rc);
    roe->l1 = HAND(fixed)(un, c, rc);
    const V full1 = 0.5 * (lp + lm) - roe->l1, full2 = 0.5 * (lp - lm);
    const V uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    const V chi[5] = {gm1 * 0.5 * uu, -gm1 * u[0], -gm1 * u[1], -gm1 * u[2], zero + gm1};
    const V dm[5] = {-un, n[0], n[1], n[2], zero};
    const V P[5] = {zero + 1.0, u[0], u[1], u[2], h}, N[5] = {zero, n[0], n[1], n[2], un};
    const V a1 = full1 * rc * rc, a2 = full2 * rc;
    HAND_UNROLL
    for (int k = 0; k < 5; k++) {
        roe->P[k] = P[k];
        roe->N[k] = N[k];
        roe->alpha[k] = a1 * chi[k] + a2 * dm[k];
        roe->beta[k] = full1 * dm[k] + a2 * chi[k];
    }
}

/* Roe's average of both ends; r1, r2: 1 / density. n: unit normal. */
HAND_INLINE void HAND(roe_average)(struct HAND(roe) * roe, const V *q1, const V *q2, const V *pc1,
                                   const V *pc2, V r1, V r2, const V *n)
{
    V u[3];
    const V s1 = HAND(root)(q1[0]), s2 = HAND(root)(q2[0]);
    const V w = s1 / (s1 + s2), w1 = w * r1, w2 = (1.0 - w) * r2;
    HAND_UNROLL
    for (int i = 0; i < 3; i++) {
        u[i] = w1 * q1[i + 1] + w2 * q2[i + 1];
    }
    const V h = w1 * (q1[4] + pc1[0]) + w2 * (q2[4] + pc2[0]);
    const V uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], zero = {0};
    const V c = HAND(most)(HAND(root)(HAND(most)(gm1 * (h - 0.5 * uu), zero)),
                           0.1 * HAND(least)(pc1[1], pc2[1]));
    HAND(roe_set)(roe, u, h, c, n);
}

static void HAND(iflux)(const struct cpu_hand *hand, int first, int last)
{
    const struct cpu_hand_hydra *on = &hand->hydra;
    int e = first;
    for (; e + CPU_HAND_LANES <= last; e += CPU_HAND_LANES) {
        const int *v = on->edge + 2 * (size_t)e;
        V S[3], q1[6], q2[6], lap1[6], lap2[6], pc1[2], pc2[2], f[6], d[6], n[3];
        struct HAND(roe) roe;
        HAND(rows3)(S, on->S + 3 * (size_t)e);
        HAND(load)(q1, on->q, 6, v);
        HAND(load)(q2, on->q, 6, v + 1);
        HAND(load)(pc1, on->pc, 2, v);
        HAND(load)(pc2, on->pc, 2, v + 1);
        const V area = HAND(length)(S), ra = 1.0 / area;
        const V r1 = 1.0 / q1[0], r2 = 1.0 / q2[0];
        const V v1 = (q1[1] * S[0] + q1[2] * S[1] + q1[3] * S[2]) * r1;
        const V v2 = (q2[1] * S[0] + q2[2] * S[1] + q2[3] * S[2]) * r2;
        HAND_UNROLL
        for (int k = 0; k < 6; k++) {
            f[k] = 0.5 * (v1 * q1[k] + v2 * q2[k]);
        }
        HAND_UNROLL
        for (int i = 0; i < 3; i++) {
            f[i + 1] += 0.5 * (pc1[0] + pc2[0]) * S[i];
            n[i] = S[i] * ra;
        }
        f[4] += 0.5 * (v1 * pc1[0] + v2 * pc2[0]);

        HAND(roe_average)(&roe, q1, q2, pc1, pc2, r1, r2, n);

        const V jump = (pc2[0] - pc1[0]) / (pc1[0] + pc2[0]);
        const V psi = HAND(least)(1.0 + (V){0}, eps2 * jump * jump);
        const V both = HAND(both_on_wall)(on->flag, v);
        HAND(load)(lap1, on->lap_read, 6, v);
        HAND(load)(lap2, on->lap_read, 6, v + 1);
        HAND_UNROLL
        for (int k = 0; k < 6; k++) {
            d[k] = both * (psi * (q2[k] - q1[k]) - (1.0 / 3.0) * (1.0 - psi) * (lap2[k] - lap1[k]));
        }
        V ad = {0}, bd = {0};
        HAND_UNROLL
        for (int k = 0; k < 5; k++) {
            ad += roe.alpha[k] * d[k];
            bd += roe.beta[k] * d[k];
        }
        HAND_UNROLL
        for (int k = 0; k < 5; k++) {
            f[k] -= 0.5 * area * (roe.l1 * d[k] + roe.P[k] * ad + roe.N[k] * bd);
        }
        f[5] -= 0.5 * area * roe.l1 * d[5];
        HAND(exchange6)(on->res, v, f);
    }
    scalar_iflux(hand, e, last);
}

#undef V
#undef HAND_WIDE
#undef RECORD
#undef HAND_UNROLL
