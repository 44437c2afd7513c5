/* explain.c: --cleave-explain as text, and --cleave-explain=FILE.html as a page. The page looks
 * like the report of a run (runtime/page/). It has the units of one command one after the other:
 * each is read by a process of its own, and the later ones add themselves to what the earlier ones
 * wrote. */
#include "pass/driver/explain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static int write_unit(const struct driver *driver, const struct unit *unit, FILE *out)
{
    const struct program *program = unit->program;
    char id[32];

    snprintf(id, sizeof(id), "unit-%d", driver->explained + 1);
    cleave_page_section(out, id, unit->source);
    explain_overview(out, program, id);
    for (int l = 0; l < program->loops; l++) {
        explain_loop(out, program, id, l);
    }
    return write_terminal(driver, program, out);
}

/* Copies what earlier units wrote, without its end. Returns false if the file is no such page. */
static bool copy_earlier(const char *name, FILE *out)
{
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(name, "r");
    ssize_t length = file != NULL ? getdelim(&text, &capacity, '\0', file) : -1;
    ssize_t kept = length - (ssize_t)strlen(cleave_page_ending);
    bool copied = kept > 0 && strcmp(text + kept, cleave_page_ending) == 0;

    if (copied) {
        fwrite(text, 1, (size_t)kept, out);
    }
    if (file != NULL) {
        fclose(file);
    }
    free(text);
    return copied;
}

static int write_page(const struct driver *driver, const struct unit *unit, FILE *out)
{
    if (driver->explained == 0 || !copy_earlier(driver->settings.explain_page, out)) {
        cleave_page_begin(out, "How cleavecc splits loops");
        fputs(
            "<p>Predictions of the compiler's model of one GPU: it ranks the schedules of a loop. "
            "Measure to know: <code>CLEAVE_REPORT=report.html</code> shows a run.</p>\n",
            out);
    }
    const int failed = write_unit(driver, unit, out);
    cleave_page_end(out);
    return failed || ferror(out) ? -1 : 0;
}

int explain_unit(const struct driver *driver, const struct unit *unit)
{
    const char *name = driver->settings.explain_page;
    struct cleave_whole_file whole;

    if (driver->settings.explain) {
        write_text(driver, unit->program, stderr);
    }
    if (name == NULL) {
        return 0;
    }
    if (cleave_whole_file_begin(&whole, name) != 0 ||
        cleave_whole_file_end(&whole, write_page(driver, unit, whole.file)) != 0) {
        fprintf(stderr, "cleavecc: error: cannot write '%s': %s\n", name, strerror(errno));
        return 1;
    }
    return 0;
}
