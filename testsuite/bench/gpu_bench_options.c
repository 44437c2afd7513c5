/* gpu_bench_options.c: the command line of the gpu_bench_ programs, and lists of variants. */
#include "gpu_bench.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>

#define LIST_MOST 4096

static const char usage[] =
    "usage: gpu_bench_PROGRAM [options]\n"
    "\n"
    "Times loops of an application in the variants that were compiled, and checks what they give.\n"
    "\n"
    "  --size N[,M]        of the mesh\n"
    "  --mode M            of the fields (hydra: 1 linear, 2 smooth)\n"
    "  --order ORDER       natural or shuffled: how the mesh is numbered (natural)\n"
    "  --seed S            of the shuffle (7)\n"
    "  --calls K           timed calls of each variant (11)\n"
    "  --variants PATTERN  measure variants with such names (as in 'edgecon_split*'); may be "
    "repeated\n"
    "  --list FILE         the variants there are, a line each: target, kernel, name; what the "
    "program\n"
    "                      prints with CLEAVE_VARIANT=list. Every one that --variants lets through "
    "is\n"
    "                      measured, and behind them as 'deterministic' the one that "
    "CLEAVE_DETERMINISTIC=1\n"
    "                      chooses; without a list, for each pattern the first variant that "
    "matches\n"
    "  --only PATTERN      measure loops with PROGRAM/SIZE/ORDER/LOOP like this\n"
    "  --seconds S         begin no new variant after so many seconds\n"
    "  --done FILE         leave out variants that FILE names, and add each that is begun: a run "
    "that\n"
    "                      ended in the middle of one goes on behind it\n"
    "  --json FILE         append one JSON object per line to FILE\n"
    "  --copy GB/S         of a copy on the device, read and written: for per cents\n"
    "  --fault norm|result test of the checks: one wrong value; the program must fail\n"
    "\n"
    "Exit code: 0; 1 when a check fails; 2 for bad options.\n";

enum option_code {
    OPTION_SIZE = 256,
    OPTION_MODE,
    OPTION_ORDER,
    OPTION_SEED,
    OPTION_CALLS,
    OPTION_VARIANTS,
    OPTION_LIST,
    OPTION_ONLY,
    OPTION_SECONDS,
    OPTION_DONE,
    OPTION_JSON,
    OPTION_COPY,
    OPTION_FAULT,
    OPTION_HELP
};

static const struct option_row {
    const char *name;
    enum option_code value;
} rows[] = {
    {"size", OPTION_SIZE}, {"mode", OPTION_MODE},   {"order", OPTION_ORDER},
    {"seed", OPTION_SEED}, {"calls", OPTION_CALLS}, {"variants", OPTION_VARIANTS},
    {"list", OPTION_LIST}, {"only", OPTION_ONLY},   {"seconds", OPTION_SECONDS},
    {"json", OPTION_JSON}, {"copy", OPTION_COPY},   {"fault", OPTION_FAULT},
    {"done", OPTION_DONE}, {"help", OPTION_HELP},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("gpu_bench: ", stderr);
    vfprintf(stderr, format, args);
    fputs("\ntry --help\n", stderr);
    va_end(args);
    exit(2);
}

static int number(const char *option, const char *text, char **end, int most)
{
    errno = 0;
    const long value = strtol(text, end, 10);
    if (*end == text || errno != 0 || value < 1 || value > most) {
        refuse("--%s: '%s' does not begin with a number from 1 to %d", option, text, most);
    }
    return (int)value;
}

static int whole_number(const char *option, const char *text, int most)
{
    char *end;
    const int value = number(option, text, &end, most);
    if (*end != '\0') {
        refuse("--%s: '%s' is not a number from 1 to %d", option, text, most);
    }
    return value;
}

static double positive(const char *option, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value > 0.0)) {
        refuse("--%s: '%s' is not a number above 0", option, text);
    }
    return value;
}

static void parse_size(struct gpu_bench_options *options, const char *text, int sizes, int most)
{
    char *end;
    options->size[0] = number("size", text, &end, most);
    if (sizes == 2 && *end == ',') {
        options->size[1] = number("size", end + 1, &end, most);
    } else if (sizes == 2) {
        refuse("--size: '%s' are not two numbers, as in 20,30", text);
    }
    if (*end != '\0') {
        refuse("--size: '%s' is not %s", text, sizes == 2 ? "two numbers" : "a number");
    }
}

/* The position of text in the words, which end with NULL. */
static int word(const char *option, const char *text, const char *const *words)
{
    for (int w = 0; words[w] != NULL; w++) {
        if (strcmp(text, words[w]) == 0) {
            return w;
        }
    }
    refuse("--%s: '%s' is neither '%s' nor '%s'", option, text, words[0], words[1]);
}

/* ---- the list -------------------------------------------------------------------------------- */

static int parse_line(const char *line, struct gpu_bench_variant *variant)
{
    return sscanf(line, "%15s %63s %127s", variant->target, variant->loop, variant->name) == 3;
}

static void read_list(struct gpu_bench *bench, const char *name)
{
    char line[512];
    FILE *file = fopen(name, "r");
    if (file == NULL) {
        refuse("--list: cannot read '%s': %s", name, strerror(errno));
    }
    bench->variant = calloc(LIST_MOST, sizeof *bench->variant);
    if (bench->variant == NULL) {
        refuse("--list: not enough memory");
    }
    while (fgets(line, sizeof line, file) != NULL && bench->variants < LIST_MOST) {
        bench->variants += parse_line(line, &bench->variant[bench->variants]);
    }
    fclose(file);
    if (bench->variants == 0) {
        refuse("--list: '%s' holds no variants", name);
    }
}

/* ---- options --------------------------------------------------------------------------------- */

static void add_pattern(struct gpu_bench_options *options, const char *pattern)
{
    if (options->patterns == GPU_BENCH_PATTERNS) {
        refuse("--variants: more than %d patterns", GPU_BENCH_PATTERNS);
    }
    options->pattern[options->patterns++] = pattern;
}

static void take(struct gpu_bench *bench, int option, const char *text, int sizes, int most)
{
    static const char *const orders[] = {"natural", "shuffled", NULL};
    static const char *const faults[] = {"norm", "result", NULL};
    struct gpu_bench_options *options = &bench->options;
    switch (option) {
    case OPTION_SIZE:
        parse_size(options, text, sizes, most);
        break;
    case OPTION_MODE:
        options->mode = whole_number("mode", text, 2);
        break;
    case OPTION_ORDER:
        options->shuffled = word("order", text, orders);
        break;
    case OPTION_SEED:
        options->seed = (unsigned long long)whole_number("seed", text, 1000000000);
        break;
    case OPTION_CALLS:
        options->calls = whole_number("calls", text, 100000);
        break;
    case OPTION_VARIANTS:
        add_pattern(options, text);
        break;
    case OPTION_LIST:
        read_list(bench, text);
        break;
    case OPTION_ONLY:
        options->only = text;
        break;
    case OPTION_SECONDS:
        options->seconds = positive("seconds", text);
        break;
    case OPTION_DONE:
        options->done = text;
        break;
    case OPTION_JSON:
        options->json = text;
        break;
    case OPTION_COPY:
        options->copy = positive("copy", text);
        break;
    case OPTION_FAULT:
        options->fault = GPU_BENCH_FAULT_NORM + word("fault", text, faults);
        break;
    default:
        fputs(usage, option == OPTION_HELP ? stdout : stderr);
        exit(option == OPTION_HELP ? 0 : 2);
    }
}

static int any_wanted(const struct gpu_bench *bench, const char *const *loops)
{
    for (int l = 0; loops[l] != NULL; l++) {
        if (gpu_bench_wants(bench, loops[l])) {
            return 1;
        }
    }
    return 0;
}

void gpu_bench_begin(struct gpu_bench *bench, int argc, char **argv, int sizes, int most,
                     const char *const *loops)
{
    struct option known[ROWS + 1] = {{NULL, 0, NULL, 0}};
    double cpu;
    int option;
    for (int r = 0; r < ROWS; r++) {
        known[r].name = rows[r].name;
        known[r].has_arg = rows[r].value == OPTION_HELP ? no_argument : required_argument;
        known[r].val = (int)rows[r].value;
    }
    op_timers(&cpu, &bench->start);
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        take(bench, option, optarg, sizes, most);
    }
    if (optind < argc) {
        refuse("'%s' is not an option", argv[optind]);
    }
    if (!any_wanted(bench, loops)) {
        printf("gpu_bench_%s: --only leaves nothing to measure\n", bench->program);
        free(bench->variant);
        exit(0);
    }
    /* Variants are compared as they are: no loop waits for others, and a plain copy copies. */
    setenv("CLEAVE_FUSE", "off", 0);
}
