/* hdf5_file.c: opens, replaces and closes HDF5 files, and says what went wrong with one.
 *
 * A file is never written in place: HDF5 keeps much of it in memory until it is closed, so that one
 * that was cut short by a full disk or a crash can be read no more. */
#include "hdf5_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- errors ------------------------------------------------------------------------------ */

static char cause[256];

/* The first entry upward is the innermost call, which knows the reason. */
static herr_t keep_cause(unsigned number, const H5E_error2_t *entry, void *data)
{
    const char *code = strstr(entry->desc, "errno = ");
    (void)data;
    if (number == 0 && code != NULL) {
        snprintf(cause, sizeof cause, "%s", strerror(atoi(code + strlen("errno = "))));
    } else if (number == 0 && strncmp(entry->desc, "truncated file", 14) == 0) {
        snprintf(cause, sizeof cause, "the file is truncated");
    } else if (number == 0) {
        snprintf(cause, sizeof cause, "HDF5 says: %.*s", (int)strcspn(entry->desc, "\n"),
                 entry->desc);
    }
    return 0;
}

const char *cleave_hdf5_cause(void)
{
    snprintf(cause, sizeof cause, "HDF5 gives no reason");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_cause, NULL);
    return cause;
}

static void forget(struct hdf5_file *file)
{
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    free(file->target);
    free(file->temporary);
    free(file->scratch);
    H5Eset_auto2(H5E_DEFAULT, file->report, file->report_data);
}

/* A file that cannot be written cannot be closed either, and HDF5 would crash at exit when it tries
 * again: what is still to be written goes to memory. */
static void abandon(struct hdf5_file *file)
{
    int *descriptor = NULL;
    if (file->id >= 0 && file->temporary != NULL &&
        H5Fget_vfd_handle(file->id, H5P_DEFAULT, (void **)&descriptor) >= 0) {
        int sink = memfd_create("cleave", MFD_CLOEXEC);
        if (sink >= 0) {
            dup2(sink, *descriptor);
            close(sink);
        }
    }
    if (file->id >= 0) {
        H5Fclose(file->id);
    }
    if (file->temporary != NULL) {
        unlink(file->temporary);
    }
    forget(file);
}

void cleave_hdf5_fail(struct hdf5_file *file, const char *format, ...)
{
    static char *text; /* kept: the program's handler may leave by longjmp */
    va_list list;
    free(text);
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) {
        text = NULL;
    }
    va_end(list);
    abandon(file);
    cleave_fatal("%s%s%s%s in '%s': %s", file->function, file->object != NULL ? " '" : "",
                 file->object != NULL ? file->object : "", file->object != NULL ? "'" : "",
                 file->name, text != NULL ? text : format);
}

/* ---- reading ----------------------------------------------------------------------------- */

static struct hdf5_file file_new(const char *function, const char *object, const char *name)
{
    struct hdf5_file file = {
        .function = function, .object = object, .name = name, .descriptor = -1, .id = -1};
    if (name == NULL) {
        cleave_fatal("%s '%s': the name of the file is a null pointer", function,
                     object != NULL ? object : "");
    }
    H5Eget_auto2(H5E_DEFAULT, &file.report, &file.report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return file;
}

/* Opens `path`; closing the file closes whatever of it is still open. */
static void open_hdf5(struct hdf5_file *file, const char *path, unsigned mode)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    if (mode == H5F_ACC_TRUNC) {
        file->id = H5Fcreate(path, mode, H5P_DEFAULT, access);
    } else if (H5Fis_hdf5(path) == 0) {
        cleave_hdf5_fail(file, "it is not an HDF5 file");
    } else {
        file->id = H5Fopen(path, mode, access);
    }
    if (file->id < 0) {
        cleave_hdf5_fail(file, "cannot open the file: %s", cleave_hdf5_cause());
    }
    H5Pclose(access);
}

/* Returns 1 if `path` is a regular file with access `mode`, 0 if it does not exist and is to be
 * written; else fails. */
static int check_regular(struct hdf5_file *file, const char *path, int mode, struct stat *status)
{
    if (stat(path, status) != 0) {
        if (errno == ENOENT && (mode & W_OK)) {
            return 0;
        }
        cleave_hdf5_fail(file, "cannot open the file: %s", strerror(errno));
    }
    if (!S_ISREG(status->st_mode)) {
        cleave_hdf5_fail(file, "it is %s, not an ordinary file",
                         S_ISDIR(status->st_mode) ? "a folder" : "a device or a pipe");
    }
    if (access(path, mode) != 0) {
        cleave_hdf5_fail(file, "cannot %s the file: %s", mode & W_OK ? "write" : "read",
                         strerror(errno));
    }
    return 1;
}

struct hdf5_file cleave_hdf5_open(const char *function, const char *object, const char *name)
{
    struct hdf5_file file = file_new(function, object, name);
    struct stat status;
    check_regular(&file, name, R_OK, &status);
    open_hdf5(&file, name, H5F_ACC_RDONLY);
    return file;
}

/* ---- writing ----------------------------------------------------------------------------- */

enum { MOST_LINKS = 40 }; /* as Linux follows, before it says ELOOP */

/* Returns the file that `name` leads to through links, which need not exist yet. */
static char *follow_links(struct hdf5_file *file)
{
    char *path = cleave_text_copy(file->name);
    char link[4096];
    for (int i = 0; i < MOST_LINKS; i++) {
        ssize_t length = readlink(path, link, sizeof link - 1);
        if (length < 0) {
            return path;
        }
        link[length] = '\0';
        const char *slash = strrchr(path, '/');
        int folder = link[0] == '/' || slash == NULL ? 0 : (int)(slash - path) + 1;
        char *next = cleave_alloc((size_t)folder + (size_t)length + 1, "a file name");
        sprintf(next, "%.*s%s", folder, path, link);
        free(path);
        path = next;
    }
    free(path);
    cleave_hdf5_fail(file, "cannot open the file: %s", strerror(ELOOP));
}

/* Copies all of the file by read and write. 0, or -1 with errno. */
static int copy_plainly(int to, int from)
{
    enum { PIECE = 1 << 20 };
    char *piece = cleave_alloc(PIECE, "copying a file");
    ssize_t got;
    int failed = lseek(from, 0, SEEK_SET) != 0 || lseek(to, 0, SEEK_SET) != 0;
    while (!failed && (got = read(from, piece, PIECE)) != 0) {
        failed = got < 0;
        for (ssize_t done = 0; !failed && done < got;) {
            ssize_t put = write(to, piece + done, (size_t)(got - done));
            failed = put < 0;
            done += put;
        }
    }
    free(piece);
    return failed ? -1 : 0;
}

/* copy_file_range lets file systems share blocks; not all of them have it. */
static int copy_file(int to, int from, off_t size)
{
    off_t done = 0;
    while (done < size) {
        ssize_t put = copy_file_range(from, NULL, to, NULL, (size_t)(size - done), 0);
        if (put <= 0) {
            return copy_plainly(to, from);
        }
        done += put;
    }
    return 0;
}

/* Room for the file to grow to `size` bytes, so that a full disk shows before HDF5 begins. */
static void reserve(struct hdf5_file *file, size_t size)
{
    struct rlimit limit;
    int code = 0;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        size > limit.rlim_cur) {
        code = EFBIG;
    } else if (fallocate(file->descriptor, FALLOC_FL_KEEP_SIZE, 0, (off_t)size) != 0) {
        code = errno;
    }
    if (code == ENOSPC || code == EFBIG || code == EDQUOT) {
        cleave_hdf5_fail(file, "cannot write %zu bytes: %s", size, strerror(code));
    }
}

/* The temporary file, with the owner and the permissions of the one that it is going to replace. */
static void make_temporary(struct hdf5_file *file, const struct stat *old)
{
    size_t length = strlen(file->target) + sizeof ".XXXXXX";
    char *temporary = cleave_alloc(length, "a file name");
    snprintf(temporary, length, "%s.XXXXXX", file->target);
    file->descriptor = mkostemp(temporary, O_CLOEXEC);
    if (file->descriptor < 0) {
        int code = errno;
        free(temporary);
        cleave_hdf5_fail(file, "cannot write into the file's folder: %s", strerror(code));
    }
    file->temporary = temporary;
    mode_t mask = umask(0);
    umask(mask);
    if (old != NULL && fchown(file->descriptor, old->st_uid, old->st_gid) != 0) {
        mask = 0; /* not ours to give away: the file becomes the user's, as editors have it */
    }
    fchmod(file->descriptor, old != NULL ? old->st_mode & 07777 : 0666 & ~mask);
}

static void copy_old(struct hdf5_file *file, const struct stat *old)
{
    int from = open(file->target, O_RDONLY | O_CLOEXEC);
    int failed = from < 0 || copy_file(file->descriptor, from, old->st_size) != 0;
    int code = errno;
    if (from >= 0) {
        close(from);
    }
    if (failed) {
        cleave_hdf5_fail(file, "cannot copy the file in order to add to it: %s", strerror(code));
    }
}

struct hdf5_file cleave_hdf5_begin(const char *function, const char *object, const char *name,
                                   int add, size_t bytes)
{
    struct hdf5_file file = file_new(function, object, name);
    struct stat old;
    file.target = follow_links(&file);
    int exists = check_regular(&file, file.target, add ? R_OK | W_OK : W_OK, &old);
    add = add && exists;
    if (add && H5Fis_hdf5(file.target) == 0) {
        cleave_hdf5_fail(&file, "it is not an HDF5 file, and nothing was added to it");
    }
    make_temporary(&file, exists ? &old : NULL);
    if (add) {
        copy_old(&file, &old);
    } else {
        /* HDF5 gives up this room again when it begins the file, but cannot get out of a failure
         * then. */
        reserve(&file, bytes);
    }
    open_hdf5(&file, file.temporary, add ? H5F_ACC_RDWR : H5F_ACC_TRUNC);
    reserve(&file, bytes + (add ? (size_t)old.st_size : 0));
    return file;
}

/* ---- the end ----------------------------------------------------------------------------- */

/* Cuts off unused reserved space, syncs the file and renames it to its target. Returns 0, or -1
 * with errno. */
static int settle(const struct hdf5_file *file)
{
    struct stat status;
    return fstat(file->descriptor, &status) != 0 ||
                   ftruncate(file->descriptor, status.st_size) != 0 ||
                   fsync(file->descriptor) != 0 || rename(file->temporary, file->target) != 0
               ? -1
               : 0;
}

void cleave_hdf5_close(struct hdf5_file *file)
{
    if (file->temporary != NULL && H5Fflush(file->id, H5F_SCOPE_GLOBAL) < 0) {
        cleave_hdf5_fail(file, "cannot write the file: %s", cleave_hdf5_cause());
    }
    if (H5Fclose(file->id) < 0) {
        file->id = -1;
        cleave_hdf5_fail(file, "cannot close the file: %s", cleave_hdf5_cause());
    }
    file->id = -1;
    if (file->temporary != NULL && settle(file) != 0) {
        cleave_hdf5_fail(file, "cannot write the file: %s", strerror(errno));
    }
    forget(file);
}
