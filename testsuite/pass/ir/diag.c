/* diag.c: the form of messages: place, snippet, caret, hint, counting, repetition. */
#include "pass/ir/diag.h"

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

/* Returns the messages, with F for the file's name. */
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
               "F:3:2: error: 'k' writes 'q', whose argument is declared OP_READ "
               "[-Wcleave-read-written]\n"
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
        "F:4:14: note: 'k' is not analysed: it has a goto; how it uses its "
        "arguments is not checked [-Wcleave-opaque]\n"
        "    /* \xC3\xA9 */ q[1] = 0;\n"
        "            ^\n"
        "F:40:1: error: type string \"half\" is not known [-Wcleave-unknown-type]\n"
        "F:40:1: note: use \"double\", \"float\", \"int\", \"uint\", \"long\", \"ll\", \"ull\" or "
        "\"bool\"\n"
        "/nowhere.c:1:1: error: type string \"half\" is not known [-Wcleave-unknown-type]\n"
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
                 "4 [-Wcleave-out-of-dim]\n") != NULL);
}

static struct diag_options options_of(const char *words)
{
    struct diag_options options = {0};
    char word[80];
    int length;

    for (; sscanf(words, "%79s%n", word, &length) == 1; words += length) {
        CHECK(diag_option_read(&options, word) == DIAG_OPTION_READ);
    }
    return options;
}

/* Returns the messages for one access error, one warning and one note with these options. */
static const char *said_with(struct diag_options options, int *errors)
{
    FILE *out;
    struct diag *diag = begin(&out);
    struct loc nowhere = {0};

    diag_configure(diag, &options);
    diag_report(diag, DIAG_inc_read, nowhere, 1, nowhere, "k", "q");
    diag_report(diag, DIAG_extremum_unclear, nowhere, 1, nowhere, "k", "q", "OP_MIN", "minimum");
    diag_report(diag, DIAG_opaque, nowhere, 1, nowhere, "k", "it has a goto");
    diag_finish(diag);
    *errors = diag_errors(diag);
    CHECK(diag_count(diag, DIAG_opaque) == 1);
    return end(diag, out);
}

static void test_options(void)
{
    static const struct {
        const char *words;
        bool none_shown;
        bool all_errors;
        int errors;
        const char *has;
        const char *lacks;
    } cases[] = {
        {"", false, false, 1, "note: 'k' is not analysed", "-Werror"},
        {"", true, true, 1, "error: 'k' reads", "not analysed"},
        {"", false, true, 2, "[-Werror=cleave-extremum-unclear]", "[-Werror=cleave-opaque]"},
        {"", false, true, 2, "cleavecc: all warnings being treated as errors\n", "warning:"},
        {"-Wno-error=cleave-extremum-unclear", false, true, 1, "warning: 'k' may do", "treated"},
        {"-Wno-cleave-opaque", false, false, 1, "warning: 'k' may do", "not analysed"},
        {"-Wno-cleave-opaque -Wcleave-opaque", false, false, 1, "not analysed", "-Werror"},
        {"-Wno-cleave-extremum-unclear", false, true, 1, "not analysed", "may do"},
        {"-Werror=cleave-opaque", false, false, 2, "error: 'k' is not analysed", "note: 'k'"},
        {"-Wno-error=cleave-inc-read", false, false, 0, "warning: 'k' reads", "error:"},
        {"-Wno-cleave-inc-read", false, false, 0, "warning: 'k' may do", "'k' reads"},
        {"-Wno-cleave", false, false, 1, "error: 'k' reads", "'k' may"},
        {"-Wno-error=cleave", false, true, 0, "warning: 'k' reads", "error:"},
        {"-Werror=cleave", false, false, 2, "error: 'k' may do", "error: 'k' is not analysed"},
        {"-Wno-cleave -Wcleave-opaque", false, false, 1, "note: 'k' is not analysed", "'k' may"},
        {"-Wno-cleave-opaque -Wcleave", false, false, 1, "note: 'k' is not analysed", "-Werror"},
    };

    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct diag_options options = options_of(cases[c].words);
        const char *text;
        int errors;

        options.none_shown = cases[c].none_shown;
        options.all_errors = cases[c].all_errors;
        text = said_with(options, &errors);
        CHECK(errors == cases[c].errors);
        CHECK(strstr(text, cases[c].has) != NULL && strstr(text, cases[c].lacks) == NULL);
    }
}

static void test_option_words(void)
{
    static const struct {
        const char *word;
        enum diag_answer answer;
    } cases[] = {
        {"-Wall", DIAG_OPTION_NOT_OURS},
        {"-Wcleaved", DIAG_OPTION_NOT_OURS},
        {"cleave-opaque", DIAG_OPTION_NOT_OURS},
        {"-Wno-cleave-opaqu", DIAG_OPTION_UNKNOWN},
        {"-Wcleave-read_written", DIAG_OPTION_UNKNOWN},
        {"-Werror=cleave-", DIAG_OPTION_UNKNOWN},
        {"-Wno-cleave-argument-count", DIAG_OPTION_FIXED},
        {"-Wno-error=cleave-recursion", DIAG_OPTION_FIXED},
        {"-Werror=cleave-recursion", DIAG_OPTION_READ},
    };

    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct diag_options options = {0};

        CHECK(diag_option_read(&options, cases[c].word) == cases[c].answer);
    }
}

static void test_colour(void)
{
    FILE *out;
    struct diag *diag = begin(&out);

    diag_configure(diag, &(struct diag_options){.colour = true});
    diag_report(diag, DIAG_opaque, (struct loc){file, 1, 1}, 1, (struct loc){0}, "k", "it is");
    CHECK_TEXT(
        end(diag, out),
        "\33[01m\33[KF:1:1:\33[m\33[K \33[01;36m\33[Knote: \33[m\33[K'k' is not analysed: it is; "
        "how it uses its arguments is not checked [\33[01;36m\33[K-Wcleave-opaque\33[m\33[K]\n"
        "void k(double *q)\n\33[32m\33[K^\33[m\33[K\n");
}

static void test_json(void)
{
    FILE *out;
    struct diag *diag = begin(&out);
    struct diag_options options = options_of("-Wno-cleave-opaque");

    options.format = DIAG_JSON;
    diag_configure(diag, &options);
    diag_report(diag, DIAG_read_written, (struct loc){file, 3, 2}, 4, (struct loc){file, 1, 8},
                "k\n\"", "q");
    diag_report(diag, DIAG_opaque, (struct loc){0}, 1, (struct loc){0}, "k", "it is");
    diag_finish(diag);
    CHECK_TEXT(
        end(diag, out),
        "[{\"kind\": \"error\", \"message\": \"'k\\u000a\\\"' writes 'q', whose argument is "
        "declared "
        "OP_READ\", \"option\": \"-Wcleave-read-written\", \"locations\": [{\"caret\": {\"file\": "
        "\"F\", \"line\": 3, \"display-column\": 9, \"byte-column\": 2, \"column\": 9}, "
        "\"finish\": "
        "{\"file\": \"F\", \"line\": 3, \"display-column\": 12, \"byte-column\": 5, \"column\": "
        "12}}], \"children\": [{\"kind\": \"note\", \"message\": \"declare it OP_INC if the kernel "
        "only "
        "accumulates, else OP_RW\", \"locations\": [{\"caret\": {\"file\": \"F\", \"line\": 1, "
        "\"display-column\": 8, \"byte-column\": 8, \"column\": 8}}], \"escape-source\": false}], "
        "\"column-origin\": 1, \"escape-source\": false}]\n");
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
    test_options();
    test_option_words();
    test_colour();
    test_json();
    test_list();
    unlink(file);
    free(said);
    return CHECK_RESULT();
}
