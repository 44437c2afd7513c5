/* opaque.c: functions that were taken whole: the user's text, with names spelled as here.
 *
 * In: a function's opaque_text. Out: the text word by word. Constants, tables, helpers and the
 * function itself get their generated names, but not where the word is a field's or a tag.
 */
#include <ctype.h>
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"

enum token_kind { TOKEN_WORD, TOKEN_SIGN, TOKEN_LITERAL, TOKEN_END };

struct token {
    enum token_kind kind;
    const char *blank; /* start of the space before it */
    const char *start;
    size_t length;
};

/* ---- tokens -----------------------------------------------------------------------------------
 */

static const char *after_blank(const char *text)
{
    for (;;) {
        text += strspn(text, " \t\r\n");
        const char *end = strncmp(text, "/*", 2) == 0   ? strstr(text + 2, "*/")
                          : strncmp(text, "//", 2) == 0 ? strchr(text, '\n')
                                                        : NULL;
        if (end == NULL) {
            return text;
        }
        text = end + (*end == '*' ? 2 : 1);
    }
}

static size_t quoted_length(const char *text)
{
    size_t length = 1;
    while (text[length] != '\0' && text[length] != text[0]) {
        length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
    }
    return length + (text[length] != '\0');
}

static size_t number_length(const char *text)
{
    size_t length = 1;
    while (isalnum((unsigned char)text[length]) || text[length] == '.' || text[length] == '_' ||
           ((text[length] == '+' || text[length] == '-') &&
            strchr("eEpP", text[length - 1]) != NULL)) {
        length++;
    }
    return length;
}

/* Letters of other alphabets, in UTF-8, are letters. */
static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static struct token token_at(const char *text)
{
    struct token token = {TOKEN_SIGN, text, after_blank(text), 1};
    const char *c = token.start;
    if (*c == '\0') {
        token.kind = TOKEN_END;
        token.length = 0;
    } else if (in_word(*c) && !isdigit((unsigned char)*c)) {
        token.kind = TOKEN_WORD;
        while (in_word(c[token.length])) {
            token.length++;
        }
    } else if (*c == '"' || *c == '\'') {
        token.kind = TOKEN_LITERAL;
        token.length = quoted_length(c);
    } else if (isdigit((unsigned char)*c) || (*c == '.' && isdigit((unsigned char)c[1]))) {
        token.kind = TOKEN_LITERAL;
        token.length = number_length(c);
    } else if (strncmp(c, "->", 2) == 0 || strncmp(c, "::", 2) == 0) {
        token.length = 2;
    }
    return token;
}

/* All tokens of a text, ended by one TOKEN_END. */
static struct token *tokens_of(struct arena *arena, const char *text)
{
    struct token *list = arena_alloc(arena, (strlen(text) + 1) * sizeof(*list));
    int count = 0;
    do {
        list[count] = token_at(text);
        text = list[count].start + list[count].length;
    } while (list[count++].kind != TOKEN_END);
    return list;
}

static bool is(const struct token *token, const char *text)
{
    return token->length == strlen(text) && strncmp(token->start, text, token->length) == 0;
}

static bool is_among(const struct token *token, const char *const *word)
{
    while (*word != NULL && !is(token, *word)) {
        word++;
    }
    return *word != NULL;
}

/* ---- printing ---------------------------------------------------------------------------------
 */

static const char *const record_word[] = {"struct", "union", "enum", "class", NULL};

/* The generated name of the entity that the word names in this function, or NULL. In the text, the
 * function itself has the user's name, callees and globals their names in the program. */
static const char *spelling(struct emit *emit, const struct function *function,
                            const struct token *word)
{
    if (is(word, function->user_name)) {
        return names_function(function, emit);
    }
    for (int c = 0; c < function->callees; c++) {
        const struct function *callee = function->callee[c];
        if (callee->kind == FUNCTION_USER && is(word, callee->name)) {
            return names_function(callee, emit);
        }
    }
    for (int g = 0; g < function->globals; g++) {
        if (is(word, function->global[g]->name)) {
            return names_global(emit, function->global[g]);
        }
    }
    return NULL;
}

/* Fields and tags keep their names: a word after ".", "->" or "struct", and those in a record. */
static bool keeps_name(const struct token *list, int t, int record_depth)
{
    return record_depth > 0 || (t > 0 && (is(&list[t - 1], ".") || is(&list[t - 1], "->") ||
                                          is_among(&list[t - 1], record_word)));
}

static bool opens_record(const struct token *list, int t)
{
    return is(&list[t], "{") && ((t > 0 && is_among(&list[t - 1], record_word)) ||
                                 (t > 1 && is_among(&list[t - 2], record_word)));
}

static void print_text(struct emit *emit, const struct function *function, const char *text)
{
    struct arena *arena = emit->file->program->arena;
    const struct token *list = tokens_of(arena, text);
    int record_depth = 0;
    for (int t = 0; list[t].kind != TOKEN_END; t++) {
        const struct token *token = &list[t];
        int length = (int)token->length;
        const char *name = arena_format(arena, "%.*s", length, token->start);
        if (is(token, "{") && (record_depth > 0 || opens_record(list, t))) {
            record_depth++;
        } else if (is(token, "}") && record_depth > 0) {
            record_depth--;
        } else if (token->kind == TOKEN_WORD) {
            const char *own =
                keeps_name(list, t, record_depth) ? NULL : spelling(emit, function, token);
            name = own != NULL ? own : name;
        }
        out_format(emit->out, "%.*s%s", (int)(token->start - token->blank), token->blank, name);
    }
}

/* The definition after `static`, `inline` and `extern`: ours come instead. */
static const char *without_linkage(const char *text)
{
    static const char *const word[] = {"static",   "inline",     "extern",
                                       "__inline", "__inline__", NULL};
    struct token token = token_at(text);
    while (is_among(&token, word)) {
        token = token_at(token.start + token.length);
    }
    return token.start;
}

void opaque_print(struct emit *emit, const struct function *function)
{
    out_comment(emit->out, "taken whole: %s",
                function->opaque_reason != NULL ? function->opaque_reason
                                                : "its form is not known");
    out_format(emit->out, "%s ", emit->file->target->qualifier);
    print_text(emit, function, without_linkage(function->opaque_text));
    out_text(emit->out, emit->out->column > 0 ? "\n\n" : "\n");
}
