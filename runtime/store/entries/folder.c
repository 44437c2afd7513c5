/* folder.c: the names of the store's folders and files, and its notes. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/store/entries/impl.h"

#define NOTE 5120 /* bytes of a note */

_Static_assert(CLEAVE_STORE_PATH <= PATH_MAX, "names of entries fit a path");
_Static_assert(CLEAVE_STORE_PATH + 512 <= NOTE, "notes have room for a name");

const char *const cleave_store_folders[CLEAVE_KEPT_FOLDERS] = {
    [CLEAVE_KEPT_PLANS] = "plans-2",   [CLEAVE_KEPT_TUNED] = "tuned-1",
    [CLEAVE_KEPT_RATES] = "rates-1",   [CLEAVE_KEPT_KERNELS] = "kernels-1",
    [CLEAVE_KEPT_ORDERS] = "orders-1", [CLEAVE_KINDS] = "plans-1",
};

void cleave_store_tell(const struct cleave_store *store, enum cleave_store_note about,
                       const char *format, ...)
{
    char text[NOTE];
    va_list arguments;
    if (store->note == NULL) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    store->note(about, text);
}

int cleave_store_folder(const struct cleave_store *store, enum cleave_kind kind,
                        char path[CLEAVE_STORE_PATH])
{
    if (store->folder == NULL) {
        return -1;
    }
    int length =
        snprintf(path, CLEAVE_STORE_PATH, "%s/%s", store->folder, cleave_store_folders[kind]);
    if (length < 0 || length >= CLEAVE_STORE_PATH - ENTRY_SUFFIX) {
        cleave_store_tell(store, STORE_NOTE_FOLDER,
                          "the name of the folder for plans and other kept files is too long: they "
                          "are made again in every run; set CLEAVE_PLAN_CACHE to another folder, "
                          "or to off");
        return -1;
    }
    return 0;
}

int cleave_store_file(const struct cleave_store *store, enum cleave_kind kind,
                      const struct store_key *key, char path[CLEAVE_STORE_PATH])
{
    if (cleave_store_folder(store, kind, path) != 0) {
        return -1;
    }
    size_t length = strlen(path);
    snprintf(path + length, CLEAVE_STORE_PATH - length, "/%016" PRIx64 "%016" PRIx64, key->word[0],
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

int cleave_store_make_folder(const char *path)
{
    char part[CLEAVE_STORE_PATH];
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
