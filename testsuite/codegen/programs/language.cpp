/* language.cpp: kernels in namespaces, classes and templates; what C++ bodies have and C bodies
 * lack.
 *
 * runs sequentially: two constants of this file are named 'gain'
 * runs sequentially: 'with_class' uses the type 'box', which has member functions
 */
#include "mesh.h"
#include <algorithm>
#include <cmath>

double rate = 3.0;

static double third_of(double x)
{
    return x / 3;
}

/* The program initialises it, and its symbol is the name of a register. */
extern const double dx;
const double dx = third_of(0.6);

namespace one
{
static const double factor = 2.0;
double gain = 3.0;
struct vec {
    double x, y;
};
static inline double pick(const double &a)
{
    return a * factor;
}
static void add(const double *x, double *y)
{
    y[0] += pick(x[0]) * rate;
}
namespace
{
void hidden(const double *x, double *y)
{
    y[1] += x[1];
}
} // namespace
} // namespace one

namespace two
{
double gain = 7.0;
static inline double pick(double a)
{
    return a + 1;
}
inline void add(const double *x, double *y)
{
    y[0] += pick(x[1]) + rate;
}
} // namespace two

static void namesakes(const double *x, double *y)
{
    y[0] += x[0] * one::gain + two::gain;
}

template <int N> static void times(const double *x, double *y)
{
    for (int i = 0; i < N; i++) {
        y[i % 2] += x[0];
    }
}

template <class T> inline T larger(T a, T b)
{
    return a > b ? a : b;
}

template <class T> static void generic(const T *x, T *y)
{
    y[0] += larger(x[0], x[1]);
}

static inline void bump(double &to, double by)
{
    to += by;
}

static void references(const double *x, double *y)
{
    const double &a = x[0];
    auto b = static_cast<int>(x[1]);
    bump(y[0], a + b);
    bool t = a > 1 and not(b == 2);
    y[1] += std::max(a, 2.0) + std::min(x[1], 3.0) + std::abs(-a) + t + std::pow(a, 2);
    y[0] += dx * std::sqrt(4.0) + sqrt(16.0);
}

static void taken_whole(const double *x, double *y)
{
    one::vec v{x[0], x[1]};
    switch (static_cast<int>(v.x)) {
    case 0:
        bump(y[0], rate);
        break;
    case 1:
        y[1] += one::pick(v.y) + one::factor;
        break;
    default:
        y[0] += larger(v.x, v.y);
    }
}

/* A goto leaves the body as text, with its calls by the names that generated code has for them. */
static void jumps(const double *x, double *y)
{
    bump(y[0], one::pick(x[0]));
    if (x[1] > 2) {
        goto done;
    }
    bump(y[1], larger(x[0], x[1]));
done:
    y[0] += 1;
}

/* C++ computes with an enumeration's values as with int unless they need more, in text that stays
 * whole too: unsigned, the differences would be large and the calls of abs ambiguous. */
enum { K = 3 };
enum level { low, mid, high };
enum fixed : unsigned { few = 2 };
enum wide { widest = 0xfffffff0u };
namespace one
{
enum grade { fair = 1, good };
typedef double real;
} // namespace one
struct state {
    level at;
    one::grade grade[2];
};
static const level levels[3] = {high, low, mid};

static int below(level l, const one::grade *g)
{
    if (l > mid) {
        goto out;
    }
    return l - 5 + std::abs(*g - 4);
out:
    return std::abs(l - 4);
}

static void enumerators(const double *x, double *y)
{
    int k = static_cast<int>(x[0]) % 3;
    level mine = static_cast<level>(k);
    state s = {levels[k], {one::fair, one::good}};
    const one::real r = one::real(one::grade(k)) + fixed(k);
    y[0] += std::abs(K - 5) + (mine - 4) + (few - 5) / 1024 + (s.at - 3) + (widest + 1) / 1024;
    if (k == 1) {
        goto done;
    }
    y[0] += r + below(mine, &s.grade[1]) + levels[k] - 9;
done:
    y[1] += (s.grade[0] - 3) * x[1] + std::abs(one::good - 7) + (mine < K - 4);
}

static void enumerations(const double *x, double *y)
{
    int k = static_cast<int>(x[0]) % 3;
    level mine = static_cast<level>(k);
    state s = {levels[k], {one::fair, one::good}};
    y[0] += std::abs(K - 5) + (mine - 4) + (few - 5) / 1024 + (s.at - 3) + (widest + 1) / 1024;
    y[1] += (s.grade[0] - 3) * x[1] + std::abs(one::good - 7) + (mine < K - 4);
}

static void modern(const double *const x, double *const y)
{
    [[maybe_unused]] auto unused = 1;
    const int weights[3] = {1, 2, 3};
    constexpr int n = 3;
    enum class side { left, right };
    auto add_one = [](double a) { return a + 1; };
    for (int w : weights) {
        y[0] += w * x[0];
    }
    if constexpr (n > 2) {
        y[1] += static_cast<int>(side::right) + 1'000;
    }
    y[1] += add_one(x[1]);
}

static void literals(const double *x, double *y)
{
    const double *p = x + 1;
    y[x[0] > 2 ? 0 : 1] += p[-1];
    y[0] += x[0] * 1.0f + 0x10 + 'a' - 10LL + 3u - 'b' + 077 + (int)1e2 % 7;
    y[1] += (INFINITY > x[0] ? 1 : 2) + (x[0] == x[0]) + std::isnan(x[0]);
}

static void nothing(const double *x, double *y)
{
    (void)x;
    (void)y;
}

struct box {
    double a;
    box(double v) : a(v + 1)
    {
    }
    double get() const
    {
        return a;
    }
};

static void with_class(const double *x, double *y)
{
    box b(x[0]);
    y[0] += b.get();
}

static void logic(const double *x, bool *b, bool *any, bool *most)
{
    b[0] += x[0] > 2;
    *any += x[0] > 3;
    *most = *most > (x[0] > 3) ? *most : x[0] > 3;
}

struct model {
    static constexpr double speed = 4.0;
    op_dat p_x;
    op_dat p_y;
    static void step(const double *x, double *y)
    {
        y[0] += x[0] * speed;
    }
    void run()
    {
        op_par_loop(step, "step", links, op_arg_dat(this->p_x, 0, ends, 2, "double", OP_READ),
                    op_arg_dat(p_y, 1, ends, 2, "double", OP_INC));
    }
};

#define LOOP(kernel)                                                                               \
    op_par_loop(kernel, #kernel, links, op_arg_dat(x, 0, ends, 2, "double", OP_READ),              \
                op_arg_dat(y, 1, ends, 2, "double", OP_INC));                                      \
    mesh_show_double(#kernel, y)

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    op_decl_const(1, "double", &rate);
    op_decl_const(1, "double", &one::gain);
    op_decl_const(1, "double", &two::gain);
    op_dat x = mesh_dat_double(points, 2, "x");
    op_dat y = mesh_dat_double(points, 2, "y");
    op_dat b = mesh_dat_bool(points, 1, "b");
    bool any = false;
    bool most = false;
    model m = {x, y};
    LOOP(one::add);
    LOOP(two::add);
    LOOP(one::hidden);
    LOOP(namesakes);
    LOOP(times<3>);
    LOOP(times<5>);
    LOOP(generic<double>);
    LOOP(references);
    LOOP(taken_whole);
    LOOP(jumps);
    LOOP(enumerators);
    LOOP(enumerations);
    LOOP(modern);
    LOOP(literals);
    LOOP(nothing);
    LOOP(with_class);
    m.run();
    mesh_show_double("step", y);
    op_par_loop(logic, "logic", links, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(b, 1, ends, 1, "bool", OP_INC), op_arg_gbl(&any, 1, "bool", OP_INC),
                op_arg_gbl(&most, 1, "bool", OP_MAX));
    mesh_show_bool("logic", b);
    printf("= logic %d %d\n", any, most);
    op_exit();
    return 0;
}
