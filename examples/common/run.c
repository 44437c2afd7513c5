/* run.c: the command line of an example, its results, and the time of a step. Valid C and C++. */
#define _POSIX_C_SOURCE 200112L /* clock_gettime */
#include "run.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The outcome of a reference. */
enum verdict { NOT_COMPUTED, PASSED, MISSED };

/* Seconds between two messages about progress: often enough to be useful, too seldom to disturb. */
static const double TELL_EVERY = 5.0;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void complain(const char *program, const char *format, va_list arguments)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void run_failed(const char *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(program, format, arguments);
    va_end(arguments);
    exit(1);
}

void run_refused(const char *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(program, format, arguments);
    va_end(arguments);
    exit(2);
}

/* ---- the command line -------------------------------------------------------------------------
 */

/* Programs number several sets with seeds that follow this one: all of them fit into an int. */
enum { MOST_SEED = 1000000000, COMMON_OPTIONS = 5 };

static void common_options(struct option *option, struct run *run, int *help)
{
    const struct option common[COMMON_OPTIONS] = {
        {"shuffle", OPTION_COUNT, &run->shuffle, 0, NULL,
         "number the mesh at random, by this seed; results stay the same to rounding"},
        {"check", OPTION_FLAG, &run->check, 0, NULL,
         "compare results with known values; exit code 1 when one is missed or none is known"},
        {"verbose", OPTION_FLAG, &run->verbose, 0, NULL, "print all digits of every result"},
        {"help", OPTION_FLAG, help, 0, NULL, "print this text"},
        {"output", OPTION_FILE, &run->output, 0, NULL,
         "write the final field for ParaView: a name that ends in .vtu or .vtkhdf"},
    };
    memcpy(option, common, sizeof common);
}

/* Prints the sizes of an option with commas between. */
static void print_sizes(FILE *out, const struct option *option)
{
    for (int i = 0; i < option->length; i++) {
        fprintf(out, "%s%d", i ? "," : "", ((const int *)option->value)[i]);
    }
}

/* Prints the default, which is the value that the option has. */
static void print_default(FILE *out, const struct option *option)
{
    switch (option->kind) {
    case OPTION_COUNT:
        if (*(const int *)option->value > 0) {
            fprintf(out, " (default %d)", *(const int *)option->value);
        }
        break;
    case OPTION_SIZES:
        fprintf(out, " (default ");
        print_sizes(out, option);
        fprintf(out, ")");
        break;
    case OPTION_NUMBER:
        fprintf(out, " (default %g)", *(const double *)option->value);
        break;
    case OPTION_WORD:
    case OPTION_FILE:
        if (*(const char *const *)option->value != NULL) {
            fprintf(out, " (default %s)", *(const char *const *)option->value);
        }
        break;
    case OPTION_FLAG:
        break;
    }
}

/* Prints one option: "  --cells=N,N  help (default 400,600)", or its accepted words on a line
 * below. */
static void print_option(FILE *out, const struct option *option)
{
    static const char *const value[] = {"", "=N", "=N", "=X", "=WORD", "=FILE"};
    char name[64];
    int length = snprintf(name, sizeof name, "--%s%s", option->name, value[option->kind]);
    for (int i = 1; option->kind == OPTION_SIZES && i < option->length && length < 60; i++) {
        length += snprintf(name + length, sizeof name - (size_t)length, ",N");
    }
    fprintf(out, "  %-18s %s", name, option->help);
    print_default(out, option);
    fprintf(out, "\n");
    if (option->kind == OPTION_WORD) {
        fprintf(out, "  %-18s WORD is one of: %s\n", "", option->words);
    }
}

static void print_usage(FILE *out, const char *program, const char *purpose,
                        const struct option *options, int count)
{
    fprintf(out, "usage: %s [options]\n%s\n", program, purpose);
    for (int o = 0; o < count; o++) {
        print_option(out, &options[o]);
    }
}

/* Reads a number from 1 on; *end is where it stops. 0 when there is none. */
static int parse_count(const char *text, char **end)
{
    errno = 0;
    const long value = strtol(text, end, 10);
    return *end == text || errno != 0 || value < 1 || value > INT_MAX ? 0 : (int)value;
}

/* Reads the sizes of an option, as in 20,30. Returns whether there are as many as it has. */
static int parse_sizes(const struct option *option, const char *text)
{
    int *value = (int *)option->value;
    char *end = NULL;
    for (int i = 0; i < option->length; i++) {
        value[i] = parse_count(text, &end);
        if (value[i] == 0 || *end != (i + 1 < option->length ? ',' : '\0')) {
            return 0;
        }
        text = end + 1;
    }
    return 1;
}

/* Whether `word` is one of the words of the option. */
static int word_is_known(const char *words, const char *word)
{
    const size_t length = strlen(word);
    while (length > 0 && *words != '\0') {
        const size_t next = strcspn(words, " ");
        if (next == length && strncmp(words, word, length) == 0) {
            return 1;
        }
        words += next + (words[next] == ' ');
    }
    return 0;
}

static int parse_number(double *value, const char *text)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

/* Sets what the option points to. Returns NULL, or what the option needs instead of this text. */
static const char *set_option(const struct option *option, const char *text)
{
    char *end;
    switch (option->kind) {
    case OPTION_FLAG:
        *(int *)option->value = 1;
        return NULL;
    case OPTION_COUNT:
        *(int *)option->value = parse_count(text, &end);
        return *(int *)option->value > 0 && *end == '\0' ? NULL
                                                         : "a whole number from 1 to 2147483647";
    case OPTION_SIZES:
        return parse_sizes(option, text) ? NULL
                                         : "whole numbers from 1 to 2147483647 with commas between";
    case OPTION_NUMBER:
        return parse_number((double *)option->value, text) ? NULL : "a number";
    case OPTION_WORD:
        *(const char **)option->value = text;
        return word_is_known(option->words, text) ? NULL : option->words;
    case OPTION_FILE:
        *(const char **)option->value = text;
        return text[0] != '\0' ? NULL : "the name of a file";
    }
    return "an option of a known kind";
}

/* Reads one word of the command line; ends the program with 2 when it is not understood. */
static void read_word(const char *program, const struct option *options, int count,
                      const char *word)
{
    for (int o = 0; strncmp(word, "--", 2) == 0 && o < count; o++) {
        const size_t length = strlen(options[o].name);
        const char *rest = word + 2 + length;
        if (strncmp(word + 2, options[o].name, length) != 0 || (*rest != '\0' && *rest != '=')) {
            continue;
        }
        if (options[o].kind == OPTION_FLAG && *rest == '=') {
            run_refused(program, "'%s': --%s takes no value", word, options[o].name);
        }
        if (options[o].kind != OPTION_FLAG && *rest == '\0') {
            run_refused(program, "'%s' needs a value: %s=...", word, word);
        }
        const char *needed = set_option(&options[o], *rest == '=' ? rest + 1 : rest);
        if (needed != NULL && options[o].kind == OPTION_SIZES) {
            run_refused(program, "'%s': --%s needs %d %s", word, options[o].name, options[o].length,
                        needed);
        }
        if (needed != NULL) {
            run_refused(program, "'%s': --%s needs %s%s", word, options[o].name,
                        options[o].kind == OPTION_WORD ? "one of these words: " : "", needed);
        }
        return;
    }
    run_refused(program, "'%s' is not an option; %s --help lists all options", word, program);
}

/* An output file whose name says no format would only be noticed when the run is over. */
static void check_output(const char *program, const char *file)
{
    const char *dot = strrchr(file, '.');
    if (dot == NULL || (strcmp(dot, ".vtu") != 0 && strcmp(dot, ".vtkhdf") != 0)) {
        run_refused(program, "--output=%s: the name must end in .vtu (VTK XML) or .vtkhdf", file);
    }
}

static void start(struct run *run, const char *program)
{
    memset(run, 0, sizeof *run);
    run->program = program;
    run->begun = run->told = seconds();
}

void run_begin(struct run *run, const char *program, const char *purpose,
               const struct option *options, int count, int has_output, int argc, char **argv)
{
    int help = 0;
    start(run, program);
    const int all = count + (has_output ? COMMON_OPTIONS : COMMON_OPTIONS - 1);
    struct option *every =
        (struct option *)malloc(((size_t)count + COMMON_OPTIONS) * sizeof *every);
    if (every == NULL) {
        run_failed(program, "not enough memory for %d options", all);
    }
    if (count > 0) {
        memcpy(every, options, (size_t)count * sizeof *every);
    }
    common_options(every + count, run, &help);
    for (int a = 1; a < argc && !help; a++) {
        if (strcmp(argv[a], "--help") == 0) {
            help = 1;
        }
    }
    if (help) {
        print_usage(stdout, program, purpose, every, all);
        exit(0);
    }
    for (int a = 1; a < argc; a++) {
        if (strncmp(argv[a], "OP_", 3) != 0) {
            read_word(program, every, all, argv[a]);
        }
    }
    free(every);
    if (run->shuffle > MOST_SEED) {
        run_refused(program, "--shuffle needs a whole number from 1 to %d", MOST_SEED);
    }
    if (run->output != NULL) {
        check_output(program, run->output);
    }
}

/* ---- results and times ------------------------------------------------------------------------
 */

void run_references(struct run *run, const struct reference *references, int count)
{
    free(run->verdict);
    run->references = references;
    run->count = count;
    run->verdict = (unsigned char *)calloc((size_t)count + 1, 1);
    if (run->verdict == NULL) {
        run_failed(run->program, "not enough memory for %d known values", count);
    }
}

/* Compares a result with one reference. A result that is no number passes nothing. */
static void compare(struct run *run, int r, double value)
{
    const struct reference *reference = &run->references[r];
    const double difference = fabs(value - reference->value);
    if (difference <= reference->relative * fabs(reference->value) + reference->absolute) {
        run->verdict[r] = run->verdict[r] == MISSED ? MISSED : PASSED;
        return;
    }
    run->verdict[r] = MISSED;
    fflush(stdout);
    fprintf(stderr,
            "%s: '%s' is %.17g, but %.17g is known for %s: differs by %.3g, allowed are %.3g\n",
            run->program, reference->quantity, value, reference->value, reference->test, difference,
            reference->relative * fabs(reference->value) + reference->absolute);
}

void run_result(struct run *run, const char *quantity, double value)
{
    if (!run->stopped) {
        run->now = seconds();
        run->stopped = 1;
    }
    printf(run->verbose ? "%s = %.17g\n" : "%s = %.10g\n", quantity, value);
    fflush(stdout);
    for (int r = 0; run->check && r < run->count; r++) {
        if (strcmp(run->references[r].test, run->test) == 0 &&
            strcmp(run->references[r].quantity, quantity) == 0) {
            compare(run, r, value);
        }
    }
}

void run_progress(struct run *run, long step, long steps)
{
    run->now = seconds();
    run->stopped = 0;
    run->steps = step;
    if (step <= 0) {
        run->begun = run->told = run->now;
        return;
    }
    if (step == 1) {
        run->first = run->now;
    }
    if (step >= steps || run->now - run->told < TELL_EVERY) {
        return;
    }
    run->told = run->now;
    const double each =
        step > 1 ? (run->now - run->first) / (double)(step - 1) : run->now - run->begun;
    fprintf(stderr, "%s: step %ld of %ld, about %.0f s left\n", run->program, step, steps,
            ceil(each * (double)(steps - step)));
}

/* A time in the unit that suits it, with three digits. */
static const char *duration(char *text, size_t size, double time)
{
    static const char *const unit[] = {"s", "ms", "us"};
    int u = 0;
    while (u < 2 && time < 1.0) {
        time *= 1e3;
        u++;
    }
    snprintf(text, size, "%.*f %s", time < 10.0 ? 2 : time < 100.0 ? 1 : 0, time, unit[u]);
    return text;
}

static void print_time(const struct run *run)
{
    char total[32];
    char each[32];
    char first[32];
    duration(total, sizeof total, run->now - run->begun);
    if (run->steps == 1) {
        printf("1 step in %s\n", total);
        return;
    }
    printf("%ld steps in %s: %s each, the first %s\n", run->steps, total,
           duration(each, sizeof each, (run->now - run->first) / (double)(run->steps - 1)),
           duration(first, sizeof first, run->first - run->begun));
}

/* Prints the verdict; 0 when at least one value was compared and none was missed. */
static int print_verdict(const struct run *run)
{
    int known = 0;
    int computed = 0;
    int passed = 0;
    for (int r = 0; r < run->count; r++) {
        if (strcmp(run->references[r].test, run->test) == 0) {
            known++;
            computed += run->verdict[r] != NOT_COMPUTED;
            passed += run->verdict[r] == PASSED;
        }
    }
    if (known == 0) {
        printf("CHECK FAILED: no value is known for %s\n",
               run->test[0] ? run->test : "these settings");
        return 1;
    }
    const int good = computed > 0 && passed == computed;
    printf("CHECK %s: %d of %d known values", good ? "PASSED" : "FAILED", passed, computed);
    if (computed < known) {
        printf(" (%d more are known, which this run did not compute)", known - computed);
    }
    printf("\n");
    return good ? 0 : 1;
}

int run_finish(struct run *run)
{
    if (!run->stopped) {
        run->now = seconds();
    }
    if (run->steps > 0) {
        print_time(run);
    }
    const int status = run->check ? print_verdict(run) : 0;
    fflush(stdout);
    free(run->verdict);
    run->verdict = NULL;
    run->count = 0;
    return status;
}
