/* soa.c: loops that want their dats in both layouts, in turn, and a program that reads and changes
 * them in between. "= " begins what must not depend on backend, schedule, order or layout.
 *
 * soa.c SIZE MODE: links of a ring of SIZE points; "renumber" puts the mesh in another order. */
#include "op_seq.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "soa_kernels.h"

#ifndef FIRST
#define FIRST "double:soa"
#endif

static op_set points, links;
static op_map ends, apart;
static op_dat x, q, old, r, low, high, weight, kind, in, out, count, odd, one, to;

static void *whole_numbers(const char *type, int values)
{
    double *to = (double *)malloc(sizeof(double) * (size_t)values + 1);
    for (int i = 0; i < values; i++) {
        int value = (i * 13 + 5) % 11 - 4;
        if (strcmp(type, "double") == 0) {
            to[i] = value;
        } else if (strcmp(type, "float") == 0) {
            ((float *)to)[i] = (float)value;
        } else if (strcmp(type, "int") == 0) {
            ((int *)to)[i] = value;
        } else if (strcmp(type, "long") == 0) {
            ((long *)to)[i] = value;
        } else {
            ((bool *)to)[i] = value > 0;
        }
    }
    return to;
}

/* declared: the type that the dat is declared with, which says nothing about what loops want. */
#define DAT(set, dim, type, declared, name)                                                        \
    dat_of_##type((set), (dim), (declared), (type *)whole_numbers(#type, (set)->size * (dim)), name)
#define DAT_OF(type)                                                                               \
    static op_dat dat_of_##type(op_set set, int dim, const char *declared, type *value,            \
                                const char *name)                                                  \
    {                                                                                              \
        op_dat dat = op_decl_dat(set, dim, declared, value, name);                                 \
        free(value);                                                                               \
        return dat;                                                                                \
    }
DAT_OF(double)
DAT_OF(float)
DAT_OF(int)
DAT_OF(long)
DAT_OF(bool)

static void declare(int size)
{
    int *end = (int *)malloc(sizeof(int) * 2 * (size_t)size + 1);
    int *other = (int *)malloc(sizeof(int) * (size_t)size + 1);
    for (int e = 0; e < size; e++) {
        int from = (int)(e * 37L % size);
        end[2 * e] = from;
        end[2 * e + 1] = (from + 1) % size;
        other[e] = (e + 5) % size;
    }
    points = op_decl_set(size, "points");
    links = op_decl_set(size, "links");
    ends = op_decl_map(links, points, 2, end, "ends");
    apart = op_decl_map(links, points, 1, other, "apart");
    free(end);
    free(other);
    x = DAT(points, 2, double, "double", "x");
    q = DAT(points, 5, double, "double", "q");
    old = DAT(points, 5, double, "double:soa", "old");
    r = DAT(points, 5, double, "double", "r");
    low = DAT(points, 5, double, "double", "low");
    high = DAT(points, 5, double, "double:soa", "high");
    weight = DAT(links, 3, float, "float", "weight");
    kind = DAT(links, 2, int, "int:soa", "kind");
    in = DAT(points, 40, double, "double", "in");
    out = DAT(points, 40, double, "double", "out");
    count = DAT(points, 2, long, "long", "count");
    odd = DAT(points, 3, bool, "bool:soa", "odd");
    one = DAT(points, 1, double, "double:soa", "one");
    to = DAT(points, 1, double, "double", "to");
}

/* Sums over the values as they lie in the program, so that no layout shows. */
static void show(int turn, op_dat dat)
{
    long first = 0;
    long second = 0;
    op_get_data(dat);
    for (int i = 0; i < dat->set->size * dat->dim; i++) {
        long value = strcmp(dat->type, "double") == 0  ? (long)((double *)(void *)dat->data)[i]
                     : strcmp(dat->type, "float") == 0 ? (long)((float *)(void *)dat->data)[i]
                     : strcmp(dat->type, "int") == 0   ? ((int *)(void *)dat->data)[i]
                     : strcmp(dat->type, "long") == 0  ? ((long *)(void *)dat->data)[i]
                                                       : ((bool *)(void *)dat->data)[i];
        first += value;
        second += value * (i % 101 + 1);
    }
    printf("= %d %s %ld %ld\n", turn, dat->name, first, second);
}

/* FIRST names one layout, "double" the other one. */
static void through_maps(int on)
{
    op_par_loop(flux, "flux", links, op_arg_dat(x, 0, ends, 2, FIRST, OP_READ),
                op_arg_dat(x, 1, ends, 2, FIRST, OP_READ),
                op_arg_dat(weight, -1, OP_ID, 3, "float:soa", OP_READ),
                op_arg_dat(q, 0, ends, 5, FIRST, OP_READ),
                op_arg_dat(q, 1, ends, 5, FIRST, OP_READ), op_arg_dat(r, 0, ends, 5, FIRST, OP_INC),
                op_arg_dat(r, 1, ends, 5, FIRST, OP_INC));
    op_par_loop(handed_on, "handed_on", links, op_arg_dat(q, 0, ends, 5, FIRST, OP_READ),
                op_arg_dat(q, 1, ends, 5, "double", OP_READ),
                op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(r, 0, apart, 5, "double", OP_INC));
    op_par_loop(
        any_component, "any_component", links, op_arg_dat(kind, -1, OP_ID, 2, "int:soa", OP_READ),
        op_arg_dat(q, -2, ends, 5, FIRST, OP_READ), op_arg_dat(r, 0, ends, 5, FIRST, OP_INC));
    op_par_loop(extremes, "extremes", links, op_arg_dat(q, 0, ends, 5, "double", OP_READ),
                op_arg_dat(kind, -1, OP_ID, 2, "int", OP_READ),
                op_arg_dat(low, 0, ends, 5, FIRST, OP_MIN),
                op_arg_dat(high, 0, apart, 5, FIRST, OP_MAX));
    op_par_loop(whole, "whole", links, op_arg_dat(q, 1, ends, 5, FIRST, OP_READ),
                op_arg_dat(weight, -1, OP_ID, 3, "float:soa", OP_READ),
                op_arg_dat(r, 1, ends, 5, FIRST, OP_INC));
    op_par_loop(single, "single", links, op_arg_dat(one, 1, ends, 1, FIRST, OP_READ),
                op_arg_dat(q, 0, ends, 5, FIRST, OP_READ),
                op_arg_dat(to, 0, apart, 1, FIRST, OP_INC));
    op_par_loop(perhaps, "perhaps", links, op_arg_dat(q, 1, ends, 5, FIRST, OP_READ),
                op_opt_arg_dat(on, r, 1, ends, 5, FIRST, OP_INC),
                op_arg_gbl(&on, 1, "int", OP_READ));
}

static void in_place(void)
{
    op_par_loop(place, "place", links, op_arg_dat(q, 0, ends, 5, FIRST, OP_READ),
                op_arg_dat(r, 0, apart, 5, FIRST, OP_RW));
    op_par_loop(place_handed_on, "place_handed_on", links,
                op_arg_dat(r, 0, apart, 5, FIRST, OP_RW));
    op_par_loop(two_places, "two_places", links, op_arg_dat(r, 0, ends, 5, FIRST, OP_RW),
                op_arg_dat(r, 1, ends, 5, FIRST, OP_RW));
}

static void direct(void)
{
    double sum = 0;
    op_par_loop(copy, "copy", points, op_arg_dat(q, -1, OP_ID, 5, FIRST, OP_READ),
                op_arg_dat(old, -1, OP_ID, 5, FIRST, OP_WRITE));
    op_par_loop(update, "update", points, op_arg_dat(old, -1, OP_ID, 5, FIRST, OP_READ),
                op_arg_dat(q, -1, OP_ID, 5, FIRST, OP_WRITE),
                op_arg_dat(r, -1, OP_ID, 5, FIRST, OP_RW), op_arg_gbl(&sum, 1, "double", OP_INC));
    op_par_loop(same_twice, "same_twice", points, op_arg_dat(q, -1, OP_ID, 5, FIRST, OP_READ),
                op_arg_dat(q, -1, OP_ID, 5, FIRST, OP_RW), op_arg_gbl(&sum, 1, "double", OP_INC));
    op_par_loop(long_records, "long_records", points, op_arg_dat(in, -1, OP_ID, 40, FIRST, OP_READ),
                op_arg_dat(out, -1, OP_ID, 40, FIRST, OP_WRITE),
                op_arg_dat(count, -1, OP_ID, 2, "long:soa", OP_INC),
                op_arg_dat(odd, -1, OP_ID, 3, "bool:soa", OP_RW));
    printf("= sum %.17g\n", sum);
}

/* The program works on its own copy. */
static void change(void)
{
    double some[5 * 3];
    op_fetch_data_idx(q, some, 2, 4);
    op_get_data(q);
    for (int i = 0; i < 15; i++) {
        if (((double *)(void *)q->data)[10 + i] != some[i]) {
            printf("= value %d of q differs\n", i);
        }
    }
    for (int n = 0; n < points->size; n += 3) {
        ((double *)(void *)q->data)[5 * n + 2] += n % 4;
    }
    op_put_data(q);
}

int main(int argc, char **argv)
{
    op_init_soa(argc, argv, 0, 1);
    declare(argc > 1 ? atoi(argv[1]) : 300);
    for (int turn = 0; turn < 3; turn++) {
        through_maps(turn != 1);
        in_place();
        direct();
        if (turn == 1 && argc > 2 && strcmp(argv[2], "renumber") == 0) {
            op_partition("PTSCOTCH", "KWAY", points, ends, x);
        }
        change();
        show(turn, q);
        show(turn, r);
        show(turn, high);
    }
    op_print_dat_to_txtfile(r, "r.txt");
    op_print_dat_to_binfile(old, "old.bin");
    op_dat all[] = {x, q, old, r, low, high, weight, kind, in, out, count, odd, one, to};
    for (int d = 0; d < (int)(sizeof(all) / sizeof(all[0])); d++) {
        show(3, all[d]);
    }
    op_timing_output();
    op_exit();
    return 0;
}
