/* template.c: see template.h. */
#include "codegen/template.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"

static const struct hole *find_hole(const struct hole *hole, const char *name, size_t length)
{
    for (; hole->name != NULL; hole++) {
        if (strlen(hole->name) == length && memcmp(hole->name, name, length) == 0) {
            return hole;
        }
    }
    return NULL;
}

static void put_part(struct out *out, const char *text, size_t length)
{
    char part[256];
    while (length > 0) {
        size_t now = length < sizeof(part) - 1 ? length : sizeof(part) - 1;
        memcpy(part, text, now);
        part[now] = '\0';
        out_text(out, part);
        text += now;
        length -= now;
    }
}

static void print_hole(struct emit *emit, const struct hole *holes, const char *open,
                       const char *close)
{
    const struct hole *hole = find_hole(holes, open + 2, (size_t)(close - open - 2));
    if (hole == NULL) {
        emit->out->failed = true;
        return;
    }
    hole->print(emit);
}

/* Prints a line that contains only a hole, with the hole's text indented by the blanks before
 * it. */
static bool print_hole_line(struct emit *emit, const struct hole *holes, const char *line,
                            size_t length)
{
    size_t blanks = strspn(line, " ");
    const char *open = line + blanks;
    const char *close = blanks < length ? strstr(open, "}}") : NULL;
    if (close == NULL || strncmp(open, "{{", 2) != 0 || close + 2 != line + length) {
        return false;
    }
    emit->out->indent += (int)blanks;
    print_hole(emit, holes, open, close);
    if (emit->out->column > 0) {
        out_text(emit->out, "\n");
    }
    emit->out->indent -= (int)blanks;
    return true;
}

static void print_line(struct emit *emit, const struct hole *holes, const char *line, size_t length)
{
    const char *end = line + length;
    const char *rest = line;
    const char *open;
    while ((open = strstr(rest, "{{")) != NULL && open < end) {
        const char *close = strstr(open, "}}");
        if (close == NULL || close + 2 > end) {
            break;
        }
        put_part(emit->out, rest, (size_t)(open - rest));
        print_hole(emit, holes, open, close);
        rest = close + 2;
    }
    put_part(emit->out, rest, (size_t)(end - rest));
    out_text(emit->out, "\n");
}

void template_print(struct emit *emit, const char *text, const struct hole *hole)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (!print_hole_line(emit, hole, text, length)) {
            print_line(emit, hole, text, length);
        }
        text += length;
        text += *text == '\n';
    }
}

void template_function(struct emit *emit, const char *text, const struct hole *hole)
{
    char *memory = NULL;
    size_t size = 0;
    struct out *real = emit->out;
    struct out draft = {.file = open_memstream(&memory, &size), .indent = real->indent};
    if (draft.file == NULL) {
        real->failed = true;
        return;
    }
    emit->out = &draft;
    emit->text = "";
    template_print(emit, text, hole);
    emit->out = real;
    real->failed = real->failed || draft.failed || fclose(draft.file) != 0 || memory == NULL;
    emit->text = memory != NULL ? arena_text(emit->file->program->arena, memory) : "";
    free(memory);
    template_print(emit, text, hole);
}
