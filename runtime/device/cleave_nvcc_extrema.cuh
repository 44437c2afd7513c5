/* cleave_nvcc_extrema.cuh: atomic minimum and maximum for nvcc.
 *
 * Included through cleave_nvcc.cuh only. Hardware has them for integers of 4 and 8 bytes, in the
 * second cache, and no thread waits for their results.
 *
 * Floating-point numbers use them on their bits. The bits of two numbers without a sign bit are in
 * the order of the numbers, as signed integers; those of two numbers with one are in reverse order,
 * as unsigned integers. If one has a sign bit and the other has not, the signed order is that of
 * the numbers and the unsigned order is its reverse. So the sign of the value alone decides which
 * operation is right, whatever the place holds.
 *
 * The place is read first, by an ordinary load: most values do not improve it. The first cache may
 * return what the place held earlier in the kernel; that is no better than what it holds now, so
 * that no improvement is missed. A NaN in the place stays there, because no value is better, and a
 * NaN is better than no value.
 */
#ifndef CLEAVE_NVCC_EXTREMA_CUH
#define CLEAVE_NVCC_EXTREMA_CUH

/* ---- integers ---------------------------------------------------------------------------------
 */

CLEAVE_DEVICE void cleave_min(int *p, int v)
{
    atomicMin(p, v);
}

CLEAVE_DEVICE void cleave_max(int *p, int v)
{
    atomicMax(p, v);
}

CLEAVE_DEVICE void cleave_min(unsigned *p, unsigned v)
{
    atomicMin(p, v);
}

CLEAVE_DEVICE void cleave_max(unsigned *p, unsigned v)
{
    atomicMax(p, v);
}

CLEAVE_DEVICE void cleave_min(long long *p, long long v)
{
    atomicMin(p, v);
}

CLEAVE_DEVICE void cleave_max(long long *p, long long v)
{
    atomicMax(p, v);
}

CLEAVE_DEVICE void cleave_min(unsigned long long *p, unsigned long long v)
{
    atomicMin(p, v);
}

CLEAVE_DEVICE void cleave_max(unsigned long long *p, unsigned long long v)
{
    atomicMax(p, v);
}

CLEAVE_DEVICE void cleave_min(long *p, long v)
{
    atomicMin((long long *)p, (long long)v);
}

CLEAVE_DEVICE void cleave_max(long *p, long v)
{
    atomicMax((long long *)p, (long long)v);
}

CLEAVE_DEVICE void cleave_min(unsigned long *p, unsigned long v)
{
    atomicMin((unsigned long long *)p, (unsigned long long)v);
}

CLEAVE_DEVICE void cleave_max(unsigned long *p, unsigned long v)
{
    atomicMax((unsigned long long *)p, (unsigned long long)v);
}

/* ---- floating-point numbers ------------------------------------------------------------------
 */

CLEAVE_DEVICE void cleave_min(float *p, float v)
{
    if (v < *p) {
        const int bits = __float_as_int(v);
        if (bits >= 0) {
            atomicMin((int *)p, bits);
        } else {
            atomicMax((unsigned *)p, (unsigned)bits);
        }
    }
}

CLEAVE_DEVICE void cleave_max(float *p, float v)
{
    if (*p < v) {
        const int bits = __float_as_int(v);
        if (bits >= 0) {
            atomicMax((int *)p, bits);
        } else {
            atomicMin((unsigned *)p, (unsigned)bits);
        }
    }
}

CLEAVE_DEVICE void cleave_min(double *p, double v)
{
    if (v < *p) {
        const long long bits = __double_as_longlong(v);
        if (bits >= 0) {
            atomicMin((long long *)p, bits);
        } else {
            atomicMax((unsigned long long *)p, (unsigned long long)bits);
        }
    }
}

CLEAVE_DEVICE void cleave_max(double *p, double v)
{
    if (*p < v) {
        const long long bits = __double_as_longlong(v);
        if (bits >= 0) {
            atomicMax((long long *)p, bits);
        } else {
            atomicMin((unsigned long long *)p, (unsigned long long)bits);
        }
    }
}

#endif
