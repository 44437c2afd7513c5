/* whole_file.c: writes a file beside its place and renames it, so that readers, programs that write
 * it at the same time, and full disks never leave a part of one. */
#include "runtime/base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes to pipes and terminals in place. Directories are refused. */
static int open_in_place(struct cleave_whole_file *whole, const struct stat *status)
{
    if (S_ISDIR(status->st_mode)) {
        errno = EISDIR;
        return -1;
    }
    whole->file = fopen(whole->name, "w");
    return whole->file != NULL ? 0 : -1;
}

/* Makes "folder/.report.json.PID.N", with the permissions that the umask leaves. Returns its
 * descriptor, or -1. */
static int make_temporary(struct cleave_whole_file *whole)
{
    const char *name = whole->name;
    const char *slash = strrchr(name, '/');
    const int folder = slash != NULL ? (int)(slash - name) + 1 : 0;
    const size_t room = strlen(name) + 48;
    int file = -1;
    whole->temporary = malloc(room);
    errno = EEXIST;
    for (int n = 0; whole->temporary != NULL && file < 0 && errno == EEXIST && n < 1000; n++) {
        snprintf(whole->temporary, room, "%.*s.%s.%ld.%d", folder, name, name + folder,
                 (long)getpid(), n);
        file = open(whole->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return file;
}

/* status: of the file that exists; NULL: there is none. */
static int open_beside(struct cleave_whole_file *whole, const struct stat *status)
{
    const int file = make_temporary(whole);
    if (file < 0) {
        return -1;
    }
    if (status == NULL || fchmod(file, status->st_mode & 07777) == 0) {
        whole->file = fdopen(file, "w");
    }
    if (whole->file == NULL) {
        const int cause = errno;
        close(file);
        unlink(whole->temporary);
        errno = cause;
        return -1;
    }
    return 0;
}

static void forget(struct cleave_whole_file *whole)
{
    const int cause = errno;
    free(whole->name);
    free(whole->temporary);
    *whole = (struct cleave_whole_file){NULL, NULL, NULL};
    errno = cause;
}

int cleave_whole_file_begin(struct cleave_whole_file *whole, const char *name)
{
    struct stat status;
    int failed = -1;
    *whole = (struct cleave_whole_file){NULL, realpath(name, NULL), NULL};
    const int exists = whole->name != NULL && stat(whole->name, &status) == 0;
    if (whole->name == NULL) {
        whole->name = strdup(name);
    }
    if (whole->name != NULL && exists && access(whole->name, W_OK) != 0) {
        failed = -1;
    } else if (whole->name != NULL && exists && !S_ISREG(status.st_mode)) {
        failed = open_in_place(whole, &status);
    } else if (whole->name != NULL) {
        failed = open_beside(whole, exists ? &status : NULL);
    }
    if (failed) {
        forget(whole);
    }
    return failed;
}

int cleave_whole_file_end(struct cleave_whole_file *whole, int failed)
{
    int cause = failed ? errno : 0;
    if (ferror(whole->file) || fflush(whole->file) != 0) {
        failed = 1;
        cause = errno;
    }
    if (fclose(whole->file) != 0 && !failed) {
        failed = 1;
        cause = errno;
    }
    if (whole->temporary != NULL && !failed && rename(whole->temporary, whole->name) != 0) {
        failed = 1;
        cause = errno;
    }
    if (whole->temporary != NULL && failed) {
        unlink(whole->temporary);
    }
    forget(whole);
    errno = cause != 0 ? cause : EIO;
    return failed ? -1 : 0;
}

int cleave_whole_file_try(const char *name)
{
    struct cleave_whole_file whole;
    struct stat status;
    if (stat(name, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        return access(name, W_OK); /* opening a pipe would wait for its reader */
    }
    if (cleave_whole_file_begin(&whole, name) != 0) {
        return -1;
    }
    cleave_whole_file_end(&whole, 1);
    return 0;
}
