/* kernels.cpp: the constructs of C++ that bodies may have; see kernels.c. */
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

#include "kernels.h"

constexpr double third = 1.0 / 3.0;
const int four = 4;
constexpr float ramp[3] = {0.5f, 1, 2};
constexpr int cube(int x)
{
    return x * x * x;
}
constexpr int twenty_seven = cube(3);
enum class mode : unsigned char { off, on = 7 };
using real = double;

struct point {
    double x, y;
};

struct box {
    point corner[2];
    int count;
};

namespace inner
{
static double weight(double x)
{
    return std::sqrt(std::abs(x)) * third;
}
struct pair {
    int first;
    int second;
};
constexpr double bias = 0.75;
} // namespace inner

template <class T> static inline T square(T x)
{
    return x * x;
}

template <class T, int N> static T sum(const T *x)
{
    T s = T(0);
    for (int i = 0; i < N; i++)
        s += x[i];
    return s;
}

static void both(double &x, const double &y)
{
    x += y;
}

KERNEL(math)
{
    b[0] = std::sqrt(a[1] * a[1]) + std::fabs(a[0]) + std::pow(a[1], 2) + std::pow(a[2], 2.0f);
    b[1] = std::min(a[0], a[1]) + std::max(a[2], 0.5) + fmin(a[0], a[3]);
    b[2] = std::abs(a[0]) + std::abs(n[0] - 5) + std::abs(-1.5f) + abs(n[2]) + std::sqrt(4);
    m[0] = std::min(n[0], n[1]) + std::max(n[2], 3) + std::isnan(a[0]) + std::isfinite(a[1]);
    b[3] = std::numeric_limits<double>::max() * 1e-300 + std::numeric_limits<int>::min();
    using std::exp;
    b[4] = exp(a[0] * 0.01) + std::exp(0.5f) + std::hypot(a[0], a[1]) + std::fmod(a[1], 0.7);
    b[5] = std::min<double>(n[0], a[1]) + std::max(1.5f, 2.5f) + std::copysign(1.0, a[2]);
    m[1] = std::signbit(a[3]) ? 1 : 2;
    m[2] = std::clamp(n[0], -1, 3) + std::clamp(n[1], 5, n[2] > 5 ? 9 : 6);
    b[7] = std::clamp(a[0], a[1] > 0 ? 0.0 : -1.0, 2.5);
    b[6] = std::round(a[0]) + std::floor(a[1]) + std::cbrt(a[2]) + std::atan2(a[0], 2);
}

KERNEL(casts)
{
    bool q = n[0];
    auto u = static_cast<unsigned>(n[1]);
    b[0] = double(n[0]) / 3 + static_cast<float>(a[0]) + int(a[1]) + real(2) + (float)a[2];
    m[0] = q + true + (a[0] > a[1]) + !q + (u > 2);
    m[1] = static_cast<int>(mode::on) + (q == true);
    uint8_t c = 300;
    c += n[2];
    b[1] = c;
    b[2] = 'x' + '\n';
    const double *p = nullptr;
    m[2] = p == nullptr;
    p = const_cast<double *>(a);
    b[3] = *p;
    mode o = n[0] > 3 ? mode::on : mode::off;
    m[3] = o == mode::on;
}

KERNEL(records)
{
    point p{a[0], a[1]}, q = {1, a[2]}, z{};
    box x;
    point r = p;
    x.corner[0] = p;
    x.corner[1] = {3, 4};
    x.count = n[0];
    z = q;
    inner::pair t{n[1], 2};
    box y = {{{1, 2}, {a[3], 4}}, 5};
    b[0] = p.x + r.y * z.y + x.corner[0].y + y.corner[1].x;
    m[0] = x.count + t.first - t.second + y.count;
}

KERNEL(braces)
{
    int i{4};
    double d(3), e = {a[0]};
    double f[3]{1, a[1]}, g[2] = {};
    for (int k{0}; k < 3; ++k)
        b[k] += f[k] + ramp[k];
    m[0] = i + four + twenty_seven;
    b[3] = d + e + g[1] + third + inner::bias;
}

KERNEL(helpers)
{
    b[0] = square(a[0]) + square(n[0]) + inner::weight(a[1]);
    b[1] = sum<double, 4>(a);
    m[0] = sum<int, 3>(n) + cube(n[1]);
}

template <class T> struct tools {
    static constexpr T two = 2;
    static T twice(T x)
    {
        return x * two;
    }
};

KERNEL(members)
{
    b[0] = tools<double>::twice(a[0]) + tools<int>::two;
    if (__builtin_expect(n[0] > 3, 0))
        b[1] = 1;
}

template <int N> KERNEL(instance)
{
    for (int i = 0; i < N; i++)
        b[i] += a[i % 4] * N;
    if constexpr (N == 3)
        m[0] = n[0];
    else
        m[0] = -n[0];
}

KERNEL(references)
{
    const double &x = a[0];
    double &y = b[1];
    y += x;
    both(b[2], x);
    auto twice = [](double v) { return 2 * v; };
    b[3] = twice(a[1]) + inner::weight(x) + square(a[1]) + (n[0] == static_cast<int>(mode::on));
}

static double weighted(double x, double w = 2.5, int n = sizeof(double) / 4)
{
    return w * x + n;
}

static double corner(const double p[2], const double q[])
{
    return p[0] * q[1] - p[1] * q[0];
}

KERNEL(rows)
{
    const double *row[2] = {a, a + 2};
    const double *same = static_cast<const double *>(__builtin_assume_aligned(a + 1, 8));
    b[0] = corner(row[0], row[1]) + corner(*row, same);
}

KERNEL(defaults)
{
    b[0] = weighted(a[0]) + weighted(a[1], 3) + weighted(a[2], 3, n[0]);
}

KERNEL(listed)
{
    double w[3] = {a[0], 2, 3};
    for (double &v : w)
        v *= 2;
    if (int k = n[0]; k > 2)
        b[0] += k;
    if (int k = n[1])
        b[1] += k;
    switch (n[2]) {
    case 1:
        b[2] = inner::weight(a[1]) + sum<double, 2>(a) + square(a[2]);
        break;
    case static_cast<int>(mode::on):
    default:
        inner::pair t = {n[1], 2};
        b[3] = t.first + third + inner::bias + std::max(a[0], a[1]) + std::max<double>(a[2], 1.f);
    }
}

struct vector {
    double x, y, z;
};

static vector operator+(const vector &p, const vector &q)
{
    return vector{p.x + q.x, p.y + q.y, p.z + q.z};
}

static vector operator*(double f, const vector &p)
{
    return {f * p.x, f * p.y, f * p.z};
}

static vector &operator+=(vector &p, const vector &q)
{
    p = p + q;
    return p;
}

static const double &larger(const double &x, const double &y)
{
    return x < y ? y : x;
}

static double &entry(double (&matrix)[2][2], int i, int j)
{
    return matrix[i][j];
}

static double &chosen(double *x, double &other, bool first)
{
    return first ? x[0] : other;
}

static void added(double &sum, const double &term, const vector &p)
{
    sum += term;
    sum += term * p.y;
}

template <class T> static inline void exchanged(T &x, T &y)
{
    const T kept = x;
    x = y;
    y = kept;
}

/* References to everything that may be referred to. */
KERNEL(refers)
{
    double &y = b[1], w[3] = {1, 2, 3}, t[2][2] = {};
    const double &x = a[0], &sum = a[1] + 2, &g = third, &h{ramp[1]};
    vector p{a[0], a[1], a[2]}, q = p;
    vector &r = p;
    const auto &s = n[0] > 3 ? p : q;
    auto &&row = t[1];
    double(&column)[3] = w;
    int &counter = m[0];
    constexpr int turns = 3;
    y += x + sum + g + h;
    for (int i = 0; i < turns; i++) {
        double &v = column[i];
        v *= y;
        counter += i;
        b[2] += v + column[2];
    }
    r.x = 7;
    r += 0.5 * q + vector{1, 2, n[1] * 1.0};
    (r += q) += q;
    row[1] = p.x + s.y + s.x;
    added(b[3], b[3], vector{1, a[2], 3});
    added(b[3], 0.25 * x, p + q);
    entry(t, 0, 1) = 4;
    entry(t, 1, 0) += entry(t, 0, 1) + t[1][1];
    chosen(b + 4, b[5], n[2] > 2) = a[1];
    (n[2] > 2 ? m[2] : m[3])++;
    (n[3] > 1 ? b[6] : b[7]) += larger(a[0], a[1]) + larger(a[2], 0.5);
    exchanged(b[4], b[7]);
    exchanged(p, q);
    b[5] += p.x + p.y + q.z + t[1][0] + larger(p.z, larger(x, y));
    m[1] = vector{1, 2, 3}.y + vector().x + (p + q).z;
}

/* Headers that declare, and loops over arrays. */
KERNEL(headers)
{
    double w[3] = {a[0], 2, 3}, t[2][2] = {{1, 2}, {3, a[1]}};
    int left = 5;
    if (const double k = a[0]; k > 2)
        b[0] += k;
    else if (int j = n[0] - 2)
        b[0] -= j * k;
    else
        b[0] = k;
    while (int k = left) {
        left -= k > 3 ? 2 : 1;
        if (k == 4)
            continue;
        m[0] += k;
    }
    for (double &v : w)
        v *= 2;
    for (const auto v : ramp)
        b[1] += v;
    for (auto &line : t)
        for (const double &v : line) {
            if (v > 2)
                continue;
            b[2] += v;
        }
    for (double v : w) {
        if (v < 0)
            break;
        b[3] += v;
    }
    int which = 0;
    for (double &v : t[which]) {
        which = 1;
        v += 0.5 + *&t[0][1];
        b[6] += v;
    }
    for (int i = 0; i < 2; i++)
        switch (static_cast<mode>(n[i])) {
        case mode::on:
            m[1]++;
            break;
        case mode::off:
            m[2]++;
        default:
            const inner::pair p = inner::pair{i, 2};
            m[3] += p.first + p.second;
        }
    std::memcpy(w, a, sizeof(w));
    b[4] = w[2];
    if (double z{a[3]}; z > 0)
        b[5] = z;
}

static double defaulted(const double &x, const double &y = 2.5, const int &n = 3)
{
    return x * y + n;
}

/* Values made where they may not be needed, parts under names of their own, and what is exchanged. */
KERNEL(parts)
{
    const vector p = n[0] > 3 ? vector{1, 2, 3} : vector{a[0], a[1], a[2]};
    const vector &q = n[1] > 3 ? vector{a[0], 1, 1} : p;
    vector r{4, 5, 6};
    double w[2] = {7, 8};
    auto [x, y, z] = p;
    auto &[rx, ry, rz] = r;
    auto &[first, second] = w;
    const auto &[qx, qy, qz] = q;
    rx += x * y;
    std::swap(ry, rz);
    std::swap(first, second);
    std::swap(b[6], b[7]);
    x = 11;
    b[0] = p.x + x + y + z;
    b[1] = r.x * 2 + r.y * 3 + r.z;
    b[2] = w[0] - w[1] * 3 + qx + qy * qz;
    b[3] = defaulted(a[0]) + defaulted(a[1], n[1]) + defaulted(1, 2, 3);
}

/* A text calls what a tree calls too. */
KERNEL(both_ways)
{
    auto twice = [](double v) { return 2 * v; };
    b[0] = twice(a[0]);
    added(b[0], a[1], {1, 2, 3});
    exchanged(b[0], b[1]);
    both(b[2], a[3]);
}

#define KERNELS                                                                                    \
    X(math) X(casts) X(records) X(braces) X(helpers) X(members) X(instance<3>) X(instance<5>)      \
    X(references) X(rows) X(defaults) X(listed) X(refers) X(headers) X(parts) X(both_ways)

#ifdef CLEAVE_PARSE
#include "op_lib.h"
#undef X
#define X(name)                                                                                    \
    op_par_loop(name, #name, set, op_arg_dat(da, 0, map, 4, "double", OP_READ),                    \
                op_arg_dat(dn, 0, map, 4, "int", OP_READ),                                         \
                op_arg_dat(db, 0, map, 8, "double", OP_RW),                                        \
                op_arg_dat(dm, 0, map, 8, "int", OP_RW));
void run(op_set set, op_map map, op_dat da, op_dat dn, op_dat db, op_dat dm)
{
    KERNELS
}
#else
#define X(name) {#name, name},
const struct kernel_entry written[] = {KERNELS{0, 0}};
#endif
