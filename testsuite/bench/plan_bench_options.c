/* plan_bench_options.c: the command line of plan_bench. */
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "plan_bench.h"

static const char graph_suffix[] = "/graph";

static const char usage[] =
    "usage: plan_bench [options]\n"
    "\n"
    "Makes meshes, plans them with several methods, each in a process of its own, and prints how\n"
    "good the plans are and what they cost: raw maps -> numbering -> order of the points -> maps "
    "in\n"
    "the new numbering -> plan with lists, colours, gather lists and runs. A second table has the\n"
    "plans for ranges in these numberings: elements on borders, elements per segment, time.\n"
    "\n"
    "  --mesh LIST        tet, quad, hex, graded, graded-quad, annulus, pipe, quad-nodes, "
    "stencil,\n"
    "                     chain, star; all: the first seven (default: tet)\n"
    "  --elements N       about so many elements (default: the number that the goals are stated "
    "for)\n"
    "  --arity A          points per element of the stencil mesh, 1..16 (default: 8)\n"
    "  --order ORDER      natural or shuffled (default: shuffled)\n"
    "  --seed N           of random numbers (default: 1)\n"
    "  --block B          elements per block at most, 1..1024 (default: 256)\n"
    "  --max-points N     unique points per block at most; 0: the method's choice (default: 0)\n"
    "  --methods LIST     those below, also with +refine or +anneal; with /graph behind, the method\n"
    "                     is not told the coordinates\n"
    "                     (default: default,default/graph,hard,metis,metis-weighted)\n"
    "  --banks            order the elements of each block for the banks of shared memory\n"
    "  --no-coordinates   no method is told the coordinates\n"
    "  --threads LIST     numbers of threads; all must give the same plan (default: 1)\n"
    "  --repeat N         of N runs, the one with the least CPU time (default: 1)\n"
    "  --check            check every plan in full\n"
    "  --phases           list the phases of each method with their share of the time\n"
    "  --accept           compare with the goals; exit code 1 when one is not met\n"
    "  --json FILE        write all results to FILE\n"
    "  --help             this text\n"
    "\n"
    "CPU times are user and system time of all threads; threads that wait may spin, so methods\n"
    "are best compared with 1 thread. Exit code: 0; 1 when a method fails, a check fails, plans\n"
    "depend on the threads or a goal is not met; 2 for bad options.\n"
    "\n"
    "CLEAVE_METIS and CLEAVE_SCOTCH name the libraries' files, as for programs. Methods:\n";

static void print_usage(void)
{
    fputs(usage, stdout);
    for (int start = 0; start < PLAN_STARTS; start++) {
        printf("  %-18s %s\n", planner_start_word((enum plan_start)start),
               planner_start_meaning((enum plan_start)start));
    }
    printf("  %-18s default, and then moves of elements that may lose at first (+anneal)\n",
           "hard");
}

__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("plan_bench: ", stderr);
    vfprintf(stderr, format, args);
    fputs("\ntry plan_bench --help\n", stderr);
    va_end(args);
    exit(2);
}

static int number(const char *option, const char *text, int least, int most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most) {
        refuse("--%s: '%s' is not a number from %d to %d", option, text, least, most);
    }
    return (int)value;
}

/* The next word of a list with commas, copied to word[size]; NULL at its end. */
static const char *next_word(const char *option, const char *list, char *word, size_t size)
{
    size_t length = strcspn(list, ",");
    if (length == 0 || length >= size) {
        refuse("--%s: '%.*s' in the list is not a word", option, (int)length, list);
    }
    memcpy(word, list, length);
    word[length] = '\0';
    list += length;
    return *list == ',' ? list + 1 : NULL;
}

static void add_mesh(struct bench_options *options, enum test_mesh_kind kind)
{
    if (options->meshes == TEST_MESH_KINDS) {
        refuse("--mesh: more than %d meshes", TEST_MESH_KINDS);
    }
    options->mesh[options->meshes++] = kind;
}

static void parse_meshes(struct bench_options *options, const char *list)
{
    char word[40];
    options->meshes = 0;
    while (list != NULL) {
        enum test_mesh_kind kind;
        list = next_word("mesh", list, word, sizeof word);
        if (strcmp(word, "all") == 0) {
            for (int k = TEST_MESH_TET; k <= TEST_MESH_PIPE; k++) {
                add_mesh(options, k);
            }
        } else if (test_mesh_parse(word, &kind) == 0) {
            add_mesh(options, kind);
        } else {
            refuse("--mesh: there is no mesh '%s'", word);
        }
    }
}

/* A method that would use coordinates gets the name, and so the goals, of the method without. */
static void withhold_coordinates(struct bench_method *method)
{
    size_t length = strlen(method->name);
    if (!method->graph && method->method.start == PLAN_START_DEFAULT) {
        snprintf(method->name + length, sizeof method->name - length, "%s", graph_suffix);
    }
    method->graph = 1;
}

static void parse_methods(struct bench_options *options, const char *list)
{
    options->methods = 0;
    while (list != NULL) {
        if (options->methods == BENCH_METHODS) {
            refuse("--methods: more than %d methods", BENCH_METHODS);
        }
        struct bench_method *method = &options->method[options->methods++];
        char word[sizeof method->name];
        list = next_word("methods", list, method->name, sizeof method->name);
        strcpy(word, method->name);
        size_t length = strlen(word);
        method->graph = length >= sizeof graph_suffix &&
                        strcmp(word + length - sizeof graph_suffix + 1, graph_suffix) == 0;
        if (method->graph) {
            word[length - sizeof graph_suffix + 1] = '\0';
        }
        if (planner_method_parse(word, &method->method) != 0) {
            refuse("--methods: there is no method '%s'", word);
        }
    }
}

static void parse_threads(struct bench_options *options, const char *list)
{
    char word[16];
    options->thread_counts = 0;
    while (list != NULL) {
        if (options->thread_counts == BENCH_THREADS) {
            refuse("--threads: more than %d numbers", BENCH_THREADS);
        }
        list = next_word("threads", list, word, sizeof word);
        options->threads[options->thread_counts++] = number("threads", word, 1, 1024);
    }
}

static void parse_order(struct bench_options *options, const char *word)
{
    options->shuffled = strcmp(word, "shuffled") == 0;
    if (!options->shuffled && strcmp(word, "natural") != 0) {
        refuse("--order: '%s' is neither natural nor shuffled", word);
    }
}

static void set_defaults(struct bench_options *options)
{
    *options = (struct bench_options){.meshes = 1,
                                      .mesh = {TEST_MESH_TET},
                                      .arity = 8,
                                      .shuffled = 1,
                                      .seed = 1,
                                      .block_size = 256,
                                      .thread_counts = 1,
                                      .threads = {1},
                                      .repeat = 1};
    parse_methods(options, "default,default/graph,hard,metis,metis-weighted");
}

int bench_default_elements(enum test_mesh_kind kind)
{
    switch (kind) {
    case TEST_MESH_TET:
    case TEST_MESH_GRADED:
        return 2450000;
    case TEST_MESH_HEX:
    case TEST_MESH_PIPE:
    case TEST_MESH_STENCIL:
        return 1000000;
    default:
        return 1410000;
    }
}

enum {
    MESH,
    ELEMENTS,
    ARITY,
    ORDER,
    SEED,
    BLOCK,
    MAX_POINTS,
    METHODS,
    BANKS,
    NO_COORDINATES,
    THREADS,
    REPEAT,
    CHECK,
    PHASES,
    ACCEPT,
    JSON,
    HELP
};

static const struct option table[] = {{"mesh", required_argument, NULL, MESH},
                                      {"elements", required_argument, NULL, ELEMENTS},
                                      {"arity", required_argument, NULL, ARITY},
                                      {"order", required_argument, NULL, ORDER},
                                      {"seed", required_argument, NULL, SEED},
                                      {"block", required_argument, NULL, BLOCK},
                                      {"max-points", required_argument, NULL, MAX_POINTS},
                                      {"methods", required_argument, NULL, METHODS},
                                      {"banks", no_argument, NULL, BANKS},
                                      {"no-coordinates", no_argument, NULL, NO_COORDINATES},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"repeat", required_argument, NULL, REPEAT},
                                      {"check", no_argument, NULL, CHECK},
                                      {"phases", no_argument, NULL, PHASES},
                                      {"accept", no_argument, NULL, ACCEPT},
                                      {"json", required_argument, NULL, JSON},
                                      {"help", no_argument, NULL, HELP},
                                      {0}};

/* 1: `which` was an option with a list or a word, and is set. */
static int set_words(struct bench_options *options, int which, const char *text)
{
    switch (which) {
    case MESH:
        parse_meshes(options, text);
        return 1;
    case METHODS:
        parse_methods(options, text);
        return 1;
    case THREADS:
        parse_threads(options, text);
        return 1;
    case ORDER:
        parse_order(options, text);
        return 1;
    case JSON:
        options->json = text;
        return 1;
    default:
        return 0;
    }
}

/* 1: `which` was an option with a number, and is set. */
static int set_number(struct bench_options *options, int which, const char *text)
{
    switch (which) {
    case ELEMENTS:
        options->elements = number("elements", text, 1, 2000000000);
        return 1;
    case ARITY:
        options->arity = number("arity", text, 1, CLEAVE_MAX_COLUMNS);
        return 1;
    case SEED:
        options->seed = (uint64_t)number("seed", text, 0, INT_MAX);
        return 1;
    case BLOCK:
        options->block_size = number("block", text, 1, 1024);
        return 1;
    case MAX_POINTS:
        options->max_points = number("max-points", text, 0, INT_MAX);
        return 1;
    case REPEAT:
        options->repeat = number("repeat", text, 1, 1000);
        return 1;
    default:
        return 0;
    }
}

static void set_flag(struct bench_options *options, int which)
{
    switch (which) {
    case BANKS:
        options->banks = 1;
        break;
    case NO_COORDINATES:
        options->no_coordinates = 1;
        break;
    case CHECK:
        options->check = 1;
        break;
    case PHASES:
        options->phases = 1;
        break;
    case ACCEPT:
        options->accept = 1;
        break;
    case HELP:
        print_usage();
        exit(0);
    default: /* getopt_long has said what is wrong */
        fputs("try plan_bench --help\n", stderr);
        exit(2);
    }
}

void bench_parse(struct bench_options *options, int argc, char **argv)
{
    int which;
    set_defaults(options);
    while ((which = getopt_long(argc, argv, "", table, NULL)) != -1) {
        if (!set_words(options, which, optarg) && !set_number(options, which, optarg)) {
            set_flag(options, which);
        }
    }
    if (optind < argc) {
        refuse("'%s' is not an option", argv[optind]);
    }
    for (int m = 0; m < options->methods && options->no_coordinates; m++) {
        withhold_coordinates(&options->method[m]);
    }
}
