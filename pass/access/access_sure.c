/* access_sure.c: tracks which components of an argument every path to the current statement has
 * set.
 *
 * If a condition skips the write, an OP_WRITE argument keeps the value from before the loop: a read
 * there makes it an OP_RW. A component that was set under a condition is sure within that branch,
 * and behind the if when each branch sets it. An unknown subscript counts as all components. */
#include <string.h>

#include "pass/access/access_state.h"
#include "pass/ir/arena.h"

enum { ALL_BITS = 0xff };

static size_t bytes_of(const struct walk *walk)
{
    return (size_t)walk->loop->args * sizeof(*walk->state->sure);
}

unsigned long long *sure_new(struct walk *walk)
{
    return arena_alloc(walk->arena, bytes_of(walk));
}

unsigned long long *sure_copy(struct walk *walk)
{
    unsigned long long *copy = sure_new(walk);

    if (walk->state->is_reached) {
        memcpy(copy, walk->state->sure, bytes_of(walk));
    } else {
        memset(copy, ALL_BITS, bytes_of(walk)); /* an unreachable point lacks nothing */
    }
    return copy;
}

void sure_set(struct walk *walk, const unsigned long long *sure)
{
    memcpy(walk->state->sure, sure, bytes_of(walk));
}

void sure_forget(struct walk *walk, struct state *state)
{
    memset(state->sure, ALL_BITS, bytes_of(walk));
}

bool sure_same(const struct walk *walk, const unsigned long long *a, const unsigned long long *b)
{
    return memcmp(a, b, bytes_of(walk)) == 0;
}

void sure_join(struct walk *walk, const struct state *other)
{
    struct state *state = walk->state;

    if (!other->is_reached) {
        return;
    }
    for (int n = 0; n < walk->loop->args; n++) {
        state->sure[n] = state->is_reached ? state->sure[n] & other->sure[n] : other->sure[n];
    }
}

void sure_write(struct walk *walk, int arg, unsigned long long components, bool is_sole)
{
    if (is_sole) {
        walk->state->sure[arg] |= components;
    }
    if (!is_sole || access_is_conditional(walk)) {
        walk->seen[arg].conditional |= components;
    }
}

bool sure_lacks(const struct walk *walk, int arg, unsigned long long components)
{
    return (components & walk->seen[arg].conditional & ~walk->state->sure[arg]) != 0;
}
