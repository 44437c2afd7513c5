/* unit_id.c: the id of a translation unit.
 *
 * In: what the unit is made of, as a list of texts. Out: 16 hexadecimal digits of XXH3. xxHash is
 * compiled in, so that an installed cleavecc needs no library of it.
 */
#include "pass/frontend/pass.h"

#include <inttypes.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Each length is hashed before its text, so that "a" "bc" and "ab" "c" differ. */
void pass_unit_id(char id[17], const struct pass_text *text, int texts)
{
    XXH3_state_t state;

    XXH3_64bits_reset(&state);
    for (int t = 0; t < texts; t++) {
        const uint64_t length = text[t].length;

        XXH3_64bits_update(&state, &length, sizeof(length));
        XXH3_64bits_update(&state, text[t].begin, text[t].length);
    }
    snprintf(id, 17, "%016" PRIx64, (uint64_t)XXH3_64bits_digest(&state));
}
