/* nvcc.c: the command line of the CUDA compiler.
 *
 * nvcc joins its words to lines and runs them in a shell. It quotes some words fully, some partly
 * and some not at all, and it cuts lists at commas. So no name that a user has chosen reaches it
 * unchanged: it runs in the folder of the job, whose path is plain (process.c); the generated file
 * and the object have names of ours; a link in that folder stands for a path that is not plain, and
 * a script there for a host compiler of several words. It gets only those of the user's flags that
 * are on a fixed list. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pass/driver/nvcc.h"
#include "runtime/api/cleave_gen.h"

static const char include_link[] = "include";
static const char compiler_script[] = "./host";

/* Translates the user's floating-point flags into nvcc's. */
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

static bool has_plain_compiler(const struct config *config)
{
    return config->ccbin.count == 1 && text_is_plain(config->ccbin.word[0]);
}

static void add_compiler(const struct config *config, struct words *out)
{
    if (config->ccbin.count > 0) {
        words_add_format(out, "-ccbin=%s",
                         has_plain_compiler(config) ? config->ccbin.word[0] : compiler_script);
    }
}

/* The flags of the device's part, whoever asks for it. */
static void add_flags(const struct driver *driver, struct words *out)
{
    words_add(out, driver->config.nvcc);
    words_add(out, "-O3");
    words_add(out, "-Xcompiler");
    words_add(out, "-O1"); /* the host's part: launches, which g++ -O3 takes twice as long for */
    words_add(out, "-std=c++17");
}

/* Runs in the folder of the unpacked text. A host compiler of several words needs the script of
 * nvcc_prepare(), which is not there: nvcc takes its own. */
struct words nvcc_further_command(const struct driver *driver, const char *file)
{
    struct words out = words_new(driver->arena);

    add_flags(driver, &out);
    words_add(&out, "-w");
    words_add(&out, "--generate-code=arch=compute_@arch@,code=sm_@arch@");
    if (driver->config.ccbin.count > 0 && has_plain_compiler(&driver->config)) {
        add_compiler(&driver->config, &out);
    }
    add_arithmetic(&driver->command, &out);
    words_add(&out, "-Xcompiler");
    words_add(&out, "-fPIC");
    words_add(&out, "-DCLEAVE_LOOP=@loop@");
    words_add(&out, "-I.");
    words_add(&out, "--keep");
    words_add(&out, "--keep-dir=.");
    words_add(&out, "-shared");
    words_add(&out, file);
    words_add(&out, "-o");
    words_add(&out, CLEAVE_FURTHER_LIBRARY);
    return out;
}

/* Runs in the job's folder, with names relative to it: nvcc writes the names that it is given into
 * objects. --keep makes it use fixed names for its own temporary files, which also end up there. */
struct words nvcc_command(const struct driver *driver, const char *folder, const char *file,
                          const char *object)
{
    (void)folder; /* it runs there */
    const struct command *command = &driver->command;
    const struct config *config = &driver->config;
    struct words out = words_new(driver->arena);

    add_flags(driver, &out);
    if (command_has(command, "-w")) {
        words_add(&out, "-w");
    }
    for (int i = 0; i < driver->codes.count; i++) {
        words_add_format(&out, "--generate-code=%s", driver->codes.word[i]);
    }
    add_compiler(config, &out);
    if (command_debugs(command)) {
        words_add(&out, "-lineinfo");
    }
    add_arithmetic(command, &out);
    add_position_independence(command, &out);
    words_add_format(&out, "-I%s", text_is_plain(config->include) ? config->include : include_link);
    words_add(&out, "--keep");
    words_add(&out, "--keep-dir=.");
    words_add(&out, "-c");
    words_add(&out, file);
    words_add(&out, "-o");
    words_add(&out, path_base(object));
    return out;
}

static int write_script(const struct words *command, const char *path)
{
    FILE *out = fopen(path, "w");
    bool failed;

    if (out == NULL) {
        return -1;
    }
    fputs("#!/bin/sh\nexec", out);
    words_write(out, command);
    failed = fputs(" \"$@\"\n", out) < 0;
    failed = fclose(out) != 0 || failed;
    return failed || chmod(path, 0700) != 0 ? -1 : 0;
}

int nvcc_prepare(const struct driver *driver, const char *folder)
{
    const struct config *config = &driver->config;
    const char *path = NULL;
    int status = 0;

    if (!text_is_plain(config->include)) {
        path = arena_format(driver->arena, "%s/%s", folder, include_link);
        status = symlink(config->include, path);
    }
    if (status == 0 && config->ccbin.count > 0 && !has_plain_compiler(config)) {
        path = arena_format(driver->arena, "%s/%s", folder, compiler_script);
        status = write_script(&config->ccbin, path);
    }
    if (status != 0) {
        fprintf(stderr, "cleavecc: error: cannot write '%s': %s\n", path, strerror(errno));
        return 1;
    }
    return 0;
}
