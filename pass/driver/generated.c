/* generated.c: compiles generated files.
 *
 * They get those of the user's flags that decide about code generation and debugging. Objects
 * contain no names of temporary folders, so that equal builds give equal objects. */
#include "pass/driver/generated.h"
#include "runtime/api/cleave_gen.h"

#include <stdlib.h>
#include <string.h>

struct words host_command(const struct driver *driver)
{
    struct words out = words_new(driver->arena);

    words_add_all(&out, &driver->config.host);
    words_add(&out, "-I");
    words_add(&out, driver->config.include);
    return out;
}

/* Name of the folder that debuggers see: the folder in which the file is kept, else that of the
 * build. */
static void add_name_map(const struct driver *driver, const char *folder, struct words *out)
{
    const char *shown = driver->settings.keep ? driver->settings.keep : ".";

    words_add_format(out, "-ffile-prefix-map=%s=%s", folder, shown);
}

static void add_file(struct words *out, const char *folder, const char *file, const char *object)
{
    words_add(out, "-c");
    words_add_format(out, "%s/%s", folder, file);
    words_add(out, "-o");
    words_add(out, object);
}

enum maker { MAKER_UNKNOWN, MAKER_GCC, MAKER_CLANG };

/* Whose compiler has a file of this name. */
static enum maker maker_by_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;

    if (strstr(name, "clang") != NULL) {
        return MAKER_CLANG; /* "clang++" contains "g++", too */
    }
    return strstr(name, "gcc") != NULL || strstr(name, "g++") != NULL ? MAKER_GCC : MAKER_UNKNOWN;
}

/* The file behind a link decides: cc may be either compiler, and ccache has links called gcc. */
static enum maker maker_of(struct arena *arena, const char *word)
{
    const char *path = config_find_program(arena, word);
    char *file = path != NULL ? realpath(path, NULL) : NULL;
    enum maker maker = file != NULL ? maker_by_name(file) : MAKER_UNKNOWN;

    free(file);
    return maker != MAKER_UNKNOWN ? maker : maker_by_name(word);
}

/* Whether the host compiler certainly takes gcc's parameters. Other compilers warn of them or
 * refuse them, so that a wrapper of unknown content, such as mpicc, gets none. Asking the compiler
 * would start it once more for each source. */
static bool host_is_gcc(const struct driver *driver)
{
    const struct words *host = &driver->config.host;
    bool found = false;

    for (int i = 0; i < host->count; i++) {
        enum maker maker =
            host->word[i][0] == '-' ? MAKER_UNKNOWN : maker_of(driver->arena, host->word[i]);

        if (maker == MAKER_CLANG) {
            return false;
        }
        found = found || maker == MAKER_GCC;
    }
    return found;
}

struct words openmp_command(const struct driver *driver, const struct unit *unit,
                            const char *folder, const char *file, const char *object)
{
    struct words out = host_command(driver);
    struct words users = command_select(&driver->command, USE_GENERATED);
    bool is_cxx = unit->language == LANGUAGE_CXX;

    words_add_all(&out, &users);
    words_add(&out, is_cxx ? "-std=gnu++17" : "-std=gnu11");
    words_add(&out, "-fopenmp");
    /* Variants with lanes have the bits of those without: no compiler may join a product and a sum
     * in one of them alone. */
    words_add(&out, "-ffp-contract=off");
    if (host_is_gcc(driver)) {
        /* gcc tries to join up to four instructions, which for vectors of 64 bytes takes a quarter
         * of the time and changes almost no instruction. */
        words_add(&out, "--param=max-combine-insns=2");
    }
    if (command_covers(&driver->command) && driver->command.compile_only) {
        words_add(&out, "--coverage");
        words_add(&out, "-fprofile-update=atomic"); /* all threads count */
    }
    add_name_map(driver, folder, &out);
    words_add(&out, is_cxx ? "-xc++" : "-xc");
    add_file(&out, folder, file, object);
    return out;
}

struct words data_command(const struct driver *driver, const struct unit *unit, const char *folder,
                          const char *file, const char *object)
{
    struct words out = host_command(driver);
    struct words users = command_select(&driver->command, USE_GENERATED);

    words_add_all(&out, &users);
    words_add(&out, "-g0");
    words_add(&out, unit->language == LANGUAGE_CXX ? "-xc++" : "-xc");
    add_file(&out, folder, file, object);
    return out;
}

/* Adds the compiler of the emulator's text, and its options. */
static void add_emulator(const struct driver *driver, struct words *out)
{
    struct words users = command_select(&driver->command, USE_GENERATED);

    words_add_all(out, &driver->config.cxx);
    words_add_format(out, "-I%s", driver->config.include);
    words_add_format(out, "-I%s", driver->config.emulator);
    words_add_format(out, "-I%s/include", driver->config.emulator);
    words_add(out, "-DCLEAVE_EMULATOR");
    words_add_all(out, &users);
    words_add(out, "-std=gnu++17");
}

struct words emulator_further_command(const struct driver *driver, const char *file)
{
    struct words out = words_new(driver->arena);

    add_emulator(driver, &out);
    words_add(&out, "-DCLEAVE_LOOP=@loop@");
    words_add(&out, "-fPIC");
    words_add(&out, "-shared");
    words_add(&out, "-xc++");
    words_add(&out, file);
    words_add(&out, "-o");
    words_add(&out, CLEAVE_FURTHER_LIBRARY);
    return out;
}

struct words emulator_command(const struct driver *driver, const char *folder, const char *file,
                              const char *object)
{
    struct words out = words_new(driver->arena);

    add_emulator(driver, &out);
    add_name_map(driver, folder, &out);
    words_add(&out, "-xc++");
    add_file(&out, folder, file, object);
    return out;
}
