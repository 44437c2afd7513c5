/* Response files by gcc's quoting rules, and paths. */
#include "pass/driver/words.h"

#include <stdlib.h>
#include <string.h>
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

/* Returns the words of a line, each followed by '|'. */
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

static void check_plain(void)
{
    static const char *const plain[] = {"a.cu", "/tmp/a-b_c+1", "sm_90a"};
    static const char *const other[] = {"", "-a", "a b", "a,b", "a$b", "a'b", "\xc3\xa4", "a\nb"};

    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        CHECK(text_is_plain(plain[i]));
        CHECK(strcmp(path_as_input(arena, plain[i]), plain[i]) == 0);
    }
    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        CHECK(!text_is_plain(other[i]));
        CHECK(other[i][0] == '\0' || text_is_plain(text_made_plain(arena, other[i])));
    }
    CHECK(strcmp(text_made_plain(arena, "-a$(b).c"), "_a__b_.c") == 0);
    CHECK(strcmp(path_as_input(arena, "@a"), "./@a") == 0);
    CHECK(strcmp(path_as_input(arena, "-a"), "./-a") == 0);
}

static void check_command(void)
{
    struct words out = words_new(arena);

    words_add_command(&out, " ccache  'my gcc' -m64\\ ");
    CHECK(out.count == 3);
    CHECK(strcmp(out.word[1], "my gcc") == 0 && strcmp(out.word[2], "-m64 ") == 0);
}

int main(void)
{
    char folder[] = "/tmp/cleave-words-XXXXXX";

    arena = arena_new();
    CHECK(mkdtemp(folder) != NULL);
    check_response_files(folder);
    check_paths();
    check_printing();
    check_plain();
    check_command();
    rmdir(folder);
    arena_free(arena);
    return CHECK_RESULT();
}
