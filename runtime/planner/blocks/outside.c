/* outside.c: see outside.h. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/planner/blocks/outside.h"

/* A program linked with -static has no dynamic loader; a library that it loads all the same brings
 * a second C library and crashes. */
static int is_static_program(void)
{
    return getauxval(AT_BASE) == 0;
}

static void *open_first(const char *const *name)
{
    void *library = NULL;
    for (int i = 0; library == NULL && name[i] != NULL; i++) {
        library = dlopen(name[i], RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

/* The handle, or NULL, which has been noted. */
static void *open_library(const struct planner *planner, const struct outside_library *library)
{
    const char *const asked[] = {library->path, NULL};
    if (is_static_program()) {
        planner_note(planner, library->about,
                     "this program is linked statically and cannot load %s", library->project);
        return NULL;
    }
    void *handle = open_first(library->path != NULL ? asked : library->name);
    if (handle != NULL) {
        return handle;
    }
    const char *name = library->path != NULL ? library->path : library->name[0];
    if (access(name, F_OK) == 0) {
        planner_note(planner, library->about, "%s (%s) cannot be loaded: %s", library->project,
                     name, dlerror());
    } else {
        planner_note(planner, library->about,
                     "%s (%s) not found; install it, or set %s to its file", library->project, name,
                     library->setting);
    }
    return NULL;
}

static void clear(const struct outside_symbol *symbols)
{
    for (int i = 0; symbols[i].name != NULL; i++) {
        *symbols[i].address = NULL;
    }
}

int planner_outside_load(const struct planner *planner, const struct outside_library *library,
                         const struct outside_symbol *symbols)
{
    const char *missing = NULL;
    clear(symbols);
    if (library->path != NULL && strcmp(library->path, "none") == 0) {
        return 0;
    }
    void *handle = open_library(planner, library);
    if (handle == NULL) {
        return 0;
    }
    for (int i = 0; symbols[i].name != NULL && missing == NULL; i++) {
        *symbols[i].address = dlsym(handle, symbols[i].name);
        missing = *symbols[i].address == NULL ? symbols[i].name : NULL;
    }
    if (missing == NULL) {
        return 1;
    }
    planner_note(planner, library->about, "'%s' is not %s (no %s in it)",
                 library->path != NULL ? library->path : library->name[0], library->project,
                 missing);
    clear(symbols);
    return 0;
}

int planner_outside_hide_stdout(void)
{
    fflush(stdout);
    int hidden = dup(STDOUT_FILENO);
    int nowhere = open("/dev/null", O_WRONLY);
    if (hidden >= 0 && nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
    }
    if (nowhere >= 0) {
        close(nowhere);
    }
    return hidden;
}

void planner_outside_show_stdout(int hidden)
{
    fflush(stdout);
    if (hidden >= 0) {
        dup2(hidden, STDOUT_FILENO);
        close(hidden);
    }
}
