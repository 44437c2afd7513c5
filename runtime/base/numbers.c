/* numbers.c: numbers as C writes them, whatever setlocale says: a decimal comma would make two
 * fields of one in CSV, and no JSON at all. */
#include "runtime/base/settings.h"

#include <locale.h>

/* Made once and kept; 0 where it cannot be made, and then the program's locale stays. */
static locale_t plain_locale(void)
{
    static locale_t plain;
    if (plain == (locale_t)0) {
        plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    }
    return plain;
}

void *cleave_numbers_plain(void)
{
    locale_t plain = plain_locale();
    return plain != (locale_t)0 ? uselocale(plain) : NULL;
}

void cleave_numbers_restore(void *const *before)
{
    if (*before != NULL) {
        uselocale(*before);
    }
}

double cleave_number_from(const char *text, char **end)
{
    CLEAVE_PLAIN_NUMBERS;
    return strtod(text, end);
}
