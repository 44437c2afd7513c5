/* work.c: loops with scratch (OP_WORK), between which the program reads and writes dat->data: see
 * work.sh. Prints a sum over all that they make. */
#include "op_seq.h"
#define N 5000
/* scratch[0..3]: of the kernel; kept: a dat on the edges that the loop uses likewise. */
static void flux(const double *a, const double *b, double *scratch, double *kept, double *to_a,
                 double *to_b)
{
    for (int i = 0; i < 3; i++) {
        scratch[i] = a[i] * b[i];
    }
    kept[0] = scratch[0] + scratch[1];
    kept[1] = kept[0] * scratch[2];
    for (int i = 0; i < 3; i++) {
        to_a[i] += scratch[i] + kept[1];
        to_b[i] -= scratch[2 - i];
    }
}
static void sorted(const double *in, double *buffer, double *out)
{
    int used = 0;
    while (used < 3) { /* insertion by subscripts that only the run knows */
        int at = used;
        while (at > 0 && buffer[at - 1] > in[used]) {
            buffer[at] = buffer[at - 1];
            at--;
        }
        buffer[at] = in[used++];
    }
    for (int i = 0; i < 3; i++) {
        out[i] = buffer[i] + (i > 0 ? buffer[i - 1] : 0.0);
    }
}
/* Three kernels whose scratch cannot become an array of their own. */
static void moved(const double *in, double *buffer, double *out)
{
    *buffer++ = in[0];
    *out = buffer[-1];
}

static void chosen(const double *in, double *buffer, double *out)
{
    buffer[0] = in[0];
    *out = buffer[0] + in[1];
}

static void taken(const double *in, double *buffer, double *out)
{
    goto last;
last:
    buffer[0] = in[2];
    *out = buffer[0];
}

static void rest(op_set points, op_dat q, op_dat one)
{
    double buffer[2];
    op_par_loop(moved, "moved", points, op_arg_dat(q, -1, OP_ID, 3, "double", OP_READ),
                op_arg_gbl(buffer, 2, "double", OP_WORK),
                op_arg_dat(one, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(chosen, "chosen", points, op_arg_dat(q, -1, OP_ID, 3, "double", OP_READ),
                op_opt_arg_gbl(1, buffer, 2, "double", OP_WORK),
                op_arg_dat(one, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(taken, "taken", points, op_arg_dat(q, -1, OP_ID, 3, "double", OP_READ),
                op_arg_gbl(buffer, 2, "double", OP_WORK),
                op_arg_dat(one, -1, OP_ID, 1, "double", OP_WRITE));
}

int main(int argc, char **argv)
{
    static int map[2 * N];
    static double x[3 * N];
    double scratch[4] = {0};
    double buffer[3] = {0};
    double sum = 0.0;
    op_init(argc, argv, 0);
    for (int e = 0; e < N; e++) {
        map[2 * e] = e;
        map[2 * e + 1] = (e * 7 + 1) % N;
        for (int i = 0; i < 3; i++) {
            x[3 * e + i] = ((e * 31 + i * 17) % 101) * 0.125 - 3.0;
        }
    }
    op_set points = op_decl_set(N, "points");
    op_set edges = op_decl_set(N, "edges");
    op_map ends = op_decl_map(edges, points, 2, map, "ends");
    op_dat q = op_decl_dat(points, 3, "double", x, "q");
    op_dat r = op_decl_dat(points, 3, "double", (double *)NULL, "r");
    op_dat s = op_decl_dat(points, 3, "double", (double *)NULL, "s");
    op_dat kept = op_decl_dat(edges, 2, "double", (double *)NULL, "kept");
    double *q_data = (double *)(void *)q->data;
    const double *r_data = (const double *)(void *)r->data;
    for (int step = 0; step < 2; step++) { /* looks and writes between loops without asking */
        op_par_loop(flux, "flux", edges, op_arg_dat(q, 0, ends, 3, "double", OP_READ),
                    op_arg_dat(q, 1, ends, 3, "double", OP_READ),
                    op_arg_gbl(scratch, 4, "double", OP_WORK),
                    op_arg_dat(kept, -1, OP_ID, 2, "double", OP_WORK),
                    op_arg_dat(r, 0, ends, 3, "double", OP_INC),
                    op_arg_dat(r, 1, ends, 3, "double", OP_INC));
        sum += r_data[7] + r_data[3 * N - 1];
        q_data[5] += 1.0;
    }
    op_par_loop(sorted, "sorted", points, op_arg_dat(q, -1, OP_ID, 3, "double", OP_READ),
                op_arg_gbl(buffer, 3, "double", OP_WORK),
                op_arg_dat(s, -1, OP_ID, 3, "double", OP_WRITE));
    op_dat one = op_decl_dat(points, 1, "double", (double *)NULL, "one");
    rest(points, q, one);
    static double made[7 * N];
    op_fetch_data(r, made);
    op_fetch_data(s, made + 3 * N);
    op_fetch_data(one, made + 6 * N);
    for (int i = 0; i < 7 * N; i++) {
        sum += made[i] * (1 + i % 7);
    }
    printf("sum %.6f\n", sum);
    op_timing_output();
    op_exit();
    return 0;
}
