/* out.c: see out.h. Text of the IR's printers passes through memory, so that it is indented too. */
#include "codegen/out.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pass/ir/arena.h"

enum { LINE_WIDTH = 100, FAR_RIGHT = 60, CONTINUATION = 8 };

static void start_line(struct out *out, char first)
{
    if (first != '#') {
        fprintf(out->file, "%*s", out->indent, "");
        out->column = out->indent;
    }
}

static void put_line_part(struct out *out, const char *text, size_t length)
{
    if (length == 0) {
        return;
    }
    if (out->column == 0) {
        start_line(out, text[0]);
    }
    fwrite(text, 1, length, out->file);
    out->column += (int)length;
}

void out_text(struct out *out, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        put_line_part(out, text, length);
        text += length;
        if (*text == '\n') {
            fputc('\n', out->file);
            out->column = 0;
            out->lines++;
            text++;
        }
    }
    out->failed = out->failed || ferror(out->file);
}

/* NULL when there is no memory, which is remembered. */
static char *formatted(struct out *out, const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0) {
        out->failed = true;
        return NULL;
    }
    return text;
}

static void out_arguments(struct out *out, const char *format, va_list arguments)
{
    char *text = formatted(out, format, arguments);
    if (text != NULL) {
        out_text(out, text);
    }
    free(text);
}

void out_format(struct out *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    out_arguments(out, format, arguments);
    va_end(arguments);
}

void out_line(struct out *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    out_arguments(out, format, arguments);
    va_end(arguments);
    out_text(out, "\n");
}

void out_comment(struct out *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = formatted(out, format, arguments);
    va_end(arguments);
    if (text == NULL) {
        return;
    }
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '\n' || *c == '\r') {
            *c = ' ';
        }
    }
    size_t length = strlen(text);
    bool continues = length > 0 && text[length - 1] == '\\';
    out_text(out, "// ");
    out_text(out, text);
    out_text(out, continues ? ".\n" : "\n");
    free(text);
}

void out_assign(struct out *out, const char *left, const char *sign, const char *right)
{
    size_t start = (size_t)(out->column > 0 ? out->column : out->indent);
    bool fits = start + strlen(left) + strlen(sign) + strlen(right) + 3 <= LINE_WIDTH;
    out_line(out, "%s %s%s%s;", left, sign, fits ? " " : "\n    ", right);
}

void out_string(struct out *out, const char *text)
{
    if (text == NULL) {
        out_text(out, "NULL");
        return;
    }
    out_text(out, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            out_format(out, "\\%c", *c);
        } else if (*c < 0x20 || *c >= 0x7f || (*c == '?' && c[1] == '?')) {
            out_format(out, "\\%03o", *c);
        } else {
            out_format(out, "%c", *c);
        }
    }
    out_text(out, "\"");
}

void out_item(struct out *out, int *items, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = formatted(out, format, arguments);
    va_end(arguments);
    if (text == NULL) {
        return;
    }
    if (*items == 0) {
        bool far = out->column > FAR_RIGHT;
        out->list = far ? out->indent + CONTINUATION : out->column;
    }
    if ((*items)++ > 0) {
        bool fits = out->column + (int)strlen(text) + 4 <= LINE_WIDTH;
        out_text(out, fits ? ", " : ",\n");
        if (!fits) {
            out_format(out, "%*s", out->list - out->indent, "");
        }
    }
    out_text(out, text);
    free(text);
}

/* ---- text of the IR's printers ----------------------------------------------------------------
 */

struct memory {
    char *text;
    size_t size;
    FILE *file;
};

static bool memory_open(struct out *out, struct memory *memory)
{
    memory->text = NULL;
    memory->size = 0;
    memory->file = open_memstream(&memory->text, &memory->size);
    out->failed = out->failed || memory->file == NULL;
    return memory->file != NULL;
}

static void memory_print(struct out *out, struct memory *memory,
                         void (*put)(struct out *out, const char *text))
{
    if (fclose(memory->file) != 0 || memory->text == NULL) {
        out->failed = true;
    } else {
        put(out, memory->text);
    }
    free(memory->text);
}

/* Returns where to break a line of more than `width` bytes: at the last space up to there, or the
 * first one behind, that follows an operator or a comma and is not in a literal; 0: nowhere. */
static size_t break_at(const char *line, size_t length, size_t width)
{
    size_t found = 0;
    char quote = '\0';
    for (size_t i = strspn(line, " ") + 1; i < length && (i <= width || found == 0); i++) {
        if (quote != '\0') {
            i += line[i] == '\\';
            quote = line[i] == quote ? '\0' : quote;
        } else if (line[i] == '"' || line[i] == '\'') {
            quote = line[i];
        } else if (line[i] == ' ' && strchr(",+-*/%&|^?:=<>", line[i - 1]) != NULL) {
            found = i;
        }
    }
    return found;
}

/* Prints lines of at most LINE_WIDTH where they can be broken. */
void out_code(struct out *out, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        size_t blanks = strspn(text, " ");
        size_t width = LINE_WIDTH - (size_t)out->indent;
        size_t cut = length > width ? break_at(text, length, width) : 0;
        out_format(out, "%.*s\n", (int)(cut > 0 ? cut : length), text);
        while (cut > 0) {
            text += cut + 1;
            length -= cut + 1;
            width = LINE_WIDTH - (size_t)out->indent - blanks - 4;
            cut = length > width ? break_at(text, length, width) : 0;
            out_format(out, "%*s%.*s\n", (int)blanks + 4, "", (int)(cut > 0 ? cut : length), text);
        }
        text += length + (text[length] != '\0');
    }
}

void out_type(struct out *out, const struct type *type, const char *declarator)
{
    struct memory memory;
    if (memory_open(out, &memory)) {
        print_c_type(memory.file, type, declarator);
        memory_print(out, &memory, out_text);
    }
}

void out_expr(struct out *out, const struct expr *expr, const struct c_names *names)
{
    struct memory memory;
    if (memory_open(out, &memory)) {
        print_c_expr(memory.file, expr, names);
        memory_print(out, &memory, out_text);
    }
}

const char *out_expr_text(struct out *out, struct arena *arena, const struct expr *expr,
                          const struct c_names *names)
{
    struct memory memory;
    const char *text = "";
    if (memory_open(out, &memory)) {
        print_c_expr(memory.file, expr, names);
        if (fclose(memory.file) == 0 && memory.text != NULL) {
            text = arena_text(arena, memory.text);
        }
        out->failed = out->failed || text[0] == '\0';
        free(memory.text);
    }
    return text;
}

void out_stmt(struct out *out, const struct stmt *stmt, const struct c_names *names)
{
    struct memory memory;
    if (memory_open(out, &memory)) {
        print_c_stmt(memory.file, stmt, 0, names);
        memory_print(out, &memory, out_code);
    }
}
