/* Which sources mention nothing of OP2: all that get no loop, and none that gets one in any way. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "pass/driver/mention.h"

static struct arena *arena;

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");

    CHECK(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
}

/* The answer for a source with this text, compiled with these flags. */
static bool may(const char *text, const char *flags, enum language language)
{
    const char *name = language == LANGUAGE_CXX ? "main.cpp" : "main.c";
    struct words words = words_split(arena, arena_format(arena, "-c %s %s", name, flags), ' ');
    struct driver driver = {.arena = arena};
    struct unit unit = {.source = name, .language = language};

    write_file(name, text);
    driver.command = command_read(arena, &words, language == LANGUAGE_CXX);
    driver.config.include = RUNTIME_DIR;
    driver.config.host = words_new(arena);
    words_add(&driver.config.host, language == LANGUAGE_CXX ? "c++" : "cc");
    return unit_may_have_loops(&driver, &unit);
}

static bool may_c(const char *text, const char *flags)
{
    return may(text, flags, LANGUAGE_C);
}

static void check_without(void)
{
    CHECK(!may_c("int f(void) { return 1; }\n", "-O2"));
    CHECK(!may_c("#include <stdio.h>\n#include <math.h>\nint f(void) { return puts(\"\"); }\n", ""));
    CHECK(!may_c("#include \"plain.h\"\nint f(void) { return plain; }\n", "-I. -DX=1"));
    CHECK(!may("#include <vector>\n#include <string>\nstd::vector<std::string> v;\n", "",
               LANGUAGE_CXX));
}

static void check_with(void)
{
    const char *call = "void f(op_set s) { LOOP(s); }\n";

    CHECK(may_c("#include \"op_seq.h\"\n", ""));
    CHECK(may_c("#define CALL op_par##_loop\nCALL\n#include \"middle.h\"\n", ""));
    CHECK(may_c(arena_format(arena, "#include \"middle.h\"\n%s", call), ""));
    CHECK(may_c(arena_format(arena, "#include HEADER\n%s", call), "-DHEADER=<middle.h> -I."));
    CHECK(may_c(call, "-include middle.h"));
    CHECK(may_c(call, "-imacros middle.h"));
    CHECK(may_c("#ifdef WANTED\n#include \"middle.h\"\n#endif\n", "-DWANTED"));
    CHECK(!may_c("#ifdef WANTED\n#include \"middle.h\"\n#endif\n", ""));
    CHECK(may_c("#include \"deep.h\"\n", "-isystem folder"));
    CHECK(may_c("#ifdef CLEAVE_PARSE\n#include \"middle.h\"\n#endif\n", ""));
    CHECK(may("#include <vector>\n#include \"middle.h\"\n", "", LANGUAGE_CXX));
    CHECK(may_c("void f(void) { op_par_loop(1); }\n", ""));
}

/* A source that cannot be preprocessed goes on: libclang and the host compiler report why. */
static void check_unclear(void)
{
    struct unit unit = {.source = "missing.c", .language = LANGUAGE_C};
    struct driver driver = {.arena = arena};

    CHECK(may_c("#include \"nowhere.h\"\n", ""));
    CHECK(may_c("#error stop\n", ""));
    driver.config.include = RUNTIME_DIR;
    driver.config.host = words_new(arena);
    words_add(&driver.config.host, "true"); /* says nothing of any source */
    write_file("missing.c", "int f(void);\n");
    CHECK(unit_may_have_loops(&driver, &unit));
    driver.config.host.word[0] = "/no/compiler";
    CHECK(unit_may_have_loops(&driver, &unit));
}

int main(void)
{
    char folder[] = "/tmp/cleave-mention.XXXXXX";

    arena = arena_new();
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return 1;
    }
    CHECK(system("mkdir folder") == 0);
    write_file("plain.h", "enum { plain = 3 };\n");
    write_file("middle.h", "#include \"op_seq.h\"\n#define LOOP(s) op_par_loop(k, \"k\", s)\n");
    write_file("folder/deep.h", "#include \"../middle.h\"\n");
    check_without();
    check_with();
    check_unclear();
    CHECK(chdir("/") == 0 && system(arena_format(arena, "rm -r '%s'", folder)) == 0);
    arena_free(arena);
    return CHECK_RESULT();
}
