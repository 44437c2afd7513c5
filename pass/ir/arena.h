/* arena.h: memory that lives as long as one Program.
 *
 * Everything that the compiler builds for one translation unit comes from one arena and is freed
 * with it, so nobody frees a node and no node outlives another. Running out of memory ends the
 * compiler with a message: no caller has to check a result.
 */
#ifndef CLEAVE_ARENA_H
#define CLEAVE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena); /* NULL is fine */

/* Zeroed, aligned for any type, never NULL; size 0 gives a valid address. */
void *arena_alloc(struct arena *arena, size_t size);

/* Copies of text, NUL-terminated. */
char *arena_text(struct arena *arena, const char *text);
char *arena_text_part(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Room for one more element in an array that grows: returns `array`, moved when it was full
 * (count == *capacity), and updates *capacity. Start with NULL, 0, 0. The new room is zeroed. Use
 * as list = arena_grow(arena, list, count, &capacity, sizeof(*list)); list[count++] = item;
 */
void *arena_grow(struct arena *arena, void *array, int count, int *capacity, size_t size);

#endif
