/* misspelt.c: see misspelt.h. */
#include "runtime/base/misspelt.h"

#include <string.h>

enum { LONGEST = 63, MOST_CHANGES = 2 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The number of changes from a to b, by rows of the usual table: here[j] is that for the first i
 * characters of a and the first j of b. */
static int changes(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int before[LONGEST + 1] = {0};
    int last[LONGEST + 1];
    int here[LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++) {
        last[j] = (int)j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        here[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            here[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], here[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                here[j] = least(here[j], before[j - 2] + 1);
            }
        }
        memcpy(before, last, sizeof before);
        memcpy(last, here, (b_length + 1) * sizeof *here);
    }
    return last[b_length];
}

const char *cleave_nearest(const char *misspelt, size_t length, const char *const *words, int count)
{
    const char *found = NULL;
    /* A third of a short word is too much: every word would be near. */
    int fewest = least(MOST_CHANGES, (int)length / 3) + 1;
    for (int i = 0; i < count && length <= LONGEST; i++) {
        size_t word_length = strlen(words[i]);
        int distance =
            word_length <= LONGEST ? changes(misspelt, length, words[i], word_length) : fewest;
        if (distance < fewest) {
            fewest = distance;
            found = words[i];
        }
    }
    return found;
}

/* Every variable of the table that is cleave's own, without CLEAVE_, which no misspelt one is
 * without. */
static const char *const known[] = {
#define SWITCH_FLAG(name, VARIABLE, meaning) #VARIABLE,
#define CHOICE_FLAG(name, VARIABLE, usual, meaning) #VARIABLE,
#define NUMBER_FLAG(name, VARIABLE, least, most, usual, meaning) #VARIABLE,
#define TEXT_FLAG(name, VARIABLE, shown, usual, meaning) #VARIABLE,
#define LIST_FLAG(name, VARIABLE, usual, meaning) #VARIABLE,
#define OWN_FLAG(name, VARIABLE, shown, usual, meaning) #VARIABLE,
#define COMPILE_VARIABLE(NAME, shown, usual, meaning) #NAME,
#define RUN_CHOICE(field, NAME, unset, usual, meaning) #NAME,
#define RUN_TEXT(field, NAME, shown, usual, meaning) #NAME,
#define RUN_NUMBER(field, NAME, least, most, usual, meaning) #NAME,
#define RUN_OWN(NAME, shown, usual, meaning) #NAME,
#define EMULATOR_VARIABLE(NAME, shown, usual, meaning) #NAME,
#include "runtime/api/settings.def"
};

enum { KNOWN = sizeof known / sizeof known[0] };

int cleave_variable_is_unknown(const char *entry, const char **near)
{
    const size_t prefix = strlen("CLEAVE_");
    *near = NULL;
    if (strncmp(entry, "CLEAVE_", prefix) != 0) {
        return 0;
    }
    const char *name = entry + prefix;
    const size_t length = strcspn(name, "=");
    for (int i = 0; i < KNOWN; i++) {
        if (strlen(known[i]) == length && memcmp(known[i], name, length) == 0) {
            return 0;
        }
    }
    *near = cleave_nearest(name, length, known, KNOWN);
    return 1;
}
