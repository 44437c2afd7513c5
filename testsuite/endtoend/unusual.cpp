/* unusual.cpp: see unusual.h. Parameter packs, the library's comparisons and algorithms. */
#include "unusual.h"

#include <algorithm>
#include <cmath>

template <class... T> static inline double sum_of(T... t)
{
    return (t + ...);
}

template <typename... T> static void add_all(double *to, T... t)
{
    ((*to += t), ...);
}

KERNEL(packs)
{
    p[0] += sum_of(a[0], b[0], 1, 2.5);
    add_all(q, a[1], b[1], i[0]);
    add_all(w + 1, 1.0f);
}

/* Taken whole, and with it what it calls. */
KERNEL(whole_pack)
{
    if (i[0] > 3) {
        goto out;
    }
    p[0] += sum_of(a[0], b[0]);
out:
    q[0] += w[0];
}

KERNEL(comparisons)
{
    w[3] = std::isless(a[0], b[0]) + std::islessequal(a[1], 3);
    p[0] += std::isgreater((float)a[0], 2.0f) + std::isgreaterequal(i[0], b[1]);
    q[0] += std::isunordered(a[0], b[0]) ? 5 : 7;
}

KERNEL(algorithm)
{
    double t[3] = {a[0], b[0], w[0]};
    std::for_each(t, t + 3, [](double &x) { x += 1; });
    p[0] += t[0] + t[2];
    q[0] += t[1] + i[0];
}

/* clang prints unsigned(x) as `unsigned int(x)`. */
DIRECT_KERNEL(functional)
{
    typedef unsigned long whole;
    if (i[0] > 3) {
        goto out;
    }
    w[0] += unsigned(w[1]) + whole(w[2]) + int(w[3]) + unsigned{2} + (unsigned long long)(w[1]);
out:
    w[1] += double(unsigned(i[1]) % 7u) + static_cast<unsigned char>(i[2]);
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    LOOP(packs);
    LOOP(whole_pack);
    LOOP(comparisons);
    LOOP(algorithm);
    DIRECT(functional);
    op_exit();
    return 0;
}
