/* page.c: the frame of a page, escaped text, and numbers. */
#include "runtime/page/page.h"

#include <math.h>
#include <string.h>

#include "runtime/page/style.h"

const char cleave_page_ending[] = "</body>\n</html>\n";

static void write_escaped(FILE *out, const char *text, const char *behind_plus)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '<') {
            fputs("&lt;", out);
        } else if (c == '>') {
            fputs("&gt;", out);
        } else if (c == '&') {
            fputs("&amp;", out);
        } else if (c == '"') {
            fputs("&quot;", out);
        } else if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f) {
            fputs("\xef\xbf\xbd", out); /* HTML has no control characters */
        } else {
            fputc(c, out);
            fputs(c == '+' ? behind_plus : "", out);
        }
    }
}

void cleave_page_text(FILE *out, const char *text)
{
    write_escaped(out, text, "");
}

void cleave_page_name(FILE *out, const char *text)
{
    write_escaped(out, text, "<wbr>");
}

void cleave_page_begin(FILE *out, const char *heading)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          out);
    cleave_page_text(out, heading);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", cleave_page_style);
    cleave_page_text(out, heading);
    fputs("</h1>\n", out);
}

void cleave_page_end(FILE *out)
{
    fputs(cleave_page_ending, out);
}

void cleave_page_section(FILE *out, const char *id, const char *heading)
{
    fprintf(out, "<h2 id=\"%s\">", id);
    cleave_page_text(out, heading);
    fputs("</h2>\n", out);
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* Writes it with three digits, never in exponents; 0 stays 0. */
static void three_digits(char *text, size_t room, double value, const char *unit)
{
    const double size = fabs(value);
    const int digits = size == 0.0 ? 0 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    snprintf(text, room, "%.*f%s", digits, value, unit);
}

/* A prefix of a unit: 1e-3 and " m" of "ms". */
struct scale {
    double least; /* the smallest value that it is for, but for rounding */
    const char *unit;
};

static void scaled(char text[PAGE_NUMBER_ROOM], const struct scale *scale, int scales, double value)
{
    int s = 0;
    if (value == 0.0) {
        while (scale[s].least != 1.0) {
            s++;
        }
        snprintf(text, PAGE_NUMBER_ROOM, "0%s", scale[s].unit);
        return;
    }
    while (s + 1 < scales && fabs(value) < 0.9995 * scale[s].least) {
        s++;
    }
    three_digits(text, PAGE_NUMBER_ROOM, value / scale[s].least, scale[s].unit);
}

static void with_commas(char text[PAGE_NUMBER_ROOM], double value)
{
    char digits[PAGE_NUMBER_ROOM / 2];
    const int length = snprintf(digits, sizeof digits, "%.0f", fabs(value) < 1e15 ? value : 0.0);
    char *to = text;
    if (fabs(value) >= 1e15) {
        snprintf(text, PAGE_NUMBER_ROOM, "%.3g", value);
        return;
    }
    for (int d = 0; d < length; d++) {
        *to++ = digits[d];
        if (digits[d] != '-' && (length - d) % 3 == 1 && d + 1 < length) {
            *to++ = ',';
        }
    }
    *to = '\0';
}

const char *cleave_page_number_text(char text[PAGE_NUMBER_ROOM], enum cleave_page_unit unit,
                                    double value)
{
    static const struct scale seconds[] = {
        {1.0, " s"}, {1e-3, " ms"}, {1e-6, " \xc2\xb5s"}, {1e-9, " ns"}};
    static const struct scale bytes[] = {
        {1e12, " TB"}, {1e9, " GB"}, {1e6, " MB"}, {1e3, " kB"}, {1.0, " B"}};
    static const struct scale each[] = {
        {1e12, " T/s"}, {1e9, " G/s"}, {1e6, " M/s"}, {1e3, " k/s"}, {1.0, " /s"}};
    switch (unit) {
    case PAGE_COUNT:
        with_commas(text, value);
        break;
    case PAGE_SECONDS:
        scaled(text, seconds, 4, value);
        break;
    case PAGE_BYTES:
        if (value < 999.5 && value == floor(value)) {
            snprintf(text, PAGE_NUMBER_ROOM, "%.0f B", value);
        } else {
            scaled(text, bytes, 5, value);
        }
        break;
    case PAGE_EACH:
        scaled(text, each, 5, value);
        break;
    case PAGE_RATE:
        three_digits(text, PAGE_NUMBER_ROOM, value, " GB/s");
        break;
    case PAGE_SHARE:
        snprintf(text, PAGE_NUMBER_ROOM, "%.1f %%", 100.0 * value);
        break;
    default:
        three_digits(text, PAGE_NUMBER_ROOM, value, "");
    }
    return text;
}

void cleave_page_number(FILE *out, enum cleave_page_unit unit, double value, const char *path,
                        const char *exact)
{
    char text[PAGE_NUMBER_ROOM];
    fputs("<span class=\"n\"", out);
    if (path != NULL) {
        fputs(" data-path=\"", out);
        cleave_page_text(out, path);
        fputs("\" data-value=\"", out);
        cleave_page_text(out, exact);
        fputc('"', out);
    }
    fprintf(out, ">%s</span>", cleave_page_number_text(text, unit, value));
}
