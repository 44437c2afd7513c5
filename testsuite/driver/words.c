/* Response files by gcc's quoting rules, and paths. */
#include "pass/driver/words.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static struct arena *arena;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    CHECK(file != NULL);
    if (file != NULL) {
        fputs(text, file);
        fclose(file);
    }
}

/* What a line of words becomes, each followed by '|'. */
static const char *expanded(const char *word)
{
    struct words out = words_new(arena);
    char *words[1] = {arena_text(arena, word)};
    const char *text = "";

    words_add_expanded(&out, 1, words);
    for (int i = 0; i < out.count; i++) {
        text = arena_format(arena, "%s%s|", text, out.word[i]);
    }
    return text;
}

static void check_response_files(const char *folder)
{
    const char *path = arena_format(arena, "%s/a.rsp", folder);
    const char *at = arena_format(arena, "@%s", path);

    write_file(path, " -c  'a b.c'\n\"-DX=\\\"y z\\\"\" back\\ slash -D'Q'uote ''\n");
    CHECK_TEXT(expanded(at), "-c|a b.c|-DX=\"y z\"|back slash|-DQuote||");
    write_file(path, "");
    CHECK_TEXT(expanded(at), "");
    write_file(arena_format(arena, "%s/b.rsp", folder), arena_format(arena, "one @%s three", path));
    write_file(path, "two");
    CHECK_TEXT(expanded(arena_format(arena, "@%s/b.rsp", folder)), "one|two|three|");
    CHECK_TEXT(expanded("@/no/such/file"), "@/no/such/file|");
    write_file(path, at); /* a file that names itself: an end, whatever it gives */
    expanded(at);
    unlink(path);
    unlink(arena_format(arena, "%s/b.rsp", folder));
}

static void check_paths(void)
{
    CHECK_TEXT(path_base("/a/b.c"), "b.c");
    CHECK_TEXT(path_folder(arena, "/a/b.c"), "/a");
    CHECK_TEXT(path_folder(arena, "/b.c"), "/");
    CHECK_TEXT(path_folder(arena, "b.c"), ".");
    CHECK_TEXT(path_stem(arena, "x.y/a.b.c"), "a.b");
    CHECK_TEXT(path_stem(arena, "x.y/a"), "a");
    CHECK_TEXT(path_stem(arena, ".hidden"), ".hidden");
    CHECK(text_starts("-flto=2", "-flto") && !text_starts("-f", "-flto"));
    CHECK(text_ends("cleavec++", "++") && !text_ends("+", "++"));
}

static void check_printing(void)
{
    struct words words = words_new(arena);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    words_add(&words, "plain-1.c");
    words_add(&words, "a b");
    words_add(&words, "it's");
    words_add(&words, "");
    words_print(out, &words);
    fclose(out);
    CHECK_TEXT(text, " plain-1.c 'a b' 'it'\\''s' ''\n");
    free(text);
}

int main(void)
{
    char folder[] = "/tmp/cleave-words-XXXXXX";

    arena = arena_new();
    CHECK(mkdtemp(folder) != NULL);
    check_response_files(folder);
    check_paths();
    check_printing();
    rmdir(folder);
    arena_free(arena);
    return CHECK_RESULT();
}
