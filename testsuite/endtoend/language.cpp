/* language.cpp: kernels that use what C++ has to offer, each loop compared with the reference by
 * language.sh. */
#include <algorithm>
#include <cmath>
#include <utility>

#include "language.h"

enum class mode : unsigned char { one = 1, two, many = 7 };
static mode mode_of(int k)
{
    return k % 3 == 0 ? mode::one : k % 3 == 1 ? mode::two : mode::many;
}

KERNEL(enum_switch)
{
    double s = 0;
    for (int i = 0; i < 4; ++i) {
        switch (mode_of(*k + i)) {
        case mode::one:
            continue;
        case mode::two: {
            const double &r = a[i];
            s += r;
            break;
        }
        case mode::many:
            if (const double t = b[i]; t > 0) {
                s -= t;
                continue;
            } else if (s > 1) {
                s *= t;
            }
        }
        p[i] += s + static_cast<int>(mode::many);
    }
    q[0] -= s;
}
struct vec {
    double x, y;
};
struct box {
    vec at[2];
    double w[3];
};
static double &pick(vec &v, bool first)
{
    return first ? v.x : v.y;
}
static const vec &larger(const vec &a, const vec &b)
{
    return a.x > b.x ? a : b;
}
static vec plus(const vec &a, const vec &b)
{
    return {a.x + b.x, a.y + b.y};
}
static vec &add(vec &a, const vec &b)
{
    a.x += b.x;
    a.y += b.y;
    return a;
}
static void scale(vec (&v)[2], double s)
{
    for (vec &one : v) {
        one.x *= s;
        pick(one, false) *= 2;
    }
}

KERNEL(references)
{
    vec u{a[0], a[1]}, v{b[0], b[1]};
    pick(u, *k % 2 == 0) += 3;
    double &r = pick(v, *k > 4);
    r *= 2;
    add(add(u, v), vec{1, 2}).y -= 0.5;
    const vec l = larger(u, v);
    u.x = 100;
    p[0] += l.x + l.y;
    (*k > 5 ? u : v).x -= 1;
    auto &[c, d] = v;
    c += d;
    box z{{u, v}, {1, 2}};
    scale(z.at, 0.5);
    double &w = z.w[*k % 3];
    w += 4;
    ++w;
    double sum = 0;
    for (const auto &one : z.at) {
        sum += one.x * one.y;
    }
    for (double one : z.w) {
        sum += one;
    }
    q[1] += sum + plus(u, v).x;
    (*k % 2 ? p : q)[2] += sum;
    (*k % 3 ? p[3] : q[3]) -= 1;
}
constexpr double weight[3] = {0.25, 0.5, 0.25};
constexpr int order[3] = {2, 0, 1};
template <int N> static constexpr int square()
{
    return N * N;
}
template <class T, int N> static T dot(const T (&x)[N], const T *y)
{
    T s{};
    for (int i = 0; i < N; i++) {
        s += x[i] * y[i];
    }
    return s;
}

KERNEL(constants)
{
    constexpr int shift[] = {1, 0, 3, 2};
    static constexpr double local[2][2] = {{1, 2}, {3, 4}};
    p[0] += dot(weight, a) + square<3>();
    for (int s : shift) {
        q[s] += local[s / 2][s % 2] * b[s];
    }
    p[1] += order[0];
    if constexpr (sizeof(double) == 8) {
        p[2] += 1;
    } else {
        p[2] += 1e9;
    }
}

KERNEL(swaps_and_min)
{
    p[0] += b[0] + std::max(a[1], b[1]) - std::min(1.0, b[2]);
    double t[3] = {a[0], a[1], a[2]};
    std::swap(t[0], t[2]);
    if (t[0] > t[1]) {
        std::swap(t[0], t[1]);
    }
    q[0] += t[0] * 3 + t[1] * 2 + t[2];
    q[1] += std::abs(a[3]) + std::pow(b[3], 2);
}

KERNEL(bound_to_library)
{
    double lo = a[0], hi = b[0];
    double &m = lo < hi ? lo : hi;
    m += 5;
    const double &n = std::max(lo, hi);
    lo = -7;
    p[0] += n + m;
    q[0] += 1;
    double x[4];
    int i = 0;
    for (double &e : x) {
        e = a[i++];
    }
    int j = 0;
    for (auto e : x) {
        q[j++] += e;
        if (j == *k % 4) {
            break;
        }
    }
}

KERNEL(places)
{
    vec u[2] = {{a[0], a[1]}, {b[0], b[1]}}, v[2] = {{1, 2}, {3, *k * 0.5}};
    (*k % 2 ? u : v)[*k % 3 == 0].y -= 3;
    double &r = (*k % 2 ? u[0] : v[1]).x;
    r = r * 2 + 1;
    box z = {{u[0], v[1]}, {1, 2, 3}}, y = z;
    (*k > 3 ? z : y).w[*k % 3] += 4;
    (*k > 3 ? (*k > 5 ? z : y) : y).at[1].y *= 3;
    int i = 0;
    (i++, u[1]).x += 0.5;
    (z.w[i] += 2) *= 1.5;
    ++(++i);
    for (double s : z.w) {
        p[3] += s;
    }
    p[0] += u[0].x + u[1].x + u[0].y * v[0].y + v[1].x + i;
    q[1] += z.w[0] + y.w[1] + z.at[1].y - y.at[1].y + z.w[1];
}

KERNEL(shadowing)
{
    double x = a[0];
    for (int y = 0; y < 3; y++) {
        double x = b[0];
        p[1] += x;
        {
            int x = 4;
            q[x % 3] += x;
        }
    }
    while (double x = a[1] - 100) {
        p[0] += x;
        break;
    }
    if (int x = *k; x > 3) {
        q[0] += x;
    } else {
        q[1] -= x;
    }
    int y = *k % 3;
    switch (y) {
    case 0:
        q[2] += 1;
        break;
    case 1: {
        int x = y;
        q[3] += x;
    }
        [[fallthrough]];
    default:
        q[3] += x;
    }
    p[2] += x;
}
namespace m
{
struct s {
    double v[3];
    struct {
        int i;
        double d[2];
    } in;
};
enum class c { r = -1, g, b = 40 };
using real = double;
template <class T> T sq(T x)
{
    return x * x;
}
inline double sq(int x)
{
    return x + 0.5;
}
} // namespace m
static int classify(const double *x, int n, double &best)
{
    for (int i = 0; i < n; i++) {
        switch (int(x[i])) {
        case -3:
        case -2:
            best = x[i];
            return -1;
        case 0:
            continue;
        case 1 ... 2:
            best += 1;
            break;
        default:
            if (x[i] > 3) {
                best = i;
                return i;
            }
        }
    }
    return n;
}

KERNEL(helper_returns)
{
    double t = 0;
    int r = classify(a, 4, t);
    p[r < 0 ? 0 : r & 3] += t;
    int r2 = classify(b, 3, t);
    q[(r2 + 4) & 3] += t + r;
}

KERNEL(nested_records)
{
    m::s x{{1, 2}, {3, {a[0]}}}, y{};
    y = x;
    y.in.d[1] = b[0];
    for (auto &e : y.in.d) {
        e += 1;
    }
    auto z = *k > 3 ? x : y;
    z.in.i++;
    p[0] += z.in.d[0] + z.in.d[1] * z.in.i + x.v[1];
    q[0] += y.in.d[1] - x.in.d[1];
    const auto &w = (*k > 2 ? x : y).in;
    y.in.d[0] = 50;
    x.in.d[0] = 60;
    q[1] += w.d[0];
}

KERNEL(enum_class)
{
    m::c e = *k % 2 ? m::c::b : m::c::r;
    if (e == m::c::b) {
        p[0] += static_cast<int>(e);
    }
    q[0] += m::sq(*k) + m::sq(a[0]) + m::sq<float>(1.1f);
}
static void bump(double *x, double by = 2, int n = 1)
{
    while (n--) {
        x[n] += by;
    }
}

KERNEL(default_arguments)
{
    bump(p);
    bump(q, a[0], 3);
    bump(&p[1], b[1], *k % 3);
    double *o = *k % 2 ? p : q;
    bump(o + 1, 1.0);
}

KERNEL(library)
{
    double s = 0;
    auto x = a;
    for (auto e = x + 4; x != e; ++x) {
        s += *x;
    }
    p[0] += s;
    q[0] += std::fmax(s, 1) + std::abs(int(s)) + std::hypot(a[0], b[0]) +
            (s > 0 ? std::sqrt(s) : std::fabs(-s));
}

KERNEL(rows)
{
    double t[2][3] = {{1, 2, 3}, {a[0], b[0]}};
    for (auto &row : t) {
        double sum = 0;
        for (const double e : row) {
            if (e == 2) {
                continue;
            }
            sum += e;
            if (sum > 3) {
                break;
            }
        }
        row[*k % 3] = sum;
    }
    auto &r = t[*k & 1];
    r[0] += r[2];
    p[2] += t[0][0] + t[1][1];
    q[2] += t[1][2] + t[0][2] + r[0];
}

KERNEL(references_of_references)
{
    const double &x = a[0], &y = *k > 3 ? b[1] : a[1];
    double const &z = x * y;
    double u = z;
    double &ur = u;
    double &ur2 = ur;
    ur2 += 1;
    p[0] += u + ur;
    double &to = p[*k % 3 + 1];
    to += x;
    (q)[0] += (to, y);
}

KERNEL(truth)
{
    bool f = a[0] > 0 and not(b[0] > 0);
    int n = f + 2 * !f;
    n <<= f;
    p[n % 4] += f ? 1 : 2;
    q[0] += (n ^ 3) | (n & ~1);
    unsigned char c = 250;
    c += *k;
    q[1] += c;
    q[2] += 7u - unsigned(*k) > 100u;
    q[3] += 'a' + true;
}

KERNEL(switch_in_do)
{
    int i = 3;
    do {
        if (i == *k % 4) {
            continue;
        }
        switch (i) {
        case 2: {
            double t = a[2];
            p[2] += t;
        } break;
        case 1:
            for (int j = 0; j < 3; j++) {
                if (j == 1) {
                    continue;
                }
                q[j] += b[j];
            }
            [[fallthrough]];
        case 0:
            p[0] += 0.5;
        }
    } while (--i >= 0);
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    make_mesh();
    LOOP(enum_switch);
    LOOP(references);
    LOOP(constants);
    LOOP(swaps_and_min);
    LOOP(bound_to_library);
    LOOP(places);
    LOOP(shadowing);
    LOOP(helper_returns);
    LOOP(nested_records);
    LOOP(enum_class);
    LOOP(default_arguments);
    LOOP(library);
    LOOP(rows);
    LOOP(references_of_references);
    LOOP(truth);
    LOOP(switch_in_do);
    op_exit();
    return 0;
}
