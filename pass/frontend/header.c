/* header.c: recovers facts about statement headers that libclang's tree lacks.
 *
 * In: the function as clang prints it, macros expanded; the n-th `for` of the text is the n-th of
 * the tree. Out: the parts that each `for` has, which look alike in the tree, and how many `if`
 * begin with a statement of their own. The tree also lacks the first statement of a `switch`. */
#include "pass/frontend/util.h"

#include <ctype.h>
#include <string.h>

static const char *skip_quoted(const char *text)
{
    char quote = *text++;

    while (*text != '\0' && *text != quote) {
        text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
    }
    return *text != '\0' ? text + 1 : text;
}

/* Counts the semicolons of a header; `text` is behind its opening parenthesis. Returns a bit for
 * each of the three parts that has text. */
static int header_parts(const char *text, int *semicolons)
{
    int depth = 0;
    int parts = 0;

    *semicolons = 0;
    while (*text != '\0' && !(depth == 0 && *text == ')')) {
        if (*text == '"' || *text == '\'') {
            text = skip_quoted(text);
            continue;
        }
        if (strchr("([{", *text) != NULL) {
            depth++;
        } else if (strchr(")]}", *text) != NULL) {
            depth--;
        }
        if (*text == ';' && depth == 0) {
            (*semicolons)++;
        } else if (!isspace((unsigned char)*text) && *semicolons < 3) {
            parts |= 1 << *semicolons;
        }
        text++;
    }
    return parts;
}

static const char *opening(const char *text, size_t keyword)
{
    text += keyword;
    while (isspace((unsigned char)*text)) {
        text++;
    }
    return *text == '(' ? text + 1 : NULL;
}

/* A keyword of the text; `inside`: behind its opening parenthesis. */
static void read_header(struct body *body, CXCursor function, const char *word, size_t length,
                        int *room)
{
    const char *inside = opening(word, length);
    int semicolons = 0;
    int parts = inside != NULL ? header_parts(inside, &semicolons) : 0;

    if (inside == NULL) {
        return;
    }
    if (length == 3 && memcmp(word, "for", 3) == 0) {
        body->header = arena_grow(body->front->arena, body->header, body->headers, room, 1);
        body->header[body->headers++] = (unsigned char)parts;
    } else if (length == 2 && memcmp(word, "if", 2) == 0) {
        body->if_starts += semicolons > 0;
    } else if (length == 6 && memcmp(word, "switch", 6) == 0 && semicolons > 0) {
        body_refuse(body, function, "a switch that declares a variable");
    }
}

void body_headers(struct body *body, CXCursor function)
{
    const char *text = front_string(body->front, clang_getCursorPrettyPrinted(function, NULL));
    int room = 0;

    body->text = text;
    while (*text != '\0') {
        const char *word = text;

        if (*text == '"' || *text == '\'') {
            text = skip_quoted(text);
        } else if (!isalnum((unsigned char)*text) && *text != '_') {
            text++;
        } else {
            while (isalnum((unsigned char)*text) || *text == '_') {
                text++;
            }
            read_header(body, function, word, (size_t)(text - word), &room);
        }
    }
}
