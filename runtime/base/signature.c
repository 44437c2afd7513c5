/* signature.c: the pattern of a loop's arguments as text. Compiled into the compiler and the
 * runtime, so that both write the same. */
#include "runtime/api/cleave_gen.h"

#include <stdio.h>

int cleave_signature(char *out, size_t capacity, const struct cleave_sigarg *arg, int nargs)
{
    size_t length = 0;
    if (capacity > 0) {
        out[0] = '\0';
    }
    for (int a = 0; a < nargs; a++) {
        const struct cleave_sigarg *s = &arg[a];
        size_t room = length < capacity ? capacity - length : 0;
        char set[16] = "";
        if (s->set > 0) {
            snprintf(set, sizeof set, "@%d", s->set);
        }
        int written = snprintf(room > 0 ? out + length : NULL, room, "%s%c%d.%d.%d%s:%d:%s:%c%s",
                               a > 0 ? " " : "", s->kind, s->dat, s->map, s->index, set, s->dim,
                               s->type, s->access, s->optional ? "?" : "");
        length += (size_t)written;
    }
    return (int)length;
}
