/* many_args.c: a loop with 64 arguments, in C and (many_args.cpp) in C++. Argument i reads column i
 * of a map, so that a pointer in the wrong place gives a wrong sum. */
#include "op_seq.h"

#include "check.h"

#define COLUMNS 63
#define ELEMENTS 3

static void weigh(const int *a0, const int *a1, const int *a2, const int *a3, const int *a4,
                  const int *a5, const int *a6, const int *a7, const int *a8, const int *a9,
                  const int *a10, const int *a11, const int *a12, const int *a13, const int *a14,
                  const int *a15, const int *a16, const int *a17, const int *a18, const int *a19,
                  const int *a20, const int *a21, const int *a22, const int *a23, const int *a24,
                  const int *a25, const int *a26, const int *a27, const int *a28, const int *a29,
                  const int *a30, const int *a31, const int *a32, const int *a33, const int *a34,
                  const int *a35, const int *a36, const int *a37, const int *a38, const int *a39,
                  const int *a40, const int *a41, const int *a42, const int *a43, const int *a44,
                  const int *a45, const int *a46, const int *a47, const int *a48, const int *a49,
                  const int *a50, const int *a51, const int *a52, const int *a53, const int *a54,
                  const int *a55, const int *a56, const int *a57, const int *a58, const int *a59,
                  const int *a60, const int *a61, const int *a62, int *sum)
{
    *sum = 1 * *a0 + 2 * *a1 + 3 * *a2 + 4 * *a3 + 5 * *a4 + 6 * *a5 + 7 * *a6 + 8 * *a7 + 9 * *a8 +
           10 * *a9 + 11 * *a10 + 12 * *a11 + 13 * *a12 + 14 * *a13 + 15 * *a14 + 16 * *a15 +
           17 * *a16 + 18 * *a17 + 19 * *a18 + 20 * *a19 + 21 * *a20 + 22 * *a21 + 23 * *a22 +
           24 * *a23 + 25 * *a24 + 26 * *a25 + 27 * *a26 + 28 * *a27 + 29 * *a28 + 30 * *a29 +
           31 * *a30 + 32 * *a31 + 33 * *a32 + 34 * *a33 + 35 * *a34 + 36 * *a35 + 37 * *a36 +
           38 * *a37 + 39 * *a38 + 40 * *a39 + 41 * *a40 + 42 * *a41 + 43 * *a42 + 44 * *a43 +
           45 * *a44 + 46 * *a45 + 47 * *a46 + 48 * *a47 + 49 * *a48 + 50 * *a49 + 51 * *a50 +
           52 * *a51 + 53 * *a52 + 54 * *a53 + 55 * *a54 + 56 * *a55 + 57 * *a56 + 58 * *a57 +
           59 * *a58 + 60 * *a59 + 61 * *a60 + 62 * *a61 + 63 * *a62;
}

int main(int argc, char **argv)
{
    static int entry[ELEMENTS * COLUMNS];
    static int value[ELEMENTS * COLUMNS];
    for (int i = 0; i < ELEMENTS * COLUMNS; i++) {
        entry[i] = (i * 5) % (ELEMENTS * COLUMNS);
        value[i] = 1000 + i;
    }
    op_init(argc, argv, 0);
    op_set elements = op_decl_set(ELEMENTS, "elements");
    op_set points = op_decl_set(ELEMENTS * COLUMNS, "points");
    op_map map = op_decl_map(elements, points, COLUMNS, entry, "map");
    op_dat in = op_decl_dat(points, 1, "int", value, "in");
    op_dat out = op_decl_dat(elements, 1, "int", NULL, "out");
#define AT(column) op_arg_dat(in, column, map, 1, "int", OP_READ)
    op_par_loop(weigh, "weigh", elements, AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7),
                AT(8), AT(9), AT(10), AT(11), AT(12), AT(13), AT(14), AT(15), AT(16), AT(17),
                AT(18), AT(19), AT(20), AT(21), AT(22), AT(23), AT(24), AT(25), AT(26), AT(27),
                AT(28), AT(29), AT(30), AT(31), AT(32), AT(33), AT(34), AT(35), AT(36), AT(37),
                AT(38), AT(39), AT(40), AT(41), AT(42), AT(43), AT(44), AT(45), AT(46), AT(47),
                AT(48), AT(49), AT(50), AT(51), AT(52), AT(53), AT(54), AT(55), AT(56), AT(57),
                AT(58), AT(59), AT(60), AT(61), AT(62),
                op_arg_dat(out, -1, OP_ID, 1, "int", OP_WRITE));
    for (int e = 0; e < ELEMENTS; e++) {
        int expected = 0;
        for (int c = 0; c < COLUMNS; c++) {
            expected += (c + 1) * value[entry[e * COLUMNS + c]];
        }
        CHECK(((int *)(void *)out->data)[e] == expected);
    }
    op_exit();
    return CHECK_RESULT();
}
