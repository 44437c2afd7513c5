/* mention.c: which sources have nothing of OP2 in them, so that libclang need not read them.
 *
 * In: a source and the flags that change what it means. Out: whether OP2 is mentioned anywhere in
 * what the host compiler's preprocessor makes of it. Loops may come through headers and macros:
 * only the preprocessed text tells, and where it cannot be had, the answer is yes.
 */
#include <stdlib.h>
#include <string.h>

#include "pass/driver/generated.h"
#include "pass/driver/mention.h"
#include "pass/driver/process.h"

/* Words that show that a source may use OP2. Declarations of op_lib.h contain the first one; file
 * names find most such sources without the preprocessor; the others also match a function of the
 * user's own with that name. */
static const char *const mentions[] = {"cleave_", "op_seq", "op_lib", "op_par_loop",
                                       "op_decl_const"};

enum { MENTIONS = sizeof(mentions) / sizeof(mentions[0]) };

static bool text_mentions(const char *text, const char *const *words, int count)
{
    for (int w = 0; w < count; w++) {
        if (strstr(text, words[w]) != NULL) {
            return true;
        }
    }
    return false;
}

/* Whether the file itself has one of the words, so that preprocessing it is unnecessary; false also
 * when it cannot be read. */
static bool file_mentions(const char *path, const char *const *words, int count)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    bool found = false;

    while (file != NULL && !found && getline(&line, &size, file) >= 0) {
        found = text_mentions(line, words, count);
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

/* The command that preprocesses the source with the flags that libclang gets. as_parsed:
 * op_par_loop is defined as for libclang; otherwise it is expanded. */
static struct words preprocess_command(const struct driver *driver, const struct unit *unit,
                                       bool as_parsed)
{
    struct words users = command_select(&driver->command, USE_PARSE);
    struct words out = host_command(driver);

    words_add_all(&out, &users);
    if (as_parsed) {
        words_add(&out, "-DCLEAVE_PARSE");
    }
    words_add(&out, unit->language == LANGUAGE_CXX ? "-xc++" : "-xc");
    words_add(&out, "-E");
    words_add(&out, unit->source);
    return out;
}

bool unit_may_have_loops(const struct driver *driver, const struct unit *unit)
{
    struct words command;
    const char *text;

    if (file_mentions(unit->source, mentions, MENTIONS)) {
        return true;
    }
    command = preprocess_command(driver, unit, true);
    text = process_output(&command);
    /* Preprocessed text begins with a line that names the source; other output proves nothing. */
    return text == NULL || text[0] != '#' || text_mentions(text, mentions, MENTIONS);
}

bool unit_expands_loops(const struct driver *driver, const struct unit *unit)
{
    struct words command = preprocess_command(driver, unit, false);
    const char *text = process_output(&command);

    return text != NULL && text_has_expanded_loops(text);
}

bool text_has_expanded_loops(const char *text)
{
    return strstr(text, "cleave_loop_begin(&") != NULL ||
           strstr(text, "cleave::par_loop(&") != NULL;
}

bool unit_names_loops(const struct unit *unit)
{
    static const char *const word[] = {"op_par_loop"};

    return file_mentions(unit->source, word, 1);
}
