/* arena.c: alignment, zeroing, large pieces, growing arrays and texts. */
#include "pass/ir/arena.h"

#include <stdbool.h>
#include <stdint.h>

#include "check.h"

static void test_allocation(void)
{
    struct arena *arena = arena_new();
    bool ok = true;

    for (size_t size = 0; size < 3000; size += 7) {
        char *piece = arena_alloc(arena, size);

        ok &= (uintptr_t)piece % 16 == 0;
        for (size_t n = 0; n < size; n++) {
            ok &= piece[n] == 0;
        }
        memset(piece, 0xAB, size);
    }
    CHECK(ok);
    char *large = arena_alloc(arena, 1 << 20);

    CHECK(large[0] == 0 && large[(1 << 20) - 1] == 0);
    memset(large, 1, 1 << 20);
    CHECK(*(char *)arena_alloc(arena, 1) == 0);
    arena_free(arena);
    arena_free(NULL);
}

static void test_growth(void)
{
    struct arena *arena = arena_new();
    int *list = NULL;
    int capacity = 0;
    int count = 0;
    bool ok = true;

    for (int n = 0; n < 1000; n++) {
        list = arena_grow(arena, list, count, &capacity, sizeof(*list));
        ok &= list[count] == 0;
        list[count++] = n;
    }
    for (int n = 0; n < 1000; n++) {
        ok &= list[n] == n;
    }
    CHECK(ok);
    CHECK_TEXT(arena_format(arena, "%s %d", "cell", 7), "cell 7");
    CHECK_TEXT(arena_text(arena, ""), "");
    CHECK_TEXT(arena_text_part(arena, "abcdef", 3), "abc");
    arena_free(arena);
}

int main(void)
{
    test_allocation();
    test_growth();
    return CHECK_RESULT();
}
