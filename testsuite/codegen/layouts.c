/* layouts.c: loops that use dats in one way each, for --cleave-soa=auto: their names say what the compiler
 * has to choose. Compiled only. */
#include "op_seq.h"

/* ---- in place -------------------------------------------------------------------------------- */

static inline void whole_records(const double *three_arrays, const double *four_arrays,
                                 const float *eight_arrays, double *five_arrays)
{
    for (int k = 0; k < 3; k++) {
        five_arrays[k] += three_arrays[k] + four_arrays[k];
    }
    five_arrays[3] += four_arrays[3];
    for (int k = 0; k < 8; k++) {
        five_arrays[4] += eight_arrays[k];
    }
}

static inline void few_components(const double *two_of_eight_arrays, double *two_structures)
{
    two_structures[0] = two_of_eight_arrays[1];
    two_structures[1] = two_of_eight_arrays[6];
}

static inline void opaque(const double *three_arrays, double *one)
{
    int k = 0;
again:
    *one += three_arrays[k];
    if (++k < 3) {
        goto again;
    }
}

/* ---- through maps ---------------------------------------------------------------------------- */

static inline void through_map(const double *read_structures, const double *first_of_six_structures,
                               const double *three_arrays, double *added_structures)
{
    for (int k = 0; k < 5; k++) {
        added_structures[k] += read_structures[k] * first_of_six_structures[0] * three_arrays[0];
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

static inline void in_place(double *often_arrays, double *seldom_structures)
{
    for (int k = 0; k < 3; k++) {
        often_arrays[k] *= 2.0;
        seldom_structures[k] *= 2.0;
    }
}

static inline void gather(const double *often_arrays, const double *seldom_structures, double *one)
{
    *one += often_arrays[0] + seldom_structures[0] + seldom_structures[1] + seldom_structures[2];
}

/* ---- what decides otherwise ------------------------------------------------------------------ */

static inline void said(const double *declared_arrays, double *one)
{
    *one += declared_arrays[0] + declared_arrays[1] + declared_arrays[2] + declared_arrays[3];
}

static inline void perhaps(double *optional_structures, double *one)
{
    *one += optional_structures != NULL ? optional_structures[1] : 0.0;
}

static inline void certainly(const double *optional_structures, double *one)
{
    *one += optional_structures[1];
}

static inline void pairs(const double *named_twice, double *one)
{
    *one += named_twice[0] + named_twice[1];
}

static inline void triples(const double *named_twice, double *one)
{
    *one += named_twice[0] + named_twice[1] + named_twice[2];
}

/* ---- the loops ------------------------------------------------------------------------------- */

void loops_in_place(op_set points, op_dat three_arrays, op_dat four_arrays,
                    op_dat eight_arrays, op_dat five_arrays, op_dat two_of_eight_arrays,
                    op_dat two_structures, op_dat one)
{
    op_par_loop(whole_records, "whole_records", points,
                op_arg_dat(three_arrays, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(four_arrays, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(eight_arrays, -1, OP_ID, 8, "float", OP_READ),
                op_arg_dat(five_arrays, -1, OP_ID, 5, "double", OP_RW));
    op_par_loop(few_components, "few_components", points,
                op_arg_dat(two_of_eight_arrays, -1, OP_ID, 8, "double", OP_READ),
                op_arg_dat(two_structures, -1, OP_ID, 2, "double", OP_WRITE));
    op_par_loop(opaque, "opaque", points,
                op_arg_dat(three_arrays, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(one, -1, OP_ID, 1, "double", OP_RW));
}

void loops_through_maps(op_set links, op_map ends, op_dat read_structures,
                        op_dat first_of_six_structures, op_dat three_arrays,
                        op_dat added_structures)
{
    op_par_loop(through_map, "through_map", links,
                op_arg_dat(read_structures, 0, ends, 5, "double", OP_READ),
                op_arg_dat(first_of_six_structures, 1, ends, 6, "double", OP_READ),
                op_arg_dat(three_arrays, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(added_structures, 0, ends, 5, "double", OP_INC));
}

void loops_of_both(op_set points, op_set links, op_map ends, op_dat often_arrays,
                   op_dat seldom_structures, op_dat one)
{
    op_par_loop(in_place, "in_place", points,
                op_arg_dat(often_arrays, -1, OP_ID, 3, "double", OP_RW),
                op_arg_dat(seldom_structures, -1, OP_ID, 3, "double", OP_RW));
    op_par_loop(gather, "gather", links, op_arg_dat(often_arrays, 0, ends, 3, "double", OP_READ),
                op_arg_dat(seldom_structures, 0, ends, 3, "double", OP_READ),
                op_arg_dat(one, 0, ends, 1, "double", OP_INC));
}

void loops_of_others(op_set points, op_set links, op_map ends, op_dat declared_arrays,
                     op_dat optional_structures, op_dat named_twice, op_dat one, int on)
{
    op_par_loop(said, "said", points,
                op_arg_dat(declared_arrays, -1, OP_ID, 4, "double:soa", OP_READ),
                op_arg_dat(one, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(said, "said_again", links,
                op_arg_dat(declared_arrays, 0, ends, 4, "double", OP_READ),
                op_arg_dat(one, 0, ends, 1, "double", OP_INC));
    op_par_loop(perhaps, "perhaps", points,
                op_opt_arg_dat(on, optional_structures, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(one, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(certainly, "certainly", points,
                op_arg_dat(optional_structures, -1, OP_ID, 5, "double", OP_READ),
                op_arg_dat(one, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(pairs, "pairs", points, op_arg_dat(named_twice, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(one, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(triples, "triples", points, op_arg_dat(named_twice, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(one, -1, OP_ID, 1, "double", OP_RW));
}
