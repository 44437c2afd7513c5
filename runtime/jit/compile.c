/* compile.c: runs a compiler in a process group of its own, which never outlives the program.
 *
 * A shell starts two processes and ends at once, so that the program has no child but for a moment:
 * one runs the compiler, the other one guards it. The guard waits until its end of a pipe is
 * closed, by the program or by its death, then ends what is left of the group and removes the
 * temporary folder. The program waits for the end of the compiler at another pipe. Words of the
 * command are arguments of the shell, which it does not read as text.
 */
#include "runtime/jit/impl.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* $1: the folder; the other arguments: the command. 3: the guard's pipe; 4: the compiler's, which
 * it and its children close when they end. Messages are in English, because one of them is looked
 * for.
 */
static const char script[] =
    "cd \"$1\" || exit 1\n"
    "folder=$1\n"
    "shift\n"
    "TMPDIR=$folder LC_ALL=C\n"
    "export TMPDIR LC_ALL\n"
    "unset LD_PRELOAD\n"
    "{ \"$@\" 3<&- >log 2>&1; echo $? >status; } &\n"
    "exec 4>&-\n"
    "{ trap '' TERM; read -r _ <&3; kill -s TERM 0; wait; cd /; PATH=$PATH:/usr/bin:/bin; rm -rf "
    "\"$folder\"; } >/dev/null 2>&1 &\n";

enum { FD_GUARD = 3, FD_DONE = 4, FD_SPARE = 10 };

static struct {
    pthread_mutex_t lock;
    int guard;   /* our end of the guard's pipe; -1: no compiler runs */
    int stopped; /* no other one is to be started */
} compiler = {.lock = PTHREAD_MUTEX_INITIALIZER, .guard = -1};

/* ---- starting ------------------------------------------------------------------------------- */

/* A pipe whose ends are closed in other programs, and are none of the numbers used below. */
static int make_pipe(int end[2])
{
    int made[2];
    if (pipe2(made, O_CLOEXEC) != 0) {
        return -1;
    }
    end[0] = fcntl(made[0], F_DUPFD_CLOEXEC, FD_SPARE);
    end[1] = fcntl(made[1], F_DUPFD_CLOEXEC, FD_SPARE);
    close(made[0]);
    close(made[1]);
    return end[0] >= 0 && end[1] >= 0 ? 0 : -1;
}

static int set_files(posix_spawn_file_actions_t *files, int guard, int done)
{
    int failed = 0;
    for (int fd = 0; fd < FD_GUARD; fd++) {
        failed |= posix_spawn_file_actions_addopen(files, fd, "/dev/null", O_RDWR, 0);
    }
    failed |= posix_spawn_file_actions_adddup2(files, guard, FD_GUARD);
    failed |= posix_spawn_file_actions_adddup2(files, done, FD_DONE);
    failed |= posix_spawn_file_actions_addclosefrom_np(files, FD_DONE + 1);
    return failed;
}

/* Starts the shell and waits until it has started the others. 0, or an error number. */
static int spawn(const struct jit_command *command, const char *folder, int guard, int done)
{
    char *word[JIT_WORDS + 6] = {"sh", "-c", (char *)script, "sh", (char *)folder};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t pid = 0;
    memcpy(word + 5, command->word, (size_t)(command->words + 1) * sizeof word[0]);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    int failed = set_files(&files, guard, done);
    if (failed == 0) {
        failed = posix_spawn(&pid, "/bin/sh", &files, &attributes, word, environ);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    while (failed == 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    return failed;
}

/* ---- one compilation ------------------------------------------------------------------------ */

/* Starts the command unless compilations were stopped. Returns the pipe that ends with it, or -1
 * with a reason. */
static int start(const struct jit_command *command, const char *folder, char why[JIT_WHY])
{
    int guard[2] = {-1, -1};
    int done[2] = {-1, -1};
    pthread_mutex_lock(&compiler.lock);
    int failed = compiler.stopped ? ECANCELED : 0;
    if (failed == 0 && (make_pipe(guard) != 0 || make_pipe(done) != 0)) {
        failed = errno;
    }
    if (failed == 0) {
        failed = spawn(command, folder, guard[0], done[1]);
    }
    if (failed == 0) {
        compiler.guard = guard[1];
    }
    pthread_mutex_unlock(&compiler.lock);
    close(guard[0]);
    close(done[1]);
    if (failed != 0) {
        close(guard[1]);
        close(done[0]);
        snprintf(why, JIT_WHY, "no process can be started: %s", strerror(failed));
    }
    return failed == 0 ? done[0] : -1;
}

static void wait_for_end(int done)
{
    char byte;
    ssize_t got;
    do {
        got = read(done, &byte, 1);
    } while (got > 0 || (got < 0 && errno == EINTR));
    close(done);
}

/* Lets the guard remove the folder. */
static void release_guard(void)
{
    pthread_mutex_lock(&compiler.lock);
    if (compiler.guard >= 0) {
        close(compiler.guard);
    }
    compiler.guard = -1;
    pthread_mutex_unlock(&compiler.lock);
}

void cleave_jit_compile_stop(void)
{
    pthread_mutex_lock(&compiler.lock);
    compiler.stopped = 1;
    if (compiler.guard >= 0) {
        close(compiler.guard);
    }
    compiler.guard = -1;
    pthread_mutex_unlock(&compiler.lock);
}

void cleave_jit_compile_allow(void)
{
    pthread_mutex_lock(&compiler.lock);
    compiler.stopped = 0;
    pthread_mutex_unlock(&compiler.lock);
}

int cleave_jit_compile_is_stopped(void)
{
    pthread_mutex_lock(&compiler.lock);
    const int stopped = compiler.stopped;
    pthread_mutex_unlock(&compiler.lock);
    return stopped;
}

void cleave_jit_compile_forget(void)
{
    pthread_mutex_init(&compiler.lock, NULL);
    if (compiler.guard >= 0) {
        close(compiler.guard);
    }
    compiler.guard = -1;
}

/* ---- what it leaves ------------------------------------------------------------------------- */

/* A whole file, which the caller frees, with a '\0' behind it; NULL: there is none. */
static char *read_file(const char *folder, const char *name, size_t *bytes)
{
    char path[JIT_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    char *data = NULL;
    *bytes = 0;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        data = size >= 0 ? malloc((size_t)size + 1) : NULL;
        rewind(file);
        *bytes = data != NULL ? fread(data, 1, (size_t)size, file) : 0;
    }
    if (data != NULL) {
        data[*bytes] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    return data;
}

/* The compiler's first line with "error", else its first line. */
static void explain(const char *compiler_name, const char *log, char why[JIT_WHY])
{
    const char *line = log;
    for (const char *at = log; at != NULL && *at != '\0';) {
        const char *end = strchr(at, '\n');
        const size_t length = end != NULL ? (size_t)(end - at) : strlen(at);
        if (memmem(at, length, "error", 5) != NULL) {
            line = at;
            break;
        }
        at = end != NULL ? end + 1 : NULL;
    }
    snprintf(why, JIT_WHY, "'%s' failed: %.*s", compiler_name,
             line != NULL ? (int)strcspn(line, "\n") : 0, line != NULL ? line : "");
}

static void *result_in(const char *folder, const struct jit_command *command, size_t *bytes,
                       char why[JIT_WHY])
{
    size_t ignored;
    char *status = read_file(folder, "status", &ignored);
    char *log = read_file(folder, "log", &ignored);
    char *library = NULL;
    if (status != NULL && strcmp(status, "0\n") == 0) {
        library = read_file(folder, CLEAVE_FURTHER_LIBRARY, bytes);
    }
    if (library == NULL) {
        explain(command->word[0], log, why);
    }
    free(status);
    free(log);
    return library;
}

/* The folder for temporary files, if its path is so plain that compilers which start a shell read
 * it as it is; else /tmp. */
static const char *temporary_folder(void)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
    const char *folder = cleave_variable(VARIABLE_TMPDIR);
    return folder != NULL && folder[0] == '/' && strspn(folder, plain) == strlen(folder) &&
                   strlen(folder) < JIT_PATH / 2 && access(folder, W_OK | X_OK) == 0
               ? folder
               : "/tmp";
}

void *cleave_jit_compile(const struct jit_command *command, const struct cleave_source_text *source,
                         const char *archive, size_t *bytes, char why[JIT_WHY])
{
    char folder[JIT_PATH];
    void *library = NULL;
    snprintf(folder, sizeof folder, "%s/cleave-jit.XXXXXX", temporary_folder());
    if (mkdtemp(folder) == NULL) {
        snprintf(why, JIT_WHY, "%s cannot be made: %s", folder, strerror(errno));
        return NULL;
    }
    const int written = cleave_jit_text_write(source, archive, folder, why) == 0;
    const int done = written ? start(command, folder, why) : -1;
    if (done >= 0) {
        wait_for_end(done);
        library = result_in(folder, command, bytes, why);
        release_guard();
    } else {
        cleave_jit_text_remove(source, archive, folder);
    }
    return library;
}
