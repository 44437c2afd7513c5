/* generated.c: compiles generated files.
 *
 * They get those of the user's flags that decide about code generation and debugging. Objects
 * contain no names of temporary folders, so that equal builds give equal objects. */
#include "pass/driver/generated.h"
#include "runtime/api/cleave_gen.h"

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

/* clang warns of gcc's parameters. */
static bool host_is_clang(const struct driver *driver)
{
    bool found = false;

    for (int i = 0; i < driver->config.host.count; i++) {
        const char *slash = strrchr(driver->config.host.word[i], '/');
        const char *name = slash != NULL ? slash + 1 : driver->config.host.word[i];

        found = found || strstr(name, "clang") != NULL;
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
    if (!host_is_clang(driver)) {
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

/* What compiles text for the emulator, whoever asks for it. */
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
