/* trim.c: kept numberings do not fill the disk. After one has been written, those that have been
 * used least recently go until the rest fits the limit, and so do files that a program which was
 * ended while it wrote has left behind.
 *
 * Several programs may do this at once, in one folder: all of them take the same files first, and
 * a file that somebody else has removed is as good as removed. A program that reads a file while it
 * goes reads it whole. Only files that the cache has made are touched: by name, owner and content.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/planner/cache/cache.h"

#define DAY (24 * 3600) /* seconds after which nobody is still writing a file */

#define KEY_DIGITS 32
#define WRITING_SUFFIX 7 /* ".XXXXXX" */

/* ---- what is there -------------------------------------------------------------------------- */

struct kept {
    char name[KEY_DIGITS + 1];
    uint64_t bytes;
    struct timespec used;
};

struct kept_list {
    struct kept *file;
    size_t count;
    size_t room;
    uint64_t bytes; /* of all */
};

enum kind { FOREIGN, KEPT, WRITING };

/* Tells from its name what a file is: a kept numbering, one being written, or neither. */
static enum kind kind_of(const char *name)
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

/* The time of the last change, which readers set, too (planner_cache_mark_used). The system's time
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

/* 1: begins as files of the cache do; an empty one does if `empty`. */
static int is_ours(int folder, const char *name, int empty)
{
    char magic[sizeof CACHE_MAGIC];
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        return 0;
    }
    ssize_t got = read(file, magic, sizeof magic);
    close(file);
    return got == 0 ? empty
                    : got == (ssize_t)sizeof magic && memcmp(magic, CACHE_MAGIC, sizeof magic) == 0;
}

static int append(struct kept_list *list, const char *name, const struct stat *status)
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
    own->bytes = (uint64_t)status->st_size;
    own->used = last_used(status);
    list->bytes += own->bytes;
    return 0;
}

/* Lists what is kept and removes what was left behind. 0, or -1 without memory. */
static int look_through(struct kept_list *list, DIR *folder)
{
    const int at = dirfd(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        struct stat status;
        const char *name = entry->d_name;
        enum kind kind = kind_of(name);
        if (kind == FOREIGN || fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode) || status.st_uid != geteuid()) {
            continue;
        }
        if (kind == KEPT && append(list, name, &status) != 0) {
            return -1;
        }
        if (kind == WRITING && status.st_mtime < time(NULL) - DAY && is_ours(at, name, 1)) {
            unlinkat(at, name, 0);
        }
    }
    return 0;
}

/* ---- what goes ------------------------------------------------------------------------------ */

/* Forgets files that only have a name like those of the cache. */
static void drop_foreign(struct kept_list *list, int folder)
{
    size_t left = 0;
    list->bytes = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (is_ours(folder, list->file[i].name, 0)) {
            list->bytes += list->file[i].bytes;
            list->file[left++] = list->file[i];
        }
    }
    list->count = left;
}

static void remove_oldest(struct kept_list *list, int folder, uint64_t limit)
{
    qsort(list->file, list->count, sizeof *list->file, by_use);
    for (size_t i = 0; i < list->count && list->bytes > limit; i++) {
        if (unlinkat(folder, list->file[i].name, 0) == 0 || errno == ENOENT) {
            list->bytes -= list->file[i].bytes;
        }
    }
}

void planner_cache_trim(const char *path, uint64_t limit)
{
    struct kept_list list = {0};
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return;
    }
    if (look_through(&list, folder) == 0 && list.bytes > limit) {
        drop_foreign(&list, dirfd(folder));
        remove_oldest(&list, dirfd(folder), limit);
    }
    free(list.file);
    closedir(folder);
}

void planner_cache_mark_used(int file)
{
    futimens(file, NULL);
}
