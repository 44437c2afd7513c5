/* config.c: finds cleavecc's files beside its executable, and the compilers.
 *
 * In the build tree the paths are those CMake wrote into configured.h; an installed cleavecc
 * goes from prefix/bin to prefix/include and prefix/lib, so that the prefix can be moved.
 */
#include "pass/driver/config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pass/driver/environment.h"

#include "configured.h"

const char *config_version(void)
{
    return CONFIGURED_VERSION;
}

const char *config_link_flag(void)
{
    return CONFIGURED_LINK_FLAG;
}

static const char *resolve(struct arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    const char *copy = real ? arena_text(arena, real) : NULL;

    free(real);
    return copy;
}

static const char *from_root(struct arena *arena, const char *path)
{
    const char *here = path[0] == '/' ? NULL : resolve(arena, ".");

    return here ? arena_format(arena, "%s/%s", here, path) : path;
}

const char *config_find_program(struct arena *arena, const char *name)
{
    const char *path = variable_text(VARIABLE_PATH);
    struct words folders = words_split(arena, path ? path : "/usr/bin:/bin", ':');

    if (strchr(name, '/') != NULL) {
        return access(name, X_OK) == 0 ? from_root(arena, name) : NULL;
    }
    for (int i = 0; i < folders.count; i++) {
        const char *folder = folders.word[i][0] ? folders.word[i] : ".";
        const char *file = arena_format(arena, "%s/%s", folder, name);

        if (access(file, X_OK) == 0) {
            return from_root(arena, file);
        }
    }
    return NULL;
}

static bool is_file(const char *path)
{
    return access(path, R_OK) == 0;
}

/* The n-th folder above, by as many as `relative` ("bin") has components. */
static const char *prefix_of(struct arena *arena, const char *folder, const char *relative)
{
    struct words parts = words_split(arena, relative, '/');

    for (int i = 0; i < parts.count; i++) {
        folder = path_folder(arena, folder);
    }
    return folder;
}

static void find_files(struct config *config, struct arena *arena, const char *executable)
{
    const char *folder = path_folder(arena, executable);
    const char *build = resolve(arena, CONFIGURED_BUILD_DIR "/bin");
    const char *prefix;

    if (build != NULL && strcmp(folder, build) == 0) {
        config->include = CONFIGURED_BUILD_DIR "/include/cleave";
        config->parse = CONFIGURED_SOURCE_DIR "/pass/frontend/parse_include";
        config->library = CONFIGURED_BUILD_DIR "/lib";
        if (is_file(CONFIGURED_BUILD_DIR "/lib/libcleave_emulator.a")) {
            config->emulator = CONFIGURED_SOURCE_DIR "/testsuite/emulator";
        }
        return;
    }
    prefix = prefix_of(arena, folder, CONFIGURED_BIN_DIR);
    config->include = arena_format(arena, "%s/" CONFIGURED_INCLUDE_DIR "/cleave", prefix);
    config->library = arena_format(arena, "%s/" CONFIGURED_LIB_DIR, prefix);
    config->parse = arena_format(arena, "%s/cleave/parse_include", config->library);
}

static const char *first_of(const char *a, const char *b, const char *c)
{
    return a != NULL ? a : b != NULL ? b : c;
}

/* The words of a compiler's command. A name with spaces that is a program is one word. */
static struct words compiler_words(struct arena *arena, const char *text)
{
    struct words out = words_new(arena);

    if (text == NULL) {
        return out;
    }
    if (config_find_program(arena, text) != NULL) {
        words_add(&out, text);
    } else {
        words_add_command(&out, text);
    }
    return out;
}

static const char *find_nvcc(struct arena *arena)
{
    const char *named = variable_value(VARIABLE_NVCC);
    const char *found;

    if (named != NULL) {
        return config_find_program(arena, named);
    }
    found = CONFIGURED_NVCC[0] ? config_find_program(arena, CONFIGURED_NVCC) : NULL;
    return found ? found : config_find_program(arena, "nvcc");
}

/* The compiler that --cleave-launch stands before. */
static void take_launched(struct config *config, const struct settings *settings, bool is_cxx)
{
    config->host = settings->launched;
    if (is_cxx) {
        config->cxx = settings->launched;
    }
    if (variable_value(VARIABLE_CXX) == NULL) {
        config->ccbin = settings->launched;
    }
}

/* The compiler in order of precedence: --cleave-launch or --cleave-host, the variable for this
 * language, the compiler that built cleave. */
static void find_compilers(struct config *config, const struct settings *settings, bool is_cxx)
{
    const char *cc = variable_value(VARIABLE_CC);
    const char *cxx = variable_value(VARIABLE_CXX);

    config->host =
        compiler_words(settings->arena, first_of(settings->host, is_cxx ? cxx : cc,
                                                 is_cxx ? CONFIGURED_CXX : CONFIGURED_CC));
    config->cxx = compiler_words(settings->arena,
                                 first_of(cxx, is_cxx ? settings->host : NULL, CONFIGURED_CXX));
    config->ccbin = compiler_words(settings->arena, first_of(cxx, settings->host, NULL));
    if (settings->launched.count > 0) {
        take_launched(config, settings, is_cxx);
    }
    if (config->ccbin.count > 0 && strchr(config->ccbin.word[0], '/') != NULL) {
        config->ccbin.word[0] = from_root(settings->arena, config->ccbin.word[0]);
    }
    config->nvcc = find_nvcc(settings->arena);
    config->objcopy = first_of(variable_value(VARIABLE_OBJCOPY),
                               config_find_program(settings->arena, "objcopy"), CONFIGURED_OBJCOPY);
}

/* CLEAVE_HDF5, or the HDF5 that cleave was built with. */
static void find_hdf5(struct config *config, struct arena *arena)
{
    const char *named = variable_value(VARIABLE_HDF5);
    struct words files = words_split(arena, named ? named : CONFIGURED_HDF5, ';');

    config->hdf5 = words_new(arena);
    if (!is_file(arena_format(arena, "%s/libcleave_hdf5.a", config->library))) {
        config->no_hdf5 =
            "cleave was built without HDF5: install it (Debian: libhdf5-dev) and build "
            "cleave again";
        return;
    }
    for (int i = 0; i < files.count; i++) {
        if (files.word[i][0] == '/' && !is_file(files.word[i])) {
            config->no_hdf5 =
                arena_format(arena,
                             "'%s' is not there: install HDF5 (Debian: libhdf5-dev), or "
                             "name its library in CLEAVE_HDF5",
                             files.word[i]);
            return;
        }
    }
    config->hdf5 = files;
}

/* Refuses a host compiler that is cleavecc, or a launcher of it: it would start itself for ever. */
static int check_host(const struct config *config, const char *executable)
{
    struct arena *arena = config->host.arena;

    if (config->host.count == 0) {
        fputs("cleavecc: error: --cleave-host, CLEAVE_CC or CLEAVE_CXX names no host compiler\n",
              stderr);
        return -1;
    }
    for (int i = 0; i < config->host.count; i++) {
        const char *file = config_find_program(arena, config->host.word[i]);
        const char *real = file ? resolve(arena, file) : NULL;

        if (real != NULL && strcmp(real, executable) == 0) {
            fprintf(stderr,
                    "cleavecc: error: the host compiler '%s' is cleavecc itself; name another "
                    "with --cleave-host, CLEAVE_CC or CLEAVE_CXX\n",
                    config->host.word[i]);
            return -1;
        }
    }
    return 0;
}

int config_find(struct config *config, const struct settings *settings, bool is_cxx)
{
    struct arena *arena = settings->arena;
    const char *executable = resolve(arena, "/proc/self/exe");

    *config = (struct config){0};
    if (executable == NULL) {
        fputs("cleavecc: error: cannot find its own executable through /proc/self/exe\n", stderr);
        return -1;
    }
    find_files(config, arena, executable);
    find_compilers(config, settings, is_cxx);
    if (!is_file(config->include)) {
        fprintf(stderr, "cleavecc: error: its headers are not in '%s'; install cleave again\n",
                config->include);
        return -1;
    }
    if (check_host(config, executable) != 0) {
        return -1;
    }
    config->cuda_library = is_file(arena_format(arena, "%s/libcleave_cuda.a", config->library));
    find_hdf5(config, arena);
    return 0;
}

const char *config_cuda_library(struct arena *arena, const struct config *config)
{
    static const char *const folders[] = {"lib64", "lib", "targets/x86_64-linux/lib"};
    const char *top;

    if (config->nvcc == NULL) {
        return NULL;
    }
    top = path_folder(arena, path_folder(arena, resolve(arena, config->nvcc)));
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        const char *folder = arena_format(arena, "%s/%s", top, folders[i]);

        if (is_file(arena_format(arena, "%s/libcudart_static.a", folder))) {
            return folder;
        }
    }
    return NULL;
}
