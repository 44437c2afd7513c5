/* unit_id.c: the id of a translation unit.
 *
 * In: path, flags and output name. Out: 16 hexadecimal digits, equal for equal builds (so that
 * compiler caches and reproducible builds work) and different for different units. 64 bits of
 * FNV-1a.
 */
#include "pass/pass.h"

#include <inttypes.h>
#include <string.h>

/* The terminating NUL counts, so that "a" "bc" and "ab" "c" differ. */
static uint64_t mix(uint64_t hash, const char *text)
{
    size_t length = text != NULL ? strlen(text) + 1 : 0;

    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

void pass_unit_id(char id[17], const char *source, int flags, const char *const *flag,
                  const char *output)
{
    uint64_t hash = mix(UINT64_C(14695981039346656037), source);

    for (int f = 0; f < flags; f++) {
        hash = mix(hash, flag[f]);
    }
    hash = mix(mix(hash, "-o"), output);
    snprintf(id, 17, "%016" PRIx64, hash);
}
