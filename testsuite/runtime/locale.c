/* locale.c: a program with a decimal comma: files have points all the same, and settings are read.
 * The test brings its locale along, as glibc keeps it: no installed one is needed. */
#include "op_seq.h"

#include <locale.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "child.h"

static char folder[] = "/tmp/cleave-locale-XXXXXX";

/* The file that localedef writes for LC_NUMERIC: magic number, number of items, offset of each. */
static int write_numeric(const char *path)
{
    static const char point[] = ",";
    static const char separator[] = ".";
    static const char codeset[] = "UTF-8";
    const uint32_t items = 6;
    uint32_t head[2 + 6] = {UINT32_C(0x20031115) ^ LC_NUMERIC, items};
    const uint32_t wide[2] = {',', '.'};
    const char grouping = 0x7f;
    const uint32_t at = sizeof head;
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return -1;
    }
    head[2] = at;
    head[3] = head[2] + sizeof point;
    head[4] = head[3] + sizeof separator;
    head[5] = at + 8; /* aligned: after two strings of 2 bytes, 1 byte and 3 of padding */
    head[6] = head[5] + 4;
    head[7] = head[6] + 4;
    fwrite(head, sizeof head, 1, file);
    fwrite(point, sizeof point, 1, file);
    fwrite(separator, sizeof separator, 1, file);
    fwrite(&grouping, 1, 1, file);
    fwrite("\0\0\0", 3, 1, file);
    fwrite(wide, sizeof wide, 1, file);
    fwrite(codeset, sizeof codeset, 1, file);
    return fclose(file);
}

static int use_comma(void)
{
    char path[256];
    char text[16];
    if (mkdtemp(folder) == NULL) {
        return 0;
    }
    snprintf(path, sizeof path, "%s/comma", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/comma/LC_NUMERIC", folder);
    write_numeric(path);
    setenv("LOCPATH", folder, 1);
    setlocale(LC_NUMERIC, "comma");
    snprintf(text, sizeof text, "%.1f", 0.5);
    return strcmp(text, "0,5") == 0;
}

static void kernel(double *value)
{
    *value = 1.5;
}

static char text[65536];

static const char *content(const char *name)
{
    FILE *file = fopen(name, "rb");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static void remove_files(void)
{
    static const char *const names[] = {"times.csv",        "q.txt",       "profile.json",
                                        "plans.json",       "report.json", "report.html",
                                        "comma/LC_NUMERIC", "comma"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        remove(names[i]);
    }
    rmdir(folder);
}

static int count(const char *where, char what)
{
    int found = 0;
    for (; *where != '\0' && *where != '\n'; where++) {
        found += *where == what;
    }
    return found;
}

/* 1: a digit follows a comma without a space: in JSON, a number with a decimal comma. */
static int has_decimal_comma(const char *where)
{
    for (where = strchr(where, ','); where != NULL; where = strchr(where + 1, ',')) {
        if (where[1] >= '0' && where[1] <= '9') {
            return 1;
        }
    }
    return 0;
}

static void write_files(void)
{
    double value;
    char number[16];
    setenv("CLEAVE_VERIFY_TOLERANCE", "0.001", 1);
    setenv("CLEAVE_PLAN_JSON", "plans.json", 1);
    setenv("CLEAVE_REPORT", "report.json,report.html", 1);
    op_init(0, NULL, 0);
    op_set cells = op_decl_set(2, "cells");
    op_dat q = op_decl_dat(cells, 1, "double", (double *)NULL, "q");
    op_profile_start("all");
    op_par_loop(kernel, "fill", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data_idx(q, &value, 0, 0);
    op_timings_to_csv("times.csv");
    op_print_dat_to_txtfile(q, "q.txt");
    op_profile_end();
    op_profile_output_json("profile.json");
    op_exit();
    snprintf(number, sizeof number, "%.1f", value); /* the program's own output keeps its comma */
    exit(strcmp(number, "1,5") == 0 ? 0 : 3);
}

int main(void)
{
    char said[1024];
    if (!use_comma()) {
        CHECK_TEXT("no locale with a comma", "a locale with a comma");
        return CHECK_RESULT();
    }
    if (chdir(folder) != 0) {
        return 1;
    }
    CHECK(child_run(write_files, said, sizeof said) == 0);
    CHECK_TEXT(said, "");
    const char *first = content("times.csv");
    const char *second = strchr(first, '\n');
    CHECK(second != NULL && count(first, ',') == count(second + 1, ','));
    content("q.txt");
    CHECK(strstr(text, "1.5") != NULL && strchr(text, ',') == NULL);
    content("profile.json");
    CHECK(strstr(text, "\"seconds\": ") != NULL && strstr(text, "\"seconds\": 0,") == NULL);
    CHECK(strchr(text, '.') != NULL && strstr(text, "e-0,") == NULL);
    content("plans.json");
    CHECK(text[0] == '{' && !has_decimal_comma(text));
    content("report.json");
    CHECK(strstr(text, "\"seconds\": 0.") != NULL && !has_decimal_comma(text));
    content("report.html");
    CHECK(strstr(text, "width:100.000%") != NULL && strstr(text, "data-value=\"0.") != NULL);
    CHECK(strstr(text, "width:100,") == NULL && strstr(text, "data-value=\"0,") == NULL);
    remove_files();
    return CHECK_RESULT();
}
