/* How a command line is taken apart, and what is selected from it for other commands. */
#include "pass/driver/command.h"

#include <stdlib.h>

#include "check.h"
#include "pass/driver/flags.h"
#include "pass/driver/settings.h"

static struct arena *arena;

/* The words of `line`, separated by spaces. */
static struct command read_line(const char *line, bool is_cxx)
{
    struct words words = words_split(arena, line, ' ');

    return command_read(arena, &words, is_cxx);
}

static const char *joined(const struct words *words)
{
    const char *text = "";

    for (int i = 0; i < words->count; i++) {
        text = arena_format(arena, "%s%s%s", text, i ? " " : "", words->word[i]);
    }
    return text;
}

static const char *selected(const char *line, unsigned uses)
{
    struct command command = read_line(line, false);
    struct words words = command_select(&command, uses);

    return joined(&words);
}

/* The inputs of a line, each with a letter for its kind. */
static const char *inputs(const char *line, bool is_cxx)
{
    static const char letters[] = "-CXOL";
    struct command command = read_line(line, is_cxx);
    const char *text = "";

    for (int i = 0; i < command.words; i++) {
        if (command.word[i].kind == WORD_INPUT) {
            text = arena_format(arena, "%s%s%s:%c", text, *text ? " " : "", command.word[i].text,
                                letters[command.word[i].input]);
        }
    }
    return text;
}

static void check_inputs(void)
{
    CHECK_TEXT(inputs("-c a.c -o b.c", false), "a.c:C");
    CHECK_TEXT(inputs("a.c b.cpp c.o libd.a e.s f.i - g", false),
               "a.c:C b.cpp:X c.o:L libd.a:L e.s:O f.i:O -:O g:L");
    CHECK_TEXT(inputs("a.c b.C", true), "a.c:X b.C:X");
    CHECK_TEXT(inputs("-x c a.txt -x none b.txt -xc++ c.c -x assembler d.c", false),
               "a.txt:C b.txt:L c.c:X d.c:O");
    CHECK_TEXT(inputs("-I a.c -D b.c -include c.c -MF d.c -Xlinker e.c --param f.c g.c", false),
               "g.c:C");
    CHECK_TEXT(
        inputs("-Ia.c -L/b.c -lc -Wl,d.c -include-pch p.c -isystem i.c -unknown.c q.c", false),
        "q.c:C");
    CHECK_TEXT(inputs("dir.c/no-suffix ./a.b/x.cc", false), "dir.c/no-suffix:L ./a.b/x.cc:X");
    CHECK_TEXT(inputs("-c -- -odd.c", false), "-odd.c:C");
}

static void check_modes(void)
{
    CHECK(read_line("-c a.c", false).compile_only);
    CHECK(!read_line("-o -c a.c", false).compile_only);
    CHECK(read_line("--compile a.c", false).compile_only);
    CHECK_TEXT(read_line("-c a.c --output b.o", false).output, "b.o");
    CHECK_TEXT(read_line("-c a.c --output=b.o", false).output, "b.o");
    CHECK_TEXT(read_line("-c a.c -ob.o", false).output, "b.o");
    CHECK_TEXT(read_line("-o x -c a.c -o b.o", false).output, "b.o");
    CHECK(read_line("-c a.c", false).output == NULL);
    CHECK(read_line("-c a.c -o", false).output == NULL);
    CHECK(read_line("-E a.c", false).host_only);
    CHECK(read_line("-MM a.c", false).host_only);
    CHECK(read_line("--preprocess a.c", false).host_only);
    CHECK(!read_line("-MMD -MD -MP a.c", false).host_only);
    CHECK(!read_line("-MF -E a.c", false).host_only);
    CHECK(read_line("-print-prog-name=ld", false).host_only);
    CHECK(read_line("--version", false).host_only);
    CHECK(!read_line("-v a.c", false).host_only);
    CHECK(read_line("-r a.o", false).relocatable);
    CHECK(read_line("-nostdlib a.o", false).no_libraries);
    CHECK(read_line("", false).inputs == 1);
}

static void check_selection(void)
{
    CHECK_TEXT(
        selected("-O2 -DA -D B -I c -Wall -std=c99 -funroll-loops -include d.h a.c", USE_PARSE),
        "-O2 -DA -D B -I c -std=c99 -include d.h");
    CHECK_TEXT(selected("-Wp,-DA,-include,b.h -Wp,-MD,c.d -Xpreprocessor -DD -Wl,-DE", USE_PARSE),
               "-Wp,-DA,-include,b.h -Xpreprocessor -DD");
    CHECK_TEXT(selected("--define-macro A=1 --undefine-macro=B --include c.h --imacros=d.h "
                        "--include-directory e --include-directory-after=f a.c",
                        USE_PARSE),
               "--define-macro A=1 --undefine-macro=B --include c.h --imacros=d.h "
               "--include-directory e --include-directory-after=f");
    CHECK_TEXT(selected("-O2 -g3 -DA -Wall -fPIC -flto -flto=auto -fprofile-arcs -fdump-tree-all "
                        "-march=native -pthread -B dir --sysroot=/ -fsanitize=address a.c",
                        USE_GENERATED),
               "-O2 -g3 -fPIC -march=native -pthread -B dir --sysroot=/ -fsanitize=address");
    CHECK_TEXT(selected("-m32 -Bx -O2 -fuse-ld=gold a.c", USE_JOIN), "-m32 -Bx -fuse-ld=gold");
    CHECK_TEXT(selected("-lm -L x -Wl,-z -shared -static-libgcc -Xlinker y a.c", USE_LINK_ONLY),
               "-lm -L x -Wl,-z -shared -static-libgcc -Xlinker y");
}

static const char *compiled(const char *line, int input, const char *output)
{
    struct command command = read_line(line, false);
    struct words out = words_new(arena);
    bool *keep = arena_alloc(arena, (size_t)command.words * sizeof(*keep));

    keep[input] = true;
    command_compile_some(&command, keep, output, NULL, &out);
    return joined(&out);
}

static void check_commands(void)
{
    struct command command = read_line("-MD -x c a.src -x none b.o -o app -lm", false);
    const char *replace[10] = {[3] = "t/a.o"};
    struct words out = words_new(arena);

    CHECK_TEXT(compiled("-O a.c b.c x.o -o app -lm -MD", 1, "t.o"), "-O a.c -MD -c -o t.o");
    CHECK_TEXT(compiled("-x c a.src -x none b.o -c", 2, NULL), "-x c a.src -x none -c");
    command_replace_inputs(&command, replace, &out);
    CHECK_TEXT(joined(&out), "-MD -x c -xnone t/a.o -xc -x none b.o -o app -lm");
}

static const char *dependencies(const char *line)
{
    struct command command = read_line(line, false);
    struct words out = words_new(arena);

    command_add_dependency_names(&command, "src/a.b.c", &out);
    return joined(&out);
}

/* The names that gcc 12 gives them. */
static void check_dependencies(void)
{
    CHECK_TEXT(dependencies("src/a.b.c -o app"), "");
    CHECK_TEXT(dependencies("-MD src/a.b.c"), "-MFa-a.b.d -MQa.b.o");
    CHECK_TEXT(dependencies("-MMD src/a.b.c -o sub/app.x"), "-MFsub/app.d -MQsub/app.x");
    CHECK_TEXT(dependencies("-MD -MF deps src/a.b.c -o app"), "");
    CHECK_TEXT(dependencies("-MD -MT t src/a.b.c -o app"), "-MF./app.d");
}

static void check_lto(void)
{
    struct command on = read_line("-fno-lto -flto=2 a.c", false);
    struct command off = read_line("-flto -fno-lto a.c", false);
    struct command none = read_line("-flto-compression-level=3 a.c", false);

    CHECK(command_has_lto(&on));
    CHECK(!command_has_lto(&off));
    CHECK(!command_has_lto(&none));
}

static bool settings_of(const char *line, struct settings *settings, struct words *rest)
{
    struct words words = words_split(arena, line, ' ');

    *rest = words_new(arena);
    return settings_read(settings, arena, &words, rest) == 0;
}

static void check_settings(void)
{
    struct settings settings;
    struct words rest;

    clearenv();
    CHECK(settings_of("-c a.c", &settings, &rest));
    CHECK(settings.emit.schedule[AT_FUSED] && !settings.emit.schedule[AT_SPLIT] &&
          !settings.emit.schedule[AT_SPLIT + 1] && settings.emit.predicted);
    CHECK(settings.device == DEVICE_DEFAULT && !settings.explain);
    CHECK_TEXT(joined(&rest), "-c a.c");
    CHECK(settings_of("--cleave-emit=split -O2 --cleave-arch=sm_80,sm_90a a.c -###", &settings,
                      &rest));
    CHECK(!settings.emit.schedule[AT_FUSED] && settings.emit.schedule[AT_SPLIT] &&
          !settings.emit.predicted);
    CHECK(settings.device == DEVICE_CUDA && settings.dry_run);
    CHECK_TEXT(joined(&settings.architectures), "sm_80 sm_90a");
    CHECK_TEXT(joined(&rest), "-O2 a.c -###");
    CHECK(settings_of("--cleave-emit=split3,owner", &settings, &rest));
    CHECK(settings.emit.schedule[AT_SPLIT + 2] && settings.emit.schedule[AT_OWNER_GATHER] &&
          !settings.emit.schedule[AT_TWO_PASS] && !settings.emit.predicted);
    CHECK(settings_of("--cleave-emit=all --cleave-explain", &settings, &rest));
    CHECK(settings.emit.schedule[AT_LOOPS] && settings.emit.schedule[AT_TWO_PASS]);
    CHECK(settings.explain && settings.explain_page == NULL);
    CHECK(settings_of("--cleave-explain=a/b.html", &settings, &rest));
    CHECK(!settings.explain);
    CHECK_TEXT(settings.explain_page, "a/b.html");
    CHECK(!settings_of("--cleave-explain=.html", &settings, &rest));
    CHECK(!settings_of("--cleave-explain=yes", &settings, &rest));
    CHECK(settings.emit.soa == CODEGEN_SOA_DECLARED);
    CHECK(settings_of("--cleave-soa=all --cleave-emit=split", &settings, &rest));
    CHECK(settings.emit.soa == CODEGEN_SOA_ALL && settings.emit.schedule[AT_SPLIT]);
    CHECK(settings_of("--cleave-soa=all --cleave-soa=declared", &settings, &rest));
    CHECK(settings.emit.soa == CODEGEN_SOA_DECLARED);
    CHECK(!settings.split.merge_quotients);
    CHECK(settings_of("--cleave-reciprocals=merged", &settings, &rest));
    CHECK(settings.split.merge_quotients);
    CHECK(settings_of("--cleave-reciprocals=merged --cleave-reciprocals=exact", &settings, &rest));
    CHECK(!settings.split.merge_quotients);
    CHECK(!settings_of("--cleave-reciprocals", &settings, &rest));
    CHECK(settings.split.fuse);
    CHECK(settings_of("--cleave-fuse=off", &settings, &rest));
    CHECK(!settings.split.fuse);
    CHECK(settings_of("--cleave-fuse=off --cleave-fuse=auto", &settings, &rest));
    CHECK(settings.split.fuse);
    CHECK(!settings_of("--cleave-fuse=on", &settings, &rest));
    CHECK(!settings_of("--cleave-reciprocals=fast", &settings, &rest));
    CHECK(settings_of("--cleave-soa=auto --cleave-emit=split", &settings, &rest));
    CHECK(settings.emit.soa == CODEGEN_SOA_AUTO);
    CHECK(!settings_of("--cleave-soa=some", &settings, &rest));
    CHECK(!settings_of("--cleave-soa=", &settings, &rest));
    CHECK(!settings_of("--cleave-emit=fused,split5", &settings, &rest));
    CHECK(settings_of("--cleave-keep --cleave-dump=stages,loops,dot", &settings, &rest));
    CHECK_TEXT(settings.keep, ".");
    CHECK(settings.dump[DUMP_LOOPS] && settings.dump[DUMP_STAGES] && settings.dump[DUMP_DOT] &&
          !settings.dump[DUMP_GRAPH]);
    CHECK(!settings_of("--cleave-arch=sm90", &settings, &rest));
    CHECK(!settings_of("--cleave-arch=sm_90,", &settings, &rest));
    CHECK(!settings_of("--cleave-emit", &settings, &rest));
    CHECK(!settings_of("--cleave-emti=all", &settings, &rest));
    CHECK(!settings_of("--cleave-dump=loops,x", &settings, &rest));
    CHECK(settings_of("--showme:link", &settings, &rest) && settings.query == QUERY_SHOW_LINK);
}

/* ---- every row of settings.def -----------------------------------------------------------------
 */

/* Reads "--cleave-NAME=VALUE". */
static bool takes(const struct flag *flag, const char *value, struct settings *settings)
{
    struct words rest;

    return settings_of(arena_format(arena, "--cleave-%s=%s", flag->name, value), settings, &rest);
}

/* Reads the flag's variable alone. */
static bool takes_variable(const struct flag *flag, const char *value, struct settings *settings)
{
    const char *name = variable_name((enum variable)flag->variable);
    struct words words = words_new(arena);
    struct words rest = words_new(arena);
    bool valid;

    setenv(name, value, 1);
    valid = settings_read(settings, arena, &words, &rest) == 0;
    unsetenv(name);
    return valid;
}

static int field_of(const struct flag *flag, const struct settings *settings)
{
    return *(const int *)((const char *)settings + flag->offset);
}

static bool switch_of(const struct flag *flag, const struct settings *settings)
{
    return *(const bool *)((const char *)settings + flag->offset);
}

static void check_words(const struct flag *flag)
{
    struct settings settings;

    CHECK(!takes(flag, "no-such-word", &settings));
    CHECK(!takes_variable(flag, "no-such-word", &settings));
    CHECK(flag[1].kind == FLAG_WORD);
    for (const struct flag *word = flag + 1; word->kind == FLAG_WORD; word++) {
        const char *text = word->number == ARCH_SM ? "sm_90" : word->name;

        CHECK(takes(flag, text, &settings));
        CHECK(flag->kind != FLAG_CHOICE || field_of(flag, &settings) == word->number);
        CHECK(takes_variable(flag, text, &settings));
        CHECK(flag->kind != FLAG_CHOICE || field_of(flag, &settings) == word->number);
    }
}

static void check_switch(const struct flag *flag)
{
    struct settings settings;

    CHECK(takes(flag, "1", &settings) && switch_of(flag, &settings));
    CHECK(takes(flag, "0", &settings) && !switch_of(flag, &settings));
    CHECK(!takes(flag, "2", &settings));
    CHECK(takes_variable(flag, "1", &settings) && switch_of(flag, &settings));
}

static void check_number(const struct flag *flag)
{
    struct settings settings;

    CHECK(takes(flag, arena_format(arena, "%d", flag->least), &settings));
    CHECK(takes(flag, arena_format(arena, "%d", flag->most), &settings));
    CHECK(field_of(flag, &settings) == flag->most);
    CHECK(!takes(flag, arena_format(arena, "%d", flag->least - 1), &settings));
    CHECK(!takes(flag, arena_format(arena, "%d", flag->most + 1), &settings));
    CHECK(!takes(flag, "many", &settings));
}

static void check_rows(void)
{
    struct settings settings;
    struct words rest;

    for (int i = 0; i < flag_count; i++) {
        const struct flag *flag = &flags[i];

        CHECK(flag->kind == FLAG_WORD || flag->meaning[0] != '\0');
        if (flag->kind == FLAG_CHOICE || flag->kind == FLAG_LIST) {
            check_words(flag);
        } else if (flag->kind == FLAG_SWITCH) {
            check_switch(flag);
        } else if (flag->kind == FLAG_NUMBER) {
            check_number(flag);
        } else if (flag->kind == FLAG_SHOW) {
            CHECK(settings_of(arena_format(arena, "--showme%s", flag->name), &settings, &rest));
            CHECK((int)settings.query == flag->number);
        }
    }
    CHECK(settings_of("", &settings, &rest));
    CHECK(settings.soa == SOA_DECLARED && settings.access == ACCESS_ERROR);
}

int main(void)
{
    arena = arena_new();
    check_inputs();
    check_modes();
    check_selection();
    check_commands();
    check_dependencies();
    check_lto();
    check_settings();
    check_rows();
    arena_free(arena);
    return CHECK_RESULT();
}
