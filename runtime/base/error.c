/* error.c: how the runtime speaks to the user and how it ends a program: one line on stderr that
 * begins "cleave: error: ", then the program's handler, then exit(1) or abort() as CLEAVE_ERROR
 * says. */
#include "runtime/base/settings.h"
#include "runtime/base/worker.h"

#include <stdarg.h>
#include <time.h>

static cleave_error_handler error_handler;

cleave_error_handler cleave_set_error_handler(cleave_error_handler handler)
{
    cleave_error_handler old = error_handler;
    error_handler = handler;
    return old;
}

static _Noreturn void end_program(void)
{
    /* Read here: an error may come before op_init. */
    const char *how = cleave_variable(VARIABLE_ERROR);
    if (how != NULL && strcmp(how, "abort") == 0) {
        abort();
    }
    exit(EXIT_FAILURE);
}

/* Another thread may hold a stream while it writes from a dat->data and waits for the state of
 * dats, which this thread may hold. So messages wait for no stream: where one is taken, they go
 * past it. */
static void flush_stdout(void)
{
    if (ftrylockfile(stdout) == 0) {
        fflush(stdout);
        funlockfile(stdout);
    }
}

static void print_to(FILE *file, const char *text)
{
    if (ftrylockfile(file) == 0) {
        fputs(text, file);
        funlockfile(file);
    } else {
        dprintf(fileno(file), "%s", text);
    }
}

/* "cleave: KIND: TEXT" on stderr. */
static void print_message(const char *kind, const char *text)
{
    char *line = NULL;
    flush_stdout();
    if (asprintf(&line, "cleave: %s: %s\n", kind, text) < 0) {
        line = NULL;
    }
    print_to(stderr, line != NULL ? line : text);
    free(line);
}

void cleave_print(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) {
        text = NULL;
    }
    va_end(list);
    print_to(stdout, text != NULL ? text : format);
    free(text);
}

void cleave_fatal(const char *format, ...)
{
    static _Thread_local char *message; /* kept: the handler may leave by longjmp */
    va_list list;
    free(message);
    va_start(list, format);
    if (vasprintf(&message, format, list) < 0) {
        message = NULL;
    }
    va_end(list);
    if (cleave_is_worker()) {
        char *own = message;
        message = NULL;
        cleave_job_fail(own);
    }
    print_message("error", message != NULL ? message : format);
    cleave_leave_all();
    if (error_handler != NULL) {
        error_handler(message != NULL ? message : format);
    }
    end_program();
}

static void say(const char *kind, const char *format, va_list list)
{
    char *text = NULL;
    if (vasprintf(&text, format, list) < 0) {
        text = NULL;
    }
    print_message(kind, text != NULL ? text : format);
    free(text);
}

void cleave_warning(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say("warning", format, list);
    va_end(list);
}

void cleave_note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say("note", format, list);
    va_end(list);
}

/* Arrays of this size on begin at a cache line. malloc() puts large ones 16 bytes behind one, so
 * that every second record of 32 bytes lies in two lines: gathers of a shuffled airfoil take 5 %
 * longer. */
enum { LARGE = 4096, CACHE_LINE = 64 };

void *cleave_alloc(size_t bytes, const char *what)
{
    void *memory = NULL;
    if (bytes < LARGE) {
        memory = malloc(bytes > 0 ? bytes : 1);
    } else if (posix_memalign(&memory, CACHE_LINE, bytes) != 0) {
        memory = NULL;
    }
    if (memory == NULL) {
        cleave_fatal("out of memory: %zu bytes for %s", bytes, what);
    }
    return memory;
}

void *cleave_alloc_zero(size_t bytes, const char *what)
{
    void *memory = calloc(bytes > 0 ? bytes : 1, 1);
    if (memory == NULL) {
        cleave_fatal("out of memory: %zu bytes for %s", bytes, what);
    }
    return memory;
}

char *cleave_text_copy(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(cleave_alloc(bytes, "a name"), text, bytes);
}

double cleave_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const char *cleave_name_or_unnamed(const char *name)
{
    return name != NULL ? name : "(no name)";
}
