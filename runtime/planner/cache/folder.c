/* folder.c: where numberings are kept, and notes about why not. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/planner/cache/cache.h"

_Static_assert(CACHE_PATH <= PATH_MAX, "names of kept plans fit a path");

void planner_cache_note(int *said, const char *format, ...)
{
    if (__atomic_exchange_n(said, 1, __ATOMIC_RELAXED)) {
        return;
    }
    char text[CACHE_PATH + 512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "cleave: note: %s\n", text);
}

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* XDG_CACHE_HOME and HOME count when they are absolute, as the XDG base directory specification has
 * it; CLEAVE_PLAN_CACHE may be relative to the current folder. */
int planner_cache_folder(char path[CACHE_PATH])
{
    static int said_none;
    static int said_long;
    const char *folder = variable("CLEAVE_PLAN_CACHE");
    const char *below = "";
    if (folder != NULL && strcmp(folder, "off") == 0) {
        return -1;
    }
    if (folder == NULL) {
        folder = variable("XDG_CACHE_HOME");
        below = "/cleave";
    }
    if (folder == NULL || (below[0] != '\0' && folder[0] != '/')) {
        folder = variable("HOME");
        below = "/.cache/cleave";
        if (folder == NULL || folder[0] != '/') {
            planner_cache_note(&said_none,
                               "no folder to keep plans in (HOME is not set): they are made "
                               "again in every run; set CLEAVE_PLAN_CACHE to a folder, or to "
                               "off");
            return -1;
        }
    }
    int length = snprintf(path, CACHE_PATH, "%s%s/" CACHE_FOLDER, folder, below);
    if (length < 0 || length >= CACHE_PATH - CACHE_SUFFIX) {
        planner_cache_note(&said_long,
                           "the name of the folder for kept plans is too long: they are made "
                           "again in every run; set CLEAVE_PLAN_CACHE to another folder, or "
                           "to off");
        return -1;
    }
    return 0;
}

int planner_cache_file(char path[CACHE_PATH], const struct plan_key *key)
{
    if (planner_cache_folder(path) != 0) {
        return -1;
    }
    size_t length = strlen(path);
    snprintf(path + length, CACHE_PATH - length, "/%016" PRIx64 "%016" PRIx64, key->word[0],
             key->word[1]);
    return 0;
}

static int make_one(const char *path)
{
    struct stat status;
    if (mkdir(path, 0700) == 0) {
        return 0;
    }
    int reason = errno;
    if (stat(path, &status) == 0) {
        reason = S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    }
    errno = reason;
    return reason == 0 ? 0 : -1;
}

int planner_cache_make_folder(const char *path)
{
    char part[CACHE_PATH];
    size_t length = strlen(path);
    memcpy(part, path, length + 1);
    for (size_t i = 1; i < length; i++) {
        if (part[i] == '/') {
            part[i] = '\0';
            if (make_one(part) != 0) {
                return -1;
            }
            part[i] = '/';
        }
    }
    return make_one(part);
}
