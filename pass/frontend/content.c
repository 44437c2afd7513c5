/* content.c: the id of a translation unit, from what the compiler reads.
 *
 * In: libclang's unit. Out: the hash of the language, the flags that change what a source means,
 * and the contents of the main file and of every file that it includes, in the order in which they
 * are read. Names of files and folders do not count, so that a project has the same ids wherever it
 * lies.
 */
#include "pass/frontend/util.h"

#include <string.h>

struct content {
    struct front *front;
    struct pass_text *text;
    int texts;
    int room;
};

static void add(struct content *content, const void *begin, size_t length)
{
    content->text = arena_grow(content->front->arena, content->text, content->texts, &content->room,
                               sizeof(*content->text));
    content->text[content->texts++] = (struct pass_text){begin, length};
}

/* Macros, the language's version, and what decides about code. Flags that name folders are left
 * out, and so are those of the preprocessor's own command line, which may name any file. */
static bool counts(const char *flag)
{
    static const char *const kinds[] = {"-D", "-U", "-std=", "--std=", "-ansi", "-O", "-f", "-m"};

    if (strstr(flag, "-prefix-map=") != NULL) {
        return false;
    }
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        if (strncmp(flag, kinds[k], strlen(kinds[k])) == 0) {
            return true;
        }
    }
    return false;
}

static void add_flags(struct content *content)
{
    const struct pass_options *options = content->front->options;

    for (int f = 0; f < options->flags; f++) {
        const char *flag = options->flag[f];

        if (!counts(flag)) {
            continue;
        }
        add(content, flag, strlen(flag));
        if ((strcmp(flag, "-D") == 0 || strcmp(flag, "-U") == 0) && f + 1 < options->flags) {
            f++;
            add(content, options->flag[f], strlen(options->flag[f]));
        }
    }
}

static void add_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct content *content = data;
    size_t length = 0;
    const char *begin = clang_getFileContents(content->front->unit, file, &length);

    (void)stack;
    (void)depth;
    if (begin != NULL) {
        add(content, begin, length);
    }
}

const char *front_content_id(struct front *front)
{
    static const char *const names[] = {[LANGUAGE_C] = "c", [LANGUAGE_CXX] = "c++"};
    struct content content = {.front = front};
    const char *language = names[front->options->language];
    char id[17];

    add(&content, language, strlen(language));
    add_flags(&content);
    clang_getInclusions(front->unit, add_file, &content);
    pass_unit_id(id, content.text, content.texts);
    return arena_text(front->arena, id);
}
