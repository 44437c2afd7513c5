/* run.c: the command line of the airfoil example, and the comparison with published results. */
#include "run.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A result that is known for a mesh of these sizes. */
struct reference {
    int ncell;
    int nedge;
    int nbedge;
    int iteration;
    double rms;
    double tolerance; /* relative; half a unit of the last digit where only six are published */
};

/* The large mesh: the results that OP2's documentation prints (six digits), and the value that its
 * own test expects to 1e-5 per cent. The small mesh: the results of OP2's sequential version. */
static const struct reference REFERENCE[] = {
    {720000, 1438600, 2800, 100, 5.02186e-4, 1e-6},
    {720000, 1438600, 2800, 200, 3.41746e-4, 1.5e-6},
    {720000, 1438600, 2800, 300, 2.63430e-4, 2e-6},
    {720000, 1438600, 2800, 400, 2.16288e-4, 2.4e-6},
    {720000, 1438600, 2800, 500, 1.84659e-4, 2.8e-6},
    {720000, 1438600, 2800, 600, 1.60866e-4, 3.2e-6},
    {720000, 1438600, 2800, 700, 1.42253e-4, 3.6e-6},
    {720000, 1438600, 2800, 800, 1.27627e-4, 4e-6},
    {720000, 1438600, 2800, 900, 1.15810e-4, 4.4e-6},
    {720000, 1438600, 2800, 1000, 0.0001060114637578, 1e-7},
    {1800, 3530, 140, 100, 2.074220547521027e-4, 1e-10},
    {1800, 3530, 140, 200, 6.044190193482138e-5, 1e-10},
    {1800, 3530, 140, 500, 1.982028230505819e-6, 1e-10},
    {1800, 3530, 140, 1000, 8.941029039819376e-8, 1e-10},
};

/* References with tolerances up to this one have all their digits. */
static const double FULL_PRECISION = 1e-7;

enum { REFERENCES = sizeof REFERENCE / sizeof REFERENCE[0] };

struct report {
    int iteration;
    double rms;
};

struct history {
    int ncell;
    int nedge;
    int nbedge;
    int iterations;
    int check;
    int verbose;
    int reports;
    struct report *report; /* [reports] */
};

static void print_usage(FILE *out)
{
    fputs("usage: airfoil [options]\n"
          "Flow round a NACA 0012 aerofoil: OP2's airfoil program.\n"
          "  --cells=I,J        generate a mesh of 3*I*J cells (default 400,600; quick: 20,30)\n"
          "  -I n, -J n         the same, one by one\n"
          "  --iterations=N     time steps (default 1000)\n"
          "  --mesh=FILE        read the mesh from FILE, in the format of OP2's new_grid.dat\n"
          "  --write-mesh=FILE  write the mesh to FILE in that format, then run\n"
          "  --shuffle=SEED     number the mesh at random (SEED from 1 on): results stay the same\n"
          "  --check            fail (exit code 1) also when no result is known for these options\n"
          "  --verbose          print all digits of every result\n"
          "  --help             this text\n",
          out);
}

static void usage_error(const char *problem, const char *argument)
{
    fprintf(stderr, "airfoil: %s '%s'\n", problem, argument);
    print_usage(stderr);
    exit(2);
}

/* Reads a number from 1 on; *end is where it stops. 0 when there is none. */
static int parse_count(const char *text, char **end)
{
    errno = 0;
    const long value = strtol(text, end, 10);
    return *end == text || errno != 0 || value < 1 || value > INT_MAX ? 0 : (int)value;
}

static void parse_number(int *number, const char *option, const char *text)
{
    char *end;
    *number = parse_count(text, &end);
    if (*number == 0 || *end != '\0') {
        usage_error("a whole number from 1 on is needed in", option);
    }
}

static void parse_cells(struct options *options, const char *option, const char *text)
{
    char *end;
    options->columns = parse_count(text, &end);
    options->rows = options->columns != 0 && *end == ',' ? parse_count(end + 1, &end) : 0;
    if (options->rows == 0 || *end != '\0') {
        usage_error("two numbers from 1 on, as in 20,30, are needed in", option);
    }
}

/* The text after `name` when argument is name=text, else NULL. */
static const char *value_of(const char *argument, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1
                                                                           : NULL;
}

static void parse_long_option(struct options *options, const char *argument)
{
    const char *value;
    if (strcmp(argument, "--help") == 0) {
        print_usage(stdout);
        exit(0);
    } else if (strcmp(argument, "--check") == 0) {
        options->check = 1;
    } else if (strcmp(argument, "--verbose") == 0) {
        options->verbose = 1;
    } else if ((value = value_of(argument, "--cells")) != NULL) {
        parse_cells(options, argument, value);
    } else if ((value = value_of(argument, "--iterations")) != NULL) {
        parse_number(&options->iterations, argument, value);
    } else if ((value = value_of(argument, "--shuffle")) != NULL) {
        parse_number(&options->shuffle, argument, value);
    } else if ((value = value_of(argument, "--mesh")) != NULL) {
        options->mesh = value;
    } else if ((value = value_of(argument, "--write-mesh")) != NULL) {
        options->write_mesh = value;
    } else {
        usage_error("unknown option", argument);
    }
}

void options_parse(struct options *options, int argc, char **argv)
{
    options->columns = 400;
    options->rows = 600;
    options->iterations = 1000;
    options->mesh = NULL;
    options->write_mesh = NULL;
    options->shuffle = 0;
    options->check = 0;
    options->verbose = 0;
    for (int a = 1; a < argc; a++) {
        int *number = strcmp(argv[a], "-I") == 0   ? &options->columns
                      : strcmp(argv[a], "-J") == 0 ? &options->rows
                                                   : NULL;
        if (number != NULL && a + 1 == argc) {
            usage_error("a number is missing after", argv[a]);
        } else if (number != NULL) {
            parse_number(number, argv[a], argv[a + 1]);
            a++;
        } else if (strncmp(argv[a], "OP_", 3) != 0) {
            parse_long_option(options, argv[a]);
        }
    }
}

void mesh_obtain(struct mesh *mesh, const struct options *options)
{
    const int failed = options->mesh != NULL ? mesh_read(mesh, options->mesh)
                                             : mesh_generate(mesh, options->columns, options->rows);
    if (failed || (options->shuffle != 0 && mesh_shuffle(mesh, options->shuffle) != 0) ||
        (options->write_mesh != NULL && mesh_write(mesh, options->write_mesh) != 0)) {
        exit(1);
    }
    printf("mesh: %d nodes, %d cells, %d edges, %d boundary edges\n", mesh->nnode, mesh->ncell,
           mesh->nedge, mesh->nbedge);
    fflush(stdout);
}

struct history *history_new(const struct mesh *mesh, const struct options *options)
{
    const size_t reports = (size_t)options->iterations / RMS_EVERY;
    struct history *history = (struct history *)malloc(sizeof *history);
    struct report *report = (struct report *)malloc((reports + 1) * sizeof *report);
    if (history == NULL || report == NULL) {
        fprintf(stderr, "airfoil: not enough memory to keep %zu results\n", reports);
        exit(1);
    }
    history->ncell = mesh->ncell;
    history->nedge = mesh->nedge;
    history->nbedge = mesh->nbedge;
    history->iterations = options->iterations;
    history->check = options->check;
    history->verbose = options->verbose;
    history->reports = 0;
    history->report = report;
    return history;
}

void history_free(struct history *history)
{
    free(history->report);
    free(history);
}

void history_report(struct history *history, int iteration, double rms, double maxerr)
{
    if (history->verbose) {
        printf("rms after %d = %.17g\nmaxerr after %d = %.17g\n", iteration, rms, iteration,
               maxerr);
    } else {
        printf(" %d  %10.5e\n", iteration, rms);
    }
    fflush(stdout);
    history->report[history->reports].iteration = iteration;
    history->report[history->reports].rms = rms;
    history->reports++;
}

static const struct reference *reference_find(const struct history *history, int iteration)
{
    for (int r = 0; r < REFERENCES; r++) {
        const struct reference *reference = &REFERENCE[r];
        if (reference->ncell == history->ncell && reference->nedge == history->nedge &&
            reference->nbedge == history->nbedge && reference->iteration == iteration) {
            return reference;
        }
    }
    return NULL;
}

/* Compares one report; says so when it is wrong. */
static int report_is_good(const struct report *report, const struct reference *reference)
{
    const int good = fabs(report->rms / reference->rms - 1.0) <= reference->tolerance;
    if (!good) {
        printf("iteration %d: rms %.15e, expected %.15e\n", report->iteration, report->rms,
               reference->rms);
    }
    return good;
}

int history_check(const struct history *history)
{
    int compared = 0;
    int failed = 0;
    double percent = -1.0; /* difference from the last reference of full precision */
    for (int r = 0; r < history->reports; r++) {
        const struct report *report = &history->report[r];
        const struct reference *reference = reference_find(history, report->iteration);
        if (reference != NULL) {
            compared++;
            failed += !report_is_good(report, reference);
            if (reference->tolerance <= FULL_PRECISION) {
                percent = fabs(100.0 * report->rms / reference->rms - 100.0);
            }
        }
    }
    if (compared == 0) {
        printf("No reference is known for a mesh of %d cells after %d iterations\n", history->ncell,
               history->iterations);
        return history->check;
    }
    printf("%d of %d known rms values reached\n", compared - failed, compared);
    if (percent >= 0.0) {
        printf("Test problem with %d cells is within %.1E%% of the expected solution\n",
               history->ncell, percent);
    }
    printf("This test is considered %s\n", failed ? "FAILED" : "PASSED");
    return failed ? 1 : 0;
}
