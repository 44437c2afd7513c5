/* opaque_text.c: the body of a function that opaque.c takes whole, with other names.
 *
 * In: the definition as clang prints it, and the renames that opaque.c collected from its
 * references. Out: what stands behind the body's opening brace, each renamed word replaced along
 * with the qualifiers, the keyword or the template arguments that belong to it. Names that a C text
 * may not have in C++ are refused.
 */
#include "pass/frontend/util.h"

#include <ctype.h>
#include <string.h>

struct renaming {
    struct body *body;
    CXCursor function; /* canonical */
    const struct rename *rename;
    int renames;
};

/* Letters of other alphabets, in UTF-8, are letters. */
static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Length of the text without trailing `ns::`. */
static size_t cut_qualifiers(char *text, size_t length)
{
    while (length >= 2 && text[length - 1] == ':' && text[length - 2] == ':') {
        length -= 2;
        while (length > 0 && is_word(text[length - 1])) {
            length--;
        }
    }
    return length;
}

/* Cuts the keyword off when the text ends with it. */
static bool cut_keyword(const char *text, size_t *length, const char *keyword)
{
    size_t size = strlen(keyword);

    if (*length < size || memcmp(text + *length - size, keyword, size) != 0 ||
        (*length > size && is_word(text[*length - size - 1]))) {
        return false;
    }
    *length -= size;
    return true;
}

/* Skips the arguments of a template. */
static const char *skip_arguments(const char *text)
{
    int depth = 0;

    if (*text != '<') {
        return text;
    }
    do {
        depth += *text == '<';
        depth -= *text == '>';
        text++;
    } while (depth > 0 && *text != '\0');
    return text;
}

static const struct rename *find_rename(const struct renaming *renaming, const char *word,
                                        size_t length)
{
    static const struct rename c_only[] = {
        {RENAME_PLAIN, "_Bool", "bool"},
        {RENAME_PLAIN, "restrict", "__restrict__"},
        {RENAME_PLAIN, "_Alignof", "__alignof__"},
        /* An expression that C and C++ share; the compiler of the user's file has checked it. */
        {RENAME_PLAIN, "_Static_assert", "(void)sizeof"},
        {RENAME_PLAIN, "static_assert", "(void)sizeof"},
    };

    for (int r = 0; r < renaming->renames; r++) {
        const struct rename *rename = &renaming->rename[r];

        if (strlen(rename->from) == length && memcmp(rename->from, word, length) == 0) {
            return rename;
        }
    }
    for (size_t r = 0; r < sizeof(c_only) / sizeof(c_only[0]); r++) {
        if (strlen(c_only[r].from) == length && memcmp(c_only[r].from, word, length) == 0) {
            return &c_only[r];
        }
    }
    return NULL;
}

static void check_word(const struct renaming *renaming, const char *word, size_t length)
{
    struct front *front = renaming->body->front;

    if (front->options->language == LANGUAGE_C && !portable_word(word, length)) {
        body_refuse_everywhere(renaming->body, renaming->function,
                               arena_format(front->arena, "the name '%s', which C++ reserves",
                                            arena_text_part(front->arena, word, length)));
    }
}

struct text {
    struct arena *arena;
    char *byte;
    int length;
    int room;
};

static void put(struct text *text, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        text->byte = arena_grow(text->arena, text->byte, text->length, &text->room, 1);
        text->byte[text->length++] = from[i];
    }
}

static void put_renamed(struct text *text, const struct rename *rename)
{
    size_t length = cut_qualifiers(text->byte, (size_t)text->length);

    if (rename->kind == RENAME_RECORD && !cut_keyword(text->byte, &length, "struct ")) {
        cut_keyword(text->byte, &length, "union ");
    } else if (rename->kind == RENAME_ENUM) {
        cut_keyword(text->byte, &length, "enum ");
    }
    text->length = (int)length;
    put(text, rename->to, strlen(rename->to));
}

static bool is_type_word(const char *word, size_t length)
{
    static const char *const words[] = {"unsigned", "signed", "char",  "short",
                                        "int",      "long",   "float", "double"};

    for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
        if (strlen(words[w]) == length && memcmp(words[w], word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns the end of a type name of several words that begins a functional cast, as in `unsigned
 * int(x)`, or NULL. Clang prints unsigned(x) like this, which is no valid expression. Before a
 * declarator it prints a blank. */
static const char *value_type_end(const char *text)
{
    const char *end = text;
    int words = 0;

    for (;;) {
        size_t length = 0;

        while (is_word(end[length])) {
            length++;
        }
        if (!is_type_word(end, length)) {
            return NULL;
        }
        end += length;
        words++;
        if (*end != ' ') {
            return words > 1 && (*end == '(' || *end == '{') ? end : NULL;
        }
        end++;
    }
}

/* decltype((unsigned int)0)(x) */
static void put_value_type(struct text *text, const char *from, size_t length)
{
    put(text, "decltype((", strlen("decltype(("));
    put(text, from, length);
    put(text, ")0)", strlen(")0)"));
}

static const char *quoted_end(const char *text)
{
    char quote = *text++;

    while (*text != '\0' && *text != quote) {
        text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
    }
    return *text != '\0' ? text + 1 : text;
}

static const char *renamed(const struct renaming *renaming, const char *from)
{
    struct text text = {.arena = renaming->body->front->arena};

    while (*from != '\0') {
        const char *end = from + 1;
        const struct rename *rename = NULL;
        char last = text.length > 0 ? text.byte[text.length - 1] : ' ';
        char before = text.length > 1 ? text.byte[text.length - 2] : ' ';

        if (*from == '"' || *from == '\'') {
            end = quoted_end(from);
        } else if (is_word(*from) && !is_word(last) && value_type_end(from) != NULL) {
            end = value_type_end(from);
            put_value_type(&text, from, (size_t)(end - from));
            from = end;
            continue;
        } else if (is_word(*from)) {
            while (is_word(*end)) {
                end++;
            }
            if (last != '.' && !(last == '>' && before == '-') && strncmp(end, "::", 2) != 0) {
                rename = find_rename(renaming, from, (size_t)(end - from));
            }
            check_word(renaming, from, (size_t)(end - from));
        }
        if (rename != NULL) {
            put_renamed(&text, rename);
            from = rename->kind == RENAME_INSTANCE ? skip_arguments(end) : end;
        } else {
            put(&text, from, (size_t)(end - from));
            from = end;
        }
    }
    put(&text, "", 1);
    return text.byte;
}

/* Returns the text behind the opening brace of the body. */
static const char *body_text(const char *text)
{
    int depth = 0;

    for (; *text != '\0'; text++) {
        depth += *text == '(';
        depth -= *text == ')';
        if (*text == '{' && depth == 0) {
            return text[1] == '\n' ? text + 2 : text + 1;
        }
    }
    return text;
}

const char *opaque_text(struct body *body, CXCursor function, const char *printed,
                        const struct rename *rename, int renames)
{
    struct renaming renaming = {
        .body = body, .function = function, .rename = rename, .renames = renames};

    return renamed(&renaming, body_text(printed));
}
