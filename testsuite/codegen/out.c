/* Generated text: strings survive, comments end where they should, templates indent and drop lines.
 */
#include "codegen/out.h"

#include <stdlib.h>

#include "check.h"
#include "codegen/emit.h"
#include "codegen/template.h"

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
    return CHECK_RESULT();
}
