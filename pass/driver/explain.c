/* explain.c: --cleave-explain as text, and --cleave-explain=FILE.html as a page. The page looks
 * like the report of a run (runtime/page/). It has a section for each source of a build: every
 * command of it, and every process that reads a source, replaces the section of its source in the
 * page that is there, and keeps the others. */
#include "pass/driver/explain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "pass/driver/explain_loop.h"
#include "pass/driver/reader.h"
#include "pass/ir/chain.h"
#include "runtime/base/whole_file.h"
#include "runtime/page/page.h"
#include "splitter/splitter.h"

static void write_text(const struct driver *driver, const struct program *program, FILE *out)
{
    struct codegen_options options = driver->settings.emit;

    options.whole = reader_calls_whole(driver);
    chain_explain(out, program);
    splitter_explain(out, program);
    codegen_explain(out, program, &options);
}

/* ---- the page -----------------------------------------------------------------------------------
 */

/* The text as the terminal would show it, so that the page lacks nothing of it. */
static int write_terminal(const struct driver *driver, const struct program *program, FILE *out)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);

    if (memory == NULL) {
        return -1;
    }
    write_text(driver, program, memory);
    if (fclose(memory) != 0) {
        free(text);
        return -1;
    }
    fputs("<details><summary>Everything as text: loops in order, schedules, "
          "variants</summary>\n<pre>",
          out);
    cleave_page_text(out, text);
    fputs("</pre></details>\n", out);
    free(text);
    return 0;
}

/* The object or program that a command with -o makes: one source may be compiled in several ways.
 */
static const char *output_of(const struct driver *driver)
{
    return driver->command.output;
}

/* "unit-0123456789abcdef": the same for the same source and output in every command of a build. */
static void make_id(const struct driver *driver, const struct unit *unit, char id[24])
{
    char *folder = getcwd(NULL, 0);
    char *source = realpath(unit->source, NULL);
    const char *part[] = {source != NULL ? source : unit->source, folder != NULL ? folder : "",
                          output_of(driver) != NULL ? output_of(driver) : ""};
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

    for (int p = 0; p < (int)(sizeof(part) / sizeof(part[0])); p++) {
        for (size_t c = 0; c <= strlen(part[p]); c++) { /* with the end: "a" "bc" is not "ab" "c" */
            hash = (hash ^ (unsigned char)part[p][c]) * 0x100000001b3u;
        }
    }
    snprintf(id, 24, "unit-%016llx", (unsigned long long)hash);
    free(folder);
    free(source);
}

static int write_section(const struct driver *driver, const struct unit *unit, const char *id,
                         FILE *out)
{
    const struct program *program = unit->program;
    const char *output = output_of(driver);
    char *heading = NULL;
    int failed = 0;

    if (output != NULL && asprintf(&heading, "%s (%s)", unit->source, output) < 0) {
        return -1;
    }
    fprintf(out, "<section>\n");
    cleave_page_section(out, id, heading != NULL ? heading : unit->source);
    free(heading);
    if (program == NULL || program->loops == 0) {
        fputs("<p>No loops: nothing in this file calls <code>op_par_loop</code>.</p>\n", out);
    } else {
        explain_overview(out, program, id);
        for (int l = 0; l < program->loops; l++) {
            explain_loop(out, program, id, l);
        }
        failed = write_terminal(driver, program, out);
    }
    fputs("</section>\n", out);
    return failed;
}

static void write_beginning(FILE *out)
{
    cleave_page_begin(out, "How cleavecc splits loops");
    fputs("<p>Predictions of the compiler's model of one GPU: it ranks the schedules of a loop. "
          "Measure to know: <code>CLEAVE_REPORT=report.html</code> shows a run.</p>\n"
          "<p>Each command that names this page replaces the section of its source, and keeps the "
          "others. Delete the page to begin a new one.</p>\n",
          out);
}

/* ---- the page that is there -------------------------------------------------------------------
 */

/* Text of the page that is there, "" if there is none, or none that this cleavecc could have
 * written; the caller frees it. `begin`: how such a page begins. NULL: there is no memory. */
static char *read_page(const char *name, const char *begin)
{
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(name, "r");
    const ssize_t length = file != NULL ? getdelim(&text, &capacity, '\0', file) : -1;
    const size_t ending = strlen(cleave_page_ending);

    if (file != NULL) {
        fclose(file);
    }
    if (length >= (ssize_t)(strlen(begin) + ending) && strncmp(text, begin, strlen(begin)) == 0 &&
        strcmp(text + (size_t)length - ending, cleave_page_ending) == 0) {
        return text;
    }
    free(text);
    return calloc(1, 1);
}

/* The section with the heading's id in the text, from "<section>" on; *end: behind it. If there is
 * none, both are the page's end. */
static char *find_section(char *text, const char *id, char **end)
{
    static const char closing[] = "</section>\n";
    char mark[64];

    snprintf(mark, sizeof(mark), "<section>\n<h2 id=\"%s\">", id);
    char *section = strstr(text, mark);
    char *closed = section != NULL ? strstr(section, closing) : NULL;
    if (closed != NULL) {
        *end = closed + strlen(closing);
        return section;
    }
    *end = text + strlen(text) - strlen(cleave_page_ending);
    return *end;
}

static int write_page(const struct driver *driver, const struct unit *unit, FILE *out)
{
    char *begin = NULL;
    size_t length;
    char id[24];
    char *end = NULL;
    FILE *memory = open_memstream(&begin, &length);

    if (memory == NULL) {
        return -1;
    }
    write_beginning(memory);
    if (fclose(memory) != 0) {
        free(begin);
        return -1;
    }
    char *text = read_page(driver->settings.explain_page, begin);
    int failed = text == NULL;
    if (!failed) {
        const bool continued = text[0] != '\0';
        make_id(driver, unit, id);
        const char *section = continued ? find_section(text, id, &end) : NULL;
        fwrite(continued ? text : begin, 1, continued ? (size_t)(section - text) : length, out);
        failed = write_section(driver, unit, id, out);
        fputs(continued ? end : cleave_page_ending, out);
    }
    free(text);
    free(begin);
    return failed || ferror(out) ? -1 : 0;
}

/* Keeps other commands from writing pages in the folder of `name` at the same time, as far as its
 * file system can. Returns what close() gives up, or -1. */
static int lock_folder(const char *name)
{
    const char *slash = strrchr(name, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(name, (size_t)(slash - name) + 1);
    const int lock = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (lock >= 0) {
        while (flock(lock, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    free(folder);
    return lock;
}

/* ---- a unit -----------------------------------------------------------------------------------
 */

static int add_to_page(const struct driver *driver, const struct unit *unit)
{
    const char *name = driver->settings.explain_page;
    struct cleave_whole_file whole;
    const int lock = lock_folder(name);
    int code = 0;

    if (cleave_whole_file_begin(&whole, name) != 0 ||
        cleave_whole_file_end(&whole, write_page(driver, unit, whole.file)) != 0) {
        fprintf(stderr, "cleavecc: error: cannot write '%s': %s\n", name, strerror(errno));
        code = 1;
    }
    if (lock >= 0) {
        close(lock);
    }
    return code;
}

int explain_unit(const struct driver *driver, const struct unit *unit)
{
    const bool has_loops = unit->program != NULL && unit->program->loops > 0;

    if (access(unit->source, R_OK) != 0) {
        return 0; /* the host compiler reports it */
    }
    if (driver->settings.explain && has_loops) {
        write_text(driver, unit->program, stderr);
    } else if (driver->settings.explain) {
        fprintf(stderr, "%s: no loops: nothing in this file calls op_par_loop\n", unit->source);
    }
    return driver->settings.explain_page != NULL ? add_to_page(driver, unit) : 0;
}
