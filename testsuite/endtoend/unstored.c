/* unstored.c: values that loops pass to one another within a group, and that the program looks at
 * in one way or another, or lets nobody look at.
 *
 * unstored.c MODE: prints what it has looked at, and all values at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "op_seq.h"

enum { CELLS = 300, TURNS = 16, WIDE = 8 };

double factor = 0.75;

/* What is made from a dat, with one read through a map, and has to be made again if it is wanted.
 */
static void make(const double *state, const double *height, double *made, double *flag)
{
    for (int n = 0; n < 4; n++) {
        made[n] = state[n] * factor + height[0];
    }
    flag[0] = made[0] > 2.0 ? 1.0 : made[3];
}

static void spread(const double *flag, double *wide)
{
    double sum = flag[0];
    wide[0] = sum;
    for (int n = 1; n < WIDE; n++) {
        sum = sum + n;
        wide[n] = sum;
    }
}

static void use(const double *made, const double *wide, double *total)
{
    for (int n = 0; n < 4; n++) {
        total[n] = total[n] * 0.5 + made[n] * wide[n];
    }
    total[0] += wide[7];
}

static void change(double *total, double *seen)
{
    seen[0] += (int)(total[0] + total[3]) % 7;
    total[3] += 1.0;
}

static void look(const double *made, const double *wide, double *seen)
{
    seen[0] += made[0] - made[3] + wide[5];
}

static void bump_all(double *dat)
{
    dat[2] += 2.0;
}

static void bump(double *dat)
{
    dat[0] += 2.0;
}

static op_set cells;
static op_map around;
static op_dat state, height, made, flag, wide, total, seen;

static void print(op_dat dat)
{
    double *value = malloc(CELLS * (size_t)dat->dim * sizeof *value);
    op_fetch_data(dat, value);
    for (int i = 0; i < CELLS * dat->dim; i++) {
        printf("= %s[%d] %a\n", dat->name, i, value[i]);
    }
    free(value);
}

static void print_in_child(op_dat dat)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        print(dat);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* What comes between two turns of the loops. */
static void between(const char *mode, int turn)
{
    const int now = turn % 4 == 3;
    if (turn == TURNS / 2) {
        op_par_loop(bump_all, "bump_all", cells, op_arg_dat(state, -1, OP_ID, 4, "double", OP_RW));
    }
    if (now && strcmp(mode, "fetch") == 0) {
        print(made);
        print(wide);
    } else if (now && strcmp(mode, "loop") == 0) {
        op_par_loop(look, "look", cells, op_arg_dat(made, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(wide, 1, around, WIDE, "double", OP_READ),
                    op_arg_dat(seen, -1, OP_ID, 1, "double", OP_RW));
    } else if (now && strcmp(mode, "pointer") == 0) {
        printf("= pointer %a %a\n", ((double *)made->data)[17], ((double *)wide->data)[18]);
        ((double *)state->data)[19] = turn;
        ((double *)wide->data)[20] = turn;
    } else if (now && strcmp(mode, "put") == 0) {
        op_get_data(height);
        ((double *)height->data)[3] += 1.0;
        op_put_data(height);
        print(made);
    } else if (now && strcmp(mode, "constant") == 0) {
        factor = factor * 0.5 + 0.25;
        op_decl_const(1, "double", &factor);
        print(made);
    } else if (now && strcmp(mode, "changed") == 0) {
        op_par_loop(bump, "bump", cells, op_arg_dat(height, -1, OP_ID, 1, "double", OP_RW));
        op_par_loop(bump, "bump", cells, op_arg_dat(flag, -1, OP_ID, 1, "double", OP_RW));
        print(made);
        print(wide);
    } else if (strcmp(mode, "kept") == 0) {
        op_par_loop(bump, "bump", cells, op_arg_dat(height, -1, OP_ID, 1, "double", OP_RW));
        if (now) {
            print(made);
            print(flag);
        }
    } else if (now && strcmp(mode, "partition") == 0) {
        op_partition("", "", cells, around, NULL);
        print(made);
    } else if (now && strcmp(mode, "temporary") == 0) {
        op_dat other = op_decl_dat_temp(cells, 1, "double", (double *)NULL, "other");
        op_par_loop(bump, "bump", cells, op_arg_dat(other, -1, OP_ID, 1, "double", OP_RW));
        op_free_dat_temp(other);
    } else if (now && strcmp(mode, "fork") == 0) {
        print_in_child(made);
        print_in_child(wide);
    }
}

int main(int argc, char **argv)
{
    static double values[CELLS * WIDE];
    static int ring[2 * CELLS];
    const char *mode = argc > 1 ? argv[1] : "none";
    for (int c = 0; c < CELLS; c++) {
        ring[2 * c] = (c * 17 + 3) % CELLS;
        ring[2 * c + 1] = (c + 1) % CELLS;
    }
    for (int i = 0; i < CELLS * WIDE; i++) {
        values[i] = i % 11 * 0.25;
    }
    op_init(1, argv, 0);
    cells = op_decl_set(CELLS, "cells");
    around = op_decl_map(cells, cells, 2, ring, "around");
    state = op_decl_dat(cells, 4, "double", values, "state");
    height = op_decl_dat(cells, 1, "double", values, "height");
    made = op_decl_dat(cells, 4, "double", values, "made");
    flag = op_decl_dat(cells, 1, "double", values, "flag");
    wide = op_decl_dat(cells, WIDE, "double", values, "wide");
    total = op_decl_dat(cells, 4, "double", values, "total");
    seen = op_decl_dat(cells, 1, "double", values, "seen");
    op_decl_const(1, "double", &factor);
    for (int turn = 0; turn < TURNS; turn++) {
        op_par_loop(make, "make", cells, op_arg_dat(state, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(height, 0, around, 1, "double", OP_READ),
                    op_arg_dat(made, -1, OP_ID, 4, "double", OP_WRITE),
                    op_arg_dat(flag, -1, OP_ID, 1, "double", OP_WRITE));
        op_par_loop(spread, "spread", cells, op_arg_dat(flag, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(wide, -1, OP_ID, WIDE, "double", OP_WRITE));
        op_par_loop(use, "use", cells, op_arg_dat(made, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(wide, -1, OP_ID, WIDE, "double", OP_READ),
                    op_arg_dat(total, -1, OP_ID, 4, "double", OP_RW));
        if (turn == TURNS - 1 && strcmp(mode, "none") != 0) {
            print(made);
        }
        if (strcmp(mode, "none") != 0) {
            between(mode, turn);
        }
        op_par_loop(change, "change", cells, op_arg_dat(total, -1, OP_ID, 4, "double", OP_RW),
                    op_arg_dat(seen, -1, OP_ID, 1, "double", OP_RW));
    }
    print(state);
    print(seen);
    if (strcmp(mode, "none") != 0) {
        print(made);
        print(flag);
        print(wide);
    }
    op_timing_output();
    op_exit();
    return 0;
}
