/* piece.c: trees of text and their printing. See piece.h. */
#include "testsuite/fuzz/piece.h"

#include <stdlib.h>
#include <string.h>

struct piece *piece_new(struct arena *arena, const char *text, struct piece *const *kid)
{
    struct piece *piece = arena_alloc(arena, sizeof(*piece));

    piece->text = text;
    piece->unit = -1;
    for (const char *at = text; (at = strchr(at, '@')) != NULL; at++) {
        piece_add(arena, piece, kid[piece->kids]);
    }
    return piece;
}

struct piece *piece_list(struct arena *arena, const char *separator)
{
    struct piece *piece = arena_alloc(arena, sizeof(*piece));

    piece->separator = separator;
    piece->unit = -1;
    return piece;
}

void piece_add(struct arena *arena, struct piece *list, struct piece *kid)
{
    list->kid = arena_grow(arena, list->kid, list->kids, &list->capacity, sizeof(struct piece *));
    list->kid[list->kids++] = kid;
}

static void print_flat(FILE *out, const struct piece *piece, struct selection *selection);

/* The text of one piece, by itself; the caller frees it. */
static char *flat_text(const struct piece *piece, struct selection *selection)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);

    if (memory == NULL) {
        perror("fuzz_generate");
        exit(2);
    }
    print_flat(memory, piece, selection);
    fclose(memory);
    return text;
}

static void print_list(FILE *out, const struct piece *list, struct selection *selection)
{
    bool is_first = true;

    for (int k = 0; k < list->kids; k++) {
        char *text = flat_text(list->kid[k], selection);
        if (text[0] != '\0') {
            fprintf(out, "%s%s", is_first || !list->separator ? "" : list->separator, text);
            is_first = false;
        }
        free(text);
    }
}

static void print_flat(FILE *out, const struct piece *piece, struct selection *selection)
{
    int kid = 0;

    if (piece->unit >= 0 && selection != NULL) {
        selection->met[piece->unit] = true;
        if (selection->dropped[piece->unit]) {
            if (piece->simple != NULL) {
                fputs(piece->simple, out);
            } else {
                print_flat(out, piece->kid[piece->instead], selection);
            }
            return;
        }
    }
    if (piece->text == NULL) {
        print_list(out, piece, selection);
        return;
    }
    for (const char *at = piece->text; *at != '\0'; at++) {
        if (*at == '@') {
            print_flat(out, piece->kid[kid++], selection);
        } else {
            fputc(*at, out);
        }
    }
}

static int braces(const char *line, size_t length, char brace)
{
    int count = 0;

    for (size_t i = 0; i < length; i++) {
        count += line[i] == brace;
    }
    return count;
}

void piece_print(FILE *out, const struct piece *piece, struct selection *selection)
{
    char *text;
    int depth = 0;

    if (selection != NULL) {
        memset(selection->met, 0, (size_t)selection->units * sizeof(*selection->met));
    }
    text = flat_text(piece, selection);
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        int shown = depth - (line[0] == '}');

        fprintf(out, "%*s%.*s\n", line[0] == '#' || length == 0 ? 0 : 4 * shown, "", (int)length,
                line);
        depth += braces(line, length, '{') - braces(line, length, '}');
        line += length + (line[length] == '\n');
    }
    free(text);
}
