/* folder.c: the names of the cache's folder and files. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/planner/cache/cache.h"

_Static_assert(CACHE_PATH <= PATH_MAX, "names of kept plans fit a path");
_Static_assert(CACHE_PATH + 512 <= PLANNER_NOTE, "notes have room for a name");

int planner_cache_folder(const struct planner *planner, char path[CACHE_PATH])
{
    if (planner->folder == NULL) {
        return -1;
    }
    int length = snprintf(path, CACHE_PATH, "%s/" CACHE_FOLDER, planner->folder);
    if (length < 0 || length >= CACHE_PATH - CACHE_SUFFIX) {
        planner_note(planner, PLAN_NOTE_FOLDER,
                     "the name of the folder for kept plans is too long: they are made again in "
                     "every run; set CLEAVE_PLAN_CACHE to another folder, or to off");
        return -1;
    }
    return 0;
}

int planner_cache_file(const struct planner *planner, char path[CACHE_PATH],
                       const struct plan_key *key)
{
    if (planner_cache_folder(planner, path) != 0) {
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
