/* generate.c: fuzz_generate, which writes a random OP2 program: kernels, or chains of loops, FIRST
 * to FIRST+COUNT-1 of a seed, each the same whatever others are in the program. What it prints must
 * not depend on backend, schedule or race resolution.
 *
 * With --reduce COMMAND it also makes the program smaller while the shell runs COMMAND with
 * success.
 */
#include "testsuite/fuzz/fuzz.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- chance and text ------------------------------------------------------------------------- */

/* splitmix64. */
int pick(struct generator *g, int count)
{
    uint64_t z = g->random += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (int)(z % (uint64_t)count);
}

void generator_begin(struct generator *g, uint64_t seed, int number)
{
    g->kernel = number;
    g->random = seed;
    g->random = (uint64_t)pick(g, INT_MAX) << 32 | (uint64_t)pick(g, INT_MAX);
    g->random ^= (uint64_t)number * 0xd1342543de82ef95u;
    g->random = (uint64_t)pick(g, INT_MAX) << 32 | (uint64_t)pick(g, INT_MAX);
    g->arguments = 0;
    g->variables = 0;
    g->helpers = 0;
    g->depth = 0;
    g->loops = 0;
    g->times = 1;
}

bool chance(struct generator *g, int percent)
{
    return pick(g, 100) < percent;
}

struct piece *piece(struct generator *g, const char *text, ...)
{
    struct piece *kid[8];
    int kids = 0;
    va_list list;

    va_start(list, text);
    for (const char *at = text; (at = strchr(at, '@')) != NULL; at++) {
        kid[kids++] = va_arg(list, struct piece *);
    }
    va_end(list);
    return piece_new(g->arena, text, kid);
}

struct piece *word(struct generator *g, const char *format, ...)
{
    char text[400];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    return piece_new(g->arena, arena_text(g->arena, text), NULL);
}

struct piece *optional(struct generator *g, const char *simple, struct piece *piece)
{
    struct piece *outer = piece_list(g->arena, NULL);

    piece_add(g->arena, outer, piece);
    outer->unit = g->units++;
    outer->simple = simple;
    return outer;
}

struct piece *optional_kid(struct generator *g, int instead, struct piece *piece)
{
    piece->unit = g->units++;
    piece->instead = instead;
    return piece;
}

const char *new_name(struct generator *g, const char *stem)
{
    return arena_format(g->arena, "%s%d", stem, g->names++);
}

/* ---- program --------------------------------------------------------------------------------- */

struct options {
    bool for_lanes;
    bool chains;  /* in the place of kernels */
    bool gathers; /* chains of loops that gather */
    bool passes;  /* chains of loops that pass values on */
    bool inexact;
    uint64_t seed;
    int first;
    int count;
    const char *language; /* "c" or "c++" */
    const char *fault;
    const char *without; /* "3,17": kernels to leave out; NULL: none */
    const char *out;
    const char *reduce;
};

static bool is_listed(const char *list, int number)
{
    while (list != NULL) {
        if (atoi(list) == number) {
            return true;
        }
        list = strchr(list, ',');
        list = list != NULL ? list + 1 : NULL;
    }
    return false;
}

static struct piece *program(struct generator *g, const struct options *options)
{
    struct piece *kernels = piece_list(g->arena, NULL);
    struct piece *calls = piece_list(g->arena, NULL);
    struct piece *fault =
        g->fault != NULL ? word(g, "#define FUZZ_FAULT_%s\n", g->fault) : piece(g, "");

    for (int k = options->first; k < options->first + options->count; k++) {
        if (is_listed(options->without, k)) {
            continue;
        }
        piece_add(g->arena, kernels,
                  options->chains ? chain_generate(g, options->seed, k)
                                  : kernel_generate(g, options->seed, k));
        piece_add(g->arena, calls, word(g, "run_%d();\n", k));
    }
    return piece(g,
                 "@#include \"program.h\"\n\n@"
                 "int main(int argc, char **argv)\n{\nfuzz_begin(argc, argv);\n"
                 "op_decl_const(1, \"double\", &gain);\nop_decl_const(1, \"int\", &limit);\n"
                 "op_decl_const(4, \"float\", weights);\n@fuzz_end();\nreturn 0;\n}\n",
                 fault, kernels, calls);
}

/* ---- options --------------------------------------------------------------------------------- */

static int usage(void)
{
    fputs("usage: fuzz_generate --out FILE [--seed N] [--first N] [--count N] [--language c|c++]\n"
          "                     [--without N,N...] [--lanes yes|no] [--chains yes|gather|no]\n"
          "                     [--inexact yes|no] [--fault MINUS|RETURN|COMPILE] [--reduce "
          "COMMAND]\n",
          stderr);
    return 2;
}

static bool read_option(struct options *options, const char *name, const char *value)
{
    if (strcmp(name, "--seed") == 0) {
        options->seed = strtoull(value, NULL, 10);
    } else if (strcmp(name, "--first") == 0) {
        options->first = atoi(value);
    } else if (strcmp(name, "--count") == 0) {
        options->count = atoi(value);
    } else if (strcmp(name, "--language") == 0) {
        options->language = value;
        return strcmp(value, "c") == 0 || strcmp(value, "c++") == 0;
    } else if (strcmp(name, "--fault") == 0) {
        options->fault = value;
        return strcmp(value, "MINUS") == 0 || strcmp(value, "RETURN") == 0 ||
               strcmp(value, "COMPILE") == 0;
    } else if (strcmp(name, "--lanes") == 0) {
        options->for_lanes = strcmp(value, "yes") == 0;
        return options->for_lanes || strcmp(value, "no") == 0;
    } else if (strcmp(name, "--chains") == 0) {
        options->gathers = strcmp(value, "gather") == 0;
        options->passes = strcmp(value, "pass") == 0;
        options->chains = options->gathers || options->passes || strcmp(value, "yes") == 0;
        return options->chains || strcmp(value, "no") == 0;
    } else if (strcmp(name, "--inexact") == 0) {
        options->inexact = strcmp(value, "yes") == 0;
        return options->inexact || strcmp(value, "no") == 0;
    } else if (strcmp(name, "--without") == 0) {
        options->without = value;
    } else if (strcmp(name, "--out") == 0) {
        options->out = value;
    } else if (strcmp(name, "--reduce") == 0) {
        options->reduce = value;
    } else {
        return false;
    }
    return true;
}

static int write_whole(const struct piece *program, const char *path)
{
    FILE *out = fopen(path, "w");

    if (out == NULL) {
        perror(path);
        return 2;
    }
    piece_print(out, program, NULL);
    return fclose(out) == 0 ? 0 : 2;
}

int main(int argc, char **argv)
{
    struct options options = {.seed = 1, .count = 1, .language = "c"};
    struct generator g = {.arena = arena_new()};
    int code;

    for (int a = 1; a < argc; a += 2) {
        if (a + 1 == argc || !read_option(&options, argv[a], argv[a + 1])) {
            return usage();
        }
    }
    if (options.out == NULL) {
        return usage();
    }
    g.is_cxx = strcmp(options.language, "c++") == 0;
    g.fault = options.fault;
    g.for_lanes = options.for_lanes;
    g.inexact = options.inexact;
    g.gathers = options.gathers;
    g.passes = options.passes;
    struct piece *whole_program = program(&g, &options);
    if (options.reduce != NULL) {
        code = reduce(&g, whole_program, options.out, options.reduce) ? 0 : 1;
    } else {
        code = write_whole(whole_program, options.out);
    }
    arena_free(g.arena);
    return code;
}
