/* chains.c: what stands between the loops of a function. Each function is followed by its chain. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op_lib.h"

op_set cells, edges;
op_map pecell;
op_dat p_q, p_r, p_s, dats[3];
double gam, history[10], total;
static int quiet;

struct mesh {
    op_set cells;
    op_dat q, r;
    double dt;
};

void unseen(void);
void keep(double *value);
op_dat find_dat(const char *name);

static void one(double *r)
{
    r[0] = 1;
}

static void copy(const double *q, double *r)
{
    r[0] = q[0];
}

static void scaled(const double *q, double *r)
{
    r[0] = gam * q[0];
}

static void add(const double *q, double *a, double *b)
{
    *a += q[0];
    *b += q[0];
}

static void sum(const double *q, double *s)
{
    *s += *q;
}

static void times(const double *dt, double *q)
{
    q[0] *= *dt;
}

#define DIRECT(dat, access) op_arg_dat(dat, -1, OP_ID, 1, "double", access)
#define ONE(name, dat) op_par_loop(one, name, cells, DIRECT(dat, OP_WRITE))
#define SUM(name, dat, to)                                                                         \
    op_par_loop(sum, name, cells, DIRECT(dat, OP_READ), op_arg_gbl(to, 1, "double", OP_INC))

/* ---- loops and control ---- */

void straight(void)
{
    op_par_loop(copy, "copy", cells, DIRECT(p_q, OP_READ), DIRECT(p_r, OP_WRITE));
    op_par_loop(add, "add", edges, DIRECT(p_s, OP_READ),
                op_arg_dat(p_q, 0, pecell, 1, "double", OP_INC),
                op_arg_dat(p_q, 1, pecell, 1, "double", OP_INC));
}
/* CHAIN straight
 *   loop copy over cells: p_q p_r
 *   loop add over edges: p_s p_q/pecell p_q/pecell
 */

void steps(int iterations)
{
    for (int n = 0; n < iterations; n++) {
        double rms = 0.0;

        ONE("first", p_q);
        for (int k = 0; k < 2; k++) {
            ONE("second", p_r);
            rms = 0.0;
            SUM("third", p_r, &rms);
        }
        if (n % 10 == 0) {
            printf("%d %g\n", n, rms);
        }
    }
}
/* CHAIN steps
 *   private rms
 *   repeat for
 *     code: change rms
 *     loop one over cells: p_q
 *     repeat for trips 2 always
 *       loop one_2 over cells: p_r
 *       code: change rms
 *       loop sum over cells: p_r rms
 *     code: look rms by printf
 */

void choices(int way)
{
    if (way > 2) {
        ONE("more", p_q);
    } else {
        ONE("less", p_q);
    }
    if (way == 0) {
        ONE("zero", p_q);
    }
    switch (way) {
    case 1:
        ONE("case 1", p_q);
    case 2:
    case 3:
        ONE("case 2", p_q);
        break;
    default:
        ONE("default", p_q);
    }
    way > 4 ? ONE("yes", p_q) : ONE("no", p_q);
}
/* CHAIN choices
 *   choice if always
 *     branch
 *       loop one_3 over cells: p_q
 *     branch
 *       loop one_4 over cells: p_q
 *   choice if
 *     branch
 *       loop one_5 over cells: p_q
 *   switch switch always
 *     branch
 *       loop one_6 over cells: p_q
 *     branch
 *       loop one_7 over cells: p_q
 *       break
 *     branch
 *       loop one_8 over cells: p_q
 *   choice ?: always
 *     branch
 *       loop one_9 over cells: p_q
 *     branch
 *       loop one_10 over cells: p_q
 */

int exits(int n)
{
    jmp_buf place;

    while (n-- > 0) {
        ONE("a", p_q);
        if (n == 7) {
            break;
        }
        if (n == 6) {
            continue;
        }
        ONE("b", p_q);
        if (n == 5) {
            return 1;
        }
        if (n == 4) {
            goto out;
        }
        if (n == 3) {
            exit(2);
        }
    }
    do {
        ONE("c", p_q);
    } while (n-- > 0);
    if (setjmp(place) == 0) {
        longjmp(place, 1);
    }
out:
    ONE("d", p_q);
    return 0;
}
/* CHAIN exits
 *   repeat while
 *     loop one_11 over cells: p_q
 *     choice if
 *       branch
 *         break
 *     choice if
 *       branch
 *         continue
 *     loop one_12 over cells: p_q
 *     choice if
 *       branch
 *         leave return
 *     choice if
 *       branch
 *         goto out
 *     choice if
 *       branch
 *         code: unknown all by exit
 *         leave exit
 *     next
 *   repeat do always
 *     loop one_13 over cells: p_q
 *   label _setjmp
 *   choice if
 *     branch
 *       leave longjmp
 *   label out
 *   loop one_14 over cells: p_q
 */

void counts(int n)
{
    for (int k = 3; k > 0; k--)
        ONE("down", p_q);
    for (int k = 0; k <= 8; k += 4)
        ONE("by four", p_q);
    for (int k = 0; k != 5; ++k)
        ONE("not", p_q);
    for (int k = 0; k < 2; k++) {
        ONE("changed", p_q);
        k += n;
    }
    for (unsigned k = 2; k >= 0; k--)
        ONE("endless", p_q);
    for (int k = 5; k < 2; k++)
        ONE("never", p_q);
    do {
        ONE("once", p_q);
    } while (0);
    for (;;)
        ONE("ever", p_q);
}
/* CHAIN counts
 *   repeat for trips 3 always
 *     loop one_15 over cells: p_q
 *   repeat for trips 3 always
 *     loop one_16 over cells: p_q
 *   repeat for trips 5 always
 *     loop one_17 over cells: p_q
 *   repeat for
 *     loop one_18 over cells: p_q
 *   repeat for
 *     loop one_19 over cells: p_q
 *   repeat for trips 0
 *     loop one_20 over cells: p_q
 *   repeat do trips 1 always
 *     loop one_21 over cells: p_q
 *   repeat for
 *     loop one_22 over cells: p_q
 */

/* ---- host code ---- */

void host(void)
{
    double q[10];
    double wall, cpu;

    ONE("h1", p_q);
    quiet = 1; /* no loop names it */
    op_fetch_data(p_q, q);
    ONE("h2", p_q);
    op_get_data(p_q);
    op_put_data(p_r);
    op_timers(&cpu, &wall);
    op_partition("PTSCOTCH", "KWAY", cells, pecell, p_q);
    gam = 1.4;
    op_decl_const(1, "double", &gam);
    op_par_loop(scaled, "scaled", cells, DIRECT(p_q, OP_READ), DIRECT(p_r, OP_WRITE));
    ((double *)p_q->data)[3] = 1.0;
    printf("%g\n", ((double *)p_q->data)[4]);
    op_fetch_data(find_dat("x"), q);
    op_exit();
}
/* CHAIN host
 *   loop one_23 over cells: p_q
 *   code: look p_q by op_fetch_data
 *   loop one_24 over cells: p_q
 *   code: look p_q by op_get_data
 *   code: change p_r by op_put_data
 *   code: clock all by op_timers
 *   code: order all by op_partition
 *   code: change gam
 *   code: change gam by op_decl_const; declare gam by op_decl_const
 *   loop scaled over cells: p_q p_r
 *   code: change p_q by data
 *   code: look p_q by data
 *   code: unknown all by find_dat; look all by op_fetch_data
 *   code: look all by op_exit
 */

void unknown(void (*function)(void))
{
    ONE("u1", p_q);
    unseen();
    ONE("u2", p_q);
    function();
    ONE("u3", p_q);
    __asm__ volatile("");
}
/* CHAIN unknown
 *   loop one_25 over cells: p_q
 *   code: unknown all by unseen
 *   loop one_26 over cells: p_q
 *   code: unknown all by a call through a pointer
 *   loop one_27 over cells: p_q
 *   code: unknown all by asm
 */

void pointers(double *given)
{
    double own = 0, kept = 0, list[3] = {0};
    double *p = &kept;

    keep(p);
    SUM("own", p_q, &own);
    SUM("kept", p_q, &kept);
    SUM("list", p_q, &list[1]);
    SUM("given", p_q, given);
    *p = 3;
    list[2] = own + *given;
}
/* CHAIN pointers
 *   private own
 *   private list
 *   code: change own; change kept; change *given; change list
 *   code: unknown all by keep
 *   loop sum_2 over cells: p_q own
 *   loop sum_3 over cells: p_q kept
 *   loop sum_4 over cells: p_q list
 *   loop sum_5 over cells: p_q *given
 *   code: change pointed
 *   code: look own; look *given; look pointed; change list
 */

/* The loop may reduce into a variable that is read by name. */
void aliased(int i)
{
    double rms = 0, *p = i > 0 ? &rms : history;

    SUM("aliased", p_q, p);
    printf("%g %d\n", rms, quiet);
    printf("%g\n", history[1]);
}
/* CHAIN aliased
 *   code: change *p; rebind *p
 *   loop sum_6 over cells: p_q *p
 *   code: look *p by printf
 *   code: look *p by printf
 */

void handles(struct mesh *mesh, struct mesh local, int i)
{
    op_dat temporary = p_q;

    p_q = p_r;
    p_r = temporary;
    op_par_loop(copy, "copy", mesh->cells, DIRECT(mesh->q, OP_READ), DIRECT(local.r, OP_WRITE));
    mesh->r = mesh->q;
    local.r = p_r;
    mesh = &local;
    ONE("i", dats[i]);
    dats[2] = p_q;
    op_par_loop(times, "times", cells, op_arg_gbl(&local.dt, 1, "double", OP_READ),
                DIRECT(dats[1], OP_RW));
    local.dt *= 2;
    memset(&local, 0, sizeof(local));
}
/* CHAIN handles
 *   code: rebind p_q
 *   code: rebind p_r
 *   loop copy_2 over mesh->cells: mesh->q local.r
 *   code: look pointed; change pointed; rebind pointed
 *   code: rebind local.r
 *   code: rebind mesh->cells; rebind mesh->q
 *   loop one_28 over cells: dats[]
 *   code: rebind dats[]
 *   loop times over cells: local.dt dats[1]
 *   code: look local.dt; change local.dt
 *   code: rebind mesh->cells by memset; rebind mesh->q by memset; rebind local.r by memset; change local.dt by memset
 */

/* ---- functions ---- */

static double largest(const double *values, int count)
{
    double result = values[0];

    for (int v = 1; v < count; v++) {
        result = values[v] > result ? values[v] : result;
    }
    return result;
}

static void remember(double value)
{
    total += value;
}

static void half(op_dat q, double *rms, double scale)
{
    SUM("half", q, rms);
    *rms *= scale;
}
/* CHAIN half internal
 *   private q
 *   loop sum_7 over cells: q *rms
 *   code: look *rms; change *rms; look pointed; change pointed
 */

void helpers(struct mesh *mesh)
{
    double rms = 0, other[3];

    for (int n = 0; n < 1000; n++) {
        half(p_q, &rms, 0.5);
        half(mesh->r, other, 0.5);
        remember(rms);
        history[n % 10] = largest(other, 3);
    }
}
/* CHAIN helpers
 *   code: change rms; change other
 *   repeat for trips 1000 always
 *     call half q=p_q *rms=rms: look rms by half; change rms by half
 *     code: look pointed
 *     call half q=mesh->r *rms=other: look other by half; change other by half
 *     code: look rms; look total by remember; change total by remember
 *     code: look other by largest
 */

void totals(void)
{
    remember(1);
    SUM("totals", p_q, &total);
    remember(largest(&total, 1));
}
/* CHAIN totals
 *   code: look total by remember; change total by remember
 *   loop sum_8 over cells: p_q total
 *   code: look total by largest; look total by remember; change total by remember
 */

void recursive(int depth)
{
    ONE("r", p_q);
    if (depth > 0) {
        recursive(depth - 1);
    }
}
/* CHAIN recursive
 *   loop one_29 over cells: p_q
 *   code: unknown all by recursive
 */

void again(void)
{
    op_par_loop(copy, "copy", cells, DIRECT(p_q, OP_READ), DIRECT(p_r, OP_WRITE));
}
/* CHAIN again
 *   loop copy over cells: p_q p_r
 */

void computed(int n)
{
    static void *const way[] = {&&one, &&both};

    goto *way[n & 1];
both:
    ONE("both", p_q);
one:
    ONE("one", p_q);
    for (int k = 0; k < 3; k++) {
        switch (n)
        case 3: {
            if (k == 1) {
                continue;
            }
            break;
        }
        ONE("not the third", p_q);
    }
}
/* CHAIN computed
 *   goto *
 *   label both
 *   loop one_30 over cells: p_q
 *   label one
 *   loop one_31 over cells: p_q
 *   repeat for trips 3 always
 *     repeat control that is not known
 *       code: unknown all by control that is not known
 *       label case
 *       choice if
 *         branch
 *           continue
 *       break
 *       next
 *     choice if
 *       branch
 *         break
 *     choice if
 *       branch
 *         continue
 *     loop one_32 over cells: p_q
 *     next
 */

/* A value that the caller computes where it calls: the text of its expression stands for it. */
static void scale_by(double dt)
{
    op_par_loop(times, "scale", cells, op_arg_gbl(&dt, 1, "double", OP_READ), DIRECT(p_q, OP_RW));
}

static void scale_by_quotient(double a, double b)
{
    scale_by(a / (b + 1.0));
}
/* CHAIN scale_by_quotient internal
 *   call scale_by dt=a / (b + ...)
 */

volatile int flag;
_Atomic int count;
struct {
    volatile int ready;
} state;

/* Another thread may look at a dat when it finds the flag set, or have changed it by then. */
void others(volatile double *shared)
{
    volatile int own = 0;

    ONE("o1", p_q);
    flag = 1;
    ONE("o2", p_q);
    while (count < 2) {
    }
    ONE("o3", p_q);
    state.ready++;
    ONE("o4", p_q);
    *shared = 1.0;
    ONE("o5", p_q);
    own += 1;
    ONE("o6", p_q);
}
/* CHAIN others
 *   code: unknown all by a volatile or atomic object
 *   loop one_33 over cells: p_q
 *   code: unknown all by a volatile or atomic object
 *   loop one_34 over cells: p_q
 *   code: unknown all by a volatile or atomic object
 *   loop one_35 over cells: p_q
 *   code: unknown all by a volatile or atomic object
 *   loop one_36 over cells: p_q
 *   code: change pointed; unknown all by a volatile or atomic object
 *   loop one_37 over cells: p_q
 *   code: unknown all by a volatile or atomic object
 *   loop one_38 over cells: p_q
 */

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    straight();
    again();
    op_exit();
    return 0;
}
