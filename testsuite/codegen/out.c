/* Generated text: strings survive, comments end where they should, templates indent and drop lines.
 */
#include "codegen/out.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "codegen/emit.h"
#include "codegen/template.h"
#include "pass/ir/arena.h"

static char *text;
static size_t size;

static struct out start(void)
{
    return (struct out){.file = open_memstream(&text, &size)};
}

static void finish(struct out *out, const char *expected)
{
    fclose(out->file);
    CHECK_TEXT(text, expected);
    free(text);
}

static void test_strings(void)
{
    struct out out = start();
    out_string(&out, "a \"b\"\n\\ \?\?=\xc3");
    finish(&out, "\"a \\\"b\\\"\\012\\\\ \\077?=\\303\"");
    out = start();
    out_string(&out, NULL);
    finish(&out, "NULL");
}

static void test_comments(void)
{
    struct out out = start();
    out_comment(&out, "%s", "p */ x\nint y;\\");
    finish(&out, "// p */ x int y;\\.\n");
}

static void test_indentation(void)
{
    struct out out = start();
    out.indent = 4;
    out_text(&out, "a\n\n#if b\nc");
    finish(&out, "    a\n\n#if b\n    c");
}

static void test_lists(void)
{
    struct out out = start();
    int items = 0;
    out_text(&out, "call(");
    for (int i = 0; i < 12; i++) {
        out_item(&out, &items, "argument_%d", i);
    }
    out_text(&out, ")");
    finish(&out, "call(argument_0, argument_1, argument_2, argument_3, argument_4, argument_5, "
                 "argument_6,\n     argument_7, argument_8, argument_9, argument_10, argument_11)");
    out = start();
    out_assign(&out, "x", "+=", "y");
    finish(&out, "x += y;\n");
}

static struct expr *text_of(struct arena *arena, const char *literal)
{
    struct expr *expr = arena_alloc(arena, sizeof(*expr));
    expr->kind = EXPR_STRING;
    expr->text = literal;
    return expr;
}

/* Long statements go on in the next line, but not inside of a literal. */
static void test_long_statements(void)
{
    struct arena *arena = arena_new();
    struct function print = {.name = "printf", .kind = FUNCTION_PRINT};
    static const struct type integer = {.kind = TYPE_INT, .size = 4};
    struct var var = {.name = "a_name_of_thirty_characters_ok", .type = &integer};
    struct expr use = {.kind = EXPR_VAR, .type = &integer, .var = &var};
    struct expr *kid[] = {text_of(arena, "a, b = c, d = e, f = g, h = i, j = k, l = m, n = o, p"),
                          &use, &use};
    struct expr call = {
        .kind = EXPR_CALL, .type = &integer, .callee = &print, .kids = 3, .kid = kid};
    struct stmt stmt = {.kind = STMT_EXPR, .expr = &call};
    struct out out = start();
    out.indent = 4;
    out_stmt(&out, &stmt, NULL);
    finish(&out, "    printf(\"a, b = c, d = e, f = g, h = i, j = k, l = m, n = o, p\", "
                 "a_name_of_thirty_characters_ok,\n        a_name_of_thirty_characters_ok);\n");
    out = start();
    out.indent = 70;
    out_stmt(&out, &stmt, NULL);
    fclose(out.file);
    CHECK(strstr(text, "\"a, b = c, d = e, f = g, h = i, j = k, l = m, n = o, p\",\n") != NULL);
    free(text);
    arena_free(arena);
}

static void print_used(struct emit *emit)
{
    out_text(emit->out, emit_mentions(emit, "used") ? "int used;\n" : "");
    out_text(emit->out, emit_mentions(emit, "use") ? "int use;\n" : "");
}

/* Text that comes first may depend on what follows it. */
static void test_mentions(void)
{
    static const struct hole holes[] = {{"locals", print_used}, {NULL, NULL}};
    struct program program = {.arena = arena_new()};
    struct out out = start();
    struct generated_file file = {.program = &program};
    struct emit emit = {.out = &out, .file = &file};
    CHECK(!emit_mentions(&emit, "used"));
    template_function(&emit, "{\n    {{locals}}\n    used = unused + used_;\n}\n", holes);
    CHECK(emit_mentions(&emit, "used"));
    template_function(&emit, "{\n    {{locals}}\n    unused = used_;\n}\n", holes);
    CHECK(!emit_mentions(&emit, "used"));
    finish(&out, "{\n    int used;\n    used = unused + used_;\n}\n{\n    unused = used_;\n}\n");
    arena_free(program.arena);
}

static void print_two(struct emit *emit)
{
    out_text(emit->out, "one\ntwo\n");
}

static void print_none(struct emit *emit)
{
    (void)emit;
}

static void test_templates(void)
{
    static const struct hole holes[] = {{"two", print_two}, {"none", print_none}, {NULL, NULL}};
    struct out out = start();
    struct emit emit = {.out = &out};
    template_print(&emit, "{\n    {{two}}\n    {{none}}\n}\na{{none}}b\n", holes);
    CHECK(!out.failed);
    template_print(&emit, "{{missing}}\n", holes);
    CHECK(out.failed);
    finish(&out, "{\n    one\n    two\n}\nab\n");
}

int main(void)
{
    test_strings();
    test_comments();
    test_indentation();
    test_lists();
    test_templates();
    test_long_statements();
    test_mentions();
    return CHECK_RESULT();
}
