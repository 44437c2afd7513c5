/* generated.c: how generated files are compiled.
 *
 * Of the user's flags they get those that decide about code generation and debugging. Names of
 * temporary folders are kept out of the objects, so that equal builds give equal objects.
 */
#include <string.h>

#include "pass/driver/driver.h"

/* The folder's name, as debuggers see it: where the file is kept, else the folder of the build. */
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

struct words openmp_command(const struct driver *driver, const struct unit *unit,
                            const char *folder, const char *file, const char *object)
{
    struct words out = host_command(driver);
    struct words users = command_select(&driver->command, USE_GENERATED);
    bool is_cxx = unit->language == LANGUAGE_CXX;

    words_add_all(&out, &users);
    words_add(&out, is_cxx ? "-std=gnu++17" : "-std=gnu11");
    words_add(&out, "-fopenmp");
    add_name_map(driver, folder, &out);
    words_add(&out, is_cxx ? "-xc++" : "-xc");
    add_file(&out, folder, file, object);
    return out;
}

static struct words emulator_command(const struct driver *driver, const char *folder,
                                     const char *file, const char *object)
{
    struct words out = words_new(driver->arena);
    struct words users = command_select(&driver->command, USE_GENERATED);

    words_add(&out, driver->config.cxx);
    words_add_format(&out, "-I%s", driver->config.include);
    words_add_format(&out, "-I%s", driver->config.emulator);
    words_add_format(&out, "-I%s/include", driver->config.emulator);
    words_add(&out, "-DCLEAVE_EMULATOR");
    words_add_all(&out, &users);
    words_add(&out, "-std=gnu++17");
    add_name_map(driver, folder, &out);
    words_add(&out, "-xc++");
    add_file(&out, folder, file, object);
    return out;
}

/* What the user's flags say about floating point, in nvcc's words. */
static void add_arithmetic(const struct command *command, struct words *out)
{
    const char *contract = command_last(command, "-ffp-contract=");
    const char *optimise = command_last(command, "-O");

    if (contract != NULL && strcmp(contract, "-ffp-contract=off") == 0) {
        words_add(out, "--fmad=false");
    }
    if (command_has(command, "-ffast-math") ||
        (optimise != NULL && strcmp(optimise, "-Ofast") == 0)) {
        words_add(out, "--use_fast_math");
    }
}

static void add_position_independence(const struct command *command, struct words *out)
{
    static const char *const flags[] = {"-fPIC",    "-fpic",    "-fPIE",    "-fpie",
                                        "-fno-pic", "-fno-PIC", "-fno-pie", "-fno-PIE"};

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (command_has(command, flags[i])) {
            words_add(out, "-Xcompiler");
            words_add(out, flags[i]);
        }
    }
}

static bool wants_debugging(const struct command *command)
{
    const char *last = command_last(command, "-g");

    return last != NULL && strcmp(last, "-g0") != 0;
}

/* Runs in `folder`, with names relative to it: nvcc writes the names that it is given into objects.
 * --keep makes it use fixed names for its own temporary files, which also end up there. */
static struct words nvcc_command(const struct driver *driver, const char *file, const char *object)
{
    const struct command *command = &driver->command;
    struct words out = words_new(driver->arena);

    words_add(&out, driver->config.nvcc);
    words_add(&out, "-O3");
    words_add(&out, "-std=c++17");
    if (command_has(command, "-w")) {
        words_add(&out, "-w");
    }
    for (int i = 0; i < driver->settings.architectures.count; i++) {
        const char *number = driver->settings.architectures.word[i] + strlen("sm_");

        words_add_format(&out, "--generate-code=arch=compute_%s,code=sm_%s", number, number);
    }
    if (driver->config.ccbin != NULL) {
        words_add_format(&out, "-ccbin=%s", driver->config.ccbin);
    }
    if (wants_debugging(command)) {
        words_add(&out, "-lineinfo");
    }
    add_arithmetic(command, &out);
    add_position_independence(command, &out);
    words_add_format(&out, "-I%s", driver->config.include);
    words_add(&out, "--keep");
    words_add(&out, "--keep-dir=.");
    words_add(&out, "-c");
    words_add(&out, file);
    words_add(&out, "-o");
    words_add(&out, path_base(object));
    return out;
}

struct words device_command(const struct driver *driver, const char *folder, const char *file,
                            const char *object)
{
    if (driver->device == DEVICE_EMULATOR) {
        return emulator_command(driver, folder, file, object);
    }
    return nvcc_command(driver, file, object);
}
