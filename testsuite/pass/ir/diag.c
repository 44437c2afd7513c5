/* diag.c: the form of messages: place, snippet, caret, hint, counting, repetition. */
#include "pass/diag.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static const char source[] = "void k(double *q)\n"
                             "{\n"
                             "\tq[0] += f;\n"
                             "    /* \xC3\xA9 */ q[1] = 0;\r\n"
                             "}";
static char file[] = "/tmp/cleave-diag-XXXXXX";
static char *said;
static size_t size;

static struct diag *begin(FILE **out)
{
    free(said);
    said = NULL;
    *out = open_memstream(&said, &size);
    return diag_new(*out);
}

/* What was said, with the file's name cut out. */
static const char *end(struct diag *diag, FILE *out)
{
    static char text[4000];
    char *to = text;

    diag_free(diag);
    fclose(out);
    for (const char *from = said; *from != '\0';) {
        if (strncmp(from, file, strlen(file)) == 0) {
            from += strlen(file);
            *to++ = 'F';
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return text;
}

static void test_form(void)
{
    FILE *out;
    struct diag *diag = begin(&out);

    diag_report(diag, DIAG_read_written, (struct loc){file, 3, 2}, 4, (struct loc){file, 1, 8}, "k",
                "q");
    CHECK(diag_errors(diag) == 1);
    CHECK(diag_count(diag, DIAG_read_written) == 1);
    CHECK_TEXT(end(diag, out),
               "F:3:2: error: 'k' writes 'q', whose argument is declared OP_READ\n"
               "        q[0] += f;\n"
               "        ^~~~\n"
               "F:1:8: note: declare it OP_INC if the kernel only accumulates, else OP_RW\n"
               "void k(double *q)\n"
               "       ^\n");
}

static void test_places(void)
{
    FILE *out;
    struct diag *diag = begin(&out);
    struct loc nowhere = {0};

    /* A character of two bytes, a line that ends in \r\n; no hint. */
    diag_report(diag, DIAG_opaque, (struct loc){file, 4, 14}, 1, nowhere, "k", "it has a goto");
    /* No such line, no such file, no place at all; the hint stands at the message's place. */
    diag_report(diag, DIAG_unknown_type, (struct loc){file, 40, 1}, 3, nowhere, "half");
    diag_report(diag, DIAG_unknown_type, (struct loc){"/nowhere.c", 1, 1}, 3, nowhere, "half");
    diag_report(diag, DIAG_parse_error, nowhere, 1, nowhere, "broken");
    CHECK_TEXT(
        end(diag, out),
        "F:4:14: note: 'k' is taken whole: it has a goto; how it uses its "
        "arguments is not checked\n"
        "    /* \xC3\xA9 */ q[1] = 0;\n"
        "            ^\n"
        "F:40:1: error: type string \"half\" is not known\n"
        "F:40:1: note: use \"double\", \"float\", \"int\", \"uint\", \"long\", \"ll\", \"ull\" or "
        "\"bool\"\n"
        "/nowhere.c:1:1: error: type string \"half\" is not known\n"
        "/nowhere.c:1:1: note: use \"double\", \"float\", \"int\", \"uint\", \"long\", \"ll\", "
        "\"ull\" or \"bool\"\n"
        "cleavecc: error: broken\n");
}

static void test_repetition(void)
{
    FILE *out;
    struct diag *diag = begin(&out);
    struct loc nowhere = {0};

    diag_report(diag, DIAG_parse_error, (struct loc){file, 5, 1}, 90, nowhere, "one");
    diag_report(diag, DIAG_parse_error, (struct loc){file, 5, 1}, 1, nowhere, "one");
    diag_report(diag, DIAG_parse_error, nowhere, 1, nowhere, "two");
    diag_report(diag, DIAG_parse_error, nowhere, 1, nowhere, "three");
    diag_report(diag, DIAG_parse_error, nowhere, 1, nowhere, "three");
    CHECK(diag_count(diag, DIAG_parse_error) == 3);
    CHECK(diag_errors(diag) == 3);
    CHECK_TEXT(end(diag, out),
               "F:5:1: error: one\n}\n^\ncleavecc: error: two\ncleavecc: error: three\n");
}

static void test_access_as_warnings(void)
{
    FILE *out;
    struct diag *diag = begin(&out);
    struct loc nowhere = {0};

    CHECK(diag_severity_of(diag, DIAG_inc_read) == DIAG_ERROR);
    diag_access_as_warnings(diag);
    CHECK(diag_severity_of(diag, DIAG_inc_read) == DIAG_WARNING);
    CHECK(diag_severity_of(diag, DIAG_no_body) == DIAG_WARNING);
    CHECK(diag_severity_of(diag, DIAG_recursion) == DIAG_ERROR);
    diag_host_only(diag);
    CHECK(diag_severity_of(diag, DIAG_no_body) == DIAG_NOTE);
    CHECK(diag_severity_of(diag, DIAG_inc_read) == DIAG_WARNING);
    diag_report(diag, DIAG_out_of_dim, nowhere, 1, nowhere, "k", 4, "q", 4);
    CHECK(diag_errors(diag) == 0);
    CHECK(strstr(end(diag, out),
                 "warning: 'k' uses component 4 of 'q', whose argument has dimension "
                 "4\n") != NULL);
}

static void test_list(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    int lines = 0;

    diag_list(out);
    fclose(out);
    for (size_t n = 0; n < length; n++) {
        lines += text[n] == '\n';
    }
    CHECK(lines == DIAG_COUNT);
    CHECK(strstr(text, "inc_direct warning '%s' reads or assigns") != NULL);
    CHECK(strstr(text, "inc_read access '%s' reads") != NULL);
    CHECK(strstr(text, "parse_error error %s | -\n") != NULL);
    free(text);
}

int main(void)
{
    int handle = mkstemp(file);

    CHECK(handle >= 0 && write(handle, source, sizeof(source) - 1) == (ssize_t)sizeof(source) - 1);
    close(handle);
    test_form();
    test_places();
    test_repetition();
    test_access_as_warnings();
    test_list();
    unlink(file);
    free(said);
    return CHECK_RESULT();
}
