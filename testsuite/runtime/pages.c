/* pages.c: JSON as json_read.c reads it, and the page of a report, from JSON made by hand: names
 * that are not HTML, no loop, many loops, members that are missing. `pages FILE.json` writes the
 * page of a report to stdout. */
#include <stdlib.h>

#include "check.h"
#include "runtime/base/base.h"
#include "runtime/base/json.h"
#include "runtime/base/json_read.h"
#include "runtime/page/page.h"
#include "runtime/report/summary.h"

static int is_refused(const char *text)
{
    struct cleave_json_node *node = cleave_json_read(text);
    const int refused = node == NULL;
    cleave_json_free(node);
    return refused;
}

static void test_reading(void)
{
    struct cleave_json_node *node = cleave_json_read(
        "{\"a\": [1, -2.5e-3, true, null], \"b\\\"\": {\"c\": \"x\\u0007\\\\\"}, \"d\": []}\n");
    CHECK(node != NULL);
    const struct cleave_json_node *a = cleave_json_member(node, "a");
    CHECK(a != NULL && a->count == 4 && a->first->next->index == 1);
    CHECK(cleave_json_value(a->first->next, 0.0) == -2.5e-3);
    CHECK_TEXT(a->first->next->text, "-2.5e-3");
    CHECK_TEXT(cleave_json_word(a->first->next->next, ""), "true");
    CHECK_TEXT(cleave_json_word(cleave_json_member(cleave_json_member(node, "b\""), "c"), ""),
               "x\a\\");
    CHECK(cleave_json_member(node, "e") == NULL && cleave_json_member(a, "a") == NULL);
    CHECK(cleave_json_value(NULL, 7.0) == 7.0);
    cleave_json_free(node);
    CHECK(is_refused("") && is_refused("{") && is_refused("[1,]") && is_refused("{\"a\" 1}") &&
          is_refused("[1] 2"));
    CHECK(is_refused("\"never ends") && is_refused("\"ends in \\") && is_refused("\"\\u00\"") &&
          is_refused("{1: 2}"));
    char deep[201];
    memset(deep, '[', 200);
    deep[200] = '\0';
    CHECK(is_refused(deep));
}

static const char *number(enum cleave_page_unit unit, double value)
{
    static char text[PAGE_NUMBER_ROOM];
    return cleave_page_number_text(text, unit, value);
}

static void test_numbers(void)
{
    CHECK_TEXT(number(PAGE_SECONDS, 0.0), "0 s");
    CHECK_TEXT(number(PAGE_EACH, 0.0), "0 /s");
    CHECK_TEXT(number(PAGE_SECONDS, 12.34), "12.3 s");
    CHECK_TEXT(number(PAGE_SECONDS, 9.994e-4), "999 \xc2\xb5s");
    CHECK_TEXT(number(PAGE_SECONDS, 9.996e-4), "1.00 ms");
    CHECK_TEXT(number(PAGE_SECONDS, 2e-11), "0.02 ns");
    CHECK_TEXT(number(PAGE_SECONDS, 123456.0), "123456 s");
    CHECK_TEXT(number(PAGE_COUNT, 1234567.0), "1,234,567");
    CHECK_TEXT(number(PAGE_COUNT, 999.0), "999");
    CHECK_TEXT(number(PAGE_COUNT, 0.0), "0");
    CHECK_TEXT(number(PAGE_BYTES, 16.0), "16 B");
    CHECK_TEXT(number(PAGE_BYTES, 0.5), "0.50 B");
    CHECK_TEXT(number(PAGE_BYTES, 1.5e9), "1.50 GB");
    CHECK_TEXT(number(PAGE_RATE, 3900.4), "3900 GB/s");
    CHECK_TEXT(number(PAGE_SHARE, 1.318), "131.8 %");
    CHECK_TEXT(number(PAGE_EACH, 2.5e12), "2.50 T/s");
}

/* The page of a JSON text; NULL: it is none. The caller frees it. */
static char *page_of(const char *json)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    const int failed = cleave_report_page(file, json);
    fclose(file);
    if (failed) {
        free(text);
        text = NULL;
    }
    return text;
}

static int count(const char *text, const char *what)
{
    int found = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) {
        found++;
    }
    return found;
}

/* A report with so many loops, which may have all members or only the first few. */
static char *report_of(int loops, const char *name, int complete)
{
    struct cleave_json json;
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    cleave_json_begin(&json, file);
    cleave_json_object(&json, NULL);
    cleave_json_text(&json, "program", name);
    cleave_json_number(&json, "copy_gb_per_second", complete ? 3900.0 : (double)NAN);
    cleave_json_array(&json, "loops");
    for (int l = 0; l < loops; l++) {
        cleave_json_object(&json, NULL);
        cleave_json_text(&json, "loop", name);
        cleave_json_text(&json, "variant", "v");
        cleave_json_integer(&json, "calls", complete ? 1000 : 0);
        cleave_json_number(&json, "seconds", complete ? 1.0 / (l + 1) : 0.0);
        if (complete) {
            cleave_json_number(&json, "of_copy", 0.5);
            cleave_json_number(&json, "operations_per_byte", 0.1 * (l + 1));
            cleave_json_number(&json, "operations_per_second", 1e11);
        }
        cleave_json_object_end(&json);
    }
    cleave_json_array_end(&json);
    cleave_json_object_end(&json);
    CHECK(cleave_json_finish(&json) == 0);
    fclose(file);
    return text;
}

static void check_page(int loops, const char *name, int complete)
{
    char *json = report_of(loops, name, complete);
    char *page = page_of(json);
    CHECK(page != NULL);
    CHECK(count(page, "<details ") == loops);
    CHECK(count(page, "<circle ") == (complete ? loops : 0));
    CHECK(count(page, "<svg ") == (complete && loops > 0));
    CHECK(count(page, "nan") == 0 && count(page, "inf") == 0);
    if (loops == 0) {
        CHECK(strstr(page, "The program ran no loops.") != NULL);
    } else if (strchr(name, '<') != NULL) {
        CHECK(strstr(page, "<b&") == NULL && count(page, "&lt;b&amp;&quot;") >= 3 * loops);
    }
    free(page);
    free(json);
}

static void test_pages(void)
{
    static const char hostile[] = "a<b&\"</title><script>\x01";
    check_page(0, "none", 1);
    check_page(1, "one", 1);
    check_page(1, hostile, 1);
    check_page(2, hostile, 0);
    check_page(60, "many", 1);
    char *page = page_of("{}");
    CHECK(page != NULL && strstr(page, "Report of a program") != NULL);
    free(page);
    CHECK(page_of("{\"loops\": ") == NULL);
    page = page_of(
        "{\"loops\": 1, \"plans\": {}, \"host\": [], \"sequential\": \"x\", \"order\": []}");
    CHECK(page != NULL);
    free(page);
}

static int write_page(const char *name)
{
    static char text[1 << 22];
    FILE *file = fopen(name, "r");
    if (file == NULL) {
        return 2;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return cleave_report_page(stdout, text) != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        return write_page(argv[1]);
    }
    test_reading();
    test_numbers();
    test_pages();
    return CHECK_RESULT();
}
