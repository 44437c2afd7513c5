/* json_read.c: a small reader of JSON, by recursive descent. */
#include "runtime/base/json_read.h"

#include <ctype.h>

#include "runtime/base/base.h"

enum { DEEPEST = 64 };

struct reading {
    const char *at;
    int depth;
    int failed;
};

static void skip_space(struct reading *reading)
{
    while (*reading->at == ' ' || *reading->at == '\n' || *reading->at == '\t' ||
           *reading->at == '\r') {
        reading->at++;
    }
}

/* 1: the next character is this one, which is passed. */
static int takes(struct reading *reading, char wanted)
{
    skip_space(reading);
    if (*reading->at != wanted) {
        return 0;
    }
    reading->at++;
    return 1;
}

/* Four digits of "\u001f": json.h writes control characters so, and no others. Returns the
 * character, or -1. */
static int read_code(struct reading *reading)
{
    char digits[5] = "";
    for (int d = 0; d < 4; d++) {
        if (!isxdigit((unsigned char)*reading->at)) {
            return -1;
        }
        digits[d] = *reading->at++;
    }
    const long character = strtol(digits, NULL, 16);
    return character > 0 && character < 0x80 ? (int)character : -1;
}

/* Reads the rest of an escape, behind its backslash. Returns the character, or -1. */
static int read_escaped(struct reading *reading)
{
    static const char codes[] = "\"\\/bfnrt";
    static const char means[] = "\"\\/\b\f\n\r\t";
    const char code = *reading->at;
    const char *known = code != '\0' ? strchr(codes, code) : NULL;
    if (code == '\0') {
        return -1;
    }
    reading->at++;
    if (code == 'u') {
        return read_code(reading);
    }
    return known != NULL ? means[known - codes] : -1;
}

/* Characters up to the quote that ends the text, at least as many as it has. */
static size_t text_room(const char *at)
{
    size_t length = 0;
    while (at[length] != '\0' && at[length] != '"') {
        length += at[length] == '\\' && at[length + 1] != '\0' ? 2 : 1;
    }
    return length;
}

/* A text behind its first quote. */
static char *read_text(struct reading *reading)
{
    char *text = cleave_alloc(text_room(reading->at) + 1, "a report");
    size_t length = 0;
    while (!reading->failed && *reading->at != '"') {
        int character = (unsigned char)*reading->at;
        reading->at += character != '\0';
        if (character == '\\') {
            character = read_escaped(reading);
        }
        reading->failed = character <= 0;
        if (!reading->failed) {
            text[length++] = (char)character;
        }
    }
    reading->at += !reading->failed;
    text[length] = '\0';
    return text;
}

static char *read_plain(struct reading *reading)
{
    const size_t length = strspn(reading->at, "+-.0123456789eE");
    char *text = cleave_alloc(length + 1, "a report");
    memcpy(text, reading->at, length);
    text[length] = '\0';
    reading->failed |= length == 0;
    reading->at += length;
    return text;
}

static int takes_word(struct reading *reading, const char *word)
{
    const int found = strncmp(reading->at, word, strlen(word)) == 0;
    reading->at += found ? strlen(word) : 0;
    return found;
}

static struct cleave_json_node *read_value(struct reading *reading);

/* The members of an object, or the elements of an array, behind its bracket. */
static void read_inside(struct reading *reading, struct cleave_json_node *node, char bracket)
{
    struct cleave_json_node **end = &node->first;
    if (takes(reading, bracket)) {
        return;
    }
    do {
        char *name = NULL;
        if (node->kind == CLEAVE_JSON_OBJECT) {
            reading->failed |= !takes(reading, '"');
            name = reading->failed ? NULL : read_text(reading);
            reading->failed |= !takes(reading, ':');
        }
        *end = read_value(reading);
        (*end)->name = name;
        (*end)->index = node->count++;
        (*end)->parent = node;
        end = &(*end)->next;
    } while (!reading->failed && takes(reading, ','));
    reading->failed |= !takes(reading, bracket);
}

static struct cleave_json_node *read_value(struct reading *reading)
{
    struct cleave_json_node *node = cleave_alloc_zero(sizeof *node, "a report");
    skip_space(reading);
    reading->failed |= ++reading->depth > DEEPEST;
    if (reading->failed) {
        return node;
    }
    if (takes(reading, '{')) {
        node->kind = CLEAVE_JSON_OBJECT;
        read_inside(reading, node, '}');
    } else if (takes(reading, '[')) {
        node->kind = CLEAVE_JSON_ARRAY;
        read_inside(reading, node, ']');
    } else if (takes(reading, '"')) {
        node->kind = CLEAVE_JSON_TEXT;
        node->text = read_text(reading);
    } else if (takes_word(reading, "true") || takes_word(reading, "false")) {
        node->kind = CLEAVE_JSON_BOOL;
        node->text = cleave_text_copy(reading->at[-2] == 'u' ? "true" : "false");
    } else if (!takes_word(reading, "null")) {
        node->kind = CLEAVE_JSON_NUMBER;
        node->text = read_plain(reading);
    }
    reading->depth--;
    return node;
}

struct cleave_json_node *cleave_json_read(const char *text)
{
    struct reading reading = {text, 0, 0};
    struct cleave_json_node *node = read_value(&reading);
    skip_space(&reading);
    if (reading.failed || *reading.at != '\0') {
        cleave_json_free(node);
        return NULL;
    }
    return node;
}

void cleave_json_free(struct cleave_json_node *node)
{
    while (node != NULL) {
        struct cleave_json_node *next = node->next;
        cleave_json_free(node->first);
        free(node->name);
        free(node->text);
        free(node);
        node = next;
    }
}

const struct cleave_json_node *cleave_json_member(const struct cleave_json_node *node,
                                                  const char *name)
{
    const struct cleave_json_node *member =
        node != NULL && node->kind == CLEAVE_JSON_OBJECT ? node->first : NULL;
    while (member != NULL && strcmp(member->name, name) != 0) {
        member = member->next;
    }
    return member != NULL && member->kind != CLEAVE_JSON_NULL ? member : NULL;
}

double cleave_json_value(const struct cleave_json_node *node, double otherwise)
{
    return node != NULL && node->kind == CLEAVE_JSON_NUMBER ? cleave_number_from(node->text, NULL)
                                                            : otherwise;
}

const char *cleave_json_word(const struct cleave_json_node *node, const char *otherwise)
{
    return node != NULL && node->text != NULL ? node->text : otherwise;
}
