/* process.c: starts and awaits children, makes and removes temporary folders.
 * See process.h. */
#include "pass/driver/process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pass/driver/environment.h"
#include "pass/driver/jobserver.h"
#include "pass/driver/progress.h"

/* Waits are in milliseconds: for a token of make, and between two looks at how long a job takes. */
enum { MOST_CHILDREN = 8, OPEN_FOLDERS = 16, SHORT_WAIT = 20, LONG_WAIT = 200 };
enum { UNKNOWN_STATUS = 127 << 8 };

static const int caught_signals[] = {SIGINT, SIGTERM, SIGHUP};

enum { CAUGHT = sizeof(caught_signals) / sizeof(caught_signals[0]) };

/* Data that the signal handler may touch. */
static volatile sig_atomic_t interrupted;
static volatile pid_t children[MOST_CHILDREN];
static struct sigaction saved_actions[CAUGHT];

double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void on_signal(int signal)
{
    interrupted = signal;
    for (int i = 0; i < MOST_CHILDREN; i++) {
        if (children[i] > 0) {
            kill(children[i], SIGTERM);
        }
    }
}

static void signals_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigemptyset(&action.sa_mask);
    for (int i = 0; i < CAUGHT; i++) {
        sigaction(caught_signals[i], NULL, &saved_actions[i]);
        if (saved_actions[i].sa_handler != SIG_IGN) {
            sigaction(caught_signals[i], &action, NULL);
        }
    }
}

static void signals_restore(void)
{
    for (int i = 0; i < CAUGHT; i++) {
        sigaction(caught_signals[i], &saved_actions[i], NULL);
    }
}

int process_interrupted(void)
{
    return interrupted;
}

void process_die(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void report_cannot_run(const char *program)
{
    fprintf(stderr, "cleavecc: error: cannot run '%s': %s\n", program, strerror(errno));
}

/* One word of a response file: every character stands for itself. */
static void write_word(FILE *file, const char *word)
{
    fputc('"', file);
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fputc('\\', file);
        }
        fputc(*c, file);
    }
    fputs("\"\n", file);
}

/* The command with its words in a response file, which lives in memory and is inherited. */
static struct words with_response_file(const struct words *command)
{
    struct words out = words_new(command->arena);
    int descriptor = memfd_create("words", 0);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;

    if (file == NULL) {
        return *command;
    }
    for (int i = 1; i < command->count; i++) {
        write_word(file, command->word[i]);
    }
    fflush(file); /* never closed: the next program reads it */
    words_add(&out, command->word[0]);
    words_add_format(&out, "@/proc/self/fd/%d", descriptor);
    return out;
}

/* Runs the command. If it is too long for the system, which the words of response files can make
 * it, its words go into a new response file. Returns only when the program cannot be run, after a
 * message. */
static void run_here(const struct words *command)
{
    struct words shorter;

    execvp(command->word[0], (char *const *)command->word);
    if (errno == E2BIG) {
        shorter = with_response_file(command);
        execvp(shorter.word[0], (char *const *)shorter.word);
    }
    report_cannot_run(command->word[0]);
}

int process_become(const struct words *command)
{
    fflush(NULL);
    run_here(command);
    return 127;
}

/* In the child of process_output(). */
static void output_exec(const struct words *command, int to)
{
    int nothing = open("/dev/null", O_RDWR);

    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0 &&
        dup2(to, STDOUT_FILENO) >= 0) {
        execvp(command->word[0], (char *const *)command->word);
    }
    _exit(127);
}

const char *process_output(const struct words *command)
{
    int ends[2];
    char *text = NULL;
    size_t size = 0;
    int status = -1;
    FILE *from;
    pid_t pid;
    const char *copy;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return NULL;
    }
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        output_exec(command, ends[1]);
    }
    close(ends[1]);
    from = fdopen(ends[0], "r");
    if (from == NULL || getdelim(&text, &size, '\0', from) < 0) {
        free(text);
        text = NULL;
    }
    if (from != NULL) {
        fclose(from);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    copy = text != NULL && status == 0 ? arena_text(command->arena, text) : NULL;
    free(text);
    return copy;
}

/* Sets TMPDIR to the folder of the job: nvcc fails if TMPDIR is not a writable folder, which gcc
 * and cleavecc tolerate. */
static bool enter(const char *folder)
{
    return chdir(folder) == 0 && setenv("TMPDIR", folder, 1) == 0;
}

/* In the child. */
static void job_exec(const struct job *job)
{
    if (job->messages != NULL) {
        dup2(fileno(job->messages), STDERR_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    for (int i = 0; i < CAUGHT; i++) {
        sigaction(caught_signals[i], &saved_actions[i], NULL);
    }
    if (job->folder != NULL && !enter(job->folder)) {
        fprintf(stderr, "cleavecc: error: cannot enter '%s': %s\n", job->folder, strerror(errno));
        _exit(127);
    }
    run_here(&job->command);
    _exit(127);
}

static int job_start(struct job *job, int index)
{
    job->messages = index > 0 ? tmpfile() : NULL;
    job->seconds = seconds_now();
    fflush(NULL);
    job->pid = fork();
    if (job->pid == 0) {
        job_exec(job);
    }
    if (job->pid < 0) {
        fprintf(stderr, "cleavecc: error: cannot start the %s: %s\n", job->what, strerror(errno));
        job->pid = 0;
        return -1;
    }
    children[index] = job->pid;
    if (interrupted) {
        kill(job->pid, SIGTERM);
    }
    return 0;
}

/* Whether the process was one of the jobs: it may also have been one that reads a source. */
static bool job_ended(struct job *job, int jobs, pid_t pid, int status)
{
    for (int i = 0; i < jobs; i++) {
        if (job[i].pid == pid) {
            job[i].status = status;
            job[i].running = false;
            job[i].seconds = seconds_now() - job[i].seconds;
            children[i] = 0;
            return true;
        }
    }
    return false;
}

static void print_messages(struct job *job)
{
    char part[4096];
    size_t length;

    if (job->messages == NULL) {
        return;
    }
    rewind(job->messages);
    while ((length = fread(part, 1, sizeof(part), job->messages)) > 0) {
        fwrite(part, 1, length, stderr);
    }
    fclose(job->messages);
    job->messages = NULL;
}

/* The first job, whose failure the user has to mend, then from the last one on; NULL: none is left.
 */
static struct job *next_job(struct job *job, int jobs)
{
    if (!job[0].tried) {
        return &job[0];
    }
    for (int i = jobs - 1; i > 0 && !interrupted; i--) {
        if (!job[i].tried && (job[0].running || job_exit_code(&job[0]) == 0)) {
            return &job[i];
        }
    }
    return NULL;
}

static bool start_next(struct job *job, struct job *next, int running)
{
    if (next == NULL || !jobserver_take(running)) {
        return false;
    }
    next->tried = true;
    next->running = job_start(next, (int)(next - job)) == 0;
    return true;
}

/* Shows the progress of the jobs that still run after the first one has ended. */
static void show_progress(const struct job *job, int jobs)
{
    for (int i = 1; i < jobs && !job[0].running; i++) {
        if (job[i].running && job[i].source != NULL) {
            progress_show(job[i].source, job[i].what, seconds_now() - job[i].seconds);
        }
    }
}

/* No child can be awaited, for instance because SIGCHLD is ignored: the jobs that ran count as
 * failed. */
static int forget(struct job *job, int jobs)
{
    int forgotten = 0;

    for (int i = 0; i < jobs; i++) {
        if (job[i].running) {
            job_ended(job, jobs, job[i].pid, UNKNOWN_STATUS);
            forgotten++;
        }
    }
    return forgotten;
}

/* Waits until a job has ended; returns early when another one may be started or progress is shown.
 * Returns the change in the number of running jobs. */
static int await(struct job *job, int jobs, bool more, bool progress)
{
    int status;
    pid_t pid = waitpid(-1, &status, more || progress ? WNOHANG : 0);

    if (pid > 0) {
        return job_ended(job, jobs, pid, status) ? -1 : 0;
    }
    if (pid < 0 && errno != EINTR) {
        return -forget(job, jobs);
    }
    if (pid == 0) {
        if (progress) {
            show_progress(job, jobs);
        }
        jobserver_wait(more ? SHORT_WAIT : LONG_WAIT);
    }
    return 0;
}

int jobs_run(struct job *job, int jobs)
{
    bool progress = progress_is_wanted();
    int running = 0;
    int failed = 0;

    jobs = jobs < MOST_CHILDREN ? jobs : MOST_CHILDREN;
    for (;;) {
        struct job *next = next_job(job, jobs);

        if (start_next(job, next, running)) {
            running += next->running;
        } else if (running > 0) {
            running += await(job, jobs, next != NULL, progress);
        } else {
            break;
        }
        jobserver_keep(running);
    }
    progress_erase();
    for (int i = 0; i < jobs; i++) {
        failed += job_exit_code(&job[i]) != 0;
        print_messages(&job[i]);
    }
    return failed ? -1 : 0;
}

int job_exit_code(const struct job *job)
{
    if (job->pid == 0) {
        return 127;
    }
    return WIFSIGNALED(job->status) ? 128 + WTERMSIG(job->status) : WEXITSTATUS(job->status);
}

/* The folder, when nobody else can write into it: its name is known beforehand. -1 otherwise. */
static int private_folder(const char *folder)
{
    struct stat found;
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (descriptor >= 0 && (fstat(descriptor, &found) != 0 || found.st_uid != getuid() ||
                            (found.st_mode & (S_IRWXG | S_IRWXO)) != 0)) {
        close(descriptor);
        errno = EPERM;
        return -1;
    }
    return descriptor;
}

static int remove_below(const char *path, const struct stat *stat, int type, struct FTW *place)
{
    (void)stat;
    (void)type;
    if (place->level > 0) {
        remove(path);
    }
    return 0;
}

/* Whether the name still leads to the open folder. */
static bool is_named(int descriptor, const char *folder)
{
    struct stat opened;
    struct stat named;

    return fstat(descriptor, &opened) == 0 && stat(folder, &named) == 0 &&
           opened.st_ino == named.st_ino;
}

/* Makes the folder and locks it until this process ends. Waits for an equal compilation that is
 * under way, since both write the same object. Removes files that a killed compilation left. */
static bool take_folder(const char *folder)
{
    while (mkdir(folder, 0700) == 0 || errno == EEXIST) {
        int descriptor = private_folder(folder);

        if (descriptor < 0 && errno == ENOENT) {
            continue; /* removed by the one that had it */
        }
        if (descriptor < 0 || flock(descriptor, LOCK_EX) != 0) {
            return false;
        }
        if (is_named(descriptor, folder)) {
            nftw(folder, remove_below, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
            return true;
        }
        close(descriptor);
    }
    return false;
}

/* TMPDIR, from the root on, where it can be written and no shell takes its name for anything else:
 * nvcc puts the path of the folder that it runs in into lines for one. Otherwise /tmp. */
static const char *temporary_base(struct arena *arena)
{
    const char *named = variable_value(VARIABLE_TMPDIR);
    bool is_usable = named != NULL && access(named, W_OK) == 0;
    char *real = is_usable ? realpath(named, NULL) : NULL;
    const char *base = real != NULL && text_is_plain(real) ? arena_text(arena, real) : "/tmp";

    free(real);
    return base;
}

const char *temporary_make(struct arena *arena, const char *id)
{
    const char *base = temporary_base(arena);
    char *folder = arena_format(arena, "%s/cleave-%u-%s", base, (unsigned)getuid(), id);

    if (!take_folder(folder)) {
        folder = arena_format(arena, "%s/cleave-XXXXXX", base);
        folder = mkdtemp(folder);
    }
    if (folder == NULL) {
        fprintf(stderr, "cleavecc: error: cannot make a temporary folder in '%s': %s\n", base,
                strerror(errno));
        return NULL;
    }
    signals_catch();
    return folder;
}

static int remove_entry(const char *path, const struct stat *stat, int type, struct FTW *place)
{
    (void)stat;
    (void)type;
    (void)place;
    remove(path);
    return 0;
}

void temporary_remove(const char *folder)
{
    nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    signals_restore();
}
