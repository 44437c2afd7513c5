/* arena.c: chunks of zeroed memory, handed out front to back and freed together. See arena.h. */
#include "pass/ir/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_CHUNK = 64 * 1024, ARENA_ALIGN = 16 };

struct chunk {
    struct chunk *next;
    size_t used;
    size_t size;
    _Alignas(ARENA_ALIGN) char data[];
};

struct arena {
    struct chunk *chunk; /* the one being filled, then the full ones */
};

static void exhausted(size_t size)
{
    fprintf(stderr, "cleavecc: out of memory: %zu bytes more were needed\n", size);
    exit(1);
}

struct arena *arena_new(void)
{
    struct arena *arena = calloc(1, sizeof(*arena));

    if (arena == NULL) {
        exhausted(sizeof(*arena));
    }
    return arena;
}

void arena_free(struct arena *arena)
{
    if (arena == NULL) {
        return;
    }
    for (struct chunk *chunk = arena->chunk; chunk != NULL;) {
        struct chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
    free(arena);
}

static struct chunk *chunk_new(size_t size)
{
    struct chunk *chunk = NULL;

    if (size <= (size_t)-1 - sizeof(*chunk)) {
        chunk = calloc(1, sizeof(*chunk) + size);
    }
    if (chunk == NULL) {
        exhausted(size);
    }
    chunk->size = size;
    return chunk;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    struct chunk *chunk = arena->chunk;
    char *place;

    if (size > (size_t)-1 - 2 * sizeof(*chunk)) {
        exhausted(size);
    }
    size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    if (size > ARENA_CHUNK / 2) {
        /* A large piece gets a chunk of its own, behind the one being filled. */
        struct chunk *own = chunk_new(size);

        own->used = size;
        if (chunk == NULL) {
            arena->chunk = own;
        } else {
            own->next = chunk->next;
            chunk->next = own;
        }
        return own->data;
    }
    if (chunk == NULL || chunk->size - chunk->used < size) {
        chunk = chunk_new(ARENA_CHUNK);
        chunk->next = arena->chunk;
        arena->chunk = chunk;
    }
    place = chunk->data + chunk->used;
    chunk->used += size;
    return place;
}

char *arena_text_part(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);

    memcpy(copy, text, length);
    return copy;
}

char *arena_text(struct arena *arena, const char *text)
{
    return arena_text_part(arena, text, strlen(text));
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list list;
    int length;
    char *text;

    va_start(list, format);
    length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0) {
        return arena_text(arena, format);
    }
    text = arena_alloc(arena, (size_t)length + 1);
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    return text;
}

void *arena_grow(struct arena *arena, void *array, int count, int *capacity, size_t size)
{
    int more;
    void *grown;

    if (count < *capacity) {
        return array;
    }
    more = count < 4 ? 8 : 2 * count;
    grown = arena_alloc(arena, (size_t)more * size);
    if (count > 0) {
        memcpy(grown, array, (size_t)count * size);
    }
    *capacity = more;
    return grown;
}
