/* mutate.c: fuzz_mutate, which damages text: a source of C or C++, or the words of a command line.
 *
 *   fuzz_mutate source SEED <FILE     one to four mistakes in a source
 *   fuzz_mutate words SEED <FILE      one to three in words, which stand one on a line
 *
 * The same input and seed give the same output. Sources are damaged where programs differ: tokens
 * are lost, doubled or exchanged, numbers become extremes, types, accesses and operators others.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { SPACE, NAME, NUMBER, STRING, SIGN };

struct token {
    enum kind kind;
    const char *text; /* not ended by 0 */
    size_t length;
};

/* The text that is damaged: tokens, or the words of a command. */
struct text {
    struct token *token;
    int tokens;
    int room;
};

static uint64_t state;

/* splitmix64: a number below count. */
static int pick(int count)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (int)(z % (uint64_t)count);
}

/* clang-format off */

/* ---- texts that take the place of others ----------------------------------------------------- */

static const char *const numbers[] = {
    "0", "-1", "1", "2", "3", "7", "64", "256", "1000", "65536", "100000", "1000000000",
    "2147483647", "(-2147483647-1)", "2147483648", "4294967295", "4294967296",
    "9223372036854775807", "18446744073709551615", "99999999999999999999", "0x7fffffff", "0b1",
    "017", "1e308", "1e-320", "1e999", "0.0", "-0.0", "1.5f", "1.0L", "'a'", "1u", "1ull"
};
static const char *const names[] = {
    "int", "double", "float", "char", "void", "bool", "long", "short", "unsigned", "signed",
    "const", "static", "inline", "volatile", "restrict", "struct", "union", "enum", "return",
    "break", "continue", "goto", "if", "else", "for", "while", "do", "switch", "case", "default",
    "sizeof", "OP_READ", "OP_WRITE", "OP_INC", "OP_RW", "OP_MIN", "OP_MAX", "OP_ID", "OP_GBL",
    "OP_ALL", "op_arg_dat", "op_arg_gbl", "op_arg_opt_dat", "op_arg_idx", "op_par_loop",
    "op_decl_const", "op_decl_map", "op_decl_dat", "NULL", "sqrt", "fabs", "printf", "rand", "auto",
    "typedef", "_Bool", "__builtin_expect", "template", "class", "namespace", "operator"
};
static const char *const strings[] = {
    "\"double\"", "\"float\"", "\"int\"", "\"\"", "\"double:soa\"", "\"long\"", "\"char\"",
    "\"uint64_t\"", "\"bool\"", "\"no type\"", "\"%s%n\"", "\"\\n\"", "\"a\" \"b\"", "0"
};
static const char *const signs[] = {
    "+",   "-",  "*",  "/",  "%",  "&",  "|",  "^",   "~",  "!", "=",   "==", "!=", "<",  ">",
    "<=", ">=", "&&",  "||", "<<", ">>",  "+=", "-=", "*=", "/=", "%=", "&=", "|=",  "^=", "<<=",
    ">>=", "++", "--", "->", ".",  "?",  ":",  ",",   ";",  "(", ")",   "{",  "}",  "[",  "]",  "#",
    "##", "...", "::", "\\"
};
static const char *const insertions[] = {
    " return; ", " break; ", " goto out; out: ", " { ", " } ", " ( ", " ) ", " ; ", " * ", " & ",
    " - ", " ! ", " ~ ", " (double) ", " (int) ", " (void *) ", " [0] ", " 0 ? ", " , ",
    " if (0) ", " for (;;) ", " while (1) ", " switch (1) ", " case 1: ", " else ", " static ",
    " const ", " volatile ", " sizeof ", " = 0 ", " ++ ", "\n#if 0\n", "\n#endif\n",
    "\n#include \"op_seq.h\"\n", "\n#pragma omp parallel for\n", "\n#define double float\n", " \"",
    " '", " /* ", "\n//", "\xc3\xa9", "\x01"
};
static const char *const words[] = {
    "", "-", "--", "-c", "-o", "-E", "-S", "-M", "-MD", "-MF", "-I", "-D", "-DX=", "-x", "-xc",
    "-xnone", "-include", "-l", "-L.", "-O", "-O9", "-g", "-w", "-Wall", "-std=c11",
    "-std=nonsense", "-shared", "-fPIC", "-fsyntax-only", "-###", "-v", "--version", "--help",
    "-pipe", "-flto", "-r", "-fopenmp", "-pthread", "-Wl,", "-Xlinker", "@", "@missing", "@itself",
    "@words", "missing.c", "folder", "folder/", "empty.c", "a b.c", "plain.o", "ring", "ring.",
    ".c", "./ring.c", "../ring.c", "/dev/null", "-o/dev/null", "--cleave-", "--cleave-emit",
    "--cleave-emit=", "--cleave-emit=all,", "--cleave-emit=fused,fused", "--cleave-arch=",
    "--cleave-arch=sm_", "--cleave-arch=none", "--cleave-access=warn", "--cleave-access",
    "--cleave-alias=accept", "--cleave-soa=auto", "--cleave-dump=",
    "--cleave-dump=loops,chains,graph,dot,stages", "--cleave-explain", "--cleave-keep=kept",
    "--cleave-host=", "--cleave-host=missing", "--cleave-time=2", "--cleave-verbose=0",
    "--cleave-help=1", "--showme", "--showme:", "--showme:link"
};

/* clang-format on */

#define ANY(list) ((list)[pick((int)(sizeof(list) / sizeof((list)[0])))])

/* ---- text ------------------------------------------------------------------------------------ */

static void fail(const char *message)
{
    fprintf(stderr, "fuzz_mutate: %s\n", message);
    exit(2);
}

static void insert(struct text *text, int at, struct token token)
{
    if (text->tokens == text->room) {
        text->room = text->room == 0 ? 1024 : 2 * text->room;
        text->token = realloc(text->token, (size_t)text->room * sizeof(token));
        if (text->token == NULL) {
            fail("out of memory");
        }
    }
    memmove(&text->token[at + 1], &text->token[at], (size_t)(text->tokens - at) * sizeof(token));
    text->token[at] = token;
    text->tokens++;
}

static void take_out(struct text *text, int at, int count)
{
    text->tokens -= count;
    memmove(&text->token[at], &text->token[at + count],
            (size_t)(text->tokens - at) * sizeof(struct token));
}

static struct token token_of(enum kind kind, const char *text)
{
    return (struct token){kind, text, strlen(text)};
}

static char *read_all(size_t *length)
{
    size_t room = 1 << 16;
    char *all = malloc(room);

    *length = 0;
    while (all != NULL) {
        *length += fread(all + *length, 1, room - *length - 1, stdin);
        if (*length < room - 1) {
            all[*length] = '\0';
            return all;
        }
        room *= 2;
        all = realloc(all, room);
    }
    fail("out of memory");
    return NULL;
}

/* The length of what begins at `at`, and its kind. */
static size_t token_length(const char *at, enum kind *kind)
{
    const char *end = at;

    if (isalpha((unsigned char)*at) || *at == '_') {
        *kind = NAME;
        while (isalnum((unsigned char)*end) || *end == '_') {
            end++;
        }
    } else if (isdigit((unsigned char)*at)) {
        *kind = NUMBER;
        while (isalnum((unsigned char)*end) || *end == '.') {
            end++;
        }
    } else if (*at == '"' || *at == '\'') {
        *kind = STRING;
        for (end++; *end != '\0' && *end != '\n' && *end != *at; end++) {
            end += *end == '\\' && end[1] != '\0';
        }
        end += *end == *at;
    } else if (isspace((unsigned char)*at)) {
        *kind = SPACE;
        end += 1;
    } else if (strncmp(at, "/*", 2) == 0 && strstr(at + 2, "*/") != NULL) {
        *kind = SPACE;
        end = strstr(at + 2, "*/") + 2;
    } else {
        *kind = SIGN;
        end += ispunct((unsigned char)at[1]) && at[1] == at[0] ? 2 : 1;
    }
    return (size_t)(end - at);
}

static struct text tokens_of(const char *all)
{
    struct text text = {0};

    for (const char *at = all; *at != '\0';) {
        struct token token = {.text = at};

        token.length = token_length(at, &token.kind);
        insert(&text, text.tokens, token);
        at += token.length;
    }
    return text;
}

static struct text lines_of(const char *all)
{
    struct text text = {0};

    for (const char *at = all; *at != '\0';) {
        struct token token = {NAME, at, strcspn(at, "\n")};

        insert(&text, text.tokens, token);
        at += token.length + (at[token.length] == '\n');
    }
    return text;
}

/* ---- mistakes in a source -------------------------------------------------------------------- */

/* A token that is no space. */
static int somewhere(const struct text *text)
{
    for (int tries = 0; tries < 10000; tries++) {
        int at = pick(text->tokens);

        if (text->token[at].kind != SPACE) {
            return at;
        }
    }
    return 0;
}

static struct token other(const struct text *text, enum kind kind)
{
    /* Half of the names are some of the file's own. */
    for (int tries = 0; kind == NAME && pick(2) == 0 && tries < 1000; tries++) {
        const struct token *own = &text->token[pick(text->tokens)];

        if (own->kind == NAME) {
            return *own;
        }
    }
    return token_of(kind, kind == NAME     ? ANY(names)
                          : kind == NUMBER ? ANY(numbers)
                          : kind == STRING ? ANY(strings)
                                           : ANY(signs));
}

static bool is_newline(const struct token *token)
{
    return token->length == 1 && token->text[0] == '\n';
}

/* The line around a token: its first token, and how many there are with the line's end. */
static int line_around(const struct text *text, int at, int *count)
{
    int first = at;
    int end = at;

    while (first > 0 && !is_newline(&text->token[first - 1])) {
        first--;
    }
    while (end < text->tokens && !is_newline(&text->token[end])) {
        end++;
    }
    *count = end - first + (end < text->tokens);
    return first;
}

static void damage_line(struct text *text, int at, bool twice)
{
    int count;
    int first = line_around(text, at, &count);

    if (!twice) {
        take_out(text, first, count);
        return;
    }
    for (int t = 0; t < count; t++) {
        struct token token = text->token[first + t];

        insert(text, first + count + t, token);
    }
}

static void damage_source(struct text *text)
{
    int at = somewhere(text);
    int second = somewhere(text);
    struct token token = text->token[at];

    switch (pick(10)) {
    case 0:
        take_out(text, at, 1);
        break;
    case 1:
        insert(text, at, token);
        break;
    case 2:
        text->token[at] = text->token[second];
        text->token[second] = token;
        break;
    case 3:
        damage_line(text, at, pick(2) == 0);
        break;
    case 4:
        insert(text, at, token_of(SPACE, ANY(insertions)));
        break;
    default: /* what the others seldom leave compilable */
        text->token[at] = other(text, token.kind);
        break;
    }
}

/* ---- mistakes in a command line -------------------------------------------------------------- */

/* Joins a word with the next one, or leaves out its end. */
static void damage_word(struct text *text, int at)
{
    static char joined[3][4096]; /* one for each mistake */
    static int used;
    struct token *token = &text->token[at];

    if (pick(2) == 0 && at + 1 < text->tokens && used < 3) {
        snprintf(joined[used], sizeof(joined[used]), "%.*s%.*s", (int)token->length, token->text,
                 (int)token[1].length, token[1].text);
        *token = token_of(NAME, joined[used++]);
        take_out(text, at + 1, 1);
    } else if (token->length > 0) {
        token->length = (size_t)pick((int)token->length);
    }
}

static void damage_words(struct text *text)
{
    int at = pick(text->tokens);
    int second = pick(text->tokens);
    struct token token = text->token[at];

    switch (pick(7)) {
    case 0:
        take_out(text, at, 1);
        break;
    case 1:
        insert(text, second, token);
        break;
    case 2:
        text->token[at] = text->token[second];
        text->token[second] = token;
        break;
    case 3:
        damage_word(text, at);
        break;
    case 4:
        text->token[at] = token_of(NAME, ANY(words));
        break;
    default:
        insert(text, pick(text->tokens + 1), token_of(NAME, ANY(words)));
        break;
    }
}

int main(int argc, char **argv)
{
    bool is_source = argc == 3 && strcmp(argv[1], "source") == 0;
    bool is_words = argc == 3 && strcmp(argv[1], "words") == 0;
    size_t length;
    char *all;
    struct text text;

    if (!is_source && !is_words) {
        fail("usage: fuzz_mutate source|words SEED <FILE");
    }
    state = strtoull(argv[2], NULL, 10);
    all = read_all(&length);
    text = is_source ? tokens_of(all) : lines_of(all);
    for (int m = 1 + pick(is_source ? 4 : 3); m > 0 && text.tokens > 0; m--) {
        is_source ? damage_source(&text) : damage_words(&text);
    }
    for (int t = 0; t < text.tokens; t++) {
        fwrite(text.token[t].text, 1, text.token[t].length, stdout);
        if (is_words) {
            putchar('\n');
        }
    }
    free(text.token);
    free(all);
    return fflush(stdout) == 0 ? 0 : 2;
}
