/* command.c: the table of the host compilers' flags, and its use. See command.h. A flag that is not
 * in the table takes no argument and goes to the host compiler alone, for compiling and linking the
 * user's files. */
#include "pass/driver/command.h"

#include <string.h>

enum shape {
    EXACT,    /* this word alone */
    PREFIX,   /* any word that starts so */
    SEPARATE, /* this word and the next */
    EITHER    /* the value is the rest of the word or, when there is none, the next word */
};

static const struct option {
    const char *text;
    enum shape shape;
    unsigned use;
} options[] = {
    /* The first row that fits decides. Whole-command modes: */
    {"-E", EXACT, USE_HOST_ONLY},
    {"-S", EXACT, USE_HOST_ONLY},
    {"-M", EXACT, USE_HOST_ONLY},
    {"-MM", EXACT, USE_HOST_ONLY},
    {"-fsyntax-only", EXACT, 0},
    {"--version", EXACT, USE_HOST_ONLY},
    {"--help", PREFIX, USE_HOST_ONLY},
    {"--target-help", EXACT, USE_HOST_ONLY},
    {"--analyze", EXACT, USE_HOST_ONLY},
    {"-dumpversion", EXACT, USE_HOST_ONLY},
    {"-dumpfullversion", EXACT, USE_HOST_ONLY},
    {"-dumpmachine", EXACT, USE_HOST_ONLY},
    {"-dumpspecs", EXACT, USE_HOST_ONLY},
    {"--preprocess", EXACT, USE_HOST_ONLY},
    {"--assemble", EXACT, USE_HOST_ONLY},
    {"--dependencies", EXACT, USE_HOST_ONLY},
    {"--user-dependencies", EXACT, USE_HOST_ONLY},
    {"-print-", PREFIX, USE_HOST_ONLY},
    {"--print-", PREFIX, USE_HOST_ONLY},
    {"-emit-llvm", EXACT, USE_HOST_ONLY},
    /* output and inputs */
    {"-o", EITHER, USE_OUTPUT},
    {"--output", SEPARATE, USE_OUTPUT},
    {"--output=", PREFIX, USE_OUTPUT},
    {"-x", EITHER, 0},
    {"-MF", EITHER, 0},
    {"-MT", EITHER, 0},
    {"-MQ", EITHER, 0},
    {"-M", PREFIX, 0},
    {"-dumpbase", SEPARATE, 0},
    {"-dumpbase-ext", SEPARATE, 0},
    {"-dumpdir", SEPARATE, 0},
    {"-aux-info", SEPARATE, 0},
    {"-wrapper", SEPARATE, 0},
    {"-specs", SEPARATE, USE_GENERATED | USE_JOIN},
    {"-specs=", PREFIX, USE_GENERATED | USE_JOIN},
    /* what the source means */
    {"-include-pch", SEPARATE, 0},
    {"-include", EITHER, USE_PARSE},
    {"-imacros", EITHER, USE_PARSE},
    {"-isystem", EITHER, USE_PARSE},
    {"-iquote", EITHER, USE_PARSE},
    {"-idirafter", EITHER, USE_PARSE},
    {"-isysroot", EITHER, USE_PARSE},
    {"-iprefix", EITHER, USE_PARSE},
    {"-iwithprefixbefore", EITHER, USE_PARSE},
    {"-iwithprefix", EITHER, USE_PARSE},
    {"-imultilib", EITHER, 0},
    {"-I", EITHER, USE_PARSE},
    {"-D", EITHER, USE_PARSE},
    {"-U", EITHER, USE_PARSE},
    {"--include", SEPARATE, USE_PARSE},
    {"--include=", PREFIX, USE_PARSE},
    {"--imacros", SEPARATE, USE_PARSE},
    {"--imacros=", PREFIX, USE_PARSE},
    {"--include-directory", SEPARATE, USE_PARSE},
    {"--include-directory=", PREFIX, USE_PARSE},
    {"--include-directory-after", SEPARATE, USE_PARSE},
    {"--include-directory-after=", PREFIX, USE_PARSE},
    {"--define-macro", SEPARATE, USE_PARSE},
    {"--define-macro=", PREFIX, USE_PARSE},
    {"--undefine-macro", SEPARATE, USE_PARSE},
    {"--undefine-macro=", PREFIX, USE_PARSE},
    {"-A", EITHER, 0},
    {"-std=", PREFIX, USE_PARSE},
    {"--std=", PREFIX, USE_PARSE},
    {"-ansi", EXACT, USE_PARSE},
    {"-trigraphs", EXACT, USE_PARSE},
    {"-nostdinc", PREFIX, USE_PARSE},
    {"-undef", EXACT, USE_PARSE},
    {"-stdlib=", PREFIX, USE_PARSE},
    {"-pthread", EXACT, USE_PARSE | USE_GENERATED},
    {"-Wp,-M", PREFIX, 0}, /* only the host compiler writes dependency files */
    {"-Wp,", PREFIX, USE_PARSE},
    {"-Xpreprocessor", SEPARATE, USE_PARSE},
    {"-O", PREFIX, USE_PARSE | USE_GENERATED},
    {"-funsigned-char", EXACT, USE_PARSE | USE_GENERATED},
    {"-fsigned-char", EXACT, USE_PARSE | USE_GENERATED},
    {"-fno-unsigned-char", EXACT, USE_PARSE | USE_GENERATED},
    {"-fno-signed-char", EXACT, USE_PARSE | USE_GENERATED},
    {"-fshort-enums", EXACT, USE_PARSE | USE_GENERATED},
    {"-fshort-wchar", EXACT, USE_PARSE | USE_GENERATED},
    {"-fopenmp", EXACT, USE_PARSE},
    {"-fopenmp=", PREFIX, USE_PARSE | USE_GENERATED},
    {"-fno-openmp", EXACT, 0},
    {"-ffast-math", EXACT, USE_PARSE | USE_GENERATED},
    {"-ffinite-math-only", EXACT, USE_PARSE | USE_GENERATED},
    {"-fno-finite-math-only", EXACT, USE_PARSE | USE_GENERATED},
    {"-fexceptions", EXACT, USE_PARSE | USE_GENERATED},
    {"-fno-exceptions", EXACT, USE_PARSE | USE_GENERATED},
    {"-frtti", EXACT, USE_PARSE | USE_GENERATED},
    {"-fno-rtti", EXACT, USE_PARSE | USE_GENERATED},
    {"-ffreestanding", EXACT, USE_PARSE},
    {"-fms-extensions", EXACT, USE_PARSE},
    {"-fchar8_t", EXACT, USE_PARSE},
    {"-fno-char8_t", EXACT, USE_PARSE},
    /* these would make the compilation of generated files write side files, or change objects
     * that the join needs */
    {"-flto", PREFIX, 0},
    {"-fno-lto", EXACT, 0},
    {"-ffat-lto-objects", EXACT, 0},
    {"-fno-fat-lto-objects", EXACT, 0},
    {"-fuse-linker-plugin", EXACT, 0},
    {"-fno-use-linker-plugin", EXACT, 0},
    {"-fuse-ld=", PREFIX, USE_JOIN | USE_LINK_ONLY},
    {"-fwhole-program", EXACT, 0},
    {"-fprofile-abs-path", EXACT, USE_GENERATED},
    {"-fprofile-dir=", PREFIX, USE_GENERATED},
    {"-fprofile-exclude-files=", PREFIX, USE_GENERATED},
    {"-fprofile-filter-files=", PREFIX, USE_GENERATED},
    {"-fprofile-prefix", PREFIX, USE_GENERATED},
    {"-fprofile", PREFIX, 0},
    {"-fbranch-probabilities", EXACT, 0},
    {"-fauto-profile", PREFIX, 0},
    {"-ftest-coverage", EXACT, 0},
    {"-fcoverage", PREFIX, 0},
    {"-fdump", PREFIX, 0},
    {"-fplugin", PREFIX, 0},
    {"-fanalyzer", PREFIX, 0},
    {"-fmodules", PREFIX, 0},
    {"-fmodule", PREFIX, 0},
    {"-fpch", PREFIX, 0},
    {"-fopt-info", PREFIX, 0},
    {"-fstack-usage", EXACT, 0},
    {"-fcallgraph-info", PREFIX, 0},
    {"-fsave-optimization-record", PREFIX, 0},
    {"-ftime-trace", PREFIX, 0},
    {"-ftime-report", PREFIX, 0},
    {"-fpreprocessed", EXACT, 0},
    {"-fdirectives-only", EXACT, 0},
    {"-fworking-directory", EXACT, 0},
    {"-finput-charset=", PREFIX, 0},
    {"-fcompare-debug", PREFIX, 0},
    {"-fdiagnostics-", PREFIX, 0}, /* messages about generated files are never wanted as JSON */
    {"-fno-diagnostics-", PREFIX, 0},
    {"-gsplit-dwarf", PREFIX, 0},
    /* code generation */
    {"-framework", SEPARATE, USE_LINK_ONLY},
    {"-w", EXACT, USE_GENERATED},
    {"-f", PREFIX, USE_GENERATED},
    {"-g", PREFIX, USE_GENERATED},
    {"-mllvm", SEPARATE, 0},
    {"-march=", PREFIX, USE_PARSE | USE_GENERATED | USE_JOIN},
    {"-mavx", PREFIX, USE_PARSE | USE_GENERATED},
    {"-msse", PREFIX, USE_PARSE | USE_GENERATED},
    {"-mfma", EXACT, USE_PARSE | USE_GENERATED},
    {"-m32", EXACT, USE_PARSE | USE_GENERATED | USE_JOIN},
    {"-m64", EXACT, USE_PARSE | USE_GENERATED | USE_JOIN},
    {"-mx32", EXACT, USE_PARSE | USE_GENERATED | USE_JOIN},
    {"-m", PREFIX, USE_GENERATED},
    {"--param", SEPARATE, USE_GENERATED},
    {"--param=", PREFIX, USE_GENERATED},
    {"-B", EITHER, USE_GENERATED | USE_JOIN},
    {"--sysroot", SEPARATE, USE_PARSE | USE_GENERATED | USE_JOIN},
    {"--sysroot=", PREFIX, USE_PARSE | USE_GENERATED | USE_JOIN},
    {"-target", SEPARATE, USE_PARSE | USE_GENERATED | USE_JOIN},
    {"--target=", PREFIX, USE_PARSE | USE_GENERATED | USE_JOIN},
    {"--gcc-toolchain=", PREFIX, USE_PARSE | USE_GENERATED | USE_JOIN},
    {"-arch", SEPARATE, USE_PARSE | USE_GENERATED | USE_JOIN},
    /* arguments handed on */
    {"-Xassembler", SEPARATE, 0},
    {"-Xclang", SEPARATE, 0},
    /* the linker */
    {"-Xlinker", SEPARATE, USE_LINK_ONLY},
    {"-Wl,", PREFIX, USE_LINK_ONLY},
    {"-L", EITHER, USE_LINK_ONLY},
    {"-l", EITHER, USE_LINK_ONLY},
    {"-T", EITHER, USE_LINK_ONLY},
    {"-u", EITHER, USE_LINK_ONLY},
    {"-z", EITHER, USE_LINK_ONLY},
    {"-e", EITHER, USE_LINK_ONLY},
    {"-shared", PREFIX, USE_LINK_ONLY},
    {"-static", PREFIX, USE_LINK_ONLY},
    {"-pie", EXACT, USE_LINK_ONLY},
    {"-no-pie", EXACT, USE_LINK_ONLY},
    {"-nopie", EXACT, USE_LINK_ONLY},
    {"-rdynamic", EXACT, USE_LINK_ONLY},
    {"-symbolic", EXACT, USE_LINK_ONLY},
    {"-s", EXACT, USE_LINK_ONLY},
    {"-r", EXACT, USE_LINK_ONLY},
    {"-nostdlib", PREFIX, USE_LINK_ONLY},
    {"-nostartfiles", EXACT, USE_LINK_ONLY},
    {"-nodefaultlibs", EXACT, USE_LINK_ONLY},
};

static const struct option unknown_option = {"", EXACT, 0};

static bool option_fits(const struct option *option, const char *word)
{
    if (option->shape == PREFIX || option->shape == EITHER) {
        return text_starts(word, option->text);
    }
    return strcmp(word, option->text) == 0;
}

static const struct option *option_find(const char *word)
{
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (option_fits(&options[i], word)) {
            return &options[i];
        }
    }
    return &unknown_option;
}

static const struct suffix {
    const char *text;
    enum input_kind kind;
} suffixes[] = {
    {".c", INPUT_C},       {".cc", INPUT_CXX},    {".cp", INPUT_CXX},    {".cxx", INPUT_CXX},
    {".cpp", INPUT_CXX},   {".CPP", INPUT_CXX},   {".c++", INPUT_CXX},   {".C", INPUT_CXX},
    {".i", INPUT_OTHER},   {".ii", INPUT_OTHER},  {".h", INPUT_OTHER},   {".hh", INPUT_OTHER},
    {".H", INPUT_OTHER},   {".hp", INPUT_OTHER},  {".hpp", INPUT_OTHER}, {".hxx", INPUT_OTHER},
    {".s", INPUT_OTHER},   {".S", INPUT_OTHER},   {".sx", INPUT_OTHER},  {".m", INPUT_OTHER},
    {".mm", INPUT_OTHER},  {".M", INPUT_OTHER},   {".f", INPUT_OTHER},   {".f90", INPUT_OTHER},
    {".F90", INPUT_OTHER}, {".F", INPUT_OTHER},   {".d", INPUT_OTHER},   {".go", INPUT_OTHER},
    {".adb", INPUT_OTHER}, {".ads", INPUT_OTHER},
};

static enum input_kind input_by_suffix(const char *path, bool is_cxx)
{
    const char *dot = strrchr(path_base(path), '.');

    for (size_t i = 0; dot != NULL && i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        if (strcmp(dot, suffixes[i].text) == 0) {
            enum input_kind kind = suffixes[i].kind;

            return kind == INPUT_C && is_cxx ? INPUT_CXX : kind;
        }
    }
    return INPUT_LINKER;
}

static enum input_kind input_find(const char *path, const char *language, bool is_cxx)
{
    if (strcmp(path, "-") == 0) {
        return INPUT_OTHER;
    }
    if (language == NULL) {
        return input_by_suffix(path, is_cxx);
    }
    if (strcmp(language, "c") == 0) {
        return INPUT_C;
    }
    return strcmp(language, "c++") == 0 ? INPUT_CXX : INPUT_OTHER;
}

/* The value of word i, a flag of shape EITHER or SEPARATE spelled `name`; NULL when there is none.
 */
static const char *value_of(const struct words *words, int i, const char *name)
{
    const char *rest = words->word[i] + strlen(name);

    if (*rest != '\0') {
        return rest;
    }
    return i + 1 < words->count ? words->word[i + 1] : NULL;
}

static void note_flag(struct command *command, const struct option *option)
{
    command->host_only = command->host_only || (option->use & USE_HOST_ONLY);
    command->check_only = command->check_only || strcmp(option->text, "-fsyntax-only") == 0;
    command->relocatable = command->relocatable || strcmp(option->text, "-r") == 0;
    command->no_libraries = command->no_libraries || strcmp(option->text, "-nostdlib") == 0 ||
                            strcmp(option->text, "-nodefaultlibs") == 0;
}

/* Takes flag i and its value; returns the number of words. */
static int read_flag(struct command *command, const struct words *words, int i,
                     const char **language)
{
    const char *text = words->word[i];
    const struct option *option = option_find(text);
    bool valued = option->shape == SEPARATE || option->shape == EITHER;
    bool next = option->shape == SEPARATE || (valued && strcmp(text, option->text) == 0);

    command->word[command->words++] =
        (struct word){.text = text, .kind = WORD_FLAG, .use = option->use, .language = *language};
    note_flag(command, option);
    command->compile_only =
        command->compile_only || strcmp(text, "-c") == 0 || strcmp(text, "--compile") == 0;
    if (option->use & USE_OUTPUT) {
        command->output = value_of(words, i, option->text);
    }
    if (strcmp(option->text, "-x") == 0) {
        const char *value = value_of(words, i, "-x");

        *language = value == NULL || strcmp(value, "none") == 0 ? NULL : value;
    }
    if (!next) {
        return 1;
    }
    if (i + 1 >= words->count) {
        command->host_only = true; /* the host compiler reports that the flag lacks its value */
        return 1;
    }
    command->word[command->words++] = (struct word){
        .text = words->word[i + 1], .kind = WORD_VALUE, .use = option->use, .language = *language};
    return 2;
}

static void read_input(struct command *command, const char *text, const char *language)
{
    enum input_kind kind = input_find(text, language, command->is_cxx);

    command->word[command->words++] =
        (struct word){.text = text, .kind = WORD_INPUT, .input = kind, .language = language};
    command->inputs++;
    command->sources += kind == INPUT_C || kind == INPUT_CXX;
}

struct command command_read(struct arena *arena, const struct words *words, bool is_cxx)
{
    struct command command = {.arena = arena, .is_cxx = is_cxx};
    const char *language = NULL;
    bool only_inputs = false;
    int i = 0;

    command.word = arena_alloc(arena, (size_t)words->count * sizeof(*command.word));
    while (i < words->count) {
        const char *text = words->word[i];

        if (!only_inputs && text[0] == '-' && text[1] != '\0') {
            only_inputs = strcmp(text, "--") == 0;
            i += read_flag(&command, words, i, &language);
        } else {
            read_input(&command, text, language);
            i++;
        }
    }
    return command;
}

struct words command_select(const struct command *command, unsigned uses)
{
    struct words out = words_new(command->arena);

    for (int i = 0; i < command->words; i++) {
        if (command->word[i].use & uses) {
            words_add(&out, command->word[i].text);
        }
    }
    return out;
}

bool command_has(const struct command *command, const char *flag)
{
    for (int i = 0; i < command->words; i++) {
        if (command->word[i].kind == WORD_FLAG && strcmp(command->word[i].text, flag) == 0) {
            return true;
        }
    }
    return false;
}

const char *command_last(const struct command *command, const char *start)
{
    for (int i = command->words - 1; i >= 0; i--) {
        if (command->word[i].kind == WORD_FLAG && text_starts(command->word[i].text, start)) {
            return command->word[i].text;
        }
    }
    return NULL;
}

bool command_debugs(const struct command *command)
{
    const char *last = command_last(command, "-g");

    return last != NULL && strcmp(last, "-g0") != 0;
}

bool command_covers(const struct command *command)
{
    return command_has(command, "--coverage") || command_has(command, "-coverage") ||
           command_has(command, "-ftest-coverage") || command_has(command, "-fprofile-arcs");
}

bool command_has_lto(const struct command *command)
{
    bool lto = false;

    for (int i = 0; i < command->words; i++) {
        const struct word *word = &command->word[i];

        if (word->kind == WORD_FLAG && strcmp(word->text, "-fno-lto") == 0) {
            lto = false;
        } else if (word->kind == WORD_FLAG &&
                   (strcmp(word->text, "-flto") == 0 || text_starts(word->text, "-flto="))) {
            lto = true;
        }
    }
    return lto;
}

/* Whether the compilation of the inputs in `keep` has word i. */
static bool compiles_with(const struct command *command, const bool *keep, int i)
{
    const struct word *word = &command->word[i];

    if (word->kind == WORD_INPUT) {
        return keep[i];
    }
    if (word->use & (USE_OUTPUT | USE_LINK_ONLY)) {
        return false;
    }
    return word->kind == WORD_VALUE ||
           (strcmp(word->text, "-c") != 0 && strcmp(word->text, "--") != 0 &&
            strcmp(word->text, "-###") != 0);
}

void command_compile_some(const struct command *command, const bool *keep, const char *output,
                          const struct words *extra, struct words *out)
{
    for (int i = 0; i < command->words; i++) {
        if (compiles_with(command, keep, i)) {
            words_add(out, command->word[i].text);
        }
    }
    if (extra != NULL) {
        words_add_all(out, extra);
    }
    words_add(out, "-c");
    if (output != NULL) {
        words_add(out, "-o");
        words_add(out, output);
    }
}

void command_replace_inputs(const struct command *command, const char *const *replace,
                            struct words *out)
{
    for (int i = 0; i < command->words; i++) {
        const struct word *word = &command->word[i];

        if (word->kind == WORD_FLAG && strcmp(word->text, "-###") == 0) {
            continue; /* -### is a question to cleavecc and not part of the command that it shows */
        }
        if (replace[i] == NULL) {
            words_add(out, word->text);
        } else if (word->language == NULL) {
            words_add(out, replace[i]);
        } else {
            words_add(out, "-xnone");
            words_add(out, replace[i]);
            words_add_format(out, "-x%s", word->language);
        }
    }
}

void command_add_dependency_names(const struct command *command, const char *source,
                                  struct words *out)
{
    bool makes = command_has(command, "-MD") || command_has(command, "-MMD");
    const char *name = command->output;

    if (!makes || command_last(command, "-MF") != NULL) {
        return;
    }
    if (name == NULL) {
        words_add_format(out, "-MFa-%s.d", path_stem(command->arena, source));
    } else {
        words_add_format(out, "-MF%s/%s.d", path_folder(command->arena, name),
                         path_stem(command->arena, name));
    }
    if (command_last(command, "-MT") == NULL && command_last(command, "-MQ") == NULL) {
        words_add_format(out, "-MQ%s%s", name ? name : path_stem(command->arena, source),
                         name ? "" : ".o");
    }
}
