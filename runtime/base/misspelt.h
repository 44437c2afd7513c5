/* misspelt.h: words that users spell wrong; for the runtime and for cleavecc. */
#ifndef CLEAVE_MISSPELT_H
#define CLEAVE_MISSPELT_H

#include <stddef.h>

/* The first of the `words` that the misspelt one of so many characters is nearest to: at most two
 * characters were added, left out, changed or swapped with their neighbour. NULL: none is that
 * near. Words of more than 63 characters are near to none. */
const char *cleave_nearest(const char *misspelt, size_t length, const char *const *words,
                           int count);

/* 1: the entry "NAME=value" of an environment is a variable CLEAVE_... that neither programs nor
 * cleavecc read. Then *near is the name, without CLEAVE_, that it may have been meant to be, or
 * NULL. */
int cleave_variable_is_unknown(const char *entry, const char **near);

#endif
