/* minimum.c: the least of some integers, directly and through a map: OP2's test of reductions with
 * OP_MIN. An ordinary OP2 program.
 *
 * The values are (i - size/2)^2 + 5. The map leads from a second set, half as large, to those with
 * odd i.
 */
#include "op_seq.h"

#include <limits.h>

#include "../common/permute.h"
#include "../common/run.h"

#include "extrema.h"

/* The squares stay below 2^31. */
enum { MAX_SIZE = 80000 };

static const struct reference REFERENCES[] = {
    {"size=20", "minimum", 5.0, 0.0, 0.0},
    {"size=20", "maximum", 105.0, 0.0, 0.0},
    {"size=20", "minimum through the map", 6.0, 0.0, 0.0},
    {"size=20", "maximum through the map", 86.0, 0.0, 0.0},
    {"size=20", "minimum with a smaller value before", 1.0, 0.0, 0.0},
};

struct values {
    int size;
    int half;
    int *value; /* [size] */
    int *odd;   /* [half] */
};

static void generate(struct values *values, int size, int seed)
{
    values->size = size;
    values->half = size / 2;
    values->value = malloc((size_t)size * sizeof *values->value);
    values->odd = malloc((size_t)values->half * sizeof *values->odd);
    int *to = seed != 0 ? permutation_new(size, seed) : NULL;
    if (values->value == NULL || values->odd == NULL) {
        run_failed("minimum", "not enough memory for %d values", size);
    }
    for (int i = 0; i < size; i++) {
        values->value[i] = (i - size / 2) * (i - size / 2) + 5;
    }
    for (int i = 0; i < values->half; i++) {
        values->odd[i] = 2 * i + 1;
    }
    if (to != NULL) {
        permute_rows(values->value, size, sizeof *values->value, to);
        permute_entries(values->odd, (size_t)values->half, to);
    }
    free(to);
}

/* Extrema over the set itself. A minimum is that of the values and of what was there before. */
static void direct(struct run *run, op_set set, op_dat value)
{
    int minimum = INT_MAX;
    int maximum = INT_MIN;
    int smaller = 1;
    op_par_loop(least, "least", set, op_arg_dat(value, -1, OP_ID, 1, "int", OP_READ),
                op_arg_gbl(&minimum, 1, "int", OP_MIN));
    op_par_loop(greatest, "greatest", set, op_arg_dat(value, -1, OP_ID, 1, "int", OP_READ),
                op_arg_gbl(&maximum, 1, "int", OP_MAX));
    op_par_loop(least, "least", set, op_arg_dat(value, -1, OP_ID, 1, "int", OP_READ),
                op_arg_gbl(&smaller, 1, "int", OP_MIN));
    run_result(run, "minimum", minimum);
    run_result(run, "maximum", maximum);
    run_result(run, "minimum with a smaller value before", smaller);
}

/* Extrema over another set, of the values that its map leads to. */
static void indirect(struct run *run, op_set set, op_map map, op_dat value)
{
    int minimum = INT_MAX;
    int maximum = INT_MIN;
    op_par_loop(least, "least", set, op_arg_dat(value, 0, map, 1, "int", OP_READ),
                op_arg_gbl(&minimum, 1, "int", OP_MIN));
    op_par_loop(greatest, "greatest", set, op_arg_dat(value, 0, map, 1, "int", OP_READ),
                op_arg_gbl(&maximum, 1, "int", OP_MAX));
    run_result(run, "minimum through the map", minimum);
    run_result(run, "maximum through the map", maximum);
}

int main(int argc, char **argv)
{
    int size = 20;
    const struct option options[] = {
        {"size", OPTION_COUNT, &size, 0, NULL, "number of values, 2 to 80000"},
    };
    struct run run;
    run_begin(&run, "minimum", "The least of some integers, directly and through a map.", options,
              1, 0, argc, argv);
    if (size < 2 || size > MAX_SIZE) {
        run_refused("minimum", "--size=%d: it is 2 to %d", size, MAX_SIZE);
    }
    snprintf(run.test, sizeof run.test, "size=%d", size);
    run_references(&run, REFERENCES, sizeof REFERENCES / sizeof REFERENCES[0]);
    struct values values;
    generate(&values, size, run.shuffle);

    op_init(argc, argv, 2);
    op_set s1 = op_decl_set(values.size, "s1");
    op_set s2 = op_decl_set(values.half, "s2");
    op_map odd = op_decl_map(s2, s1, 1, values.odd, "odd");
    op_dat value = op_decl_dat(s1, 1, "int", values.value, "value");
    free(values.value);
    free(values.odd);

    direct(&run, s1, value);
    indirect(&run, s2, odd, value);
    op_timing_output();
    const int status = run_finish(&run);
    op_exit();
    return status;
}
