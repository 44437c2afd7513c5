/* Each constant is written where its comment says; the notes are on those that loops see stale. */
#include "op_seq.h"

#include <stdio.h>
#include <stdlib.h>

double before;            /* only before its op_decl_const */
double stepped;           /* at the end of a turn, for the loop at the beginning of the next */
double again;             /* declared again */
double either;            /* on one branch */
double dirty;             /* declared again under a condition */
double set, set_declared; /* by functions, of which one declares */
double reduced;           /* by a loop */
double read_in;           /* by a library function */
double seen_elsewhere;    /* declared by code that is not seen, perhaps */
double late;              /* behind the last loop that reads it */
double left;              /* before a return that gives up */
double in_call;           /* in a function with loops */
double *table;            /* an element of an array behind a pointer */

void elsewhere(void);

static void use(double *r)
{
    r[0] = before + stepped + again + either + dirty + set + set_declared + reduced + read_in +
           seen_elsewhere + left + in_call + table[0];
}

static void use_late(double *r)
{
    r[0] = late;
}

static void add(const double *r, double *sum)
{
    *sum += r[0];
}

static void just_set(void)
{
    set = 2.0;
}

static void set_and_declare(void)
{
    set_declared = 2.0;
    op_decl_const(1, "double", &set_declared);
}

static int iterate(op_set cells, op_dat r, int n)
{
    if (n < 0) {
        left = 2.0;
        return 1;
    }
    op_par_loop(use, "use", cells, op_arg_dat(r, -1, OP_ID, 1, "double", OP_WRITE));
    in_call = 2.0;
    return 0;
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);

    op_set cells = op_decl_set(argc, "cells");
    op_dat r = op_decl_dat_temp(cells, 1, "double", NULL, "r");

    before = 1.0;
    if (argc > 1) {
        before = atof(argv[1]);
    }
    table = malloc(sizeof(*table));
    table[0] = 1.0;
    op_decl_const(1, "double", &before);
    op_decl_const(1, "double", &stepped);
    op_decl_const(1, "double", &again);
    op_decl_const(1, "double", &either);
    op_decl_const(1, "double", &dirty);
    op_decl_const(1, "double", &set);
    op_decl_const(1, "double", &set_declared);
    op_decl_const(1, "double", &reduced);
    op_decl_const(1, "double", &read_in);
    op_decl_const(1, "double", &seen_elsewhere);
    op_decl_const(1, "double", &late);
    op_decl_const(1, "double", &left);
    op_decl_const(1, "double", &in_call);
    op_decl_const(1, "double", table);
    op_par_loop(use_late, "use_late", cells, op_arg_dat(r, -1, OP_ID, 1, "double", OP_WRITE));
    late = 2.0;
    seen_elsewhere = 2.0;
    elsewhere();
    again = 2.0;
    op_decl_const(1, "double", &again);
    if (argc > 1) {
        either = 2.0;
        dirty = 2.0;
    }
    if (argc > 1) {
        op_decl_const(1, "double", &dirty);
    }
    just_set();
    set_and_declare();
    op_par_loop(add, "add", cells, op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&reduced, 1, "double", OP_INC));
    if (scanf("%lf", &read_in) != 1) {
        exit(1);
    }
    table[0] = 2.0;
    for (int i = 0; i < 3; i++) {
        if (iterate(cells, r, i)) {
            break;
        }
        switch (i) {
        case 1:
            stepped = 2.0;
            break;
        default:
            break;
        }
    }
    op_exit();
    return 0;
}
