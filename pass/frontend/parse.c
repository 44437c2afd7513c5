/* parse.c: the user's file to a translation unit.
 *
 * In: the options of the run. Out: libclang's unit, or a message. clang needs its own headers
 * (stddef.h and the like), which lie beside the library that is loaded: they are looked for at run
 * time. clang's warnings are the host compiler's business and are switched off.
 */
#include "pass/frontend/util.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_headers(struct front *front, const char *dir)
{
    return access(arena_format(front->arena, "%s/include/stddef.h", dir), R_OK) == 0;
}

static int clang_major(struct front *front)
{
    const char *version = front_string(front, clang_getClangVersion());

    while (*version != '\0' && !isdigit((unsigned char)*version)) {
        version++;
    }
    return atoi(version);
}

/* The folder of the libclang that is loaded, symbolic links resolved. */
static const char *library_dir(struct front *front)
{
    Dl_info info;
    char *path;
    char *slash;
    const char *dir;

    if (dladdr((void *)clang_createIndex, &info) == 0 || info.dli_fname == NULL) {
        return NULL;
    }
    path = realpath(info.dli_fname, NULL);
    if (path == NULL) {
        return NULL;
    }
    slash = strrchr(path, '/');
    dir = slash != NULL ? arena_text_part(front->arena, path, (size_t)(slash - path)) : NULL;
    free(path);
    return dir;
}

static const char *resource_dir(struct front *front)
{
    int major = clang_major(front);
    const char *library = library_dir(front);
    const char *beside =
        library != NULL ? arena_format(front->arena, "%s/clang/%d", library, major) : NULL;
    const char *above =
        library != NULL ? arena_format(front->arena, "%s/../lib/clang/%d", library, major) : NULL;
    const char *debian = arena_format(front->arena, "/usr/lib/llvm-%d/lib/clang/%d", major, major);
    const char *chosen = front->options->resource_dir;
    const char *candidates[] = {chosen, beside, above, debian};
    size_t count =
        chosen != NULL && *chosen != '\0' ? 1 : sizeof(candidates) / sizeof(candidates[0]);
    const char *tried = "";
    struct loc nowhere = {NULL, 0, 0};

    for (size_t c = 0; c < count; c++) {
        if (candidates[c] == NULL || *candidates[c] == '\0') {
            continue;
        }
        if (has_headers(front, candidates[c])) {
            return candidates[c];
        }
        tried = arena_format(front->arena, "%s%s'%s'", tried, *tried != '\0' ? ", " : "",
                             candidates[c]);
    }
    diag_report(front->diag, DIAG_parse_error, nowhere, 1, nowhere,
                arena_format(front->arena,
                             "clang's own headers (include/stddef.h) were not found in %s; set "
                             "CLEAVE_CLANG_RESOURCE_DIR to what 'clang -print-resource-dir' prints",
                             tried));
    return NULL;
}

struct command {
    struct arena *arena;
    const char **argument;
    int count;
    int room;
};

static void add(struct command *command, const char *argument)
{
    command->argument = arena_grow(command->arena, command->argument, command->count,
                                   &command->room, sizeof(*command->argument));
    command->argument[command->count++] = argument;
}

static void add_dir(struct command *command, const char *dir)
{
    if (dir != NULL) {
        add(command, "-I");
        add(command, dir);
    }
}

/* Folders given by -isystem (CMake gives those of imported targets so) hold the user's kernels like
 * any other; as system folders clang would make their functions the library's. They keep their
 * place after all of -I. */
static void add_flags(struct command *command, const struct pass_options *options)
{
    static const char system[] = "-isystem";
    const size_t length = sizeof(system) - 1;

    for (int f = 0; f < options->flags; f++) {
        if (strncmp(options->flag[f], system, length) != 0) {
            add(command, options->flag[f]);
        } else if (options->flag[f][length] == '\0') {
            f++; /* its folder */
        }
    }
    for (int f = 0; f < options->flags; f++) {
        if (strncmp(options->flag[f], system, length) == 0) {
            const char *dir = options->flag[f] + length;

            add_dir(command, *dir != '\0' || f + 1 == options->flags ? dir : options->flag[++f]);
        }
    }
}

static struct command command_line(struct front *front, const char *resources)
{
    const struct pass_options *options = front->options;
    struct command command = {.arena = front->arena};

    add(&command, "-x");
    add(&command, options->language == LANGUAGE_CXX ? "c++" : "c");
    add(&command, "-DCLEAVE_PARSE");
    add_dir(&command, options->parse_dir);
    add_flags(&command, options);
    add_dir(&command, options->include_dir);
    add(&command, "-w");
    add(&command, "-fno-spell-checking");
    add(&command, "-fbracket-depth=1000000"); /* gcc has no limit; the default is 256 */
    if (options->language == LANGUAGE_CXX) {
        /* Most of the time goes into the standard library: leave its templates unread until used.
         */
        add(&command, "-fdelayed-template-parsing");
        add(&command, "-D_GLIBCXX_EXTERN_TEMPLATE=0");
    }
    add(&command, "-resource-dir");
    add(&command, resources);
    return command;
}

/* libclang shall parse on the caller's stack, which may be larger than those of the threads that it
 * makes for parsing, and leave crashes to the caller. */
static void use_own_stack(void)
{
    setenv("LIBCLANG_NOTHREADS", "1", 1);
    setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
}

CXTranslationUnit front_parse(struct front *front, CXIndex *index)
{
    const char *resources = resource_dir(front);
    struct loc nowhere = {NULL, 0, 0};
    CXTranslationUnit unit = NULL;
    struct command command;

    *index = NULL;
    if (resources == NULL) {
        return NULL;
    }
    command = command_line(front, resources);
    use_own_stack();
    *index = clang_createIndex(0, 0);
    if (*index == NULL || clang_parseTranslationUnit2(
                              *index, front->options->source, command.argument, command.count, NULL,
                              0, CXTranslationUnit_KeepGoing, &unit) != CXError_Success) {
        diag_report(front->diag, DIAG_parse_error, nowhere, 1, nowhere,
                    arena_format(front->arena, "libclang could not read '%s' with these options",
                                 front->options->source));
        return NULL;
    }
    return unit;
}

static bool report_error(struct front *front, CXDiagnostic diagnostic)
{
    CXSourceLocation place = clang_getDiagnosticLocation(diagnostic);
    struct loc loc;

    if (clang_getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error ||
        clang_Location_isInSystemHeader(place)) {
        return false;
    }
    loc = front_place(front, place);
    diag_report(front->diag, DIAG_parse_error, loc, 1, loc,
                front_string(front, clang_getDiagnosticSpelling(diagnostic)));
    return true;
}

int front_report_errors(struct front *front)
{
    unsigned count = clang_getNumDiagnostics(front->unit);
    int errors = 0;

    for (unsigned d = 0; d < count; d++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(front->unit, d);

        errors += report_error(front, diagnostic);
        clang_disposeDiagnostic(diagnostic);
    }
    if (errors > 0) {
        struct loc nowhere = {NULL, 0, 0};

        diag_report(front->diag, DIAG_parse_limits, nowhere, 1, nowhere);
    }
    return errors;
}
