/* lanes.c: prints the bits that loops compute which are hard for vectors. Whatever traps in a lane
 * that is off ends the program: with LANES_TRAPS, divisions by zero, invalid operations and
 * overflows raise SIGFPE. With LANES_NANS it runs the loop that gets such values as data, alone.
 * With LANES_TIMES it prints which variants ran. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "lanes.h"
#include "op_seq.h"

#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 331, LINKS = 1009, QUADS = 257 }; /* no multiples of anything */

double cut;
int steps[4];

static unsigned state = 12345;

static unsigned number(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static void print_bits(const char *name, const void *data, size_t count, size_t size)
{
    const unsigned char *byte = (const unsigned char *)data;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < count * size; i++) {
        hash = (hash ^ byte[i]) * 1099511628211u;
    }
    printf("%s %016llx\n", name, (unsigned long long)hash);
}

#define PRINT_DAT(dat, array)                                                                      \
    do {                                                                                           \
        op_fetch_data(dat, array);                                                                 \
        print_bits(#dat, array, sizeof(array) / sizeof((array)[0]), sizeof((array)[0]));           \
    } while (0)

static int ends[2 * LINKS], corner[4 * QUADS], kind[LINKS], used[LINKS], bits[POINTS];
static double xy[2 * POINTS], holes[2 * POINTS], sums[2 * POINTS], sums3[3 * POINTS],
    out2[2 * POINTS];
static double weight[QUADS], ends_of_range[2 * POINTS], out4[4 * POINTS], apart[POINTS],
    tally[3 * POINTS], shown[3 * POINTS];
static float xyz[3 * POINTS], sumf[3 * POINTS], half[POINTS], half2[POINTS];
static int ints[2 * POINTS];
static int spot[QUADS], side[QUADS];
static double picks[2 * QUADS], found[QUADS];
static int wanted[QUADS], counted[QUADS];
static bool odd[POINTS], odd2[POINTS];
static unsigned wholes[POINTS];
static long longs[POINTS], longs2[POINTS];

static void fill_points(void)
{
    const uint64_t signalling = 0x7ff0000000000001u;
    for (int p = 0; p < POINTS; p++) {
        xy[2 * p] = number(5) == 0 ? 0 : number(1000) / 100.0;
        xy[2 * p + 1] = number(3) == 0 ? 0 : number(1000) / 50.0 - 10;
        xy[2 * p + 1] = xy[2 * p + 1] == 3 ? 4 : xy[2 * p + 1];
        holes[2 * p] = p % 3 == 0 ? NAN : number(1000) / 300.0;
        holes[2 * p + 1] = number(1000) / 300.0;
        if (p % 3 == 0) {
            memcpy(&holes[2 * p + 1], &signalling, sizeof(signalling));
        }
        for (int c = 0; c < 3; c++) {
            xyz[3 * p + c] = (float)number(10) / 3;
        }
        half[p] = (float)number(1000) / 7 - 60;
        ints[2 * p] = (int)number(60000) - 30000;
        ints[2 * p + 1] = (int)number(1000);
        odd[p] = number(2) == 1;
        wholes[p] = number(1u << 24) << 8 | number(256);
        longs[p] = ((long)number(1u << 24) << (p % 30)) - 5000000;
        ends_of_range[2 * p] = p % 7 == 0 ? NAN : p % 5 == 0 ? -0.0 : number(100) / 30.0 - 1;
        ends_of_range[2 * p + 1] = p % 11 == 0  ? INFINITY
                                   : p % 5 == 1 ? NAN
                                                : number(100) / 30.0 - 1;
    }
}

static void fill_links(void)
{
    for (int e = 0; e < LINKS; e++) {
        /* neighbours share points, so that lanes of one vector do */
        ends[2 * e] = (e / 3) % POINTS;
        ends[2 * e + 1] = number(4) == 0 ? (int)number(POINTS) : (e / 3 + 1 + e % 3) % POINTS;
        double a = xy[2 * ends[2 * e]], b = xy[2 * ends[2 * e + 1] + 1];
        kind[e] = b != 0 && b != 3 && a / b >= 0 ? 1 : a > 0 && number(2) ? 2 : 0;
        used[e] = ends[2 * e] % 3 != 0 && ends[2 * e + 1] % 3 != 0;
    }
    for (int q = 0; q < QUADS; q++) {
        weight[q] = number(100) / 10.0;
        spot[q] = 3 * q % POINTS;
        for (int k = 0; k < 4; k++) {
            corner[4 * q + k] = (q + (int)number(3) * k) % POINTS;
        }
        wanted[q] = (int)number(q % 5 == 0 ? 90 : 9) - 1;
        side[q] = (int)number(4);
        side[q] = xy[2 * corner[4 * q + side[q]] + 1] != 0 ? side[q] : -100000000;
    }
}

int main(int argc, char **argv)
{
    double most = -1, low = 1e9, high = -1e9, top[1] = {-1}, totals = 0;
    float least = 1e9f, norm[2] = {0, 0};
    long sum = 0;
    bool nans = getenv("LANES_NANS") != NULL;
    if (getenv("LANES_TRAPS") != NULL) {
        feenableexcept(FE_DIVBYZERO | FE_INVALID |
                       FE_OVERFLOW); /* threads begin as their creator */
    }
    op_init(argc, argv, 0);
    fill_points();
    fill_links();
    cut = 0.75;
    for (int k = 0; k < 4; k++) {
        steps[k] = 3 * k - 4;
    }
    op_set points = op_decl_set(POINTS, "points"), links = op_decl_set(LINKS, "links");
    op_set quads = op_decl_set(QUADS, "quads");
    op_map end = op_decl_map(links, points, 2, ends, "end");
    op_map of = op_decl_map(quads, points, 4, corner, "of");
    op_map at = op_decl_map(quads, points, 1, spot, "at");
    op_dat p_xy = op_decl_dat(points, 2, "double", xy, "xy");
    op_dat p_holes = op_decl_dat(points, 2, "double", holes, "holes");
    op_dat p_sums = op_decl_dat(points, 2, "double", sums, "sums");
    op_dat p_apart = op_decl_dat(points, 1, "double", apart, "apart");
    op_dat p_sums3 = op_decl_dat(points, 3, "double", sums3, "sums3");
    op_dat p_out = op_decl_dat(points, 2, "double", out2, "out");
    op_dat p_bits = op_decl_dat(points, 1, "int", bits, "bits");
    op_dat p_kind = op_decl_dat(links, 1, "int", kind, "kind");
    op_dat p_used = op_decl_dat(links, 1, "int", used, "used");
    op_dat p_ints = op_decl_dat(points, 2, "int", ints, "ints");
    op_dat p_odd = op_decl_dat(points, 1, "bool", odd, "odd");
    op_dat p_wholes = op_decl_dat(points, 1, "uint", wholes, "wholes");
    op_dat p_longs = op_decl_dat(points, 1, "long", longs, "longs");
    op_dat p_half = op_decl_dat(points, 1, "float", half, "half");
    op_dat p_xyz = op_decl_dat(points, 3, "float", xyz, "xyz");
    op_dat p_sumf = op_decl_dat(points, 3, "float", sumf, "sumf");
    op_dat p_weight = op_decl_dat(quads, 1, "double", weight, "weight");
    op_dat p_range = op_decl_dat(points, 2, "double", ends_of_range, "range");
    op_dat p_out4 = op_decl_dat(points, 4, "double", out4, "out4");
    op_dat p_tally = op_decl_dat(points, 3, "double", tally, "tally");
    op_dat p_odd2 = op_decl_dat(points, 1, "bool", odd2, "odd2");
    op_dat p_longs2 = op_decl_dat(points, 1, "long", longs2, "longs2");
    op_dat p_shown = op_decl_dat(points, 3, "double", shown, "shown");
    op_dat p_half2 = op_decl_dat(points, 1, "float", half2, "half2");
    op_dat p_wanted = op_decl_dat(quads, 1, "int", wanted, "wanted");
    op_dat p_found = op_decl_dat(quads, 1, "double", found, "found");
    op_dat p_counted = op_decl_dat(quads, 1, "int", counted, "counted");
    op_dat p_side = op_decl_dat(quads, 1, "int", side, "side");
    op_dat p_picks = op_decl_dat(quads, 2, "double", picks, "picks");
    op_decl_const(1, "double", &cut);
    op_decl_const(4, "int", steps);
    if (nans) {
        op_par_loop(extremes, "extremes", points,
                    op_arg_dat(p_range, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(p_out4, -1, OP_ID, 4, "double", OP_WRITE),
                    op_arg_gbl(top, 1, "double", OP_MAX));
        op_fetch_data(p_out4, out4);
        for (int p = 0; p < 4 * POINTS; p++) { /* which of two NaNs an operation gives is open */
            out4[p] = isnan(out4[p]) ? NAN : out4[p];
        }
        print_bits("p_out4", out4, 4 * POINTS, sizeof(double));
        printf("%a\n", top[0]);
        op_exit();
        return 0;
    }
    for (int turn = 0; turn < 3; turn++) {
        op_par_loop(guarded, "guarded", links, op_arg_dat(p_xy, 0, end, 2, "double", OP_READ),
                    op_arg_dat(p_xy, 1, end, 2, "double", OP_READ),
                    op_arg_dat(p_kind, -1, OP_ID, 1, "int", OP_READ),
                    op_arg_dat(p_sums, 0, end, 2, "double", OP_INC),
                    op_arg_dat(p_sums, 1, end, 2, "double", OP_INC));
        op_par_loop(selected, "selected", links, op_arg_dat(p_holes, 0, end, 2, "double", OP_READ),
                    op_arg_dat(p_holes, 1, end, 2, "double", OP_READ),
                    op_arg_dat(p_used, -1, OP_ID, 1, "int", OP_READ),
                    op_arg_gbl(&most, 1, "double", OP_MAX),
                    op_arg_dat(p_apart, 0, end, 1, "double", OP_INC));
        op_par_loop(mixed, "mixed", points, op_arg_dat(p_ints, -1, OP_ID, 2, "int", OP_READ),
                    op_arg_dat(p_odd, -1, OP_ID, 1, "bool", OP_READ),
                    op_arg_dat(p_wholes, -1, OP_ID, 1, "uint", OP_READ),
                    op_arg_dat(p_longs, -1, OP_ID, 1, "long", OP_READ),
                    op_arg_dat(p_half, -1, OP_ID, 1, "float", OP_READ),
                    op_arg_dat(p_out, -1, OP_ID, 2, "double", OP_WRITE),
                    op_arg_dat(p_bits, -1, OP_ID, 1, "int", OP_WRITE),
                    op_arg_gbl(&sum, 1, "long", OP_INC));
        op_par_loop(
            floats, "floats", links, op_arg_dat(p_xyz, 0, end, 3, "float", OP_READ),
            op_arg_dat(p_xyz, 1, end, 3, "float", OP_READ), op_arg_gbl(&least, 1, "float", OP_MIN),
            op_arg_dat(p_sumf, 0, end, 3, "float", OP_INC),
            op_arg_dat(p_sumf, 1, end, 3, "float", OP_INC), op_arg_gbl(norm, 2, "float", OP_INC));
        op_par_loop(corners, "corners", quads, op_arg_dat(p_xy, -4, of, 2, "double", OP_READ),
                    op_arg_dat(p_weight, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(p_sums3, -4, of, 3, "double", OP_INC),
                    op_arg_gbl(&low, 1, "double", OP_MIN), op_arg_gbl(&high, 1, "double", OP_MAX));
        op_par_loop(iterated, "iterated", quads, op_arg_dat(p_xy, 0, of, 2, "double", OP_READ),
                    op_arg_dat(p_xy, 1, of, 2, "double", OP_READ),
                    op_arg_dat(p_wanted, -1, OP_ID, 1, "int", OP_READ),
                    op_arg_dat(p_found, -1, OP_ID, 1, "double", OP_WRITE),
                    op_arg_dat(p_counted, -1, OP_ID, 1, "int", OP_WRITE),
                    op_arg_gbl(&totals, 1, "double", OP_INC));
        op_par_loop(picked, "picked", quads, op_arg_dat(p_xy, -4, of, 2, "double", OP_READ),
                    op_arg_dat(p_weight, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(p_side, -1, OP_ID, 1, "int", OP_READ),
                    op_arg_dat(p_picks, -1, OP_ID, 2, "double", OP_RW));
        op_par_loop(tallied, "tallied", links, op_arg_dat(p_xy, 0, end, 2, "double", OP_READ),
                    op_arg_dat(p_xy, 1, end, 2, "double", OP_READ),
                    op_arg_dat(p_kind, -1, OP_ID, 1, "int", OP_READ),
                    op_arg_dat(p_tally, 0, end, 3, "double", OP_RW),
                    op_arg_dat(p_tally, 1, end, 3, "double", OP_RW));
        op_par_loop(scattered, "scattered", quads,
                    op_arg_dat(p_weight, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(p_longs, 0, at, 1, "long", OP_READ),
                    op_arg_dat(p_odd2, 0, at, 1, "bool", OP_WRITE),
                    op_arg_dat(p_longs2, 0, at, 1, "long", OP_RW),
                    op_arg_dat(p_shown, 0, at, 3, "double", OP_RW),
                    op_arg_dat(p_half2, 0, at, 1, "float", OP_RW));
    }
    PRINT_DAT(p_sums, sums);
    PRINT_DAT(p_apart, apart);
    PRINT_DAT(p_out, out2);
    PRINT_DAT(p_bits, bits);
    PRINT_DAT(p_sumf, sumf);
    PRINT_DAT(p_sums3, sums3);
    PRINT_DAT(p_picks, picks);
    PRINT_DAT(p_found, found);
    PRINT_DAT(p_counted, counted);
    PRINT_DAT(p_tally, tally);
    PRINT_DAT(p_odd2, odd2);
    PRINT_DAT(p_longs2, longs2);
    PRINT_DAT(p_shown, shown);
    PRINT_DAT(p_half2, half2);
    if (getenv("LANES_TIMES") != NULL) {
        op_timing_output();
    }
    printf("%a %a %a %a %a %a %a %ld\n", most, low, high, totals, least, norm[0], norm[1], sum);
    op_exit();
    return 0;
}
