/* settings.c: every row of settings.def that programs read: each word and number is taken and gives
 * its constant, anything else ends the program with a message that names what is known. */
#include <stddef.h>

#include "runtime/base/settings.h"

#include "check.h"
#include "child.h"

#define NO_FIELD ((size_t)-1)

static char said[4096];
static const char *name;
static const char *wrong;

static int field_at(size_t offset)
{
    return *(const int *)((const char *)&cleave_settings + offset);
}

static void takes(const char *value, size_t offset, int expected)
{
    setenv(name, value, 1);
    cleave_settings_read(0, NULL, 0);
    CHECK(offset == NO_FIELD || field_at(offset) == expected);
    unsetenv(name);
}

static void read_wrong(void)
{
    setenv(name, wrong, 1);
    cleave_settings_read(0, NULL, 0);
}

static void refuses(const char *value, const char *message)
{
    wrong = value;
    CHECK(child_run(read_wrong, said, sizeof said) == 1);
    CHECK(strstr(said, name) != NULL && strstr(said, message) != NULL);
}

/* After the message for a wrong value: it has the word. */
static void is_named(const char *word)
{
    CHECK(strstr(said, word) != NULL);
}

static void takes_choices(void)
{
    size_t offset = NO_FIELD;
#define RUN_CHOICE(field, NAME, unset, usual, meaning)                                             \
    name = "CLEAVE_" #NAME;                                                                        \
    offset = offsetof(struct cleave_settings, field);                                              \
    takes("", offset, unset);                                                                      \
    refuses("no-such-word", "=no-such-word is not known; known are: ");
#define RUN_OWN(NAME, shown, usual, meaning)                                                       \
    name = "CLEAVE_" #NAME;                                                                        \
    offset = NO_FIELD;                                                                             \
    if (strcmp(name, "CLEAVE_PARTITION") == 0) {                                                   \
        refuses("no-such-word", "=no-such-word is not known; known are: ");                        \
    }
#define RUN_WORD(constant, word, meaning)                                                          \
    if (word[0] != '\0') {                                                                         \
        takes(word, offset, constant);                                                             \
        is_named(word);                                                                            \
    }
#include "runtime/api/settings.def"
}

static void takes_numbers(void)
{
    char text[32];
#define RUN_NUMBER(field, NAME, least, most, usual, meaning)                                       \
    name = "CLEAVE_" #NAME;                                                                        \
    takes("", offsetof(struct cleave_settings, field), 0);                                         \
    takes(#least, offsetof(struct cleave_settings, field), least);                                 \
    takes(#most, offsetof(struct cleave_settings, field), most);                                   \
    snprintf(text, sizeof text, "%d", (least) - 1);                                                \
    refuses(text, " is not a number from " #least " to " #most);                                   \
    snprintf(text, sizeof text, "%d", (most) + 1);                                                 \
    refuses(text, " is not a number from ");
#include "runtime/api/settings.def"
}

static void takes_texts(void)
{
#define RUN_TEXT(field, NAME, shown, usual, meaning)                                               \
    setenv("CLEAVE_" #NAME, "some text", 1);                                                       \
    cleave_settings_read(0, NULL, 0);                                                              \
    CHECK_TEXT(cleave_settings.field, "some text");                                                \
    unsetenv("CLEAVE_" #NAME);                                                                     \
    cleave_settings_read(0, NULL, 0);                                                              \
    CHECK(cleave_settings.field == NULL);
#include "runtime/api/settings.def"
}

static void knows_all_names(void)
{
#define KNOWN(NAME) setenv("CLEAVE_" #NAME, "", 1);
#define SWITCH_FLAG(field, VARIABLE, meaning) KNOWN(VARIABLE)
#define CHOICE_FLAG(field, VARIABLE, usual, meaning) KNOWN(VARIABLE)
#define NUMBER_FLAG(field, VARIABLE, least, most, usual, meaning) KNOWN(VARIABLE)
#define TEXT_FLAG(field, VARIABLE, shown, usual, meaning) KNOWN(VARIABLE)
#define LIST_FLAG(field, VARIABLE, usual, meaning) KNOWN(VARIABLE)
#define OWN_FLAG(field, VARIABLE, shown, usual, meaning) KNOWN(VARIABLE)
#define COMPILE_VARIABLE(NAME, shown, usual, meaning) KNOWN(NAME)
#define RUN_CHOICE(field, NAME, unset, usual, meaning) KNOWN(NAME)
#define RUN_TEXT(field, NAME, shown, usual, meaning) KNOWN(NAME)
#define RUN_NUMBER(field, NAME, least, most, usual, meaning) KNOWN(NAME)
#define RUN_OWN(NAME, shown, usual, meaning) KNOWN(NAME)
#define EMULATOR_VARIABLE(NAME, shown, usual, meaning) KNOWN(NAME)
#include "runtime/api/settings.def"
    cleave_settings_read(0, NULL, 0);
}

static void misspells(void)
{
    setenv("CLEAVE_BACKND", "seq", 1);
    setenv("CLEAVE_ELSEWHERE", "/opt", 1);
    cleave_settings_read(0, NULL, 0);
}

int main(void)
{
    clearenv();
    takes_choices();
    takes_numbers();
    takes_texts();
    CHECK(child_run(knows_all_names, said, sizeof said) == 0);
    CHECK_TEXT(said, "");
    CHECK(child_run(misspells, said, sizeof said) == 0);
    CHECK_TEXT(
        said, "cleave: warning: environment variable 'CLEAVE_BACKND' is not known to cleave and "
              "has no effect; did you mean CLEAVE_BACKEND\n"
              "cleave: warning: environment variable 'CLEAVE_ELSEWHERE' is not known to cleave and "
              "has no effect\n");
    return CHECK_RESULT();
}
