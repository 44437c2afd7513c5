// chains.cpp: chains of C++: member functions, templates, references, lambdas, exceptions, classes with
// destructors. Each function is followed by its chain.
#include <algorithm>
#include <iostream>
#include <vector>

#include "op_seq.h"

static op_set cells;
static op_dat p_q, p_r;

static void one(double *r)
{
    r[0] = 1;
}

static void sum(const double *q, double *s)
{
    *s += *q;
}

template <typename real> static void twice(real *q)
{
    *q *= 2;
}

#define DIRECT(dat, access) op_arg_dat(dat, -1, OP_ID, 1, "double", access)
#define ONE(name, dat) op_par_loop(one, name, cells, DIRECT(dat, OP_WRITE))
#define SUM(name, dat, to)                                                                         \
    op_par_loop(sum, name, cells, DIRECT(dat, OP_READ), op_arg_gbl(to, 1, "double", OP_INC))

namespace flow
{
class solver
{
    op_dat q, r;
    double rms;

  public:
    void step();
    void run(int iterations);
    double residual() const
    {
        return rms;
    }
};

void solver::step()
{
    ONE("step", q);
    SUM("norm", this->q, &rms);
}
/* CHAIN flow::solver::step
 *   loop one_2 over cells: this->q
 *   loop sum over cells: this->q this->rms
 */

void solver::run(int iterations)
{
    solver other;

    for (int n = 0; n < iterations; ++n) {
        step();
        std::cout << "rms " << residual() << std::endl;
        std::swap(q, r);
        other.step();
    }
}
/* CHAIN flow::solver::run
 *   code: rebind this->q; change this->rms; rebind other.q; change other.rms
 *   repeat for
 *     call step this->q=this->q this->rms=this->rms
 *     code: look this->rms by residual; look pointed by residual
 *     code: rebind this->q by swap; look pointed by swap; change pointed by swap; rebind pointed by swap
 *     call step this->q=other.q this->rms=other.rms
 */
} // namespace flow

template <typename real> struct field {
    op_dat q;
    void grow(op_dat &other)
    {
        op_par_loop(twice<real>, "twice", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
        other = q;
        ONE("other", other);
    }
};
/* CHAIN field<double>::grow
 *   loop twice over cells: this->q
 *   code: look pointed; rebind other; change pointed; rebind pointed
 *   loop one_13 over cells: other
 */

template <int count> void repeat(op_dat q)
{
    for (int k = 0; k < count; k++) {
        ONE("repeated", q);
    }
}
/* CHAIN repeat<3>
 *   private q
 *   repeat for trips 3 always
 *     loop one_14 over cells: q
 */

void instances()
{
    field<double> pressure;

    pressure.q = p_q;
    pressure.grow(p_r);
    repeat<3>(p_q);
}
/* CHAIN instances
 *   code: rebind pressure.q
 *   code: rebind pressure.q
 *   call grow this->q=pressure.q other=p_r: rebind p_r by grow
 *   call repeat q=p_q
 */

struct timer {
    timer();
    ~timer();
};

void guarded(int n)
{
    ONE("before", p_q);
    {
        timer clock;
        ONE("inside", p_q);
    }
    try {
        ONE("tried", p_q);
        if (n == 3) {
            throw n;
        }
    } catch (int) {
        ONE("caught", p_q);
    }
}
/* CHAIN guarded
 *   loop one_3 over cells: p_q
 *   code: unknown all by a constructor
 *   loop one_4 over cells: p_q
 *   code: unknown all by a destructor
 *   loop one_5 over cells: p_q
 *   choice if
 *     branch
 *       leave throw
 *   choice catch
 *     branch
 *       label catch
 *       loop one_6 over cells: p_q
 */

void lambdas()
{
    double total = 0, own = 0;
    auto body = [&] { SUM("in lambda", p_q, &total); };

    body();
    SUM("own", p_q, &own);
}
/* CHAIN lambdas
 *   private own
 *   code: change total; change own
 *   code: unknown all by operator()
 *   loop sum_3 over cells: p_q own
 *   code: unknown all by a destructor
 */

struct shape {
    virtual void draw();
};

void lists(shape &shape)
{
    std::vector<op_dat> dats;
    double largest = 0;

    dats.push_back(p_q);
    for (op_dat dat : dats) {
        ONE("each", dat);
    }
    ONE("first", dats[0]);
    ONE("at", dats.at(dats.size() - 1));
    dats[1] = p_r;
    SUM("largest", p_q, &largest);
    largest = std::max(largest, 1.0);
    shape.draw();
}
/* CHAIN lists
 *   private dat
 *   private largest
 *   code: rebind dats[0]; rebind dats[]
 *   code: change largest
 *   code: rebind dats[0] by push_back; rebind dats[] by push_back
 *   repeat for
 *     code: rebind dat
 *     loop one_7 over cells: dat
 *   loop one_8 over cells: dats[0]
 *   loop one_9 over cells: dats[]
 *   code: rebind dats[]; change pointed; rebind pointed
 *   loop sum_4 over cells: p_q largest
 *   code: look largest by max; change largest
 *   code: look pointed; unknown all by draw
 */

void references(double &given)
{
    double own = 0;
    double &alias = own;

    SUM("given", p_q, &given);
    SUM("own", p_q, &own);
    alias = given;
    if (double value = own; value > 2) {
        ONE("if", p_q);
    }
    switch (int way = op_get_size(cells); way) {
    case 1:
        ONE("case", p_q);
    }
}
/* CHAIN references
 *   code: change given; change own
 *   code: look given; look own
 *   loop sum_5 over cells: p_q given
 *   loop sum_3 over cells: p_q own
 *   code: look given; look pointed; change pointed
 *   code: look given; look own
 *   choice if
 *     branch
 *       loop one_10 over cells: p_q
 *   repeat control that is not known
 *     code: unknown all by control that is not known
 *     label case
 *     loop one_11 over cells: p_q
 */

static int steps_of(int count = op_get_size(cells))
{
    ONE("steps", p_q);
    return count;
}

struct shared {
    double &sum;
    union {
        double first;
        double second;
    };
};

void defaults(int n)
{
    double own = 0;
    shared both = {own, {0}};

    SUM("first", p_q, &both.first);
    SUM("sum", p_q, &both.sum);
    both.second = 1;
    both.sum = 2;
    n = n ?: steps_of();
}
/* CHAIN defaults
 *   private both
 *   code: change both; change both.sum
 *   loop sum_6 over cells: p_q both
 *   loop sum_7 over cells: p_q both.sum
 *   code: change both; change both.sum
 *   code: change both; change both.sum; change pointed
 *   repeat control that is not known
 *     code: unknown all by an expression that is not known; unknown all by a default argument
 *     call steps_of
 *   code: unknown all by a destructor
 */

static const auto at_start = [] { ONE("at start", p_q); };
