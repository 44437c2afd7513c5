/* trim.c: kept files do not fill the disk. After one has been written, those that have been used
 * least recently go until the rest fits the limit, whatever their kind, and so do files that a
 * program which was ended while it wrote has left behind.
 *
 * Several programs may do this at once, in one folder: all of them take the same files first, and
 * a file that somebody else has removed is as good as removed. A program that reads a file while it
 * goes reads it whole. Only files that the store has made are touched: by name, owner and content.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/store/entries/impl.h"

#define DAY (24 * 3600) /* seconds after which nobody is still writing a file */

#define KEY_DIGITS 32
#define WRITING_SUFFIX 7 /* ".XXXXXX" */

/* ---- what is there -------------------------------------------------------------------------- */

struct kept {
    int folder; /* of cleave_store_folders */
    char name[KEY_DIGITS + 1];
    uint64_t bytes;
    struct timespec used;
};

struct kept_list {
    struct kept *file;
    size_t count;
    size_t room;
    uint64_t bytes;                   /* of all */
    DIR *folder[CLEAVE_KEPT_FOLDERS]; /* open; NULL: there is none */
};

enum named { FOREIGN, KEPT, WRITING };

/* Tells from its name what a file is: an entry, one being written, or neither. */
static enum named named_as(const char *name)
{
    size_t digits = strspn(name, "0123456789abcdef");
    if (digits != KEY_DIGITS) {
        return FOREIGN;
    }
    if (name[digits] == '\0') {
        return KEPT;
    }
    return name[digits] == '.' && strlen(name + digits) == WRITING_SUFFIX ? WRITING : FOREIGN;
}

static int is_earlier(struct timespec a, struct timespec b)
{
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

/* The time of the last change, which readers set, too (read.c). The system's time
 * of the last access does not serve: it may be switched off, and backups and is_ours change it. A
 * time far in the future is a mistake that must not keep a file for ever. */
static struct timespec last_used(const struct stat *status)
{
    return status->st_mtim.tv_sec > time(NULL) + DAY ? (struct timespec){0, 0} : status->st_mtim;
}

static int by_use(const void *a, const void *b)
{
    const struct kept *left = a;
    const struct kept *right = b;
    if (is_earlier(left->used, right->used)) {
        return -1;
    }
    return is_earlier(right->used, left->used) ? 1 : strcmp(left->name, right->name);
}

/* 1: begins as files of the store do; an empty one does if `empty`. */
static int is_ours(int folder, const char *name, int empty)
{
    char magic[sizeof ENTRY_MAGIC];
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        return 0;
    }
    ssize_t got = read(file, magic, sizeof magic);
    close(file);
    return got == 0 ? empty
                    : got == (ssize_t)sizeof magic && memcmp(magic, ENTRY_MAGIC, sizeof magic) == 0;
}

static int append(struct kept_list *list, int folder, const char *name, const struct stat *status)
{
    if (list->count == list->room) {
        size_t room = 2 * list->room + 64;
        struct kept *file = realloc(list->file, room * sizeof *file);
        if (file == NULL) {
            return -1;
        }
        list->file = file;
        list->room = room;
    }
    struct kept *own = &list->file[list->count++];
    memcpy(own->name, name, sizeof own->name);
    own->folder = folder;
    own->bytes = (uint64_t)status->st_size;
    own->used = last_used(status);
    list->bytes += own->bytes;
    return 0;
}

/* Lists what is kept in a folder and removes what was left behind. 0, or -1 without memory. */
static int look_through(struct kept_list *list, int folder)
{
    const int at = dirfd(list->folder[folder]);
    for (struct dirent *entry; (entry = readdir(list->folder[folder])) != NULL;) {
        struct stat status;
        const char *name = entry->d_name;
        enum named named = named_as(name);
        if (named == FOREIGN || fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode) || status.st_uid != geteuid()) {
            continue;
        }
        if (named == KEPT && append(list, folder, name, &status) != 0) {
            return -1;
        }
        if (named == WRITING && status.st_mtime < time(NULL) - DAY && is_ours(at, name, 1)) {
            unlinkat(at, name, 0);
        }
    }
    return 0;
}

static int look_through_all(struct kept_list *list, const char *store)
{
    char path[CLEAVE_STORE_PATH];
    int failed = 0;
    for (int f = 0; f < CLEAVE_KEPT_FOLDERS && !failed; f++) {
        snprintf(path, sizeof path, "%s/%s", store, cleave_store_folders[f]);
        list->folder[f] = opendir(path);
        failed = list->folder[f] != NULL && look_through(list, f) != 0;
    }
    return failed ? -1 : 0;
}

/* ---- what goes ------------------------------------------------------------------------------ */

/* Forgets files that only have a name like those of the store. */
static void drop_foreign(struct kept_list *list)
{
    size_t left = 0;
    list->bytes = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct kept *file = &list->file[i];
        if (is_ours(dirfd(list->folder[file->folder]), file->name, 0)) {
            list->bytes += file->bytes;
            list->file[left++] = *file;
        }
    }
    list->count = left;
}

static void remove_oldest(struct kept_list *list, uint64_t limit)
{
    if (list->count > 0) {
        qsort(list->file, list->count, sizeof *list->file, by_use);
    }
    for (size_t i = 0; i < list->count && list->bytes > limit; i++) {
        const struct kept *file = &list->file[i];
        if (unlinkat(dirfd(list->folder[file->folder]), file->name, 0) == 0 || errno == ENOENT) {
            list->bytes -= file->bytes;
        }
    }
}

void cleave_store_trim(const struct cleave_store *store)
{
    struct kept_list list = {0};
    if (store->folder == NULL) {
        return;
    }
    if (look_through_all(&list, store->folder) == 0 && list.bytes > store->bytes) {
        drop_foreign(&list);
        remove_oldest(&list, store->bytes);
    }
    free(list.file);
    for (int f = 0; f < CLEAVE_KEPT_FOLDERS; f++) {
        if (list.folder[f] != NULL) {
            closedir(list.folder[f]);
        }
    }
}
