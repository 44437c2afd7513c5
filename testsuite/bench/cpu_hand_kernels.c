/* cpu_hand_kernels.c: the loops of cpu_hand, scalar and on vectors. This file is compiled without
 * contraction, so that all forms give the same bits.
 */
#include "cpu_hand.h"

#include <math.h>
#include <string.h>

#include "gpu_bench_hydra.h"

static void scalar_res_calc(const struct cpu_hand *hand, int first, int last)
{
    const struct cpu_hand_airfoil *on = &hand->airfoil;
    for (size_t e = (size_t)first; e < (size_t)last; e++) {
        const double *x1 = on->x + 2 * (size_t)on->edge[2 * e];
        const double *x2 = on->x + 2 * (size_t)on->edge[2 * e + 1];
        const size_t c1 = (size_t)on->ecell[2 * e], c2 = (size_t)on->ecell[2 * e + 1];
        const double *q1 = on->q + 4 * c1, *q2 = on->q + 4 * c2;
        double f[4];
        const double dx = x1[0] - x2[0], dy = x1[1] - x2[1];
        double ri = 1.0 / q1[0];
        const double p1 = on->gm1 * (q1[3] - 0.5 * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
        const double vol1 = ri * (q1[1] * dy - q1[2] * dx);
        ri = 1.0 / q2[0];
        const double p2 = on->gm1 * (q2[3] - 0.5 * ri * (q2[1] * q2[1] + q2[2] * q2[2]));
        const double vol2 = ri * (q2[1] * dy - q2[2] * dx);
        const double mu = 0.5 * (on->adt[c1] + on->adt[c2]) * on->eps;
        f[0] = 0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
        f[1] = 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
        f[2] = 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
        f[3] = 0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
        for (int k = 0; k < 4; k++) {
            on->res[4 * c1 + k] += f[k];
            on->res[4 * c2 + k] -= f[k];
        }
    }
}

static void scalar_edgecon(const struct cpu_hand *hand, int first, int last)
{
    const struct cpu_hand_hydra *on = &hand->hydra;
    for (size_t e = (size_t)first; e < (size_t)last; e++) {
        const size_t a = (size_t)on->edge[2 * e], b = (size_t)on->edge[2 * e + 1];
        edgecon(on->x + 3 * a, on->x + 3 * b, on->q + 6 * a, on->q + 6 * b, on->grad + 18 * a,
                on->grad + 18 * b, on->lap + 6 * a, on->lap + 6 * b, on->S + 3 * e);
    }
}

static void scalar_iflux(const struct cpu_hand *hand, int first, int last)
{
    const struct cpu_hand_hydra *on = &hand->hydra;
    for (size_t e = (size_t)first; e < (size_t)last; e++) {
        const size_t a = (size_t)on->edge[2 * e], b = (size_t)on->edge[2 * e + 1];
        iflux(on->q + 6 * a, on->q + 6 * b, on->lap_read + 6 * a, on->lap_read + 6 * b,
              on->pc + 2 * a, on->pc + 2 * b, on->flag + a, on->flag + b, on->res + 6 * a,
              on->res + 6 * b, on->S + 3 * e);
    }
}

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__

#include <immintrin.h>

#define HAND_INLINE static inline __attribute__((always_inline))
#define HAND_PASTED(name, lanes) name##_##lanes
#define HAND_PASTE(name, lanes) HAND_PASTED(name, lanes)
#define HAND(name) HAND_PASTE(name, CPU_HAND_LANES)

#pragma GCC push_options
#pragma GCC target("avx2")
#define CPU_HAND_LANES 4
#include "cpu_hand_lanes.h"
#include "cpu_hand_kernels.h"
#undef CPU_HAND_LANES
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,prefer-vector-width=512")
#define CPU_HAND_LANES 8
#include "cpu_hand_lanes.h"
#include "cpu_hand_kernels.h"
#undef CPU_HAND_LANES
#pragma GCC pop_options

static int has(int width)
{
    return width == CPU_HAND_SCALAR ||
           (width == CPU_HAND_LANES_4
                ? __builtin_cpu_supports("avx2")
                : __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"));
}

#define FORMS(name) {scalar_##name, name##_4, name##_8}

#else

static int has(int width)
{
    return width == CPU_HAND_SCALAR;
}

#define FORMS(name) {scalar_##name, NULL, NULL}

#endif

cpu_hand_run *cpu_hand_kernel(int loop, int width)
{
    static cpu_hand_run *const kernel[CPU_HAND_LOOPS][CPU_HAND_WIDTHS] = {
        FORMS(res_calc), FORMS(edgecon), FORMS(iflux)};
    return has(width) ? kernel[loop][width] : NULL;
}
