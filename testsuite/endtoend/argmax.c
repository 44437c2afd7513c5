/* argmax.c: runs the loops of argmax.h, each twice: the second time from what the first one found.
 * Prints lines "= name value..." that must not depend on backend, schedule or numbering.
 */
#include "mesh.h"

#include <math.h>

#include "argmax.h"

static void run_update(op_dat adt)
{
    op_dat qold = mesh_dat_double(points, 4, "qold"), q = mesh_dat_double(points, 4, "q");
    op_dat res = mesh_dat_double(points, 4, "res");
    double rms = 0.0, maxerr = 0.0;
    int errloc = -1;
    for (int run = 0; run < 2; run++) {
        op_par_loop(update, "update", points, op_arg_dat(qold, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(q, -1, OP_ID, 4, "double", OP_WRITE),
                    op_arg_dat(res, -1, OP_ID, 4, "double", OP_RW),
                    op_arg_dat(adt, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_gbl(&rms, 1, "double", OP_INC), op_arg_gbl(&maxerr, 1, "double", OP_MAX),
                    op_arg_idx(-1, OP_ID), op_arg_info(&errloc, 1, "int", 5));
        printf("= update %g %g %d\n", rms, maxerr, errloc);
    }
    mesh_show_double("q", q);
}

static void run_carry(op_dat w, op_dat x)
{
    op_dat sum = mesh_dat_double(points, 2, "sum");
    double least = 100, at[2] = {-1, -1};
    float most = -1;
    int where[2] = {-1, -1};
    ll code = -1;
    for (int run = 0; run < 2; run++) {
        op_par_loop(carry, "carry", links, op_arg_dat(w, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(x, 0, ends, 4, "double", OP_READ),
                    op_arg_dat(sum, 1, ends, 2, "double", OP_INC),
                    op_arg_gbl(&least, 1, "double", OP_MIN), op_arg_idx(-1, OP_ID),
                    op_arg_idx(1, ends), op_arg_info(where, 2, "int", 3),
                    op_arg_info(at, 2, "double", 3), op_arg_gbl(&most, 1, "float", OP_MAX),
                    op_arg_info(&code, 1, "ll", 8));
        printf("= carry %g %d %d %g %g %g %lld\n", least, where[0], where[1], at[0], at[1], most,
               (long long)code);
    }
    mesh_show_double("sum", sum);
}

static void run_several(op_dat x)
{
    op_dat n = mesh_dat_int(points, 2, "n"), count = mesh_dat_uint(points, 1, "count");
    double top[3] = {-1, -1, 100}, low[2] = {50, 0}, helped = 0;
    int pair[7] = {0, 0, 0, 0, 8, 9, 7}, same[2] = {-5, -6}, last = -1, helper = -1;
    uint largest = 0;
    for (int run = 0; run < 2; run++) {
        op_par_loop(several, "several", points, op_arg_dat(x, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(n, -1, OP_ID, 2, "int", OP_READ),
                    op_arg_dat(count, -1, OP_ID, 1, "uint", OP_READ), op_arg_idx(-1, OP_ID),
                    op_arg_gbl(top, 3, "double", OP_MAX), op_arg_info(pair, 7, "int", 4),
                    op_arg_gbl(low, 2, "double", OP_MIN), op_arg_info(same, 2, "int", 6),
                    op_arg_gbl(&largest, 1, "uint", OP_MAX), op_arg_info(&last, 1, "int", 8),
                    op_arg_gbl(&helped, 1, "double", OP_MAX), op_arg_info(&helper, 1, "int", 10));
        printf("= several %g %g %g", top[0], top[1], top[2]);
        for (int i = 0; i < 7; i++) {
            printf(" %d", pair[i]);
        }
        printf(" %g %g %d %d %u %d %g %d\n", low[0], low[1], same[0], same[1], largest, last,
               helped, helper);
    }
}

static void run_optional(op_dat x)
{
    double most = 1;
    int where = -1;
    for (int on = 0; on < 2; on++) {
        op_par_loop(optional, "optional", points, op_arg_dat(x, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_idx(-1, OP_ID), op_opt_arg_gbl(on, &most, 1, "double", OP_MAX),
                    op_arg_info(&where, 1, "int", 2));
        printf("= optional %g %d\n", most, where);
    }
}

static void run_strange(void)
{
    static double value[POINTS];
    double least = 5, of = 1;
    int where = -1;
    for (int p = 0; p < POINTS; p++) {
        value[p] = p % 5 == 0 ? NAN : p % 7 < 2 ? (p % 2 == 1 ? -0.0 : 0.0) : p;
    }
    op_dat x = op_decl_dat(points, 1, "double", value, "strange");
    for (int run = 0; run < 2; run++) {
        op_par_loop(strange, "strange", points, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_idx(-1, OP_ID), op_arg_gbl(&least, 1, "double", OP_MIN),
                    op_arg_info(&where, 1, "int", 2), op_arg_info(&of, 1, "double", 2));
        printf("= strange %g %d %d %d\n", least, signbit(least) != 0, where, signbit(of) != 0);
        least = run == 0 ? NAN : 0;
    }
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    mesh_make();
    static double ones[POINTS];
    for (int p = 0; p < POINTS; p++) {
        ones[p] = 1;
    }
    op_dat adt = op_decl_dat(points, 1, "double", ones, "adt");
    op_dat w = mesh_dat_double(links, 2, "w"), x = mesh_dat_double(points, 4, "x");
    run_carry(w, x); /* through a map: it puts the mesh into order */
    run_update(adt);
    run_several(x);
    run_optional(x);
    run_strange();
    op_exit();
    return 0;
}
