/* arch.c: the GPUs that CUDA text is compiled for.
 *
 * In: --cleave-arch, the GPUs of this machine, what nvcc knows. Out: driver->codes, nvcc's
 * --generate-code values: machine code for each architecture and PTX of the lowest one, which the
 * driver translates on later GPUs. If nothing is asked for and no GPU is here, there is PTX alone.
 */
#include <stdlib.h>
#include <string.h>

#include "pass/driver/gpu.h"
#include "pass/driver/nvcc.h"
#include "pass/driver/process.h"

/* Compute capability 8.0 (Ampere): a program that is compiled without a GPU gets PTX for it, which
 * runs on all later GPUs. Loops that copy ahead use instructions that are new in it. */
enum { LOWEST_PTX = 80 };

enum { MOST_GPUS = 64, MOST_ARCHITECTURES = 64 };

/* First architectures with a form for one GPU only ("sm_90a") and for one family ("sm_100f"). */
enum { FIRST_SPECIFIC = 90, FIRST_FAMILY = 100 };

/* The architectures that nvcc compiles for, ascending; none if nvcc does not list them. */
struct known {
    int count;
    int number[MOST_ARCHITECTURES];
};

static int number_of(const char *architecture)
{
    return atoi(architecture + strlen("sm_"));
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static struct known ask_nvcc(const struct driver *driver)
{
    struct words command = words_new(driver->arena);
    struct words line;
    struct known known = {0};
    const char *text;

    words_add(&command, driver->config.nvcc);
    words_add(&command, "--list-gpu-code");
    text = process_output(&command);
    line = words_split(driver->arena, text ? text : "", '\n');
    for (int i = 0; i < line.count && known.count < MOST_ARCHITECTURES; i++) {
        if (text_starts(line.word[i], "sm_") && number_of(line.word[i]) > 0) {
            known.number[known.count++] = number_of(line.word[i]);
        }
    }
    qsort(known.number, (size_t)known.count, sizeof(known.number[0]), compare);
    return known;
}

static bool is_known(const struct known *known, const char *architecture)
{
    char last = architecture[strlen(architecture) - 1];
    int number = number_of(architecture);
    bool found = known->count == 0;

    for (int i = 0; i < known->count; i++) {
        found = found || known->number[i] == number;
    }
    return found && (last != 'a' || number >= FIRST_SPECIFIC) &&
           (last != 'f' || number >= FIRST_FAMILY);
}

static void print_known(FILE *out, const struct known *known)
{
    for (int i = 0; i < known->count; i++) {
        fprintf(out, "%s sm_%d", i == 0 ? "" : ",", known->number[i]);
    }
    fputc('\n', out);
}

/* The highest architecture known to nvcc that is not newer than this capability: its code, or its
 * PTX on a newer generation, runs on the GPU. 0: all are newer. */
static int best_for(const struct known *known, int capability)
{
    int best = known->count == 0 ? capability : 0;

    for (int i = 0; i < known->count && known->number[i] <= capability; i++) {
        best = known->number[i];
    }
    return best;
}

static void add_once(struct words *words, const char *word)
{
    for (int i = 0; i < words->count; i++) {
        if (strcmp(words->word[i], word) == 0) {
            return;
        }
    }
    words_add(words, word);
}

/* Adds the architectures of this machine's GPUs. Returns false after a message when a GPU is older
 * than every architecture that nvcc compiles for. *any: there is a GPU. */
static bool add_native(const struct driver *driver, const struct known *known, struct words *out,
                       bool *any)
{
    int capability[MOST_GPUS];
    int count = gpu_capabilities(capability, MOST_GPUS);

    *any = count > 0;
    for (int i = 0; i < count; i++) {
        int best = best_for(known, capability[i]);

        if (best == 0) {
            fprintf(stderr,
                    "cleavecc: error: a GPU of this machine is sm_%d, which nvcc '%s' no longer "
                    "compiles for; give --cleave-arch=none, or another nvcc by CLEAVE_NVCC; it "
                    "knows",
                    capability[i], driver->config.nvcc);
            print_known(stderr, known);
            return false;
        }
        add_once(out, arena_format(driver->arena, "sm_%d", best));
    }
    return true;
}

/* Adds the architectures that were asked for, with "native" replaced. Returns false after a
 * message. */
static bool add_wanted(const struct driver *driver, const struct known *known, struct words *out)
{
    const struct words *wanted = &driver->settings.architectures;

    for (int i = 0; i < wanted->count; i++) {
        const char *name = wanted->word[i];
        bool any = true;

        if (strcmp(name, "native") == 0) {
            if (!add_native(driver, known, out, &any)) {
                return false;
            }
            if (!any) {
                fputs("cleavecc: error: --cleave-arch=native finds no GPU on this machine; name "
                      "the architecture, as in --cleave-arch=sm_90\n",
                      stderr);
                return false;
            }
        } else if (is_known(known, name)) {
            add_once(out, name);
        } else {
            fprintf(stderr,
                    "cleavecc: error: nvcc '%s' does not compile for '%s' of --cleave-arch; it "
                    "knows",
                    driver->config.nvcc, name);
            print_known(stderr, known);
            return false;
        }
    }
    return true;
}

static void add_code(struct words *codes, const char *from, const char *kind, const char *to)
{
    words_add_format(codes, "arch=compute_%s,code=%s_%s", from, kind, to);
}

/* Machine code for each architecture, and PTX of the lowest. */
static struct words codes_of(struct arena *arena, const struct words *architectures)
{
    struct words codes = words_new(arena);
    int lowest = 0;

    for (int i = 0; i < architectures->count; i++) {
        const char *number = architectures->word[i] + strlen("sm_");

        add_code(&codes, number, "sm", number);
        if (lowest == 0 || atoi(number) < lowest) {
            lowest = atoi(number);
        }
    }
    if (lowest > 0) {
        const char *number = arena_format(arena, "%d", lowest);

        add_code(&codes, number, "compute", number);
    }
    return codes;
}

static struct words portable_codes(struct arena *arena, const struct known *known)
{
    struct words codes = words_new(arena);
    const char *number;
    int lowest = LOWEST_PTX;

    for (int i = known->count - 1; i >= 0 && known->number[i] >= LOWEST_PTX; i--) {
        lowest = known->number[i];
    }
    number = arena_format(arena, "%d", lowest);
    add_code(&codes, number, "compute", number);
    return codes;
}

static int choose_codes(struct driver *driver)
{
    struct known known = ask_nvcc(driver);
    struct words architectures = words_new(driver->arena);
    bool any = false;

    if (driver->settings.architectures.count > 0) {
        if (!add_wanted(driver, &known, &architectures)) {
            return -1;
        }
    } else if (!add_native(driver, &known, &architectures, &any)) {
        return -1;
    }
    driver->codes = architectures.count > 0 ? codes_of(driver->arena, &architectures)
                                            : portable_codes(driver->arena, &known);
    return 0;
}

/* nvcc builds lines for a shell from its own path too, and quotes them by halves. */
static int check_path(const char *nvcc)
{
    if (strpbrk(nvcc, "$`\"\\\n") == NULL) {
        return 0;
    }
    fprintf(stderr,
            "cleavecc: error: the path of nvcc, '%s', has characters that nvcc's shell would "
            "interpret; give CLEAVE_NVCC another path to it, or --cleave-arch=none\n",
            nvcc);
    return -1;
}

int arch_choose(struct driver *driver)
{
    return check_path(driver->config.nvcc) == 0 ? choose_codes(driver) : -1;
}
